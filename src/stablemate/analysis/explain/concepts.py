"""Pages of concepts, and of functions that other libraries have under a name of their own.

A row has the names under which a page is found, the first of which is its title; what it says; and
the subjects to which it leads. An indented line continues the row above it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from stablemate.analysis.explain.page import Explanation, Kind

CONCEPTS: Final = """
SSA, static single assignment, ssa value, ssa form, value, values | Each value of a program is
    defined once, by one operation or as an argument of a block, and is never assigned again. Names
    such as %0 stand for values. | block, region, func.func
region, regions | A list of blocks that belongs to an operation, such as the body of a while loop or
    the reducer of a reduce. | block, while, reduce, case
block, basic block | A list of operations with arguments, which ends with a terminator such as
    return. | region, SSA, return
dialect, dialects, namespace | A family of operations, types and attributes with a common prefix:
    stablehlo, chlo, sdy, func, arith. | stablehlo, chlo, vhlo, sdy
stablehlo | The dialect of the StableHLO specification: portable operations on tensors that
    frameworks export and compilers read. | dialect, vhlo, portable artifact
chlo | The client dialect: functions that are composed of StableHLO operations, such as chlo.erf,
    and broadcasts that are implied. | dialect, broadcasting
vhlo, versioned dialect | The versioned copy of StableHLO, of which portable artifacts consist: each
    operation has a version, so that newer and older tools can read the artifact. Programs are
    written in StableHLO; stablemate converts. | portable artifact, stablehlo
sdy, shardy | The dialect that states how tensors are distributed over a mesh of devices. | mesh,
    sharding, manual_computation
mlir | The compiler infrastructure whose text, bytecode and data structures (operations, regions,
    blocks, values) StableHLO uses. | SSA, region, dialect, bytecode
hlo, xla | XLA's own representation of programs: computations of instructions on shapes with
    layouts. stablemate reads, runs, writes and converts it. | stablehlo, layout
module, program | The operation that holds the functions of a program. The function main is its
    entry. | func.func, symbol
symbol, symbols, @name | A name that begins with @, under which a function or a mesh is found in its
    module. | module, func.func, func.call
terminator | The last operation of a block: it returns values to the operation around it. | return,
    block
attribute, attributes, properties, metadata | A constant that belongs to an operation, such as
    dimension = 1. | constant, region
operand, operands, result, results, argument, arguments, variadic | The values that an operation
    reads and defines. | SSA
bytecode, mlirbc | MLIR's binary format, smaller and faster to read than text. | mlir, portable
    artifact
portable artifact, artifact, serialization, compatibility, forward compatibility, backward
    compatibility, target version, stablehlo version, opset, deserialize | A program in VHLO
    bytecode for a chosen version of StableHLO. It can be read by tools up to five years newer, and
    by older ones that know that version. | vhlo, bytecode
splat, dense, literal | A constant, all of whose elements are equal, is written as one element:
    dense<0.0>. | constant, fill
broadcasting, implicit broadcasting, broadcast rules, broadcasting rules, broadcast semantics, numpy
    broadcasting, scalar broadcasting | Operations of StableHLO take operands of equal shapes; sizes
    are adapted by broadcast_in_dim first. Operations of CHLO named broadcast_... adapt them by
    NumPy's rules. | broadcast_in_dim, dynamic_broadcast_in_dim, chlo.broadcast_add
rank, ndim, dimension, axis, axes | The number of dimensions of a tensor. Operations name a
    dimension by its number, from 0; JAX and NumPy call it axis. | tensor, get_dimension_size
dynamic shape, dynamism, dynamic size, unknown size, symbolic size, symbolic, symbolic shape, shape
    polymorphism, polymorphic, polymorphism | A size that is known only at run time is written ? in
    a type. The pass stablehlo-refine-shapes replaces it when the arguments are known. | bounded
    dimension, dynamic_reshape, get_dimension_size, set_dimension_size
type inference, shape inference | The types of results follow from those of operands and attributes.
    The rules are part of each operation's page. | tensor
refinement, shape refinement | Unknown sizes become known, given the types of arguments: stablemate
    refine. | dynamic shape, stablehlo-refine-shapes
ulp, unit in the last place, ulps | The distance between a float and the next one. An error of 0.5
    ulp is that of correct rounding. | f32, is_finite, reduce_precision
rounding, round to nearest even | Results of float operations are rounded to the nearest number of
    the type, to the even one in a tie (IEEE 754). | f32, round_nearest_even, reduce_precision
nan, inf, infinity, not a number | Special values of floats. Comparisons with NaN are false, except
    NE; minimum and maximum return NaN if an operand is NaN. | compare, is_finite, f32
denormal, subnormal | Floats smaller than the least normal one. They are kept: nothing is flushed to
    zero. | f32
quantization, quantized, quantize, zero point, scale, dequantize, per channel, per axis, per tensor
    | Floats that are stored as integers: float = (stored - zero_point) * scale, per tensor or per
    axis. | !quant.uniform, uniform_quantize, uniform_dequantize
fma, fused multiply-add | x * y + z, rounded once. Native code uses it in sums of products. |
    dot_general, multiply
bf16, bfloat16, fp16, half, mixed precision | Floats of 16 bits: bf16 has the range of f32 and 8
    bits of precision, f16 has 11. | bf16, f16, precision_config
fp8, float8, fp4, float4 | Floats of 8 or 4 bits, named by the bits of exponent and mantissa. |
    f8E4M3FN, f8E5M2, f4E2M1FN
int4, uint4, int2, uint2 | Integers of 4 or 2 bits. | i4, ui4, i2, ui2
layout, memory layout, row-major, minor_to_major | The order in which the elements of a tensor are
    stored. StableHLO has none; HLO has one for each shape, such as {1,0} for row-major. |
    bf16[8,128]{1,0:T(8,128)}
tile, tiling, tiled layout | A layout in which blocks of elements are stored together, such as
    T(8,128) on TPUs. numpy.tile repeats a tensor: broadcast_in_dim and reshape. |
    bf16[8,128]{1,0:T(8,128)}, broadcast_in_dim
token, side effect, effects, ordering | A value without elements that orders operations with
    effects, such as outfeed. | after_all, send, recv, outfeed
tuple, tuples | Several values as one. | tuple, get_tuple_element
mesh, device mesh, axis name | Devices in a grid with named axes, over which tensors are
    distributed. | sdy.mesh, sharding
sharding, shard, shards, sharded, partition, partitioning, spmd, gspmd, parallelism, data
    parallelism, data parallel, tensor parallelism, tensor parallel, model parallelism | How the
    dimensions of a tensor are divided among the axes of a mesh. | sdy.sharding_constraint, mesh,
    manual_computation
replica, replicas, process grid, partition id, replica id | A program runs as num_replicas x
    num_partitions processes, each with its own data. | replica_id, partition_id, all_reduce
collective, collectives, communication | An operation that all processes of a group carry out
    together. | all_reduce, all_gather, reduce_scatter, all_to_all, collective_permute,
    collective_broadcast
channel, channel_id, channel_handle | A number that identifies the send and the receive, or the
    collectives, that belong together. | send, recv, channel_handle
host callback, callback, host | A function of the host that a program calls: a custom call, or a
    send to the host and a receive from it. | custom_call, send, recv
fusion, kernel, kernels | Operations that are computed together in one loop nest, so that values
    between them need no memory. stablemate emit fusion shows them. | fusion
aliasing, alias, donation, donate, donated, donate_argnums, in-place, input_output_alias | A result
    that takes over the memory of an argument, which the caller no longer uses. |
    optimization_barrier
constant folding, cse, dce, optimization, optimizer, pass, passes, lowering, decompose | Programs
    are rewritten by passes: stablemate opt --help lists them. | stablehlo-aggressive-folder,
    stablehlo-aggressive-simplification
entry, entry point, main | The function that runs when a program runs: main, or the only public one.
    | func.func, module
pjrt, plugin, jax, device, devices, gpu, tpu | The interface between JAX and a compiler. stablemate
    is such a plugin: JAX_PLATFORMS=stablemate. | custom_call
reducer, reduction, monoid | The function of two values that reduce, reduce_window and scatter
    apply. It should be associative, and its initial value neutral. | reduce, reduce_window, scatter
"""
FUNCTIONS: Final = """
matmul, mm, bmm, linear, dense layer, fully connected, gemm, matvec, gemv, matrix multiplication,
    matrix product, dot product, contraction, contracting dimension, batch dimension, @ |
    dot_general: batching dimensions are those of a batch, contracting dimensions those that are
    summed over. | dot_general, dot
conv2d, conv1d, conv3d, conv_general_dilated, conv_transpose, depthwise convolution, grouped
    convolution, transposed convolution, deconvolution | convolution: dimension numbers say which
    dimension is batch, feature and space; lhs_dilation gives a transposed one. | convolution
softmax, log_softmax | exponential(x - m) / sum of the same, where m is the maximum along the
    dimension: reduce, broadcast_in_dim, subtract, exponential, reduce, divide. | reduce,
    exponential, divide, broadcast_in_dim
logsumexp | m + log(sum(exp(x - m))), where m is the maximum: reduce, subtract, exponential, reduce,
    log, add. | reduce, exponential, log
relu, relu6, leaky_relu | maximum with zero; clamp for relu6; select with a compare for leaky_relu.
    | maximum, clamp, select
gelu, silu, swish, elu, selu, mish, softplus, celu | Activation functions are composed: gelu is x *
    (1 + erf(x / sqrt(2))) / 2, silu is x * logistic(x), softplus is log_plus_one(exponential(x))
    with care for large x. | chlo.erf, logistic, log_plus_one, exponential_minus_one, tanh
sigmoid, expit | logistic | logistic
attention, scaled_dot_product_attention, sdpa, flash attention, multi head attention, mha, gqa |
    dot_general of queries and keys, a scale, a mask by select, softmax, dot_general with values. |
    dot_general, softmax, select
layernorm, layer_norm, rmsnorm, groupnorm, instancenorm | Mean and variance by reduce, then
    subtract, rsqrt and multiply. | reduce, rsqrt, batch_norm_training
batchnorm, batch_norm | batch_norm_inference, batch_norm_training, batch_norm_grad |
    batch_norm_inference, batch_norm_training, batch_norm_grad
pooling, maxpool, avgpool, max_pool, avg_pool, max_pool2d | reduce_window with maximum, or with add
    and a division by the size of the window. | reduce_window, select_and_scatter
dropout | rng_bit_generator, compare and select, or a mask that is an argument. | rng_bit_generator,
    select
embedding, embedding lookup, index_select, take, take_along_axis, advanced indexing, indexing |
    gather | gather, dynamic_gather, torch_index_select
scatter_add, segment_sum, index_add, bincount, histogram | scatter with add in its region. | scatter
one_hot, onehot, eye, identity matrix | iota along the dimension, compared with the indices,
    converted. | iota, compare, convert
arange, range, linspace | iota, then multiply and add. | iota, dynamic_iota
zeros, ones, full, fill, zeros_like, full_like | A splat constant, or broadcast_in_dim of a scalar.
    | constant, broadcast_in_dim
concat, cat, stack, hstack, vstack, append | concatenate; stack adds a dimension of size 1 by
    reshape first. | concatenate, reshape, shape.concat
split, chunk, unstack, narrow | One slice for each part. | slice, dynamic_slice
permute, swapaxes, moveaxis | transpose: its permutation lists the operand's dimensions in their new
    order. | transpose
view, flatten, squeeze, unsqueeze, expand_dims, ravel | reshape: the elements keep their row-major
    order. | reshape, dynamic_reshape
expand, broadcast_to, tile_to, repeat, repeat_interleave | broadcast_in_dim: broadcast_dimensions
    say where the operand's dimensions are in the result. | broadcast_in_dim, reshape
roll, shift, flip | concatenate of two slices; flip is reverse. | slice, concatenate, reverse
where, select_n, masked_fill, torch.where, mask, masking, causal mask | select, with a compare. |
    select, compare
clip, clamp_min, hardtanh | clamp | clamp, minimum, maximum
cast, astype, to, dtype, convert_element_type | convert; bitcast_convert keeps the bits. | convert,
    bitcast_convert
sum, prod, mean, average, std, var, variance, norm, reduce_sum, nansum | reduce with add or
    multiply, and a division by the count for a mean. | reduce, divide, sqrt
amax, amin, reduce_max, any, all, reduce_min | reduce with maximum, minimum, or, and. | reduce
argmax, argmin | reduce of two operands, the values and an iota, with a region that keeps the
    greater value and its index. | reduce, iota, chlo.top_k
cumsum, cumprod, cummax, scan_sum, prefix sum | reduce_window with a window as long as the dimension
    and padding before, or chlo.scan. | reduce_window, chlo.scan
topk, top_k, argsort, unique, median, quantile | sort with an iota as second operand, then slice;
    chlo.top_k for the largest. | sort, chlo.top_k
einsum, tensordot, inner, outer, kron | dot_general with the right dimension numbers;
    stablehlo.einsum is deprecated. | dot_general, einsum
mod, fmod, floor_divide, remainder, floordiv | remainder has the sign of the dividend, as in C;
    Python's and NumPy's mod has that of the divisor. | remainder, floor, divide
rsqrt, square, reciprocal, pow, exp, expm1, log1p, abs, neg, sign | rsqrt, multiply, divide, power,
    exponential, exponential_minus_one, log_plus_one, abs, negate, sign. | power, exponential,
    exponential_minus_one, log_plus_one
cond, if, if_else, switch, control flow, branch, branches | if and case; each branch is a region. |
    if, case
while_loop, fori_loop, for, loop, scan, trip count, recurrence, rnn, lstm, gru | while: one region
    for the condition, one for the body. A loop over a count carries the counter. | while
vmap, pmap, batching | JAX turns a batched function into operations with one more dimension; nothing
    of it is left in the program. | dot_general, broadcast_in_dim
cross_entropy, cross entropy, nll_loss, loss, mse, mse_loss | log_softmax, then the element of the
    label by gather or by a product with one_hot, then a mean; mse is a mean of squares. | softmax,
    one_hot, sum
rope, rotary embedding | sine and cosine of positions, then slice, multiply, subtract, add and
    concatenate. | sine, cosine, concatenate
adam, sgd, momentum, weight decay | Elementwise arithmetic on parameters and gradients; the program
    returns the new parameters, often in the memory of the old ones. | aliasing, gradient, sqrt
shard_map, xmap | JAX writes sdy.manual_computation: a region whose tensors are the pieces of one
    device. | manual_computation, sharding
psum, pmean, pmax, allreduce | all_reduce with add, maximum, ... in its region. | all_reduce
allgather, all gather, ppermute, reducescatter, psum_scatter, alltoall | all_gather,
    collective_permute, reduce_scatter, all_to_all | all_gather, collective_permute, reduce_scatter,
    all_to_all
solve, lu, qr, svd, eigh, inv, det, triangular, lapack, blas, linear algebra | cholesky and
    triangular_solve are operations; JAX writes the others as custom calls of LAPACK, which
    stablemate carries out. | cholesky, triangular_solve, custom_call
rand, randn, random, prng, prng key, seed, normal, uniform, bernoulli, threefry | rng_bit_generator
    with a state, then conversions; JAX's default generator is integer arithmetic. |
    rng_bit_generator, rng
pad2d, zero_pad, reflect_pad | pad with a value; reflection is reverse, slice and concatenate. |
    pad, reverse, concatenate
gradient, grad, backward, vjp, autodiff | StableHLO has no derivatives: frameworks differentiate
    before they export. | select_and_scatter, batch_norm_grad
jit, compile a function, tracing, eager | A function is traced to a program, which a compiler turns
    into native code once for each set of shapes; sm.compile and sm.jit do it here. | jaxpr,
    stablehlo, fusion
jaxpr | JAX's own representation of a traced function. JAX translates it to StableHLO, so nothing of
    it is left in the program. | stablehlo, jit
scalar, 0-d | A tensor without dimensions, such as tensor<f32>. | tensor, constant
stride, dilation, window, kernel size | The attributes of a window: strides are the distances
    between windows, dilations those between the elements that a window combines. | convolution,
    reduce_window, slice
int8, uint8, int16, uint16, int32, uint32, int64, uint64, fp32, fp64, float32, float64, float16,
    half, double, bool, boolean | NumPy's and PyTorch's names of i8, ui8, i32, i64, f32, f64, f16,
    i1. | i8, ui8, i32, i64, f32, f64, f16, i1
print, debug print, assert | custom_call, or CHECK's expect operations in tests. | custom_call,
    check.expect_eq
"""
TOOLS: Final = """
operation, operations, op, instruction | A step of a program: it has operands, attributes, regions
    and results. stablemate explain NAME shows its rules and an example. | dialect, SSA, region
verifier, verification, constraint, constraints, valid, warning, warnings, strict, severity |
    stablemate check reports the rules that a program breaks: an error if upstream's verifier
    rejects the program or it has no meaning, a warning if only the specification forbids it.
    --strict and strict=True make warnings errors. | stablehlo.concatenate/C4, type inference
interpreter, reference interpreter, order | --backend=interpreter computes each operation by the
    formula of the specification, with NumPy, and sums in the order of the upstream interpreter;
    order="fast" sums in any order. | native code, stablehlo
native code, native, compiler, codegen, backend, cpu, llvm, llvmlite, executable | --backend=cpu,
    the default, compiles a program to machine code with LLVM. stablemate emit shows the stages. |
    fusion, interpreter, jit
vectorization, simd, vectorize, vector width | Native code computes several elements with one
    instruction, as many as the registers of the processor hold. stablemate emit shows it. | fusion,
    native code
precision, accuracy, correctly rounded, error bound | The interpreter rounds functions of f32 and
    narrower correctly; native code is at most 1 ulp away. precision_config and result_accuracy
    state what an operation allows. | ulp, precision_config, result_accuracy
cost, flops, flop, roofline, memory traffic, peak memory, memory | stablemate cost estimates
    arithmetic, memory and communication before a program runs; formulas if sizes are unknown. |
    fusion, collective, limits.memory
elided, elided constant, elided constants, dense_resource, resource | Constants whose elements a
    printer left out: {...} in HLO text, dense_resource<__elided__> in MLIR. The program loads;
    running it needs --elided=zeros or --elided=random:SEED. | constant, splat
unregistered, unregistered dialect, unregistered operation, unknown operation | An operation of a
    dialect that is not known here. It is read in the generic form, printed, converted and compared,
    but cannot run. | generic form, dialect
generic form, generic, pretty, pretty form, custom assembly, assembly format | Every operation can
    be written "dialect.name"(%operand) <{properties}> ({region}) : types; most have a shorter form
    too. stablemate fmt --generic writes it, as -mlir-print-op-generic of MLIR's tools does. |
    dialect, attribute, region
ffi, foreign function, custom_call_target, custom op | A custom call whose target is a function of
    another library; JAX registers it with jax.ffi. | custom_call
location, loc, source location, debug info | Where an operation comes from: a line of the program's
    text, or of the Python code that JAX traced. --debug-info prints it. | strip-debuginfo
proto, protobuf, hlo proto | The binary form of an HLO module, as XLA dumps it (.hlo.pb). stablemate
    reads and writes it. | hlo, bytecode
container, jax.export, export, exported, polymorphic export | A file of jax.export: a portable
    artifact with the trees of arguments and results. It is loaded and called as the function was. |
    portable artifact, jaxpr, symbolic shape
array, arrays, ndarray, numpy | Arguments and results of programs are NumPy arrays; what has
    __array__ or __dlpack__ is accepted too. | tensor
async, asynchronous, overlap | A computation that starts with one operation and ends with another;
    others run between them. | async_start, async_done
mhlo | XLA's dialect from which StableHLO was split off. Its operations are read as those of
    StableHLO and CHLO; attributes such as mhlo.num_partitions are in use. | stablehlo, dialect
func, arith, math, cf, scf, memref, linalg, affine | Dialects of MLIR beside StableHLO. Operations
    of func, arith and tensor are run; others are read, verified or kept, and printed. | dialect,
    unregistered, func.func
overflow, integer overflow, wrap around, underflow, division by zero | Integers wrap modulo 2 to the
    power of their width; floats become infinite or denormal. An integer divided by zero gives all
    bits set. | add, divide, denormal, nan
signed zero, negative zero | -0.0 equals 0.0 in comparisons, but its sign is kept: 1 / -0.0 is
    negative infinity. | compare, nan
kv cache, cache of keys | An array of earlier keys and values, into which dynamic_update_slice
    writes the new ones; donated, it is updated in place. | dynamic_update_slice, attention,
    aliasing
sparse, sparsity, ragged, jagged | Tensors are dense. ragged_dot multiplies groups of rows, whose
    sizes are values, with matrices of their own. | chlo.ragged_dot, gather
threads, thread pool, determinism, reproducibility | Native code divides loops among threads. Sums
    keep their order whatever the number of threads, so results have the same bits in each run. |
    native code, rounding
debugging, bisect, compare, trace, debugger, breakpoint, allclose, minimize | stablemate compare and
    bisect find where values diverge, nan where a NaN originates, dbg steps through a program, trace
    prints results, and reduce makes a failing program small. | nan, tolerance
deploy, deployment, aot, ahead of time, c api, shared library | stablemate build writes a library
    with a C header, which runs a program without Python. | native code, export
"""


def lines_of(*tables: str) -> list[str]:
    """The rows of tables, each on one line."""
    joined = "".join(table.removeprefix("\n") for table in tables)
    return joined.replace("\n    ", " ").strip().splitlines()


def rows() -> Iterator[tuple[Sequence[str], str, tuple[str, ...]]]:
    """The names, the text and the related subjects of each page."""
    for row in lines_of(CONCEPTS, FUNCTIONS, TOOLS):
        names, text, related = row.split(" | ")
        yield names.split(", "), text, tuple(related.split(", "))


def concept_page(asked: str) -> Explanation | None:
    """The page of a concept or of another library's function; None if there is none."""
    plain = " ".join(asked.lower().replace("-", " ").replace("_", " ").split())
    prefix, _, last = plain.rpartition(".")
    plain = last if prefix in LIBRARIES else plain
    for names, text, related in rows():
        for spelled in (plain, plain.removesuffix("s")):
            if spelled in [name.lower().replace("-", " ").replace("_", " ") for name in names]:
                kind: Kind = "concept"
                return Explanation(names[0], kind, sentence(text), (), related)
    return None


LIBRARIES: Final = (
    "numpy", "np", "jnp", "jax.numpy", "jax.nn", "jax.lax", "lax", "torch", "tf", "tf.nn", "nn",
    "torch.nn.functional", "f", "keras.layers", "onnx", "jax",
)  # fmt: skip


def sentence(text: str) -> str:
    """A text that ends with a full stop."""
    return text if text.endswith(".") else f"{text}."


def names() -> list[str]:
    """Lists every name, synonyms included, under which a concept is found."""
    return [name for names, *_ in rows() for name in names]
