"""Modules as bytecode: what is written is read again, and large constants stay where they are."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import stablemate as sm
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Module, Operation, Resource

# `func.func @f() { return }` as the fact sheet of the format has it, byte by byte.
EXAMPLE = bytes.fromhex(
    "4d4cef520d4d4c495232332e302e306769740001170501050701030b0305070f031b0d03010d0b130b0b1313"
    "01030f022b0509170101010d01050b17010303170103250501010431050150030107042103010503500903"
    "07040d03010505000b0603010501004d0d05050f0f0b116275696c74696e0066756e63006d6f64756c6500"
    "72657475726e002d0066000817050501010d010501010701"
)
EXAMPLE_TEXT = """
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "f"}> ({
    "func.return"() : () -> () loc("-":1:18)
  }) : () -> () loc("-":1:1)
}) : () -> () loc("-":0:0)
"""
OPS = [
    p for p in sorted((Path(__file__).parents[2] / "ops").glob("*.mlir")) if p.suffixes == [".mlir"]
]
FUNCTION = "func.func @f() {\n  return\n}\n"
EVERYTHING = """
module @m attributes {a.b = dense_resource<key> : tensor<2xf32>, a.c = distinct[0]<"x">} {
  func.func @main(%x: tensor<?xf32, #stablehlo.bounds<4>> loc("x")) -> tensor<f32> {
    %c = stablehlo.constant dense<0.0> : tensor<f32> loc(fused<"why">["a", "b.py":3:4 to :9])
    %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
{-#
  dialect_resources: {
    builtin: {
      key: "0x08000000000000000000803F"
    }
  },
  external_resources: {
    mine: {
      flag: true,
      blob: "0x04000000AABB",
      text: "a \\22quoted\\22 word"
    }
  }
#-}
"""


def constant_of(module: sm.Module) -> DenseElementsAttribute:
    """The first dense literal of a module."""
    operations = module.operation.walk()
    first_match = next(
        operation for operation in operations if operation.name == "stablehlo.constant"
    )
    value = first_match.attributes["value"]
    assert isinstance(value, DenseElementsAttribute)
    return value


def operations_named(module: sm.Module, name: str) -> list[Operation]:
    """The operations of a name."""
    return [operation for operation in module.operation.walk() if operation.name == name]


def test_the_example_byte_by_byte() -> None:
    assert not sm.load(EXAMPLE).difference(sm.load(EXAMPLE_TEXT))
    assert sm.load(EXAMPLE_TEXT).to_bytecode(producer="MLIR23.0.0git") == EXAMPLE


def test_a_function_from_before_no_inline() -> None:
    five_fields = bytes.fromhex("08150505010 10b0105010701".replace(" ", ""))
    older = EXAMPLE[: EXAMPLE.rindex(b"\x08\x17")] + five_fields
    assert not sm.load(older).difference(sm.load(EXAMPLE))


@pytest.mark.parametrize("path", OPS, ids=lambda path: path.stem)
def test_every_operation_survives(path: Path) -> None:
    module = sm.load(path)
    for version in (0, 5, 6):
        data = module.to_bytecode(version)
        again = sm.load(data)
        assert not again.difference(module)
        assert again.to_bytecode(version) == data


@pytest.mark.parametrize("version", range(7))
def test_a_program_survives(version: int) -> None:
    module = sm.load(EVERYTHING)
    data = module.to_bytecode(version)
    again = sm.load(data)
    assert again.format == "bytecode"
    assert not again.difference(module)
    assert again.to_text(debug_info=True) == module.to_text(debug_info=True)
    assert again.to_bytecode(version) == data


def test_a_file_says_who_wrote_it() -> None:
    data = sm.load(FUNCTION).to_bytecode(3, producer="somebody")
    origin = sm.load(data).ir.origin
    assert origin is not None
    assert (origin.version, origin.producer) == (3, "somebody")
    assert sm.load(data).to_bytecode(3) == data
    assert sm.load(FUNCTION).to_bytecode()[5:16] == b"stablemate\0"


def test_there_is_no_other_version() -> None:
    with pytest.raises(UnsupportedError, match="no bytecode version 7: versions are 0 to 6"):
        sm.load(FUNCTION).to_bytecode(7)


def test_a_span_is_a_byte_offset() -> None:
    data = sm.load("func.func @f(%a: tensor<2xf32>) -> tensor<3xf32> { return %a : tensor<2xf32> }")
    module = sm.load(data.to_bytecode(), name="program.mlirbc")
    (value,) = module.diagnostics()
    assert str(value).startswith("program.mlirbc:+0x")


def test_a_large_constant_is_not_copied(tmp_path: Path) -> None:
    numbers = np.arange(1 << 19, dtype=np.float32)
    count = numbers.size
    module = sm.load(
        f"func.func @main() -> tensor<{count}xf32> {{\n"
        f"  %c = stablehlo.constant dense<0.0> : tensor<{count}xf32>\n"
        f"  return %c : tensor<{count}xf32>\n}}"
    )
    (operation,) = operations_named(module, "stablehlo.constant")
    literal = constant_of(module)
    operation.attributes["value"] = dataclasses.replace(literal, data=numbers)
    path = tmp_path / "large.mlirbc"
    path.write_bytes(module.to_bytecode())
    constant_of_result = constant_of(sm.load(path)).data
    base = constant_of_result
    while isinstance(base, np.ndarray) and base.base is not None:
        base = base.base
    assert type(base).__name__ == "memoryview"
    assert not constant_of_result.flags.owndata
    assert not constant_of_result.flags.writeable
    assert np.array_equal(constant_of_result, numbers)


@pytest.mark.parametrize("alignment", [1, 4, 64, 4096])
def test_a_resource_is_aligned_in_the_file(alignment: int) -> None:
    module = sm.load(EVERYTHING)
    data = np.frombuffer(np.array([1.5, 2.5], np.float32).tobytes(), np.uint8)
    module.ir.resources["key"] = Resource(data, alignment)
    written = module.to_bytecode()
    assert written.index(data.tobytes()) % alignment == 0
    again = sm.load(written).ir.resources["key"]
    assert (again.alignment, again.data.tobytes()) == (alignment, data.tobytes())


def test_a_resource_without_data_stays_named() -> None:
    module = sm.load(EVERYTHING)
    del module.ir.resources["key"]
    again = sm.load(module.to_bytecode())
    assert not again.ir.resources
    assert "dense_resource<key>" in str(again)


def test_external_resources_are_kept() -> None:
    written: Module = sm.load(sm.load(EVERYTHING).to_bytecode()).ir
    assert written.external_resources == sm.load(EVERYTHING).ir.external_resources


def test_a_value_may_be_used_before_it_is_defined() -> None:
    module = sm.load(
        "func.func @f() -> tensor<f32> {\n"
        "  %c = stablehlo.constant dense<0.0> : tensor<f32>\n"
        "  %0 = stablehlo.add %c, %c : tensor<f32>\n  return %0 : tensor<f32>\n}"
    )
    block = module.ir.body.operations[0].regions[0].block
    block.operations[0], block.operations[1] = block.operations[1], block.operations[0]
    again = sm.load(module.to_bytecode())
    add = again.ir.body.operations[0].regions[0].block.operations[0]
    assert add.name == "stablehlo.add"
    assert [operand.type for operand in add.operands] == [result.type for result in add.results] * 2
    assert "defined before its use" in str(again.diagnostics()[0])
