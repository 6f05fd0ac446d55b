"""Numbers of narrow types that are clamped are rounded once, behind the clamp."""

from __future__ import annotations

from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable

DTYPES: Final[dict[str, Any]] = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}
ALL: Final = np.arange(1 << 16, dtype=np.uint32).astype(np.uint16)  # numbers of 16 bits


def clamped(element: str, low: str, high: str, form: str) -> str:
    """A product that is not smaller than a number and not larger than another one."""
    kind = f"tensor<{ALL.size}x{element}>"
    last = {
        "clamp": "%r = stablehlo.clamp %low, %p, %high",
        "maximum": "%r = stablehlo.maximum %low, %p",
        "minimum": "%r = stablehlo.minimum %p, %high",
        "both": "%l = stablehlo.minimum %high, %p : {kind}\n  %r = stablehlo.maximum %l, %low",
    }[form].format(kind=kind)
    return f"""func.func @main(%x: {kind}, %y: {kind}) -> {kind} {{
  %p = stablehlo.multiply %x, %y : {kind}
  %low = stablehlo.constant dense<{low}> : {kind}
  %high = stablehlo.constant dense<{high}> : {kind}
  {last} : {kind}
  return %r : {kind}
}}"""


@pytest.mark.parametrize("form", ["clamp", "maximum", "minimum", "both"])
@pytest.mark.parametrize(("low", "high"), [("0.0", "6.0"), ("-0.0", "0.0"), ("-1.5", "1.0e-6")])
@pytest.mark.parametrize("element", DTYPES)
def test_all_numbers_have_the_bits_of_the_interpreter(
    element: str, low: str, high: str, form: str
) -> None:
    module = sm.load(clamped(element, low, high, form))
    x = ALL.view(DTYPES[element])
    factors = np.random.default_rng(0).choice([1.0, 0.0, -0.37, 1e-3, 300.0, np.inf], ALL.size)
    arguments = [x, factors.astype(DTYPES[element])]
    expected = np.asarray(module.run(*arguments, backend="interpreter"))
    executable = sm.compile(module)
    assert isinstance(executable, CompiledExecutable)
    found = np.asarray(executable(*arguments))
    is_nan = np.isnan(expected.astype(np.float32))
    np.testing.assert_array_equal(np.isnan(found.astype(np.float32)), is_nan)
    np.testing.assert_array_equal(found.view(np.uint16)[~is_nan], expected.view(np.uint16)[~is_nan])


def test_a_clamped_number_is_rounded_once() -> None:
    executable = sm.compile(sm.load(clamped("bf16", "0.0", "6.0", "clamp")))
    assert isinstance(executable, CompiledExecutable)
    assert executable.emit("nest").count("encode_bf16") == 1


def test_a_bound_that_the_type_lacks_is_rounded() -> None:
    """Of a number that is widened before it is clamped, both roundings remain."""
    text = """func.func @main(%x: tensor<64xf32>) -> tensor<64xbf16> {
      %n = stablehlo.convert %x : (tensor<64xf32>) -> tensor<64xbf16>
      %w = stablehlo.convert %n : (tensor<64xbf16>) -> tensor<64xf32>
      %c = stablehlo.constant dense<1.001> : tensor<64xf32>
      %m = stablehlo.minimum %w, %c : tensor<64xf32>
      %r = stablehlo.convert %m : (tensor<64xf32>) -> tensor<64xbf16>
      return %r : tensor<64xbf16>
    }"""
    executable = sm.compile(sm.load(text))
    assert isinstance(executable, CompiledExecutable)
    assert executable.emit("nest").count("encode_bf16") == 2
