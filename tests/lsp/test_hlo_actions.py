"""Code actions of HLO text: each leads to a program without errors, which computes what it did."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

pytest.importorskip("pygls")

import stablemate as sm
from stablemate.lsp.actions.code_actions import code_actions
from stablemate.lsp.diagnostics import diagnostics_of
from stablemate.lsp.documents import Document
from tests.lsp.test_server import applied

URI: Final = "file:///a.hlo"
TEXT: Final = """\
HloModule m

double {
  p = f32[2] parameter(0)
  c = f32[2] constant({1, 2})
  d = f32[2] add(p, c) // the sum
  ROOT s = f32[2] multiply(d, p)
}

ENTRY main {
  x = f32[2] parameter(0)
  d = f32[2] negate(x)
  y = f32[2] call(d), to_apply=double
  ROOT z = f32[2] add(y, d)
}
"""
TYPED: Final = """\
HloModule m

%double (p: f32[2]) -> f32[2] {
  %p = f32[2]{0} parameter(0)
  ROOT %s = f32[2]{0} add(f32[2]{0} %p, f32[2]{0} %p)
}

ENTRY %main (x: f32[2]) -> f32[2] {
  %x = f32[2]{0} parameter(0)
  ROOT %y = f32[2]{0} call(f32[2]{0} %x), to_apply=%double
}
"""


def after(text: str, word: str, title: str) -> str:
    """The text after the only action with a title at a word."""
    document = Document(URI, text)
    where = document.snapshot.positions.range(text.index(word), text.index(word))
    (edit,) = (one.edit for one in code_actions(document, where) if one.title.startswith(title))
    assert edit is not None
    assert edit.changes is not None
    changed = applied(text, list(edit.changes[URI]))
    assert not diagnostics_of(Document(URI, changed)), changed
    return changed


def test_an_inlined_call_has_names_of_its_own() -> None:
    changed = after(TEXT, "call(", "inline")
    assert changed == TEXT.replace(
        "  y = f32[2] call(d), to_apply=double\n",
        "  c = f32[2] constant({1, 2})\n  d_0 = f32[2] add(d, c) // the sum\n"
        "  y = f32[2] multiply(d_0, d)\n",
    )
    changed = after(TYPED, "call(", "inline")
    assert "  ROOT %y = f32[2]{0} add(f32[2]{0} %x, f32[2]{0} %x)\n}" in changed


@pytest.mark.standard
@pytest.mark.parametrize("text", [TEXT, TYPED], ids=["short", "typed"])
def test_an_inlined_call_computes_what_it_did(text: str) -> None:
    changed = after(text, "call(", "inline")
    assert "call(" not in changed
    x = np.array([3.0, -5.0], np.float32)
    expected = -x + ((-x + [1, 2]) * -x) if text is TEXT else x + x
    result = np.asarray(sm.load(changed, format="hlo").run(x))
    np.testing.assert_array_equal(result.reshape(2), expected.astype(np.float32))


@pytest.mark.parametrize(
    ("declared", "line"),
    [
        ("s32[2]", "y = f32[2] tanh(x)"),
        ("f32[1,2]", "y = f32[2] tanh(x)"),
        ("f32[2,1]", "y = f32[2] multiply(x, x)"),
        ("f64[2]", "y = f32[2] add(c, x)"),
        ("f32[1,2]", "y = f32[2] call(x), to_apply=double"),
        ("s32[2]", "y = f32[2] call(x), to_apply=double"),
        ("s32[2]", "%y = f32[2] add(f32[2] %c, s32[2]{0} %x)"),
    ],
)
def test_an_operand_that_does_not_fit_is_converted(declared: str, line: str) -> None:
    head = TYPED.partition("ENTRY")[0]
    text = (
        f"{head}ENTRY main {{\n  x = {declared} parameter(0)\n  c = f32[2] constant({{1, 2}})\n"
        f"  {line}\n  ROOT z = f32[2] add(y, c)\n}}\n"
    )
    operation = "convert" if "[2]" in declared else "reshape"
    assert diagnostics_of(Document(URI, text))
    changed = after(text, line, f"insert a {operation} of x to f32[2]")
    assert f" {operation}(" in changed


@pytest.mark.parametrize(
    "line",
    ["y = f32[2] tanh(x)", "y = f32[2] add(x, x)", "y = f32[2] call(x), to_apply=double"],
)
def test_no_operation_makes_other_sizes_fit(line: str) -> None:
    head = TYPED.partition("ENTRY")[0]
    text = f"{head}ENTRY main {{\n  x = f32[3] parameter(0)\n  ROOT {line}\n}}\n"
    document = Document(URI, text)
    where = document.snapshot.positions.range(text.index(line), text.index(line))
    assert diagnostics_of(document)
    assert not [one for one in code_actions(document, where) if one.title.startswith("insert")]
