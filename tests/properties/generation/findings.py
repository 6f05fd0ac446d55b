"""What a campaign says: differences, and how much was compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stablemate.ir.core import Block, Operation
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array, ElementType, QuantizedType


@dataclass(frozen=True)
class Finding:
    """A difference.

    Attributes:
        kind: What it is about: an operation, or a stage such as printing.
        detail: What differs.
        text: The smallest program that shows it.
        arguments: What it runs on.
        ours: Our result, if there is one.
        theirs: The other one.
    """

    kind: str
    detail: str
    text: str
    arguments: Sequence[Array] = ()
    ours: Any = None
    theirs: Any = None

    def __str__(self) -> str:
        lines = [f"{self.kind}: {self.detail}", self.text]
        lines += [f"argument {i}: {describe(x)}" for i, x in enumerate(self.arguments)]
        if self.theirs is not None:
            lines += [f"ours:   {describe(self.ours)}", f"theirs: {describe(self.theirs)}"]
        return "\n".join(lines)


def describe(array: Array) -> str:
    """All elements of an array."""
    return np.array2string(np.asarray(array), threshold=400, separator=", ", floatmode="unique")


def covering(operation: Operation) -> tuple[str, str, int]:
    """An operation by name, element type and rank of its first tensor; -1 if there is none."""
    for value in (*operation.operands, *operation.results):
        if isinstance(value.type, TensorType):
            element = value.type.element_type
            return operation.name, element_name(element), value.type.rank
    return operation.name, "", -1


def element_name(element: ElementType) -> str:
    """What an element type is called; of quantized ones storage and granularity."""
    if not isinstance(element, QuantizedType):
        return str(element)
    kind = "tensor" if element.is_per_tensor else "axis" if element.is_per_axis else "blocks"
    return f"quantized {element.storage} per {kind}"


@dataclass
class Report:
    """What comparing has found, and how much of what was compared.

    Attributes:
        programs: How many programs were run.
        ran: How many programs each executor ran.
        variants: How many modules were compiled in each way, and what was done with them.
        findings: The differences.
        compared: How many results of each operation were compared, by executor and name.
        left_out: How many operations were not, by executor and reason.
        refused: Programs that an executor refused or did not survive, by executor and reason.
        refusals: Executor, reason and text of each of them.
        unconfirmed: Differences that were gone when the operation was run alone.
        covered: How often each operation was there with an element type and a rank.
    """

    programs: int = 0
    ran: Counter[str] = field(default_factory=Counter)
    variants: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    compared: Counter[tuple[str, str]] = field(default_factory=Counter)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    refused: Counter[tuple[str, str]] = field(default_factory=Counter)
    refusals: list[tuple[str, str, str]] = field(default_factory=list)
    unconfirmed: Counter[tuple[str, str]] = field(default_factory=Counter)
    covered: Counter[tuple[str, str, int]] = field(default_factory=Counter)

    def cover(self, block: Block) -> None:
        """Counts the operations of a program, those in its regions included."""
        for operation in block.operations:
            for item in operation.walk():
                self.covered[covering(item)] += 1


def first_difference(ours: str, theirs: str) -> str:
    """The first lines of two texts that are not the same."""
    for mine, other in zip(ours.splitlines(), theirs.splitlines(), strict=False):
        if mine != other:
            return f"\n  ours:   {mine}\n  theirs: {other}"
    return "one text is longer"
