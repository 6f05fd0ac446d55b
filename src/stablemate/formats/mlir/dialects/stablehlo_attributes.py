"""Reads the attributes of StableHLO and CHLO.

Source: StableHLO specification, the operations that use them; spelled as upstream prints them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from typing import Any, Final, TypeVar

from stablemate.dialects.stablehlo import attributes as stablehlo
from stablemate.dialects.stablehlo.result_accuracy import (
    CONSISTENT,
    CONSISTENT_RULE,
    RESULT_ACCURACY_MODE,
    ResultAccuracy,
    ResultAccuracyMode,
)
from stablemate.formats.mlir.attribute_reader import AttributeReader, DialectAttributeReader
from stablemate.formats.mlir.cursor import BOOLEANS
from stablemate.formats.mlir.literal_reader import LiteralElement
from stablemate.ir.attributes import ArrayAttribute, DenseElementsAttribute, SymbolAttribute
from stablemate.ir.kinds import EnumKind
from stablemate.ir.types import DYNAMIC, Attribute, BoundsAttribute
from stablemate.numerics.elements import F64

T = TypeVar("T")
FieldReader = Callable[[AttributeReader], Any]


def read_integers(reader: AttributeReader) -> tuple[int, ...]:
    """Reads a list of integers in brackets, such as ``[1, 2]``."""
    return reader.integers()


def read_boolean(reader: AttributeReader) -> bool:
    """Reads the keyword ``true`` or ``false`` of a field."""
    return reader.boolean()


def read_integer(reader: AttributeReader) -> int:
    """Parses an integer; a boolean counts as 0 or 1."""
    return reader.integer_or_boolean()


def read_float(reader: AttributeReader) -> float:
    """Reads a float, without its type."""
    negative = reader.accept("-")
    item = LiteralElement(reader.kind, negative, reader.token, (reader.start, reader.end))
    reader.advance()
    return float(reader.literals.float_number(item, F64))


def read_type(reader: AttributeReader) -> object:
    """Reads a field that is a type of any dialect."""
    return reader.type()


def read_string(reader: AttributeReader) -> str:
    """Reads a field that is a string in quotes."""
    return reader.string_here()


def read_pairs(
    reader: AttributeReader, what: str, fields: Mapping[str, FieldReader], closing: str = ">"
) -> dict[str, Any]:
    """Reads ``key = value, ...`` in any order, up to the closing mark or after a trailing comma.

    As in MLIR, a name that is not known is reported where it is, one that occurs twice after it.
    """
    values: dict[str, Any] = {}
    while not reader.at(closing):
        key = reader.token
        if key not in fields:
            reader.reject_unknown(key, dict(fields), f"{what} has no '{key}'")
        reader.advance()
        if key in values:
            reader.error(f"'{key}' occurs twice")
        reader.expect("=")
        values[key] = fields[key](reader)
        if not reader.accept(","):
            break
    return values


def read_parameters(
    reader: AttributeReader, what: str, fields: Mapping[str, FieldReader], required: Collection[str]
) -> dict[str, object]:
    """Reads ``key = value, ...`` in any order, as the parsers that MLIR generates.

    They look at the name of a parameter after its ``=``.
    """
    values: dict[str, Any] = {}
    while len(values) < len(fields):
        if values and not reader.at(","):
            break
        if values:
            reader.advance()
        key = reader.keyword_here("the name of a parameter")
        reader.expect("=")
        if key not in fields:
            reader.reject_unknown(key, dict(fields), f"{what} has no '{key}'")
        if key in values:
            reader.error(f"'{key}' occurs twice")
        values[key] = fields[key](reader)
    missing = [key for key in required if key not in values]
    if missing and len(required) == len(fields):
        reader.reject_misplaced(f"{what} needs '{missing[0]}'", (reader.start, reader.end))
    if missing:
        reader.error(f"{what} needs '{missing[0]}'")
    return values


def read_in_order(
    reader: AttributeReader, what: str, fields: Mapping[str, FieldReader], required: Collection[str]
) -> dict[str, object]:
    """Reads ``key = value, ...`` in the order of the fields."""
    values: dict[str, Any] = {}
    *_, last = fields
    is_separated = True
    for key, read in fields.items():
        if not is_separated and not reader.at(","):
            needed = [name for name in required if name not in values]
            if needed:
                reader.reject_misplaced(f"{what} needs '{needed[0]}'", (reader.start, reader.end))
            break
        if not is_separated:
            reader.advance()
            is_separated = True
        if key not in required and key != last and not reader.at(key):
            continue
        if not reader.at(key):
            message = f"expected '{key}' in {what}, found {reader.found}"
            reader.reject_unknown(reader.token, dict(fields), message)
        reader.advance()
        reader.expect("=")
        values[key] = read(reader)
        is_separated = False
    return values


def structure(
    cls: type[Any],
    readers: Mapping[str, FieldReader],
    *,
    needs: Collection[str] = (),
    ordered: bool = False,
) -> DialectAttributeReader:
    """Returns a reader of ``#dialect.name<key = value, ...>`` as an instance of a dataclass.

    Args:
        cls: The dataclass; fields without a default are required.
        readers: How to read each field.
        needs: Further required fields.
        ordered: Whether the fields must be in the order of ``readers``.
    """
    required = [f.name for f in fields(cls) if f.default is MISSING or f.name in needs]
    name = f"#{cls.SYNTAX}"
    read_fields = read_in_order if ordered else read_parameters

    def read(reader: AttributeReader) -> Attribute:
        reader.expect("<")
        values = read_fields(reader, name, readers, required)
        reader.expect(">", "',' or '>'")
        attribute: Attribute = cls(**values)
        return attribute

    return read


def bracketed_enumerations(kinds: Mapping[str, EnumKind[Enum]]) -> DialectAttributeReader:
    """Returns a reader of what is in the brackets of ``#dialect<mnemonic MEMBER>``."""

    def read(reader: AttributeReader) -> Attribute:
        kind = reader.choice(dict(kinds), "the name of an enumeration")
        return kind.attribute(reader.member(dict(kind.members), "a member"))

    return read


def dotted_enumeration(kind: EnumKind[Enum]) -> DialectAttributeReader:
    """Returns a reader of ``#dialect.mnemonic<MEMBER>``."""

    def read(reader: AttributeReader) -> Attribute:
        reader.expect("<")
        member = reader.member(dict(kind.members), "a member")
        reader.expect(">")
        return kind.attribute(member)

    return read


def read_bound(reader: AttributeReader) -> int:
    """Reads a bound or ``?``."""
    return DYNAMIC if reader.accept("?") else reader.integer_or_boolean("a bound or '?'")


def read_bounds(reader: AttributeReader) -> Attribute:
    """``#stablehlo.bounds<4, ?>``."""
    return BoundsAttribute(tuple(reader.read_enclosed("<", lambda: read_bound(reader))))


def read_type_extensions(reader: AttributeReader) -> Attribute:
    """``#stablehlo.type_extensions<bounds = [4, ?]>``."""
    reader.expect("<")
    reader.expect("bounds")
    reader.expect("=")
    bounds = tuple(reader.read_enclosed("[", lambda: read_bound(reader)))
    reader.expect(">")
    return BoundsAttribute(bounds)


CONV_FIELDS: Final[dict[str, FieldReader]] = {
    f.name: read_integers if f.name.endswith("dimensions") else read_integer
    for f in fields(stablehlo.ConvDimensionNumbers)
}


def read_conv(reader: AttributeReader) -> Attribute:
    """``#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>``, or ``raw`` with all fields by name."""
    reader.expect("<")
    if reader.accept("raw"):
        values = read_pairs(reader, "#stablehlo.conv", CONV_FIELDS)
        attribute = stablehlo.ConvDimensionNumbers(**values)
    else:
        attribute = read_conv_dimensions(reader)
    reader.expect(">")
    return attribute


def read_conv_dimensions(reader: AttributeReader) -> stablehlo.ConvDimensionNumbers:
    """``[b, 0, f]x[0, i, o]->[b, 0, f]``."""
    ib, jf, spatial = conv_side(reader, "b", "f")
    if not reader.token.startswith("x"):
        reader.reject_unexpected("'x'")
    reader.jump(reader.start + 1)
    ki, ko, kernel = conv_side(reader, "i", "o")
    reader.expect("->")
    ob, of, output = conv_side(reader, "b", "f")
    return stablehlo.ConvDimensionNumbers(ib, jf, spatial, ki, ko, kernel, ob, of, output)


def conv_side(reader: AttributeReader, first: str, second: str) -> tuple[int, int, tuple[int, ...]]:
    """Reads ``[b, 0, 1, f]``: returns the positions of the two letters, then of each number."""
    labels: dict[str, int] = {}

    def label() -> None:
        place = (reader.start, reader.end)
        is_number = reader.kind == "integer" or reader.at("-") or reader.token in BOOLEANS
        if not is_number and reader.kind != "bare":
            reader.error(f"expected a dimension, found {reader.found}")
        name = str(reader.integer_or_boolean()) if is_number else reader.token  # 00 and -0 are 0
        if not is_number:
            reader.advance()
        if name in labels or name.startswith("-") or not (is_number or name in (first, second)):
            message = (
                f"expected '{first}', '{second}' and the spatial dimensions 0, 1, ..., each once"
            )
            reader.error(message, place)
        labels[name] = len(labels)

    def reject_missing(names: Iterable[str]) -> None:
        missing = next((name for name in names if name not in labels), None)
        if missing is not None:
            reader.error(f"the dimension '{missing}' is missing before this")

    reader.expect("[")
    if not reader.at("]"):
        label()
    while reader.accept(","):
        label()
    reject_missing((first, second))
    reader.expect("]")
    reject_missing(map(str, range(len(labels) - 2)))
    spatial = tuple(labels[str(i)] for i in range(len(labels) - 2))
    return labels[first], labels[second], spatial


def read_nested(read: DialectAttributeReader) -> FieldReader:
    """Returns a reader of ``#d.name<...>`` or, without the name, ``<...>``."""
    return lambda reader: reader.attribute() if reader.kind == "hash" else read(reader)


def read_list(item: FieldReader) -> FieldReader:
    """Returns a reader of ``[item, item]``."""
    return lambda reader: tuple(reader.read_enclosed("[", lambda: item(reader)))


def read_result_accuracy_mode(reader: AttributeReader) -> ResultAccuracyMode:
    """Reads ``#stablehlo.result_accuracy_mode<DEFAULT>``, or only the member."""
    members = dict(RESULT_ACCURACY_MODE.members)
    if reader.kind != "hash":
        return reader.choice(members, "a mode")
    start = reader.start
    attribute = reader.attribute()
    if not RESULT_ACCURACY_MODE.accepts(attribute):
        reader.error("expected #stablehlo.result_accuracy_mode", (start, reader.previous_end))
    return RESULT_ACCURACY_MODE.value(attribute)


ACCURACY_FIELDS: Final[dict[str, FieldReader]] = {
    "atol": read_float,
    "rtol": read_float,
    "ulps": read_integer,
    "mode": read_result_accuracy_mode,
}


def read_result_accuracy(reader: AttributeReader) -> Attribute:
    """``#stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<...>>``.

    Tolerances that fit no mode are reported at what follows, as in MLIR.
    """
    start = reader.previous_end - len(f"#{ResultAccuracy.SYNTAX}")
    read = structure(ResultAccuracy, ACCURACY_FIELDS, needs=("mode",), ordered=True)
    accuracy: Any = read(reader)
    if not accuracy.is_consistent:
        reader.reject_after(start, CONSISTENT, CONSISTENT_RULE, accuracy.parameters)
    attribute: Attribute = accuracy
    return attribute


def read_device_ids(reader: AttributeReader) -> DenseElementsAttribute:
    """``dense<[0, 1]> : tensor<2xi64>``."""
    start = reader.start
    attribute = reader.attribute()
    if not isinstance(attribute, DenseElementsAttribute):
        reader.error("expected a dense literal", (start, reader.previous_end))
    return attribute


def read_sub_axis(reader: AttributeReader) -> stablehlo.SubAxis:
    """``(pre)size``."""
    reader.expect("(")
    pre_size = reader.integer_or_boolean()
    reader.expect(")")
    return stablehlo.SubAxis(pre_size, reader.integer_or_boolean())


read_mesh_axis = structure(stablehlo.MeshAxis, {"name": read_string, "size": read_integer})
read_axis_ref = structure(stablehlo.AxisRef, {"name": read_string, "sub_axis_info": read_sub_axis})


def read_mesh_axes(reader: AttributeReader) -> tuple[stablehlo.MeshAxis, ...]:
    """``[<name = "x", size = 2>]``, with one axis at least."""
    axes: tuple[stablehlo.MeshAxis, ...] = read_list(read_nested(read_mesh_axis))(reader)
    if not axes:
        reader.reject_unexpected("an axis")
    return axes


read_mesh = structure(
    stablehlo.Mesh,
    {"axes": read_mesh_axes, "device_ids": read_device_ids},
    needs=("axes",),
    ordered=True,
)


def read_attribute(reader: AttributeReader) -> Attribute:
    """Reads a field that is an attribute of any dialect."""
    return reader.attribute()


def read_array(reader: AttributeReader) -> tuple[Attribute, ...]:
    """Reads attributes of any kind in brackets, such as ``[a, b]``."""
    start = reader.start
    array = reader.attribute()
    if not isinstance(array, ArrayAttribute):
        reader.error("expected a list of axes", (start, reader.previous_end))
    return array.items


def read_replica_group_mesh_axes(reader: AttributeReader) -> Attribute:
    """``#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<...>]>``."""
    start = reader.start
    fields = {"mesh": read_attribute, "axes": read_array}
    read = structure(stablehlo.ReplicaGroupMeshAxes, fields)
    groups: Any = read(reader)
    if not isinstance(groups.mesh, stablehlo.Mesh | SymbolAttribute):
        reader.error("mesh is a mesh, or the symbol of one", (start, reader.previous_end))
    if not all(isinstance(axis, stablehlo.AxisRef) for axis in groups.axes):
        reader.error("axes are references to axes", (start, reader.previous_end))
    attribute: Attribute = groups
    return attribute


DOT_ALGORITHM_FIELDS: Final[dict[str, FieldReader]] = {
    "lhs_precision_type": read_type,
    "rhs_precision_type": read_type,
    "accumulation_type": read_type,
    "lhs_component_count": read_integer,
    "rhs_component_count": read_integer,
    "num_primitive_operations": read_integer,
    "allow_imprecise_accumulation": read_boolean,
}
read_dot_algorithm = structure(
    stablehlo.DotAlgorithm, DOT_ALGORITHM_FIELDS, needs=DOT_ALGORITHM_FIELDS, ordered=True
)


def integer_readers(cls: type[Any]) -> dict[str, FieldReader]:
    """Returns readers of the fields of a dataclass, which are integers and lists of integers."""
    return {f.name: read_integers if f.default == () else read_integer for f in fields(cls)}


def integer_fields(cls: type[Any]) -> DialectAttributeReader:
    """Returns a reader of dimension numbers: missing fields are empty or 0."""
    name, readers = f"#{cls.SYNTAX}", integer_readers(cls)

    def read(reader: AttributeReader) -> Attribute:
        reader.expect("<")
        values = read_pairs(reader, name, readers)
        reader.expect(">", "',' or '>'")
        attribute: Attribute = cls(**values)
        return attribute

    return read


def all_integer_fields(cls: type[object], *, ordered: bool = False) -> DialectAttributeReader:
    """Returns a reader of integers and lists of integers, all of which are required."""
    readers = integer_readers(cls)
    return structure(cls, readers, needs=readers, ordered=ordered)


ATTRIBUTES: Final[dict[str, DialectAttributeReader]] = {
    "#stablehlo": bracketed_enumerations(
        {
            kind.attribute(next(iter(kind.members.values()))).mnemonic: kind  # type: ignore[attr-defined]
            for kind in stablehlo.ENUMERATIONS
            if kind is not RESULT_ACCURACY_MODE
        }
    ),
    "#stablehlo.result_accuracy_mode": dotted_enumeration(RESULT_ACCURACY_MODE),
    "#stablehlo.bounds": read_bounds,
    "#stablehlo.type_extensions": read_type_extensions,
    "#stablehlo.channel_handle": all_integer_fields(stablehlo.ChannelHandle),
    "#stablehlo.dot": integer_fields(stablehlo.DotDimensionNumbers),
    "#stablehlo.gather": integer_fields(stablehlo.GatherDimensionNumbers),
    "#stablehlo.scatter": integer_fields(stablehlo.ScatterDimensionNumbers),
    "#stablehlo.conv": read_conv,
    "#stablehlo.dot_algorithm": read_dot_algorithm,
    "#stablehlo.output_operand_alias": all_integer_fields(
        stablehlo.OutputOperandAlias, ordered=True
    ),
    "#stablehlo.result_accuracy": read_result_accuracy,
    "#stablehlo.mesh_axis": read_mesh_axis,
    "#stablehlo.mesh": read_mesh,
    "#stablehlo.axis_ref": read_axis_ref,
    "#stablehlo.replica_group_mesh_axes": read_replica_group_mesh_axes,
}
