"""What is known of values while a program is built: constants, and integers made of sizes.

Nothing is computed until it is asked for. Then the operations that a value comes from are
evaluated, on arrays of numbers by the definition of each operation; on arrays that hold symbolic
sizes, whose elements are objects, by the same movements and Python's arithmetic.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from math import inf, prod
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.ir.core import BlockArgument, Operation, OpResult, Value
from stablemate.ir.definition import Op, unpack_results
from stablemate.ir.types import Type
from stablemate.numerics.elements import Array, FloatType, IntegerType
from stablemate.numerics.symbolic_sizes import (
    SizeLike,
    SizeValueError,
    SymbolicSize,
    proven_nonnegative,
)

Function = Callable[..., Any]
MOST_ELEMENTS: Final = 1 << 22  # of an array that is evaluated
MOVEMENTS: Final = frozenset(
    f"stablehlo.{name}"
    for name in (
        "broadcast_in_dim", "concatenate", "dynamic_slice", "gather", "reshape", "reverse",
        "slice", "transpose", "dynamic_gather", "dynamic_reshape", "dynamic_broadcast_in_dim",
        "real_dynamic_slice", "dynamic_update_slice", "pad",
    )
)  # fmt: skip

# How many operands, the first ones, have elements that are moved: all for 0, else one.
MOVED_OPERANDS: Final = {
    "stablehlo.concatenate": 0, "stablehlo.dynamic_update_slice": 2, "stablehlo.pad": 2,
}  # fmt: skip


def quotient(dividend: SizeLike, divisor: SizeLike) -> SizeLike:
    """A quotient of integers, rounded towards zero."""
    if isinstance(dividend, int) and isinstance(divisor, int):
        whole = abs(dividend) // abs(divisor)
        return whole if (dividend < 0) == (divisor < 0) else -whole
    return dividend // divisor


def difference(one: SizeLike, other: SizeLike) -> SizeLike:
    """A size less another one, whose sign is known or may be assumed.

    Raises:
        SizeValueError: The sign depends on a size that only a run knows.
    """
    gap = one - other
    if isinstance(gap, SymbolicSize) and gap.assumptions.is_counted(gap):
        is_decided = proven_nonnegative(gap) or proven_nonnegative(-gap - 1)
        if not is_decided:
            raise SizeValueError(f"the sign of {gap} is needed")
    return gap


def larger(one: SizeLike, other: SizeLike) -> SizeLike:
    """The larger of two sizes."""
    return one if difference(one, other) >= 0 else other


def smaller(one: SizeLike, other: SizeLike) -> SizeLike:
    """The smaller of two sizes."""
    return one if difference(one, other) <= 0 else other


def chosen(condition: object, one: SizeLike, other: SizeLike) -> SizeLike:
    """One of two sizes."""
    return one if condition else other


def bounded(low: SizeLike, x: SizeLike, high: SizeLike) -> SizeLike:
    """A size that is not below or above bounds."""
    return smaller(larger(low, x), high)


# Arithmetic of elements that are sizes.
ARITHMETIC: Final[Mapping[str, Function]] = {
    "stablehlo.add": operator.add,
    "stablehlo.subtract": operator.sub,
    "stablehlo.multiply": operator.mul,
    "stablehlo.divide": quotient,
    "stablehlo.remainder": operator.mod,
    "stablehlo.maximum": larger,
    "stablehlo.minimum": smaller,
    "stablehlo.negate": operator.neg,
    "stablehlo.abs": abs,
    "stablehlo.select": chosen,
    "stablehlo.clamp": bounded,
}
# Those of floats that give one of their operands.
SELECTIONS: Final = frozenset({"stablehlo.maximum", "stablehlo.minimum"})
COMPARISONS: Final[Mapping[ComparisonDirection, Callable[[Any, Any], bool]]] = {
    ComparisonDirection.EQ: operator.eq,
    ComparisonDirection.NE: operator.ne,
    ComparisonDirection.LT: operator.lt,
    ComparisonDirection.LE: operator.le,
    ComparisonDirection.GT: operator.gt,
    ComparisonDirection.GE: operator.ge,
}


class KnownValues:
    """What is known of the values of a program under construction."""

    def __init__(self) -> None:
        self._arrays: dict[Value[Type], Array | None] = {}

    def array(self, x: Tensor) -> Array | None:
        """The elements of a tensor; of type object where some are sizes; None if unknown."""
        arrays = self._arrays
        pending: list[tuple[Value[Any], bool]] = [(x.value, False)]
        while pending:
            value, is_ready = pending.pop()
            if value in arrays:
                continue
            size = x.graph.size_of(value)
            if size is not None:
                arrays[value] = object_array([size], ())
            elif not isinstance(value, OpResult) or value.operation.definition.terminator:
                arrays[value] = None
            elif is_ready:
                self.evaluate(value.operation)
            else:
                pending.append((value, True))
                pending += [(operand, False) for operand in value.operation.operands]
        return arrays[x.value]

    def evaluate(self, operation: Operation) -> None:
        """Notes the results of an operation whose operands have been looked at."""
        operands = [self._arrays[operand] for operand in operation.operands]
        results: Sequence[Array | None] = [None] * len(operation.results)
        if all(operand is not None for operand in operands) and is_small(operation):
            known = [operand for operand in operands if operand is not None]
            try:
                with np.errstate(all="ignore"):
                    results = evaluated(operation, known)
            except (StablemateError, SizeValueError, TypeError, ZeroDivisionError):
                pass  # it is unknown, and will be said when the program runs
        self._arrays.update(zip(operation.results, results, strict=True))

    def arguments_of(self, value: Value[Type]) -> list[BlockArgument[Type]]:
        """The arguments that a value depends on."""
        seen, pending = {value}, [value]
        found: list[BlockArgument[Type]] = []
        while pending:
            match pending.pop():
                case BlockArgument() as argument:
                    found.append(argument)
                case OpResult(operation=source):
                    inner = [v for op in source.walk() for v in op.operands if v not in seen]
                    seen.update(inner)
                    pending += inner
                case _:
                    pass
        return found


def is_small(operation: Operation) -> bool:
    """Whether the results have few enough elements to be evaluated."""
    return all(
        not value.type.is_static or value.type.size <= MOST_ELEMENTS for value in operation.results
    )


def evaluated(operation: Operation, operands: Sequence[Array]) -> Sequence[Array | None]:
    """The results of an operation; None of those that cannot be evaluated."""
    assert isinstance(operation, Op)
    if any(operand.dtype == object for operand in operands):
        return [evaluated_sizes(operation, operands)]
    if operation.name == "stablehlo.reduce":
        return [reduced(operation, operands)]
    if operation.regions:
        return [None] * len(operation.results)
    results = unpack_results(operation.evaluate(*operands), len(operation.results))
    return [np.asarray(result) for result in results]


def evaluated_sizes(operation: Op, operands: Sequence[Array]) -> Array | None:
    """The result of an operation on arrays of which some hold sizes."""
    name = operation.name
    if name in MOVEMENTS:
        return moved(operation, operands)
    if name == "stablehlo.convert":
        return operands[0] if is_integer(operation) or is_wide_float(operation) else None
    if is_wide_float(operation) and not is_selection(operation):
        return None  # arithmetic here is that of integers
    if name == "stablehlo.reduce":
        return reduced(operation, operands)
    function: Function | None = ARITHMETIC.get(name)
    if isinstance(operation, Compare):
        function = COMPARISONS[operation.comparison_direction]
    if function is None:
        return None
    columns = [operand.astype(object).reshape(-1).tolist() for operand in operands]
    length = max(map(len, columns))
    rows = zip(
        *[column * length if len(column) == 1 else column for column in columns], strict=True
    )
    shape = max((operand.shape for operand in operands), key=len)
    return without_objects(object_array([function(*row) for row in rows], shape), operation)


def is_integer(operation: Op) -> bool:
    """Whether the result of an operation has integers that sizes fit in."""
    element = operation.results[0].type.element_type
    return isinstance(element, IntegerType) and element.width >= 32


def is_wide_float(operation: Op) -> bool:
    """Whether the result of an operation has floats that hold sizes without rounding."""
    element = operation.results[0].type.element_type
    return isinstance(element, FloatType) and element.bits >= 32


def is_selection(operation: Op) -> bool:
    """Whether the elements of a result are elements of the operands."""
    if operation.name == "stablehlo.reduce":
        return operation.regions[0].block.operations[0].name in SELECTIONS
    return operation.name in SELECTIONS


def moved(operation: Op, operands: Sequence[Array]) -> Array | None:
    """The result of an operation that only moves elements; places must be numbers.

    Numbers of elements are moved in their stead, since not every movement takes objects.
    """
    count = MOVED_OPERANDS.get(operation.name, 1) or len(operands)
    if any(operand.dtype == object for operand in operands[count:]):
        return None
    pool = [item for x in operands[:count] for item in x.astype(object).reshape(-1).tolist()]
    numbers: list[Array] = []
    for x in operands[:count]:
        first = sum(number.size for number in numbers)
        numbers.append(np.arange(first, first + x.size).reshape(x.shape))
    places = np.asarray(operation.evaluate(*numbers, *operands[count:]))
    items = [pool[place] for place in places.reshape(-1).tolist()]
    return without_objects(object_array(items, places.shape), operation)


def reduced(operation: Op, operands: Sequence[Array]) -> Array | None:
    """The result of a reduction of one tensor by an operation on sizes."""
    body = operation.regions[0].block
    function: Function | None = ARITHMETIC.get(body.operations[0].name)
    if len(operands) != 2 or len(body.operations) != 2 or function is None:
        return None
    values, init = operands
    assert isinstance(operation, Reduce)
    dimensions = tuple(operation.dimensions)
    kept = [d for d in range(values.ndim) if d not in dimensions]
    rows = values.astype(object).transpose([*kept, *dimensions])
    shape = rows.shape[: len(kept)]
    start = init.astype(object).item()
    starts = [] if start in (inf, -inf) else [start]  # of the smallest or largest float
    groups = rows.reshape((prod(shape), -1)).tolist()
    flat = [reduce(function, [*starts, *map(whole, group)]) for group in groups]
    return without_objects(object_array(flat, shape), operation)


def whole(number: object) -> object:
    """A float without a fraction as an integer, which compares with sizes."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def object_array(items: Sequence[object], shape: Sequence[int]) -> Array:
    """An array of objects; NumPy never asks for the value of a size."""
    array: Array = np.empty(len(items), object)
    for position, item in enumerate(items):
        array[position] = item
    return array.reshape(shape)


def without_objects(array: Array, operation: Op) -> Array:
    """The array in the type of the result, if none of its elements is a size."""
    if array.dtype != object or any(isinstance(x, SymbolicSize) for x in array.reshape(-1)):
        return array
    return array.astype(operation.results[0].type.element_type.dtype)
