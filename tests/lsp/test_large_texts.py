"""Large texts: every answer takes work that grows with the text, not with its square."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("lsprotocol")

from lsprotocol import types

from stablemate.lsp.actions.code_actions import code_actions
from stablemate.lsp.completion import completion
from stablemate.lsp.diagnostics import diagnostics_of
from stablemate.lsp.documents import Document
from stablemate.lsp.folding import folding_ranges
from stablemate.lsp.formatting import format_text
from stablemate.lsp.hover import hover
from stablemate.lsp.inlay_hints import inlay_hints
from stablemate.lsp.navigation import references
from stablemate.lsp.outline import outline
from stablemate.lsp.rename import rename
from stablemate.lsp.semantic_tokens import semantic_tokens
from stablemate.lsp.server import DEEP
from tests.work import LINEAR, growth

VALUE = "tensor<f32>"
TOP = types.Position(2, 8)
EVERYWHERE = types.Range(types.Position(0, 0), types.Position(10_000, 0))


def function(lines: list[str], name: str = "main", arguments: str = f"%a: {VALUE}") -> str:
    """A function of some lines."""
    return f"func.func @{name}({arguments}) {{\n" + "\n".join([*lines, "  return", "}"]) + "\n"


def lines(count: int, form: str) -> list[str]:
    """So many lines, with their number in place of ``#`` and the one before in place of ``~``."""
    return [form.replace("#", str(i)).replace("~", str(i - 1)) for i in range(1, count + 1)]


def blocks(count: int) -> str:
    """Blocks that take a value and jump to the next one."""
    form = f"^b#(%x#: {VALUE}):\n  %y# = stablehlo.abs %x# : {VALUE}\n  cf.br ^b~(%y# : {VALUE})"
    first = f"  cf.br ^b{count}(%a : {VALUE})"
    last = f"^b0(%x0: {VALUE}):"
    return function([first, *lines(count, form)[::-1], last])


TEXTS: dict[str, Callable[[int], str]] = {
    "unknown values": lambda n: function(lines(n, f"  %x# = stablehlo.abs %y# : {VALUE}")),
    "unknown operations": lambda n: function(lines(n, f"  %x# = stablehlo.abz %a : {VALUE}")),
    "unknown types": lambda n: function(lines(n, "  %x# = stablehlo.abs %a : !t#")),
    "unknown functions": lambda n: function(
        lines(n, f"  %x# = call @f#(%a) : ({VALUE}) -> {VALUE}")
    ),
    "wrong types": lambda n: function(
        lines(n, f"  %x# = stablehlo.add %a, %a : ({VALUE}, {VALUE}) -> tensor<2xf32>")
    ),
    "a chain": lambda n: function(
        [f"  %x0 = stablehlo.abs %a : {VALUE}", *lines(n, f"  %x# = stablehlo.abs %x~ : {VALUE}")]
    ),
    "functions": lambda n: "".join(
        function([f"  %0 = stablehlo.abs %a : {VALUE}"], f"f{i}") for i in range(n)
    ),
    "arguments": lambda n: function(
        lines(n, f"  %x# = stablehlo.abs %a# : {VALUE}"),
        arguments=", ".join(lines(n, f"%a#: {VALUE}")),
    ),
    "many results": lambda n: function(
        [f"  {', '.join(lines(n, '%x#'))} = func.call @f() : () -> ({', '.join([VALUE] * n)})"]
    ),
    "blocks": blocks,
    "aliases": lambda n: (
        "\n".join(lines(n, f"!t# = {VALUE}"))
        + "\n"
        + function(lines(n, "  %x# = stablehlo.abs %a : !t#"))
    ),
    "equal functions": lambda n: function([f"  %0 = stablehlo.abs %a : {VALUE}"]) * n,
    "nested regions": lambda n: function(
        ['"stablehlo.case"(%i) ({'] * 3 * n + ["}) : (tensor<i32>) -> ()"] * 3 * n,
        arguments="%i: tensor<i32>",
    ),
    "regions": lambda n: function(
        lines(
            n,
            '  "stablehlo.case"(%i) ({\n    stablehlo.return\n  }) : (tensor<i32>) -> ()',
        ),
        arguments="%i: tensor<i32>",
    ),
}
REQUESTS: dict[str, Callable[[Document], object]] = {
    "code actions": lambda document: code_actions(document, EVERYWHERE),
    "completion": lambda document: completion(document, TOP),
    "diagnostics": diagnostics_of,
    "folding": lambda document: folding_ranges(document.snapshot),
    "formatting": lambda document: format_text(document.snapshot),
    "hover": lambda document: hover(document, TOP),
    "inlay hints": lambda document: inlay_hints(document, EVERYWHERE),
    "outline": outline,
    "references": lambda document: references(document, TOP, declaration=True),
    "rename": lambda document: rename(document, TOP, "other"),
    "semantic tokens": lambda document: semantic_tokens(document.snapshot),
}


def requests(text: str) -> None:
    """Asks everything of a text, and again after an edit at its beginning and one at its end."""
    document = Document("file:///text.mlir", text)
    for edited in (text, f"\n{text}", f"\n{text}\n"):
        document.change(edited)
        for request in REQUESTS.values():
            request(document)


@pytest.fixture(autouse=True)
def deep_stack() -> Iterator[None]:
    """The depth of Python's stack that the server sets."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEP)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("name", TEXTS)
def test_all_requests_of_a_large_text_take_linear_work(name: str) -> None:
    assert growth(lambda count: requests(TEXTS[name](count)), 40) < LINEAR


@pytest.mark.standard
def test_5000_unknown_names_are_reported() -> None:
    """The first 500 are; similar names are looked for at the first of them."""
    text = function(lines(5_000, f"  %x# = stablehlo.abs %xx~ : {VALUE}"))
    messages = [one.message for one in diagnostics_of(Document("file:///text.mlir", text))]
    assert len(messages) == 500
    assert messages[20] == "no value is called %xx20 here\nnote: did you mean '%x20'?"
    assert messages[-1] == "no value is called %xx499 here"
