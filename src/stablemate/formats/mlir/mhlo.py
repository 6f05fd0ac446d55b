"""Reads operations of MHLO as their counterparts: attributes and types are those of StableHLO.

MHLO writes lists of integers as literals. Its attributes have the texts of StableHLO's, but for a
few. Old producers write enumerations as strings and dimension numbers as dictionaries.

Source: MHLO dialect, its attributes; StableHLO specification, the operations of the same names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, Final, TypeAlias, cast

from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.mhlo.counterparts import PREFIX
from stablemate.dialects.mhlo.types import AsyncBundleType
from stablemate.ir.attributes import (
    TRUE,
    ArrayAttribute,
    DenseElementsAttribute,
    DictionaryAttribute,
    IntegerAttribute,
    OpaqueAttribute,
    StringAttribute,
    TypeAttribute,
)
from stablemate.ir.core import Operation
from stablemate.ir.definition import OperationDefinition
from stablemate.ir.kinds import (
    BOOLEAN_ARRAY,
    SI64_ARRAY,
    AttributeKind,
    EnumKind,
    is_listable,
)
from stablemate.ir.types import (
    DYNAMIC,
    Attribute,
    BoundsAttribute,
    FunctionType,
    OpaqueType,
    TensorType,
    TokenType,
    TupleType,
    Type,
)
from stablemate.numerics.elements import IntegerType

Parse: TypeAlias = Callable[[str], Attribute]  # raises StablemateError if the text is no attribute

TOKEN: Final = OpaqueType("!mhlo.token")
BOUNDS: Final = re.compile(r"#mhlo\.type_extensions<bounds = \[([\d?, ]*)\]>")
QUOTED: Final = re.compile(r'#mhlo<"([^"<>]*)">')  # as MLIR wrote enumerations until 2022
DOT_NUMBERS: Final = re.compile(r"dot_dimension_numbers = #mhlo\.dot<([^<>]*)>(, )?")
SPELLINGS: Final = (
    ("#mhlo.rng_algorithm<", "#stablehlo<rng_algorithm "),
    ("#mhlo.rng_distribution<", "#stablehlo<rng_distribution "),
    ("#mhlo.ragged_dot<", "#chlo.ragged_dot<"),
    ("#mhlo.", "#stablehlo."),
)
# The attributes that old producers write as dictionaries, by name and operation.
STRUCTURES: Final = {
    "dot_dimension_numbers": "dot<{}>",
    "scatter_dimension_numbers": "scatter<{}>",
    "channel_handle": "channel_handle<{}>",
    "dimension_numbers": "conv<raw {}>",
}
GATHERS: Final = frozenset(["stablehlo.gather", "stablehlo.dynamic_gather"])


def is_of_mhlo(name: str) -> bool:
    """Whether a name is that of an operation of MHLO."""
    return name.startswith(PREFIX)


def counterpart_attributes(
    definition: OperationDefinition, attributes: Mapping[str, Attribute], parse: Parse
) -> dict[str, Attribute]:
    """The attributes of an operation of MHLO as its counterpart has them.

    Args:
        definition: The definition of the counterpart.
        attributes: The attributes; those that the definition does not declare stay as they are.
        parse: Reads an attribute.
    """
    translated = dict(attributes)
    for name, value in attributes.items():
        declared = definition.attributes.get(name)
        if declared is not None and not declared.kind.accepts(value):
            translated[name] = counterpart_attribute(definition, name, value, parse)
    if "largest" not in definition.attributes and translated.get("largest") == TRUE:
        del translated["largest"]
    return translated


def counterpart_attribute(
    definition: OperationDefinition, name: str, value: Attribute, parse: Parse
) -> Attribute:
    """An attribute as the counterpart of an operation has it; itself if it is none."""
    kind: AttributeKind[object] = definition.attributes[name].kind
    match value:
        case DenseElementsAttribute() if kind in (SI64_ARRAY, BOOLEAN_ARRAY):
            return read_list_literal(kind, value)
        case DictionaryAttribute() if name in STRUCTURES:
            return parse_attribute(structure_text(definition.name, name, value), parse) or value
        case ArrayAttribute(items=items):
            return ArrayAttribute(
                tuple(member(kind, item, definition.dialect, parse) for item in items)
            )
        case _:
            return member(kind, value, definition.dialect, parse)


def read_list_literal(kind: AttributeKind[object], value: DenseElementsAttribute) -> Attribute:
    """The list that a literal of one dimension holds."""
    element = value.type.element_type
    expected = 64 if kind is SI64_ARRAY else 1
    if len(value.shape) != 1 or not isinstance(element, IntegerType) or element.width != expected:
        return value
    if not is_listable(value):
        return value  # the list of no operation
    return kind.attribute(value.array.tolist())


def member(kind: AttributeKind[object], value: Attribute, dialect: str, parse: Parse) -> Attribute:
    """A member of an enumeration, or a structure, as the dialect of the counterpart has it."""
    one: AttributeKind[object] = getattr(kind, "item", kind)  # of a list the kind of its items
    match value:
        case OpaqueAttribute(text=text) if text.startswith("#mhlo"):
            return parse_attribute(counterpart_text(text, dialect), parse) or value
        case StringAttribute(value=name) if name in getattr(one, "members", ()):
            return one.attribute(cast("EnumKind[Enum]", one).members[name])
        case _:
            return value


def counterpart_text(text: str, dialect: str) -> str:
    """The text of an attribute of MHLO in the names of the dialect of a counterpart."""
    text = QUOTED.sub(r"#mhlo<\1>", text)
    text = DOT_NUMBERS.sub(lambda m: m[1] + (", " if m[1] and m[2] else ""), text)
    for old, new in SPELLINGS:
        text = text.replace(old, new)
    return text.replace("#mhlo<", f"#{dialect}<")


def structure_text(operation: str, name: str, value: DictionaryAttribute) -> str:
    """Dimension numbers that are written as a dictionary, as StableHLO writes them."""
    form = "gather<{}>" if operation in GATHERS else STRUCTURES[name]
    entries = (f"{key} = {numbers_text(item)}" for key, item in value.entries.items())
    return f"#stablehlo.{form.format(', '.join(entries))}"


def numbers_text(attribute: Attribute) -> str:
    """A number, or a list of them in brackets."""
    match attribute:
        case IntegerAttribute(value=value):
            return str(value)
        case DenseElementsAttribute() if is_listable(attribute):
            return str(attribute.array.tolist())
        case _:
            return str(attribute)


def parse_attribute(text: str, parse: Parse) -> Attribute | None:
    """The attribute that a text holds, if it holds one."""
    try:
        return parse(text)
    except StablemateError:
        return None


def translate_types(top: Operation) -> None:
    """Gives values of a module that was just read tokens and bounds of StableHLO.

    Args:
        top: The module, which is changed in place.
    """
    for operation in top.walk():
        for value in operation.results:
            value.type = counterpart_type(value.type)
        for region in operation.regions:
            for block in region.blocks:
                for argument in block.arguments:
                    argument.type = counterpart_type(argument.type)
        for name, attribute in operation.attributes.items():
            if isinstance(attribute, TypeAttribute):
                operation.attributes[name] = TypeAttribute(counterpart_type(attribute.type))


def counterpart_type(value_type: object) -> Any:
    """A type in the names of StableHLO."""
    match value_type:
        case TensorType(encoding=OpaqueAttribute(text=text)) if found := BOUNDS.fullmatch(text):
            return replace(value_type, encoding=BoundsAttribute(bounds_in(found[1])))
        case TupleType(types=types) | AsyncBundleType(types=types):
            return replace(value_type, types=counterpart_types(types))
        case FunctionType(inputs, results):
            return FunctionType(counterpart_types(inputs), counterpart_types(results))
        case OpaqueType() if value_type == TOKEN:
            return TokenType()
        case _:
            return value_type


def counterpart_types(types: tuple[Type, ...]) -> tuple[Type, ...]:
    """Types in the names of StableHLO."""
    return tuple(counterpart_type(value_type) for value_type in types)


def bounds_in(text: str) -> tuple[int, ...]:
    """The bounds in a list of numbers and question marks."""
    words = (word.strip() for word in text.split(","))
    return tuple(DYNAMIC if word == "?" else int(word) for word in words)
