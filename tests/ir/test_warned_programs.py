"""Programs that upstream executes and the specification forbids have the same values here."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from tests.oracle.client import Oracle
from tests.properties.parity.warned_values import (
    BACKENDS,
    arguments_of,
    equal,
    executed,
    upstream,
    warnings,
)

PROGRAMS: Final = (Path(__file__).parent / "warned_programs.mlir").read_text().split("// -----\n")
SPARSE: Final = """func.func @main(%a: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %0 = stablehlo.constant sparse<[[0, 1], [1, 2]], [5, 7]> : tensor<2x3xi32>
  %1 = stablehlo.add %a, %0 : tensor<2x3xi32>
  return %1 : tensor<2x3xi32>
}
"""
QUANTIZED: Final = """func.func @main(
    %a: tensor<i32>, %b: tensor<0x!quant.uniform<i8:f32:0, {5.0e-01,2.5e-01}>>) -> tensor<i32> {
  %0 = stablehlo.negate %a : tensor<i32>
  return %0 : tensor<i32>
}
"""


@pytest.mark.standard
@pytest.mark.parametrize("text", PROGRAMS)
def test_values_are_those_of_upstream(text: str, oracle: Oracle) -> None:
    assert warnings(text)
    arguments = arguments_of(sm.load(text), text)
    assert arguments is not None
    answers = [upstream(oracle, name, text, arguments) for name in ("xla", "reference")]
    for backend in BACKENDS:
        values = executed(text, arguments, backend)
        assert not isinstance(values, str), values
        assert any(answer is not None and equal(values, answer) for answer in answers)


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs_print_and_convert(text: str, oracle: Oracle) -> None:
    module = sm.load(text)
    assert warnings(text)
    assert module.to_text(generic=True) == oracle.print(text, generic=True)
    assert sm.load(module.to_bytecode()).difference(module) == ""
    with pytest.raises(sm.VerifyError):
        module.verify(strict=True)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_sparse_constant_has_zeros_between_its_elements(backend: str) -> None:
    """By hand: XLA does not run it, and the reference reads memory that is not its own."""
    module = sm.load(SPARSE)
    assert [d.rule for d in module.diagnostics()] == ["stablehlo.constant I1"]
    outcome = module.run(np.ones((2, 3), np.int32), backend=backend)
    assert np.asarray(outcome).tolist() == [[1, 6, 1], [1, 1, 8]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_values_of_malformed_quantized_types_may_be_passed(backend: str) -> None:
    module = sm.load(QUANTIZED)
    assert {d.rule for d in module.diagnostics()} == {"quantized tensor type C13"}
    outcome = module.run(np.int32(3), np.zeros(0, np.int8), backend=backend)
    assert int(np.asarray(outcome)) == -3


@pytest.mark.parametrize("backend", BACKENDS)
def test_stored_numbers_are_broadcast_whatever_they_stand_for(backend: str, oracle: Oracle) -> None:
    text = """func.func @main(
    %a: tensor<2x!quant.uniform<i8:f32, 0.5>>, %s: tensor<1xi32>)
    -> tensor<2x!quant.uniform<i8:f32, 0.25:3>> {
  %r = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [0]
    : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<1xi32>)
    -> tensor<2x!quant.uniform<i8:f32, 0.25:3>>
  return %r : tensor<2x!quant.uniform<i8:f32, 0.25:3>>
}
"""
    arguments = np.array([-53, -104], np.int8), np.array([2], np.int32)
    assert warnings(text) == ["stablehlo.dynamic_broadcast_in_dim C1"]
    (expected,) = oracle.reference(text, *arguments)
    np.testing.assert_array_equal(sm.run(text, *arguments, backend=backend), expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_bitcast_to_a_further_dimension_of_size_1_keeps_the_bits(
    backend: str, oracle: Oracle
) -> None:
    text = """func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3x1xi32> {
  %0 = stablehlo.bitcast_convert %a : (tensor<2x3xf32>) -> tensor<2x3x1xi32>
  return %0 : tensor<2x3x1xi32>
}
"""
    numbers = np.array([[1.5, -2, np.nan], [0, -0.0, 1e-40]], np.float32)
    assert warnings(text) == ["stablehlo.bitcast_convert C1"]
    (expected,) = oracle.xla(text, numbers)  # without the further dimension
    result = np.asarray(sm.run(text, numbers, backend=backend))
    assert result.shape == (2, 3, 1)
    np.testing.assert_array_equal(result.reshape(expected.shape), expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_results_are_stored_in_a_type_of_another_sign(backend: str) -> None:
    """By hand: 4, 30 and 127 are -3, 10 and 58.5, and zero is stored as 20, steps are a quarter."""
    text = """func.func @main(%a: tensor<3x!quant.uniform<i8<0:127>:f32, 0.5:10>>)
    -> (tensor<3x!quant.uniform<u8<0:127>:f32, 0.25:20>>,
        tensor<3x!quant.uniform<u8<0:127>:f32, 0.25:20>>) {
  %0 = "stablehlo.abs"(%a) : (tensor<3x!quant.uniform<i8<0:127>:f32, 0.5:10>>)
    -> tensor<3x!quant.uniform<u8<0:127>:f32, 0.25:20>>
  %1 = "stablehlo.negate"(%a) : (tensor<3x!quant.uniform<i8<0:127>:f32, 0.5:10>>)
    -> tensor<3x!quant.uniform<u8<0:127>:f32, 0.25:20>>
  return %0, %1 : tensor<3x!quant.uniform<u8<0:127>:f32, 0.25:20>>,
    tensor<3x!quant.uniform<u8<0:127>:f32, 0.25:20>>
}
"""
    assert warnings(text) == ["stablehlo.abs C2", "stablehlo.negate C1"]
    absolute, negated = sm.run(text, np.array([4, 30, 127], np.int8), backend=backend)
    assert np.asarray(absolute).tolist() == [32, 60, 127]  # 3, 10, and at most 26.75
    assert np.asarray(negated).tolist() == [32, 0, 0]  # 3, and at least -5
