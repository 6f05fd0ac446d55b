"""Element types of tensors, and their NumPy storage.

Source: StableHLO specification, "Types"; the spellings are MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from stablemate.deferred_dataclasses import dataclass
from stablemate.fork_safety import cached_property
from stablemate.numerics.float_text import format_float

if TYPE_CHECKING:
    import ml_dtypes

Array: TypeAlias = NDArray[Any]
DType: TypeAlias = np.dtype[np.generic]
OF_ML_DTYPES: Final = 2  # ``isbuiltin`` of types that NumPy does not know itself

Signedness = Literal["signless", "signed", "unsigned"]

INTEGER_PREFIXES: Final[dict[Signedness, str]] = {"signless": "i", "signed": "si", "unsigned": "ui"}
# The names of NumPy's types, or else of those of ml_dtypes.
SUB_BYTE_INTEGERS: Final = {
    (True, 2): "int2",
    (True, 4): "int4",
    (False, 1): "uint1",  # since ml_dtypes 0.6
    (False, 2): "uint2",
    (False, 4): "uint4",
}
FLOAT_STORAGE: Final = {
    "f64": "float64",
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "f8E5M2": "float8_e5m2",
    "f8E4M3": "float8_e4m3",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E3M4": "float8_e3m4",
    "f8E8M0FNU": "float8_e8m0fnu",
    "f4E2M1FN": "float4_e2m1fn",
    "f6E2M3FN": "float6_e2m3fn",
    "f6E3M2FN": "float6_e3m2fn",
}
# Read and printed as MLIR does; no operation of StableHLO takes them.
FLOATS_WITHOUT_STORAGE: Final = {
    "tf32": (19, 11),
    "f80": (80, 64),
    "f128": (128, 113),
}  # (bits, precision)


MOST_DIMENSIONS: Final = 64  # of an array of NumPy


class StorageError(TypeError):
    """An element type that no array can hold."""


def storage(name: str) -> DType | None:
    """The type of this name of NumPy, or else of ml_dtypes; None if neither has it.

    Version 0.7 of ml_dtypes takes half a second to be imported: few programs need it.
    """
    scalar = getattr(np, name, None)
    if scalar is None:
        import ml_dtypes

        scalar = getattr(ml_dtypes, name, None)
    return None if scalar is None else np.dtype(scalar)


def float_info(dtype: DType) -> ml_dtypes.finfo:
    """The limits of a floating-point type of NumPy or ml_dtypes."""
    if dtype.isbuiltin != OF_ML_DTYPES:
        return cast("ml_dtypes.finfo", np.finfo(dtype.name))  # which has the same attributes
    import ml_dtypes

    return ml_dtypes.finfo(dtype)


@dataclass(frozen=True)
class IntegerType:
    """``iN`` (two's complement; ``i1`` is the boolean type), ``siN`` or ``uiN``."""

    width: int
    signedness: Signedness = "signless"

    def __str__(self) -> str:
        return f"{INTEGER_PREFIXES[self.signedness]}{self.width}"

    @property
    def is_boolean(self) -> bool:
        """Whether this is ``i1``, of which one bit counts."""
        return self.width == 1 and self.signedness == "signless"

    @property
    def is_unsigned(self) -> bool:
        """Whether values start at zero: ``uiN``, and ``i1``."""
        return self.signedness == "unsigned" or self.is_boolean

    @property
    def bits(self) -> int:
        """The width of a value in bits."""
        return self.width

    @property
    def minimum(self) -> int:
        """The smallest value: 0, or -2^(width - 1)."""
        return 0 if self.is_unsigned or not self.width else -(1 << (self.width - 1))

    @property
    def maximum(self) -> int:
        """The largest value: 2^width - 1, or 2^(width - 1) - 1."""
        bits = self.width if self.is_unsigned else max(self.width - 1, 0)
        return (1 << bits) - 1

    def wrap(self, value: int) -> int:
        """The value modulo 2^width, in the range of the type."""
        low = value & ((1 << self.width) - 1)
        return low if low <= self.maximum else low - (1 << self.width)

    @cached_property
    def dtype(self) -> DType:
        """NumPy's type for arrays of it."""
        if self.is_boolean:
            return np.dtype(np.bool_)
        if self.width in (8, 16, 32, 64):
            return np.dtype(f"{'uint' if self.is_unsigned else 'int'}{self.width}")
        name = SUB_BYTE_INTEGERS.get((not self.is_unsigned, self.width))
        dtype = None if name is None else storage(name)
        if dtype is None:
            raise StorageError(f"no array holds elements of type {self}")
        return dtype


@dataclass(frozen=True)
class FloatType:
    """A floating-point format, by its MLIR name."""

    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def has_storage(self) -> bool:
        """Whether NumPy (with ml_dtypes) has a type for it."""
        return self.name in FLOAT_STORAGE

    @cached_property
    def dtype(self) -> DType:
        """NumPy's type for arrays of it."""
        dtype = storage(FLOAT_STORAGE[self.name]) if self.has_storage else None
        if dtype is None:
            raise StorageError(f"no array holds elements of type {self}")
        return dtype

    @cached_property
    def bits(self) -> int:
        """The width of a value in bits."""
        if self.name in FLOATS_WITHOUT_STORAGE:
            return FLOATS_WITHOUT_STORAGE[self.name][0]
        return int(float_info(self.dtype).bits)

    @cached_property
    def precision(self) -> int:
        """Bits of the significand, the hidden one included."""
        if self.name in FLOATS_WITHOUT_STORAGE:
            return FLOATS_WITHOUT_STORAGE[self.name][1]
        return int(float_info(self.dtype).nmant) + 1


@dataclass(frozen=True)
class IndexType:
    """``index``: an integer as wide as an address, here 64 bits."""

    width: int = 64
    bits: int = 64
    minimum: int = -(1 << 63)
    maximum: int = (1 << 63) - 1
    is_boolean: bool = False
    is_unsigned: bool = False

    def __str__(self) -> str:
        return "index"

    def wrap(self, value: int) -> int:
        """The value modulo 2^64, in the range of the type."""
        return IntegerType(64).wrap(value)

    @property
    def dtype(self) -> DType:
        """NumPy's type for arrays of it."""
        return np.dtype(np.int64)


@dataclass(frozen=True)
class ComplexType:
    """``complex<element>``."""

    element: FloatType | IntegerType

    def __str__(self) -> str:
        return f"complex<{self.element}>"

    @property
    def bits(self) -> int:
        """Bits of a value, both parts together."""
        return 2 * self.element.bits

    @cached_property
    def dtype(self) -> DType:
        """NumPy's type for arrays of it."""
        match str(self.element):
            case "f32":
                return np.dtype(np.complex64)
            case "f64":
                return np.dtype(np.complex128)
            case _:
                raise StorageError(f"no array holds elements of type {self}")


@dataclass(frozen=True)
class QuantizedType:
    """``!quant.uniform``: a stored number q that represents ``(q - zero_point) * scale``.

    Attributes:
        storage: The type of stored values.
        expressed: The type that it represents.
        scales: One scale per tensor, or one per slice or block, in row-major order of the blocks.
        zero_points: As many as scales.
        storage_min: Smallest stored value that is used.
        storage_max: Largest stored value that is used.
        quantization_dimension: The dimension whose slices have a scale each; None per tensor.
        blocks: For sub-channel quantization, (dimension, block size) pairs.
        block_shape: For sub-channel quantization, the shape of the tensor of scales.
        unsigned_by_type: Whether unsigned storage is spelled as a type, ``ui8``, and not as an
            unsigned use of ``i8``, ``u8``. Only the text differs.
    """

    storage: IntegerType | FloatType
    expressed: FloatType
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    storage_min: int | float
    storage_max: int | float
    quantization_dimension: int | None = None
    blocks: tuple[tuple[int, int], ...] = ()
    block_shape: tuple[int, ...] = ()
    unsigned_by_type: bool = False

    def __hash__(self) -> int:
        return self.hash_value

    @cached_property
    def hash_value(self) -> int:
        """The hash, cached because a type may hold many numbers."""
        return hash((self.storage, self.expressed, self.scales, self.zero_points, self.blocks))

    @property
    def declared_storage(self) -> IntegerType | FloatType:
        """The storage type in MLIR and in literals of stored values: ``i8`` for ``u8``."""
        if self.unsigned_by_type or not isinstance(self.storage, IntegerType):
            return self.storage
        return IntegerType(self.storage.width) if self.storage.is_unsigned else self.storage

    @property
    def bits(self) -> int:
        """Bits of a stored value."""
        return self.storage.bits

    @property
    def dtype(self) -> DType:
        """NumPy's type for arrays of stored values."""
        return self.storage.dtype

    @property
    def is_per_axis(self) -> bool:
        """Whether slices along a dimension have a scale each."""
        return self.quantization_dimension is not None

    @property
    def is_sub_channel(self) -> bool:
        """Whether blocks have a scale each."""
        return bool(self.block_shape)

    @property
    def is_per_tensor(self) -> bool:
        """Whether one scale serves the whole tensor."""
        return not self.is_per_axis and not self.is_sub_channel

    def __str__(self) -> str:
        stored = (self.storage_min, self.storage_max)
        storage = storage_text(self.storage, stored, unsigned_by_type=self.unsigned_by_type)
        head = f"!quant.uniform<{storage}:{self.expressed}"
        # MLIR stores the scales of blocks in the expressed type, other scales as f64.
        in_expressed = self.block_shape and self.expressed.has_storage
        scale_type = self.expressed.dtype if in_expressed else np.dtype(np.float64)
        parameters = [
            format_float(scale, scale_type) + (f":{zero_point}" if zero_point else "")
            for scale, zero_point in zip(self.scales, self.zero_points, strict=True)
        ]
        if self.block_shape:
            blocks = ", ".join(f"{dimension}:{size}" for dimension, size in self.blocks)
            return f"{head}:{{{blocks}}}, {nested_items(parameters, self.block_shape)}>"
        if self.quantization_dimension is not None:
            return f"{head}:{self.quantization_dimension}, {{{','.join(parameters)}}}>"
        return f"{head}, {parameters[0]}>"


@dataclass(frozen=True)
class AnyQuantizedType:
    """``!quant.any``: quantized with unknown parameters; no operation computes with it.

    Attributes:
        storage: The type of stored values.
        expressed: The type that it represents, if known.
        storage_min: Smallest stored value that is used.
        storage_max: Largest stored value that is used.
        unsigned_by_type: As in QuantizedType.
    """

    storage: IntegerType | FloatType
    expressed: FloatType | None
    storage_min: int | float
    storage_max: int | float
    unsigned_by_type: bool = False

    def __str__(self) -> str:
        stored = (self.storage_min, self.storage_max)
        storage = storage_text(self.storage, stored, unsigned_by_type=self.unsigned_by_type)
        return f"!quant.any<{storage}{'' if self.expressed is None else f':{self.expressed}'}>"


@dataclass(frozen=True)
class CalibratedType:
    """``!quant.calibrated``: floats of a known range; no operation computes with it.

    Attributes:
        expressed: What an element is.
        minimum: Smallest value.
        maximum: Largest value.
    """

    expressed: FloatType
    minimum: float
    maximum: float

    def __str__(self) -> str:
        low, high = (format_float(end, np.float64) for end in (self.minimum, self.maximum))
        return f"!quant.calibrated<{self.expressed}<{low}:{high}>>"


ElementType: TypeAlias = IntegerType | FloatType | IndexType | ComplexType | QuantizedType


def nested_items(items: Sequence[str], shape: Sequence[int]) -> str:
    """The items in nested braces that follow the shape."""
    if not shape:
        return items[0]
    step = len(items) // max(shape[0], 1)
    parts = (nested_items(items[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0]))
    return "{" + ", ".join(parts) + "}"


def storage_text(
    storage: IntegerType | FloatType,
    stored: tuple[int | float, int | float],
    *,
    unsigned_by_type: bool,
) -> str:
    """The storage in quantized types: its range is spelled only if it is not the type's."""
    text = str(storage)
    if isinstance(storage, IntegerType) and storage.signedness == "unsigned":
        text = text if unsigned_by_type else f"u{storage.width}"
    if stored != storage_range(storage):
        text += f"<{int(stored[0])}:{int(stored[1])}>"
    return text


def storage_range(storage: IntegerType | FloatType) -> tuple[int | float, int | float]:
    """Smallest and largest value of a storage type."""
    if isinstance(storage, IntegerType):
        return storage.minimum, storage.maximum
    info = float_info(storage.dtype)
    return float(info.min), float(info.max)


BOOLEAN: Final = IntegerType(1)
I2, I4, I8, I16, I32, I64 = (IntegerType(width) for width in (2, 4, 8, 16, 32, 64))
UI2, UI4, UI8, UI16, UI32, UI64 = (
    IntegerType(width, "unsigned") for width in (2, 4, 8, 16, 32, 64)
)
F16, BF16, F32, F64 = (FloatType(name) for name in ("f16", "bf16", "f32", "f64"))
COMPLEX64: Final = ComplexType(F32)
COMPLEX128: Final = ComplexType(F64)
INDEX: Final = IndexType()

WIDTHS: Final = (2, 4, 8, 16, 32, 64)
NAMED_ELEMENTS: Final[tuple[ElementType, ...]] = (
    INDEX,
    BOOLEAN,
    *(FloatType(name) for name in (*FLOAT_STORAGE, *FLOATS_WITHOUT_STORAGE)),
    *(IntegerType(width, sign) for sign in INTEGER_PREFIXES for width in WIDTHS),
)
SIMPLE_ELEMENTS: Final = {str(element): element for element in NAMED_ELEMENTS}
OF_NUMPY: Final = (
    "i1",
    "f64",
    "f32",
    "f16",
    *(f"{s}{n}" for s in ("i", "ui") for n in (8, 16, 32, 64)),
)


@lru_cache(maxsize=256)
def element_of_dtype(dtype: DType) -> ElementType | None:
    """The element type whose arrays have this NumPy type, if there is one."""
    simple = SIMPLE_ELEMENTS if dtype.isbuiltin == OF_ML_DTYPES else OF_NUMPY
    for element in (*map(SIMPLE_ELEMENTS.__getitem__, simple), COMPLEX64, COMPLEX128):
        try:
            if element is not INDEX and element.dtype == dtype:
                return element
        except StorageError:
            continue
    return None
