"""Programs with one thing changed: found wrong, or translated; never anything else."""

from __future__ import annotations

import random
import re

import pytest

from stablemate.diagnostics.errors import StablemateError, UnsupportedError
from stablemate.formats.hlo.text.reader import read_text
from stablemate.xla.verifier import verify
from tests.xla.programs import PROGRAMS
from tests.xla.translation import translated

CHANGES = 8  # of each program
NUMBER = re.compile(r"(?<![A-Za-z_.0-9])\d+(?![A-Za-z_.0-9])")
OPERAND = re.compile(r"(?<=[(, ])[a-z]\w*(?=[,)])")
ELEMENT = re.compile(r"\b(?:f32|s32|pred|u32|bf16|u8|token)\b")
OPCODE = re.compile(r"(?<=\] )[a-z][a-z-]+(?=\()")
ELEMENTS = ("f32", "s32", "pred", "u64", "bf16", "c64", "token", "opaque", "s1")


def changed(text: str, rng: random.Random) -> str:
    """The text with a number, an operand, an element type or an opcode replaced."""
    pattern = rng.choice([NUMBER, NUMBER, OPERAND, ELEMENT, OPCODE])
    items = list(pattern.finditer(text))
    if not items:
        return text
    place = rng.choice(items)
    if pattern is NUMBER:
        other = str(rng.choice([0, 1, 2, 7, int(place[0]) + 1]))
    elif pattern is ELEMENT:
        other = rng.choice(ELEMENTS)
    else:
        other = rng.choice(items)[0]
    return text[: place.start()] + other + text[place.end() :]


@pytest.mark.parametrize("name", PROGRAMS)
def test_changed_program_is_refused_or_translated(name: str) -> None:
    rng = random.Random(name)
    for _ in range(CHANGES):
        text = changed(PROGRAMS[name], rng)
        try:
            module = read_text(text)
        except StablemateError:
            continue
        if verify(module):
            with_rules = [diagnostic for diagnostic in verify(module) if diagnostic.rule]
            assert with_rules, text
            continue
        try:
            translated(module)
        except UnsupportedError:
            continue  # a type that StableHLO lacks
