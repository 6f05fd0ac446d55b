"""HLO modules as programs: loaded, checked, run, converted."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

import stablemate as sm

AXPY: Final = """HloModule axpy

ENTRY main.4 {
  a = f32[] parameter(0)
  x = f32[2,3]{1,0} parameter(1)
  scale = f32[2,3]{1,0} broadcast(a), dimensions={}
  ROOT product = f32[2,3]{1,0} multiply(scale, x)
}
"""
TUPLES: Final = """HloModule tuples, entry_computation_layout={((f32[2]{0}, s32[]),
  f32[2,3]{1,0})->(f32[2]{0}, (s32[], f32[2,3]{0,1}))}

ENTRY swap {
  pair = (f32[2]{0}, s32[]) parameter(0)
  matrix = f32[2,3]{1,0} parameter(1)
  first = f32[2]{0} get-tuple-element(pair), index=0
  second = s32[] get-tuple-element(pair), index=1
  inner = (s32[], f32[2,3]{1,0}) tuple(second, matrix)
  ROOT both = (f32[2]{0}, (s32[], f32[2,3]{1,0})) tuple(first, inner)
}
"""
TWO: Final = """HloModule two

double {
  p = f32[4]{0} parameter(0)
  ROOT twice = f32[4]{0} add(p, p)
}

ENTRY main {
  x = f32[4]{0} parameter(0)
  c = f32[4]{0} call(x), to_apply=double
  ROOT y = f32[4]{0} add(c, x)
}
"""


def hlo(text: str) -> sm.HloModule:
    """The module of a text."""
    module = sm.load(text)
    assert isinstance(module, sm.HloModule)
    return module


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_a_module_runs(backend: str) -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    hlo_result = hlo(AXPY).run(np.float32(2), x, backend=backend)
    np.testing.assert_array_equal(hlo_result, 2 * x)


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_tuples_go_in_and_out_as_tuples(backend: str) -> None:
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    pair = np.array([1, 2], np.float32), np.int32(7)
    first, (second, value) = hlo(TUPLES).run(pair, matrix, backend=backend)
    np.testing.assert_array_equal(first, pair[0])
    assert second == 7
    np.testing.assert_array_equal(value, matrix)


def test_results_lie_in_memory_as_the_layout_says() -> None:
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    _, (_, value) = hlo(TUPLES).run((np.zeros(2, np.float32), np.int32(0)), matrix)
    assert value.strides == (4, 8)  # column-major: {0,1}


def test_an_executable_is_made_by_compile() -> None:
    executable = sm.compile(hlo(AXPY))
    assert executable.fallback is None
    assert str(executable.signature).startswith("main.4(a: tensor<f32>, x: tensor<2x3xf32>)")
    np.testing.assert_array_equal(
        executable(np.float32(3), np.ones((2, 3), np.float32)), np.full((2, 3), 3, np.float32)
    )


def test_another_computation_may_be_the_entry() -> None:
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(hlo(TWO).run(x), 3 * x)
    np.testing.assert_array_equal(hlo(TWO).run(x, entry="double"), 2 * x)
    with pytest.raises(sm.ArgumentError, match="no computation is called 'triple'"):
        hlo(TWO).run(x, entry="triple")


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(sm.ArgumentError, match=r"argument 1 \(x\) of main.4 is tensor<2x3xf32>"):
        hlo(AXPY).run(np.float32(1), np.zeros((3, 2), np.float32))
    with pytest.raises(sm.ArgumentError, match="is a tuple"):
        hlo(TUPLES).run(np.zeros(2, np.float32), np.zeros((2, 3), np.float32))


def test_text_and_proto_give_the_module_back() -> None:
    for text in (AXPY, TUPLES, TWO):
        module = hlo(text)
        assert hlo(module.to_text()).tree == module.tree
        again = sm.load(module.to_proto())
        assert isinstance(again, sm.HloModule)
        assert again.format == "hlo_proto"
        assert again.to_text() == module.to_text()


def test_an_ill_typed_module_is_refused_by_rule() -> None:
    wrong = hlo(AXPY.replace("x = f32[2,3]{1,0} p", "x = f32[3,2]{1,0} p"))
    with pytest.raises(sm.VerifyError) as caught:
        wrong.verify()
    first = caught.value.diagnostics[0]
    assert first.span is not None
    assert first.span.line == 7
    assert first.rule


def test_modules_become_stablehlo_and_back() -> None:
    module = hlo(TWO).to_stablehlo()
    assert not isinstance(module, sm.HloModule)
    module.verify()
    back = module.to_hlo()
    back.verify()
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(back.run(x), 3 * x)


def test_formats_are_recognized_by_content(tmp_path: Path) -> None:
    for text in (AXPY, AXPY.partition("\n\n")[2], "// a comment\n/* another */ " + AXPY):
        file = tmp_path / "program"
        file.write_text(text)
        assert sm.load(file).format == "hlo"
        assert sm.load(text.encode()).format == "hlo"
    file.write_bytes(hlo(AXPY).to_proto())
    assert sm.load(file).format == "hlo_proto"
    assert sm.load("add.1 = f32[2]{0} add(f32[2]{0} a, f32[2]{0} b)").format == "hlo"
    assert sm.load("module {\n}").format == "mlir"


def test_elided_constants_are_kept_or_refused_with_the_reason() -> None:
    text = "HloModule m\nENTRY e { ROOT c = f32[100]{0} constant({...}) }"
    with pytest.raises(sm.ParseError, match="print_large_constants"):
        sm.load(text, elided=False)
    module = sm.load(text)
    assert "{...}" in module.to_text()
    with pytest.raises(sm.StablemateError):
        module.run()


def test_contents_count_opcodes() -> None:
    contents = hlo(TWO).contents()
    assert contents.operations == {"add": 2, "parameter": 2, "call": 1}
    assert [function.name for function in contents.functions] == ["double", "main"]
    assert contents.functions[1].cost is not None
    assert contents.functions[1].cost.flops == 8


def test_a_builder_builds_a_module_that_runs() -> None:
    b = sm.XlaBuilder("axpy")
    x = b.parameter(0, sm.Shape("f32[8]"), "x")
    module = b.build(b.add(b.mul(x, b.constant(2.0, "f32")), x))
    values = np.arange(8, dtype=np.float32)
    module.verify()
    np.testing.assert_array_equal(module.run(values), 3 * values)
    assert hlo(module.to_text()).tree == module.tree


def test_a_module_that_was_built_is_a_computation_for_others() -> None:
    inner = sm.XlaBuilder("triple")
    p = inner.parameter(0, "f32[4]", "p")
    triple = inner.build(3.0 * p)
    outer = sm.XlaBuilder("outer")
    q = outer.parameter(0, "f32[4]", "q")
    module = outer.build(outer.call(triple, [q]))
    np.testing.assert_array_equal(module.run(np.ones(4, np.float32)), np.full(4, 3, np.float32))


def test_operations_without_an_opcode_are_written_out_for_hlo() -> None:
    module = sm.load(
        """func.func @main(%x: tensor<3xf32> {mhlo.sharding = "{replicated}"}) -> tensor<3xf32> {
  %0 = chlo.erf %x : tensor<3xf32> -> tensor<3xf32>
  %1 = chlo.erf_inv %0 : tensor<3xf32> -> tensor<3xf32>
  return %1 : tensor<3xf32>
}"""
    )
    to_hlo_result = module.to_hlo()
    opcodes = {
        instruction.opcode for instruction in to_hlo_result.tree.entry_computation.instructions
    }
    assert "erf" in opcodes
    assert "sharding={replicated}" in to_hlo_result.to_text()
    x = np.array([-0.5, 0.25, 1], np.float32)
    np.testing.assert_allclose(to_hlo_result.run(x), x, rtol=1e-6)
