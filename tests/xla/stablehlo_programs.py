"""Programs of one operation each, by what they are an example of.

A line of ``ONE_TO_ONE`` is ``argument types -> result types = operation``; arguments are ``%0``,
``%1`` and so on.
"""

from __future__ import annotations

from typing import Final

ADD: Final = (
    "({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32>"
    ' "stablehlo.return"(%s) : (tensor<f32>) -> () })'
)
GE: Final = (
    "({ ^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.compare GE, %x, %y :"
    " (tensor<f32>, tensor<f32>) -> tensor<i1>"
    ' "stablehlo.return"(%s) : (tensor<i1>) -> () })'
)
UNARY: Final = (
    *("abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log"),
    *("log_plus_one", "logistic", "negate", "round_nearest_afz", "round_nearest_even", "rsqrt"),
    *("sign", "sine", "sqrt", "tan", "tanh"),
)
BINARY: Final = (
    *("add", "atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder"),
    "subtract",
)
INTEGERS: Final = (
    *("add", "and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical"),
)
F: Final = "tensor<4x8xf32>"
ONE_TO_ONE: Final = {
    **{name: ([F], [F], f"stablehlo.{name} %0 : {F}") for name in UNARY},
    **{name: ([F, F], [F], f"stablehlo.{name} %0, %1 : {F}") for name in BINARY},
    **{
        f"{name} of integers": (
            ["tensor<5xi32>"] * 2,
            ["tensor<5xi32>"],
            f"stablehlo.{name} %0, %1 : tensor<5xi32>",
        )
        for name in INTEGERS
    },
    "compare": (
        ["tensor<5xi32>"] * 2,
        ["tensor<5xi1>"],
        "stablehlo.compare LT, %0, %1, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>",
    ),
    "compare in total order": (
        ["tensor<5xf32>"] * 2,
        ["tensor<5xi1>"],
        "stablehlo.compare LT, %0, %1, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>",
    ),
    "select": (
        ["tensor<5xi1>", "tensor<5xf32>", "tensor<5xf32>"],
        ["tensor<5xf32>"],
        "stablehlo.select %0, %1, %2 : tensor<5xi1>, tensor<5xf32>",
    ),
    "clamp by scalars": (
        ["tensor<f32>", "tensor<5xf32>", "tensor<f32>"],
        ["tensor<5xf32>"],
        "stablehlo.clamp %0, %1, %2 : (tensor<f32>, tensor<5xf32>, tensor<f32>) -> tensor<5xf32>",
    ),
    "convert": (
        ["tensor<5xf32>"],
        ["tensor<5xi8>"],
        "stablehlo.convert %0 : (tensor<5xf32>) -> tensor<5xi8>",
    ),
    "bitcast_convert": (
        ["tensor<5xf32>"],
        ["tensor<5x4xi8>"],
        "stablehlo.bitcast_convert %0 : (tensor<5xf32>) -> tensor<5x4xi8>",
    ),
    "is_finite": (
        ["tensor<5xf32>"],
        ["tensor<5xi1>"],
        "stablehlo.is_finite %0 : (tensor<5xf32>) -> tensor<5xi1>",
    ),
    "complex": (
        ["tensor<5xf32>"] * 2,
        ["tensor<5xcomplex<f32>>"],
        "stablehlo.complex %0, %1 : tensor<5xcomplex<f32>>",
    ),
    "reduce_precision": (
        ["tensor<5xf32>"],
        ["tensor<5xf32>"],
        "stablehlo.reduce_precision %0, format = e5m10 : tensor<5xf32>",
    ),
    "iota": ([], ["tensor<2x3xi32>"], "stablehlo.iota dim = 1 : tensor<2x3xi32>"),
    "constant": ([], ["tensor<2xf32>"], "stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>"),
    "constant of one value": (
        [],
        ["tensor<3xf32>"],
        "stablehlo.constant dense<1.5> : tensor<3xf32>",
    ),
    "reshape": ([F], ["tensor<32xf32>"], f"stablehlo.reshape %0 : ({F}) -> tensor<32xf32>"),
    "transpose": (
        [F],
        ["tensor<8x4xf32>"],
        f"stablehlo.transpose %0, dims = [1, 0] : ({F}) -> tensor<8x4xf32>",
    ),
    "reverse": ([F], [F], f"stablehlo.reverse %0, dims = [1] : {F}"),
    "broadcast_in_dim": (
        ["tensor<8xf32>"],
        [F],
        f"stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xf32>) -> {F}",
    ),
    "concatenate": (
        [F, F],
        ["tensor<8x8xf32>"],
        f"stablehlo.concatenate %0, %1, dim = 0 : ({F}, {F}) -> tensor<8x8xf32>",
    ),
    "slice": (
        [F],
        ["tensor<2x3xf32>"],
        f"stablehlo.slice %0 [1:3, 0:8:3] : ({F}) -> tensor<2x3xf32>",
    ),
    "dynamic_slice": (
        [F, "tensor<i32>", "tensor<i32>"],
        ["tensor<1x2xf32>"],
        f"stablehlo.dynamic_slice %0, %1, %2, sizes = [1, 2] : ({F}, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>",
    ),
    "dynamic_update_slice": (
        [F, "tensor<1x2xf32>", "tensor<i32>", "tensor<i32>"],
        [F],
        f"stablehlo.dynamic_update_slice %0, %1, %2, %3 : ({F}, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> {F}",
    ),
    "pad": (
        [F, "tensor<f32>"],
        ["tensor<9x9xf32>"],
        f"stablehlo.pad %0, %1, low = [1, 0], high = [1, 1], interior = [1, 0] : ({F}, tensor<f32>) -> tensor<9x9xf32>",
    ),
    "gather": (
        [F, "tensor<3x1xi32>"],
        ["tensor<3x8xf32>"],
        f'"stablehlo.gather"(%0, %1) {{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}} : ({F}, tensor<3x1xi32>) -> tensor<3x8xf32>',
    ),
    "scatter": (
        [F, "tensor<3x1xi32>", "tensor<3x8xf32>"],
        [F],
        f'"stablehlo.scatter"(%0, %1, %2) {ADD} {{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}} : ({F}, tensor<3x1xi32>, tensor<3x8xf32>) -> {F}',
    ),
    "dot_general": (
        ["tensor<2x3x4xf32>", "tensor<2x4x5xf32>"],
        ["tensor<2x3x5xf32>"],
        "stablehlo.dot_general %0, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>",
    ),
    "convolution": (
        ["tensor<1x5x5x4xf32>", "tensor<3x3x2x6xf32>"],
        ["tensor<1x3x5x6xf32>"],
        "stablehlo.convolution(%0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [1, 1]]} {feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<1x5x5x4xf32>, tensor<3x3x2x6xf32>) -> tensor<1x3x5x6xf32>",
    ),
    "cholesky": (
        ["tensor<3x3xf32>"],
        ["tensor<3x3xf32>"],
        "stablehlo.cholesky %0, lower = true : tensor<3x3xf32>",
    ),
    "triangular_solve": (
        ["tensor<3x3xf32>", "tensor<3x2xf32>"],
        ["tensor<3x2xf32>"],
        '"stablehlo.triangular_solve"(%0, %1) {left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>',
    ),
    "fft": (
        ["tensor<2x8xf32>"],
        ["tensor<2x5xcomplex<f32>>"],
        "stablehlo.fft %0, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>",
    ),
    "reduce": (
        [F, "tensor<f32>"],
        ["tensor<4xf32>"],
        f'"stablehlo.reduce"(%0, %1) {ADD} {{dimensions = array<i64: 1>}} : ({F}, tensor<f32>) -> tensor<4xf32>',
    ),
    "reduce_window": (
        [F, "tensor<f32>"],
        ["tensor<2x8xf32>"],
        f'"stablehlo.reduce_window"(%0, %1) {ADD} {{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}} : ({F}, tensor<f32>) -> tensor<2x8xf32>',
    ),
    "select_and_scatter": (
        [F, "tensor<2x4xf32>", "tensor<f32>"],
        [F],
        f'"stablehlo.select_and_scatter"(%0, %1, %2) {GE[:-1]}, {ADD[1:]} {{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}} : ({F}, tensor<2x4xf32>, tensor<f32>) -> {F}',
    ),
    "sort": (
        [F],
        [F],
        f'"stablehlo.sort"(%0) {GE} {{dimension = 1 : i64, is_stable = true}} : ({F}) -> {F}',
    ),
    "batch_norm_inference": (
        [F, *["tensor<8xf32>"] * 4],
        [F],
        f'"stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) {{epsilon = 0.001 : f32, feature_index = 1 : i64}} : ({F}, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> {F}',
    ),
    "get_dimension_size of a bounded dimension": (
        ["tensor<?xf32, #stablehlo.bounds<5>>"],
        ["tensor<i32>"],
        "stablehlo.get_dimension_size %0, dim = 0 : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<i32>",
    ),
    "all_reduce": (
        ["tensor<4xf32>"],
        ["tensor<4xf32>"],
        f'"stablehlo.all_reduce"(%0) {ADD} {{replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}} : (tensor<4xf32>) -> tensor<4xf32>',
    ),
    "all_gather": (
        ["tensor<4xf32>"],
        ["tensor<8xf32>"],
        '"stablehlo.all_gather"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>',
    ),
    "reduce_scatter": (
        ["tensor<4xf32>"],
        ["tensor<2xf32>"],
        f'"stablehlo.reduce_scatter"(%0) {ADD} {{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}} : (tensor<4xf32>) -> tensor<2xf32>',
    ),
    "all_to_all": (
        ["tensor<4x4xf32>"],
        ["tensor<4x4xf32>"],
        '"stablehlo.all_to_all"(%0) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<4x4xf32>',
    ),
    "all_to_all of two dimensions": (
        ["tensor<4x6xf32>"],
        ["tensor<2x12xf32>"],
        '"stablehlo.all_to_all"(%0) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x6xf32>) -> tensor<2x12xf32>',
    ),
    "collective_permute": (
        ["tensor<4xf32>"],
        ["tensor<4xf32>"],
        '"stablehlo.collective_permute"(%0) {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>} : (tensor<4xf32>) -> tensor<4xf32>',
    ),
    "collective_broadcast": (
        ["tensor<4xf32>"],
        ["tensor<4xf32>"],
        '"stablehlo.collective_broadcast"(%0) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>',
    ),
    "partition_id": ([], ["tensor<ui32>"], "stablehlo.partition_id : tensor<ui32>"),
    "replica_id": ([], ["tensor<ui32>"], "stablehlo.replica_id : tensor<ui32>"),
    "custom_call": (
        ["tensor<2x3xf32>"],
        ["tensor<2x3xf32>"],
        "stablehlo.custom_call @f(%0) {api_version = 4 : i32, backend_config = {a = 1 : i64}, has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
    ),
    "erf": (["tensor<5xf32>"], ["tensor<5xf32>"], "chlo.erf %0 : tensor<5xf32> -> tensor<5xf32>"),
    "two results of rng_bit_generator": (
        ["tensor<2xui64>"],
        ["tensor<2xui64>", "tensor<3xui32>"],
        "stablehlo.rng_bit_generator %0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)",
    ),
    "two results of top_k": (
        ["tensor<5xf32>"],
        ["tensor<2xf32>", "tensor<2xi32>"],
        "chlo.top_k(%0, k = 2) : tensor<5xf32> -> (tensor<2xf32>, tensor<2xi32>)",
    ),
    "optimization_barrier": ([F], [F], f"stablehlo.optimization_barrier %0 : {F}"),
    "outfeed": (
        ["tensor<5xf32>", "!stablehlo.token"],
        ["!stablehlo.token"],
        '"stablehlo.outfeed"(%0, %1) {outfeed_config = "q"} : (tensor<5xf32>, !stablehlo.token) -> !stablehlo.token',
    ),
    "infeed": (
        ["!stablehlo.token"],
        ["tensor<5xf32>", "!stablehlo.token"],
        '"stablehlo.infeed"(%0) {infeed_config = "q", layout = [[0]]} : (!stablehlo.token) -> (tensor<5xf32>, !stablehlo.token)',
    ),
    "send": (
        ["tensor<5xf32>", "!stablehlo.token"],
        ["!stablehlo.token"],
        '"stablehlo.send"(%0, %1) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true} : (tensor<5xf32>, !stablehlo.token) -> !stablehlo.token',
    ),
    "recv": (
        ["!stablehlo.token"],
        ["tensor<5xf32>", "!stablehlo.token"],
        '"stablehlo.recv"(%0) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<5xf32>, !stablehlo.token)',
    ),
    "after_all": (
        ["!stablehlo.token", "!stablehlo.token"],
        ["!stablehlo.token"],
        "stablehlo.after_all %0, %1 : !stablehlo.token",
    ),
}


def program(name: str) -> str:
    """The program of a name."""
    arguments, results, operation = ONE_TO_ONE[name]
    signature = ", ".join(f"%{i}: {argument}" for i, argument in enumerate(arguments))
    kinds = ", ".join(results)
    count = f":{len(results)}" if len(results) > 1 else ""
    returned = ", ".join(f"%r#{i}" for i in range(len(results))) if count else "%r"
    return (
        f"func.func @main({signature.replace('%', '%arg')}) -> ({kinds}) {{\n"
        f"  %r{count} = {numbered(operation, len(arguments))}\n  return {returned} : {kinds}\n}}\n"
    )


def numbered(operation: str, count: int) -> str:
    """An operation with its arguments by the names that they have in the function."""
    for i in range(count):
        operation = operation.replace(f"%{i}", f"%arg{i}")
    return operation
