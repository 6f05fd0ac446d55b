"""Operations on arrays of which some hold symbolic sizes: arrays of ``object``.

Elements that an operation moves are moved as numbers in their stead; others are computed one by
one by the function that the operation has for sizes (``Op.size_function``), without overflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import inf, prod

import numpy as np

from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.ir.definition import Op
from stablemate.numerics.elements import Array
from stablemate.numerics.size_arithmetic import SizeFunction
from stablemate.numerics.symbolic_sizes import SymbolicSize


def evaluate_on_sizes(operation: Op, operands: Sequence[Array]) -> Array | None:
    """The only result of an operation, as an array of objects; None if nothing is known of it.

    Args:
        operation: The operation.
        operands: The values of all operands, of which some hold symbolic sizes.

    Raises:
        SizeValueError: The value of a size is needed, or its sign.
        StablemateError: The operation breaks a rule for these values.
    """
    function = operation.size_function()
    if function is not None:
        return map_elements(function, operands)
    if isinstance(operation, Reduce):
        return reduce_sizes(operation, operands)
    moved = operation.moved_operands()
    return move_sizes(operation, moved, operands) if moved else None


def is_computed_on_sizes(operation: Op) -> bool:
    """Whether each element of the result is a function of elements of all operands."""
    return operation.size_function() is not None or moves_all_operands(operation)


def moves_all_operands(operation: Op) -> bool:
    """Whether the result consists of elements of operands whose places are no operands."""
    return len(operation.moved_operands()) == len(operation.operands) > 0


def map_elements(function: SizeFunction, operands: Sequence[Array]) -> Array | None:
    """A function of corresponding elements; an operand of one element stands beside each."""
    shape = max((operand.shape for operand in operands), key=len)
    length = prod(shape)
    columns = [operand.astype(object).reshape(-1).tolist() for operand in operands]
    rows = zip(
        *[column * length if len(column) == 1 else column for column in columns], strict=True
    )
    results = [function(*row) for row in rows]
    return None if any(result is None for result in results) else object_array(results, shape)


def move_sizes(operation: Op, moved: Sequence[int], operands: Sequence[Array]) -> Array | None:
    """The result of an operation that moves elements; None if sizes say where to.

    Numbers of elements are moved in their stead, since not every operation takes objects.
    """
    if any(x.dtype == object for i, x in enumerate(operands) if i not in moved):
        return None
    pool = [item for i in moved for item in operands[i].astype(object).reshape(-1).tolist()]
    numbers = list(operands)
    first = 0
    for i in moved:
        numbers[i] = np.arange(first, first + operands[i].size).reshape(operands[i].shape)
        first += operands[i].size
    places = np.asarray(operation.evaluate(*numbers))
    return object_array([pool[place] for place in places.reshape(-1).tolist()], places.shape)


def reduce_sizes(operation: Reduce, operands: Sequence[Array]) -> Array | None:
    """The result of a reduction of one tensor by one operation that has a function of sizes."""
    first, *others = operation.regions[0].block.operations
    function = first.size_function() if isinstance(first, Op) else None
    if len(operands) != 2 or len(others) != 1 or function is None:
        return None
    values, init = operands
    dimensions = tuple(operation.dimensions)
    kept = [d for d in range(values.ndim) if d not in dimensions]
    rows = values.astype(object).transpose([*kept, *dimensions])
    shape = rows.shape[: len(kept)]
    start = init.astype(object).item()
    starts = [] if start in (inf, -inf) else [start]  # of the smallest or largest float
    groups = rows.reshape((prod(shape), -1)).tolist()
    flat = [reduce(function, [*starts, *map(as_integer, group)]) for group in groups]
    return None if any(result is None for result in flat) else object_array(flat, shape)


def as_integer(number: object) -> object:
    """A float without a fraction as an integer, which compares with sizes."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def object_array(items: Sequence[object], shape: Sequence[int]) -> Array:
    """Items in an array of objects; NumPy never asks for the value of a size."""
    array: Array = np.empty(len(items), object)
    for position, item in enumerate(items):
        array[position] = item
    return array.reshape(shape)


def holds_sizes(array: Array) -> bool:
    """Whether some elements of an array are symbolic sizes."""
    return array.dtype == object and any(isinstance(x, SymbolicSize) for x in array.reshape(-1))
