"""Reads the attributes of VHLO.

Source: StableHLO, VHLO attributes; spelled as upstream prints them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING
from typing import Final

from stablemate.dialects.vhlo import attributes as vhlo
from stablemate.dialects.vhlo.conversion import NoCounterpart, builtin_number_type, to_vhlo
from stablemate.dialects.vhlo.types import PlainV1Type, TypeExtensionsV1
from stablemate.formats.mlir.attribute_reader import AttributeReader, DialectAttributeReader
from stablemate.formats.mlir.dialects.stablehlo_attributes import (
    FieldReader,
    bracketed_enumerations,
    read_bound,
    read_float,
    read_integer,
    read_integers,
    read_pairs,
)
from stablemate.ir.attributes import DenseElementsAttribute, FloatAttribute, IntegerAttribute
from stablemate.ir.kinds import EnumAttribute
from stablemate.ir.types import Attribute, Type
from stablemate.numerics.elements import I64, FloatType, IndexType, IntegerType


def in_angle_brackets(item: Callable[[AttributeReader], Attribute]) -> DialectAttributeReader:
    """Returns a reader of an attribute in angle brackets."""

    def read(reader: AttributeReader) -> Attribute:
        reader.expect("<")
        items = item(reader)
        reader.expect(">")
        return items

    return read


def structure(
    make: Callable[..., Attribute], fields: Mapping[str, FieldReader], *optional: str
) -> DialectAttributeReader:
    """Returns a reader of ``<key = value, ...>``; all keys but the optional ones are required."""

    def read(reader: AttributeReader) -> Attribute:
        start = reader.start
        reader.expect("<")
        values: dict[str, object] = read_pairs(reader, "this attribute", fields)
        reader.expect(">", "',' or '>'")
        for key in fields:
            if key not in values and key not in optional:
                reader.error(f"this attribute needs '{key}'", (start, reader.previous_end))
        return make(*(values.get(key) for key in fields))

    return read


def vhlo_type(reader: AttributeReader, declared_type: Type, start: int) -> Type:
    """Returns the VHLO type that a builtin type in the text stands for."""
    try:
        return to_vhlo(declared_type)
    except NoCounterpart as error:
        reader.error(str(error), (start, reader.previous_end))


def read_array(reader: AttributeReader) -> Attribute:
    """``[a, b]``."""
    return vhlo.ArrayV1(tuple(reader.read_enclosed("[", reader.attribute)))


def read_boolean(reader: AttributeReader) -> Attribute:
    """``true``."""
    return vhlo.BooleanV1(reader.boolean())


def read_dictionary(reader: AttributeReader) -> Attribute:
    """``{key = value, ...}``, in any order; keys are attributes."""

    def entry() -> tuple[Attribute, Attribute]:
        key = reader.attribute()
        reader.expect("=")
        return key, reader.attribute()

    return vhlo.DictionaryV1(tuple(reader.read_enclosed("{", entry)))


def read_float_attribute(reader: AttributeReader) -> Attribute:
    """``1.000000e+00 : !vhlo.f32_v1``."""
    item = reader.literals.item()
    reader.expect(":")
    start = reader.start
    value_type = reader.type()
    number_type = builtin_number_type(value_type)
    if not isinstance(value_type, PlainV1Type) or not isinstance(number_type, FloatType):
        reader.error("expected a floating-point type of VHLO", (start, reader.previous_end))
    number = reader.typed_number(item, number_type)
    assert isinstance(number, FloatAttribute)
    return vhlo.FloatV1(number.bits, value_type)


def read_integer_attribute(reader: AttributeReader) -> Attribute:
    """``1 : i64``; the type is a builtin one, ``i64`` if there is none."""
    item = reader.literals.item()
    start = reader.start
    number_type: Type = I64
    if reader.accept(":"):
        start = reader.start
        number_type = reader.type()
    if not isinstance(number_type, IntegerType | IndexType):
        reader.error("expected an integer type", (start, reader.previous_end))
    number = reader.typed_number(item, number_type)
    assert isinstance(number, IntegerAttribute)
    return vhlo.IntegerV1(number.value, vhlo_type(reader, number_type, start))


def read_string(reader: AttributeReader) -> Attribute:
    """``"x"``."""
    return vhlo.StringV1(reader.string())


def read_tensor(reader: AttributeReader) -> Attribute:
    """``dense<1> : tensor<2xi64>``."""
    start = reader.start
    elements = reader.attribute()
    if not isinstance(elements, DenseElementsAttribute):
        reader.error("expected a dense literal", (start, reader.previous_end))
    vhlo_type(reader, elements.type, start)
    return vhlo.TensorV1(elements)


def read_type(reader: AttributeReader) -> Attribute:
    """``!vhlo.f32_v1``."""
    return vhlo.TypeV1(reader.type())


def read_bounds(reader: AttributeReader) -> tuple[int, ...]:
    """``[16, ?]``."""
    return tuple(reader.read_enclosed("[", lambda: read_bound(reader)))


def read_attribute(reader: AttributeReader) -> Attribute:
    """Reads a field that is an attribute of any dialect."""
    return reader.attribute()


FIELD_READERS: Final[Mapping[str, FieldReader]] = {
    "int": read_integer,
    "float": read_float,
    "tuple[int, ...]": read_integers,
    "Attribute": read_attribute,
    "Attribute | None": read_attribute,
}


def structured_reader(cls: type[vhlo.StructuredAttribute]) -> DialectAttributeReader:
    """Returns the reader of a structured attribute, by the fields from which it is printed."""
    fields = cls.fields_by_key()
    readers = {key: FIELD_READERS[str(field.type)] for key, field in fields.items()}
    optional = (key for key, field in fields.items() if field.default is not MISSING)
    return structure(cls, readers, *optional)


def mnemonic_of(member: Attribute) -> str:
    """Returns the mnemonic of the enumeration of a member."""
    assert isinstance(member, EnumAttribute)
    return member.mnemonic


ENUMERATIONS: Final = {
    mnemonic_of(kind.attribute(next(iter(kind.members.values())))): kind
    for kind in vhlo.ENUMERATIONS.values()
}
ATTRIBUTES: Final[dict[str, DialectAttributeReader]] = {
    "#vhlo": bracketed_enumerations(ENUMERATIONS),
    "#vhlo.array_v1": in_angle_brackets(read_array),
    "#vhlo.bool_v1": in_angle_brackets(read_boolean),
    "#vhlo.dict_v1": in_angle_brackets(read_dictionary),
    "#vhlo.float_v1": in_angle_brackets(read_float_attribute),
    "#vhlo.integer_v1": in_angle_brackets(read_integer_attribute),
    "#vhlo.string_v1": in_angle_brackets(read_string),
    "#vhlo.tensor_v1": in_angle_brackets(read_tensor),
    "#vhlo.type_v1": in_angle_brackets(read_type),
    "#vhlo.type_extensions_v1": structure(TypeExtensionsV1, {"bounds": read_bounds}),
    **{f"#{cls.SYNTAX}": structured_reader(cls) for cls in vhlo.STRUCTURED_ATTRIBUTES},
}
