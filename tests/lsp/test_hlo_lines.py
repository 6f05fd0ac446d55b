"""After an edit of an HLO text, the server knows what it would know of the text read as a whole."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

import pytest

import stablemate as sm
from stablemate.lsp.programs.hlo_program import HloDocument

PROGRAMS: Final = Path(__file__).parents[1] / "programs"
COLLECTIVE: Final = """\
HloModule m, replica_count=2

double (p: f32[4]) -> f32[4] {
  p = f32[4] parameter(0)
  ROOT s = f32[4] add(p, p)
}

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[4] parameter(0)
  r = f32[4] all-reduce(x), replica_groups={{0,1}}, to_apply=sum
  p = f32[4] collective-permute(r), source_target_pairs={{0,1}}
  y = f32[4] call(p), to_apply=double
  z = multiply(x, y),
    metadata={op_name="z"}
  t = (f32[4], f32[4]) tuple(y, z)
  ROOT g = f32[4] get-tuple-element(t), index=1
}
"""
REPLACEMENTS: Final = (
    ("f32[", "f64["), ("[4]", "[5]"), ("add(", "multiply("), ("add(", "ad("), ("=", ""), (",", ""),
    ("(", ""), (")", ""), ("{", ""), ("}", ""), ("ROOT ", ""), ("replica_count=2", ""),
    ("replica_count=2", "replica_count=1"), ("parameter(0)", "parameter(1)"), ("\n  ", "\n  ROOT "),
    ("{1,0}", "{0,1}"), ("dimensions=", "dimension="), ("\n", "\n\n"),
    ("  ", "   // a comment\n  "),
)  # fmt: skip


def known(program: HloDocument) -> tuple[Any, ...]:
    """What a program knows: the module, the places of instructions, what is wrong and where."""
    places = [(one.name, one.span and (one.span.start, one.span.end, one.span.text))
              for one in program.instructions()]  # fmt: skip
    wrong = [(one.rule, one.message, one.values, one.span and (one.span.start, one.span.end))
             for one in program.diagnostics()]  # fmt: skip
    return program.module, places, wrong


def edited(text: str, source: random.Random) -> str:
    """The text after a random edit."""
    lines = text.split("\n")
    number, other = source.randrange(len(lines)), source.randrange(len(lines))
    kind = source.randrange(6)
    if kind == 0:
        del lines[number]
    elif kind == 1:
        lines.insert(number, lines[other])
    elif kind == 2:
        lines[number], lines[other] = lines[other], lines[number]
    else:
        old, new = source.choice(REPLACEMENTS)
        start = source.randrange(len(text))
        place = text.find(old, start)
        return text if place < 0 else text[:place] + new + text[place + len(old) :]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("name", "edits"),
    [
        ("collective", 60),
        pytest.param("collective", 2000, marks=pytest.mark.standard),
        *(
            pytest.param(n, 200, marks=pytest.mark.standard)
            for n in ("mlp_b1", "lstm", "convtrain")
        ),
    ],
)
def test_an_edited_text_is_known_like_a_new_one(name: str, edits: int) -> None:
    """Edits are made one after the other; every fifth text is the first one again."""
    text = COLLECTIVE
    if name != "collective":
        text = sm.load(PROGRAMS / f"{name}.mlir").to_hlo().to_text()
    source = random.Random(edits)
    program = HloDocument(text)
    assert known(program)[2] == []
    current = text
    for number in range(edits):
        current = text if number % 5 == 4 else edited(current, source)
        program.update(current)
        assert known(program) == known(HloDocument(current)), current
    program.update(text)
    assert known(program) == known(HloDocument(text))


def test_lines_are_taken_over() -> None:
    """Attributes are not read again: their dictionaries are the same."""
    program = HloDocument(COLLECTIVE)
    assert program.module
    before = {one.name: one.attributes for one in program.instructions()}
    program.update(COLLECTIVE.replace("multiply(x, y)", "add(x, y)"))
    after = {one.name: one.attributes for one in program.instructions()}
    assert after["p"] is before["p"]  # the permutation
    assert after["t"] is not before["t"]  # an operand of it is another operation
