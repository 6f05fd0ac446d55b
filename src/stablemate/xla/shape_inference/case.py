"""The instruction whose shape is inferred, and relations between shapes.

Source: XLA, operation semantics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn, Protocol

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.diagnostics.source import Span
from stablemate.xla.module import Attributes
from stablemate.xla.shape import Shape
from stablemate.xla.values import ProgramShape

NAMES: Final = {"calls": "the computation", "to_apply": "the computation"}


class Computations(Protocol):
    """The interface to called computations."""

    def signature(self, computation: str, span: Span | None) -> ProgramShape:
        """The parameter shapes and the result shape of a computation."""
        ...


@dataclass(frozen=True, slots=True)
class InferenceCase:
    """The instruction whose result shape is inferred.

    Attributes:
        opcode: As in text.
        operands: The shapes of its operands.
        attributes: As in the module.
        declared: The shape that it claims to have; None if it is to be inferred.
        computations: What it may call.
        span: Where its text stands.
    """

    opcode: str
    operands: Sequence[Shape]
    attributes: Attributes
    declared: Shape | None
    computations: Computations
    span: Span | None

    def refuse(self, message: str, /, **values: object) -> NoReturn:
        """Raises the error of a broken rule.

        Raises:
            VerifyError: Always.
        """
        raise VerifyError(Diagnostic(message, self.opcode, self.span, values))

    def require(self, condition: bool, message: str, /, **values: object) -> None:
        """Refuses unless a rule holds.

        Raises:
            VerifyError: It does not.
        """
        if not condition:
            self.refuse(message, **values)

    def need(self, name: str) -> Any:
        """An attribute that must be there.

        Raises:
            VerifyError: It is not.
        """
        self.require(name in self.attributes, f"expected the attribute {name}")
        return self.attributes[name]

    def operand(self, number: int) -> Shape:
        """The shape of an operand.

        Raises:
            VerifyError: There is no such operand.
        """
        count = len(self.operands)
        self.require(number < count, "an operand is missing", operands=count, expected=number + 1)
        return self.operands[number]

    def free(self) -> Shape:
        """The declared shape, which nothing determines.

        Raises:
            VerifyError: None was declared.
        """
        if self.declared is None:
            self.refuse("the shape of the result does not follow from the operands: state it")
        return self.declared

    def require_transferable(self, data: Shape) -> None:
        """Refuses data that cannot travel.

        Raises:
            VerifyError: It consists of more than arrays.
        """
        fits = all(leaf.is_array for _, leaf in data.leaves())
        self.require(fits, "what is transferred consists of arrays", data=data)

    def signature(self, attribute: str) -> ProgramShape:
        """The signature of the computation that an attribute names."""
        return self.computations.signature(self.need(attribute), self.span)

    def takes(self, name: str, signature: ProgramShape, operands: Sequence[Shape]) -> None:
        """Refuses operands that the parameters of a computation do not fit.

        Raises:
            VerifyError: They do not.
        """
        expected = signature.parameters
        fits = len(expected) == len(operands) and all(map(alike, expected, operands))
        self.require(
            fits,
            f"{NAMES.get(name, name)} takes the operands",
            parameters=format_shapes(expected),
            operands=format_shapes(operands),
        )


def alike(a: Shape, b: Shape) -> bool:
    """Whether two shapes are one but for their layouts."""
    if a is b:
        return True
    return (
        a.element_type is b.element_type
        and a.dimensions == b.dimensions
        and (not (a.dynamic or b.dynamic) or flags_of(a) == flags_of(b))
        and len(a.elements) == len(b.elements)
        and all(map(alike, a.elements, b.elements))
    )


def flags_of(shape: Shape) -> tuple[bool, ...]:
    """Which dimensions are dynamic, one entry for each."""
    return shape.dynamic or (False,) * shape.rank


def format_shapes(shapes: Sequence[Shape]) -> str:
    """Formats shapes in parentheses for an error message."""
    return f"({', '.join(map(str, shapes))})"
