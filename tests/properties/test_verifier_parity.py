"""Changed programs: accepted and refused as by jaxlib, printed alike, and never anything worse.

``python -m tests.properties.parity.campaign`` compares any number.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle
from tests.properties.generation.choices import Seeded
from tests.properties.parity.binaries import Binaries
from tests.properties.parity.binaries import texts as texts_of_binaries
from tests.properties.parity.campaign import batches, shortest
from tests.properties.parity.comparison import Parity
from tests.properties.parity.inference import compared
from tests.properties.parity.inference import texts as opened_texts
from tests.properties.parity.lenient_texts import TEXTS as LENIENT_TEXTS
from tests.properties.parity.texts import functions, with_other_bytes

PROGRAMS: Final = 8  # of each operation
TOKENS: Final = 3000
FORMS: Final = 2000
STRUCTURES: Final = 2000
REGIONS: Final = 2000
BINARIES: Final = 300  # programs that are written as bytecode and as artifacts
TEXTS: Final = 5000
FINDINGS: Final = Path(__file__).parent / "parity" / "findings.txt"
SCATTER: Final = """
func.func @main(%a0: tensor<2xf32>, %a1: tensor<1x1xINDEX>, %a2: tensor<1xf32>) {
  %0 = "stablehlo.scatter"(%a0, %a1, %a2) <{scatter_dimension_numbers =
    #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
    index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    "stablehlo.return"(%x) : (tensor<f16>) -> ()
  }) : (tensor<2xf32>, tensor<1x1xINDEX>, tensor<1xf32>) -> tensor<2xf16>
  return
}
"""
SEND: Final = """
func.func @main(%a: tensor<2xf32>, %b: !stablehlo.token) {
  %0 = "stablehlo.send"(%a, %b)
    <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}> {PAIRS}
    : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}
"""
CALL: Final = """
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.custom_call"(%a) <{call_target_name = "f"}> {ATTRIBUTE}
    : (tensor<2xf32>) -> tensor<2xf32>
  return
}
"""
MAP: Final = """
func.func @main(%a: tensor<?xi64, #stablehlo.bounds<1>>) {
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i64>):
    "stablehlo.return"(%x) : (tensor<i64>) -> ()
  }) : (tensor<?xi64, #stablehlo.bounds<1>>) -> tensor<3xi64>
  return
}
"""
ENCODED: Final = "tensor<2xi32, 1 : i32>"
ADDITION: Final = """
func.func @main(%a: tensor<2xi32>, %b: OPERAND) {
  %0 = "arith.addi"(%a, %b) <{overflowFlags = #arith.overflow<none>}>
    : (tensor<2xi32>, OPERAND) -> RESULT
  return
}
"""
PREDICATES: Final = """
func.func @main(%a: TYPE, %b: tensor<*xf32>) {
  %0 = arith.cmpi slt, %a, %a : TYPE
  %1 = arith.select %0, %a, %a : PREDICATE, TYPE
  %2:2 = arith.addui_extended %a, %a : TYPE, PREDICATE
  return
}
"""
CONSTANTS: Final = """
func.func private @f() attributes {a.b = [0x7FF0000000000000 : f64, 1.0, 0x10 : i64]}
func.func private @g() attributes {a.b = #stablehlo.conv<[b, - 0, f]x[00, i, o]->[b, -0, f]>}
func.func @main(%b: tensor<*xf32>) {
  %0 = "chlo.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32, 1 : i32>
  %1:2 = "chlo.top_k"(%b) <{k = -1 : i64}> : (tensor<*xf32>) -> (tensor<?xf32>, tensor<?x2xi32>)
  return
}
"""
GRADIENT: Final = """
func.func @main(%a: tensor<?x?xf32>, %s: SCALE, %m: tensor<3xf32>, %g: tensor<2x3xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%a, %s, %m, %m, %g)
    <{epsilon = 1.0e-03 : f32, feature_index = 1 : i64}>
    : (tensor<?x?xf32>, SCALE, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>)
    -> (tensor<2x4xf32>, RESULT, tensor<3xf32>)
  return
}
"""
WINDOWS: Final = """
func.func @main(%a: tensor<?xf32, #stablehlo.bounds<4>>, %b: tensor<SIZExf32>, %c: tensor<f32>) {
  %0:2 = "stablehlo.reduce_window"(%a, %b, %c, %c) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    "stablehlo.return"(%x, %y) : (tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<SIZExf32>, tensor<f32>, tensor<f32>)
    -> (tensor<?xf32>, tensor<?xf32>)
  return
}
"""
REDUCTION: Final = """
func.func @main(%a: tensor<1x?xi64, #stablehlo.bounds<?, 5>>, %b: INIT) {
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<1xi64>, %y: tensor<1xi64>):
    "stablehlo.return"(%x) : (tensor<1xi64>) -> ()
  }) : (tensor<1x?xi64, #stablehlo.bounds<?, 5>>, INIT) -> tensor<1xi64>
  return
}
"""
NUMBERED: Final = """
func.func @main() {
  %0 = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %1 = "stablehlo.dynamic_iota"(%0) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> RESULT
  return
}
"""
REDUCED: Final = """
func.func @main(%a: tensor<?xi8, #stablehlo.bounds<1>>) {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    "stablehlo.return"(%x) : (tensor<i32>) -> ()
  }) : (tensor<?xi8, #stablehlo.bounds<1>>) -> RESULT
  return
}
"""
COUNTED: Final = """
func.func @main(%a: tensor<2xi64>) {
  %0 = "stablehlo.dynamic_iota"(%a) <{iota_dimension = 0 : i64}> : (tensor<2xi64>) -> RESULT
  return
}
"""
# Entries of the dictionary for attributes that an operation's own form has read before.
REPEATED: Final = (
    'stablehlo.custom_call @f(%a) {call_target_name = "g"} : (tensor<4x4xf32>) -> ()',
    "stablehlo.custom_call @f(%a) {api_version = 8 : i32} : (tensor<4x4xf32>) -> ()",
    "stablehlo.custom_call @f(%a) {api_version = 1 : i64} : (tensor<4x4xf32>) -> ()",
    "%0 = stablehlo.iota dim = 0 {iota_dimension = 1 : i64} : tensor<4x4xf32>",
    "%0 = stablehlo.iota dim = 0 {iota_dimension = 1 : i32} : tensor<4x4xf32>",
    "%0 = stablehlo.reverse %a, dims = [0] {dimensions = array<i64: 1>} : tensor<4x4xf32>",
    "%0 = stablehlo.slice %a [0:2, 0:4] {strides = array<i64: 2, 1>} "
    ": (tensor<4x4xf32>) -> tensor<1x4xf32>",
    "%0 = stablehlo.cholesky %a, lower = true {lower = 1 : i32} : tensor<4x4xf32>",
    "%0 = stablehlo.constant {value = dense<1> : tensor<i32>} dense<2> : tensor<i32>",
    "%0 = shape.const_shape {shape = dense<1> : tensor<1xindex>} [3] : tensor<1xindex>",
    "%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] "
    "{dimensions = array<i64: 0>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>",
)
FUNCTION: Final = """
func.func @main(%a: tensor<4x4xf32>, %z: tensor<f32>) {
  OPERATION
  return
}
"""
# A terminator of Shardy at the end of a computation of another dialect.
ENDED: Final = """
func.func @main(%a: tensor<i32>) -> (tensor<5xi32>, tensor<i32>) {
  %0:2 = "chlo.scan"(%a) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>,
      resultSegmentSizes = array<i32: 1, 1>, scan_dim_size = 5 : i64}> ({
  ^bb0(%x: tensor<i32>):
    "sdy.return"(%x, %x) : (tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<i32>) -> (tensor<5xi32>, tensor<i32>)
  "END"(%0#0, %0#1) : (tensor<5xi32>, tensor<i32>) -> ()
}
"""
# Integers of any width as indices; attributes after the properties, which these can store or not.
TEXTS_OF_FINDINGS: Final = (
    *(SCATTER.replace("INDEX", name) for name in ("si32", "i17", "ui128", "ui1", "f32")),
    SEND.replace("PAIRS", "source_target_pairs = dense<[0, 1]> : tensor<2xi64>"),
    SEND.replace("PAIRS", "source_target_pairs = dense<[0, 1]> : tensor<2xi32>"),
    SEND.replace("PAIRS", "source_target_pairs = dense<0.0> : tensor<2x2xf64>"),
    CALL.replace("ATTRIBUTE", "backend_config = 1 : i32"),
    CALL.replace("ATTRIBUTE", "called_computations = [[@f]]"),
    *(CALL.replace("ATTRIBUTE", f"api_version = {n}") for n in ("1", "4 : i32", "8 : i32")),
    *(FUNCTION.replace("OPERATION", operation) for operation in REPEATED),
    'module @x attributes {sym_name = "y"} {}',
    *(REDUCED.replace("RESULT", f"tensor<{type_}>") for type_ in ("2xi32", "1xi32", "2x2xi32")),
    *(
        COUNTED.replace("RESULT", f"tensor<{size}x{element}>")
        for size in ("3", "?")
        for element in ("i1", "!quant.uniform<i8:f32, 0.5:1>")
    ),
    'sdy.mesh @m = <["x"=2]> {sym_name = "q"}',
    ENDED.replace("END", "func.return"),
    *(NUMBERED.replace("RESULT", f"tensor<{type_}>") for type_ in ("?x?xi1", "3x?xi1", "2x3xi1")),
    NUMBERED.replace("RESULT", "tensor<?x?x!quant.uniform<i8:f32:0, {0.5, 0.5}>>"),
    ENDED.replace("END", "sdy.return"),
    MAP,
    REDUCTION.replace("INIT", "tensor<?xi64, #stablehlo.bounds<0>>"),
    REDUCTION.replace("INIT", "tensor<2xi64>"),
    WINDOWS.replace("SIZE", "5"),
    WINDOWS.replace("SIZE", "5x5"),
    ADDITION.replace("OPERAND", ENCODED).replace("RESULT", "tensor<2xi32>"),
    ADDITION.replace("OPERAND", ENCODED).replace("RESULT", ENCODED),
    PREDICATES.replace("TYPE", ENCODED).replace("PREDICATE", "tensor<2xi1, 1 : i32>"),
    PREDICATES.replace("TYPE", ENCODED).replace("PREDICATE", "tensor<2xi1>"),
    CONSTANTS,
    GRADIENT.replace("SCALE", "tensor<?xf32>").replace("RESULT", "tensor<4xf32>"),
    GRADIENT.replace("SCALE", "tensor<?xf32, #stablehlo.bounds<3>>").replace(
        "RESULT", "tensor<?xf32, #stablehlo.bounds<2>>"
    ),
)
OPEN: Final = 3  # programs with open sizes, of each operation


@pytest.mark.standard
def test_changed_programs_are_judged_and_printed_as_by_jaxlib(oracle: Oracle) -> None:
    parity = Parity(oracle)
    for texts in batches(PROGRAMS, TOKENS, FORMS, STRUCTURES, REGIONS, seed=0):
        parity.compare(texts)
    assert [str(difference) for difference in shortest(parity.differences)] == []
    assert parity.outcomes["both accept"] > 500
    assert parity.outcomes["both refuse"] > 500


@pytest.mark.standard
def test_bytecode_and_artifacts_are_read_as_by_jaxlib(oracle: Oracle) -> None:
    campaign = Binaries(oracle)
    campaign.compare("undamaged", list(texts_of_binaries(0, BINARIES)), 0)
    assert [str(difference) for difference in shortest(campaign.parity.differences)] == []
    assert campaign.parity.outcomes["both accept"] > 50
    campaign.compare("damaged", list(texts_of_binaries(1, BINARIES)), 1)
    kinds = {difference.kind for difference in campaign.parity.differences}
    assert "failed here" not in kinds


def test_binaries_that_were_read_otherwise_are_read_as_by_jaxlib(oracle: Oracle) -> None:
    lines = FINDINGS.read_text().splitlines()
    campaign = Binaries(oracle)
    campaign.judge([bytes.fromhex(line) for line in lines if line and not line.startswith("#")])
    assert [str(difference) for difference in campaign.parity.differences] == []
    assert campaign.parity.outcomes["both accept"] > 10


@pytest.mark.parametrize("text", TEXTS_OF_FINDINGS)
def test_texts_that_were_read_otherwise_are_read_as_by_jaxlib(text: str, oracle: Oracle) -> None:
    parity = Parity(oracle)
    parity.compare([text])
    assert [str(difference) for difference in parity.differences] == []


@pytest.mark.standard
def test_texts_that_only_upstream_takes_have_warnings(oracle: Oracle) -> None:
    parity = Parity(oracle)
    parity.compare(LENIENT_TEXTS)
    assert [str(difference) for difference in parity.differences] == []
    assert parity.outcomes["both accept"] > 30
    assert parity.outcomes["both refuse"] > 30


@pytest.mark.standard
def test_types_that_follow_say_as_much_as_those_of_jaxlib(oracle: Oracle) -> None:
    differences, counts = compared(oracle, opened_texts(OPEN, seed=0))
    assert differences == []
    assert counts["same"] > 300


@pytest.mark.standard
def test_changed_bytes_are_read_or_refused() -> None:
    outcomes = {False: 0, True: 0}
    for number in range(TEXTS):
        draw = Seeded(f"bytes:{number}")
        data = with_other_bytes(draw, draw.of(functions()).encode())
        try:
            module = sm.load(data + b"\n")
            module.to_text()
            outcomes[bool(module.diagnostics())] += 1
        except sm.StablemateError:
            outcomes[True] += 1
    assert min(outcomes.values()) > 0
