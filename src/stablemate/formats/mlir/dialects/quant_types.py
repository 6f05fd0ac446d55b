"""Reads the types of quantized elements.

Source: MLIR quant dialect; StableHLO specification, "Quantized types".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import numpy as np

from stablemate.formats.mlir.type_reader import TypeReader
from stablemate.ir.type_rules import broken_rule
from stablemate.ir.types import Type
from stablemate.numerics.elements import (
    FLOATS_WITHOUT_STORAGE,
    AnyQuantizedType,
    CalibratedType,
    FloatType,
    IntegerType,
    QuantizedType,
    storage_range,
)

TypeReaderFunction: TypeAlias = Callable[[TypeReader], Type]

RULES_OF_SCALES: Final = frozenset(f"quantized element type C{number}" for number in (4, 5, 6))
UNSIGNED_USE: Final = re.compile(r"u[1-9][0-9]{0,6}")


def read_quantized(reader: TypeReader) -> Type:
    """``!quant.uniform<i8:f32, 0.5:1>``, per axis and sub-channel forms alike."""
    start = reader.previous_end - len("!quant.uniform")
    reader.expect("<")
    storage, (minimum, maximum), by_type = read_storage(reader)
    reader.expect(":")
    expressed = read_expressed(reader)
    axis, blocks = read_granularity(reader)
    reader.expect(",")
    scales: list[float] = []
    zero_points: list[int] = []
    places: list[int] = []
    if blocks is not None and not reader.at("{"):
        reader.reject_unexpected("'{'")
    shape = read_parameters(reader, scales, zero_points, places)
    reader.expect(">")
    if (axis is not None) != (len(shape) == 1) and blocks is None:
        message = "braces belong to scales along a dimension"
        reader.error(message, (start, reader.previous_end), rule="quantized element type C10")
    quantized_type = QuantizedType(
        storage, expressed, tuple(scales if blocks is None else round_scales(scales, expressed)),
        tuple(zero_points), minimum, maximum, axis, blocks or (),
        () if blocks is None else shape, by_type,
    )  # fmt: skip
    return reader.check_type(quantized_type, place_of_wrong_scale(quantized_type, places) or start)


def place_of_wrong_scale(element: QuantizedType, places: Sequence[int]) -> int | None:
    """The place after the first scale that breaks a rule, where MLIR's reader checks it."""
    broken = broken_rule(element)
    if broken is None or broken[0].label not in RULES_OF_SCALES:
        return None
    low, high = element.storage_min, element.storage_max
    scaled = (
        QuantizedType(element.storage, element.expressed, (scale,), (int(low),), low, high)
        for scale in element.scales
    )
    return next((place for x, place in zip(scaled, places, strict=False) if broken_rule(x)), None)


def round_scales(scales: Sequence[float], expressed: FloatType) -> Sequence[float]:
    """The scales of blocks as numbers of the expressed type, in which MLIR stores them."""
    if not expressed.has_storage:
        return scales
    with np.errstate(over="ignore"):
        numbers: list[float] = np.array(scales).astype(expressed.dtype).astype(np.float64).tolist()
    return numbers


def read_any_quantized(reader: TypeReader) -> Type:
    """``!quant.any<i8:f32>``; the expressed type may be missing."""
    start = reader.previous_end - len("!quant.any")
    reader.expect("<")
    storage, (minimum, maximum), by_type = read_storage(reader)
    expressed = read_expressed(reader) if reader.accept(":") else None
    reader.expect(">")
    any_quantized_type = AnyQuantizedType(storage, expressed, minimum, maximum, by_type)
    return reader.check_type(any_quantized_type, start)


def read_calibrated(reader: TypeReader) -> Type:
    """``!quant.calibrated<f32<-1.0:1.0>>``."""
    start = reader.previous_end - len("!quant.calibrated")
    reader.expect("<")
    expressed = read_expressed(reader)
    reader.expect("<")
    minimum = read_scale(reader)
    reader.expect(":")
    maximum = read_scale(reader)
    reader.expect(">")
    reader.expect(">")
    return reader.check_type(CalibratedType(expressed, minimum, maximum), start)


def read_expressed(reader: TypeReader) -> FloatType:
    """Reads the expressed type of a quantized type."""
    start = reader.start
    expressed = reader.type()
    if not isinstance(expressed, FloatType):
        reader.error("expected a floating-point type", (start, reader.previous_end))
    return expressed


def read_storage(
    reader: TypeReader,
) -> tuple[IntegerType | FloatType, tuple[int | float, int | float], bool]:
    """Reads ``i8``, ``u8`` (unsigned use of i8), ``ui8`` or a narrow float, with a range.

    Returns:
        The storage type, the smallest and the largest stored value, and whether an unsigned type is
        spelled as one.
    """
    name, start = reader.token, reader.start
    storage: Type
    if UNSIGNED_USE.fullmatch(name):
        reader.advance()
        storage, by_type = IntegerType(int(name[1:]), "unsigned"), False
    elif not reader.at_type():
        reader.keyword_here("a storage type")
        reader.error("expected a storage type before this")
    else:
        storage = reader.type()
        by_type = isinstance(storage, IntegerType) and storage.signedness == "unsigned"
    if not isinstance(storage, IntegerType | FloatType) or str(storage) in FLOATS_WITHOUT_STORAGE:
        reader.error("expected a storage type", (start, reader.previous_end))
    stored = storage_range(storage)
    if reader.accept("<"):
        stored = read_range(reader, storage, stored)
        reader.expect(">")
    return storage, stored, by_type


def read_range(
    reader: TypeReader, storage: IntegerType | FloatType, limits: tuple[int | float, int | float]
) -> tuple[int | float, int | float]:
    """Reads ``-7:7``; a number beyond the limits of the storage type is reported where it is."""
    places = [reader.start]
    minimum = reader.integer_or_boolean()
    reader.expect(":")
    places.append(reader.start)
    maximum = reader.integer_or_boolean()
    wrong = (minimum < limits[0], maximum > limits[1])
    if any(wrong):
        place = places[wrong.index(True)]
        reader.check_type(AnyQuantizedType(storage, None, minimum, maximum), place)
    return minimum, maximum


def read_scale(reader: TypeReader) -> float:
    """Reads a number with a decimal point, or the bits of one."""
    sign = -1.0 if reader.accept("-") else 1.0
    if reader.kind == "integer" and reader.token.startswith("0x"):
        bits = reader.integer_or_boolean()
        if bits >= 1 << 64:
            reader.error("a scale has 64 bits")
        return float(np.uint64(bits).view(np.float64))
    if reader.kind != "float":
        message = f"expected a scale such as 1.0, found {reader.found}"
        reader.error(message, (reader.start, reader.end))
    return sign * float(reader.take("float", "a scale"))


def read_granularity(reader: TypeReader) -> tuple[int | None, tuple[tuple[int, int], ...] | None]:
    """Reads what follows the expressed type: nothing, ``:axis``, or ``:{axis:block, ...}``."""
    if not reader.accept(":"):
        return None, None
    if not reader.at("{"):
        return reader.integer_or_boolean("a dimension"), None

    def block() -> tuple[int, int]:
        dimension = reader.integer_or_boolean("a dimension")
        reader.expect(":")
        return dimension, reader.integer_or_boolean("a block size")

    return None, tuple(reader.read_enclosed("{", block))


def read_parameters(
    reader: TypeReader, scales: list[float], zero_points: list[int], places: list[int]
) -> tuple[int, ...]:
    """Reads scales, what is after each, and zero points; returns the shape of the nested braces."""
    if not reader.at("{"):
        scales.append(read_scale(reader))
        places.append(reader.start)
        zero_points.append(reader.integer_or_boolean("a zero point") if reader.accept(":") else 0)
        return ()
    start = reader.start
    reader.enter()
    shapes = reader.read_enclosed("{", lambda: read_parameters(reader, scales, zero_points, places))
    reader.leave()
    if not shapes or len(set(shapes)) > 1:
        reader.error("expected scales in a regular shape", (start, reader.previous_end))
    return (len(shapes), *shapes[0])


TYPES: Final[dict[str, TypeReaderFunction]] = {
    "!quant.uniform": read_quantized,
    "!quant.any": read_any_quantized,
    "!quant.calibrated": read_calibrated,
}
