"""What the specification forbids and upstream accepts: a warning that loads, prints and runs."""

from __future__ import annotations

from typing import Final

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm
from stablemate.numerics.elements import Array
from tests.oracle.client import Oracle

DOT = """func.func @main(%a: tensor<2x3x{lhs}>, %b: tensor<3x4x{rhs}>) -> tensor<2x4x{result}> {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<2x3x{lhs}>, tensor<3x4x{rhs}>) -> tensor<2x4x{result}>
  return %0 : tensor<2x4x{result}>
}}
"""
CONVOLUTION = """func.func @main(%a: tensor<1x4x1xi8>, %b: tensor<2x1x1xi8>) -> tensor<1x3x1xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x4x1xi8>, tensor<2x1x1xi8>) -> tensor<1x3x1xf32>
  return %0 : tensor<1x3x1xf32>
}
"""
RANDOM = """func.func @main(%a: tensor<{state}>) -> (tensor<{after}>, tensor<4xui32>) {{
  %0, %1 = stablehlo.rng_bit_generator %a, algorithm = {algorithm}
    : (tensor<{state}>) -> (tensor<{after}>, tensor<4xui32>)
  return %0, %1 : tensor<{after}>, tensor<4xui32>
}}
"""
# A bitcast that adds a dimension: upstream accepts it, and no formula defines its values.
MEANINGLESS = """func.func @main(%a: tensor<f32>) -> tensor<3xi32> {
  %0 = stablehlo.bitcast_convert %a : (tensor<f32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}
"""
DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i8": np.int8,
    "i32": np.int32,
}


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
@pytest.mark.parametrize(
    ("lhs", "rhs", "result"),
    [
        ("f32", "bf16", "f32"),
        ("bf16", "f32", "bf16"),
        ("f32", "f64", "f64"),
        ("i8", "i32", "i32"),
        ("i8", "f32", "f32"),
        ("f32", "f32", "bf16"),
        ("f64", "f64", "f32"),
    ],
)
def test_products_of_mixed_types(lhs: str, rhs: str, result: str, backend: str) -> None:
    """Small integers: every type holds the products and their sums."""
    module = sm.load(DOT.format(lhs=lhs, rhs=rhs, result=result))
    module.verify()
    a = (np.arange(6).reshape(2, 3) - 2).astype(DTYPES[lhs])
    b = (np.arange(12).reshape(3, 4) - 5).astype(DTYPES[rhs])
    expected = a.astype(np.float64) @ b.astype(np.float64)
    outcome = np.asarray(sm.compile(module, backend=backend)(a, b))
    assert outcome.dtype == DTYPES[result]
    np.testing.assert_array_equal(outcome.astype(np.float64), expected)


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_a_convolution_of_integers_into_floats(backend: str) -> None:
    a = np.array([100, 100, -128, 1], np.int8).reshape(1, 4, 1)
    b = np.array([100, 2], np.int8).reshape(2, 1, 1)
    outcome = np.asarray(sm.compile(sm.load(CONVOLUTION), backend=backend)(a, b))
    assert outcome.ravel().tolist() == [10200.0, 9744.0, -12798.0]


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
@pytest.mark.parametrize(
    ("state", "after", "words"),
    [
        ("2xi64", "2xi64", np.array([1, 2], np.int64)),
        ("4xui32", "4xui32", np.array([1, 0, 2, 0], np.uint32)),
        ("1x2xui64", "1x2xui64", np.array([[1, 2]], np.uint64)),
        ("2xui64", "2xi32", np.array([1, 2], np.uint64)),
    ],
)
def test_states_of_any_shape_and_type(state: str, after: str, words: Array, backend: str) -> None:
    """The bits are those of the state as two words of 64 bits."""
    plain = sm.load(RANDOM.format(state="2xui64", after="2xui64", algorithm="THREE_FRY"))
    expected_state, expected = plain.run(np.array([1, 2], np.uint64), backend="interpreter")
    module = sm.load(RANDOM.format(state=state, after=after, algorithm="THREE_FRY"))
    assert {diagnostic.severity for diagnostic in module.diagnostics()} == {"warning"}
    after_state, bits = sm.compile(module, backend=backend)(words)
    np.testing.assert_array_equal(bits, expected)
    values = np.asarray(after_state)
    if values.size == 4:
        values = values.view(np.uint64)
    assert values.ravel().tolist() == np.asarray(expected_state).tolist()


def test_an_operation_without_meaning_loads_prints_and_converts_but_does_not_run() -> None:
    module = sm.load(MEANINGLESS)
    (diagnostic,) = module.diagnostics()
    assert (diagnostic.rule, diagnostic.severity) == ("stablehlo.bitcast_convert C1", "warning")
    module.verify()
    for again in (sm.load(module.to_text()), sm.load(module.to_bytecode())):
        assert module.difference(again) == ""
    assert sm.load(module.to_artifact()).to_stablehlo().difference(module) == ""
    for backend in ("interpreter", "cpu"):
        with pytest.raises(sm.VerifyError, match="bitcast_convert C1"):
            module.run(np.float32(1), backend=backend)


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_dynamic_broadcasts_into_slices_with_scales_of_their_own(backend: str) -> None:
    """Upstream's verdict depends on unset memory: the stored numbers are broadcast here."""
    operand, result = "2x!quant.uniform<i8:f32, 1.0>", "3x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>"
    program = """func.func @main(%a: tensor<{operand}>, %s: tensor<2xi64>) -> tensor<{result}> {{
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {{broadcast_dimensions = array<i64: 1>}}
    : (tensor<{operand}>, tensor<2xi64>) -> tensor<{result}>
  return %0 : tensor<{result}>
}}
"""
    rules = {"stablehlo.dynamic_broadcast_in_dim C1", "stablehlo.dynamic_broadcast_in_dim C6"}
    module = sm.load(program.format(operand=operand, result=result))
    assert {d.rule for d in module.diagnostics()} == rules
    outcome = module.run(np.array([1, 2], np.int8), np.array([3, 2]), backend=backend)
    assert np.asarray(outcome).tolist() == [[1, 2]] * 3
    floats = sm.load(program.format(operand="2xf32", result=result))
    assert {d.severity for d in floats.diagnostics()} == {"warning"}
    with pytest.raises(sm.VerifyError, match="dynamic_broadcast_in_dim C1"):
        floats.run(np.ones(2, np.float32), np.array([3, 2]), backend=backend)


def test_strict_verification_makes_warnings_errors() -> None:
    module = sm.load(MEANINGLESS)
    with pytest.raises(sm.VerifyError, match=r"^<text>:2:8: error: stablehlo\.bitcast_convert C1"):
        module.verify(strict=True)
    module.verify()


def test_upstream_accepts_these_programs(oracle: Oracle) -> None:
    programs = [
        MEANINGLESS,
        CONVOLUTION,
        DOT.format(lhs="f32", rhs="bf16", result="f32"),
        RANDOM.format(state="4xui32", after="4xui32", algorithm="THREE_FRY"),
    ]
    assert [oracle.diagnostics(program) for program in programs] == [[]] * len(programs)


# What upstream's verifier accepts and no rule allows, with the rules of the warnings.
ACCEPTED = {
    "arith.addi types": (
        "%a: tensor<2xi32>, %b: tensor<?xi32>",
        '"arith.addi"(%a, %b) : (tensor<2xi32>, tensor<?xi32>) -> tensor<2xi32>',
    ),
    "chlo.broadcast_add": (
        "%a: tensor<?xf32, #stablehlo.bounds<3>>, %b: tensor<2xf32>",
        '"chlo.broadcast_add"(%a, %b)'
        " : (tensor<?xf32, #stablehlo.bounds<3>>, tensor<2xf32>) -> tensor<5xf32>",
    ),
    "chlo.broadcast_multiply broadcast_dimensions": (
        "%a: tensor<2x1xi32>, %b: tensor<1x2xi32>",
        '"chlo.broadcast_multiply"(%a, %b) <{broadcast_dimensions = array<i64: 0, 2>}>'
        " : (tensor<2x1xi32>, tensor<1x2xi32>) -> tensor<1x2xi32>",
    ),
    "stablehlo.constant I1": (
        "",
        '"stablehlo.constant"() <{value = sparse<0, 1.5> : tensor<2xf32>}> : () -> tensor<2xf32>',
    ),
    "quantized element type expressed_type": (
        "%a: tensor<2x!quant.uniform<i8:f80, 0.5>>",
        '"stablehlo.abs"(%a) : (tensor<2x!quant.uniform<i8:f80, 0.5>>)'
        " -> tensor<2x!quant.uniform<i8:f80, 0.5>>",
    ),
    "tensor type bound sizes": ("%a: tensor<?xf32, #stablehlo.bounds<-2>>", ""),
    "stablehlo.dynamic_conv I2": (
        "%a: tensor<1x8x8x4xf32>, %b: tensor<0x3x4x4xf32>, %c: tensor<2x2xi64>",
        '"stablehlo.dynamic_conv"(%a, %b, %c) <{batch_group_count = 1 : i64, feature_group_count ='
        " 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}>"
        " : (tensor<1x8x8x4xf32>, tensor<0x3x4x4xf32>, tensor<2x2xi64>) -> tensor<1x9x6x4xf32>",
    ),
}


@pytest.mark.parametrize("rule", ACCEPTED)
def test_what_upstream_accepts_is_a_warning(rule: str, oracle: Oracle) -> None:
    arguments, operation = ACCEPTED[rule]
    text = f"func.func @main({arguments}) {{\n  {operation}\n  return\n}}\n"
    module = sm.load(text)
    assert {(d.rule, d.severity) for d in module.diagnostics()} == {(rule, "warning")}
    assert module.to_text(generic=True) == oracle.print(text, generic=True)
    assert sm.load(module.to_bytecode()).to_text() == module.to_text()


@pytest.mark.parametrize("element", ["!stablehlo.token", "vector<2xf32>"])
def test_tensors_of_what_no_operation_computes_with_are_passed_on(
    element: str, oracle: Oracle
) -> None:
    text = f"""func.func @main(%a: tensor<2x{element}>) -> tensor<?x{element}> {{
  %0 = tensor.cast %a : tensor<2x{element}> to tensor<?x{element}>
  return %0 : tensor<?x{element}>
}}
"""
    module = sm.load(text)
    assert module.diagnostics() == []
    assert module.to_text() == oracle.print(text)


@pytest.mark.parametrize("again", ["1 : i64", "0 : i32", '"axis"'])
def test_properties_precede_an_attribute_of_the_same_name(again: str, oracle: Oracle) -> None:
    text = (
        'func.func @main() {\n  %0 = "stablehlo.iota"() <{iota_dimension = 0 : i64}>'
        f" {{iota_dimension = {again}}} : () -> tensor<2x2xf32>\n  return\n}}\n"
    )
    assert sm.load(text).to_text() == oracle.print(text)


@pytest.mark.parametrize(
    "operation",
    [
        '%r = "chlo.broadcast_and"(%a, %b) : (TYPES) -> tensor<?xf32>',
        '%r = "chlo.broadcast_compare"(%a, %b) : (TYPES) -> tensor<?xi1>',
        '%r = "chlo.broadcast_complex"(%a, %b) : (TYPES) -> tensor<?xcomplex<f64>>',
        '"chlo.broadcast_add"(%a, %b) : (TYPES) -> ()',
    ],
)
def test_bounds_excuse_no_other_rule(operation: str, oracle: Oracle) -> None:
    types = "tensor<2xf32>, tensor<?xf32, #stablehlo.bounds<4>>"
    arguments = "%a: tensor<2xf32>, %b: tensor<?xf32, #stablehlo.bounds<4>>"
    text = f"func.func @main({arguments}) {{\n  {operation.replace('TYPES', types)}\n  return\n}}\n"
    assert oracle.diagnostics(text)
    assert [d.severity for d in sm.load(text).diagnostics()] == ["error"]


PROGRAMS = {
    "select of any rank": """func.func @f(%p: tensor<i1>, %a: tensor<*xi32>, %b: tensor<2x1xi32>) {
  %0 = "chlo.broadcast_select"(%p, %a, %b)
    : (tensor<i1>, tensor<*xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  return
}
""",
    "more results than initial values": """func.func @f(%a: tensor<2xindex>, %b: index) {
  %0:2 = "shape.reduce"(%a, %b) ({
  ^bb0(%i: index, %size: index, %state: index):
    "shape.yield"(%state, %state) : (index, index) -> ()
  }) : (tensor<2xindex>, index) -> (index, index)
  return
}
""",
    "sizes of the first operand": """func.func @f(
    %a: tensor<?x!quant.uniform<i8:f32, 5.0e-01>>,
    %b: tensor<?x!quant.uniform<i8:f32, 5.0e-01>, #stablehlo.bounds<1>>) {
  %0 = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 5.0e-01>>, %y: tensor<!quant.uniform<i8:f32, 5.0e-01>>):
    "stablehlo.return"(%x) : (tensor<!quant.uniform<i8:f32, 5.0e-01>>) -> ()
  }) : (tensor<?x!quant.uniform<i8:f32, 5.0e-01>>,
        tensor<?x!quant.uniform<i8:f32, 5.0e-01>, #stablehlo.bounds<1>>)
    -> tensor<2x!quant.uniform<i8:f32, 2.5e-01>>
  return
}
""",
    "a state with a bound": """func.func @f(%a: tensor<2xi64>) {
  %0:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}>
    : (tensor<2xi64>) -> (tensor<?xi64, #stablehlo.bounds<1>>, tensor<4xui32>)
  return
}
""",
    "vectors of pointers": "func.func private @f(vector<2x!llvm.ptr>, vector<2x!llvm.ptr<3>>)\n\n",
    "the boolean -1": """func.func @f(%a: tensor<2x2xf32>) {
  %0 = stablehlo.cholesky %a, lower = -1 : tensor<2x2xf32>
  return
}
""",
}
REJECTED = {
    "two commas": """func.func @f(%a: tensor<4xi32>, %i: tensor<i64>) {
  %0 = stablehlo.dynamic_slice %a,, %i, sizes = [2]
    : (tensor<4xi32>, tensor<i64>) -> tensor<2xi32>
  return
}
""",
    "a number without bits": "func.func private @f() attributes {a.b = -1 : i0}\n\n",
    "a type without a name": "func.func private @f(!<i32>)\n\n",
    "a bound of the first operand": """func.func @f(
    %a: tensor<?xf64, #stablehlo.bounds<0>>, %b: tensor<?xf64>) {
  %0 = "stablehlo.complex"(%a, %b)
    : (tensor<?xf64, #stablehlo.bounds<0>>, tensor<?xf64>) -> tensor<2xcomplex<f64>>
  return
}
""",
    "a bound of the lhs": """func.func @f(
    %a: tensor<?xf32, #stablehlo.bounds<2>>, %b: tensor<?xf32>) {
  %0 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}>
    : (tensor<?xf32, #stablehlo.bounds<2>>, tensor<?xf32>) -> tensor<3xi1>
  return
}
""",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_what_upstream_accepts_loads_and_prints(text: str, oracle: Oracle) -> None:
    module = sm.load(text)
    module.verify()
    assert module.to_text(generic=True) == oracle.print(text, generic=True)


@pytest.mark.parametrize("text", REJECTED.values(), ids=REJECTED)
def test_what_upstream_rejects_is_rejected(text: str, oracle: Oracle) -> None:
    assert oracle.diagnostics(text)
    with pytest.raises(sm.StablemateError):
        sm.load(text).verify()


# What nothing jumps to has no order; the literal of sdy.constant has any form and any elements.
WITHOUT_WARNINGS = (
    """func.func @f() {
  return
^bb1:
  %0 = arith.addi %1, %1 : i32
  %1 = arith.constant 1 : i32
  cf.br ^bb2
^bb2:
  %2 = stablehlo.add %3, %3 : tensor<i32>
  %3 = "stablehlo.case"(%4) ({
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %4 = stablehlo.constant dense<1> : tensor<i32>
  return
}
""",
    """func.func @f() {
  %0 = sdy.constant sparse<0, 1.0> : tensor<2xf32>
  %1 = sdy.constant dense<1.0> : tensor<2xf80>
  %2 = sdy.constant dense<1> : tensor<2xi17>
  return
}
""",
    """func.func @f(%a: tensor<2xi32>, %i: tensor<i32>) {
  %0 = stablehlo.reduce, (%a init: %i), applies stablehlo.add across dimensions = [0]
    : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %1:2 = stablehlo.reduce(%a init: %i),, (%a init: %i) across dimensions = [0]
    : (tensor<2xi32>, tensor<2xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    reducer(%x: tensor<i32>, %y: tensor<i32>) (%z: tensor<i32>, %w: tensor<i32>) {
      stablehlo.return %x, %z : tensor<i32>, tensor<i32>
    }
  return
}
""",
)


@pytest.mark.parametrize("text", WITHOUT_WARNINGS)
def test_what_upstream_accepts_is_printed_as_there(text: str, oracle: Oracle) -> None:
    module = sm.load(text)
    assert [d for d in module.diagnostics() if d.severity == "error"] == []
    assert module.to_text() == oracle.print(text)
    assert sm.load(module.to_bytecode()).to_text() == module.to_text()


def test_a_block_that_is_reached_keeps_its_order() -> None:
    text = WITHOUT_WARNINGS[0].replace("  return\n^bb1", "  cf.br ^bb1\n^bb1")
    with pytest.raises(sm.VerifyError, match=r"arith\.addi"):
        sm.load(text).verify()


WINDOWS: Final = (
    "window_strides = array<i64: 1>", "window_strides = array<i64: 1, 0>",
    "lhs_dilation = array<i64: 1>", "lhs_dilation = array<i64: 0, 1>",
    "rhs_dilation = array<i64: 1>", "rhs_dilation = array<i64: 0, 1>",
    "window_reversal = array<i1: true>",
)  # fmt: skip


@pytest.mark.parametrize("attribute", WINDOWS)
def test_windows_of_dynamic_conv_are_checked_where_the_padding_is_constant(
    attribute: str, oracle: Oracle
) -> None:
    """Upstream checks them as in convolution then, and not at all beside other padding."""
    numbers = "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"
    image, kernel = "tensor<1x4x4x1xf32>", "tensor<2x2x1x1xf32>"
    constant = "    %p = stablehlo.constant dense<0> : tensor<2x2xi32>\n"
    operation = f"""    %0 = "stablehlo.dynamic_conv"(%a, %b, %p) <{{
      batch_group_count = 1 : i64, feature_group_count = 1 : i64,
      dimension_numbers = {numbers}, {attribute}}}>
      : ({image}, {kernel}, tensor<2x2xi32>) -> tensor<1x?x?x1xf32>
    return
  }}
"""
    for argument, first, severity in (
        ("", constant, "error"),
        (", %p: tensor<2x2xi32>", "", "warning"),
    ):
        text = f"  func.func @main(%a: {image}, %b: {kernel}{argument}) {{\n{first}{operation}"
        assert bool(oracle.diagnostics(text)) == (severity == "error"), argument
        assert {d.severity for d in sm.load(text).diagnostics()} == {severity}, argument
