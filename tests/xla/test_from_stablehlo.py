"""Programs of StableHLO as HLO: XLA reads what is printed, and computes the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from stablemate.api.module import Module
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.diagnostics.source import Source
from stablemate.dialects.func import FuncOp, Return
from stablemate.formats.hlo.proto import read_proto, write_proto
from stablemate.formats.hlo.text.lexer.scanner import Scanner
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.sharding.shardings import read_sharding
from stablemate.formats.hlo.text.writer import write_text
from stablemate.formats.mlir.parser import parse_module
from stablemate.ir import core
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.kinds import FUNCTION_TYPE
from stablemate.ir.types import FunctionType
from stablemate.xla.module import HloModule
from stablemate.xla.translate.from_stablehlo.module import to_hlo
from stablemate.xla.verifier import verify
from tests.oracle.client import Oracle
from tests.programs.program import load_program
from tests.xla.stablehlo_programs import ADD, ONE_TO_ONE, program
from tests.xla.translation import assert_alike

# XLA writes an iota of one dimension and a broadcast, and gives layouts to transpositions and to
# the border around a custom call that wants some; here all is row-major.
OTHER_FORMS: Final = {"iota", "transpose", "all_to_all of two dimensions", "custom_call"}


def translated(text: str) -> HloModule:
    return to_hlo(parse_module(text))


@pytest.mark.parametrize("name", sorted(ONE_TO_ONE.keys() - OTHER_FORMS))
def test_the_form_is_that_of_the_exporter_of_xla(name: str, oracle: Oracle) -> None:
    text = program(name)
    ours, theirs = write_text(translated(text)), oracle.stablehlo_to_hlo(text)
    assert oracle.hlo_text(ours, style="fingerprint") == oracle.hlo_text(
        theirs, style="fingerprint"
    )


def test_a_ragged_dot_without_groups_of_rhs_says_nothing_of_them() -> None:
    module = translated("""func.func @main(%a: tensor<3x2xi4>, %b: tensor<2x3xi4>,
        %g: tensor<3xi32>) -> tensor<3x3x3xi4> {
      %0 = "chlo.ragged_dot"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<
          lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0],
          lhs_ragged_dimensions = [1]>}>
        : (tensor<3x2xi4>, tensor<2x3xi4>, tensor<3xi32>) -> tensor<3x3x3xi4>
      return %0 : tensor<3x3x3xi4> }""")
    assert "rhs_group_dims" not in write_text(module)
    assert read_text(write_text(module)) == module
    assert read_proto(write_proto(module)) == module


@pytest.mark.parametrize("name", ONE_TO_ONE)
def test_modules_are_valid_and_survive_text_and_protos(name: str) -> None:
    module = translated(program(name))
    assert verify(module) == []
    assert read_text(write_text(module)) == module
    assert read_proto(write_proto(module)) == module


SMALL: Final = (
    *("argtopk", "elementwise", "fft", "gnn", "gpt_bf16", "histogram", "lstm", "mlp_b1", "nbody"),
    *("smallwhile", "sort", "stencil"),
)
TOLERANCE: Final = 1e-4  # sums in another order; gpt_bf16 has eight bits


@pytest.mark.parametrize("name", SMALL)
def test_programs_give_what_xla_gives(name: str, oracle: Oracle) -> None:
    text, values = load_program(name)
    printed = write_text(translated(text))
    expected = oracle.xla(text, *values)
    assert_alike(oracle.hlo_run(printed, *values), expected, rtol=TOLERANCE, atol=TOLERANCE)


# ---- the examples of the operations


OPERATIONS: Final = Path(__file__).parents[1] / "ops"


# Functions of control flow, deprecated operations, sizes that are operands.
FILES: Final = (
    *("while", "if", "case", "composite", "optimization_barrier", "tuple", "get_tuple_element"),
    *("einsum", "unary_einsum", "torch_index_select", "map", "dot", "broadcast"),
    *("dynamic_broadcast_in_dim", "dynamic_iota", "dynamic_pad", "dynamic_reshape"),
    *("dynamic_gather", "dynamic_conv", "real_dynamic_slice", "set_dimension_size"),
    *("get_dimension_size", "scatter", "sort", "reduce", "batch_norm_training", "convert"),
    "sdy_annotations",
    *("chlo_top_k", "chlo_erf", "chlo_scan", "chlo_atan", "after_all", "iota"),
)
FUNCTION: Final = re.compile(r"^func\.func @(\w+)\(\)", re.MULTILINE)
# What XLA computes as something else than the specification, or not at all; it does so with the
# program as it was, too.
OF_XLA: Final = {
    *("scatter_drops_elements", "reduce_order", "reduce_dimensions", "reduce_extremes"),
    *("convert_overflow_to_largest", "convert_to_narrow_formats", "scan_of_no_slices"),
    "composite_example",
}


def names() -> Iterator[tuple[str, str]]:
    """The files, and the functions in each that check something."""
    for file in FILES:
        path = OPERATIONS / f"{file}.mlir"
        if path.exists():
            yield from ((file, name) for name in FUNCTION.findall(path.read_text()))


def example(file: str, name: str) -> core.Module:
    """A function of a file as ``main``: what it checks it returns."""
    module = parse_module((OPERATIONS / f"{file}.mlir").read_text())
    (function,) = (
        operation
        for operation in module.body.operations
        if isinstance(operation, FuncOp) and operation.sym_name == name
    )
    block: core.Block = function.body.blocks[0]
    checks = [operation for operation in block.operations if operation.name.startswith("check.")]
    checked = [value for check in checks for value in check.operands[:1]]
    kept = [
        operation for operation in block.operations[:-1] if not operation.name.startswith("check.")
    ]
    block.operations = []
    for operation in (*kept, Return(checked)):
        block.append(operation)
    kind = FunctionType((), tuple(value.type for value in checked))
    function.attributes["function_type"] = FUNCTION_TYPE.attribute(kind)
    function.attributes["sym_name"] = StringAttribute("main")
    return module


@pytest.mark.parametrize(("file", "name"), list(names()))
def test_examples_give_what_they_should(file: str, name: str, oracle: Oracle) -> None:
    module = example(file, name)
    try:
        translated = to_hlo(module)
    except UnsupportedError as error:
        assert "HLO has no form for " in str(error)  # noqa: PT017  (most examples are not refused)
        return
    assert [str(item) for item in verify(translated)] == []
    printed = write_text(translated)
    assert read_text(printed) == translated
    if name in OF_XLA:
        return
    outcome = oracle.hlo_run(printed)
    expected = Module(module, "mlir").run(backend="interpreter")
    results = list(expected) if isinstance(expected, tuple) else [expected]
    assert_alike([np.asarray(e) for e in outcome], results, rtol=1e-3)


# ---- what is said besides


def test_regions_may_use_what_they_do_not_get(oracle: Oracle) -> None:
    text = """
    func.func @main(%n: tensor<i32>, %x: tensor<f32>, %p: tensor<i1>) -> (tensor<f32>, tensor<f32>) {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %half = stablehlo.multiply %x, %x : tensor<f32>
      %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<f32>
       cond {
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %j = stablehlo.add %i, %one : tensor<i32>
        %b = "stablehlo.if"(%p) ({
          %s = stablehlo.add %a, %half : tensor<f32>
          stablehlo.return %s : tensor<f32>
        }, {
          stablehlo.return %half : tensor<f32>
        }) : (tensor<i1>) -> tensor<f32>
        stablehlo.return %j, %b : tensor<i32>, tensor<f32>
      }
      return %r#1, %half : tensor<f32>, tensor<f32>
    }
    """
    values = [np.int32(3), np.float32(2), np.bool_(True)]
    outcome = oracle.hlo_run(write_text(translated(text)), *values)
    assert [float(item) for item in outcome] == [14.0, 4.0]


STARTED: Final = {
    "all_reduce": (
        "tensor<4xf32>",
        f'"stablehlo.all_reduce"(%a) {ADD} {{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}',
    ),
    "all_gather": (
        "tensor<8xf32>",
        '"stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}',
    ),
    "collective_permute": (
        "tensor<4xf32>",
        '"stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}',
    ),
    "reduce_scatter": (
        "tensor<2xf32>",
        f'"stablehlo.reduce_scatter"(%a) {ADD} {{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}}',
    ),
}


@pytest.mark.parametrize("name", STARTED)
def test_collectives_start_and_end(name: str, oracle: Oracle) -> None:
    kind, operation = STARTED[name]
    text = f"""
    func.func @main(%x: tensor<4xf32>) -> {kind} {{
      %s = "stablehlo.async_start"(%x) ({{ ^bb0(%a: tensor<4xf32>):
        %r = {operation} : (tensor<4xf32>) -> {kind}
        stablehlo.return %r : {kind}
      }}) : (tensor<4xf32>) -> !stablehlo.future<{kind}>
      %d = "stablehlo.async_done"(%s) : (!stablehlo.future<{kind}>) -> {kind}
      return %d : {kind}
    }}
    """
    module = translated(text)
    assert verify(module) == []
    printed = write_text(module)
    opcode = name.replace("_", "-")
    assert f" {opcode}-start(" in printed
    assert f" {opcode}-done(" in printed
    assert oracle.hlo_text(printed) == printed


ANNOTATED: Final = """
module @step attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32,
    mhlo.frontend_attributes = {a = "b"}} {
  func.func public @main(
      %x: tensor<4x8xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}", tf.aliasing_output = 0 : i32} loc("x"),
      %y: tensor<4x8xf32> {jax.buffer_donor = true} loc("y"))
      -> (tensor<4x8xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) {
    %0 = stablehlo.add %x, %y {mhlo.frontend_attributes = {k = "v"}, mhlo.sharding = "{replicated}"}
      : tensor<4x8xf32> loc("jit(f)/add"("f.py":3:4))
    %1 = stablehlo.negate %0 : tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
}
"""


def test_what_is_said_about_a_program_is_kept() -> None:
    module = to_hlo(
        parse_module(ANNOTATED), read_sharding=lambda text: read_sharding(Scanner(Source(text)))
    )
    printed = write_text(module)
    assert printed.splitlines()[0] == (
        "HloModule step, input_output_alias={ {}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, "
        "entry_computation_layout={(f32[4,8]{1,0}, f32[4,8]{1,0})->f32[4,8]{1,0}}, "
        'num_partitions=2, frontend_attributes={a="b"}'
    )
    lines = [line.split(" = ", 1)[1] for line in printed.splitlines() if " = " in line]
    assert lines == [
        'f32[4,8]{1,0} parameter(0), sharding={devices=[2,1]<=[2]}, metadata={op_name="x"}',
        'f32[4,8]{1,0} parameter(1), metadata={op_name="y"}',
        "f32[4,8]{1,0} add(%Arg_0.1, %Arg_1.2), sharding={replicated}, "
        'frontend_attributes={k="v"}, metadata={op_name="jit(f)/add" stack_frame_id=1}',
        "f32[4,8]{1,0} negate(%add.3)",
        "(f32[4,8]{1,0}) tuple(%negate.4)",
        "f32[4,8]{1,0} get-tuple-element(%tuple.5), index=0, sharding={devices=[2,1]<=[2]}",
    ]


LAYOUTS: Final = """
module attributes {
    mhlo.xla_entry_computation_parameter_layouts = [dense<[0, 1]> : tensor<2xindex>],
    mhlo.xla_entry_computation_parameter_tiles = [[dense<[2, 2]> : tensor<2xindex>]],
    mhlo.xla_entry_computation_result_layout = [dense<[0, 1]> : tensor<2xindex>],
    mhlo.xla_entry_computation_result_tiles = [[]]} {
  func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.negate %x : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
"""


def test_layouts_of_the_border_are_kept() -> None:
    border = translated(LAYOUTS).entry_layout
    assert border is not None
    assert str(border.parameters[0]) == "f32[4,8]{0,1:T(2,2)}"
    assert str(border.result) == "f32[4,8]{0,1}"


REFUSED: Final = {
    "func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {"
    "\n  return %x : tensor<2x!quant.uniform<i8:f32, 0.5>>\n}": (
        "HLO has no form for func.func: a value is of type tensor<2x!quant.uniform<i8:f32"
    ),
    "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {"
    "\n  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>"
    "\n  %1 = stablehlo.uniform_dequantize %0 : (tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xf32>"
    "\n  return %1 : tensor<2xf32>\n}": (
        "HLO has no form for stablehlo.uniform_quantize: there are no quantized types"
    ),
    "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}": (
        "a value is of type tensor<?xf32>, of which a dimension has neither size nor bound"
    ),
    "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {"
    "\n  %0 = chlo.lgamma %x : tensor<2xf32> -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}": (
        "HLO has no form for chlo.lgamma: it has no opcode; decompose it first"
    ),
    "func.func @main(%x: tensor<2xf32>, %s: tensor<f32>) -> tensor<2xf32> {"
    '\n  %0 = "stablehlo.map"(%x) ({ ^bb0(%a: tensor<f32>): %b = stablehlo.add %a, %s : tensor<f32>'
    '\n "stablehlo.return"(%b) : (tensor<f32>) -> () }) {dimensions = array<i64: 0>}'
    " : (tensor<2xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}": (
        "its region uses a value from outside"
    ),
    "func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}": "HLO has one entry",
}


@pytest.mark.parametrize(
    ("text", "message"), REFUSED.items(), ids=[m[:40] for m in REFUSED.values()]
)
def test_what_hlo_cannot_say_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=re.escape(message)):
        translated(text)


@pytest.mark.parametrize(("literal", "opcode"), [("1", "broadcast"), ("[1, 2]", "reshape")])
def test_constants_of_more_dimensions_than_arrays_have_are_reshaped(
    literal: str, opcode: str
) -> None:
    rank = 70
    value = literal if opcode == "broadcast" else f"{'[' * rank}{literal}{']' * rank}"
    declared = f"tensor<{'1x' * rank}2xi32>"
    text = f"""func.func @main() -> {declared} {{
      %0 = stablehlo.constant dense<{value}> : {declared}
      return %0 : {declared}
    }}"""
    computation = translated(text).entry_computation
    constant, root = computation.instructions
    assert (constant.opcode, root.opcode) == ("constant", opcode)
    assert root.shape.dimensions == (*(1,) * rank, 2)
    assert constant.shape.dimensions == (() if opcode == "broadcast" else (2,))


def test_constants_of_many_rows_without_elements_are_broadcast() -> None:
    declared = f"tensor<{1 << 31}x0xf32>"
    computation = translated(
        f"func.func @main() -> {declared} {{\n"
        f"  %0 = stablehlo.constant dense<> : {declared}\n"
        f"  return %0 : {declared}\n}}"
    ).entry_computation
    constant, root = computation.instructions
    assert (constant.shape.dimensions, root.opcode) == ((), "broadcast")
    assert root.shape.dimensions == (1 << 31, 0)
