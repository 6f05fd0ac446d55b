"""Operations of MLIR's own dialects: read and written as jaxlib does it, rejected by executors."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.dialects.parse_only.dialect import FILES
from stablemate.dialects.registry import PARSE_ONLY_OPERATIONS
from tests.oracle.client import Oracle

PROGRAMS = (Path(__file__).parent / "mlir_dialects.mlir").read_text().split("// -----\n")
NAMES = [text.partition("\n")[0].removeprefix("// ") for text in PROGRAMS]


@pytest.mark.parametrize("text", PROGRAMS, ids=NAMES)
def test_programs_are_printed_and_converted_as_by_jaxlib(text: str, oracle: Oracle) -> None:
    pretty, generic = oracle.print(text), oracle.print(text, generic=True)
    data = oracle.bytecode(text)
    for source in (text, generic, data):
        module = sm.load(source)
        assert module.diagnostics() == []
        assert module.to_text() == pretty
        assert module.to_text(generic=True) == generic
    assert oracle.read_bytes(sm.load(text).to_bytecode()) == pretty


def test_the_programs_contain_every_operation_of_the_list() -> None:
    """Of functions that differ in their names only, one is enough."""
    written = {op.name for text in PROGRAMS for op in sm.load(text).operation.walk()}
    for dialect in ("cf", "memref", "scf", "tensor"):
        assert set(FILES[dialect].split()) <= written
    for names in FILES.values():
        assert all(PARSE_ONLY_OPERATIONS[name].definition.name == name for name in names.split())


JUMP = """func.func @main(%a: tensor<i32>) -> tensor<i32> {
  cf.br ^bb1(%a : tensor<i32>)
^bb1(%x: tensor<i32>):
  %0 = stablehlo.add %x, %x : tensor<i32>
  return %0 : tensor<i32>
}
"""
LOOP = """func.func @main(%a: tensor<i32>) -> tensor<i32> {
  %c = arith.constant 1 : index
  %0 = scf.for %i = %c to %c step %c iter_args(%x = %a) -> (tensor<i32>) {
    scf.yield %x : tensor<i32>
  }
  return %0 : tensor<i32>
}
"""
WHILE = """func.func @main(%a: i32, %c: i1) -> i32 {
  %0 = "scf.while"(%a) ({
  ^bb0(%x: i32):
    "scf.condition"(%c, %x) : (i1, i32) -> ()
  }, {
  ^bb0(%y: i32):
    "scf.yield"(%y) : (i32) -> ()
  }) : (i32) -> i32
  return %0 : i32
}
"""
END = """func.func @main(%a: tensor<i32>) -> tensor<i32> {
  "foo.exit"(%a) : (tensor<i32>) -> ()
}
"""


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
@pytest.mark.parametrize(("text", "name"), [(JUMP, "cf.br"), (LOOP, "scf.for"), (END, "foo.exit")])
def test_executors_name_the_operation(text: str, name: str, backend: str) -> None:
    with pytest.raises(sm.UnsupportedError, match=rf"^<text>:\d:\d: error: .*{name}"):
        sm.load(text).run(np.int32(3), backend=backend)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (JUMP.replace("^bb1(%x: tensor<i32>)", "^bb1(%x: tensor<i32>, %y: i1)"), "cf.br"),
        (LOOP.replace("scf.yield %x : tensor<i32>", "scf.yield %c : index"), "scf.for"),
        (WHILE.replace("(%x: i32)", "(%x: i32, %z: i32)"), "scf.while types: Initial values"),
        (WHILE.replace("(%y: i32)", "(%y: i32, %z: i32)"), "scf.while types: Initial values"),
        (WHILE.replace("(%y) : (i32)", "(%y, %y) : (i32, i32)"), "scf.while types: Initial values"),
        (WHILE.replace("%c, %x) : (i1, i32)", "%c) : (i1)"), "scf.while types: Initial values"),
        (LOOP.replace("step %c iter", "step %a iter"), "%a has type|the operand has type"),
    ],
)
def test_malformed_programs_are_rejected(text: str, rule: str, oracle: Oracle) -> None:
    assert oracle.diagnostics(text)
    with pytest.raises(sm.StablemateError, match=rule):
        sm.load(text).verify()


def test_a_loop_with_more_arguments_than_operands_is_printed_in_generic_form() -> None:
    text = WHILE.replace("(%x: i32)", "(%x: i32, %z: i32)")
    assert '"scf.while"(%arg0) ({' in sm.load(text).to_text()


PAD_WITHOUT_OPERAND: Final = """
func.func @main(%a: tensor<2x3xf32>, %i: index, %p: f32) -> tensor<?x?xf32> {
  %0 = "tensor.pad"(%a, %i) <{operandSegmentSizes = array<i32: 1, 0, 1>,
    static_low = array<i64: -9223372036854775808, 1>, static_high = array<i64: 0, 1>}> ({
  ^bb0(%x: index, %y: index):
    tensor.yield %p : f32
  }) : (tensor<2x3xf32>, index) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""


def test_operations_with_fewer_operands_than_their_form_shows_are_printed_in_generic_form() -> None:
    printed = sm.load(PAD_WITHOUT_OPERAND).to_text()
    assert '"tensor.pad"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 0, 1>' in printed
    assert sm.load(printed).to_text() == printed
