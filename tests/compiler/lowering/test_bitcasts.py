"""bitcast_convert and reduce_precision in native code: the interpreter's bits."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import Request

BITCASTS: Final = [
    ("37xf32", "37xi32"), ("37xi32", "37xf32"), ("37xf64", "37xi64"), ("37xbf16", "37xi16"),
    ("37xi16", "37xbf16"), ("37xf32", "37x2xi16"), ("37xf32", "37x4xui8"), ("37x2xi16", "37xf32"),
    ("37x8xui8", "37xf64"), ("37xf64", "37x2xf32"), ("37x2xbf16", "37xf32"), ("f64", "8xi8"),
    ("3x0xf32", "3x0x2xi16"), ("0x2xi16", "0xf32"), ("9xcomplex<f32>", "9xcomplex<f32>"),
    ("37x2xcomplex<f32>", "37xcomplex<f64>"), ("37xcomplex<f64>", "37x2xcomplex<f32>"),
    ("complex<f64>", "2xcomplex<f32>"),
]  # fmt: skip


def both(text: str) -> tuple[bytes, bytes]:
    """The bits of the result of a program on any bits, native and interpreted."""
    interpreted = sm.load(text).executable("main", backend="interpreter")
    compiled = CompiledExecutable(interpreted)  # type: ignore[arg-type]
    assert not any(isinstance(step, Request) for step in compiled.plan.steps)
    declared: Any = interpreted.signature.arguments[0].type
    dtype = declared.element_type.dtype
    size = int(np.prod(declared.shape)) * dtype.itemsize
    raw = np.random.default_rng(0).integers(0, 256, size, dtype=np.uint8)
    values = raw.view(dtype).reshape(declared.shape)
    (got,), (expected,) = compiled.run([values]), interpreted.run([values])
    return np.asarray(got).tobytes(), np.asarray(expected).tobytes()


@pytest.mark.parametrize(("source", "target"), BITCASTS)
def test_bits_are_kept(source: str, target: str) -> None:
    got, expected = both(
        f"func.func @main(%a: tensor<{source}>) -> tensor<{target}> {{\n"
        f"  %0 = stablehlo.bitcast_convert %a : (tensor<{source}>) -> tensor<{target}>\n"
        f"  return %0 : tensor<{target}>\n}}"
    )
    assert got == expected


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["f32", "f64", "bf16"]), st.integers(1, 15), st.integers(0, 60))
def test_precision_is_reduced_as_interpreted(element: str, exponent: int, mantissa: int) -> None:
    tensor = f"tensor<1003x{element}>"
    got, expected = both(
        f"func.func @main(%a: {tensor}) -> {tensor} {{\n"
        f"  %0 = stablehlo.reduce_precision %a, format = e{exponent}m{mantissa} : {tensor}\n"
        f"  return %0 : {tensor}\n}}"
    )
    assert got == expected
