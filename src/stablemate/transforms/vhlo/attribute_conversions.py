"""Where one attribute of StableHLO and those of VHLO are not the same one: by its kind.

Source: StableHLO, its legalization to VHLO and back: the special conversions of attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo import attributes as stablehlo
from stablemate.dialects.vhlo import attributes as vhlo
from stablemate.dialects.vhlo.conversion import NoCounterpart, from_vhlo, to_vhlo
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.dialects.vhlo.types import NONE, PlainV1Type
from stablemate.ir.attributes import (
    UNIT,
    ArrayAttribute,
    DenseArrayAttribute,
    IntegerAttribute,
    SymbolAttribute,
    UnitAttribute,
)
from stablemate.ir.core import Operation
from stablemate.ir.definition import AttributeField, definition_of
from stablemate.ir.kinds import (
    BOOLEAN_ARRAY,
    SI64_ARRAY,
    SYMBOL,
    UNIT_KIND,
    AttributeKind,
    EnumAttribute,
)
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import BOOLEAN, I32, I64, IntegerType
from stablemate.transforms.vhlo.attributes import expect, integer, tensor_of

Parts = Mapping[str, Attribute]


@dataclass(frozen=True, slots=True)
class AttributeConversion:
    """How one attribute of StableHLO becomes some of VHLO, and what makes it up again.

    Attributes:
        names: The attributes of VHLO.
        split: From the attribute of StableHLO to those of VHLO, in order.
        join: Back; None if they say that there is none. An attribute that is missing was removed
            because it says what its absence says.
    """

    names: tuple[str, ...]
    split: Callable[[Attribute], Sequence[Attribute]]
    join: Callable[[Parts], Attribute | None]


# ---- numbers and lists of numbers


def numbers_of(attribute: Attribute | None, element: IntegerType = I64) -> tuple[int, ...]:
    """The numbers of a tensor with one dimension; if there are none, of any type."""
    elements = expect(attribute, vhlo.TensorV1).elements
    is_other = elements.array.size > 0 and elements.type.element_type != element
    if is_other or len(elements.shape) != 1:
        raise NoCounterpart(f"{attribute} is no 1-dimensional tensor of {element}")
    return tuple(elements.array.tolist())


def number_of(attribute: Attribute | None) -> int:
    """The value of an integer."""
    return expect(attribute, vhlo.IntegerV1).value


def dimension_numbers(cls: type[Any]) -> AttributeConversion:
    """A dataclass of integers and tuples of integers; each field is an attribute of VHLO."""
    lists = {field.name: field.default == () for field in fields(cls)}

    def split(attribute: Attribute) -> Sequence[Attribute]:
        stored = expect(attribute, cls)
        return [
            tensor_of(getattr(stored, name)) if several else integer(getattr(stored, name))
            for name, several in lists.items()
        ]

    def join(parts: Parts) -> Attribute:
        attribute: Attribute = cls(
            *(
                numbers_of(parts.get(name)) if several else number_of(parts.get(name))
                for name, several in lists.items()
            )
        )
        return attribute

    return AttributeConversion(tuple(lists), split, join)


def array(name: str, element: IntegerType = I64) -> AttributeConversion:
    """``array<i64>`` or ``array<i1>`` as a tensor."""

    def split(attribute: Attribute) -> Sequence[Attribute]:
        stored = expect(attribute, DenseArrayAttribute)
        return [tensor_of(tuple(map(int, stored.values)), element)]

    def join(parts: Parts) -> Attribute | None:
        stored = parts.get(name)
        return None if stored is None else DenseArrayAttribute(element, numbers_of(stored, element))

    return AttributeConversion((name,), split, join)


# ---- channels, flags


def split_channel(attribute: Attribute) -> Sequence[Attribute]:
    """Splits a channel handle into id and type."""
    stored = expect(attribute, stablehlo.ChannelHandle)
    return [integer(stored.handle), integer(stored.type)]


def join_channel(parts: Parts) -> Attribute:
    """The handle of send and recv."""
    number, kind = number_of(parts.get("channel_id")), number_of(parts.get("channel_type"))
    return stablehlo.ChannelHandle(number, kind)


def join_channel_id(parts: Parts) -> Attribute | None:
    """The handle of a collective; its type is lost."""
    stored = parts.get("channel_id")
    return None if stored is None else stablehlo.ChannelHandle(number_of(stored), 0)


def split_unit(attribute: Attribute) -> Sequence[Attribute]:
    """Stores the presence of a unit attribute as the boolean true."""
    expect(attribute, UnitAttribute)
    return [vhlo.BooleanV1(True)]


def flag(name: str) -> AttributeConversion:
    """A unit attribute as a boolean."""

    def join(parts: Parts) -> Attribute | None:
        stored = parts.get(name)
        return UNIT if stored and expect(stored, vhlo.BooleanV1).value else None

    return AttributeConversion((name,), split_unit, join)


CHANNEL_ID: Final = AttributeConversion(
    ("channel_id",), lambda attribute: split_channel(attribute)[:1], join_channel_id
)
CHANNEL: Final = AttributeConversion(("channel_id", "channel_type"), split_channel, join_channel)


# ---- symbols


def symbol_text(attribute: Attribute) -> Attribute:
    """The name of a symbol as a string."""
    stored = expect(attribute, SymbolAttribute)
    if stored.nested:
        raise NoCounterpart(f"the nested symbol {stored} has no form in portable artifacts")
    return vhlo.StringV1(stored.root)


def symbol_of(attribute: Attribute) -> Attribute:
    """The symbol of a string."""
    return SymbolAttribute(expect(attribute, vhlo.StringV1).value)


def symbol(name: str) -> AttributeConversion:
    """A symbol as a string."""
    return AttributeConversion(
        (name,),
        lambda attribute: [symbol_text(attribute)],
        lambda parts: symbol_of(expect(parts.get(name), vhlo.StringV1)),
    )


def split_symbols(attribute: Attribute) -> Sequence[Attribute]:
    """Stores a list of symbols as an array of strings."""
    return [vhlo.ArrayV1(tuple(map(symbol_text, expect(attribute, ArrayAttribute).items)))]


def join_symbols(parts: Parts) -> Attribute | None:
    """The symbols of several strings."""
    stored = parts.get("called_computations")
    if stored is None:
        return None
    return ArrayAttribute(tuple(map(symbol_of, expect(stored, vhlo.ArrayV1).items)))


# ---- custom calls, dot algorithms

API_VERSIONS: Final = tuple(vhlo.ApiVersion)


def split_api_version(attribute: Attribute) -> Sequence[Attribute]:
    """The number as a member of an enumeration."""
    number = expect(attribute, IntegerAttribute).value
    if not 0 <= number < len(API_VERSIONS):
        raise NoCounterpart(f"no api_version has the number {number}")
    return [vhlo.API_VERSION.attribute(API_VERSIONS[number])]


def join_api_version(parts: Parts) -> Attribute | None:
    """The number of a member."""
    stored = parts.get("api_version")
    if stored is None:
        return None
    member = expect(stored, EnumAttribute).value
    return IntegerAttribute(API_VERSIONS.index(expect_api_version(member)), I32)


def expect_api_version(member: object) -> vhlo.ApiVersion:
    """The member, which must be of the right enumeration."""
    if isinstance(member, vhlo.ApiVersion):
        return member
    raise NoCounterpart(f"{member} is no api_version")


ABSENT: Final = vhlo.TypeV1(NONE)
ALGORITHM_TYPES: Final = ("lhs_precision_type", "rhs_precision_type", "accumulation_type")
ALGORITHM_NUMBERS: Final = (
    "lhs_component_count",
    "rhs_component_count",
    "num_primitive_operations",
)
ALGORITHM: Final = (*ALGORITHM_TYPES, *ALGORITHM_NUMBERS, "allow_imprecise_accumulation")


def split_algorithm(attribute: Attribute) -> Sequence[Attribute]:
    """The algorithm of a dot as its seven parts."""
    stored = expect(attribute, stablehlo.DotAlgorithm)
    return [
        *(vhlo.TypeV1(to_vhlo(getattr(stored, name))) for name in ALGORITHM_TYPES),
        *(integer(getattr(stored, name)) for name in ALGORITHM_NUMBERS),
        vhlo.BooleanV1(stored.allow_imprecise_accumulation),
    ]


def join_algorithm(parts: Parts) -> Attribute | None:
    """The algorithm of seven parts; none if none of them says anything."""
    if all(parts.get(name) == ABSENT for name in ALGORITHM):
        return None
    values: dict[str, Any] = {
        **{name: precision_of(parts.get(name)) for name in ALGORITHM_TYPES},
        **{name: number_of(parts.get(name)) for name in ALGORITHM_NUMBERS},
    }
    imprecise = expect(parts.get("allow_imprecise_accumulation"), vhlo.BooleanV1).value
    return stablehlo.DotAlgorithm(**values, allow_imprecise_accumulation=imprecise)


def precision_of(attribute: Attribute | None) -> object:
    """The type of a part."""
    precision_type = expect(attribute, vhlo.TypeV1).type
    if not isinstance(precision_type, PlainV1Type):
        raise NoCounterpart(f"{precision_type} is no precision")
    return from_vhlo(precision_type)


# ---- from the kind of an attribute to its conversion

NOT_BY_KIND: Final[Mapping[str, AttributeConversion]] = {
    "algorithm": AttributeConversion(ALGORITHM, split_algorithm, join_algorithm),
    "api_version": AttributeConversion(("api_version",), split_api_version, join_api_version),
    "called_computations": AttributeConversion(
        ("called_computations",), split_symbols, join_symbols
    ),
}
CONVERSIONS: Final[Mapping[AttributeKind[object], Callable[[str], AttributeConversion]]] = {
    BOOLEAN_ARRAY: lambda name: array(name, BOOLEAN),
    SI64_ARRAY: array,
    SYMBOL: symbol,
    UNIT_KIND: flag,
}
STRUCTS: Final[Mapping[AttributeKind[object], AttributeConversion]] = {
    stablehlo.CONV_DIMENSION_NUMBERS: dimension_numbers(stablehlo.ConvDimensionNumbers),
    stablehlo.DOT_DIMENSION_NUMBERS: dimension_numbers(stablehlo.DotDimensionNumbers),
    stablehlo.GATHER_DIMENSION_NUMBERS: dimension_numbers(stablehlo.GatherDimensionNumbers),
    stablehlo.SCATTER_DIMENSION_NUMBERS: dimension_numbers(stablehlo.ScatterDimensionNumbers),
}


def stablehlo_class(mnemonic: str) -> type[Operation]:
    """The class of StableHLO, or of functions, whose portable form has a mnemonic."""
    cls = OPERATIONS.get(f"stablehlo.{mnemonic}")
    return OPERATIONS[f"func.{mnemonic}"] if cls is None else cls


@cache
def conversions_of(mnemonic: str) -> Mapping[str, AttributeConversion]:
    """The conversions of an operation's attributes that are not one attribute of VHLO each."""
    portable = definition_of(REVISIONS[mnemonic][-1]).attributes
    attributes = definition_of(stablehlo_class(mnemonic)).attributes.values()
    found = {field.name: conversion_of(field, portable) for field in attributes}
    return {
        name: conversion
        for name, conversion in found.items()
        if conversion is not None and portable.keys() >= {*conversion.names}
    }


def conversion_of(
    field: AttributeField[object], portable: Container[str]
) -> AttributeConversion | None:
    """The conversion of an attribute; None if one attribute of VHLO has its name and its value.

    Args:
        field: The attribute of StableHLO.
        portable: The attributes of the operation in VHLO.
    """
    if field.kind is stablehlo.CHANNEL_HANDLE:
        return CHANNEL if "channel_type" in portable else CHANNEL_ID
    if field.kind in STRUCTS:
        return STRUCTS[field.kind]
    by_kind = CONVERSIONS.get(field.kind)
    return NOT_BY_KIND.get(field.name) if by_kind is None else by_kind(field.name)
