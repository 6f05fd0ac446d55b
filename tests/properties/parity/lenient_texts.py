"""Texts that upstream's verifier takes and the specification does not, and near ones.

Their regions return what stands outside, so that their arguments and results can have any types.
"""

from __future__ import annotations

from itertools import product
from typing import Final

WINDOWED: Final = """
func.func @main(%a: tensor<4xELEMENT>, %b: tensor<2xSOURCE>, %p: PREDICATE, %w: tensor<RESULT>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%a, %b, %z) <{window_dimensions = array<i64: 2>,
    window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<ELEMENT>, %y: tensor<SOURCE>):
    "stablehlo.return"(%p) : (PREDICATE) -> ()
  }, {
  ^bb0(%x: tensor<RESULT>, %y: tensor<ARGUMENT>):
    "stablehlo.return"(%w) : (tensor<RESULT>) -> ()
  }) : (tensor<4xELEMENT>, tensor<2xSOURCE>, tensor<f32>) -> tensor<4xRESULT>
  return
}
"""
CALLED: Final = """
func.func @main(%a: TYPE) {
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "foo"}> : (TYPE) -> TYPE
  return
}
"""
SURPLUS: Final = """
func.func @main(%a: tensor<4x6xf32>, %i: tensor<f32>, %s: TYPE) {
  %0 = "stablehlo.reduce"(OPERANDS) <{dimensions = array<i64: DIMENSION>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    "stablehlo.return"(%x) : (tensor<f32>) -> ()
  }) : (TYPES) -> tensor<6xf32>
  return
}
"""
REPEATING: Final = """
func.func @main(%a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %p: PREDICATE) {
  %0 = "stablehlo.while"(%a) ({
  ^bb0(%x: STATE):
    "stablehlo.return"(%p) : (PREDICATE) -> ()
  }, {
  ^bb0(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>):
    "stablehlo.return"(%x) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return
}
"""
SORTED: Final = """
func.func @main(%a: tensor<2xf32>, %p: PREDICATE) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: ARGUMENT, %y: ARGUMENT):
    "stablehlo.return"(%p) : (PREDICATE) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
"""
CHOSEN: Final = """
func.func @main(%i: tensor<i32>, %a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %b: BRANCH) {
  %0 = "stablehlo.case"(%i) ({
    "stablehlo.return"(%a) : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> ()
  }, {
    "stablehlo.return"(%b) : (BRANCH) -> ()
  }) : (tensor<i32>) -> RESULT
  return
}
"""
CARRIED: Final = """
func.func @main(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>, %c: tensor<CARRY>) {
  %0:2 = chlo.scan(%a) inits (%c) dimension=0 {
  ^bb0(%x: tensor<SLICE>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    stablehlo.return %x, %y : tensor<SLICE>, tensor<!quant.uniform<i8:f32, 0.5>>
  } : (tensor<4x!quant.uniform<i8:f32, 0.5>>, tensor<CARRY>) -> (tensor<4xf32>, tensor<CARRY>)
  return
}
"""
AWAITED: Final = """
func.func @main(%a: !stablehlo.future<OPERAND>) {
  %0 = "stablehlo.async_done"(%a) : (!stablehlo.future<OPERAND>) -> RESULT
  return
}
"""
BROADCAST: Final = """
func.func @main(%a: LHS, %b: RHS) {
  %0 = "chlo.NAME"(%a, %b) : (LHS, RHS) -> RESULT
  return
}
"""
DIVIDED: Final = """
sdy.mesh @m = <["x"=8]>
func.func @main(%a: tensor<8xf32>) {
  %0 = sdy.sharding_constraint %a <@m, [{"x":PART}]> : tensor<8xf32>
  %1 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x":PART}]>]
    out_shardings=[<@m, [{"x":PART}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
    sdy.return %b : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return
}
"""
REDUCED: Final = """
sdy.mesh @m = <["x"=2]>
func.func @main(%a: TYPE) {
  %0 = "sdy.all_reduce"(%a) <{out_sharding = #sdy.sharding<@m, [{}]>,
    reduction_axes = #sdy<axis_ref_list{"x"}>}> : (TYPE) -> TYPE
  return
}
"""
COUNTED: Final = """
func.func @main(%a: tensor<8xf32>) {
  %0:2 = "chlo.top_k"(%a) <{k = -1 : i64}> : (tensor<8xf32>) -> (TYPE, tensor<?xi32>)
  return
}
"""
IN_PIECES: Final = """
sdy.mesh @m = <["x"=2]>
func.func @main(%a: WHOLE, %p: PIECE) {
  %0 = "sdy.manual_computation"(%a) <{in_shardings = #sdy.sharding_per_value<[<@m, [SHARDS]>]>,
    manual_axes = #sdy<manual_axes{"x"}>,
    out_shardings = #sdy.sharding_per_value<[<@m, [SHARDS]>]>}> ({
  ^bb0(%b: PIECE):
    "sdy.return"(%b) : (PIECE) -> ()
  }) : (WHOLE) -> WHOLE
  return
}
"""
PICKED: Final = """
func.func @main(%p: PREDICATE, %a: ON_TRUE, %b: tensor<f32>) {
  %0 = "chlo.broadcast_select"(%p, %a, %b) : (PREDICATE, ON_TRUE, tensor<f32>) -> RESULT
  return
}
"""
WINDOWED_APART: Final = """
func.func @main(%a: tensor<5xf32>, %b: SECOND, %y: tensor<f32>, %z: tensor<i64>) {
  %0:2 = "stablehlo.reduce_window"(%a, %b, %y, %z) <{window_dimensions = array<i64: 3>,
    window_strides = array<i64: 2>}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<i64>, %s: tensor<f32>, %t: tensor<i64>):
    "stablehlo.return"(%p, %q) : (tensor<f32>, tensor<i64>) -> ()
  }) : (tensor<5xf32>, SECOND, tensor<f32>, tensor<i64>) -> (tensor<2xf32>, RESULT)
  return
}
"""
ADDED_UP: Final = """
func.func @main(%a: tensor<?x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<1>>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 0.5>>, %y: tensor<!quant.uniform<i8:f32, 0.5>>):
    "stablehlo.return"(%x) : (tensor<!quant.uniform<i8:f32, 0.5>>) -> ()
  }) : (tensor<?x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<1>>) -> RESULT
  return
}
"""
SCANNED: Final = """
func.func @main(%a: tensor<4xf32>, %c: tensor<f32>) {
  %0:2 = chlo.scan(%a) inits (%c) dimension=0 attributes {ATTRIBUTE} {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return
}
"""
MERGED: Final = """
func.func @main(%p: tensor<i1>, %a: LHS, %b: RHS) {
  %0 = "stablehlo.multiply"(%a, %b) : (LHS, RHS) -> RESULT
  %1 = "chlo.next_after"(%a, %b) : (LHS, RHS) -> RESULT
  %2 = "stablehlo.select"(%p, %a, %b) : (tensor<i1>, LHS, RHS) -> RESULT
  %3 = "stablehlo.if"(%p) ({
    "stablehlo.return"(%a) : (LHS) -> ()
  }, {
    "stablehlo.return"(%b) : (RHS) -> ()
  }) : (tensor<i1>) -> RESULT
  return
}
"""
CLAMPED: Final = """
func.func @main(%a: LHS, %b: RHS) {
  %0 = "stablehlo.clamp"(%a, %b, %a) : (LHS, RHS, LHS) -> RESULT
  return
}
"""
LAID_OUT: Final = """
func.func @main(%a: OPERAND) {
  "stablehlo.custom_call"(%a) <{
    call_target_name = "f", operand_layouts = [LAYOUT], result_layouts = []
  }> : (OPERAND) -> ()
  return
}
"""
TRANSPOSED: Final = """
func.func @main(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  %0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}>
    : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<?x?xRESULT>
  return
}
"""
LITERAL: Final = """
func.func @main() {
  %0 = "chlo.constant"() <{value = dense<1.5> : VALUE}> : () -> RESULT
  return
}
"""
SIZED: Final = """
#x = 7 : i64
func.func @main() {
  %0 = shape.const_shape SIZES : tensor<1xindex>
  return
}
"""
STARTED: Final = """
func.func @main(%x: tensor<4x4xi32>, %a: START, %b: tensor<i64>) {
  %0 = "stablehlo.dynamic_slice"(%x, %a, %b) <{slice_sizes = array<i64: 2, 2>}>
    : (tensor<4x4xi32>, START, tensor<i64>) -> tensor<2x2xi32>
  %1 = "stablehlo.dynamic_update_slice"(%x, %x, %a, %b)
    : (tensor<4x4xi32>, tensor<4x4xi32>, START, tensor<i64>) -> tensor<4x4xi32>
  return
}
"""
SCATTERED: Final = """
func.func @main(%x: tensor<3x4x2xi64>, %i: tensor<5x2xi64>, %u: UPDATES) {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = WINDOW, inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  }> ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    "stablehlo.return"(%b) : (tensor<i64>) -> ()
  }) : (tensor<3x4x2xi64>, tensor<5x2xi64>, UPDATES) -> tensor<3x4x2xi64>
  return
}
"""
STORED: Final = """
func.func @main(%a: tensor<2x2x!quant.uniform<OPERAND>>) {
  %0 = "stablehlo.NAME"(%a) {ATTRIBUTES} : (tensor<2x2x!quant.uniform<OPERAND>>)
    -> tensor<2x2x!quant.uniform<RESULT>>
  return
}
"""
STORED_OTHERWISE: Final = {
    **dict.fromkeys(("abs", "cbrt", "ceil", "cosine", "exponential", "floor", "log"), ""),
    **dict.fromkeys(("exponential_minus_one", "log_plus_one", "logistic", "negate", "rsqrt"), ""),
    **dict.fromkeys(("round_nearest_afz", "round_nearest_even", "sign", "sine", "sqrt"), ""),
    **dict.fromkeys(("reshape", "tan", "tanh"), ""),
    "cholesky": "lower = true",
    "reduce_precision": "exponent_bits = 8 : i32, mantissa_bits = 23 : i32",
    "broadcast_in_dim": "broadcast_dimensions = array<i64: 0, 1>",
    "cross-replica-sum": "replica_groups = dense<0> : tensor<1x1xi64>",
    "all_gather": "all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>",
}
NORMALIZED: Final = """
func.func @main(%a: tensor<3x2xOPERAND>, %s: tensor<2xOPERAND>) {
  %0:3 = "stablehlo.batch_norm_training"(%a, %s, %s)
    <{epsilon = 0.0 : f32, feature_index = 1 : i64}>
    : (tensor<3x2xOPERAND>, tensor<2xOPERAND>, tensor<2xOPERAND>)
    -> (tensor<3x2xRESULT>, tensor<2xMEAN>, tensor<?xRESULT>)
  %1:3 = "stablehlo.batch_norm_grad"(%a, %s, %s, %s, %a)
    <{epsilon = 0.0 : f32, feature_index = 1 : i64}>
    : (tensor<3x2xOPERAND>, tensor<2xOPERAND>, tensor<2xOPERAND>, tensor<2xOPERAND>,
       tensor<3x2xOPERAND>)
    -> (tensor<3x2xRESULT>, tensor<2xMEAN>, tensor<?xRESULT>)
  %2 = "stablehlo.batch_norm_inference"(%a, %s, %s, %s, %s)
    <{epsilon = 0.0 : f32, feature_index = 1 : i64}>
    : (tensor<3x2xOPERAND>, tensor<2xOPERAND>, tensor<2xOPERAND>, tensor<2xOPERAND>,
       tensor<2xOPERAND>) -> tensor<3x2xRESULT>
  return
}
"""
RESHAPED: Final = """
func.func @main(%a: tensor<2x!quant.uniform<OPERAND>>, %s: tensor<1xi32>) {
  %0 = "stablehlo.dynamic_reshape"(%a, %s) : (tensor<2x!quant.uniform<OPERAND>>, tensor<1xi32>)
    -> tensor<?x!quant.uniform<RESULT>>
  return
}
"""
GATHERED: Final = """
func.func @main(%a: tensor<SIZExf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64,
    channel_handle = #stablehlo.channel_handle<handle = CHANNEL, type = 1>,
    replica_groups = dense<[[3, 0], [1, 2]]> : tensor<2x2xi64>, use_global_device_ids}>
    : (tensor<SIZExf32>) -> tensor<?xf32>
  return
}
"""
ALONG: Final = """
func.func @main(%a: LHS, %b: tensor<2x1x2xf32>) {
  %0 = "chlo.broadcast_add"(%a, %b) <{broadcast_dimensions = array<i64: 2, 1>}>
    : (LHS, tensor<2x1x2xf32>) -> tensor<RESULTxf32>
  return
}
"""
LARGEST: Final = """
func.func @main(%a: tensor<8xf32>) {
  %0:2 = "chlo.top_k"(%a) <{k = 3 : i64}> : (tensor<8xf32>) -> (tensor<RESULT>, tensor<3xi32>)
  return
}
"""
CHOOSING: Final = """
func.func @main(%p: tensor<2xi1>, %a: tensor<?xf32, #stablehlo.bounds<BOUND>>, %b: tensor<f32>) {
  %0 = "chlo.broadcast_select"(%p, %a, %b)
    : (tensor<2xi1>, tensor<?xf32, #stablehlo.bounds<BOUND>>, tensor<f32>) -> tensor<RESULT>
  return
}
"""
DRAWN: Final = """
func.func @main(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<1xELEMENT>) {
  %0 = "stablehlo.rng"(%a, %b, %s) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}>
    : (tensor<f32>, tensor<f32>, tensor<1xELEMENT>) -> tensor<7xf32>
  return
}
"""
WRITTEN_TWICE: Final = """
func.func @main() {
  %0 = arith.constant {value = VALUE} LITERAL
  return
}
"""
PAIRED: Final = """
func.func @main() {
  %0 = stablehlo.constant dense<NUMBERS> : tensor<2xELEMENT>
  return
}
"""
OPEN_MATRIX: Final = "tensor<?x?xf32>"
HALVES: Final = "tensor<2x!quant.uniform<i8:f32, 0.5>>"
QUARTERS: Final = "tensor<2x!quant.uniform<i8:f32, 0.25>>"
OF_UNKNOWN_RANK: Final = "tensor<*x!quant.uniform<i8:f32, 0.5>>"
# A type that fits no tensor of this shape.
IN_BLOCKS: Final = "tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5}>>"


def with_parts(text: str, **parts: str) -> str:
    """A text with words in capitals replaced."""
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


TEXTS: Final = (
    *(
        with_parts(PICKED, PREDICATE=predicate, ON_TRUE=on_true, RESULT=result)
        for predicate, on_true, result in product(
            ("tensor<2xi1>", "tensor<1xi1>"),
            (
                "tensor<?xf32, #stablehlo.bounds<?>>",
                "tensor<?xf32, #stablehlo.bounds<3>>",
                "tensor<?xf32>",
                "tensor<1xf32>",
            ),
            ("tensor<2xf32>", "tensor<3xf32>", "tensor<?xf32>", "tensor<2x2xf32>"),
        )
    ),
    *(
        with_parts(WINDOWED_APART, SECOND=second, RESULT=result)
        for second, result in product(
            ("tensor<?xi64>", "tensor<5xi64>", "tensor<?xi64, #stablehlo.bounds<5>>"),
            ("tensor<2xi64>", "tensor<3xi64>", "tensor<?xi64, #stablehlo.bounds<1>>"),
        )
    ),
    *(
        with_parts(ADDED_UP, RESULT=f"tensor<{size}x!quant.uniform<i8:f32, {scale}>{bound}>")
        for size, scale, bound in product(
            "12?", ("0.5", "0.25"), ("", ", #stablehlo.bounds<?>")
        )
    ),
    *(
        with_parts(REDUCED, TYPE=kind)
        for kind in ("memref<?xf32>", "memref<*xf32>", "vector<8xf32>", "tensor<*xf32>", "i32")
    ),
    *(
        with_parts(COUNTED, TYPE=kind)
        for kind in ("tensor<*xf32>", "tensor<?xf32>", "tensor<8xf32>")
    ),
    *(
        with_parts(IN_PIECES, WHOLE=whole, PIECE=piece, SHARDS=shards)
        for whole, shards, piece in product(
            ("tuple<tensor<2xf32>>", "!stablehlo.token", "memref<2xf32>", "tensor<2xf32>"),
            ("", '{"x"}'),
            ("tensor<1xf32>", "tensor<2xf32>", "!stablehlo.token"),
        )
    ),
    *(
        with_parts(
            WINDOWED, ELEMENT=x, SOURCE=y, PREDICATE=p, RESULT=z, ARGUMENT=w
        )
        for x, y, z, w in product(("f32", "f64"), ("f32", "f16"), ("f32", "f16"), ("f32", "bf16"))
        for p in ("tensor<i1>", "tensor<ui1, 1 : i32>", "tensor<1xi1>")
    ),
    *(
        with_parts(REPEATING, STATE=state, PREDICATE=predicate)
        for state in (HALVES, QUARTERS, "tensor<2xi8>", IN_BLOCKS)
        for predicate in ("tensor<i1, #stablehlo.bounds<>>", "tensor<i1>", "tensor<si1>")
    ),
    *(
        with_parts(SORTED, ARGUMENT=argument, PREDICATE=predicate)
        for argument in ("tensor<f32>", "tensor<*xf32>", "tensor<f32, 1 : i32>")
        for predicate in ("tensor<i1>", "tensor<ui1, 1 : i32>", "tensor<i8>")
    ),
    *(
        with_parts(CHOSEN, BRANCH=branch, RESULT=result)
        for branch in (HALVES, QUARTERS, "tensor<2xi8>", IN_BLOCKS)
        for result in (HALVES, QUARTERS)
    ),
    *(
        with_parts(CARRIED, SLICE=x, CARRY=y)
        for x in ("!quant.uniform<i8:f32, 0.25:1>", "!quant.uniform<i4:f32, 0.5>")
        for y in ("!quant.uniform<i8:f32, 0.25:1>", "!quant.uniform<u8:f32, 0.5>")
    ),
    *(
        with_parts(AWAITED, OPERAND=operand, RESULT=result)
        for operand in (HALVES, IN_BLOCKS, "tensor<2x!quant.any<i8:f32>>", "tensor<2xi4>")
        for result in (QUARTERS, "tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>", "tensor<2xi8>")
    ),
    *(
        with_parts(BROADCAST, LHS=lhs, RHS=HALVES, RESULT=result, NAME=name)
        for lhs in (OF_UNKNOWN_RANK, QUARTERS)
        for result in (OF_UNKNOWN_RANK.replace("0.5", "0.25"), HALVES, "tensor<*xf32>")
        for name in ("broadcast_add", "broadcast_minimum", "broadcast_power")
    ),
    with_parts(
        BROADCAST, LHS="tensor<?xf32>", RHS="tensor<0xf32>", RESULT="tensor<2xf32>",
        NAME="broadcast_power",
    ),
    *(
        with_parts(BROADCAST, LHS=lhs, RHS=rhs, RESULT=f"tensor<{size}xcomplex<f32>>", NAME=name)
        for lhs in ("tensor<?xf32>", "tensor<?xf32, #stablehlo.bounds<3>>", "tensor<3xf32>")
        for rhs in ("tensor<0xf32>", "tensor<?xf32, #stablehlo.bounds<1>>")
        for size in "023"
        for name in ("broadcast_complex",)
    ),
    *(
        with_parts(text, LHS=lhs, RHS=rhs, RESULT=result)
        for text in (MERGED, CLAMPED)
        for lhs, rhs in product(("tensor<?xf32>", "tensor<?xf32, #stablehlo.bounds<3>>"), repeat=2)
        for result in ("tensor<4xf32>", "tensor<3xf32>")
    ),
    *(
        with_parts(LAID_OUT, OPERAND=operand, LAYOUT=layout)
        for operand in ("tensor<*xf32>", "tensor<?xf32>", "tensor<f32>", "!stablehlo.token")
        for layout in ("dense<0> : tensor<1xindex>", "dense<> : tensor<0xindex>")
    ),
    *(
        with_parts(TRANSPOSED, RESULT=f"!quant.uniform<{storage}:f32:{d}, {{{scales}}}>")
        for storage, d in (("i8", 1), ("i8", 0), ("i4", 1))
        for scales in ("0.5", "0.5, 0.25", "0.5, 0.25, 1.0", "0.5:1, 0.25, 1.0", "0.25, 0.5, 1.0")
    ),
    *(
        with_parts(LITERAL, VALUE=x, RESULT=y)
        for x, y in product(
            ("tensor<2xf32>", "tensor<2xf32, 1 : i32>", "tensor<2xf32, #stablehlo.bounds<?>>"),
            repeat=2,
        )
    ),
    *(
        with_parts(SIZED, SIZES=sizes)
        for sizes in (
            *("[true]", "[3 : i8]", "[200 : i8]", "[200 : ui8]", "[-1 : index]", "[#x]", "[0x10]"),
            *("[18446744073709551615 : ui64]", "[99999999999999999999 : i128]", "[1.0]", "3"),
            *('["a"]', "[2 : i1]"),
        )
    ),
    *(
        f"func.func @main(%a: tensor<2x{name}>) attributes {{k = {name}}} {{ return }}"
        for name in ("i08", "si04", "ui0016", "i00", "f032", "bf016")
    ),
    *(
        with_parts(STORED, NAME=name, ATTRIBUTES=attributes, OPERAND=operand, RESULT=result)
        for name, attributes in STORED_OTHERWISE.items()
        for operand, result in (
            ("i8<0:127>:f32, 0.5", "u8<0:127>:f32, 0.5"),
            ("i8<0:127>:f32, 0.5", "u8<0:127>:f32, 0.25"),
            ("i8<0:127>:f32, 0.5", "u8<0:126>:f32, 0.5"),
            ("i8<0:127>:f32:1, {0.5, 0.25}", "u8<0:127>:f32:1, {0.5, 0.25}"),
        )
    ),
    *(
        with_parts(NORMALIZED, OPERAND="!quant.uniform<i8<0:127>:f32, 0.5>", RESULT=x, MEAN=y)
        for x, y in product(
            ("!quant.uniform<u8<0:127>:f32, 0.25>", "!quant.uniform<i8<0:127>:f32, 0.5>"),
            ("!quant.uniform<u8<0:127>:f32, 0.5>", "!quant.uniform<u8<0:100>:f32, 0.5>"),
        )
    ),
    *(
        with_parts(RESHAPED, OPERAND=operand, RESULT=result)
        for operand, result in (
            ("i8:f32, 0.5", "i8:f32, 0.25"), ("i8:f32, 0.5", "i16:f32, 0.5"),
            ("i8:f32, 0.5", "i8:f32:0, {0.5, 0.5}"), ("i8:f32:0, {0.5, 0.25}", "i8:f32:0, {0.5}"),
            ("i8:f32:0, {0.5, 0.25}", "i16:f32:0, {0.5, 0.25}"),
            ("i8:f32:0, {0.5, 0.25}", "i8:f32:0, {0.5, 0.5}"),
        )
    ),
    *(
        with_parts(GATHERED, SIZE=size, CHANNEL=channel)
        for size in ("0", "1", "?")
        for channel in ("-1", "0", "1")
    ),
    *(
        with_parts(ALONG, LHS=lhs, RESULT=result)
        for lhs in ("tensor<1x2xf32>", "tensor<?x2xf32, #stablehlo.bounds<3, ?>>", OPEN_MATRIX)
        for result in ("2x1x2", "2x2x2", "2x3x2", "?x?x?")
    ),
    *(
        with_parts(BROADCAST, LHS=lhs, RHS=rhs, RESULT=result, NAME=name)
        for lhs, rhs in product(("tensor<*xf32>", "tensor<3xf32>", "tensor<?xf32>"), repeat=2)
        for result in ("tensor<*xf32>", "tensor<2xf32>", "tensor<3xf32>", "tensor<3x3xf32>")
        for name in ("next_after", "zeta")
    ),
    *(
        f"func.func @main() attributes {{k = array<{name}: {number}>}} {{ return }}"
        for name in ("si8", "i8", "ui8")
        for number in ("255", "256", "128", "-128", "-129", "0xFF", "-1")
    ),
    *(
        with_parts(LARGEST, RESULT=result)
        for result in ("3xf32", "?xf32", *(f"?xf32, #stablehlo.bounds<{n}>" for n in (1, 3, 4)))
    ),
    *(
        with_parts(CHOOSING, BOUND=bound, RESULT=result)
        for bound in ("1", "2", "3")
        for result in ("2xf32", "3xf32", "?xf32", "?xf32, #stablehlo.bounds<1>")
    ),
    *(with_parts(DRAWN, ELEMENT=name) for name in ("i1", "i8", "i17", "i64", "i128", "index")),
    *(
        with_parts(WRITTEN_TWICE, VALUE=value, LITERAL=literal)
        for value in ("2 : i32", "2", '"a"', "dense<2> : tensor<i32>")
        for literal in ("1 : i32", "dense<1> : tensor<i32>")
    ),
    *(
        with_parts(PAIRED, NUMBERS=numbers, ELEMENT=element)
        for numbers in (
            *("[(3.0, 4.0), (0.0, 1.0)]", "[(3.0, 3.0), (3.0, 3.0)]", "[(3.0, 3.0), (3.0, 1.0)]"),
            *("1.0e400", "[-1.0e400, 1.0]", "[(1.0, 1.0e400), (0.0, 1.0)]"),
        )
        for element in ("f8E8M0FNU", "f8E4M3FN", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f32", "f16")
    ),
    *(
        with_parts(STARTED, START=start)
        for start in ("tensor<i64, #stablehlo.bounds<>>", "tensor<i64, 1 : i32>", "tensor<i32>")
    ),
    *(
        with_parts(SCATTERED, UPDATES=updates, WINDOW=window)
        for updates in ("tensor<5x2x2xi64>", "tensor<5x2x2x1xi64>")
        for window in ("[1, 2]", "[1, 3]", "[2, 3]")
    ),
    *(
        with_parts(DIVIDED, PART=f"({pre}){size}")
        for pre, size in product((1, 2, 2**62 - 1, 2**63 - 1), (2, 4, 2**63 - 1))
    ),
    *(
        SCANNED.replace("ATTRIBUTE", text)
        for text in (
            *("is_reverse = 1 : i32", "is_reverse = false", "is_associative", "k = 1 : i32"),
            *("scan_dim_size = 4 : i64", "resultSegmentSizes = array<i32: 1, 1>"),
            "resultSegmentSizes = {a = 1}",
        )
    ),
    *(
        CALLED.replace("TYPE", around.replace("ELEMENT", element))
        for around, element in product(
            ("tensor<*xELEMENT>", "tuple<tensor<*xELEMENT>>", "tuple<tuple<tensor<*xELEMENT>>>"),
            ("f32", "index", "i3", "vector<2xf32>", "!quant.uniform<i8:f32:0, {0.5, 0.5}>"),
        )
    ),
    *(
        with_parts(SURPLUS, OPERANDS=operands, TYPES=types, TYPE=surplus, DIMENSION=dimension)
        for (operands, types), surplus, dimension in product(
            (
                ("%a, %i, %s", "tensor<4x6xf32>, tensor<f32>, TYPE"),
                ("%a, %s, %i", "tensor<4x6xf32>, TYPE, tensor<f32>"),
                ("%a", "tensor<4x6xf32>"),
            ),
            ("tensor<f32>", "tensor<4x6xf32>", "tensor<i32>"),
            ("0", "1", "0, 1"),
        )
    ),
)  # fmt: skip
