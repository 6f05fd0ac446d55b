"""Passes on quantized programs: the same bits before and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm

OPS: Final = Path(__file__).parents[1] / "ops"
Q: Final = "!quant.uniform<i8:f32, 0.1:-3>"
AXIS: Final = "!quant.uniform<i8:f32:1, {0.5:0, 0.25:2, 1.5:-7}>"


def both(text: str, name: str, *arguments: Any) -> tuple[Any, Any, sm.Module]:
    """What a program gives before and behind a pass, and the program behind it."""
    module = sm.load(text)
    optimized = sm.opt(module, name)
    optimized.verify()
    backend = "interpreter"
    return (
        module.run(*arguments, backend=backend),
        optimized.run(*arguments, backend=backend),
        optimized,
    )


def program(operation: str, argument: str, result: str) -> str:
    """A program of one operation on one argument."""
    return (
        f"func.func @main(%x: {argument}) -> {result} {{\n  %0 = {operation}\n"
        f"  return %0 : {result}\n}}\n"
    )


EVERY_BYTE: Final = np.arange(-128, 128, dtype=np.int8)


@pytest.mark.parametrize(
    ("stored", "expressed"),
    [
        ("i8:f32, 0.1:-3", "f32"),
        ("u8:f32, 0.1:200", "f32"),
        ("i8<-127:127>:f32, 0.3", "f32"),
        ("i8:bf16, 0.1:5", "bf16"),
        ("i8:f16, 0.7:-128", "f16"),
        ("i16:f64, 0.01:77", "f64"),
        ("i32:f32, 0.001:12345", "f32"),
        ("i32:f32, 3.0e-7:-2147483648", "f32"),
        ("i4:f32, 1.5:2", "f32"),
    ],
)
def test_quantize_and_dequantize_are_the_formulas(stored: str, expressed: str) -> None:
    quantized = f"tensor<9x!quant.uniform<{stored}>>"
    floats = f"tensor<9x{expressed}>"
    numbers = np.array([-1e9, -12.34, -0.05, -0.0, 0.15, 7.5, 200.0, np.inf, np.nan])
    module = sm.load(
        f"func.func @main(%x: {floats}) -> ({quantized}, {floats}) {{\n"
        f"  %0 = stablehlo.uniform_quantize %x : ({floats}) -> {quantized}\n"
        f"  %1 = stablehlo.uniform_dequantize %0 : ({quantized}) -> {floats}\n"
        f"  return %0, %1 : {quantized}, {floats}\n}}\n"
    )
    optimized = sm.opt(module, "stablehlo-legalize-quant-to-math")
    optimized.verify()
    assert "quant" not in optimized.to_text()
    with np.errstate(over="ignore"):  # -1e9 is no f16
        x = numbers.astype(module.entry().signature.arguments[0].type.element_type.dtype)
    before, after = (item.run(x, backend="interpreter") for item in (module, optimized))
    for old, new in zip(before, after, strict=True):
        np.testing.assert_array_equal(old, new)


def test_stored_values_are_those_of_the_specification() -> None:
    """round(clamp(-128, 1.05 / 0.1 - 3, 127)), by hand: 10.5 - 3 = 7.5, to the even one."""
    text = program(
        f"stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x{Q}>",
        "tensor<3xf32>",
        f"tensor<3x{Q}>",
    )
    optimized = sm.opt(sm.load(text), "stablehlo-legalize-quant-to-math")
    x = np.array([0.0, 100.0, -0.25], np.float32)
    assert optimized.run(x, backend="interpreter").tolist() == [-3, 127, -6]  # -2.5 - 3 = -5.5


@pytest.mark.parametrize(
    "operation",
    [
        f"stablehlo.abs %x : tensor<256x{Q}>",
        f"stablehlo.tanh %x : tensor<256x{Q}>",
        f"stablehlo.add %x, %x : tensor<256x{Q}>",
        f"stablehlo.maximum %x, %x : tensor<256x{Q}>",
        f"stablehlo.reverse %x, dims = [0] : tensor<256x{Q}>",
        f"stablehlo.uniform_quantize %x : (tensor<256x{Q}>) -> tensor<256x{Q}>",
    ],
)
def test_operations_on_every_byte(operation: str) -> None:
    kind = f"tensor<256x{Q}>"
    old, new, both_value = both(
        program(operation, kind, kind), "stablehlo-legalize-quant-to-math", EVERY_BYTE
    )
    np.testing.assert_array_equal(old, new)
    assert "quant" not in both_value.to_text()


def test_scales_of_slices_matrices_and_regions() -> None:
    wide = "tensor<4x3x!quant.uniform<i32:f32:1, {0.05:0, 0.025:0, 0.15:0}>>"
    text = f"""
func.func @main(%x: tensor<4x2x{Q}>, %w: tensor<2x3x{AXIS}>)
    -> (tensor<4x3xf32>, {wide}, tensor<4x{Q}>) {{
  %d = stablehlo.uniform_dequantize %w : (tensor<2x3x{AXIS}>) -> tensor<2x3xf32>
  %f = stablehlo.uniform_dequantize %x : (tensor<4x2x{Q}>) -> tensor<4x2xf32>
  %0 = stablehlo.dot_general %f, %d, contracting_dims = [1] x [0]
    : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.uniform_quantize %0
    : (tensor<4x3xf32>) -> {wide}
  %z = stablehlo.constant() {{value = dense<-3> : tensor<i8>}} : () -> tensor<{Q}>
  %2 = "stablehlo.reduce"(%x, %z) ({{
    ^bb0(%a: tensor<{Q}>, %b: tensor<{Q}>):
      %s = stablehlo.add %a, %b : tensor<{Q}>
      stablehlo.return %s : tensor<{Q}>
  }}) {{dimensions = array<i64: 1>}} : (tensor<4x2x{Q}>, tensor<{Q}>) -> tensor<4x{Q}>
  return %0, %1, %2 : tensor<4x3xf32>, {wide}, tensor<4x{Q}>
}}
"""
    generator = np.random.default_rng(0)
    x, w = (generator.integers(-128, 128, shape).astype(np.int8) for shape in ((4, 2), (2, 3)))
    old, new, both_value = both(text, "stablehlo-legalize-quant-to-math", x, w)
    assert "quant" not in both_value.to_text()
    for a, b in zip(old, new, strict=True):
        np.testing.assert_array_equal(a, b)


QUANTIZED_FILES: Final = sorted(
    path.name
    for path in OPS.glob("*.mlir")
    if "!quant" in path.read_text() and not path.name.endswith(".invalid.mlir")
)


# Programs that hold what is refused: zeros of collective operations, regions of wider types.
REFUSED: Final = (
    "collective_reduce.mlir", "quantized_processes.mlir", "quantized_regions.mlir", "reduce.mlir",
)  # fmt: skip


@pytest.mark.parametrize("file", REFUSED)
def test_what_is_not_stored_as_it_is_computed_is_refused(file: str) -> None:
    with pytest.raises(sm.UnsupportedError, match=r"stored as the zero point|computes in !quant"):
        sm.opt(sm.load(OPS / file), "stablehlo-legalize-quant-to-math")


@pytest.mark.parametrize("file", sorted({*QUANTIZED_FILES} - {*REFUSED}))
def test_quantized_examples_check_their_results_in_numbers(file: str) -> None:
    optimized = sm.opt(sm.load(OPS / file), "stablehlo-legalize-quant-to-math")
    optimized.verify()
    for entry, function in optimized.functions.items():
        if function.is_public:
            optimized.run(entry=entry, backend="interpreter")


def test_what_is_between_becomes_one_operation() -> None:
    kind = f"tensor<256x{Q}>"
    text = f"""
func.func @main(%x: {kind}) -> {kind} {{
  %0 = stablehlo.uniform_dequantize %x : ({kind}) -> tensor<256xf32>
  %1 = stablehlo.logistic %0 : tensor<256xf32>
  %2 = stablehlo.uniform_quantize %1 : (tensor<256xf32>) -> {kind}
  return %2 : {kind}
}}
"""
    name = "stablehlo-legalize-qdq-to-quantized-op"
    old, new, both_value = both(text, name, EVERY_BYTE)
    np.testing.assert_array_equal(old, new)
    clean = sm.opt(both_value, "canonicalize").to_text()
    assert "uniform_" not in clean
    assert f"stablehlo.logistic %arg0 : tensor<256x{Q.replace('0.1', '1.000000e-01')}>" in clean
    back = sm.opt(both_value, "stablehlo-legalize-quantized-op-to-qdq")
    np.testing.assert_array_equal(back.run(EVERY_BYTE, backend="interpreter"), old)


@pytest.mark.parametrize(
    ("middle", "operand"),
    [
        ("stablehlo.add %0, %y : tensor<256xf32>", "not quantized"),
        ("stablehlo.convert %0 : tensor<256xf32>", "not an operation on quantized tensors"),
        ("stablehlo.reverse %0, dims = [0] : tensor<256xf32>", "moves elements"),
    ],
)
def test_what_has_no_quantized_form_stays(middle: str, operand: str) -> None:
    kind = f"tensor<256x{Q}>"
    text = f"""
func.func @main(%x: {kind}, %y: tensor<256xf32>) -> {kind} {{
  %0 = stablehlo.uniform_dequantize %x : ({kind}) -> tensor<256xf32>
  %1 = {middle}
  %2 = stablehlo.uniform_quantize %1 : (tensor<256xf32>) -> {kind}
  return %2 : {kind}
}}
"""
    module = sm.load(text)
    optimized = sm.opt(module, "stablehlo-legalize-qdq-to-quantized-op")
    assert optimized.to_text() == module.to_text(), operand
