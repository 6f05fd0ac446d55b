"""Functions of several blocks: what counts of jumps, and uses before definitions in the text."""

from __future__ import annotations

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
