"""Programs whose results are too large end in an error of ours: what the campaign once found."""

from __future__ import annotations

from typing import Final

import pytest

from tests.fuzzing.limits import ACTIONS, examine

HUGE: Final = 1 << 44
ONES: Final = "1x" * 62
CONV: Final = "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
SORTED: Final = f"tensor<{ONES}3xf32>"
# What went wrong, and the lines of a function without arguments.
FOUND: Final = {
    "ValueError: an array too big": (
        f"%a = stablehlo.constant dense<1.0> : tensor<{HUGE}x{HUGE}xf64>",
        f"%0 = stablehlo.exponential %a : tensor<{HUGE}x{HUGE}xf64>",
    ),
    "ValueError: empty, but too big": (
        "%a = stablehlo.constant dense<> : tensor<0x3xi32>",
        f"%0 = stablehlo.reshape %a : (tensor<0x3xi32>) -> tensor<{(1 << 63) - 1}x0xi32>",
    ),
    "ValueError: 65 dimensions of a constant": (
        f"%a = stablehlo.constant dense<1> : tensor<1x1x1x{ONES}4xui2>",
        f"%0 = stablehlo.not %a : tensor<1x1x1x{ONES}4xui2>",
    ),
    "ValueError: 65 dimensions of values": (
        "%a = arith.constant 8 : i8",
        f"%0 = tensor.from_elements %a : tensor<1x1x1x{ONES}xi8>".replace("xxi8", "xi8"),
    ),
    "MemoryError: a constant that would be sizes": (
        "%z = stablehlo.constant dense<0.0> : tensor<f32>",
        f"%n = stablehlo.constant dense<1> : tensor<{HUGE}xi64>",
        "%0 = stablehlo.dynamic_broadcast_in_dim %z, %n, dims = [] : "
        f"(tensor<f32>, tensor<{HUGE}xi64>) -> tensor<?x?xf32>",
    ),
    "MemoryError: a rank that is a size": (
        "%z = stablehlo.constant dense<0.0> : tensor<f32>",
        f"%n = stablehlo.constant dense<1> : tensor<{HUGE}xi64>",
        "%0 = stablehlo.rng %z, %z, %n, distribution = NORMAL : "
        f"(tensor<f32>, tensor<f32>, tensor<{HUGE}xi64>) -> tensor<?x?xf32>",
    ),
    "MemoryError: a result that is larger than it is declared": (
        "%a = stablehlo.constant dense<1.0> : tensor<f32>",
        f"%0 = stablehlo.broadcast %a, sizes = [{HUGE}] : (tensor<f32>) -> tensor<?xf32>",
    ),
    "MemoryError: a list of pairs that repeats a number": (
        "%t = stablehlo.after_all : !stablehlo.token",
        '%0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, '
        f"type = 1>, source_target_pairs = dense<1> : tensor<{HUGE}x2xi64>}}> : "
        "(!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)",
    ),
    "TypeError: a list of pairs in one dimension": (
        "%t = stablehlo.after_all : !stablehlo.token",
        '%0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, '
        "type = 1>, source_target_pairs = dense<[0, 1]> : tensor<2xi64>}> : "
        "(!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)",
    ),
    "TypeError: groups in three dimensions": (
        "%a = stablehlo.constant dense<1.0> : tensor<2xf32>",
        '%0 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<0> : '
        "tensor<1x1x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>",
    ),
    "MemoryError: where a custom call has its shapes": (
        "%a = stablehlo.constant dense<1> : tensor<2xi64>",
        "%0 = stablehlo.custom_call @f(%a) {indices_of_shape_operands = dense<1> : "
        f"tensor<{HUGE}xi64>}} : (tensor<2xi64>) -> tensor<?x?xf32>",
    ),
    "MemoryError: a sparse constant": (
        f"%0 = stablehlo.constant sparse<[[0]], [1.0]> : tensor<{HUGE}xf32>",
    ),
    "OverflowError: windows far apart": (
        "%a = stablehlo.constant dense<1.0> : tensor<1x8x4xf32>",
        "%b = stablehlo.constant dense<1.0> : tensor<3x4x4xf32>",
        "%c = stablehlo.constant dense<0> : tensor<1x2xi64>",
        '%0 = "stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, '
        f"dimension_numbers = {CONV}, feature_group_count = 1 : i64, "
        f"rhs_dilation = array<i64: {(1 << 63) - 1}>}}> : "
        "(tensor<1x8x4xf32>, tensor<3x4x4xf32>, tensor<1x2xi64>) -> tensor<1x?x4xf32>",
    ),
    "MemoryError: padding for a result that is declared small": (
        "%a = stablehlo.constant dense<1.0> : tensor<1x8x4xf32>",
        "%b = stablehlo.constant dense<1.0> : tensor<3x4x4xf32>",
        f"%c = stablehlo.constant dense<{HUGE}> : tensor<1x2xi64>",
        "%d = stablehlo.optimization_barrier %c : tensor<1x2xi64>",
        '%0 = "stablehlo.dynamic_conv"(%a, %b, %d) <{batch_group_count = 1 : i64, '
        f"dimension_numbers = {CONV}, feature_group_count = 1 : i64}}> : "
        "(tensor<1x8x4xf32>, tensor<3x4x4xf32>, tensor<1x2xi64>) -> tensor<1x6x4xf32>",
    ),
    "MemoryError: a window of which there is none": (
        "%a = stablehlo.constant dense<1.0> : tensor<4xf32>",
        "%i = stablehlo.constant dense<0.0> : tensor<f32>",
        '%0 = "stablehlo.reduce_window"(%a, %i) '
        f"<{{window_dimensions = array<i64: {1 << 61}>}}> ({{",
        "^bb0(%x: tensor<f32>, %y: tensor<f32>):",
        "  stablehlo.return %x : tensor<f32>",
        "}) : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>",
    ),
    "RuntimeError: a sort of more than 32 dimensions": (
        f"%a = stablehlo.constant dense<1.0> : {SORTED}",
        f"%0, %1 = chlo.top_k(%a, k = 2) : {SORTED} -> (tensor<{ONES}2xf32>, tensor<{ONES}2xi32>)",
    ),
    "RuntimeError: complex numbers of more than 32 dimensions": (
        f"%a = stablehlo.constant dense<1.0> : {SORTED}",
        f"%0 = stablehlo.complex %a, %a : tensor<{ONES}3xcomplex<f32>>",
    ),
    "RuntimeError: bits of more than 32 dimensions": (
        f"%a = stablehlo.constant dense<true> : tensor<{ONES}8xi1>",
        f"%0 = stablehlo.bitcast_convert %a : (tensor<{ONES}8xi1>) -> tensor<{ONES[:-1]}xui8>",
    ),
    "MemoryError: a sort of nothing": (
        f"%a = stablehlo.constant dense<> : tensor<{1 << 31}x0xf32>",
        '%0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({',
        "^bb0(%x: tensor<f32>, %y: tensor<f32>):",
        "  %l = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        "  stablehlo.return %l : tensor<i1>",
        f"}}) : (tensor<{1 << 31}x0xf32>) -> tensor<{1 << 31}x0xf32>",
    ),
    "OverflowError: a size that is no i32": (
        f"%a = shape.const_shape [5, {(1 << 63) - 1}] : tensor<2xindex>",
        "%0 = arith.index_cast %a : tensor<2xindex> to tensor<2xi64>",
    ),
    "KeyError: a label that no operand has": (
        "%a = stablehlo.constant dense<1.0> : tensor<2x3xf32>",
        '%0 = stablehlo.unary_einsum %a, config = "ab->c" : (tensor<2x3xf32>) -> tensor<7xf32>',
    ),
    "no end: many groups": (
        f"%a = stablehlo.constant dense<1> : tensor<1x{1 << 20}xi32>",
        f"%b = stablehlo.constant dense<1> : tensor<{1 << 20}x1xi32>",
        f"%s = stablehlo.constant dense<1> : tensor<{1 << 20}xi64>",
        '%0 = "chlo.ragged_dot"(%a, %b, %s) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<'
        "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], "
        f"lhs_ragged_dimensions = [1]>}}> : (tensor<1x{1 << 20}xi32>, tensor<{1 << 20}x1xi32>, "
        f"tensor<{1 << 20}xi64>) -> tensor<{1 << 20}x1x1xi32>",
    ),
    "MemoryError: a part of a large constant": (
        f"%a = stablehlo.constant dense<1> : tensor<2x{1 << 31}xi32>",
        "%i = stablehlo.constant dense<1> : tensor<2x1xui8>",
        '%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims '
        "= [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, "
        f"slice_sizes = array<i64: 2, 1>}}> : (tensor<2x{1 << 31}xi32>, tensor<2x1xui8>) -> "
        "tensor<2x2xi32>",
    ),
    "OverflowError: a number of bytes that no float holds": (
        f"%a = stablehlo.constant dense<1.0> : tensor<{f'{(1 << 31) - 1}x' * 40}f32>",
    ),
}


def program(why: str) -> bytes:
    """The function in which this went wrong."""
    lines = "\n  ".join(FOUND[why])
    return f"func.func @main() {{\n  {lines}\n  return\n}}".encode()


@pytest.mark.parametrize("why", FOUND)
def test_what_was_found_is_refused_or_run(why: str) -> None:
    for number in (0, 1):  # in the interpreter and in native code
        examine(program(why), number)


@pytest.mark.standard
@pytest.mark.parametrize("why", FOUND)
def test_what_was_found_survives_all_that_is_done(why: str) -> None:
    for number in range(0, 2 * len(ACTIONS), 2):
        examine(program(why), number)
