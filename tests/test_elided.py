"""Constants whose values were left out of the text."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.formats.mlir.parser import module_text
from stablemate.ir.types import tensor
from stablemate.numerics.elements import F32
from stablemate.transforms.canonicalize import canonicalize
from stablemate.transforms.cse import cse

HLO: Final = """HloModule m

fused {
  p = f32[3]{0} parameter(0)
  w = f32[3]{0} constant({...})
  ROOT s = f32[3]{0} add(p, w)
}

ENTRY e {
  x = f32[3]{0} parameter(0)
  m = pred[3]{0} constant({...})
  c = c64[3]{0} constant({...})
  b = bf16[3]{0} constant({...})
  t = (f32[3]{0}, s32[4]{0}) constant(({...}, {...}))
  g = f32[3]{0} get-tuple-element(t), index=0
  f = f32[3]{0} fusion(x), kind=kLoop, calls=fused
  n = f32[3]{0} convert(b)
  r = f32[3]{0} real(c)
  h = f32[3]{0} add(g, r)
  i = f32[3]{0} add(h, n)
  j = f32[3]{0} add(i, f)
  ROOT z = f32[3]{0} select(m, x, j)
}
"""
MLIR: Final = """func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense_resource<__elided__> : tensor<3xf32>
  %d = stablehlo.constant dense_resource<w> : tensor<3xf32>
  %0 = stablehlo.add %a, %c : tensor<3xf32>
  %1 = stablehlo.add %0, %d : tensor<3xf32>
  return %1 : tensor<3xf32>
}
"""
SECTION: Final = """
{-#
  dialect_resources: {
    builtin: {
      __elided__: "0xDEADBEEF"
    }
  }
#-}
"""
LARGE: Final = """HloModule m
ENTRY e {
  x = f32[200000,200000]{1,0} parameter(0)
  c = f32[200000,200000]{1,0} constant({...})
  ROOT r = f32[200000,200000]{1,0} add(x, c)
}
"""
ONES: Final = np.array([1, 2, 3], np.float32)


@pytest.mark.parametrize("text", [MLIR, MLIR + SECTION], ids=["without section", "with section"])
def test_mlir_keeps_them_in_text_bytecode_and_hlo(text: str) -> None:
    module = sm.load(text)
    module.verify()
    assert "constant dense_resource<__elided__> : tensor<3xf32>" in module.to_text()
    assert (
        "constant dense_resource<__elided__> : tensor<3xf32>"
        in sm.load(module.to_bytecode()).to_text()
    )
    assert module.to_hlo().to_text().count("f32[3]{0} constant({...})") == 2
    assert str(sm.diff(module, sm.load(text))) == "the programs are equal"


def test_hlo_keeps_them_in_text_and_stablehlo() -> None:
    module = sm.load(HLO)
    assert sm.load(module.to_text()).to_text() == module.to_text()
    assert module.to_stablehlo().to_text().count("dense_resource<__elided__>") == 6
    assert "dense_resource<__elided__> : tensor<3xcomplex<f32>>" in module.to_stablehlo().to_text()


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_running_names_them(backend: str) -> None:
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.load(MLIR).run(ONES, backend=backend)
    assert [(d.message, d.rule, d.values) for d in caught.value.diagnostics] == [
        (
            "the values of this constant were left out of the text",
            "stablehlo.constant",
            {"constant": name, "type": tensor(F32, 3)},
        )
        for name in ("%cst", "%cst_0")
    ]
    assert str(caught.value).startswith("<text>:2:8: error: ")
    assert "elided=random:SEED gives them values" in str(caught.value)
    with pytest.raises(sm.UnsupportedError, match=r"constant = w, type = tensor<3xf32>"):
        sm.load(HLO).run(ONES, backend=backend)


def test_artifacts_and_protos_need_their_values() -> None:
    with pytest.raises(sm.UnsupportedError, match=r"constant = %cst, type = tensor<3xf32>"):
        sm.load(MLIR).to_artifact()
    with pytest.raises(sm.UnsupportedError, match=r"the values of w, f32\[3\]"):
        sm.load(HLO).to_proto()
    assert sm.load(sm.load(MLIR, elided="zeros").to_artifact()).run(ONES).tolist() == [1, 2, 3]
    assert sm.load(sm.load(HLO, elided="zeros").to_proto()).run(ONES).tolist() == [1, 2, 3]


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_zeros_and_random_values(backend: str) -> None:
    assert sm.load(MLIR, elided="zeros").run(ONES, backend=backend).tolist() == [1, 2, 3]
    assert sm.load(HLO, elided="zeros").run(ONES, backend=backend).tolist() == [1, 2, 3]
    first = np.random.default_rng(7).standard_normal(3).astype(np.float32)
    second = np.random.default_rng(8).standard_normal(3).astype(np.float32)
    expected = (ONES + first) + second
    result = sm.load(MLIR, elided="random:7").run(ONES, backend=backend)
    assert np.array_equal(result, expected)
    again = sm.load(HLO, elided="random:7")
    assert np.array_equal(again.run(ONES, backend=backend), again.run(ONES, backend="interpreter"))


@pytest.mark.parametrize("elided", ["", "zero", "random:", "random:-1", "random:1x"])
def test_other_values_are_rejected(elided: str) -> None:
    with pytest.raises(sm.ArgumentError, match="elided is 'zeros' or 'random:SEED'"):
        sm.load(MLIR, elided=elided)


def test_large_ones_take_no_memory() -> None:
    module = sm.load(LARGE)
    assert module.contents().functions[0].name == "e"
    assert "tensor<200000x200000xf32>" in module.to_stablehlo().to_text()
    zeros = sm.load(LARGE, elided="zeros").to_stablehlo().to_text()
    assert "dense<0.000000e+00> : tensor<200000x200000xf32>" in zeros
    with pytest.raises(sm.LimitError, match="160000000000 bytes exceed the limit"):
        sm.load(LARGE, elided="random:1")


def test_equal_gaps_are_not_merged() -> None:
    module = sm.load(MLIR.replace("<w>", "<__elided__>")).ir
    assert module_text(canonicalize(cse(module))).count("dense_resource<__elided__>") == 2


@pytest.mark.parametrize("literal", ["dense<...>", "dense< ... >", "dense_resource<__elided__>"])
def test_spellings_of_a_literal_without_values(literal: str) -> None:
    text = f"""func.func @main() -> tensor<2xf32> {{
  %0 = stablehlo.constant {literal} : tensor<2xf32>
  return %0 : tensor<2xf32>
}}
"""
    module = sm.load(text)
    assert "constant dense_resource<__elided__> : tensor<2xf32>" in module.to_text()
    with pytest.raises(sm.UnsupportedError, match=r"^<text>:2:8: error: .* left out of the text"):
        module.run()
    assert np.asarray(sm.load(text, elided="zeros").run()).tolist() == [0.0, 0.0]
