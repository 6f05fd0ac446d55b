"""Types of values: immutable, compared by value, spelled as MLIR spells them.

Source: StableHLO specification, "Types".
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.fork_safety import cached_property
from stablemate.numerics.elements import (
    AnyQuantizedType,
    CalibratedType,
    ElementType,
    IntegerType,
)

DYNAMIC: Final = -1  # the size of a dimension that is known only at run time
SYMBOLS: Final = re.compile(r"(?<=\))\[[^\]]*\]")  # of an affine map
DEFAULT_SPACE: Final = re.compile(r"0 : (?:[su]?i\d+|index)|false")


class Attribute:
    """Base of all attributes: constant data on an operation or a type, compared by value."""


@dataclass(frozen=True)
class BoundsAttribute(Attribute):
    """``#stablehlo.bounds<4, ?>``: bounds of dynamic dimensions, DYNAMIC where there is none."""

    bounds: tuple[int, ...]

    def __str__(self) -> str:
        sizes = ", ".join("?" if bound == DYNAMIC else str(bound) for bound in self.bounds)
        return f"#stablehlo.bounds<{sizes}>"


@dataclass(frozen=True)
class TensorType:
    """``tensor<2x?xf32>``, with bounds of dynamic dimensions as its encoding.

    Attributes:
        shape: Sizes of the dimensions; DYNAMIC for those known only at run time.
        element_type: What an element is.
        encoding: Any attribute; StableHLO knows bounds.
    """

    shape: tuple[int, ...]
    element_type: ElementType
    encoding: Attribute | None = None

    @property
    def rank(self) -> int:
        """The number of dimensions, 0 of a scalar."""
        return len(self.shape)

    @cached_property
    def is_static(self) -> bool:
        """Whether every dimension is known."""
        return DYNAMIC not in self.shape

    @cached_property
    def size(self) -> int:
        """Number of elements of a static tensor."""
        return math.prod(self.shape)

    @cached_property
    def bytes(self) -> int:
        """Bytes of a static tensor, each element in whole bytes."""
        return self.size * -(-self.element_type.bits // 8)

    @property
    def bounds(self) -> tuple[int, ...]:
        """Upper bound of each dimension, DYNAMIC where there is none; empty without bounds."""
        return self.encoding.bounds if isinstance(self.encoding, BoundsAttribute) else ()

    def with_shape(self, shape: Sequence[int]) -> TensorType:
        """A tensor of the same elements in another shape, without bounds."""
        return TensorType(tuple(shape), self.element_type)

    def with_element(self, element_type: ElementType) -> TensorType:
        """A tensor of the same shape and bounds with other elements."""
        return TensorType(self.shape, element_type, self.encoding)

    @cached_property
    def text(self) -> str:
        """The type as MLIR spells it."""
        dimensions = "".join("?x" if size == DYNAMIC else f"{size}x" for size in self.shape)
        encoding = "" if self.encoding is None else f", {self.encoding}"
        return f"tensor<{dimensions}{self.element_type}{encoding}>"

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class UnrankedTensorType:
    """``tensor<*xf32>``: a tensor of unknown rank, as shape computations of producers use it."""

    element_type: ElementType

    def __str__(self) -> str:
        return f"tensor<*x{self.element_type}>"

    def with_element(self, element_type: ElementType) -> UnrankedTensorType:
        """The same of another element type."""
        return UnrankedTensorType(element_type)


@dataclass(frozen=True)
class VectorType:
    """``vector<4x[8]xf32>``; ``scalable`` marks the sizes in brackets."""

    shape: tuple[int, ...]
    element_type: ElementType
    scalable: tuple[bool, ...]

    def __str__(self) -> str:
        sizes = zip(self.shape, self.scalable, strict=True)
        dimensions = "".join(f"[{size}]x" if scalable else f"{size}x" for size, scalable in sizes)
        return f"vector<{dimensions}{self.element_type}>"


@dataclass(frozen=True)
class MemRefType:
    """``memref<2x3xf32>``: a buffer. ``shape`` is None for unranked ones."""

    shape: tuple[int, ...] | None
    element_type: ElementType
    layout: Attribute | None = None
    memory_space: Attribute | None = None

    def __str__(self) -> str:
        if self.shape is None:
            dimensions = "*x"
        else:
            dimensions = "".join("?x" if size == DYNAMIC else f"{size}x" for size in self.shape)
        rest = "" if self.layout is None else f", {self.layout}"
        if self.memory_space is not None:
            rest += f", {self.memory_space}".removesuffix(" : i64")  # the type of most numbers
        return f"memref<{dimensions}{self.element_type}{rest}>"


def buffer_type(
    shape: tuple[int, ...] | None,
    element_type: ElementType,
    layout: Attribute | None = None,
    memory_space: Attribute | None = None,
) -> MemRefType:
    """The type of a buffer; the identity as layout and memory space 0 are left out, as in MLIR."""
    names = ", ".join(f"d{i}" for i in range(len(shape or ())))
    if layout is not None and SYMBOLS.sub("", str(layout)) == (
        f"affine_map<({names}) -> ({names})>"
    ):
        layout = None
    if memory_space is not None and DEFAULT_SPACE.fullmatch(str(memory_space)):
        memory_space = None
    return MemRefType(shape, element_type, layout, memory_space)


@dataclass(frozen=True)
class TokenType:
    """``!stablehlo.token``: orders effects, has no contents."""

    def __str__(self) -> str:
        return "!stablehlo.token"


@dataclass(frozen=True)
class FutureType:
    """``!stablehlo.future<...>``: results of an asynchronous operation."""

    types: tuple[Type, ...]

    def __str__(self) -> str:
        return f"!stablehlo.future<{', '.join(map(str, self.types))}>"


@dataclass(frozen=True)
class TupleType:
    """``tuple<...>``."""

    types: tuple[Type, ...]

    def __str__(self) -> str:
        return f"tuple<{', '.join(map(str, self.types))}>"


@dataclass(frozen=True)
class FunctionType:
    """``(inputs) -> results``."""

    inputs: tuple[Type, ...]
    results: tuple[Type, ...]

    def __str__(self) -> str:
        inputs = f"({', '.join(map(str, self.inputs))})"
        if len(self.results) == 1 and not isinstance(self.results[0], FunctionType):
            return f"{inputs} -> {self.results[0]}"
        return f"{inputs} -> ({', '.join(map(str, self.results))})"


@dataclass(frozen=True)
class NoneType:
    """``none``: a value without contents."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True)
class OpaqueType:
    """A type of another dialect, kept as text, e.g. ``!shape.shape``."""

    text: str

    def __str__(self) -> str:
        return self.text


class DialectType:
    """Base of the types that a dialect defines for itself: frozen, spelled by ``str``."""


Type: TypeAlias = (
    TensorType
    | UnrankedTensorType
    | VectorType
    | MemRefType
    | TokenType
    | FutureType
    | TupleType
    | FunctionType
    | NoneType
    | OpaqueType
    | DialectType
    | ElementType
    | AnyQuantizedType
    | CalibratedType
)

TOKEN: Final = TokenType()


def tensor(element_type: ElementType, *shape: int) -> TensorType:
    """``tensor<shape x element_type>``."""
    return TensorType(shape, element_type)


BOOLEAN_SCALAR: Final = TensorType((), IntegerType(1))
