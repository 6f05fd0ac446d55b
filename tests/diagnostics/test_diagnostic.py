"""The rendered text of diagnostics."""

from __future__ import annotations

import pickle

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ParseError, StablemateError
from stablemate.diagnostics.source import Source, Span

SOURCE = Source("first\n\tsecond line\nthird", "model.mlir")


def test_rule_place_and_values_stand_around_the_source_line() -> None:
    span = Span(SOURCE, SOURCE.text.index("line"), SOURCE.text.index("line") + 4)
    note = Diagnostic("defined here", span=Span(SOURCE, 0, 5))
    finding = Diagnostic("0 < n", "op C1", span, {"n": 0, "m": "tensor<f32>"}, (note,))
    assert finding.render() == (
        "model.mlir:2:9: error: op C1: 0 < n\n"
        " 2 | \tsecond line\n"
        "   | \t       ^^^^ n = 0, m = tensor<f32>\n"
        "model.mlir:1:1: note: defined here\n"
        " 1 | first\n"
        "   | ^^^^^"
    )


def test_color_changes_nothing_else() -> None:
    finding = Diagnostic("0 < n", "op C1", Span(SOURCE, 0, 5))
    colored = finding.render(color=True)
    for code in ("\x1b[1;31m", "\x1b[1;32m", "\x1b[1m", "\x1b[0m"):
        assert code in colored
        colored = colored.replace(code, "")
    assert colored == finding.render()


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "x" * 500 + "HERE" + "y" * 500
    lines = Diagnostic("too long", span=Span(Source(text, "a"), 500, 504)).render().split("\n")
    assert lines[1].startswith(" 1 | ...xxx")
    assert lines[1].endswith("yyy...")
    assert lines[1][lines[2].index("^") : lines[2].rindex("^") + 1] == "HERE"


def test_a_span_that_ends_on_a_later_line_is_marked_on_its_first() -> None:
    assert Diagnostic("m", span=Span(SOURCE, 0, 20)).render().split("\n")[2] == "   | ^^^^^"


def test_a_binary_source_is_named_by_offset() -> None:
    source = Source("", "a.mlirbc", binary=True)
    assert str(Diagnostic("bad", span=Span(source, 31, 32))) == "a.mlirbc:+0x1f: error: bad"


def test_errors_survive_pickling() -> None:
    error = ParseError([Diagnostic("one"), Diagnostic("two")])
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, ParseError)
    assert isinstance(again, StablemateError)
    assert str(again) == "error: one\nerror: two"
