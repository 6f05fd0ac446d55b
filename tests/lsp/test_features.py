"""Every feature of the server over stdio, for MLIR and for HLO: a request, and what it answers.

A row is the name of a feature, a request to a server that has the text open, and what is expected
of the answer. The rows of a language share a server, because starting one takes most of the time.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import pytest

pytest.importorskip("pytest_lsp")

from lsprotocol import types

from tests.lsp.test_server import applied, at, changed, document, drive, opened

MLIR: Final = """\
!t = tensor<2x3xf32>
func.func @main(%x: !t, %y: !t) -> tensor<3x2xf32> {
  %c = stablehlo.constant dense<2.0> : !t
  %s = stablehlo.add %x, %y : !t
  %r = func.call @twice(%s) : (!t) -> !t
  %k = chlo.tan %r : !t -> !t
  %p = stablehlo.transpose %k, dims = [1, 0] : (!t) -> tensor<3x2xf32>
  return %p : tensor<3x2xf32>
}
func.func private @twice(%a: !t) -> !t {
  %0 = stablehlo.add %a, %a : !t
  return %0 : !t
}
"""
HLO: Final = """\
HloModule m

double {
  p = f32[2] parameter(0)
  ROOT s = f32[2] add(p, p)
}

ENTRY main {
  x = f32[2] parameter(0)
  y = f32[2] call(x), to_apply=double
  c = f32[2] constant({1, 2})
  t = f32[2] tanh(c)
  ROOT z = multiply(t, y)
}
"""
URIS: Final = {"mlir": "file:///program.mlir", "hlo": "file:///program.hlo"}
TEXTS: Final = {"mlir": MLIR, "hlo": HLO}
EVERYWHERE: Final = types.Range(types.Position(0, 0), types.Position(99, 0))
OPTIONS: Final = types.FormattingOptions(2, True)


class Session(NamedTuple):
    """A server with a text open."""

    client: Any
    uri: str
    text: str

    @property
    def here(self) -> types.TextDocumentIdentifier:
        return document(self.uri)


Request = Callable[[Session], Awaitable[Any]]


class Row(NamedTuple):
    """A feature, a request and what it answers."""

    feature: str
    request: Request
    expected: Any


async def diagnosed(on: Session, old: str, new: str) -> tuple[str, list[types.Diagnostic]]:
    """The text and its diagnostics with a change, which the caller undoes."""
    text = on.text.replace(old, new, 1)
    assert text != on.text
    return text, await changed(on.client, on.uri, text, 2)


def diagnostic(old: str, new: str) -> Request:
    """The line of the only diagnostic after a change, and the rule or the text of its message."""

    async def request(on: Session) -> Any:
        _, found = await diagnosed(on, old, new)
        assert await changed(on.client, on.uri, on.text, 3) == []
        return [(one.range.start.line, one.message.split(":")[0]) for one in found]

    return request


def fixed(old: str, new: str, title: str) -> Request:
    """How many diagnostics there are before and after the action with a title."""

    async def request(on: Session) -> Any:
        text, before = await diagnosed(on, old, new)
        after = await acted(on, text, before[0].range, title)
        assert await changed(on.client, on.uri, on.text, 5) == []
        return len(before), len(after)

    return request


def refactored(word: str, title: str) -> Request:
    """How many diagnostics there are after an action on a program without any."""

    async def request(on: Session) -> Any:
        place = types.Range(at(on.text, word), at(on.text, word))
        after = await acted(on, on.text, place, title)
        assert await changed(on.client, on.uri, on.text, 5) == []
        return len(after)

    return request


async def acted(on: Session, text: str, place: types.Range, title: str) -> list[types.Diagnostic]:
    """The diagnostics after the only action with a title."""
    parameters = types.CodeActionParams(on.here, place, types.CodeActionContext([]))
    actions = await on.client.text_document_code_action_async(parameters)
    (action,) = (one for one in actions if title in one.title)
    new = applied(text, action.edit.changes[on.uri])
    assert new != text
    return await changed(on.client, on.uri, new, 4)


def hover(word: str, part: str) -> Request:
    """Whether a hover contains a text."""

    async def request(on: Session) -> bool:
        parameters = types.HoverParams(on.here, at(on.text, word))
        return part in (await on.client.text_document_hover_async(parameters)).contents.value

    return request


def definition(word: str, nth: int) -> Request:
    """The line of a definition."""

    async def request(on: Session) -> list[int]:
        parameters = types.DefinitionParams(on.here, at(on.text, word, nth))
        found = await on.client.text_document_definition_async(parameters)
        return [one.range.start.line for one in found]

    return request


def references(word: str) -> Request:
    """The lines of a definition and of its uses."""

    async def request(on: Session) -> list[int]:
        parameters = types.ReferenceParams(types.ReferenceContext(True), on.here, at(on.text, word))
        found = await on.client.text_document_references_async(parameters)
        return [one.range.start.line for one in found]

    return request


async def outline(on: Session) -> list[tuple[str, list[str]]]:
    """Functions with their values."""
    found = await on.client.text_document_document_symbol_async(types.DocumentSymbolParams(on.here))
    return [(one.name, [child.name for child in one.children]) for one in found]


async def folding(on: Session) -> list[tuple[int, int]]:
    """The lines that fold."""
    found = await on.client.text_document_folding_range_async(types.FoldingRangeParams(on.here))
    return sorted((one.start_line, one.end_line) for one in found)


def formatted(word: str, by_range: bool) -> Request:
    """Whether formatting moves a line that is indented too far, in a valid program."""

    async def request(on: Session) -> bool:
        crooked = on.text.replace(f"  {word}", f"      {word}", 1)
        await changed(on.client, on.uri, crooked, 2)
        client, place = on.client, types.Range(at(crooked, word), at(crooked, word))
        edits = await (
            client.text_document_range_formatting_async(
                types.DocumentRangeFormattingParams(on.here, place, OPTIONS)
            )
            if by_range
            else client.text_document_formatting_async(
                types.DocumentFormattingParams(on.here, OPTIONS)
            )
        )
        after = await changed(client, on.uri, applied(crooked, edits), 3)
        await changed(client, on.uri, on.text, 4)
        return not after and f"      {word}" not in applied(crooked, edits)

    return request


def completion(old: str, new: str, label: str) -> Request:
    """Whether a name is proposed at the end of a text that is not complete."""

    async def request(on: Session) -> bool:
        text = on.text.replace(old, new, 1)
        await changed(on.client, on.uri, text, 2)
        place = at(text, new)
        place.character += len(new) - 1
        parameters = types.CompletionParams(on.here, place)
        found = await on.client.text_document_completion_async(parameters)
        await changed(on.client, on.uri, on.text, 3)
        return label in [one.label for one in found.items]

    return request


async def hints(on: Session) -> set[str]:
    """The types that are shown in the text."""
    parameters = types.InlayHintParams(on.here, EVERYWHERE)
    found = await on.client.text_document_inlay_hint_async(parameters)
    return {one.label for one in found}


def renamed(word: str, new: str, expected: tuple[str, str]) -> Request:
    """Whether renaming replaces all occurrences."""

    async def request(on: Session) -> bool:
        parameters = types.RenameParams(on.here, at(on.text, word), new)
        edit = await on.client.text_document_rename_async(parameters)
        return applied(on.text, edit.changes[on.uri]) == re.sub(*expected, on.text)

    return request


async def token_places(on: Session) -> int:
    """The lines from the first to the last semantic token."""
    parameters = types.SemanticTokensParams(on.here)
    data = (await on.client.text_document_semantic_tokens_full_async(parameters)).data
    return sum(data[::5])


async def lenses(on: Session) -> list[str]:
    """The titles of the lenses."""
    found = await on.client.text_document_code_lens_async(types.CodeLensParams(on.here))
    return [one.command.title for one in found]


ROWS: Final = {
    "mlir": (
        Row("diagnostics", diagnostic("%x, %y : !t", "%x, %z : !t"), [
            (3, "no value is called %z here")]),
        Row("hover: type", hover("%s", "%s: tensor<2x3xf32>"), True),
        Row("hover: rules", hover("stablehlo.add", "Rules"), True),
        Row("hover: constant", hover("%c =", "dense<2"), True),
        Row("hover: attribute", hover("dims =", "permutation"), True),
        Row("definition: value", definition("%s", 1), [3]),
        Row("definition: function", definition("@twice", 0), [9]),
        Row("definition: alias", definition("!t", 1), [0]),
        Row("references", references("%a"), [9, 10, 10]),
        Row("outline", outline, [
            ("@main", ["%x", "%y", "%c", "%s", "%r", "%k", "%p"]), ("@twice", ["%a", "%0"])]),
        Row("folding", folding, [(1, 7), (9, 11)]),
        Row("formatting", formatted("%s =", False), True),
        Row("range formatting", formatted("%s =", True), True),
        Row("completion: operation",
            completion("stablehlo.add", "stablehlo.mult", "stablehlo.multiply"), True),
        Row("completion: attribute", completion(", dims", ", perm", "permutation"), True),
        Row("completion: type", completion("tensor<3x2xf32>", "tensor<3x2xbf", "bf16"), True),
        Row("inlay hints", hints, {": tensor<2x3xf32>"}),
        Row("action: suggestion", fixed("lo.add", "lo.addd", "replace by"), (1, 0)),
        Row("action: convert", fixed("%y: !t", "%y: tensor<2x3xf64>", "insert a convert"), (1, 0)),
        Row("action: inline", refactored("%r =", "inline"), 0),
        Row("action: expand", refactored("%k =", "expand chlo.tan"), 0),
        Row("rename", renamed("%s", "total", (r"%s\b", "%total")), True),
        Row("semantic tokens", token_places, 11),
        Row("lenses", lenses, ["run", "profile", "view"]),
    ),
    "hlo": (
        Row("diagnostics", diagnostic("add(p, p)", "add(p, q)"), [
            (4, "'q' is not an instruction")]),
        Row("hover: type", hover("y =", "y: f32[2]{0}"), True),
        Row("hover: rules", hover("tanh(", "Rules"), True),
        Row("hover: attribute", hover("to_apply", "attribute of call"), True),
        Row("definition: value", definition("x", 1), [8]),
        Row("definition: function", definition("double", 1), [2]),
        Row("references", references("y ="), [9, 12]),
        Row("outline", outline, [("double", ["p", "s"]), ("main", ["x", "y", "c", "t", "z"])]),
        Row("folding", folding, [(2, 4), (7, 12)]),
        Row("formatting", formatted("y =", False), True),
        Row("range formatting", formatted("y =", True), True),
        Row("completion: opcode", completion("] tanh(c)", "] tan", "tanh"), True),
        Row("completion: attribute", completion(", to_apply=double", ", to_", "to_apply="), True),
        Row("completion: type", completion("t = f32", "t = bf", "bf16"), True),
        Row("inlay hints", hints, {": f32[2]{0}"}),
        Row("action: suggestion", fixed("tanh(", "tanhh(", "replace by"), (1, 0)),
        Row("action: convert", fixed("c = f32[2]", "c = s32[2]", "insert a convert"), (1, 0)),
        Row("action: inline", refactored("y =", "inline"), 0),
        Row("rename", renamed("y =", "twofold", (r"\by\b", "twofold")), True),
        Row("semantic tokens", token_places, 12),
        Row("lenses", lenses, ["run", "profile", "view"]),
    ),
}  # fmt: skip


@pytest.mark.standard
@pytest.mark.parametrize("language", ["mlir", "hlo"])
def test_every_feature_answers(language: str) -> None:
    answers: dict[str, Any] = {}

    async def scenario(client: Any) -> None:
        on = Session(client, URIS[language], TEXTS[language])
        assert await opened(client, on.uri, on.text) == []
        for row in ROWS[language]:
            answers[row.feature] = await row.request(on)

    drive(scenario)
    assert answers == {row.feature: row.expected for row in ROWS[language]}
