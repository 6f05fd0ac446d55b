"""Forms that MLIR's reader takes and its printer never writes: read and printed as by jaxlib."""

from __future__ import annotations

from typing import Final

import pytest

from tests.oracle.client import Oracle
from tests.properties.parity.comparison import read

ATTRIBUTES: Final = (
    # literals of vectors and buffers, sparse ones, too
    "dense<1> : memref<2xi8>",
    "dense<[[1.0, 2.0]]> : memref<1x2xf32, strided<[2, 1]>>",
    "dense<(1.0, 2.0)> : memref<complex<f32>, 1>",
    'dense<"0x0000803F"> : vector<2xf32>',
    "sparse<0, 1> : vector<2xi32>",
    "sparse<[[0], [1]], [1, 1]> : memref<3xi32>",
    "sparse<[[1, 1]], [2.0]> : tensor<2x2xf32>",
    # pairs of numbers as two elements, and more numbers than elements
    "dense<(1, 2)> : tensor<1xi32>",
    "dense<[[(1, 2)]]> : tensor<1x1xi8>",
    "dense<(1, 1)> : tensor<1xi32>",
    "dense<[(1, 2), (3, 4)]> : tensor<2xi32>",
    # the form in brackets, and what is behind an attribute or type in them
    "#stablehlo<bounds<4>>",
    "#stablehlo<bounds <4, ?>, 5 (x)>",
    "#stablehlo<precision DEFAULT, precision HIGH>",
    '#stablehlo<precision "HIGH">',
    "#stablehlo<dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>>",
    "#chlo<comparison_direction EQ, 1>",
    "#vhlo<precision_v1 DEFAULT 1>",
    "#sdy<sharding<@m, [{}]>, 1>",
    '#sdy<manual_axes{"x"}, 1>',
    '#arith<fastmath<"nnan">, 3>',
    "!stablehlo<token x>",
    "!stablehlo.token<1>",
    "!quant<uniform<i8:f32, 0.5>, 3>",
    "!shape<shape, 1>",
    # what MLIR's lexer takes for the name of a type, and its dialect does not
    "!shape.shape-",
    "!shape.shape-x.1",
    "!shape.size-<x>",
    "!stablehlo.token-a",
    # booleans as numbers
    "#vhlo.bool_v1<1>",
    "#vhlo.bool_v1<-0>",
    "#vhlo.bool_v1<0x1>",
    "#stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, "
    "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
    "num_primitive_operations = 1, allow_imprecise_accumulation = 0>",
    # comments in maps
    "affine_map<() -> // text\n ()>",
    "affine_map<(i) -> (i // text\n + 1) // -> ()\n>",
    "!vhlo<f32_v1, 1>",
    # sub-channel quantization without blocks
    "!quant.uniform<i8:f32:{}, {0.5:3, 0.25}>",
    # layouts and memory spaces that say nothing
    "memref<2x3xf32, affine_map<(i, j)[s] -> (i, j)>>",
    "memref<2xf32, strided<[2]>, affine_map<(d0) -> (d0)>, 0>",
    "memref<2xf32, false>",
    "memref<*xf32, 0 : i32>",
    # comments and line ends between sizes
    "tensor< // a comment\n 2x // another\n ?xf32>",
    "vector< [ 2 ] x 3xf32>",
    "tensor<*\nxf32>",
)
REJECTED: Final = (
    "vector<*xf32>",
    "memref<2xf32, 1, 2>",
    "memref<2xf32, 1, strided<[1]>>",
    "memref<*xf32, strided<[1]>>",
    "memref<2xf32, affine_map<() -> ()>>",
    "!shape.x",
    "!shape.shape.-",
    "!quant.any-<i8:f32>",
    "affine_map}() -> ()>",
    "affine_set",
    "sparse<> : tensor<?xi8>",
    "dense<1> : memref<?xi8>",
    "dense<1> : memref<*xi8>",
    "#arith<fastmath nnan>",
)
OPERATIONS: Final = (
    "%0 = stablehlo.add %a#0, %a : tensor<2x2xf32>",
    "%0 = stablehlo.add %a #0, %a // #1 \n #0: tensor<2x2xf32>",
    "%x:1 = stablehlo.abs %a : tensor<2x2xf32> %y = stablehlo.abs %x#0 : tensor<2x2xf32>",
    '%0 = stablehlo.compare "EQ", %a, %a, "FLOAT" : (tensor<2x2xf32>, tensor<2x2xf32>)'
    " -> tensor<2x2xi1>",
    "%0 = stablehlo.compare #eq, %a, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xi1>",
    "%0 = stablehlo.transpose %a, dims = #dims : (tensor<2x2xf32>) -> tensor<2x2xf32>",
    "%0 = stablehlo.concatenate %a, dim = #zero : (tensor<2x2xf32>) -> tensor<2x2xf32>",
    "%0 = stablehlo.unary_einsum %a, config = #config : (tensor<2x2xf32>) -> tensor<2xf32>",
    "%0 = stablehlo.cholesky %a, lower = 1 : tensor<2x2xf32>",
    '%0 = arith.cmpi "eq", %i, %i : i32',
    "%0 = arith.addf %f, %f fastmath #fast : f32",
)
ALIASES: Final = """#eq = #stablehlo<comparison_direction EQ>
#dims = array<i64: 1, 0>
#zero = 0 : i64
#config = "ab->a"
#fast = #arith.fastmath<nnan>
"""


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_attributes_are_read_and_printed_as_by_jaxlib(oracle: Oracle, attribute: str) -> None:
    agrees(oracle, f"func.func private @f() attributes {{k.v = {attribute}}}\n")


@pytest.mark.parametrize("attribute", REJECTED)
def test_attributes_are_rejected_as_by_jaxlib(oracle: Oracle, attribute: str) -> None:
    text = f"func.func private @f() attributes {{k.v = {attribute}}}\n"
    [theirs] = oracle.readings([text])
    assert theirs is not None
    assert theirs[0]
    assert read(text).rule


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operations_are_read_and_printed_as_by_jaxlib(oracle: Oracle, operation: str) -> None:
    head = "func.func @f(%a: tensor<2x2xf32>, %i: i32, %f: f32)"
    agrees(oracle, f"{ALIASES}{head} {{\n  {operation}\n  return\n}}\n")


def agrees(oracle: Oracle, text: str) -> None:
    """Checks that both accept a text and print it alike."""
    ours, [theirs] = read(text), oracle.readings([text])
    assert not ours.rule, ours.message
    assert theirs == ("", ours.pretty, ours.generic)


BOUNDED: Final = (
    "func.func @f(%a: tensor<?xf32, #stablehlo.bounds<2>>) {\n"
    "  %0 = stablehlo.custom_call @Pin(%a)"
    " : (tensor<?xf32, #stablehlo.bounds<2>>) -> memref<3xf32>\n  return\n}\n",
    "func.func @f(%a: tensor<?x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<1>>) {\n"
    "  %0 = stablehlo.uniform_dequantize %a"
    " : (tensor<?x!quant.uniform<i8:f32, 0.5>, #stablehlo.bounds<1>>) -> tensor<2xf32>\n"
    "  return\n}\n",
)


@pytest.mark.parametrize("text", BOUNDED)
def test_bounds_are_compared_where_jaxlib_compares_them(oracle: Oracle, text: str) -> None:
    agrees(oracle, text)


FALSE_FOR_ZERO: Final = (
    "func.func @f(%a: tensor<2xi8>) -> tensor<i8> {\n"
    "  %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [false]"
    " : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>\n  return %0 : tensor<i8>\n}\n",
    "func.func @f(%a: tensor<5xf32>, %i: tensor<f32>) -> tensor<f32> {\n"
    "  %0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [false]"
    " : (tensor<5xf32>, tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}\n",
    "func.func @f(%c: i1) {\n  cf.cond_br %c weights([true, 2]), ^a, ^b\n"
    "^a:\n  return\n^b:\n  return\n}\n",
)


@pytest.mark.parametrize("text", FALSE_FOR_ZERO)
def test_false_and_true_in_lists_of_numbers(oracle: Oracle, text: str) -> None:
    agrees(oracle, text)
