"""The language server, driven over stdio by a client as an editor drives it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest

pytest_lsp = pytest.importorskip("pytest_lsp")

from lsprotocol import types  # noqa: E402  after the check that there is a client

ROOT: Final = Path(__file__).parents[2]
URI: Final = "file:///program.mlir"
HLO_URI: Final = "file:///program.hlo"
MLIR: Final = """\
// a program
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<2x3xf32>
  %sum = stablehlo.add %x, %y : tensor<2x3xf32>
  %r = func.call @twice(%sum) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %t = chlo.tan %r : tensor<2x3xf32> -> tensor<2x3xf32>
  return %t : tensor<2x3xf32>
}
func.func private @twice(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.add %a, %a : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
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
  ROOT z = multiply(x, y)
}
"""
Client = Any
CAPABILITIES: Final = pytest_lsp.client_capabilities("visual-studio-code")


def drive(scenario: Callable[[Client], Awaitable[None]]) -> None:
    """Starts a server, runs a scenario, and ends the server as an editor does."""

    async def session() -> None:
        client = pytest_lsp.make_test_lsp_client()
        await client.start_io(sys.executable, "-m", "stablemate", "lsp", "--stdio")
        try:
            await client.initialize_session(types.InitializeParams(capabilities=CAPABILITIES))
            await scenario(client)
            await client.shutdown_session()
        except BaseException:
            client._server.kill()  # it waits for a client that has failed
            raise
        finally:
            await client.stop()

    asyncio.run(asyncio.wait_for(session(), 60))


async def opened(client: Client, uri: str, text: str, version: int = 1) -> list[types.Diagnostic]:
    """Opens a text; returns its diagnostics."""
    item = types.TextDocumentItem(uri, "mlir", version, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[uri])


async def changed(client: Client, uri: str, text: str, version: int) -> list[types.Diagnostic]:
    """Replaces a text; returns its diagnostics."""
    change = types.TextDocumentContentChangeWholeDocument(text)
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version, uri), [change]
        )
    )
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return list(client.diagnostics[uri])


def at(text: str, word: str, nth: int = 0) -> types.Position:
    """The position inside of an occurrence of a word."""
    offset = -1
    for _ in range(nth + 1):
        offset = text.index(word, offset + 1)
    return types.Position(text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset))


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """The text after edits."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    places = [
        (starts[e.range.start.line] + e.range.start.character,
         starts[e.range.end.line] + e.range.end.character, e.new_text)
        for e in edits
    ]  # fmt: skip
    for start, end, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def document(uri: str = URI) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(uri)


def test_diagnostics_hover_and_names() -> None:
    async def scenario(client: Client) -> None:
        assert await opened(client, URI, MLIR) == []
        hover = await client.text_document_hover_async(
            types.HoverParams(document(), at(MLIR, "%sum"))
        )
        assert "%sum: tensor<2x3xf32>" in hover.contents.value
        hover = await client.text_document_hover_async(
            types.HoverParams(document(), at(MLIR, "%c ="))
        )
        assert "dense<2" in hover.contents.value
        hover = await client.text_document_hover_async(
            types.HoverParams(document(), at(MLIR, "stablehlo.add"))
        )
        assert "Rules" in hover.contents.value
        where = await client.text_document_definition_async(
            types.DefinitionParams(document(), at(MLIR, "@twice"))
        )
        assert [item.range.start.line for item in where] == [8]
        uses = await client.text_document_references_async(
            types.ReferenceParams(types.ReferenceContext(True), document(), at(MLIR, "%a"))
        )
        assert [item.range.start.line for item in uses] == [8, 9, 9]
        renamed = await client.text_document_rename_async(
            types.RenameParams(document(), at(MLIR, "%sum"), "total")
        )
        text = applied(MLIR, renamed.changes[URI])
        assert text == MLIR.replace("%sum", "%total")
        wrong = MLIR.replace("%c = stablehlo.constant", "%c = stablehlo.constnt")
        diagnostics = await changed(client, URI, wrong, 2)
        assert [item.range.start.line for item in diagnostics] == [2]
        assert "did you mean 'stablehlo.constant'" in diagnostics[0].message
        actions = await client.text_document_code_action_async(
            types.CodeActionParams(document(), diagnostics[0].range, types.CodeActionContext([]))
        )
        assert applied(wrong, actions[0].edit.changes[URI]) == MLIR
        broken = MLIR.replace("%x, %y : tensor<2x3xf32>", "%x, %y : tensor<3x2xf32>")
        assert "tensor<2x3xf32>, not tensor<3x2xf32>" in (
            (await changed(client, URI, broken, 3))[0].message
        )

    drive(scenario)


@pytest.mark.standard
def test_structure_formatting_and_completion() -> None:
    async def scenario(client: Client) -> None:
        await opened(client, URI, MLIR)
        symbols = await client.text_document_document_symbol_async(
            types.DocumentSymbolParams(document())
        )
        assert [item.name for item in symbols] == ["@main", "@twice"]
        assert [item.name for item in symbols[0].children] == ["%x", "%y", "%c", "%sum", "%r", "%t"]
        folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document()))
        assert (1, 6) in [(item.start_line, item.end_line) for item in folds]
        tokens = await client.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(document())
        )
        assert len(tokens.data) % 5 == 0
        assert list(tokens.data[:2]) == [0, 0]
        crooked = MLIR.replace("  %sum", "%sum")
        await changed(client, URI, crooked, 2)
        options = types.FormattingOptions(2, True)
        edits = await client.text_document_formatting_async(
            types.DocumentFormattingParams(document(), options)
        )
        assert applied(crooked, edits) == MLIR
        partial = MLIR.replace("%sum = stablehlo.add", "%sum = stablehlo.mult")
        await changed(client, URI, partial, 3)
        position = at(partial, "stablehlo.mult")
        position.character += len("stablehlo.mult") - 1
        items = await client.text_document_completion_async(
            types.CompletionParams(document(), position)
        )
        assert "stablehlo.multiply" in [item.label for item in items.items]
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document()))
        assert [item.command.title for item in lenses] == ["run", "profile", "view"]
        await changed(client, URI, MLIR, 4)
        printed = await client.workspace_execute_command_async(
            types.ExecuteCommandParams("stablemate.run", [URI, "@main"])
        )
        assert "2x3xf32" in printed

    drive(scenario)


@pytest.mark.standard
@pytest.mark.parametrize(("word", "title"), [("%r = ", "inline"), ("%t = ", "expand")])
def test_refactorings_keep_the_program_valid(word: str, title: str) -> None:
    async def scenario(client: Client) -> None:
        await opened(client, URI, MLIR)
        place = types.Range(at(MLIR, word), at(MLIR, word))
        actions = await client.text_document_code_action_async(
            types.CodeActionParams(document(), place, types.CodeActionContext([]))
        )
        (action,) = (item for item in actions if item.title.startswith(title))
        text = applied(MLIR, action.edit.changes[URI])
        assert text != MLIR
        assert await changed(client, URI, text, 2) == []

    drive(scenario)


@pytest.mark.standard
@pytest.mark.parametrize(
    ("wrong", "operation"), [("tensor<2x3xf64>", "convert"), ("tensor<6xf32>", "reshape")]
)
def test_conversions_make_operands_fit(wrong: str, operation: str) -> None:
    text = (
        f"func.func @main(%x: tensor<2x3xf32>) -> {wrong} {{\n"
        f"  %r = stablehlo.abs %x : {wrong}\n  return %r : {wrong}\n}}\n"
    )

    async def scenario(client: Client) -> None:
        diagnostics = await opened(client, URI, text)
        actions = await client.text_document_code_action_async(
            types.CodeActionParams(document(), diagnostics[0].range, types.CodeActionContext([]))
        )
        (action,) = (item for item in actions if operation in item.title)
        assert await changed(client, URI, applied(text, action.edit.changes[URI]), 2) == []

    drive(scenario)


@pytest.mark.standard
def test_hlo_beside_mlir() -> None:
    async def scenario(client: Client) -> None:
        assert await opened(client, URI, MLIR) == []
        assert await opened(client, HLO_URI, HLO) == []
        hints = await client.text_document_inlay_hint_async(
            types.InlayHintParams(
                document(HLO_URI), types.Range(types.Position(0, 0), types.Position(99, 0))
            )
        )
        assert [item.label for item in hints] == [": f32[2]{0}"]
        where = await client.text_document_definition_async(
            types.DefinitionParams(document(HLO_URI), at(HLO, "double", 1))
        )
        assert [item.range.start.line for item in where] == [2]
        uses = await client.text_document_references_async(
            types.ReferenceParams(
                types.ReferenceContext(True), document(HLO_URI), at(HLO, "x = f32")
            )
        )
        assert [item.range.start.line for item in uses] == [8, 9, 10]
        diagnostics = await changed(client, HLO_URI, HLO.replace("add(p, p)", "add(p)"), 2)
        assert len(diagnostics) == 1
        assert list(client.diagnostics[URI]) == []

    drive(scenario)


@pytest.mark.standard
def test_any_message_gets_an_answer() -> None:
    """Unknown methods, documents that were never opened, positions outside: the server goes on."""

    async def scenario(client: Client) -> None:
        await opened(client, URI, MLIR)
        far = types.Position(10**6, 10**6)
        await client.text_document_hover_async(types.HoverParams(document(), far))
        missing = types.TextDocumentIdentifier("file:///never/opened.mlir")
        await client.text_document_hover_async(types.HoverParams(missing, far))
        await client.text_document_definition_async(types.DefinitionParams(missing, far))
        with pytest.raises(Exception, match=r"(?i)method not found|MethodNotFound"):
            await client.protocol.send_request_async("stablemate/unknown", {"a": 1})
        with pytest.raises(Exception, match=r"(?i)invalid|command|error"):
            await client.workspace_execute_command_async(
                types.ExecuteCommandParams("no.such.command", [])
            )
        bad = await client.text_document_rename_async(
            types.RenameParams(document(), at(MLIR, "%sum"), "not a name")
        )
        assert bad is None
        assert any("not a name" in item.message for item in client.messages)
        hover = await client.text_document_hover_async(
            types.HoverParams(document(), at(MLIR, "%sum"))
        )
        assert "tensor<2x3xf32>" in hover.contents.value

    drive(scenario)
