"""The meaning of each attribute, in a sentence."""

from __future__ import annotations

from typing import Final

TABLE: Final = """
algorithm: The exact arithmetic of a dot: the types that operands are rounded to, the type that \
sums are formed in, and into how many parts each operand is split.
all_gather_dim: The dimension along which the pieces of all processes are concatenated.
allowed_direction: In which direction shardings may pass the barrier.
api_version: How a custom call hands over its operands; 4 is XLA's typed foreign function interface.
arg_attrs: A dictionary for each argument.
axes: The axes of the mesh that are meant.
backend_config: What only the target of a custom call understands: a string, or a dictionary.
base_dilations: How far apart elements of the input are put before windows are laid over it: \
d - 1 empty places between neighbors along each dimension.
batch_dims: How many leading dimensions operand and index have in common.
batch_group_count: Into how many groups the batch is cut; each group meets its own share of the \
output features.
broadcast_dimensions: For each dimension of the operand, the dimension of the result it becomes.
broadcast_sizes: The sizes of the dimensions that are put in front.
call_target_name: The name under which the function is registered that is called.
called_computation: The function that is called.
called_computations: Functions of the module that the target may call.
callee: The function that is called.
channel_handle: The channel on which a message travels; a positive handle also decides whether \
groups count replicas, partitions, or both as one list of devices.
compare_type: How elements are compared: floats by their values or in their total order, integers \
with or without a sign. Without it, the element type decides.
comparison_direction: Which relation is asked for: equal, not equal, greater or equal, greater, \
less or equal, less.
composite_attributes: Whatever a consumer of the composite must know.
concat_dimension: The dimension along which the received pieces are put together.
cross_program_prefetch_index: Which prefetch of another program the copy belongs to.
decomposition: The function that computes the same.
delta: By how much the state of random numbers advances.
dim: The dimension from which slices are taken.
dimension: The dimension that is meant.
dimension_numbers: Which dimensions play which part: see #stablehlo.conv and #stablehlo.gather.
dimensions: The dimensions that are meant.
dot_dimension_numbers: Which dimensions are batched and which are summed over: see #stablehlo.dot.
edge_padding_high: How many elements are added after each dimension; a negative number takes away.
edge_padding_low: How many elements are added before each dimension; a negative number takes \
away.
einsum_config: Letters for the dimensions of each operand, an arrow, letters for those of the \
result; what has no letter after the arrow is summed over.
entry_metadata: What holds for operations that use the result of a domain.
epsilon: What is added to the variance before its root is taken.
error: What is said if the shapes do not fit.
execution_thread: The thread on which a device runs the function.
exit_metadata: What holds for operations that compute the operand of a domain.
exponent_bits: How many bits the exponent keeps.
fastmath: Which liberties the arithmetic of floats may take; here none is taken.
feature_group_count: Into how many groups the input features are cut; each group meets its own \
filters. As many groups as features is a depthwise convolution.
feature_index: The dimension that holds the features, each of which is normalized by itself.
fft_length: The sizes of the innermost dimensions that are transformed; of the whole signal, also \
where only half of its spectrum is stored.
fft_type: Which transform: forward or inverse of complex numbers, forward of real ones (RFFT), or \
inverse to real ones (IRFFT).
function_type: The types that a function takes and gives.
fusion_kind: How a compiler generates code for a fusion: as a loop, or around its input or output.
gathering_axes: For each dimension, the axes that its pieces are gathered over.
group_id: Tensors of one number shall have one sharding.
has_dynamic_root: Whether an operand says which process is the root.
has_side_effect: Whether a custom call must be run although nobody uses its results.
in_shardings: How the operands are cut into pieces.
index: The position in the tuple, counted from 0.
indices_are_sorted: A promise that index vectors come in order; if it is broken, results are \
undefined.
infeed: Functions whose results feed the infeed of the processes.
infeed_config: What only the device understands.
interior_padding: How many elements are put between neighbors along each dimension.
iota_dimension: The dimension along which numbers grow.
isExact: A promise that no bits are lost: a division without remainder, a shift that drops zeros.
is_associative: Whether the body may be regrouped, which allows a scan in parallel.
is_host_transfer: Whether the other side is the host and not a device.
is_reverse: Whether it runs from the end to the beginning.
is_stable: Whether elements that compare equal keep their order.
iteration: Which of the recorded values of a probe, counted from 1.
k: How many elements are kept.
kind: Of what the metadata of a domain are, such as shardings.
known_expanding_dimensions: Dimensions of the operand that are known to have size 1 and to grow.
known_nonexpanding_dimensions: Dimensions of the operand that are known to keep their size.
largest: Whether the largest elements are meant; otherwise the smallest.
layout: In which order the dimensions lie in memory.
left_side: Whether the unknown stands to the right of the matrix, a x = b, or to its left, x a = b.
lhs_dilation: How far apart elements of the input are put: a factor for each spatial dimension. \
More than 1 gives transposed convolutions.
limit_indices: Where the slice ends in each dimension; the index itself is not in it.
lower: Whether the lower triangle is meant, and the upper one is not looked at.
mantissa_bits: How many bits the mantissa keeps.
manual_axes: The axes of the mesh over which the body is written for one device.
max_ulp_difference: By how many representable numbers two floats may differ at most.
mesh: The axes of a grid of devices, with their sizes.
min_ulp_difference: By how many representable numbers two floats must differ at least.
msg: What is said if the requirement does not hold.
name: What the operation is called, by those who know it.
no_inline: Whether the function must stay a function.
nonNeg: A promise that the operand is not negative.
operand_layouts: In which order the dimensions of each operand lie in memory, innermost first.
out_sharding: How the result is cut into pieces.
out_shardings: How the results are cut into pieces.
outfeed_config: What only the device understands.
output_operand_aliases: Which results share the memory of which operands.
overflowFlags: A promise that no overflow happens.
padding: For each dimension, how many elements are added before and after; a negative number \
takes away.
params: From which dimension which axes move to which.
passing: Whether the witness says yes.
permutation: For each dimension of the result, the dimension of the operand that it was.
precision_config: For each operand, how much precision may be given up: DEFAULT is the fastest, \
HIGHEST the most exact. Here products are always exact in the operand's type.
predicate: Which relation is asked for.
probe_id: The name under which values are recorded.
programs: For each replica, a function for each partition.
ragged_dot_dimension_numbers: Which dimensions are batched, summed over, and cut into groups of \
different sizes.
reduce_scatter_axes: For each dimension, the axes over which is summed and then cut.
reduction_axes: The axes over which is reduced.
reduction_op: How values are reduced: sum, maximum, minimum ...
replica_groups: Which processes work together: a row of ids for each group, or axes of a mesh.
res_attrs: A dictionary for each result.
result_accuracy: How far the result may be from the exact one: the default of the implementation, \
the most exact form, or a tolerance.
result_layouts: In which order the dimensions of each result lie in memory, innermost first.
result_tilings: Into which tiles the memory of each result is cut.
rhs_dilation: How far apart elements of the filter are put: a factor for each spatial dimension. \
More than 1 gives dilated convolutions.
rng_algorithm: Which generator makes the bits: THREE_FRY, PHILOX, or the implementation's own.
rng_distribution: UNIFORM between a and b, or NORMAL with mean a and standard deviation b.
roundingmode: In which direction numbers are rounded that have no exact form.
scan_dim_size: How many steps there are, where no operand says it.
scatter_dimension: The dimension along which the result is cut into a piece for each process.
scatter_dimension_numbers: Which dimensions of updates and indices play which part: see \
#stablehlo.scatter.
shape: The sizes.
sharding: How a tensor is cut into pieces over the axes of a mesh.
slice_sizes: How large the slice is in each dimension.
slicing_axes: For each dimension, the axes that it is cut over.
source_target_pairs: Who sends to whom: rows of two process ids.
split_count: Into how many pieces a tensor is cut, one for each process of the group.
split_dimension: The dimension along which a tensor is cut.
start_indices: Where the slice begins in each dimension.
strides: How far the next element of the slice is in each dimension.
sym_name: The name by which others find it.
sym_visibility: Whether other modules can see it: public, private or nested.
tag: The name of the value in a trace.
tolerance: How far numbers may be apart.
transpose_a: Whether the matrix is taken as it is, transposed, or conjugated and transposed.
unique_indices: A promise that no element is updated twice; if it is broken, results are undefined.
unit_diagonal: Whether the diagonal counts as ones and is not looked at.
use_global_device_ids: Whether groups hold numbers of devices, replica_id * num_partitions + \
partition_id.
value: The literal.
version: Which version of the composite it is.
window_dilations: How far apart elements of the window are: a factor for each dimension.
window_dimensions: How large the window is in each dimension.
window_reversal: Along which spatial dimensions the filter is read backwards.
window_strides: How far the window moves in each dimension.
"""
MEANINGS: Final[dict[str, str]] = {
    name: text for name, _, text in (line.partition(": ") for line in TABLE.strip().splitlines())
}
# What the fields of structured attributes mean, by the attribute's name in text.
FIELDS: Final = {
    "stablehlo.channel_handle": {
        "handle": "the number of the channel; 0 is none",
        "type": "who is at its ends: 1 device to device, 2 device to host, 3 host to device",
    },
    "stablehlo.dot": {
        "lhs_batching_dimensions": "dimensions of lhs that are walked together with those of rhs",
        "rhs_batching_dimensions": "the same dimensions of rhs, in the same order",
        "lhs_contracting_dimensions": "dimensions of lhs that are multiplied with and summed over",
        "rhs_contracting_dimensions": "the same dimensions of rhs, in the same order",
    },
    "stablehlo.gather": {
        "offset_dims": "dimensions of the result that run inside a slice",
        "collapsed_slice_dims": "dimensions of the operand of which a slice takes one, left out",
        "operand_batching_dims": "dimensions of the operand that are walked with the indices",
        "start_indices_batching_dims": "the dimensions of the indices that are walked with them",
        "start_index_map": "for each number of an index vector, the dimension that it indexes",
        "index_vector_dim": "the dimension of the indices that holds the index vectors",
    },
    "stablehlo.scatter": {
        "update_window_dims": "dimensions of the updates that run inside a window",
        "inserted_window_dims": "dimensions of the input of which a window has one, left out",
        "input_batching_dims": "dimensions of the input that are walked with the indices",
        "scatter_indices_batching_dims": "the dimensions of the indices that are walked with them",
        "scatter_dims_to_operand_dims": "for each number of an index vector, what it indexes",
        "index_vector_dim": "the dimension of the indices that holds the index vectors",
    },
    "stablehlo.conv": {
        "input_batch_dimension": "b before the x: the examples",
        "input_feature_dimension": "f before the x: the features, or channels",
        "input_spatial_dimensions": "0, 1, ... before the x: where the window moves",
        "kernel_input_feature_dimension": "i: the features that the filter takes",
        "kernel_output_feature_dimension": "o: the features that the filter gives",
        "kernel_spatial_dimensions": "0, 1, ... after the x: the window",
        "output_batch_dimension": "b after the arrow",
        "output_feature_dimension": "f after the arrow",
        "output_spatial_dimensions": "0, 1, ... after the arrow",
    },
    "stablehlo.dot_algorithm": {
        "lhs_precision_type": "the type that elements of lhs are rounded to",
        "rhs_precision_type": "the type that elements of rhs are rounded to",
        "accumulation_type": "the type in which sums are formed",
        "lhs_component_count": "into how many numbers of that type an element of lhs is split",
        "rhs_component_count": "into how many numbers of that type an element of rhs is split",
        "num_primitive_operations": "how many dots of these parts are added up",
        "allow_imprecise_accumulation": "whether partial sums may be less exact",
    },
    "stablehlo.output_operand_alias": {
        "output_tuple_indices": "the result, or the way to it through tuples",
        "operand_index": "the operand that it shares memory with",
        "operand_tuple_indices": "the way through the operand's tuples",
    },
    "stablehlo.result_accuracy": {
        "atol": "the most by which the result may be wrong",
        "rtol": "the most by which it may be wrong, as a share of the exact result",
        "ulps": "the most by which it may be wrong, in units in the last place",
        "mode": "DEFAULT, HIGHEST, or TOLERANCE, which the other fields state",
    },
    "stablehlo.mesh_axis": {
        "name": "what replica groups call it",
        "size": "how many devices stand along it",
    },
    "stablehlo.mesh": {
        "axes": "the axes, the last one changing fastest",
        "device_ids": "the devices in the order of the mesh, if that is not their own",
    },
    "stablehlo.sub_axis_info": {
        "pre_size": "the product of the parts of the axis that come before",
        "size": "how many devices the part has",
    },
    "stablehlo.axis_ref": {
        "name": "the axis",
        "sub_axis_info": "the part of it that is meant; the whole one without",
    },
    "stablehlo.replica_group_mesh_axes": {
        "mesh": "the mesh, or its name",
        "axes": "devices that differ only along these axes work together",
    },
    "complex.number": {
        "real": "the real part, a float with its type",
        "imag": "the imaginary part, of the same type",
    },
    "chlo.ragged_dot": {
        "lhs_batching_dimensions": "dimensions of lhs that are walked together with those of rhs",
        "rhs_batching_dimensions": "the same dimensions of rhs",
        "lhs_contracting_dimensions": "dimensions of lhs that are summed over",
        "rhs_contracting_dimensions": "the same dimensions of rhs",
        "lhs_ragged_dimensions": "the dimension of lhs that is cut into groups",
        "rhs_group_dimensions": "the dimension of rhs that counts the groups",
    },
}
