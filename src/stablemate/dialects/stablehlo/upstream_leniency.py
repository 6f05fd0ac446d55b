"""The rules of StableHLO that the specification states and upstream's verifier does not check.

Breaking one of them is a warning; `docs/conformance.md` gives the reasons for the rules.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.dialects.stablehlo.attributes import FftType, RngAlgorithm
from stablemate.dialects.stablehlo.custom_call import ANYTHING
from stablemate.dialects.stablehlo.dynamism import known_integers
from stablemate.dialects.stablehlo.quantization_leniency import (
    broadcasts_quantized,
    has_first_scales,
    is_quantized,
    lacks_quantized_dimension,
    multiplies_numbers,
    reshapes_alike,
    reshapes_quantized,
    reshapes_unknown_sizes,
    stores_alike,
)
from stablemate.dialects.stablehlo.regions import function_type
from stablemate.dialects.stablehlo.scatter import Scatter
from stablemate.dialects.stablehlo.upstream_types import (
    agree,
    are_compatible,
    element_of,
    is_compatible,
    is_truth_value,
    reduces,
)
from stablemate.ir.attributes import DenseElementsAttribute, SparseElementsAttribute
from stablemate.ir.core import Operation
from stablemate.ir.kinds import (
    ANY_TENSOR,
    FLOAT_TENSOR,
    INTEGER_TENSOR,
    PER_TENSOR_QUANTIZED,
    TENSOR,
)
from stablemate.ir.shapes import compatible, remaining_dimensions, same_shape
from stablemate.ir.types import (
    BOOLEAN_SCALAR,
    DYNAMIC,
    BoundsAttribute,
    MemRefType,
    TensorType,
    TupleType,
    Type,
    UnrankedTensorType,
)
from stablemate.ir.verification.upstream_leniency import Leniency, always
from stablemate.ir.verifier import operation_errors
from stablemate.numerics.elements import (
    IntegerType,
)
from stablemate.numerics.quantization import baseline

if TYPE_CHECKING:
    from stablemate.dialects.stablehlo.all_gather import AllGather
    from stablemate.dialects.stablehlo.all_reduce import CrossReplicaSum
    from stablemate.dialects.stablehlo.all_to_all import AllToAll
    from stablemate.dialects.stablehlo.batch_norm import AnyBatchNorm
    from stablemate.dialects.stablehlo.batch_norm_grad import BatchNormGrad
    from stablemate.dialects.stablehlo.bitcast_convert import BitcastConvert
    from stablemate.dialects.stablehlo.case import Case
    from stablemate.dialects.stablehlo.collectives import ReducingCollective
    from stablemate.dialects.stablehlo.compare import Compare
    from stablemate.dialects.stablehlo.complex import Complex
    from stablemate.dialects.stablehlo.convolution import AnyConvolution
    from stablemate.dialects.stablehlo.custom_call import CustomCall
    from stablemate.dialects.stablehlo.dynamic_conv import DynamicConv
    from stablemate.dialects.stablehlo.dynamic_reshape import DynamicReshape
    from stablemate.dialects.stablehlo.fft import Fft
    from stablemate.dialects.stablehlo.if_ import If
    from stablemate.dialects.stablehlo.iota import DynamicIota
    from stablemate.dialects.stablehlo.map import Map
    from stablemate.dialects.stablehlo.reduce import Reduce
    from stablemate.dialects.stablehlo.reduce_scatter import ReduceScatter
    from stablemate.dialects.stablehlo.reduce_window import ReduceWindow
    from stablemate.dialects.stablehlo.rng import Rng
    from stablemate.dialects.stablehlo.rng_bit_generator import RngBitGenerator
    from stablemate.dialects.stablehlo.scatter import Scatter
    from stablemate.dialects.stablehlo.select_and_scatter import SelectAndScatter
    from stablemate.dialects.stablehlo.sort import Sort
    from stablemate.dialects.stablehlo.source_target_pairs import WithSourceTargetPairs
    from stablemate.dialects.stablehlo.while_ import While

# ---- types that differ in their quantization parameters only


def differs_in_parameters(_: Operation, violation: Diagnostic) -> bool:
    """Whether a declared result type differs from the inferred one in its parameters only."""
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    return (
        isinstance(declared, Type)
        and isinstance(inferred, Type)
        and are_compatible([declared], [inferred])
    )


def differs_in_parameters_or_bounds(_: Operation, violation: Diagnostic) -> bool:
    """The same, whatever the bounds of the inferred type are."""
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    return (
        isinstance(declared, TensorType)
        and isinstance(inferred, TensorType)
        and are_compatible([declared], [without_bounds(inferred)])
    )


def branches_agree(op: If, _: Diagnostic) -> bool:
    """Whether the branches of ``if`` return compatible types."""
    true, false = function_type(op.true_branch), function_type(op.false_branch)
    return are_compatible(true.results, false.results)


def all_branches_agree(op: Case, _: Diagnostic) -> bool:
    """Whether the branches of ``case`` return types that are compatible with those of the first."""
    first, *others = (function_type(branch).results for branch in op.branches)
    return all(are_compatible(first, other) for other in others)


def cond_agrees(op: While, _: Diagnostic) -> bool:
    """Whether ``cond`` of ``while`` takes what the operands are, and returns a truth value."""
    cond = function_type(op.cond)
    is_predicate = len(cond.results) == 1 and is_truth_value(cond.results[0])
    return is_predicate and are_compatible(cond.inputs, op.state_types)


def loops_on_one_kind(op: While, _: Diagnostic) -> bool:
    """Whether the regions of ``while`` take and return values of the operands' kinds.

    The condition then has the elements of truth values.
    """
    cond, body = function_type(op.cond), function_type(op.body)
    groups = zip(op.state_types, cond.inputs, body.inputs, body.results, strict=True)
    of_one_kind = all(isinstance(x, type(group[0])) for group in groups for x in group)
    return of_one_kind and all(element_of(x) == BOOLEAN_SCALAR.element_type for x in cond.results)


def body_agrees(op: While, _: Diagnostic) -> bool:
    """Whether ``body`` of ``while`` takes and returns what the operands are."""
    body = function_type(op.body)
    return are_compatible(body.inputs, op.state_types) and are_compatible(
        body.results, op.state_types
    )


# ---- reducers


def types_of(values: Sequence[Any]) -> list[Type]:
    """Lists the types of values."""
    return [value.type for value in values]


def operand_groups(op: Operation) -> tuple[list[Type], list[Type]]:
    """The types of the inputs and of the initial values of a reduction, which upstream counts.

    Raises:
        TypeError: An initial value is no tensor that StableHLO computes with.
    """
    count = len(op.operands) // 2
    init_values = types_of(op.operands[count : 2 * count])
    if not all(map(NUMBERS.accepts, init_values)):
        raise TypeError(init_values)
    return types_of(op.operands[:count]), init_values


def has_surplus_operand(op: Operation, violation: Diagnostic) -> bool:
    """Whether an operation on two groups of operands fits without the last one.

    Upstream halves the number of operands, and never looks at the one that is left over.
    """
    even = copy(op)
    even.operands = op.operands[:-1]
    return about_operands(violation) and bool(even.operands) and not operation_errors(even)


def reduce_accepts(op: Reduce, _: Diagnostic) -> bool:
    """Whether upstream accepts the operands and the reducer of ``reduce``."""
    if not op.operands:
        return True
    inputs, init_values = operand_groups(op)
    shape = inputs[0].shape if inputs and isinstance(inputs[0], TensorType) else ()
    dimensions = op.dimensions
    kept = [shape[d] for d in remaining_dimensions(len(shape), dimensions)]
    return all(0 <= d < len(shape) for d in dimensions) and reduces(
        inputs, init_values, op.body, kept
    )


def follows_first_input(op: Reduce, _: Diagnostic) -> bool:
    """Whether the results of ``reduce`` fit its first input, whatever is known of the others."""
    results = [value.type for value in op.results]
    return are_compatible(results, op.results_of(op.inputs[0].type))


def reduce_window_accepts(op: ReduceWindow, _: Diagnostic) -> bool:
    """Whether upstream accepts the operands and the reducer of ``reduce_window``."""
    inputs, init_values = operand_groups(op)
    return reduces(inputs, init_values, op.body, op.window_dimensions)


def inputs_agree_without_bounds(op: ReduceWindow, _: Diagnostic) -> bool:
    """Whether the inputs of a reduction have compatible shapes if bounds are left out."""
    inputs = op.operands[: len(op.operands) // 2]
    return all(
        isinstance(value.type, TensorType) and same_shape(value.type.shape, inputs[0].type.shape)
        for value in inputs
    )


def scatter_accepts(op: Scatter, _: Diagnostic) -> bool:
    """Whether upstream accepts the operands and the reducer of ``scatter``.

    It takes the elements of the updates as initial values.
    """
    count = (len(op.operands) - 1) // 2
    inputs = types_of(op.operands[:count])
    updates = op.operands[count + 1 : 2 * count + 1]
    scalars = [value.type.with_shape(()) for value in updates]
    return reduces(inputs, scalars, op.update_computation, ())


def reduces_scalars(op: Operation, _: Diagnostic) -> bool:
    """Whether a reducer takes and returns scalars: it can be applied to converted elements."""
    reducer = function_type(op.regions[0])
    return bool(op.operands) and all(
        isinstance(x, TensorType) and not x.shape for x in (*reducer.inputs, *reducer.results)
    )


def computation_accepts(op: ReducingCollective, _: Diagnostic) -> bool:
    """Whether upstream accepts the reducer of a collective operation."""
    scalars = [value.type.with_shape(()) for value in op.operands]
    return all(reduces([scalar], [scalar], op.regions[0], ()) for scalar in scalars)


def scatter_of_windows_accepts(op: SelectAndScatter, _: Diagnostic) -> bool:
    """Whether upstream accepts the operands and the regions of ``select_and_scatter``."""
    operand, source = op.operand.type.with_shape(()), op.source.type.with_shape(())
    select = function_type(op.select)
    return (
        len(select.inputs) == 2
        and all(agree(operand, x, in_any_precision=True) for x in select.inputs)
        and len(select.results) == 1
        and isinstance(select.results[0], TensorType)
        and is_truth_value(select.results[0])
        and agree(operand, source, in_any_precision=True)
        and reduces([source], [op.init_value.type], op.scatter, ())
    )


def selects_and_scatters(op: SelectAndScatter, _: Diagnostic) -> bool:
    """Whether the regions of ``select_and_scatter`` are functions of scalars and truth values."""
    select, scatter = function_type(op.select), function_type(op.scatter)
    types = (*select.inputs, *select.results, *scatter.inputs, *scatter.results)
    return all(isinstance(x, TensorType) and not x.shape for x in types) and [
        element_of(x) for x in select.results
    ] == [BOOLEAN_SCALAR.element_type]


def compares_scalars(op: Sort, _: Diagnostic) -> bool:
    """Whether the comparator of ``sort`` takes scalars and returns an integer of one bit."""
    comparator = function_type(op.comparator)
    elements = [value.type.element_type for value in op.inputs for _ in range(2)]
    scalars = tuple(TensorType((), element) for element in elements)
    is_predicate = len(comparator.results) == 1 and is_truth_value(comparator.results[0])
    return comparator.inputs == scalars and is_predicate


# ---- shapes


def about_operands(violation: Diagnostic) -> bool:
    """Whether a violation without a number is about the number of operands."""
    return violation.message.startswith("expected the operands")


def is_literal_of_integers(attribute: object) -> bool:
    """Whether an attribute is a literal of 64-bit integers."""
    return (
        isinstance(attribute, DenseElementsAttribute) and str(attribute.type.element_type) == "i64"
    )


def has_mesh_groups(op: AllToAll, _: Diagnostic) -> bool:
    """Whether the groups follow from a mesh."""
    return not isinstance(op.attributes["replica_groups"], DenseElementsAttribute)


def has_groups_of_other_rank(op: Operation, _: Diagnostic) -> bool:
    """Whether the groups of ``cross-replica-sum`` are a literal that is no matrix."""
    return is_literal_of_integers(op.attributes["replica_groups"])


def sums_alike(op: CrossReplicaSum, violation: Diagnostic) -> bool:
    """Whether ``cross-replica-sum`` has such groups, or a result that upstream takes as equal."""
    if "replica_groups" in violation.values:
        return has_groups_of_other_rank(op, violation)
    return differs_in_parameters(op, violation)


def has_pairs_of_other_rank(op: WithSourceTargetPairs, _: Diagnostic) -> bool:
    """Whether ``source_target_pairs`` is a literal that is no matrix."""
    return is_literal_of_integers(op.attributes["source_target_pairs"])


def vectors_agree(op: AnyBatchNorm, _: Diagnostic) -> bool:
    """Whether the vectors of a batch normalization have one size, as far as they are known."""
    sizes = {value.type.shape[0] for value in op.operands[1:] if value.type.rank == 1}
    return len(sizes - {DYNAMIC}) <= 1


def keeps_width(op: BitcastConvert, _: Diagnostic) -> bool:
    """Whether a bitcast to elements of the same width agrees in the dimensions of both types."""
    operand, result = op.operand.type, op.result.type
    return operand.element_type.bits == result.element_type.bits and all(
        x == y or DYNAMIC in (x, y) for x, y in zip(operand.shape, result.shape, strict=False)
    )


def keeps_count(op: BitcastConvert, _: Diagnostic) -> bool:
    """Whether a bitcast has as many elements as its operand, whose sizes are known."""
    operand: TensorType = op.operand.type
    result: TensorType = op.result.type
    return operand.is_static and result.is_static and operand.size == result.size


def multiplies_one_type(op: AnyConvolution, _: Diagnostic) -> bool:
    """Whether the operands of a convolution have one element type, and the result is a tensor."""
    lhs, rhs = op.operands[0].type.element_type, op.operands[1].type.element_type
    return baseline(lhs) == baseline(rhs) and ANY_TENSOR.accepts(op.results[0].type)


def agrees_in_shape(_: Operation, violation: Diagnostic) -> bool:
    """Whether a declared result type differs from the inferred one in bounds and parameters."""
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    return (
        isinstance(declared, TensorType)
        and isinstance(inferred, TensorType)
        and baseline(declared.element_type) == baseline(inferred.element_type)
        and same_shape(declared.shape, inferred.shape)
    )


def compares_other_bounds(op: Compare, _: Diagnostic) -> bool:
    """Whether only bounds distinguish the shapes of a comparison."""
    lhs, rhs, result = op.operands[0].type, op.operands[1].type, op.results[0].type
    if lhs.encoding is None and rhs.encoding is None and result.encoding is None:
        return False
    fits_lhs = compatible(lhs.with_element(result.element_type), result)
    return fits_lhs and all(same_shape(x.shape, rhs.shape) for x in (lhs, result))


def has_shape_of_lhs(op: Complex, _: Diagnostic) -> bool:
    """Whether the type of a complex result follows from the first operand alone."""
    lhs, rhs, result = op.operands[0].type, op.operands[1].type, op.results[0].type
    fits = compatible(lhs.with_element(result.element_type), result)
    return fits and same_shape(rhs.shape, result.shape)


def has_unchecked_empty_kernel(op: DynamicConv, violation: Diagnostic) -> bool:
    """Whether the size of the kernel breaks the rule, not its type, and windows are not checked."""
    return "sizes" in violation.values and pads_by_variables(op, violation)


def pads_by_variables(op: DynamicConv, _: Diagnostic) -> bool:
    """Whether the padding is no constant, so that upstream does not check the windows."""
    return known_integers(op.operands[2]) is None


def is_sparse(_: Operation, violation: Diagnostic) -> bool:
    """Whether a literal is a sparse one of numbers."""
    literal = violation.values.get("value")
    return isinstance(literal, SparseElementsAttribute) and isinstance(
        literal.values, DenseElementsAttribute
    )


def has_unknown_length(op: Fft, _: Diagnostic) -> bool:
    """Whether upstream does not compare the lengths: of a complex transform, or reserved ones.

    MLIR reserves a value for dynamic sizes.
    """
    is_complex = op.fft_type in (FftType.FFT, FftType.IFFT)
    return is_complex or any(abs(length) == UNKNOWN_LENGTH for length in op.fft_length)


def has_sizes_of_first(op: Operation, violation: Diagnostic) -> bool:
    """Whether a result has the sizes of the first operand: upstream does not compare others."""
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    first = op.operands[0].type
    if not isinstance(declared, TensorType) or not isinstance(inferred, TensorType):
        return False
    return are_compatible([declared], [first.with_element(inferred.element_type)])


def maps_compatible(op: Map, violation: Diagnostic) -> bool:
    """Whether a result of ``map`` differs in quantization parameters only, or the arguments of the
    computation in encodings only.
    """
    if differs_in_parameters(op, violation) or has_sizes_of_first(op, violation):
        return True
    computation, inputs = function_type(op.computation), types_of(op.operands)
    arguments = computation.inputs
    shapes = [getattr(result, "shape", None) for result in computation.results]
    if "type" in violation.values or shapes != [()]:
        return False
    if not any(isinstance(x, TensorType) and x.encoding is not None for x in arguments):
        return False
    return len(arguments) == len(inputs) and all(
        isinstance(x, TensorType)
        and isinstance(y, TensorType)
        and not x.shape
        and x.element_type == y.element_type
        for x, y in zip(arguments, inputs, strict=True)
    )


def has_sizes_of_last(op: Map, violation: Diagnostic) -> bool:
    """Whether the result of ``map`` has the sizes of all operands and of the last one without its
    bounds, from which upstream infers it.
    """
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    if not isinstance(declared, TensorType) or not isinstance(inferred, TensorType):
        return False
    last = without_bounds(op.operands[-1].type).with_element(inferred.element_type)
    fits = all(same_shape(value.type.shape, declared.shape) for value in op.operands)
    return fits and is_compatible(declared, last)


def has_unknown_sizes(op: Operation, _: Diagnostic) -> bool:
    """Whether the operand with the sizes of the result is no constant."""
    return known_integers(op.operands[-1]) is None


def has_unknown_shapes(op: DynamicReshape, _: Diagnostic) -> bool:
    """Whether the shape of the first operand or of the result is not known."""
    return not (op.operands[0].type.is_static and op.results[0].type.is_static)


def counts_along(op: DynamicIota, violation: Diagnostic) -> bool:
    """Whether ``dynamic_iota`` counts along a dimension of its result."""
    return (
        not about_operands(violation)
        and not op.regions
        and len(op.results) == 1
        and NUMBERS.accepts(op.results[0].type)
        and 0 <= op.iota_dimension < op.results[0].type.rank
    )


def counts_unknown_sizes(op: DynamicIota, violation: Diagnostic) -> bool:
    """Whether ``dynamic_iota`` does so, of sizes that are no constant."""
    return counts_along(op, violation) and has_unknown_sizes(op, violation)


def has_static_result(op: Operation, _: Diagnostic) -> bool:
    """Whether the result determines all sizes, so that upstream's executors ignore the operand."""
    result = op.results[0].type
    return isinstance(result, TensorType) and result.is_static


def keeps_state(op: RngBitGenerator, _: Diagnostic) -> bool:
    """Whether the state of a random number generator keeps its shape."""
    before, after = op.operands[0].type, op.results[0].type
    return all(map(STATE.accepts, (before, after))) and same_shape(before.shape, after.shape)


def has_words(op: RngBitGenerator, _: Diagnostic) -> bool:
    """Whether a state can be converted to the words of 64 bits that the algorithm takes."""
    state, after = op.operands[0].type, op.results[0].type
    if not state.is_static or state.shape != after.shape:
        return False
    size = math.prod(state.shape)
    words = size // 2 if state.element_type.bits == 32 and size == 4 else size
    return words in ((2,) if op.rng_algorithm is RngAlgorithm.THREE_FRY else (2, 3))


def reuses_operand(_: object, violation: Diagnostic) -> bool:
    """Whether it is a buffer operand, not a result, that has several aliases."""
    return "operand" in violation.values


def with_ranks(value_type: Type) -> Type:
    """A type with scalars in place of tensors of unknown rank, in tuples too."""
    match value_type:
        case UnrankedTensorType(element_type):
            return TensorType((), element_type)
        case TupleType(types):
            return TupleType(tuple(map(with_ranks, types)))
        case _:
            return value_type


def calls_with_unknown_ranks(_: Operation, violation: Diagnostic) -> bool:
    """Whether a custom call could take or return these types if their ranks were known."""
    types = [value for value in violation.values.values() if isinstance(value, Type)]
    return bool(types) and all(ANYTHING.accepts(with_ranks(value)) for value in types)


def moves_unknown_rank(op: CustomCall, _: Diagnostic) -> bool:
    """Whether a tensor of unknown rank is moved into a buffer of its elements, or out of one."""
    tensors, buffers = [value.type for value in op.operands], [value.type for value in op.results]
    if op.call_target_name == "Unpin":
        tensors, buffers = buffers, tensors
    return (
        op.call_target_name != "CreateBuffer"
        and list(map(type, tensors)) == [UnrankedTensorType]
        and list(map(type, buffers)) == [MemRefType]
        and buffers[0].shape is not None
        and buffers[0].element_type == tensors[0].element_type
    )


def has_sizes(op: Rng, _: Diagnostic) -> bool:
    """Whether the shape of ``rng`` is a vector of integers."""
    sizes = op.operands[2].type
    element = sizes.element_type
    is_integer = isinstance(element, IntegerType) and element.width in (2, 4, 8, 16, 32, 64)
    return sizes.rank == 1 and sizes.is_static and (is_integer or str(element) == "index")


def has_integer_indices(op: Scatter, _: Diagnostic) -> bool:
    """Whether the indices of ``scatter`` are integers, of any width and signedness."""
    return isinstance(op.scatter_indices.type.element_type, IntegerType)


def agrees_without_bounds(op: Complex, _: Diagnostic) -> bool:
    """Whether the operands are compatible if bounds are left out."""
    first, *others = [without_bounds(value.type) for value in op.operands]
    return all(compatible(first, other) for other in others) and has_shape_of_lhs(op, _)


def has_result_without_bounds(_: Operation, violation: Diagnostic) -> bool:
    """Whether the declared result is the inferred one if the bounds of the latter are left out."""
    declared, inferred = violation.values.get("type"), violation.values.get("expected")
    return (
        isinstance(declared, TensorType)
        and isinstance(inferred, TensorType)
        and is_compatible(declared, without_bounds(inferred))
    )


def has_no_bounds_at_first(op: Operation, violation: Diagnostic) -> bool:
    """Whether upstream infers no bounds: the first of the operands that it merges has none."""
    first = op.operands[1 if op.name == "stablehlo.select" else 0].type
    has_bounds = isinstance(first, TensorType) and isinstance(first.encoding, BoundsAttribute)
    return not has_bounds and has_result_without_bounds(op, violation)


def branches_infer(op: Operation, violation: Diagnostic) -> bool:
    """Whether a result of ``if`` or ``case`` differs in parameters, or in bounds that the first
    branch does not have.
    """
    if differs_in_parameters(op, violation):
        return True
    returned = function_type(op.regions[0]).results
    declared = violation.values.get("type")
    firsts = [x for x, y in zip(returned, op.results, strict=True) if y.type is declared]
    has_bounds = any(
        isinstance(x, TensorType) and isinstance(x.encoding, BoundsAttribute) for x in firsts
    )
    return not has_bounds and has_result_without_bounds(op, violation)


def has_gradient_without_bounds(op: BatchNormGrad, violation: Diagnostic) -> bool:
    """Whether the gradient of a batch normalization agrees with the operand but for bounds.

    Upstream compares the result with the operand alone, bounds included.
    """
    operand, declared = op.operand.type, violation.values.get("type")
    if declared is None:
        return compatible(without_bounds(operand), without_bounds(op.grad_output.type))
    return isinstance(declared, TensorType) and compatible(operand, declared)


def without_bounds(value_type: TensorType) -> TensorType:
    """Drops the bounds of a type's dynamic dimensions."""
    return TensorType(value_type.shape, value_type.element_type)


# ---- sizes that follow from groups


def has_channel(op: AllGather, _: Diagnostic) -> bool:
    """Whether global device ids have a channel, which may be 0 in upstream."""
    return op.channel_handle is None or op.channel_id >= 0


def gathers(op: AllGather, _: Diagnostic) -> bool:
    """Whether each result of ``all_gather`` has a multiple of the size of its operand."""
    d = op.all_gather_dim
    return all(
        x.type.rank == y.type.rank
        and x.type.shape[d] != 0
        and x.type.element_type == y.type.element_type
        and are_compatible([without_size(x.type, d)], [without_size(y.type, d)])
        and (
            DYNAMIC in (x.type.shape[d], y.type.shape[d]) or y.type.shape[d] % x.type.shape[d] == 0
        )
        for x, y in zip(op.operands, op.results, strict=True)
    )


def without_size(value_type: TensorType, dimension: int) -> TensorType:
    """A type whose size along one dimension is unknown."""
    shape = list(value_type.shape)
    shape[dimension] = DYNAMIC
    return TensorType(tuple(shape), value_type.element_type)


def scatters(op: ReduceScatter, _: Diagnostic) -> bool:
    """Whether the operand of ``reduce_scatter`` has a multiple of the size of the result."""
    operand, result, d = op.operand.type, op.result.type, op.scatter_dimension
    if operand.rank != result.rank:
        return False
    accumulators = [element_of(x) for x in function_type(op.computation).results]
    sizes = operand.shape[d], result.shape[d]
    if DYNAMIC in sizes:
        return True
    others = are_compatible(
        [without_size(operand, d).with_element(result.element_type)], [without_size(result, d)]
    ) and all(element == result.element_type for element in accumulators)
    return others and 0 not in sizes and operand.shape[d] % result.shape[d] == 0


UNKNOWN_LENGTH: Final = 2**63  # the absolute value of MLIR's kDynamic
NUMBERS: Final = TENSOR | PER_TENSOR_QUANTIZED
STATE: Final = INTEGER_TENSOR | FLOAT_TENSOR
PARAMETERS: Final = Leniency(differs_in_parameters, always)
UNCHECKED: Final = Leniency()
PLAIN: Final = Leniency(always, always)

MERGING: Final = (
    "add and atan2 divide maximum minimum multiply or power remainder shift_left "
    "shift_right_arithmetic shift_right_logical subtract xor"
)

# The rules that compare a result with its operand in the storage type, which may be of another sign
# in upstream if its range is the same: `u8<0:127>` is `i8<0:127>` there.
STORING: Final = (
    *("abs C2", "batch_norm_grad C2", "batch_norm_inference C2", "batch_norm_training C2"),
    *("cbrt C1", "ceil C1", "cholesky C1", "cosine C1", "exponential C1"),
    *("exponential_minus_one C1", "floor C1", "log C1", "log_plus_one C1", "logistic C1"),
    *("negate C1", "reduce_precision C1", "round_nearest_afz C1", "round_nearest_even C1"),
    *("rsqrt C1", "sign C1", "sine C1", "sqrt C1", "tan C1", "tanh C1"),
)

LENIENCIES: Final[Mapping[str, Leniency]] = {
    **{f"stablehlo.{name}": PARAMETERS for name in STORING},
    **{f"stablehlo.{name} C1": Leniency(has_no_bounds_at_first) for name in MERGING.split()},
    "stablehlo.all_gather C5": Leniency(has_channel),
    "stablehlo.all_gather C6": Leniency(gathers),
    "stablehlo.all_reduce C5": Leniency(computation_accepts, always),
    "stablehlo.all_reduce C6": Leniency(has_result_without_bounds),
    "stablehlo.all_reduce C7": Leniency(differs_in_parameters_or_bounds, differs_in_parameters),
    "stablehlo.all_to_all C8": Leniency(has_mesh_groups),
    "stablehlo.async_done C1": PARAMETERS,
    "stablehlo.batch_norm_grad C3": Leniency(has_gradient_without_bounds),
    "stablehlo.batch_norm_inference C4": Leniency(vectors_agree),
    "stablehlo.batch_norm_inference C5": Leniency(vectors_agree),
    "stablehlo.batch_norm_inference C6": Leniency(vectors_agree),
    "stablehlo.batch_norm_training C4": Leniency(vectors_agree),
    "stablehlo.bitcast_convert C1": Leniency(keeps_width, keeps_count),
    "stablehlo.broadcast_in_dim C1": Leniency(broadcasts_quantized),
    "stablehlo.case C3": Leniency(all_branches_agree, always),
    "stablehlo.case C4": Leniency(branches_infer, differs_in_parameters),
    "stablehlo.clamp C4": Leniency(has_result_without_bounds),
    "stablehlo.compare C3": PLAIN,
    "stablehlo.compare C2": Leniency(compares_other_bounds),
    "stablehlo.complex C1": Leniency(agrees_without_bounds),
    "stablehlo.complex C2": Leniency(has_shape_of_lhs),
    "stablehlo.constant I1": Leniency(is_sparse, always),
    "stablehlo.convolution C25": Leniency(agrees_in_shape),
    "stablehlo.convolution C27": Leniency(multiplies_one_type, multiplies_numbers),
    "stablehlo.cross-replica-sum": Leniency(sums_alike),
    "stablehlo.custom_call buffer aliases": Leniency(reuses_operand),
    "stablehlo.custom_call buffers": Leniency(moves_unknown_rank),
    "stablehlo.custom_call": Leniency(calls_with_unknown_ranks),
    "stablehlo.custom_call I1": Leniency(calls_with_unknown_ranks),
    "stablehlo.dot C4": Leniency(agrees_in_shape),
    "stablehlo.dot_general C12": Leniency(agrees_in_shape),
    "stablehlo.dot_general C13": Leniency(always, multiplies_numbers),
    "stablehlo.dynamic_broadcast_in_dim C1": Leniency(is_quantized, stores_alike),
    "stablehlo.dynamic_broadcast_in_dim C6": Leniency(lacks_quantized_dimension, stores_alike),
    "stablehlo.dynamic_broadcast_in_dim C7": Leniency(has_unknown_sizes, has_static_result),
    "stablehlo.dynamic_conv I2": Leniency(has_unchecked_empty_kernel),
    "stablehlo.dynamic_conv C2": Leniency(pads_by_variables),
    "stablehlo.dynamic_conv C3": Leniency(pads_by_variables),
    "stablehlo.dynamic_conv C5": Leniency(pads_by_variables),
    "stablehlo.dynamic_conv C6": Leniency(pads_by_variables),
    "stablehlo.dynamic_conv C7": Leniency(pads_by_variables),
    "stablehlo.dynamic_conv C8": Leniency(pads_by_variables),
    "stablehlo.dynamic_conv C9": Leniency(pads_by_variables),
    "stablehlo.dynamic_conv C25": UNCHECKED,
    "stablehlo.dynamic_conv C26": UNCHECKED,
    "stablehlo.dynamic_conv C27": Leniency(multiplies_one_type, multiplies_numbers),
    "stablehlo.dynamic_gather C14": PARAMETERS,
    "stablehlo.dynamic_iota": Leniency(counts_along, has_static_result),
    "stablehlo.dynamic_iota C1": Leniency(counts_unknown_sizes, has_static_result),
    "stablehlo.dynamic_iota C2": Leniency(counts_unknown_sizes, has_static_result),
    "stablehlo.dynamic_reshape C1": Leniency(reshapes_quantized),
    "stablehlo.dynamic_reshape C3": Leniency(has_unknown_shapes),
    "stablehlo.einsum C1": UNCHECKED,
    "stablehlo.einsum C2": UNCHECKED,
    "stablehlo.einsum C3": UNCHECKED,
    "stablehlo.einsum C4": UNCHECKED,
    "stablehlo.fft C4": Leniency(has_unknown_length),
    "stablehlo.get_tuple_element C2": PARAMETERS,
    "stablehlo.if C2": Leniency(branches_agree, always),
    "stablehlo.if C3": Leniency(branches_infer, differs_in_parameters),
    "stablehlo.map C1": Leniency(has_sizes_of_last),
    "stablehlo.map C4": Leniency(maps_compatible, differs_in_parameters),
    "stablehlo.recv C1": UNCHECKED,
    "stablehlo.recv C2": UNCHECKED,
    "stablehlo.recv C3": UNCHECKED,
    "stablehlo.recv C4": UNCHECKED,
    "stablehlo.recv I5": Leniency(has_pairs_of_other_rank),
    "stablehlo.reduce": Leniency(has_surplus_operand, reduces_scalars),
    "stablehlo.reduce C2": Leniency(reduce_accepts, reduces_scalars),
    "stablehlo.reduce C3": Leniency(reduce_accepts, reduces_scalars),
    "stablehlo.reduce C6": Leniency(reduce_accepts, reduces_scalars),
    "stablehlo.reduce I2": Leniency(reduce_accepts, reduces_scalars),
    "stablehlo.reduce C7": Leniency(follows_first_input),
    "stablehlo.reduce C8": PARAMETERS,
    "stablehlo.reduce_scatter C1": Leniency(scatters),
    "stablehlo.reduce_scatter C7": Leniency(computation_accepts, always),
    "stablehlo.reduce_scatter C8": Leniency(scatters),
    "stablehlo.reduce_scatter C9": Leniency(scatters),
    "stablehlo.reduce_window": Leniency(has_surplus_operand, reduces_scalars),
    "stablehlo.reduce_window C2": Leniency(inputs_agree_without_bounds),
    "stablehlo.reduce_window C3": Leniency(reduce_window_accepts, reduces_scalars),
    "stablehlo.reduce_window C13": Leniency(reduce_window_accepts, reduces_scalars),
    "stablehlo.reduce_window C14": UNCHECKED,
    "stablehlo.reduce_window C16": PARAMETERS,
    "stablehlo.reduce_window I2": Leniency(reduce_window_accepts, reduces_scalars),
    "stablehlo.reshape C1": Leniency(reshapes_alike),
    "stablehlo.reshape C3": Leniency(reshapes_unknown_sizes),
    "stablehlo.rng I3": Leniency(has_sizes),
    "stablehlo.rng_bit_generator C1": Leniency(keeps_state, has_words),
    "stablehlo.rng_bit_generator C2": Leniency(keeps_state, has_words),
    "stablehlo.rng_bit_generator I2": Leniency(keeps_state, has_words),
    "stablehlo.scatter": Leniency(has_surplus_operand, reduces_scalars),
    "stablehlo.scatter C5": Leniency(scatter_accepts, reduces_scalars),
    "stablehlo.scatter C6": Leniency(scatter_accepts, reduces_scalars),
    "stablehlo.scatter C23": Leniency(scatter_accepts, reduces_scalars),
    "stablehlo.scatter C25": PARAMETERS,
    "stablehlo.scatter I2": Leniency(has_integer_indices),
    "stablehlo.select C2": Leniency(has_no_bounds_at_first),
    "stablehlo.select_and_scatter C1": Leniency(scatter_of_windows_accepts, selects_and_scatters),
    "stablehlo.select_and_scatter C3": Leniency(scatter_of_windows_accepts, selects_and_scatters),
    "stablehlo.select_and_scatter C9": Leniency(scatter_of_windows_accepts, selects_and_scatters),
    "stablehlo.select_and_scatter C10": Leniency(scatter_of_windows_accepts, selects_and_scatters),
    "stablehlo.select_and_scatter C12": PARAMETERS,
    "stablehlo.send C1": UNCHECKED,
    "stablehlo.send C2": UNCHECKED,
    "stablehlo.send C3": UNCHECKED,
    "stablehlo.send C4": UNCHECKED,
    "stablehlo.send I6": Leniency(has_pairs_of_other_rank),
    "stablehlo.set_dimension_size C2": PARAMETERS,
    "stablehlo.sort C2": PARAMETERS,
    "stablehlo.sort C5": Leniency(compares_scalars),
    "stablehlo.unary_einsum C1": UNCHECKED,
    "stablehlo.unary_einsum C2": UNCHECKED,
    "stablehlo.unary_einsum C3": UNCHECKED,
    "stablehlo.unary_einsum C4": UNCHECKED,
    "stablehlo.uniform_dequantize C1": Leniency(has_result_without_bounds),
    "stablehlo.transpose C1": Leniency(has_first_scales),
    "stablehlo.while C1": Leniency(cond_agrees, loops_on_one_kind),
    "stablehlo.while C2": Leniency(body_agrees, loops_on_one_kind),
    "stablehlo.while C3": PARAMETERS,
}
