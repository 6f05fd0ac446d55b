"""The rules of StableHLO's operations: along which dimensions each of them can be divided."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import prod
from typing import Any, Final, TypeAlias

from stablemate.dialects.registry import rules_by_name
from stablemate.dialects.sdy.attributes import OpShardingRule
from stablemate.dialects.stablehlo.all_to_all import AllToAll
from stablemate.dialects.stablehlo.attributes import (
    ConvDimensionNumbers,
    DotDimensionNumbers,
    GatherDimensionNumbers,
    ScatterDimensionNumbers,
)
from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.convolution import Convolution
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.dot import Dot
from stablemate.dialects.stablehlo.dot_general import DotGeneral
from stablemate.dialects.stablehlo.dynamic_update_slice import DynamicUpdateSlice
from stablemate.dialects.stablehlo.fft import Fft
from stablemate.dialects.stablehlo.gather import Gather
from stablemate.dialects.stablehlo.pad import Pad
from stablemate.dialects.stablehlo.reduce import Reduce
from stablemate.dialects.stablehlo.reduce_window import ReduceWindow
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.reverse import Reverse
from stablemate.dialects.stablehlo.scatter import Scatter
from stablemate.dialects.stablehlo.select_and_scatter import SelectAndScatter
from stablemate.dialects.stablehlo.sort import Sort
from stablemate.dialects.stablehlo.transpose import Transpose
from stablemate.execution.custom_calls.call import target_call
from stablemate.ir.core import Operation
from stablemate.ir.definition import has_trait
from stablemate.ir.shapes import remaining_dimensions
from stablemate.ir.traits import Trait
from stablemate.transforms.partitioning.factors import (
    Factors,
    along,
    common,
    replicated_rule,
    shape_of,
    shapes,
    single,
)
from stablemate.transforms.partitioning.local_attributes import batch_dimensions

RuleOf: TypeAlias = Callable[[Any], OpShardingRule]
SOLVES: Final = re.compile(r"lapack_[sdcz]trsm_ffi")


def elementwise(operation: Operation) -> OpShardingRule:
    """All dimensions; scalars beside them are the same for all elements."""
    return along(operation, [True] * len(common(operation)))


def bitcast_convert(operation: BitcastConvert) -> OpShardingRule:
    """All dimensions that stay; the one that comes or goes is not divided."""
    source, target = shapes([operation.operand, operation.result])
    factors = Factors()
    rank = min(len(source), len(target))
    shared = single(factors.of_each(source[:rank]))
    rows = [
        [*shared, *((factors.new_undivided(n),) for n in shape[rank:])]
        for shape in (source, target)
    ]
    return factors.rule(rows[:1], rows[1:])


def transpose(operation: Transpose) -> OpShardingRule:
    """All dimensions, in their new order."""
    factors = Factors()
    own = factors.of_each(shape_of(operation.operand))
    permutation: Sequence[int] = operation.permutation
    return factors.rule([single(own)], [single([own[d] for d in permutation])])


def broadcast_in_dim(operation: BroadcastInDim) -> OpShardingRule:
    """All dimensions; new ones of the result can be divided at will."""
    factors = Factors()
    result = factors.of_each(shape_of(operation.result))
    dimensions: Sequence[int] = operation.broadcast_dimensions
    pairs = zip(shape_of(operation.operand), dimensions, strict=True)
    sizes = factors.sizes
    operand = [result[d] if n == sizes[result[d]] else factors.new_undivided(n) for n, d in pairs]
    return factors.rule([single(operand)], [single(result)])


def reshape(operation: Reshape) -> OpShardingRule:
    """Dimensions that stay, are split or are merged; others are not divided."""
    factors = Factors()
    source, target = shapes([operation.operand, operation.result])
    operand: list[tuple[int, ...]] = []
    result: list[tuple[int, ...]] = []
    for here, there in align_shapes(source, target):
        cuts = sorted({*strides(here), *strides(there)})
        if all(low and high % low == 0 for low, high in pairwise(cuts)):
            shared = {low: factors.new(high // low) for low, high in pairwise(cuts)}
            operand += split(here, shared, factors)
            result += split(there, shared, factors)
        else:
            operand += [(factors.new_undivided(n),) for n in here]
            result += [(factors.new_undivided(n),) for n in there]
    return factors.rule([operand], [result])


def align_shapes(
    source: Sequence[int], target: Sequence[int]
) -> list[tuple[Sequence[int], Sequence[int]]]:
    """The smallest groups of dimensions of two shapes that have as many elements each."""
    if 0 in source:
        return [(source, target)]
    groups: list[tuple[Sequence[int], Sequence[int]]] = []
    i = j = 0
    while i < len(source) or j < len(target):
        first, second = i, j
        left = right = 1
        while left != right or (i, j) == (first, second):
            if (left <= right and i < len(source)) or j == len(target):
                left, i = left * source[i], i + 1
            else:
                right, j = right * target[j], j + 1
        groups.append((source[first:i], target[second:j]))
    return groups


def strides(shape: Sequence[int]) -> list[int]:
    """The row-major strides of dimensions, and the number of all elements."""
    steps = [1]
    for size in reversed(shape):
        steps.append(steps[-1] * size)
    return steps


def split(
    shape: Sequence[int], shared: Mapping[int, int], factors: Factors
) -> list[tuple[int, ...]]:
    """The factors of the dimensions of a group, by their strides; size 1 has one of its own."""
    groups: list[tuple[int, ...]] = []
    for low, high in pairwise(strides(shape)):
        inner_factors = tuple(
            shared[cut] for cut in sorted(shared, reverse=True) if low <= cut < high
        )
        groups.insert(0, inner_factors or (factors.new(1),))
    return groups


def dot_general(operation: DotGeneral) -> OpShardingRule:
    """Batch, rows and columns; sums along contracted dimensions."""
    numbers: DotDimensionNumbers = operation.dot_dimension_numbers
    factors = Factors()
    lhs, rhs = shape_of(operation.lhs), shape_of(operation.rhs)
    left: dict[int, int] = {}
    right: dict[int, int] = {}
    result: list[int] = []
    pairs = zip(numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions, strict=True)
    for i, j in pairs:
        left[i] = right[j] = factors.new(lhs[i])
        result.append(left[i])
    pairs = zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True)
    for i, j in pairs:
        left[i] = right[j] = factors.new_reduction(lhs[i])
    for own, shape in ((left, lhs), (right, rhs)):
        for d in remaining_dimensions(len(shape), own):
            own[d] = factors.new(shape[d])
            result.append(own[d])
    rows = [single([own[d] for d in range(len(own))]) for own in (left, right)]
    return factors.rule(rows, [single(result)])


def dot(operation: Dot) -> OpShardingRule:
    """The last dimension of lhs is contracted with the first of rhs."""
    factors = Factors()
    lhs, rhs = shape_of(operation.lhs), shape_of(operation.rhs)
    rows, columns = factors.of_each(lhs[:-1]), factors.of_each(rhs[1:])
    depth = factors.new_reduction(lhs[-1])
    operands = [single([*rows, depth]), single([depth, *columns])]
    return factors.rule(operands, [single([*rows, *columns])])


def convolution(operation: Convolution) -> OpShardingRule:
    """Batch, groups and features of the output; sums along the features of a group."""
    numbers: ConvDimensionNumbers = operation.dimension_numbers
    factors = Factors()
    lhs, rhs, out = shapes([operation.lhs, operation.rhs, operation.result])
    counts = operation.batch_group_count, operation.feature_group_count
    batch_groups, feature_groups = ([factors.new(n)] if n > 1 else [] for n in counts)
    groups = [*batch_groups, *feature_groups]
    batch = factors.new(out[numbers.output_batch_dimension])
    depth = factors.new_reduction(rhs[numbers.kernel_input_feature_dimension])
    columns = factors.new(out[numbers.output_feature_dimension] // prod(counts))
    own = (
        {
            numbers.input_batch_dimension: (*batch_groups, batch),
            numbers.input_feature_dimension: (*feature_groups, depth),
        },
        {
            numbers.kernel_input_feature_dimension: (depth,),
            numbers.kernel_output_feature_dimension: (*groups, columns),
        },
        {
            numbers.output_batch_dimension: (batch,),
            numbers.output_feature_dimension: (*groups, columns),
        },
    )
    left, right, result = (
        [tensor.get(d) or (factors.new_undivided(n),) for d, n in enumerate(shape)]
        for tensor, shape in zip(own, (lhs, rhs, out), strict=True)
    )
    return factors.rule([left, right], [result])


def fill_missing_factors(
    own: Mapping[int, int], shape: Sequence[int], factors: Factors
) -> list[tuple[int, ...]]:
    """The factors of dimensions; those that have none are not divided."""
    return [(own[d] if d in own else factors.new_undivided(n),) for d, n in enumerate(shape)]


def reduce(operation: Reduce) -> OpShardingRule:
    """Dimensions that stay; results along the others are combined."""
    factors, count = Factors(), len(operation.inputs)
    shape = shape_of(operation.inputs[0])
    reduced = frozenset(operation.dimensions)
    own = [
        factors.new_reduction(n) if d in reduced else factors.new(n) for d, n in enumerate(shape)
    ]
    kept = [own[d] for d in remaining_dimensions(len(own), reduced)]
    operands = [single(own)] * count + [[]] * count
    return factors.rule(operands, [single(kept)] * count)


def windowed_dimensions(operation: ReduceWindow | SelectAndScatter) -> OpShardingRule:
    """Dimensions along which every window is one element."""
    rank = len(operation.window_dimensions)
    ones = (1,) * rank
    lists = [
        operation.window_dimensions,
        operation.window_strides or ones,
        getattr(operation, "base_dilations", None) or ones,
        getattr(operation, "window_dilations", None) or ones,
    ]
    padding = operation.padding or ((0, 0),) * rank
    kept = [
        all(values[d] == 1 for values in lists) and tuple(padding[d]) == (0, 0) for d in range(rank)
    ]
    return along(operation, kept)


def concatenate(operation: Concatenate) -> OpShardingRule:
    """All dimensions but the one along which operands follow one another."""
    rank = len(shape_of(operation.result))
    return along(operation, [d != operation.dimension for d in range(rank)])


def same_sizes(operation: Operation) -> OpShardingRule:
    """Dimensions that the operand and the result have whole: what cuts or writes pieces."""
    tensors = shapes([operation.operands[0], operation.results[0]])
    return along(operation, [a == b for a, b in zip(*tensors, strict=True)])


def all_to_all(operation: AllToAll) -> OpShardingRule:
    """Dimensions that are neither split nor concatenated."""
    whole = operation.split_dimension, operation.concat_dimension
    return along(operation, [d not in whole for d in range(len(common(operation)))])


def dynamic_update_slice(operation: DynamicUpdateSlice) -> OpShardingRule:
    """Dimensions that are updated from end to end."""
    pairs = zip(shape_of(operation.operand), shape_of(operation.update), strict=True)
    return along(operation, [a == b for a, b in pairs])


def pad(operation: Pad) -> OpShardingRule:
    """Permits division along dimensions without padding."""
    lists = operation.edge_padding_low, operation.edge_padding_high, operation.interior_padding
    return along(operation, [not any(values) for values in zip(*lists, strict=True)])


def reverse(operation: Reverse) -> OpShardingRule:
    """All dimensions that are not reversed."""
    rank = len(shape_of(operation.result))
    return along(operation, [d not in operation.dimensions for d in range(rank)])


def sort(operation: Sort) -> OpShardingRule:
    """All dimensions but the one along which it sorts."""
    rank = len(common(operation))
    return along(operation, [d != operation.dimension % rank for d in range(rank)])


def batches(inner: int) -> RuleOf:
    """All dimensions but the last ones, which an operation takes as a whole."""

    def rule(operation: Operation) -> OpShardingRule:
        rank = len(common(operation))
        return along(operation, [d < rank - inner for d in range(rank)])

    return rule


def fft(operation: Fft) -> OpShardingRule:
    """All dimensions but the transformed ones."""
    return batches(len(operation.fft_length))(operation)


def gather(operation: Gather) -> OpShardingRule:
    """Batches of indices, and dimensions of the operand that are taken whole."""
    numbers: GatherDimensionNumbers = operation.dimension_numbers
    factors = Factors()
    source, indices, target = shapes([operation.operand, operation.start_indices, operation.result])
    result: dict[int, int] = {}
    index: dict[int, int] = {}
    operand: dict[int, int] = {}
    batch = remaining_dimensions(len(target), numbers.offset_dims)
    rows = [d for d in range(len(indices)) if d != numbers.index_vector_dim]
    for d, row in zip(batch, rows, strict=True):
        result[d] = index[row] = factors.new(target[d])
    pairs = zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
    for d, row in pairs:
        operand[d] = index[row]
    gone = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    kept = remaining_dimensions(len(source), gone)
    for d, offset in zip(kept, numbers.offset_dims, strict=True):
        if target[offset] == source[d]:
            result[offset] = operand[d] = factors.new(source[d])
    tensors = [
        fill_missing_factors(operand, source, factors),
        fill_missing_factors(index, indices, factors),
    ]
    return factors.rule(tensors, [fill_missing_factors(result, target, factors)])


def scatter(operation: Scatter) -> OpShardingRule:
    """Dimensions of the inputs that are updated whole; sums along batches of indices."""
    numbers: ScatterDimensionNumbers = operation.scatter_dimension_numbers
    factors = Factors()
    source, indices, update_shape = shapes(
        [operation.inputs[0], operation.scatter_indices, operation.updates[0]]
    )
    own: dict[int, int] = {}
    index: dict[int, int] = {}
    updates: dict[int, int] = {}
    batch = remaining_dimensions(len(update_shape), numbers.update_window_dims)
    rows = [d for d in range(len(indices)) if d != numbers.index_vector_dim]
    pairs = zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims, strict=True)
    batching = {row: d for d, row in pairs}
    for d, row in zip(batch, rows, strict=True):
        new = factors.new if row in batching else factors.new_reduction
        updates[d] = index[row] = new(update_shape[d])
        if row in batching:
            own[batching[row]] = index[row]
    gone = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
    kept = remaining_dimensions(len(source), gone)
    for d, window in zip(kept, numbers.update_window_dims, strict=True):
        if update_shape[window] == source[d]:
            own[d] = updates[window] = factors.new(source[d])
    count = len(operation.inputs)
    inputs = fill_missing_factors(own, source, factors)
    written = fill_missing_factors(updates, update_shape, factors)
    operands = [
        *[inputs] * count,
        fill_missing_factors(index, indices, factors),
        *[written] * count,
    ]
    return factors.rule(operands, [inputs] * count)


def batched_call(operation: Operation, count: int) -> OpShardingRule:
    """Leading dimensions that all operands and results have in common; others are whole."""
    factors = Factors()
    operands, results = shapes(operation.operands), shapes(operation.results)
    batch = factors.of_each(operands[0][:count])

    def dimensions(shape: Sequence[int]) -> list[tuple[int, ...]]:
        return single([*batch, *(factors.new_undivided(n) for n in shape[count:])])

    return factors.rule([*map(dimensions, operands)], [*map(dimensions, results)])


def is_triangular_solve(operation: Operation) -> bool:
    """Whether an operation calls one of JAX's targets that solve triangular systems."""
    if not isinstance(operation, CustomCall) or len(operation.operands) != 2:
        return False
    return SOLVES.fullmatch(operation.call_target_name) is not None


def triangular_solve(operation: Operation) -> OpShardingRule:
    """The batch and the right-hand sides: columns, or rows if the matrix stands on the right.

    JAX itself states the batch alone.

    Source: LAPACK, trsm.
    """
    factors = Factors()
    count = batch_dimensions(operation)
    matrix, sides = shapes(operation.operands)
    batch = factors.of_each(matrix[:count])
    right = 1 if target_call(operation, ()).config.get("side") == ord("L") else 0
    order = [factors.new_undivided(n) for n in matrix[count:]]
    own = [factors.new(n) if d == right else order[0] for d, n in enumerate(sides[count:])]
    both = single([*batch, *own])
    return factors.rule([single([*batch, *order]), both], [both])


def stated_rule(operation: Operation) -> OpShardingRule | None:
    """The rule that the user states for an operation."""
    rule = operation.discardable.get("sdy.sharding_rule")
    return rule if isinstance(rule, OpShardingRule) else None


def user_rule(operation: Operation) -> OpShardingRule | None:
    """The rule that the user states for an operation, which computes on shards what it is.

    Of triangular solves more is known than JAX states. A factor that some result does not have,
    and over which the operation does not reduce, must not be divided: devices would compute
    different results.
    """
    if is_triangular_solve(operation):
        return triangular_solve(operation)
    rule = stated_rule(operation)
    if rule is None:
        return None
    kept = [{factor for factors in result for factor in factors} for result in rule.results]
    lost = {factor for mapping in rule.operands for factors in mapping for factor in factors}
    lost -= {*rule.reduction, *set[int].intersection(*kept)} if kept else set()
    return replace(rule, need_replication=tuple(sorted({*rule.need_replication, *lost})))


def rule_by_name(operation: Operation) -> RuleOf | None:
    """The rule by which executors divide an operation; None if there is none."""
    is_alike = has_trait(operation, Trait.ELEMENTWISE) or has_trait(operation, Trait.SHARDED_ALIKE)
    return RULES.get(operation.name, elementwise if is_alike else None)


# The rules of operations that are not elementwise.
RULES: Final[Mapping[str, RuleOf]] = {
    **rules_by_name(
        "stablehlo",
        all_to_all,
        bitcast_convert,
        broadcast_in_dim,
        concatenate,
        convolution,
        dot,
        dot_general,
        dynamic_update_slice,
        fft,
        gather,
        pad,
        reduce,
        reshape,
        reverse,
        scatter,
        sort,
        transpose,
    ),
    "chlo.top_k": batches(1),
    # Collective operations stand in manual computations; these rules are about free axes.
    "stablehlo.all_gather": same_sizes,
    "stablehlo.cholesky": batches(2),
    "stablehlo.dynamic_slice": same_sizes,
    "stablehlo.partition_id": replicated_rule,
    "stablehlo.reduce_scatter": same_sizes,
    "stablehlo.reduce_window": windowed_dimensions,
    "stablehlo.replica_id": replicated_rule,
    "stablehlo.rng": replicated_rule,
    "stablehlo.select_and_scatter": windowed_dimensions,
    "stablehlo.slice": same_sizes,
    "stablehlo.triangular_solve": batches(2),
}
