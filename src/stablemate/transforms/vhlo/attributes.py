"""Converts attributes of StableHLO and MLIR to attributes of VHLO, and back.

What depends on the operation is in ``splits``.

Source: StableHLO, its legalization to VHLO and back: the generic conversion of attributes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np

from stablemate.dialects.stablehlo import attributes as stablehlo
from stablemate.dialects.stablehlo.result_accuracy import ResultAccuracy, ResultAccuracyMode
from stablemate.dialects.vhlo import attributes as vhlo
from stablemate.dialects.vhlo.conversion import (
    NoCounterpart,
    builtin_number_type,
    from_vhlo,
    to_vhlo,
)
from stablemate.dialects.vhlo.types import I64 as VHLO_I64
from stablemate.ir.attributes import (
    FALSE,
    TRUE,
    ArrayAttribute,
    DenseArrayAttribute,
    DenseElementsAttribute,
    DictionaryAttribute,
    FloatAttribute,
    IntegerAttribute,
    StringAttribute,
    SymbolAttribute,
    TypeAttribute,
    dense_elements,
)
from stablemate.ir.kinds import EnumAttribute, EnumKind
from stablemate.ir.types import Attribute, TensorType
from stablemate.numerics.elements import BOOLEAN, I64, FloatType, IndexType, IntegerType

T = TypeVar("T")
MAXIMUM_CACHED: Final = 1 << 12  # tensors that are kept: memory against building them again
STABLEHLO_ENUMERATIONS: Final[Mapping[type[Enum], EnumKind[Enum]]] = {
    type(next(iter(kind.members.values()))): kind for kind in stablehlo.ENUMERATIONS
}


# ---- to VHLO


def attribute_to_vhlo(attribute: Attribute, *, mixed: bool = False) -> Attribute:
    """The equivalent attribute of VHLO.

    Args:
        attribute: An attribute of MLIR or StableHLO.
        mixed: Whether attributes of other dialects stay as they are.

    Raises:
        NoCounterpart: There is none.
    """
    convert = TO_VHLO.get(type(attribute))
    converted = None if convert is None else convert(attribute, mixed)
    if converted is not None:
        return converted
    if mixed and not is_of_stablehlo(attribute):
        return attribute
    raise NoCounterpart(
        f"the attribute {abbreviate_attribute(attribute)} has no form in portable artifacts"
    )


def is_of_stablehlo(attribute: Attribute) -> bool:
    """Whether an attribute belongs to StableHLO itself."""
    if isinstance(attribute, EnumAttribute):
        return attribute.dialect == "stablehlo"
    return type(attribute).__module__ == stablehlo.__name__


def abbreviate_attribute(attribute: Attribute) -> str:
    """At most 60 characters of an attribute."""
    text = str(attribute)
    return text if len(text) <= 60 else f"{text[:57]}..."


def items_to_vhlo(items: Sequence[Attribute], mixed: bool) -> vhlo.ArrayV1:
    """An array of converted items."""
    return vhlo.ArrayV1(tuple([attribute_to_vhlo(item, mixed=mixed) for item in items]))


def elements_to_vhlo(attribute: DenseElementsAttribute, mixed: bool) -> Attribute:
    """The tensor; its type must have a counterpart."""
    to_vhlo(attribute.type, mixed=mixed)
    return vhlo.TensorV1(attribute)


def numbers_to_vhlo(attribute: DenseArrayAttribute, mixed: bool) -> Attribute | None:
    """``array<i64>`` and ``array<i1>`` as tensors with one dimension."""
    if attribute.element_type not in (I64, BOOLEAN):
        return None
    return tensor_of(tuple(map(int, attribute.values)), attribute.element_type)


@lru_cache(maxsize=MAXIMUM_CACHED)
def tensor_of(values: tuple[int, ...], element: IntegerType = I64) -> vhlo.TensorV1:
    """A tensor with one dimension."""
    tensor_type = TensorType((len(values),), element)
    return vhlo.TensorV1(dense_elements(tensor_type, np.array(values, element.dtype)))


def dictionary_to_vhlo(attribute: DictionaryAttribute, mixed: bool) -> Attribute:
    """The dictionary; its keys become strings of VHLO."""
    return vhlo.DictionaryV1(
        tuple(
            [
                (vhlo.StringV1(key), attribute_to_vhlo(value, mixed=mixed))
                for key, value in attribute.entries.items()
            ]
        )
    )


def integer_to_vhlo(attribute: IntegerAttribute, mixed: bool) -> Attribute:
    """The integer, or the boolean."""
    if attribute.type.is_boolean:
        return vhlo.BooleanV1(bool(attribute.value))
    return vhlo.IntegerV1(attribute.value, to_vhlo(attribute.type, mixed=mixed))


def string_to_vhlo(attribute: StringAttribute, mixed: bool) -> Attribute | None:
    """The string, if it has no type."""
    return vhlo.StringV1(attribute.value) if attribute.type is None else None


def symbol_to_vhlo(attribute: SymbolAttribute, mixed: bool) -> Attribute | None:
    """The name of a symbol as a string, unless it is nested."""
    return None if attribute.nested else vhlo.StringV1(attribute.root)


def member_to_vhlo(attribute: EnumAttribute, mixed: bool) -> Attribute | None:
    """The member of the enumeration of VHLO, if StableHLO's it is."""
    kind = vhlo.ENUMERATIONS.get(type(attribute.value))
    if kind is None or attribute.dialect != "stablehlo":
        return None
    return kind.attribute(attribute.value)


def accuracy_to_vhlo(attribute: ResultAccuracy, mixed: bool) -> Attribute:
    """Converts the requested accuracy of a result."""
    mode = vhlo.RESULT_ACCURACY_MODE.attribute(attribute.mode)
    return vhlo.ResultAccuracyV1(attribute.atol, attribute.rtol, attribute.ulps, mode)


def axis_to_vhlo(attribute: stablehlo.AxisRef, mixed: bool) -> Attribute:
    """An axis of a mesh, or a part of one."""
    part = attribute.sub_axis_info
    info = None if part is None else vhlo.SubAxisInfoV1(part.pre_size, part.size)
    return vhlo.AxisRefV1(vhlo.StringV1(attribute.name), info)


def mesh_to_vhlo(attribute: stablehlo.Mesh, mixed: bool) -> Attribute:
    """Converts the axes and device ids of a mesh."""
    devices = attribute.device_ids
    return vhlo.MeshV1(
        items_to_vhlo(attribute.axes, mixed), None if devices is None else vhlo.TensorV1(devices)
    )


def mesh_axes_to_vhlo(attribute: stablehlo.ReplicaGroupMeshAxes, mixed: bool) -> Attribute:
    """Groups along axes of a mesh."""
    mesh = attribute_to_vhlo(attribute.mesh, mixed=mixed)
    return vhlo.ReplicaGroupMeshAxesV1(mesh, items_to_vhlo(attribute.axes, mixed))


TO_VHLO: Final[Mapping[type[object], Callable[[Any, bool], Attribute | None]]] = {
    ArrayAttribute: lambda attribute, mixed: items_to_vhlo(attribute.items, mixed),
    DenseArrayAttribute: numbers_to_vhlo,
    DenseElementsAttribute: elements_to_vhlo,
    DictionaryAttribute: dictionary_to_vhlo,
    EnumAttribute: member_to_vhlo,
    FloatAttribute: lambda attribute, mixed: vhlo.FloatV1(
        attribute.bits, to_vhlo(attribute.type, mixed=mixed)
    ),
    IntegerAttribute: integer_to_vhlo,
    StringAttribute: string_to_vhlo,
    SymbolAttribute: symbol_to_vhlo,
    TypeAttribute: lambda attribute, mixed: vhlo.TypeV1(to_vhlo(attribute.type, mixed=mixed)),
    stablehlo.OutputOperandAlias: lambda attribute, mixed: vhlo.OutputOperandAliasV1(
        attribute.output_tuple_indices, attribute.operand_index, attribute.operand_tuple_indices
    ),
    ResultAccuracy: accuracy_to_vhlo,
    stablehlo.AxisRef: axis_to_vhlo,
    stablehlo.MeshAxis: lambda attribute, mixed: vhlo.MeshAxisV1(
        vhlo.StringV1(attribute.name), attribute.size
    ),
    stablehlo.Mesh: mesh_to_vhlo,
    stablehlo.ReplicaGroupMeshAxes: mesh_axes_to_vhlo,
}


# ---- from VHLO


def attribute_from_vhlo(attribute: Attribute) -> Attribute:
    """The equivalent of an attribute of VHLO; attributes of other dialects are kept.

    Raises:
        NoCounterpart: It is made of parts that make no attribute.
    """
    convert = FROM_VHLO.get(type(attribute))
    return attribute if convert is None else convert(attribute)


def expect(attribute: Attribute | None, cls: type[T]) -> T:
    """The attribute, which must be of a class.

    Raises:
        NoCounterpart: It is of another.
    """
    if isinstance(attribute, cls):
        return attribute
    raise NoCounterpart(f"{attribute} does not fit where it stands")


def array_from_vhlo(attribute: vhlo.ArrayV1) -> ArrayAttribute:
    """Converts each item of an array."""
    return ArrayAttribute(tuple([attribute_from_vhlo(item) for item in attribute.items]))


def dictionary_from_vhlo(attribute: vhlo.DictionaryV1) -> Attribute:
    """Converts each value of a dictionary, whose keys are sorted."""
    return DictionaryAttribute(
        {
            expect(key, vhlo.StringV1).value: attribute_from_vhlo(value)
            for key, value in attribute.entries
        }
    )


def float_from_vhlo(attribute: vhlo.FloatV1) -> Attribute:
    """Converts a floating-point number; other types have no counterpart."""
    number_type = builtin_number_type(attribute.type)
    if not isinstance(number_type, FloatType):
        raise NoCounterpart(f"{attribute.type} is no floating-point type")
    return FloatAttribute(attribute.bits, number_type)


def integer_from_vhlo(attribute: vhlo.IntegerV1) -> Attribute:
    """Converts an integer or index; other types have no counterpart."""
    number_type = builtin_number_type(attribute.type)
    if not isinstance(number_type, IntegerType | IndexType):
        raise NoCounterpart(f"{attribute.type} is no integer type")
    return IntegerAttribute(attribute.value, number_type)


def member_from_vhlo(attribute: EnumAttribute) -> Attribute:
    """The member of the enumeration of StableHLO."""
    kind = STABLEHLO_ENUMERATIONS.get(type(attribute.value))
    if kind is None or attribute.dialect != "vhlo":
        return attribute
    return kind.attribute(attribute.value)


def mode_of(attribute: Attribute) -> ResultAccuracyMode:
    """The mode of an accuracy."""
    value = expect(attribute, EnumAttribute).value
    if not isinstance(value, ResultAccuracyMode):
        raise NoCounterpart(f"{attribute} is no mode of an accuracy")
    return value


def axis_from_vhlo(attribute: vhlo.AxisRefV1) -> Attribute:
    """An axis of a mesh, or a part of one."""
    name = expect(attribute.name, vhlo.StringV1).value
    if attribute.sub_axis_info is None:
        return stablehlo.AxisRef(name)
    info = expect(attribute.sub_axis_info, vhlo.SubAxisInfoV1)
    return stablehlo.AxisRef(name, stablehlo.SubAxis(info.pre_size, info.size))


def mesh_from_vhlo(attribute: vhlo.MeshV1) -> Attribute:
    """Converts the axes and device ids of a mesh."""
    axes = array_from_vhlo(expect(attribute.axes, vhlo.ArrayV1)).items
    devices = attribute.device_ids
    return stablehlo.Mesh(
        tuple(expect(axis, stablehlo.MeshAxis) for axis in axes),
        None if devices is None else expect(devices, vhlo.TensorV1).elements,
    )


def mesh_axes_from_vhlo(attribute: vhlo.ReplicaGroupMeshAxesV1) -> Attribute:
    """Groups along axes of a mesh; a string is the name of a mesh."""
    mesh: stablehlo.Mesh | SymbolAttribute
    if isinstance(attribute.mesh, vhlo.StringV1):
        mesh = SymbolAttribute(attribute.mesh.value)
    else:
        mesh = expect(attribute_from_vhlo(attribute.mesh), stablehlo.Mesh)
    axes = array_from_vhlo(expect(attribute.axes, vhlo.ArrayV1)).items
    return stablehlo.ReplicaGroupMeshAxes(
        mesh, tuple(expect(axis, stablehlo.AxisRef) for axis in axes)
    )


FROM_VHLO: Final[Mapping[type[object], Callable[[Any], Attribute]]] = {
    vhlo.ArrayV1: array_from_vhlo,
    vhlo.BooleanV1: lambda attribute: TRUE if attribute.value else FALSE,
    vhlo.DictionaryV1: dictionary_from_vhlo,
    EnumAttribute: member_from_vhlo,
    vhlo.FloatV1: float_from_vhlo,
    vhlo.IntegerV1: integer_from_vhlo,
    vhlo.OutputOperandAliasV1: lambda attribute: stablehlo.OutputOperandAlias(
        attribute.output_tuple_indices, attribute.operand_index, attribute.operand_tuple_indices
    ),
    vhlo.StringV1: lambda attribute: StringAttribute(attribute.value),
    vhlo.TensorV1: lambda attribute: attribute.elements,
    vhlo.TypeV1: lambda attribute: TypeAttribute(from_vhlo(attribute.type)),
    vhlo.ResultAccuracyV1: lambda attribute: ResultAccuracy(
        attribute.atol, attribute.rtol, attribute.ulps, mode_of(attribute.mode)
    ),
    vhlo.AxisRefV1: axis_from_vhlo,
    vhlo.MeshAxisV1: lambda attribute: stablehlo.MeshAxis(
        expect(attribute.name, vhlo.StringV1).value, attribute.size
    ),
    vhlo.MeshV1: mesh_from_vhlo,
    vhlo.ReplicaGroupMeshAxesV1: mesh_axes_from_vhlo,
}


def integer(value: int) -> vhlo.IntegerV1:
    """A 64-bit integer of VHLO."""
    return vhlo.IntegerV1(value, VHLO_I64)
