"""Byte for byte: we read what MLIR writes, and write what MLIR writes."""

from __future__ import annotations

from pathlib import Path

import pytest

import stablemate as sm
from stablemate.ir.core import UseOrder
from stablemate.ir.equality import difference
from tests.formats.mlir.test_against_upstream import programs
from tests.oracle.client import Oracle

KINDS = Path(__file__).parent / "kinds.txt"
PRODUCER = "MLIR23.0.0git"
VERSIONS = range(7)
# Values that are used by an operation and in its regions: text creates those uses first.
CAPTURED = """
func.func @f(%p: tensor<i1>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %u = stablehlo.add %a, %a : tensor<f32>
  %0 = stablehlo.add %b, %u : tensor<f32>
  %1 = stablehlo.add %b, %b : tensor<f32>
  %2 = stablehlo.add %b, %b : tensor<f32>
  %3:2 = stablehlo.while(%x = %a, %y = %b) : tensor<f32>, tensor<f32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %s = stablehlo.add %a, %a : tensor<f32>
    %t = stablehlo.add %b, %s : tensor<f32>
    stablehlo.return %s, %t : tensor<f32>, tensor<f32>
  }
  return %3#0 : tensor<f32>
}
"""
RESOURCE = """{-#
  dialect_resources: {
    builtin: {
      data: "0x10000000AABBCCDD"
    }
  }
#-}
"""
# Pass pipelines that leave the uses of values in an order of their own.
PIPELINES = ("canonicalize,cse", "inline,symbol-dce")
MOVED = ("nbody", "stencil", "threefry", "linalg/determinant", "linalg/qr")
SAMPLES = ("gpt_128", "ops/while", "ops/if", "ops/case", "ops/reduce", "ops/quantized_per_axis")
LINALG = Path(__file__).parents[2] / "programs" / "linalg"
PROGRAMS = [
    *programs(),
    *((f"linalg/{path.stem}", path.read_text()) for path in sorted(LINALG.glob("*.mlir"))),
]


def kinds() -> list[str]:
    """An attribute or a type (``: T``) of each kind and form."""
    lines = KINDS.read_text().splitlines()
    return [line for line in lines if line and not line.startswith("//")]


def assert_same(text: str, oracle: Oracle, version: int) -> None:
    """Whether a text is the same as upstream's bytecode of it, read and written."""
    upstream = oracle.bytecode(text, version)
    read, parsed = sm.load(upstream), sm.load(text)
    assert not difference(read.ir, parsed.ir, locations=True)
    assert read.to_bytecode(version) == upstream
    assert parsed.to_bytecode(version, producer=PRODUCER) == upstream


@pytest.mark.parametrize(("name", "text"), PROGRAMS, ids=[name for name, _ in PROGRAMS])
def test_programs_are_read_and_written_as_upstream_does(
    name: str, text: str, oracle: Oracle
) -> None:
    located = oracle.print(text, generic=True, debug_info=True)
    for version in VERSIONS:
        assert_same(located, oracle, version)
    read = sm.load(oracle.bytecode(located))
    assert read.to_text(generic=True, debug_info=True) == located
    assert read.to_text(debug_info=True) == oracle.print(located, debug_info=True)


@pytest.mark.parametrize("kind", kinds())
def test_kinds_are_read_and_written_as_upstream_does(kind: str, oracle: Oracle) -> None:
    text = f"module attributes {{a.b = {kind}}} {{\n}}\n"
    if "dense_resource<data>" in kind:
        text += RESOURCE
    located = oracle.print(text, generic=True, debug_info=True)
    for version in (0, 5, 6):
        assert_same(located, oracle, version)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_the_order_of_uses_is_kept(pipeline: str, oracle: Oracle) -> None:
    orders: list[UseOrder] = []
    for name, text in PROGRAMS:
        if name in MOVED:
            upstream = oracle.bytecode(text, pipeline=pipeline)
            module = sm.load(upstream)
            assert module.to_bytecode() == upstream
            assert module.ir.origin is not None
            orders += module.ir.origin.use_orders.values()
    assert orders


def test_text_has_an_order_of_uses(oracle: Oracle) -> None:
    assert_same(oracle.print(CAPTURED, generic=True, debug_info=True), oracle, 6)
    origin = sm.load(oracle.bytecode(CAPTURED)).ir.origin
    assert origin is not None
    assert {use_order.pairs for use_order in origin.use_orders.values()} == {False, True}


def test_upstream_reads_what_is_written(oracle: Oracle) -> None:
    for name, text in PROGRAMS:
        if name in SAMPLES:
            module = sm.load(text)
            for version in VERSIONS:
                assert oracle.read_bytes(module.to_bytecode(version)) == oracle.print(text)


# arith.divui, whose name is marked as unknown to the writer, with a string in the place of its
# properties.
STRING_FOR_PROPERTIES = bytes.fromhex(
    "4d4cef520d4d4c495232332e302e3067697400011f070105090901030f030507130503150323130501130b13"
    "0b0b131313131301050b17024b050d170101010d03050f170103031701032b1701033d170105151701070701"
    "410505010101044f050150030107043f0301050350090307042b03070b05030b030d0007460f050301050103"
    "050011060301050100771113050d0f0f0d0b116275696c74696e0066756e63006172697468006d6f64756c65"
    "0072657475726e006469767569002d0073706563696d656e00081b070501010d0105010107010301"
)


def test_properties_that_are_no_dictionary_are_ignored(oracle: Oracle) -> None:
    (reading,) = oracle.binary_readings([STRING_FOR_PROPERTIES])
    module = sm.load(STRING_FOR_PROPERTIES)
    assert reading == ("", module.to_text(), module.to_text(generic=True))
