"""Computations of HLO whose text is what it was are taken over whole, if their callees are too."""

from __future__ import annotations

from typing import Final

import pytest

pytest.importorskip("pygls")

from stablemate.lsp.programs.hlo_program import HloDocument
from stablemate.xla.module import HloComputation

TEXT: Final = """\
HloModule m

f {
  p = f32[2] parameter(0)
  ROOT s = f32[2] add(p, p)
}

g {
  p = f32[2] parameter(0)
  ROOT s = call(p), to_apply=f
}

h {
  p = f32[2] parameter(0)
  ROOT s = f32[2] tanh(p)
}

ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] call(x), to_apply=h
  ROOT z = f32[2] call(y), to_apply=g
}
"""


def computations(program: HloDocument) -> dict[str, HloComputation]:
    """The computations of a text, by name."""
    assert program.module is not None
    return dict(program.module.by_name)


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("HloModule m\n", "HloModule m\n\n", ["f", "g", "h", "main"]),
        ("tanh", "negate", ["f", "g"]),
        ("s = f32[2] add(p, p)", "s = f32[2] multiply(p, p)", ["h"]),
        ("HloModule m", "HloModule m, replica_count=2", ["f", "g", "h", "main"]),
        ("main {", "other {", ["f", "g", "h"]),
    ],
)
def test_computations_that_are_unchanged_are_the_same(old: str, new: str, names: list[str]) -> None:
    program = HloDocument(TEXT)
    before = computations(program)
    program.update(TEXT.replace(old, new, 1))
    assert not list(program.diagnostics())
    after = computations(program)
    assert [name for name, one in after.items() if before.get(name) is one] == names


def test_places_follow_the_computation() -> None:
    program = HloDocument(TEXT)
    text = TEXT.replace("\nh {", "// a comment\n\nh {")
    program.update(text)
    for instruction in program.instructions():
        assert instruction.span is not None
        assert text[instruction.span.start : instruction.span.end] == instruction.name


def test_a_caller_sees_the_callee_of_a_text_that_was_broken() -> None:
    """The callee changes while the text is broken after it; the caller is read again."""
    program = HloDocument(TEXT)
    changed = TEXT.replace("f32[2] parameter(0)\n  ROOT s = f32[2] add", "f32[3] parameter(0)\n"
                           "  ROOT s = f32[3] add", 1)  # fmt: skip
    program.update(changed.replace("h {", "h"))
    assert program.module is None
    program.update(changed)
    fresh = HloDocument(changed)
    messages = [one.message for one in program.diagnostics()]
    assert messages
    assert messages == [one.message for one in fresh.diagnostics()]
