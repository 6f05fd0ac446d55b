"""Possessive groups in regular expressions, which Python before 3.11.5 matches wrongly.

There ``(?:,[0-9]++)*+`` takes the comma of ``,]``: what a repetition matched before it failed is
not given back (python/cpython#106052). An alternative that never matches, ``(?!)``, at the end of
the group gives it back, because each alternative is tried from the start of the repetition.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import pytest

from stablemate.diagnostics.errors import ParseError
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.mlir.type_reader import DIMENSION

PACKAGE: Final = Path(__file__).parents[2] / "src/stablemate"
NOT_RESET: Final = re.compile(r"(?<!\|\(\?!\))(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+")
LITERAL: Final = "HloModule m\nENTRY e { ROOT c = s32[2] constant({1, 2-}) }"
SIZES: Final = "HloModule m\nENTRY e { ROOT c = f32[2,] parameter(0) }"
PADDING: Final = """HloModule m
ENTRY e { p = f32[2] parameter(0) z = f32[] parameter(1)
  ROOT q = f32[2] pad(p, z), padding=0_0_ }"""


def strings(path: Path) -> list[str]:
    """The string constants of a file, those between the braces of formatted strings too."""
    return [
        node.value
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


@pytest.mark.standard
def test_every_possessive_group_is_reset() -> None:
    groups = {
        f"{path.relative_to(PACKAGE)}: {found.group()} in {text[max(0, found.start() - 30) :]!r}"
        for path in PACKAGE.rglob("*.py")
        for text in strings(path)
        for found in NOT_RESET.finditer(text)
    }
    assert groups == set()


@pytest.mark.parametrize("text", [SIZES, LITERAL, PADDING])
def test_an_incomplete_repetition_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        read_text(text)


def test_an_incomplete_comment_is_no_white_space() -> None:
    assert DIMENSION.match("1//x") is None
