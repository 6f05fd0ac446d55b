"""Custom calls on batches of matrices: operands are checked, then each matrix is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from math import prod
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.execution.custom_calls.call import Target, TargetCall, tensors_in
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array, DType

INDICES: Final = "i32 "  # before the dimensions of an operand of integers
# The frontend attribute of a call on a part of a batch: how many matrices the batch has in all.
WHOLE_BATCH: Final = "stablemate.whole_batch"

Options: TypeAlias = dict[str, Any]
Sizes: TypeAlias = Mapping[str, int]
Shape: TypeAlias = tuple[int, ...]
Results: TypeAlias = Sequence[Array | None]
OneMatrix: TypeAlias = Callable[..., tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Routine:
    """The routine that is called for each matrix of a batch.

    Attributes:
        function: The operands for one matrix, and options as keywords, to one value per result:
            None for one that is undefined.
        operands: The dimensions of each operand behind the batch; equal letters are equal sizes.
        options: What each option in ``backend_config`` may be: letters, or a type.
        condition: What else holds, as a formula and a predicate of sizes and options.
        factors: Options that are scalars of the element type behind the operands, if they are
            there.
        may_be_zero: The sizes with which there are results though an operand is empty.
    """

    function: OneMatrix
    operands: tuple[str, ...]
    options: Mapping[str, str | type] = field(default_factory=dict[str, "str | type"])
    condition: tuple[str, Callable[[Sizes, Options], bool]] | None = None
    factors: tuple[str, ...] = ()
    may_be_zero: str = ""

    @property
    def dimensions(self) -> list[list[str]]:
        """The letters of the dimensions of each operand."""
        return [operand.removeprefix(INDICES).split() for operand in self.operands]


def target(routine: Routine, dtype: DType) -> Target:
    """The custom call of a routine for one element type."""

    def run(operands: Sequence[object], call: TargetCall) -> tuple[Array, ...]:
        count = len(routine.operands)
        factors = factors_of(routine, operands[count:], call)
        matrices = [*operands[:count], *operands[count + len(factors) :]]
        options = options_of(routine, call.config, call) | factors
        return complete_results(*solve_batch(routine, matrices, options, dtype, call), call)

    return run


def factors_of(routine: Routine, operands: Sequence[Any], call: TargetCall) -> Options:
    """The options among some operands.

    Raises:
        EvaluationError: One is no scalar.
    """
    factors = dict(zip(routine.factors, operands, strict=False))
    for name, value in factors.items():
        if np.shape(value) != () or not tensors_in([value]):
            raise call.error(f"{name} is a scalar", shape=np.shape(value))
    return {name: value[()] for name, value in factors.items()}


def options_of(routine: Routine, config: Mapping[str, object], call: TargetCall) -> Options:
    """The options of a call, letters as letters.

    Raises:
        EvaluationError: One is missing or unknown.
    """
    options: Options = {}
    for name, allowed in routine.options.items():
        value = config.get(name)
        if isinstance(allowed, str):
            letter = chr(value) if isinstance(value, int) and 0 <= value < 128 else ""
            if letter not in list(allowed):
                expected = " or ".join(f"{ord(letter)} ({letter})" for letter in allowed)
                raise call.error(f"{name} is {expected}", **{name: value})
            value = letter
        elif not isinstance(value, allowed):
            raise call.error(f"{name} is of type {allowed.__name__}", **{name: value})
        options[name] = value
    return options


def solve_batch(
    routine: Routine,
    operands: Sequence[object],
    options: Options,
    dtype: DType,
    call: TargetCall,
) -> tuple[Results, Shape]:
    """The results for all matrices, none if they are empty; and the shape of the batch.

    Raises:
        EvaluationError: The operands are not what the routine takes.
    """
    matrices = checked_operands(routine, operands, dtype, call)
    sizes = dict(named_sizes(routine, [matrix.shape for matrix in matrices]))
    if routine.condition is not None:
        formula, holds = routine.condition
        if not holds(sizes, options):
            raise call.error(formula, **sizes, **options)
    ranks = [len(dimension) for dimension in routine.dimensions]
    batch = matrices[0].shape[: matrices[0].ndim - ranks[0]]
    if not prod(batch) or is_empty(routine, sizes):
        return (), batch
    rows = [
        matrix.reshape(prod(batch), *matrix.shape[matrix.ndim - rank :])
        for matrix, rank in zip(matrices, ranks, strict=True)
    ]
    outcomes = [routine.function(*row, **options) for row in zip(*rows, strict=True)]
    results = [stack_results(column, batch) for column in zip(*outcomes, strict=True)]
    return results, batch


def is_empty(routine: Routine, sizes: Mapping[str, object]) -> bool:
    """Whether matrices of these sizes have no results."""
    return not all(size for letter, size in sizes.items() if letter not in routine.may_be_zero)


def stack_results(column: Sequence[Any], batch: Shape) -> Array | None:
    """The values of one result for all matrices as one array."""
    if column[0] is None:
        return None
    return np.stack(column).reshape(batch + np.shape(column[0]))


def checked_operands(
    routine: Routine, operands: Sequence[object], dtype: DType, call: TargetCall
) -> list[Array]:
    """The operands.

    Raises:
        EvaluationError: There are more or fewer, or one has another element type or shape.
    """
    indices = np.dtype(np.int32)
    dtypes = [indices if operand.startswith(INDICES) else dtype for operand in routine.operands]
    arrays = tensors_in(operands)
    are_known = len(arrays) == len(operands) and [array.dtype for array in arrays] == dtypes
    if not are_known or not shapes_fit(routine, [array.shape for array in arrays]):
        pairs = zip(routine.dimensions, dtypes, strict=True)
        expected = ", ".join(f"{kind}[{', '.join(letters)}]" for letters, kind in pairs)
        types = ", ".join(map(str, call.operand_types))
        raise call.error(f"the operands are {expected}, or batches of them", operands=types)
    return arrays


def shapes_fit(routine: Routine, shapes: Sequence[Shape]) -> bool:
    """Whether shapes have the dimensions of the operands behind one and the same batch."""
    pairs = list(zip(routine.dimensions, shapes, strict=True))
    if any(len(shape) < len(letters) for letters, shape in pairs):
        return False
    batches = {shape[: len(shape) - len(letters)] for letters, shape in pairs}
    sizes = named_sizes(routine, shapes)
    return len(batches) == 1 and set(sizes) == set(dict(sizes).items())


def named_sizes(routine: Routine, shapes: Sequence[Shape]) -> list[tuple[str, int]]:
    """The letter and the size of each dimension."""
    return [
        pair
        for letters, shape in zip(routine.dimensions, shapes, strict=True)
        for pair in zip(letters, shape[len(shape) - len(letters) :], strict=True)
    ]


def complete_results(results: Results, batch: Shape, call: TargetCall) -> tuple[Array, ...]:
    """As many results as the call has: zeros for those that are undefined or empty."""
    types = call.result_types
    padded = [*results, *[None] * len(types)]
    return tuple(
        blank(value_type, batch, call) if result is None else result
        for value_type, result in zip(types, padded, strict=False)
    )


def blank(value_type: object, batch: Shape, call: TargetCall) -> Array:
    """Zeros of a declared type; sizes of the batch may be known only at run time."""
    if not isinstance(value_type, TensorType):
        raise call.error("the results are tensors", result=value_type)
    shape = value_type.shape
    if DYNAMIC in shape[: len(batch)]:
        shape = batch + shape[len(batch) :]
    if DYNAMIC in shape:
        raise call.error("a result that is not computed has known sizes", result=value_type)
    return np.zeros(shape, value_type.element_type.dtype)
