"""Operations of CHLO on tensors of unknown rank: they are valid but cannot be evaluated."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm

OPERATIONS = [
    "%0 = chlo.erf %a : tensor<*xf32> -> tensor<*xf32>",
    "%0 = chlo.is_inf %a : tensor<*xf32> -> tensor<*xi1>",
    "%0 = chlo.broadcast_add %a, %b : (tensor<*xf32>, tensor<2xf32>) -> tensor<*xf32>",
    "%0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction EQ>}"
    " : (tensor<*xf32>, tensor<2xf32>) -> tensor<*xi1>",
    "%0 = chlo.next_after %a, %b : tensor<*xf32>, tensor<2xf32> -> tensor<2xf32>",
    '%0 = "chlo.constant_like"(%a) <{value = 1.0 : f32}> : (tensor<*xf32>) -> tensor<*xf32>',
    "%0:2 = chlo.top_k(%a, k = 1) : tensor<*xf32> -> (tensor<*xf32>, tensor<*xi32>)",
]


def program(operation: str) -> sm.Module:
    """A function that holds one operation."""
    return sm.load(
        "func.func @main(%a: tensor<*xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {\n"
        f"  {operation}\n  return %b : tensor<2xf32>\n}}\n"
    )


@pytest.mark.parametrize("operation", OPERATIONS)
def test_unranked_tensors_are_read_and_verified(operation: str) -> None:
    module = program(operation)
    assert module.diagnostics() == []
    assert sm.load(module.to_text()).to_text() == module.to_text()


@pytest.mark.parametrize(
    "operation",
    [
        "%0 = chlo.erf %a : tensor<*xf32> -> tensor<2xf32>",
        "%0 = chlo.erf %b : tensor<2xf32> -> tensor<*xf32>",
    ],
)
def test_operand_and_result_have_ranks_or_neither_has(operation: str) -> None:
    assert [diagnostic.rule for diagnostic in program(operation).diagnostics()] == ["chlo.erf rank"]


def test_they_have_no_value() -> None:
    operand = np.ones(2, np.float32)
    with pytest.raises(sm.StablemateError, match="rank"):
        program(OPERATIONS[0]).run(operand, operand)
