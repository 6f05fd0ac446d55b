"""Windows without elements: a sentence with its place where jaxlib's verifier has one, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle

SCALAR: Final = "^bb0(%x: tensor<f32>, %y: tensor<f32>):"
ADD: Final = f"""{{
  {SCALAR}
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}"""
GREATER: Final = f"""{{
  {SCALAR}
    %c = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }}"""
NUMBERS: Final = (
    "batch_group_count = 1 : i64, feature_group_count = 1 : i64, "
    "dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>"
)
BODIES: Final = {
    "convolution": f"""(%a: IN, %b: KERNEL) {{
  %0 = "stablehlo.convolution"(%a, %b) {{{NUMBERS}}} : (IN, KERNEL) -> OUT""",
    "dynamic_conv": f"""(%a: IN, %b: KERNEL) {{
  %p = stablehlo.constant dense<0> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%a, %b, %p) {{{NUMBERS}}} : (IN, KERNEL, tensor<1x2xi64>) -> OUT""",
    "reduce_window": f"""(%a: IN, %b: tensor<f32>) {{
  %0 = "stablehlo.reduce_window"(%a, %b) ({ADD}) {{window_dimensions = array<i64: 1, 0, 1>}}
    : (IN, tensor<f32>) -> OUT""",
    "select_and_scatter": f"""(%a: IN, %u: OUT, %b: tensor<f32>) {{
  %0 = "stablehlo.select_and_scatter"(%a, %u, %b) ({GREATER}, {ADD})
    {{window_dimensions = array<i64: 1, 0, 1>}} : (IN, OUT, tensor<f32>) -> IN""",
}
RULES: Final = {
    "convolution": "I2: 0 < dim(rhs, kernel_spatial_dimensions...)",
    "dynamic_conv": "I2: 0 < dim(rhs, kernel_spatial_dimensions...)",
    "reduce_window": "C5: 0 < window_dimensions",
    "select_and_scatter": "C5: 0 < window_dimensions",
}
SIZES: Final = ("1x8x1", "1x?x1", "1x0x1")
THEIRS: Final = "expects window to have positive value for {}-th window dimension, but got 0."


def programs(name: str) -> Iterator[str]:
    """Programs of an operation, of known and unknown sizes."""
    for size in SIZES:
        for result in ("1x9x1", "1x?x1"):
            text = BODIES[name].replace("IN", f"tensor<{size}xf32>")
            text = text.replace("KERNEL", "tensor<0x1x1xf32>")
            yield f"func.func @main{text.replace('OUT', f'tensor<{result}xf32>')}\n  return\n}}"


@pytest.mark.parametrize("name", BODIES)
def test_a_window_without_elements_is_rejected_where_jaxlib_rejects_it(
    name: str, oracle: Oracle
) -> None:
    for text in programs(name):
        line = 3 if name == "dynamic_conv" else 2
        with pytest.raises(sm.VerifyError) as caught:
            sm.parse(text).verify()
        head, _, picture = caught.value.render().partition("\n")
        assert head == f"<text>:{line}:8: error: stablehlo.{name} {RULES[name]}"
        assert picture.rstrip().endswith("= [0]" if "conv" in name else "= [1, 0, 1]")
        dimension = 0 if "conv" in name else 1
        assert oracle.diagnostics(text)[0] == (THEIRS.format(dimension), line, 8)
