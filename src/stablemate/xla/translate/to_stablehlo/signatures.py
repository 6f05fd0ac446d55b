"""Computations known by their signatures alone: all that shape inference needs of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.diagnostics.source import Span
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.ir.core import Block, Region, Value
from stablemate.xla.module import HloComputation
from stablemate.xla.shape import Shape
from stablemate.xla.translate.to_stablehlo.step import (
    AnyValue,
    StepOperand,
    TranslationStep,
    Values,
)
from stablemate.xla.types import type_of
from stablemate.xla.values import ProgramShape


@dataclass(frozen=True, slots=True)
class Signatures:
    """A scope in which computations have no bodies.

    Attributes:
        computations: By name.
        replicas: How many replicas run the module.
        partitions: How many partitions run it.
        keep_fusions: Whether fusions become calls.
    """

    computations: Mapping[str, HloComputation]
    replicas: int = 1
    partitions: int = 1
    keep_fusions: bool = False

    def signature(self, computation: str, span: Span | None) -> ProgramShape:
        """The parameter shapes and the result shape of a computation.

        Raises:
            VerifyError: There is no such computation.
        """
        computation_ = self.computations.get(computation)
        if computation_ is None:
            message = "a called computation is defined before its caller"
            values = {"computation": computation}
            raise VerifyError(Diagnostic(message, "computations", span, values))
        return computation_.program_shape

    def region(self, computation: str, step: TranslationStep) -> Region:
        """A region that takes and returns what the computation does."""
        signature = self.signature(computation, step.span)
        block = Block([value.type for shape in signature.parameters for value in values_of(shape)])
        block.append(Return(values_of(signature.result), span=step.span))
        return Region([block])

    def branch(
        self, computation: str, operands: Sequence[StepOperand], step: TranslationStep
    ) -> Region:
        """A region that returns what the computation does."""
        block = Block()
        block.append(Return(values_of(self.signature(computation, step.span).result)))
        return Region([block])

    def function(self, computation: str, step: TranslationStep) -> str:
        """Returns the name of the function that a computation becomes."""
        return computation

    def call(
        self, computation: str, operands: Sequence[StepOperand], step: TranslationStep
    ) -> Values:
        """Values of the result types of the computation."""
        return self.inline(computation, operands, step)

    def inline(
        self, computation: str, operands: Sequence[StepOperand], step: TranslationStep
    ) -> Values:
        """Values of the result types of the computation."""
        return values_of(self.signature(computation, step.span).result)

    def advanced_state(self, delta: int, step: TranslationStep) -> int:
        """Nothing: what states are has no influence on shapes."""
        return 0

    def dictionary(self, text: str, step: TranslationStep) -> object:
        """Nothing: what attributes say has no influence on shapes."""
        return None


def values_of(shape: Shape) -> tuple[AnyValue, ...]:
    """Values without a definition, of the types of the leaves of a shape.

    Raises:
        UnsupportedError: StableHLO has no such type.
    """
    if shape.is_array:
        return (Value(type_of(shape)),)
    return tuple(Value(type_of(leaf)) for _, leaf in shape.leaves())
