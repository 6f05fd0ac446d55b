"""Messages that no client library sends: each request is answered, and the server goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final

import pytest

pytest.importorskip("pygls")

from stablemate.lsp.server import create_server

URI: Final = "file:///a.mlir"
TEXT: Final = "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}\n"
HERE: Final = {"uri": URI}
SECONDS: Final = 60
INVALID_PARAMS: Final = -32602
METHOD_NOT_FOUND: Final = -32601
WRONG_PARAMETERS: Final[list[Any]] = [
    "nonsense",
    [1, 2],
    None,
    {"textDocument": HERE},
    {"textDocument": HERE, "position": {"line": "x", "character": None}},
    {"textDocument": HERE, "position": {"line": -5, "character": 0}},
    {"textDocument": HERE, "position": {"line": 0, "character": 2**40}},
]
# Edits of texts that are not open, outside of the text, without edits; texts that are opened twice
# or closed without having been opened.
NOTIFICATIONS: Final[list[tuple[str, Any]]] = [
    ("stablemate/unknown", {"a": 1}),
    ("$/cancelRequest", {"id": 99999}),
    ("textDocument/didChange", {"textDocument": {"uri": "file:///no.mlir", "version": 2},
                                "contentChanges": [{"text": "x"}]}),
    ("textDocument/didChange", {"textDocument": {**HERE, "version": 2}, "contentChanges": None}),
    ("textDocument/didChange", {"textDocument": {**HERE, "version": 3}, "contentChanges": [
        {"range": {"start": {"line": 900, "character": 0}, "end": {"line": 1, "character": 9}},
         "text": ""}]}),
    ("textDocument/didClose", {"textDocument": {"uri": "file:///other.mlir"}}),
    ("textDocument/didOpen", {"textDocument": {**HERE, "languageId": "mlir", "version": 1,
                                               "text": TEXT}}),
]  # fmt: skip
BODIES: Final = (b"{nonsense", b"[1, 2, 3]", b"7", b"\xff\xfe\xfa", b'{"jsonrpc": "2.0", "id": 5}')


def framed(body: bytes) -> bytes:
    """A message with its header."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def message(method: str, params: Any, identity: int | None = None) -> bytes:
    """A request, or a notification if it has no identity."""
    numbered = {} if identity is None else {"id": identity}
    return framed(
        json.dumps({"jsonrpc": "2.0", **numbered, "method": method, "params": params}).encode()
    )


def served(parts: Sequence[bytes]) -> subprocess.CompletedProcess[bytes]:
    """A server that has read these bytes, and ended."""
    return subprocess.run(
        [sys.executable, "-m", "stablemate", "lsp", "--stdio"],
        input=b"".join(parts), capture_output=True, timeout=SECONDS, check=False,
    )  # fmt: skip


def answers(output: bytes) -> dict[int, Any]:
    """The answers among the messages of the server, by the identities of requests."""
    found: dict[int, Any] = {}
    while output:
        header, _, rest = output.partition(b"\r\n\r\n")
        (length,) = (int(line.split(b":")[1]) for line in header.split(b"\r\n")
                     if line.lower().startswith(b"content-length"))  # fmt: skip
        content = json.loads(rest[:length])
        output = rest[length:]
        if "id" in content and "method" not in content:
            found[content["id"]] = content
    return found


def hover(identity: int) -> bytes:
    """Asks for the type of the argument."""
    place = {"line": 0, "character": 14}
    return message("textDocument/hover", {"textDocument": HERE, "position": place}, identity)


def test_every_message_is_survived_and_every_request_answered() -> None:
    opened = {**HERE, "languageId": "mlir", "version": 1, "text": TEXT}
    wrong = [message("textDocument/hover", params, 100 + number)
             for number, params in enumerate(WRONG_PARAMETERS)]  # fmt: skip
    parts = [
        message("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1),
        message("initialized", {}),
        message("textDocument/didOpen", {"textDocument": opened}),
        *wrong,
        message("stablemate/unknown", {}, 200),
        hover(201),
        *(message(method, params) for method, params in NOTIFICATIONS),
        *map(framed, BODIES),
        hover(202),
        message("textDocument/didClose", {"textDocument": HERE}),
        hover(203),
        message("shutdown", None, 300),
        message("exit", None),
    ]
    done = served(parts)
    found = answers(done.stdout)
    for number in range(len(WRONG_PARAMETERS)):
        assert found[100 + number]["error"]["code"] == INVALID_PARAMS, WRONG_PARAMETERS[number]
    assert found[200]["error"]["code"] == METHOD_NOT_FOUND
    for identity in (201, 202):
        assert "tensor<2xf32>" in found[identity]["result"]["contents"]["value"]
    assert found[203]["result"] is None  # the text is closed
    assert found[300]["result"] is None
    assert done.returncode == 0


@pytest.mark.standard
@pytest.mark.parametrize(
    "header",
    [
        b"content-length: 2\r\n\r\n{}",
        b"Content-Length:2\r\n\r\n{}",
        b"Content-Length: 99999999999999\r\n\r\n{}",
        b"Content-Length: -2\r\n\r\n{}",
        b"Content-Length: two\r\n\r\n{}",
        b"\r\n\r\n{}\r\n\r\n",
        b"\x00" * 1000,
    ],
)
def test_after_a_wrong_header_the_server_goes_on(header: bytes) -> None:
    opened = {**HERE, "languageId": "mlir", "version": 1, "text": TEXT}
    parts = [
        message("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1),
        header,
        message("initialized", {}),
        message("textDocument/didOpen", {"textDocument": opened}),
        hover(2),
        message("shutdown", None, 3),
        message("exit", None),
    ]
    done = served(parts)
    found = answers(done.stdout)
    assert "tensor<2xf32>" in found[2]["result"]["contents"]["value"]
    assert done.returncode == 0


def test_a_client_that_is_gone_is_told_once() -> None:
    """The report of what cannot be sent cannot be sent either."""
    tried: list[bytes] = []

    class Closed:
        """A stream that nobody reads."""

        def close(self) -> None:
            """Is closed already."""

        def write(self, data: bytes) -> None:
            """Fails as the standard stream does."""
            tried.append(data)
            raise ValueError("write to closed file")

    server = create_server("0")
    server.protocol.set_writer(Closed())
    server.report(RuntimeError("first"))
    assert len(tried) == 2
    server.report(RuntimeError("second"))
    assert len(tried) == 4
