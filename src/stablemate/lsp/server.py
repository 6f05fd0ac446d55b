"""The server: which feature answers which request.

An error of a feature is shown in the client, and the next request is answered.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from functools import wraps
from io import FileIO
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from stablemate.diagnostics.errors import StablemateError
from stablemate.lsp.actions.code_actions import code_actions
from stablemate.lsp.code_lens import TITLES, code_lenses, output_of
from stablemate.lsp.completion import completion
from stablemate.lsp.diagnostics import diagnostics_so_far
from stablemate.lsp.documents import Document
from stablemate.lsp.folding import folding_ranges
from stablemate.lsp.formatting import format_text, indent_lines
from stablemate.lsp.hover import hover
from stablemate.lsp.inlay_hints import inlay_hints
from stablemate.lsp.navigation import definition, highlights, references
from stablemate.lsp.outline import outline
from stablemate.lsp.protocol import AnsweringProtocol, Messages
from stablemate.lsp.rename import prepare, rename
from stablemate.lsp.semantic_tokens import LEGEND, semantic_tokens

T = TypeVar("T")
DELAY = 0.01  # seconds in which several edits become one
SLICE = 0.06  # seconds for which a text is read before waiting messages are answered
PAUSE = 0.001  # seconds between two slices, in which messages arrive
DEEP = 20_000  # levels of Python for nested text


class Server(LanguageServer):
    """The language server, with the documents that are open."""

    def __init__(self, version: str) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]
            "stablemate", version, protocol_cls=AnsweringProtocol
        )
        self.documents: dict[str, Document] = {}
        self.waiting: dict[str, asyncio.TimerHandle] = {}
        self.is_reporting = False

    def document(self, uri: str) -> Document:
        """The newest version of a text."""
        text = self.workspace.get_text_document(uri).source
        document = self.documents.get(uri)
        if document is None:
            document = self.documents[uri] = Document(uri, text)
        document.change(text)
        return document

    def publish_soon(self, uri: str) -> None:
        """Publishes diagnostics soon, once for several edits."""
        if uri in self.waiting:
            self.waiting[uri].cancel()
        self.waiting[uri] = asyncio.get_running_loop().call_later(DELAY, self.publish, uri)

    def publish(self, uri: str) -> None:
        """Reads a text for a slice of time, and publishes its diagnostics as far as it is read.

        If it is not read to its end, the next slice follows when waiting messages are answered.
        """
        self.waiting.pop(uri, None)
        version = self.workspace.get_text_document(uri).version
        is_done = True
        try:
            document = self.document(uri)
            is_done = document.advance(SLICE)
            diagnostics = diagnostics_so_far(document)
        except Exception as error:  # whatever it is, the editor goes on
            self.report(error)
            diagnostics = []
        if not is_done:
            self.waiting[uri] = asyncio.get_running_loop().call_later(PAUSE, self.publish, uri)
        if is_done or diagnostics:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, diagnostics, version)
            )

    def close(self, uri: str) -> None:
        """Drops a document, its pending analysis and its diagnostics."""
        if uri in self.waiting:
            self.waiting.pop(uri).cancel()
        self.documents.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def stop(self) -> None:
        """Reads no text any more: the client leaves."""
        for handle in self.waiting.values():
            handle.cancel()
        self.waiting.clear()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Shows an error of pygls in the client, once: what cannot be sent is such an error."""
        if self.is_reporting:
            return
        self.is_reporting = True
        try:
            super().report_server_error(error, source)
        finally:
            self.is_reporting = False

    def report(self, error: Exception) -> None:
        """Shows an error in the client."""
        text = str(error) if isinstance(error, StablemateError) else repr(error)
        params = types.ShowMessageParams(types.MessageType.Error, f"stablemate: {text}")
        self.window_show_message(params)


def show_errors(server: Server, answer: Callable[[Any], T], otherwise: T) -> Callable[[Any], T]:
    """A feature whose errors are shown in the client."""

    @wraps(answer)
    def handler(params: object) -> T:
        try:
            return answer(params)
        except Exception as error:
            server.report(error)
            return otherwise

    return handler


def create_server(version: str) -> Server:
    """A server with all features."""
    server = Server(version)
    register_documents(server)
    register_features(server)
    register_commands(server)
    return server


def register_documents(server: Server) -> None:
    """Follows the texts that the client opens."""

    def follow(params: Any) -> None:
        server.publish_soon(params.text_document.uri)

    def forget(params: Any) -> None:
        server.close(params.text_document.uri)

    def stop(_: None) -> None:
        server.stop()

    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(show_errors(server, follow, None))
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(show_errors(server, follow, None))
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(show_errors(server, forget, None))
    server.feature(types.SHUTDOWN)(stop)


def register_features(server: Server) -> None:
    """Answers the requests of the protocol."""

    def feature(
        name: str, answer: Callable[[Document, Any], object], options: object = None
    ) -> None:
        def handler(params: Any) -> object:
            return answer(server.document(params.text_document.uri), params)

        handler.__name__ = name.replace("/", "_")
        server.feature(name, options)(show_errors(server, handler, None))

    feature(types.TEXT_DOCUMENT_HOVER, lambda d, p: hover(d, p.position))
    feature(types.TEXT_DOCUMENT_DEFINITION, lambda d, p: definition(d, p.position))
    feature(
        types.TEXT_DOCUMENT_REFERENCES,
        lambda d, p: references(d, p.position, declaration=p.context.include_declaration),
    )
    feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, lambda d, p: highlights(d, p.position))
    feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lambda d, p: outline(d))
    feature(types.TEXT_DOCUMENT_FOLDING_RANGE, lambda d, p: folding_ranges(d.snapshot))
    feature(types.TEXT_DOCUMENT_FORMATTING, lambda d, p: format_text(d.snapshot))
    feature(
        types.TEXT_DOCUMENT_RANGE_FORMATTING,
        lambda d, p: indent_lines(d.snapshot, p.range.start.line, p.range.end.line + 1),
    )
    feature(
        types.TEXT_DOCUMENT_COMPLETION,
        lambda d, p: completion(d, p.position),
        types.CompletionOptions(trigger_characters=[".", "%", "@", "<", "!", "#"]),
    )
    feature(types.TEXT_DOCUMENT_INLAY_HINT, lambda d, p: inlay_hints(d, p.range))
    feature(types.TEXT_DOCUMENT_CODE_ACTION, lambda d, p: code_actions(d, p.range))
    feature(types.TEXT_DOCUMENT_PREPARE_RENAME, lambda d, p: prepare(d, p.position))
    feature(
        types.TEXT_DOCUMENT_RENAME,
        lambda d, p: rename(d, p.position, p.new_name),
        types.RenameOptions(prepare_provider=True),
    )
    feature(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lambda d, p: semantic_tokens(d.snapshot), LEGEND
    )
    feature(types.TEXT_DOCUMENT_CODE_LENS, lambda d, p: code_lenses(d))


def register_commands(server: Server) -> None:
    """Runs what code lenses offer."""

    def register(command: str) -> None:
        async def handler(uri: str, entry: str = "") -> str:
            try:
                text = server.document(uri).snapshot.text
                printed, page = await output_of(command, text, entry)
            except Exception as error:
                server.report(error)
                return ""
            if page is not None:
                params = types.ShowDocumentParams(uri=page.as_uri(), external=True)
                server.window_show_document(params)
            server.window_log_message(types.LogMessageParams(types.MessageType.Info, printed))
            shown = printed or f"{TITLES[command]}: done"
            server.window_show_message(types.ShowMessageParams(types.MessageType.Info, shown))
            return printed

        server.command(command)(handler)

    for command in TITLES:
        register(command)


def serve(version: str) -> None:
    """Serves one client over stdin and stdout, until it leaves."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEP))
    # The server closes its streams at the end; what else prints must not write between messages.
    client_in, client_out = Messages(FileIO(os.dup(0))), os.fdopen(os.dup(1), "wb")
    sys.stdout = sys.stderr
    create_server(version).start_io(client_in, client_out)
