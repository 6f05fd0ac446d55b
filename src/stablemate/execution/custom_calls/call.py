"""TargetCall: the attributes and types of a custom call."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.dialects.stablehlo.attributes import OutputOperandAlias
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.attributes import (
    ArrayAttribute,
    DenseArrayAttribute,
    DenseElementsAttribute,
    DictionaryAttribute,
    FloatAttribute,
    IntegerAttribute,
    StringAttribute,
    SymbolAttribute,
    TypeAttribute,
    UnitAttribute,
)
from stablemate.ir.core import Operation, Region
from stablemate.ir.kinds import EnumAttribute
from stablemate.ir.types import Attribute, Type
from stablemate.numerics.elements import Array, FloatType
from stablemate.numerics.literal_data import is_raw

# The dictionary of a typed call, where the operation itself may hold a string only.
TYPED_CONFIG: Final = "mhlo.backend_config"


@dataclass(frozen=True, slots=True)
class CallableComputation:
    """A function of the program that a custom call may call.

    Attributes:
        name: Its name.
        body: What it consists of.
        function: Arguments to the tuple of results.
    """

    name: str
    body: Region
    function: Callable[..., tuple[Any, ...]]

    def __call__(self, *arguments: Any) -> tuple[Any, ...]:
        """The results for these arguments."""
        return self.function(*arguments)


@dataclass(frozen=True, slots=True)
class TargetCall:
    """The attributes and types of a custom call.

    Attributes:
        target: The name that is called.
        operand_types: Types of the operands as declared; a size that is known only at run time
            is -1.
        result_types: Types of the results as declared.
        config: The entries of ``backend_config`` as Python values: of a dictionary, or of a string
            that holds a JSON object. Integers, floats, booleans and strings are themselves, arrays
            are tuples, literals are NumPy arrays.
        opaque: ``backend_config`` where it is a string; else empty.
        dictionary: ``backend_config`` where it is a dictionary, with the types of its entries.
        attributes: Attributes that are no part of the operation's definition, as Python values.
        computations: The functions of ``called_computations``.
        aliases: Which parts of the results stand for which parts of the operands.
        has_side_effect: Whether the call does more than to compute its results.
        api_version: Version of the calling convention.
        limits: The limits of the run, which results must keep.
    """

    target: str
    operand_types: tuple[Type, ...] = ()
    result_types: tuple[Type, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict[str, object])
    opaque: str = ""
    attributes: Mapping[str, Any] = field(default_factory=dict[str, object])
    computations: tuple[CallableComputation, ...] = ()
    aliases: tuple[OutputOperandAlias, ...] = ()
    has_side_effect: bool = False
    api_version: int = 1
    dictionary: DictionaryAttribute | None = None
    limits: Limits = DEFAULT_LIMITS

    @property
    def rule(self) -> str:
        """The name of the call in diagnostics."""
        return f"stablehlo.custom_call @{self.target}"

    def error(self, message: str, **values: object) -> EvaluationError:
        """An error of this call; the executor adds its place."""
        return EvaluationError(Diagnostic(message, rule=self.rule, values=values))


Target: TypeAlias = Callable[[Sequence[Any], TargetCall], Any]


def target_call(
    operation: Operation,
    computations: Sequence[CallableComputation],
    limits: Limits = DEFAULT_LIMITS,
) -> TargetCall:
    """The attributes and types of an operation."""
    assert isinstance(operation, CustomCall)
    config = operation.backend_config
    text = config if isinstance(config, str) else ""
    others = {name: python_value(value) for name, value in operation.discardable.items()}
    others.pop(TYPED_CONFIG, None)
    dictionary = config if isinstance(config, DictionaryAttribute) else None
    if dictionary is None:
        outside = operation.discardable.get(TYPED_CONFIG)
        dictionary = outside if isinstance(outside, DictionaryAttribute) else None
    typed = None if dictionary is None else python_value(dictionary)
    return TargetCall(
        operation.call_target_name,
        tuple(value.type for value in operation.operands),
        tuple(value.type for value in operation.results),
        json_object(text) if typed is None else typed,
        text,
        others,
        tuple(computations),
        tuple(operation.output_operand_aliases),
        operation.has_side_effect,
        operation.api_version,
        dictionary,
        limits,
    )


def json_object(text: str) -> Mapping[str, Any]:
    """The entries of a JSON object; none if the text is anything else."""
    if not text.lstrip().startswith("{"):
        return {}
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast(Mapping[str, Any], parsed)


def tensors_in(values: Sequence[object]) -> list[Array]:
    """Those of some values that are tensors."""
    return [cast(Array, value) for value in values if isinstance(value, np.ndarray)]


def python_value(attribute: Attribute) -> Any:
    """An attribute as a Python value; itself if there is none that stands for it."""
    match attribute:
        case IntegerAttribute(value, integer_type):
            return bool(value) if integer_type.is_boolean else value
        case FloatAttribute(_, float_type) if not float_type.has_storage:
            return attribute
        case FloatAttribute() | StringAttribute() | EnumAttribute():
            return attribute.value
        case ArrayAttribute(items):
            return tuple(python_value(item) for item in items)
        case DictionaryAttribute():
            return {name: python_value(value) for name, value in attribute.items()}
        case DenseElementsAttribute() if not is_raw(attribute.data.dtype):
            return attribute.array
        case DenseArrayAttribute(element_type=FloatType(has_storage=False)):
            return attribute
        case DenseArrayAttribute():
            return attribute.numbers
        case TypeAttribute():
            return attribute.type
        case SymbolAttribute():
            return attribute.root
        case UnitAttribute():
            return True
        case _:
            return attribute
