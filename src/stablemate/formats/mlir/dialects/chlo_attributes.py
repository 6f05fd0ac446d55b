"""Reads the attributes of CHLO.

Source: CHLO dialect; spelled as upstream prints them.
"""

from __future__ import annotations

from typing import Final

from stablemate.dialects.chlo import attributes as chlo
from stablemate.formats.mlir.attribute_reader import AttributeReader, DialectAttributeReader
from stablemate.formats.mlir.dialects.stablehlo_attributes import (
    bracketed_enumerations,
    integer_fields,
)
from stablemate.formats.mlir.literal_reader import LiteralElement
from stablemate.ir.attributes import FloatAttribute
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import ComplexType, FloatType


def read_complex_number(reader: AttributeReader) -> Attribute:
    """``#complex.number<:f32 1.0, 2.0> : complex<f32>``, the type after it optional."""
    start = reader.start
    reader.expect("<")
    reader.expect(":")
    place = reader.start
    part = reader.type()
    if not isinstance(part, FloatType):
        reader.error("expected a floating-point type", (place, reader.previous_end))
    real = read_part(reader, part)
    reader.expect(",")
    number = chlo.ComplexNumber(real, read_part(reader, part))
    reader.expect(">")
    if reader.accept(":") and reader.type() != ComplexType(part):
        reader.error(f"expected {ComplexType(part)}", (start, reader.previous_end))
    return number


def read_part(reader: AttributeReader, part: FloatType) -> FloatAttribute:
    """Reads a float without its type."""
    start = reader.start
    negative = reader.accept("-")
    item = LiteralElement(reader.kind, negative, reader.token, (start, reader.end))
    reader.advance()
    bits = int.from_bytes(reader.literals.float_number(item, part).tobytes(), "little")
    return FloatAttribute(bits, part)


ATTRIBUTES: Final[dict[str, DialectAttributeReader]] = {
    "#chlo": bracketed_enumerations(chlo.ENUMERATIONS),
    "#chlo.ragged_dot": integer_fields(chlo.RaggedDotDimensionNumbers),
    "#complex.number": read_complex_number,
}
