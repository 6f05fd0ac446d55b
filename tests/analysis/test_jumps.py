"""Functions of several blocks: what counts of jumps, and uses before definitions in the text."""

from __future__ import annotations

import pytest

import stablemate as sm

PROGRAM = """\
func.func @main(%x: tensor<f32>, %c: i1) -> tensor<f32> {
  cf.cond_br %c, ^b1, ^b2
^b3:
  %1 = stablehlo.abs %0 : tensor<f32>
  return %1 : tensor<f32>
^b1:
  %0 = stablehlo.negate %x : tensor<f32>
  cf.br ^b3
^b2:
  return %x : tensor<f32>
}
"""


def test_the_target_of_a_jump_counts() -> None:
    """The condition chooses the other block."""
    module, other = sm.load(PROGRAM), sm.load(PROGRAM.replace("%c, ^b1, ^b2", "%c, ^b1, ^b1"))
    diff = sm.diff(module, other)
    assert str(sm.fingerprint(module)) != str(sm.fingerprint(other))
    assert [
        (detail.what, detail.a, detail.b) for detail in diff.functions[0].changes[0].details
    ] == [("successors", "2, 3", "2, 2")]


def test_a_value_used_before_its_definition_in_the_text_counts() -> None:
    module = sm.load(PROGRAM)
    other = sm.load(PROGRAM.replace("abs %0", "abs %x"))
    assert str(sm.fingerprint(module)) == str(sm.fingerprint(sm.load(PROGRAM)))
    assert str(sm.fingerprint(module)) != str(sm.fingerprint(other))
    assert not sm.diff(module, sm.load(PROGRAM)).functions
    assert [change.name for change in sm.diff(module, other).functions[0].changes] == [
        "stablehlo.abs"
    ]


def test_a_function_that_jumps_does_not_become_hlo() -> None:
    """HLO has no jumps; the first block alone would be another program."""
    text = (
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
        "  cf.br ^b1(%x : tensor<f32>)\n"
        "^b1(%y: tensor<f32>):\n"
        "  %0 = stablehlo.negate %y : tensor<f32>\n"
        "  return %0 : tensor<f32>\n}\n"
    )
    with pytest.raises(sm.UnsupportedError) as raised:
        sm.load(text).to_hlo()
    assert raised.value.render() == (
        "<text>:2:3: error: cf.br cannot be executed: functions of several blocks are not run\n"
        " 2 |   cf.br ^b1(%x : tensor<f32>)\n"
        "   |   ^^^^^"
    )
