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


LITERALS = """
module {
  func.func @main(%x: tensor<80xf32>, %i: tensor<2xi32>) -> tensor<80xf32> {
    %a = stablehlo.constant dense<1.0> : tensor<80xf32>
    %b = stablehlo.constant dense<2.0> : tensor<80xf32>
    %0 = stablehlo.add %x, %a : tensor<80xf32>
    %1 = stablehlo.add %0, %b : tensor<80xf32>
    %m = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %n = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
    %2 = stablehlo.add %i, %m : tensor<2xi32>
    %3 = stablehlo.add %2, %n : tensor<2xi32>
    %4 = stablehlo.add %3, %m : tensor<2xi32>
    return %1 : tensor<80xf32>
  }
}
"""


def test_floats_of_constants_do_not_tell_forms_apart_and_integers_do() -> None:
    """Integers may be sizes, which rules of dynamic operations look at; floats never are."""
    forms = VerifiedForms()
    by_name: dict[str, list[object]] = {"stablehlo.add": [], "stablehlo.constant": []}
    for operation in sm.load(LITERALS).ir.operation.walk():
        by_name.get(operation.name, []).append(forms.form_of(operation))
    floats, more_floats, ones, others, again = by_name["stablehlo.add"]
    assert floats == more_floats != ones
    assert ones == again != others
    assert len(set(by_name["stablehlo.constant"])) == 2


def test_types_and_attributes_are_compared_by_value() -> None:
    """A frontend creates a type for each value, and an attribute for each operation."""
    forms = VerifiedForms()
    operations = [
        operation
        for _ in range(2)
        for operation in sm.load(
            PROGRAM.format(second=INVALID["another attribute"])
        ).ir.operation.walk()
        if operation.name in ("stablehlo.add", "stablehlo.slice")
    ]
    found = [forms.form_of(operation) for operation in operations]
    half = len(found) // 2
    assert found[:half] == found[half:]
    assert len(set(found)) == 3  # a sum, and two slices


def test_what_was_compared_stays_alive() -> None:
    """The identity of a type that was freed could be that of another one."""
    forms = VerifiedForms()

    def form(size: int) -> object:
        text = "func.func @main(%x: tensor<SxfN>) { %0 = stablehlo.abs %x : tensor<SxfN> return }"
        module = sm.load(text.replace("SxfN", f"{size}xf32"))
        return forms.form_of(
            module.ir.operation.regions[0]
            .blocks[0]
            .operations[0]
            .regions[0]
            .blocks[0]
            .operations[0]
        )

    assert len({form(size) for size in range(1, 200)}) == 199
