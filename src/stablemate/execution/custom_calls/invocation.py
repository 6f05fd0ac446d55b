"""Prepares custom calls: finds the target, passes the operands, checks the results.

Every executor calls targets through here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, cast

import numpy as np

from stablemate.diagnostics.errors import ArgumentError, StablemateError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.execution.custom_calls.call import (
    CallableComputation,
    Target,
    TargetCall,
    target_call,
)
from stablemate.execution.custom_calls.native import NativeFunction
from stablemate.execution.custom_calls.registered import REGISTERED
from stablemate.execution.custom_calls.registry import BUILT_IN, unknown_target
from stablemate.execution.signature import as_array, kind_of, shape_fits, text_of
from stablemate.ir.core import Operation
from stablemate.ir.types import DYNAMIC, MemRefType, TensorType, TokenType, TupleType, Type
from stablemate.numerics.elements import Array

# Numbers of the operands that hold nothing but the shapes of the results, where those are dynamic.
MAX_SHAPE_OPERANDS: Final = 1 << 16  # of one call
SHAPE_OPERANDS: Final = "indices_of_shape_operands"


def prepare_call(
    operation: Operation,
    computations: Sequence[CallableComputation],
    limits: Limits = DEFAULT_LIMITS,
) -> Callable[..., object]:
    """The function that calls the target of a custom call.

    Args:
        operation: The custom call.
        computations: The functions of its ``called_computations``.
        limits: The limits of the run.

    Returns:
        A function of the operands to the results, one as itself. It looks the target up when it is
        called, and raises what is wrong then: a call in a branch that is not taken needs no target.
    """
    call = target_call(operation, computations, limits)
    shape_operands = shape_operands_of(call)
    types = tuple(t for i, t in enumerate(call.operand_types) if i not in shape_operands)
    call = replace(call, operand_types=types)

    def invoke(*operands: object) -> object:
        arrays = [as_arrays(operand) for operand in operands]
        if not shape_operands:
            return call_target(call, arrays)
        call_with_shapes = with_result_shapes(call, [arrays[i] for i in shape_operands])
        return call_target(
            call_with_shapes, [x for i, x in enumerate(arrays) if i not in shape_operands]
        )

    return invoke


def call_target(call: TargetCall, operands: Sequence[object]) -> object:
    """The results of a call.

    Raises:
        UnsupportedError: Nothing is known by the name of the target.
        EvaluationError: The target refuses its operands, or its results are of other types.
    """
    function = REGISTERED.get(call.target)
    if isinstance(function, NativeFunction):
        return checked_results(function(operands, call), call)
    if function is not None:
        return copy_value(
            checked_results(with_location(function, copy_unless_owned(operands, call), call), call)
        )
    if call.target not in BUILT_IN:
        raise unknown_target(call)
    return checked_results(without_tuples(BUILT_IN[call.target], operands, call), call)


def without_tuples(function: Target, operands: Sequence[object], call: TargetCall) -> object:
    """The results of a target that takes the leaves of tuples as operands and results."""
    types = (*call.operand_types, *call.result_types)
    if not any(isinstance(value_type, TupleType) for value_type in types):
        return function(operands, call)
    flat_call = replace(
        call,
        operand_types=leaf_types(call.operand_types),
        result_types=leaf_types(call.result_types),
    )
    outcome = function(leaf_values(operands), flat_call)
    leaves = iter(values_of(outcome, flat_call))
    packed = tuple(pack(leaves, value_type) for value_type in call.result_types)
    rest = tuple(leaves)
    return packed[0] if len(packed) == 1 and not rest else (*packed, *rest)


def leaf_types(types: Sequence[Type]) -> tuple[Type, ...]:
    """The types with those of their elements in the place of tuples."""
    return tuple(
        leaf
        for value_type in types
        for leaf in (
            leaf_types(value_type.types) if isinstance(value_type, TupleType) else (value_type,)
        )
    )


def leaf_values(values: Sequence[object]) -> list[object]:
    """The values with their elements in the place of tuples."""
    return [
        leaf
        for value in values
        for leaf in (
            leaf_values(cast(Sequence[object], value)) if isinstance(value, tuple) else (value,)
        )
    ]


def pack(leaves: Iterator[object], value_type: Type) -> object:
    """The next value of a type, a tuple from its leaves; None where there are no more."""
    if isinstance(value_type, TupleType):
        return tuple(pack(leaves, inner) for inner in value_type.types)
    return next(leaves, None)


def shape_operands_of(call: TargetCall) -> list[int]:
    """Which operands hold the shapes of the results, in their order."""
    attribute = call.attributes.get(SHAPE_OPERANDS)
    if not isinstance(attribute, np.ndarray) or attribute.size > MAX_SHAPE_OPERANDS:
        return []
    count = len(call.operand_types)
    return [
        position
        for position in cast(Array, attribute).reshape(-1).tolist()
        if 0 <= position < count
    ]


def with_result_shapes(call: TargetCall, shapes: Sequence[object]) -> TargetCall:
    """The call with results of the shapes that have arrived, if there is one for each."""
    types = call.result_types
    if len(shapes) != len(types):
        return call
    pairs = zip(types, shapes, strict=True)
    return replace(
        call,
        result_types=tuple(with_static_sizes(result_type, shape) for result_type, shape in pairs),
    )


def with_static_sizes(value_type: Type, shape: Any) -> Type:
    """A tensor type with the sizes that it leaves open; another type as it is."""
    if not isinstance(value_type, TensorType) or np.shape(shape) != (value_type.rank,):
        return value_type
    pairs = zip(value_type.shape, shape.tolist(), strict=True)
    sizes = [max(int(actual), DYNAMIC) if size == DYNAMIC else size for size, actual in pairs]
    return TensorType(tuple(sizes), value_type.element_type)


def as_arrays(value: object) -> object:
    """A value in which scalars are arrays of rank 0."""
    if isinstance(value, tuple):
        return tuple(map(as_arrays, cast(Sequence[object], value)))
    return np.asarray(cast(object, value)) if isinstance(value, np.generic) else value


def copy_unless_owned(operands: Sequence[object], call: TargetCall) -> list[object]:
    """Operands that a function may not change, or that are its own if a result stands for them."""
    aliased = {alias.operand_index for alias in call.aliases}
    return [
        copy_value(operand) if i in aliased else read_only(operand)
        for i, operand in enumerate(operands)
    ]


def read_only(value: object) -> object:
    """A view that cannot be written."""
    if isinstance(value, tuple):
        return tuple(map(read_only, cast(Sequence[object], value)))
    if not isinstance(value, np.ndarray):
        return value
    view = cast(Array, value).view()
    view.flags.writeable = False
    return view


def copy_value(value: object) -> object:
    """A value whose arrays are its own."""
    if isinstance(value, tuple):
        return tuple(map(copy_value, cast(Sequence[object], value)))
    return cast(Array, value).copy() if isinstance(value, np.ndarray) else value


def with_location(
    function: Callable[..., object], operands: Sequence[object], call: TargetCall
) -> object:
    """The results of a user's function.

    Raises:
        EvaluationError: It raised something; that is the cause of the error.
    """
    try:
        return function(operands, call)
    except (StablemateError, MemoryError):
        raise
    except Exception as error:
        kind = type(error).__name__
        raise call.error(f"the target raised {kind}: {error}".rstrip(": ")) from error


def checked_results(outcome: object, call: TargetCall) -> object:
    """The results, each of its declared type: one as itself, several as a tuple.

    Raises:
        EvaluationError: There are more or fewer, or one is of another type.
    """
    types = call.result_types
    values = values_of(outcome, call)
    if len(values) != len(types):
        raise call.error(
            "the target returns as many values as the call has results",
            returned=len(values),
            results=len(types),
        )
    results = tuple(
        check_result(value, value_type, f"result {i}", call)
        for i, (value, value_type) in enumerate(zip(values, types, strict=True))
    )
    return results[0] if len(results) == 1 else results


def values_of(outcome: object, call: TargetCall) -> Sequence[object]:
    """The results of a target, as one value for each result."""
    types = call.result_types
    if outcome is None and not types:
        return ()
    is_one_tuple = len(types) == 1 and isinstance(types[0], TupleType)
    if isinstance(outcome, tuple) and not is_one_tuple:
        return cast(Sequence[object], outcome)
    if isinstance(outcome, list) and len(types) != 1:
        return cast(Sequence[object], outcome)
    return (cast(Any, outcome),)


def check_result(value: object, expected: Type, what: str, call: TargetCall) -> object:
    """A result, if it is of its type; ``what`` names it in errors."""
    match expected:
        case TensorType():
            return checked_array(value, expected, what, call)
        case MemRefType(shape=shape, element_type=element):
            if shape is None:
                raise call.error(f"{what} has no rank", type=expected)
            return checked_array(value, TensorType(shape, element), what, call)
        case TupleType(types):
            is_tuple = isinstance(value, tuple | list)
            parts = cast(Sequence[object], value) if is_tuple else ()
            if len(parts) != len(types):
                raise call.error(f"{what} is a tuple", expected=expected, returned=len(parts))
            pairs = enumerate(zip(parts, types, strict=True))
            return tuple(check_result(v, t, f"element {i} of {what}", call) for i, (v, t) in pairs)
        case TokenType():
            if value is not None:
                kind = type(value).__name__
                raise call.error(f"{what} is a token: None", returned=kind)
            return None
        case _:
            raise call.error(f"{what} has a type that no target returns", type=expected)


def checked_array(value: object, expected: TensorType, what: str, call: TargetCall) -> Array:
    """An array, if it has the element type and the shape of a tensor type.

    Raises:
        EvaluationError: It has not.
    """
    try:
        array = as_array(value, expected, what)
    except ArgumentError as error:
        raise call.error(error.diagnostics[0].message) from None
    if array.dtype != expected.element_type.dtype or not shape_fits(array.shape, expected):
        returned = kind_of(value) if array.dtype.kind in "OSU" else text_of(array)
        raise call.error(f"{what} has its declared type", expected=expected, returned=returned)
    return array
