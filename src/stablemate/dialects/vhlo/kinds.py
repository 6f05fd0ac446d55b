"""Kinds of attributes of VHLO. On an instance an attribute is itself."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, cast

from stablemate.dialects.vhlo import attributes as vhlo
from stablemate.dialects.vhlo.types import NONE, FunctionV1Type, PlainV1Type, VhloType
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.kinds import AttributeKind, EnumAttribute, EnumKind, TypeConstraint
from stablemate.ir.types import Attribute, Type
from stablemate.numerics.elements import BOOLEAN as BOOLEAN_TYPE
from stablemate.numerics.elements import I64 as I64_TYPE
from stablemate.numerics.elements import ElementType

Accepts = Callable[[Attribute], bool]


def kind(description: str, accepts: Accepts) -> AttributeKind[Attribute]:
    """Attributes that are their own values."""
    return AttributeKind(
        description,
        accepts,
        lambda attribute: cast(Attribute, attribute),
        lambda value: cast(Attribute, value),
    )


def instances(description: str, cls: type[Attribute]) -> AttributeKind[Attribute]:
    """All attributes of a class."""
    return kind(description, lambda a: isinstance(a, cls))


def any_of(*kinds: AttributeKind[Attribute]) -> AttributeKind[Attribute]:
    """Attributes of any of these kinds."""
    names = " or ".join(member.description for member in kinds)
    return kind(names, lambda a: any(member.accepts(a) for member in kinds))


def integers(name: str) -> AttributeKind[Attribute]:
    """Returns the kind of attributes that hold an integer of one type."""
    element_type = PlainV1Type(name)
    return kind(
        f"{name} integer", lambda a: isinstance(a, vhlo.IntegerV1) and a.type == element_type
    )


def tensors(element: ElementType) -> AttributeKind[Attribute]:
    """Tensors of one element type; their ranks are checked when they become StableHLO."""
    return kind(
        f"tensor of {element}",
        lambda a: isinstance(a, vhlo.TensorV1) and a.elements.type.element_type == element,
    )


def lists(item: AttributeKind[Attribute]) -> AttributeKind[Attribute]:
    """Arrays of one kind of items."""
    return kind(
        f"array of {item.description}",
        lambda a: isinstance(a, vhlo.ArrayV1) and all(item.accepts(value) for value in a.items),
    )


def members(enumeration: EnumKind[Enum]) -> AttributeKind[Attribute]:
    """Members of an enumeration of VHLO."""
    name = enumeration.attribute(next(iter(enumeration.members.values())))
    mnemonic = cast(EnumAttribute, name).mnemonic
    return kind(
        mnemonic.removesuffix("_v1"),
        lambda a: isinstance(a, EnumAttribute) and (a.dialect, a.mnemonic) == ("vhlo", mnemonic),
    )


ANY: Final = kind("attribute", lambda a: True)
BOOLEAN: Final = instances("boolean", vhlo.BooleanV1)
STRING: Final = instances("string", vhlo.StringV1)
SYMBOL_NAME: Final = any_of(STRING, instances("string of MLIR", StringAttribute))
TENSOR: Final = instances("tensor", vhlo.TensorV1)
DICTIONARY: Final = instances("dictionary", vhlo.DictionaryV1)
ARRAY: Final = instances("array", vhlo.ArrayV1)
I64: Final = integers("i64")
I32: Final = integers("i32")
INTEGER: Final = any_of(I32, I64)
F32: Final = kind(
    "f32 number", lambda a: isinstance(a, vhlo.FloatV1) and a.type == PlainV1Type("f32")
)
NUMBERS: Final = tensors(I64_TYPE)
FLAGS: Final = tensors(BOOLEAN_TYPE)
GROUPS: Final = any_of(NUMBERS, instances("mesh axes", vhlo.ReplicaGroupMeshAxesV1))
TENSOR_GROUPS: Final = any_of(TENSOR, GROUPS)  # of any rank, which StableHLO only warns about
STRINGS: Final = lists(STRING)
DICTIONARIES: Final = lists(DICTIONARY)
LAYOUTS: Final = lists(TENSOR)
ALIASES: Final = lists(instances("output operand alias", vhlo.OutputOperandAliasV1))
CONFIG: Final = any_of(STRING, DICTIONARY)
PRECISIONS: Final = lists(members(vhlo.PRECISION))
DIRECTION: Final = members(vhlo.COMPARISON_DIRECTION)
COMPARISON: Final = members(vhlo.COMPARISON_TYPE)
API_VERSION: Final = members(vhlo.API_VERSION)
FFT: Final = members(vhlo.FFT_TYPE)
ALGORITHM: Final = members(vhlo.RNG_ALGORITHM)
DISTRIBUTION: Final = members(vhlo.RNG_DISTRIBUTION)
TRANSPOSE: Final = members(vhlo.TRANSPOSE)
ACCURACY: Final = instances("result accuracy", vhlo.ResultAccuracyV1)
TYPE: Final = instances("type", vhlo.TypeV1)
FUNCTION_TYPE: Final = kind(
    "function type", lambda a: isinstance(a, vhlo.TypeV1) and isinstance(a.type, FunctionV1Type)
)
ABSENT: Final = kind("none type", lambda a: isinstance(a, vhlo.TypeV1) and a.type == NONE)
I64_OR_ABSENT: Final = any_of(I64, ABSENT)
BOOLEAN_OR_ABSENT: Final = any_of(BOOLEAN, ABSENT)

VALUE: Final[TypeConstraint[Type]] = TypeConstraint(
    "value of VHLO", lambda candidate: isinstance(candidate, VhloType)
)
