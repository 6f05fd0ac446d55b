"""Handles: the operands and results of the builder's methods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import Any, NoReturn, Protocol, TypeAlias

from stablemate.diagnostics.errors import ArgumentTypeError
from stablemate.xla.shape import Shape

Part: TypeAlias = int | slice | EllipsisType


class Operations(Protocol):
    """The methods of a builder that implement operators on handles."""

    def shape(self, op: XlaOp) -> Shape:
        """The shape of a handle's value."""
        ...

    def operator(self, name: str, *operands: object) -> XlaOp:
        """Applies an operator of Python."""
        ...

    def get_tuple_element(self, tuple_data: XlaOp, index: int) -> XlaOp:
        """A part of a tuple."""
        ...

    def part(self, operand: XlaOp, parts: Sequence[Part]) -> XlaOp:
        """Adds the instructions of ``handle[...]``, and returns their result."""
        ...


class XlaOp:
    """The result of an instruction of a builder.

    Arithmetic, comparison and bit operators are the builder's methods of that meaning; a number on
    one side becomes a constant of the other side's type. ``x[1:3]`` slices arrays, ``t[0]`` is a
    part of a tuple. ``==`` compares handles, not values: use ``builder.eq``.

    Attributes:
        builder: Where the instruction stands.
        name: Its name there.
    """

    __slots__ = ("builder", "name")
    __array_ufunc__ = None  # an array on the left leaves the operator to the handle

    def __init__(self, builder: Any, name: str) -> None:
        self.builder: Operations = builder
        self.name = name

    @property
    def shape(self) -> Shape:
        """The shape of the result."""
        return self.builder.shape(self)

    def __repr__(self) -> str:
        return f"<XlaOp {self.name}: {self.shape}>"

    def __bool__(self) -> NoReturn:
        message = "a handle has no value while the program is built: use select or conditional"
        raise ArgumentTypeError(message)

    def __getitem__(self, index: Part | tuple[Part, ...]) -> XlaOp:
        if self.shape.is_tuple and isinstance(index, int):
            count = len(self.shape.elements)
            return self.builder.get_tuple_element(self, index + count if index < 0 else index)
        return self.builder.part(self, index if isinstance(index, tuple) else (index,))

    def __iter__(self) -> Iterator[XlaOp]:
        if not self.shape.is_tuple:
            raise ArgumentTypeError(f"only tuples have parts to iterate over, not {self.shape}")
        return (self[index] for index in range(len(self.shape.elements)))

    def __neg__(self) -> XlaOp:
        return self.builder.operator("neg", self)

    def __pos__(self) -> XlaOp:
        return self

    def __abs__(self) -> XlaOp:
        return self.builder.operator("abs", self)

    def __invert__(self) -> XlaOp:
        return self.builder.operator("not_", self)

    def __add__(self, other: object) -> XlaOp:
        return self.builder.operator("add", self, other)

    def __radd__(self, other: object) -> XlaOp:
        return self.builder.operator("add", other, self)

    def __sub__(self, other: object) -> XlaOp:
        return self.builder.operator("sub", self, other)

    def __rsub__(self, other: object) -> XlaOp:
        return self.builder.operator("sub", other, self)

    def __mul__(self, other: object) -> XlaOp:
        return self.builder.operator("mul", self, other)

    def __rmul__(self, other: object) -> XlaOp:
        return self.builder.operator("mul", other, self)

    def __truediv__(self, other: object) -> XlaOp:
        return self.builder.operator("div", self, other)

    def __rtruediv__(self, other: object) -> XlaOp:
        return self.builder.operator("div", other, self)

    def __pow__(self, other: object) -> XlaOp:
        return self.builder.operator("pow", self, other)

    def __rpow__(self, other: object) -> XlaOp:
        return self.builder.operator("pow", other, self)

    def __matmul__(self, other: object) -> XlaOp:
        return self.builder.operator("dot", self, other)

    def __rmatmul__(self, other: object) -> XlaOp:
        return self.builder.operator("dot", other, self)

    def __and__(self, other: object) -> XlaOp:
        return self.builder.operator("and_", self, other)

    def __rand__(self, other: object) -> XlaOp:
        return self.builder.operator("and_", other, self)

    def __or__(self, other: object) -> XlaOp:
        return self.builder.operator("or_", self, other)

    def __ror__(self, other: object) -> XlaOp:
        return self.builder.operator("or_", other, self)

    def __xor__(self, other: object) -> XlaOp:
        return self.builder.operator("xor", self, other)

    def __rxor__(self, other: object) -> XlaOp:
        return self.builder.operator("xor", other, self)

    def __lshift__(self, other: object) -> XlaOp:
        return self.builder.operator("shift_left", self, other)

    def __rshift__(self, other: object) -> XlaOp:
        return self.builder.operator(">>", self, other)

    def __lt__(self, other: object) -> XlaOp:
        return self.builder.operator("lt", self, other)

    def __le__(self, other: object) -> XlaOp:
        return self.builder.operator("le", self, other)

    def __gt__(self, other: object) -> XlaOp:
        return self.builder.operator("gt", self, other)

    def __ge__(self, other: object) -> XlaOp:
        return self.builder.operator("ge", self, other)
