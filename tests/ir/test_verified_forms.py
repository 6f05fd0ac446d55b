"""Operations that look like one that was found valid are not checked again, but where they differ
in what a rule looks at: constants among the operands, symbols, attributes, types.
"""

from __future__ import annotations

import pytest

import stablemate as sm
from stablemate.ir.equality import VerifiedForms

PROGRAM = """
module {{
  func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {{
    %0 = stablehlo.add %x, %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }}
  func.func @main(%x: tensor<4xf32>, %n: tensor<2xi32>) -> tensor<2x2xf32> {{
    %good = stablehlo.constant dense<2> : tensor<2xi32>
    %bad = stablehlo.constant dense<3> : tensor<2xi32>
    %0 = stablehlo.add %x, %x : tensor<4xf32>
    %1 = stablehlo.add %0, %x : tensor<4xf32>
    %2 = stablehlo.dynamic_reshape %1, %good : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
    {second}
    return %2 : tensor<2x2xf32>
  }}
}}
"""
INVALID = {
    "another constant": (
        "%3 = stablehlo.dynamic_reshape %1, %bad : "
        "(tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>"
    ),
    "another result type": (
        '%3 = "stablehlo.add"(%0, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>'
    ),
    "an unknown symbol": (
        '%3 = stablehlo.composite "my.twice" %0 {decomposition = @twice} : '
        "(tensor<4xf32>) -> tensor<4xf32>\n"
        '%4 = stablehlo.composite "my.twice" %0 {decomposition = @thrice} : '
        "(tensor<4xf32>) -> tensor<4xf32>"
    ),
    "another attribute": (
        "%3 = stablehlo.slice %0 [0:4] : (tensor<4xf32>) -> tensor<4xf32>\n"
        "%4 = stablehlo.slice %0 [1:5] : (tensor<4xf32>) -> tensor<4xf32>"
    ),
}


@pytest.mark.parametrize("second", INVALID.values(), ids=INVALID)
def test_an_invalid_operation_beside_a_valid_one_is_found(second: str) -> None:
    """The rules of the specification: dynamic_reshape C3, add C1, composite C3, slice C3."""
    with pytest.raises(sm.VerifyError) as raised:
        sm.load(PROGRAM.format(second=second)).verify()
    assert len(raised.value.diagnostics) == 1


def test_valid_operations_verify() -> None:
    """Equal operations share a form; those of constants and control flow do not."""
    module = sm.load(PROGRAM.format(second=""))
    module.verify()
    forms = VerifiedForms()
    adds = [op for op in module.ir.operation.walk() if op.name == "stablehlo.add"]
    assert len({forms.form_of(op) for op in adds[1:]}) == 1
    assert forms.form_of(module.ir.operation) is None
