"""Programs: chains of operations of every family."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from stablemate.dialects.func import FuncOp
from stablemate.ir.core import Block
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array
from tests.properties.generation import (
    algorithms as numeric,
)
from tests.properties.generation import (
    chlo,
    contraction,
    control,
    elementwise,
    indexing,
    quantized,
    reductions,
)
from tests.properties.generation import (
    data_movement as movement,
)
from tests.properties.generation.choices import Choices, Recorded
from tests.properties.generation.program_builder import Draft, Tensor

Step: TypeAlias = Callable[[Draft], None]

FAMILIES: Final[Mapping[str, Sequence[tuple[Step, int]]]] = {
    "elementwise": elementwise.STEPS,
    "movement": movement.STEPS,
    "indexing": indexing.STEPS,
    "reductions": reductions.STEPS,
    "contraction": contraction.STEPS,
    "control": control.STEPS,
    "numeric": numeric.STEPS,
    "chlo": chlo.STEPS,
    "quantized": quantized.STEPS,
}
SHARES: Final = (
    ("movement", 25),
    ("elementwise", 35),
    ("indexing", 10),
    ("reductions", 12),
    ("contraction", 6),
    ("control", 8),
    ("numeric", 4),
    ("chlo", 6),
    ("quantized", 6),
)
MAXIMUM_STEPS: Final = 9  # a step appends one operation, seldom a few


@dataclass(frozen=True)
class Program:
    """A program and what it runs on.

    Attributes:
        block: Its operations; without a terminator, since any of its values may be asked for.
        arguments: The arrays for the arguments of the block.
        functions: The private functions that it calls.
        decisions: What it follows from.
    """

    block: Block
    arguments: Sequence[Array]
    functions: Sequence[FuncOp]
    decisions: Sequence[int]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """How hypothesis shows it."""
        printer.text(f"<{', '.join(operation.name for operation in self.block.operations)}>")

    @property
    def tensors(self) -> list[Tensor]:
        """All results of operations that are tensors, in order."""
        results = (result for operation in self.block.operations for result in operation.results)
        return [result for result in results if isinstance(result.type, TensorType)]


def generate(choices: Choices, family: str = "", prefix: str = "f") -> Program:
    """A well-typed program.

    Args:
        choices: What decides.
        family: The family of operations that it is about; any if empty.
        prefix: What the names of its private functions begin with.
    """
    recorded = Recorded(choices)
    draft = Draft(recorded, arrays=[], prefix=prefix)
    for _ in range(recorded.integer(1, MAXIMUM_STEPS)):
        name = family if family and recorded.chance(50) else recorded.weighted(SHARES)
        recorded.weighted(FAMILIES[name])(draft)
    if not draft.block.operations:  # the steps found nothing to do
        movement.constant(draft)
    assert draft.arrays is not None
    return Program(draft.block, draft.arrays, draft.functions, recorded.decisions)
