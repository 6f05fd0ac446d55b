"""Types of VHLO, with the version of StableHLO that introduced each.

Source: StableHLO, VHLO types; their spellings are upstream's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.vhlo.versions import MINIMUM, Version
from stablemate.ir.types import DYNAMIC, Attribute, DialectType, Type
from stablemate.numerics.float_text import format_float


class VhloAttribute(Attribute):
    """Base of all attributes of VHLO, enumerations aside."""

    SINCE: ClassVar[Version] = MINIMUM

    @property
    def since(self) -> Version:
        """The first version that has it."""
        return self.SINCE

    def parts(self) -> Iterable[Type | Attribute]:
        """The types and attributes that it contains, those that have versions of their own.

        Upstream does not check the axes of a mesh.
        """
        return ()


@dataclass(frozen=True)
class TypeExtensionsV1(VhloAttribute):
    """``#vhlo.type_extensions_v1<bounds = [16, ?]>``: the encoding of a tensor with bounds."""

    bounds: tuple[int, ...]

    def __str__(self) -> str:
        bounds = ", ".join("?" if bound == DYNAMIC else str(bound) for bound in self.bounds)
        return f"#vhlo.type_extensions_v1<bounds = [{bounds}]>"


class VhloType(DialectType):
    """Base of all types of VHLO."""

    SINCE: ClassVar[Version] = MINIMUM

    @property
    def since(self) -> Version:
        """The first version that has it."""
        return self.SINCE

    def parts(self) -> Iterable[Type | Attribute]:
        """The types and attributes that it contains, those that have versions of their own.

        Upstream checks neither the storage and expressed types of per-axis quantized types, nor
        the types in a future.
        """
        return ()


@dataclass(frozen=True)
class PlainV1Type(VhloType):
    """``!vhlo.f32_v1``: a type without parameters, by its name."""

    name: str

    @property
    def since(self) -> Version:
        """The first version that has it."""
        return PLAIN_TYPES[self.name]

    def __str__(self) -> str:
        return f"!vhlo.{SPELLINGS.get(self.name, self.name)}_v1"


PLAIN_TYPES: Final[Mapping[str, Version]] = {
    **dict.fromkeys(
        (
            *("bool", "index", "i4", "i8", "i16", "i32", "i64", "ui4", "ui8", "ui16", "ui32"),
            *("ui64", "bf16", "f16", "f32", "f64", "f8E4M3FN", "f8E5M2", "token", "witness"),
        ),
        MINIMUM,
    ),
    "f8E4M3FNUZ": Version(0, 10, 0),
    "f8E5M2FNUZ": Version(0, 10, 0),
    "f8E4M3B11FNUZ": Version(0, 11, 0),
    "i2": Version(1, 2, 0),
    "ui2": Version(1, 2, 0),
    "none": Version(1, 6, 0),
    "tf32": Version(1, 6, 0),
    "f8E4M3": Version(1, 7, 0),
    "f8E3M4": Version(1, 7, 0),
    "f4E2M1FN": Version(1, 8, 0),
    "f6E2M3FN": Version(1, 8, 0),
    "f6E3M2FN": Version(1, 8, 0),
    "f8E8M0FNU": Version(1, 8, 0),
}
SPELLINGS: Final = {"tf32": "tf31"}  # upstream's misspelling, which its own reader requires


def types_text(types: Sequence[Type]) -> str:
    """``A, B``."""
    return ", ".join(map(str, types))


def shape_text(shape: Sequence[int]) -> str:
    """``2x?x``."""
    return "".join("?x" if size == DYNAMIC else f"{size}x" for size in shape)


@dataclass(frozen=True)
class ComplexV1Type(VhloType):
    """``!vhlo.complex_v1<T>``."""

    element: Type

    def parts(self) -> Iterable[Type | Attribute]:
        """The element type, a type of VHLO itself."""
        return (self.element,)

    def __str__(self) -> str:
        return f"!vhlo.complex_v1<{self.element}>"


@dataclass(frozen=True)
class FunctionV1Type(VhloType):
    """``!vhlo.func_v1<(A, B) -> C, D>``; an empty list is ``()``."""

    inputs: tuple[Type, ...]
    outputs: tuple[Type, ...]

    def parts(self) -> Iterable[Type | Attribute]:
        """Types of arguments and results."""
        return (*self.inputs, *self.outputs)

    def __str__(self) -> str:
        inputs = types_text(self.inputs) or "()"
        return f"!vhlo.func_v1<({inputs}) -> {types_text(self.outputs) or '()'}>"


@dataclass(frozen=True)
class TensorV1Type(VhloType):
    """``!vhlo.tensor_v1<2x?xT, encoding>``."""

    shape: tuple[int, ...]
    element: Type
    encoding: Attribute | None = None

    def parts(self) -> Iterable[Type | Attribute]:
        """The element type, and the encoding if there is one."""
        return (self.element,) if self.encoding is None else (self.element, self.encoding)

    def __str__(self) -> str:
        encoding = "" if self.encoding is None else f", {self.encoding}"
        return f"!vhlo.tensor_v1<{shape_text(self.shape)}{self.element}{encoding}>"


@dataclass(frozen=True)
class UnrankedTensorV1Type(VhloType):
    """``!vhlo.unranked_tensor_v1<T>``."""

    element: Type

    def parts(self) -> Iterable[Type | Attribute]:
        """The element type, a type of VHLO itself."""
        return (self.element,)

    def __str__(self) -> str:
        return f"!vhlo.unranked_tensor_v1<{self.element}>"


@dataclass(frozen=True)
class BufferV1Type(VhloType):
    """``!vhlo.buffer_v1<2xT>``."""

    SINCE: ClassVar[Version] = Version(1, 13, 0)
    shape: tuple[int, ...]
    element: Type

    def parts(self) -> Iterable[Type | Attribute]:
        """The element type, a type of VHLO itself."""
        return (self.element,)

    def __str__(self) -> str:
        return f"!vhlo.buffer_v1<{shape_text(self.shape)}{self.element}>"


@dataclass(frozen=True)
class TupleV1Type(VhloType):
    """``!vhlo.tuple_v1<A, B>``."""

    types: tuple[Type, ...]

    def parts(self) -> Iterable[Type | Attribute]:
        """The types of its elements."""
        return self.types

    def __str__(self) -> str:
        return f"!vhlo.tuple_v1<{types_text(self.types)}>"


@dataclass(frozen=True)
class FutureV1Type(VhloType):
    """``!vhlo.future_v1<A, B>``."""

    SINCE: ClassVar[Version] = Version(1, 15, 0)
    types: tuple[Type, ...]

    def __str__(self) -> str:
        return f"!vhlo.future_v1<{types_text(self.types)}>"


@dataclass(frozen=True)
class QuantizedV1Type(VhloType):
    """``!vhlo.quant_v1<storage:expressed, scale:zero point, min:max, flags>``.

    Attributes:
        storage: The type of stored values.
        expressed: The type that it represents.
        scale: The scale.
        zero_point: The zero point.
        minimum: Smallest stored value that is used.
        maximum: Largest stored value that is used.
        flags: 1 if the storage is signed.
    """

    storage: Type
    expressed: Type
    scale: float
    zero_point: int
    minimum: int
    maximum: int
    flags: int

    def parts(self) -> Iterable[Type | Attribute]:
        """The storage type and the expressed type."""
        return (self.storage, self.expressed)

    def __str__(self) -> str:
        return (
            f"!vhlo.quant_v1<{self.storage}:{self.expressed}, {scale_text(self.scale)}:"
            f"{self.zero_point}, {self.minimum}:{self.maximum}, {self.flags}>"
        )


@dataclass(frozen=True)
class QuantizedPerAxisV1Type(VhloType):
    """``!vhlo.quant_per_axis_v1<storage:expressed, axis, [scales], [zero points], ...>``.

    Attributes:
        storage: The type of stored values.
        expressed: The type that it represents.
        axis: The dimension whose slices have a scale each.
        scales: The scales.
        zero_points: The zero points.
        minimum: Smallest stored value that is used.
        maximum: Largest stored value that is used.
        flags: 1 if the storage is signed.
    """

    SINCE: ClassVar[Version] = Version(0, 18, 0)
    storage: Type
    expressed: Type
    axis: int
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    minimum: int
    maximum: int
    flags: int

    def __str__(self) -> str:
        scales = ", ".join(map(scale_text, self.scales))
        zero_points = ", ".join(map(str, self.zero_points))
        return (
            f"!vhlo.quant_per_axis_v1<{self.storage}:{self.expressed}, {self.axis}, [{scales}], "
            f"[{zero_points}], {self.minimum}:{self.maximum}, {self.flags}>"
        )


def scale_text(scale: float) -> str:
    """The text of a scale."""
    return format_float(scale, np.float64)


TOKEN: Final = PlainV1Type("token")
NONE: Final = PlainV1Type("none")
WITNESS: Final = PlainV1Type("witness")
I64: Final = PlainV1Type("i64")
