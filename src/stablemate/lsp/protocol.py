"""The protocol, in which every request gets an answer.

pygls drops a request whose parameters do not have their types, such as a position with a negative
line; the client would wait for ever. After a header that it cannot read it takes no message more.

Sources: JSON-RPC 2.0 Specification, section 5.1, "Error object"; Language Server Protocol 3.17,
"Base Protocol".
"""

from __future__ import annotations

import re
from io import BufferedReader
from typing import Final

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol

LENGTH: Final = re.compile(rb"content-length[ \t]*:[ \t]*([0-9]+)[ \t]*\r?\n\Z", re.IGNORECASE)
MOST_BYTES: Final = 1 << 30  # of a message


class Messages(BufferedReader):
    """The messages of a client, with each length in the spelling that pygls expects.

    A length may follow bytes without a line end, the rest of a message whose header was wrong. A
    length of more than a gibibyte is no length: nobody sends so much.
    """

    def readline(self, size: int | None = -1, /) -> bytes:
        """Reads a header line; a length that is no permitted size becomes an empty line."""
        line = super().readline(size)
        match = LENGTH.search(line)
        if match is None:
            return line
        digits = match[1].lstrip(b"0")
        is_size = len(digits) <= len(str(MOST_BYTES)) and 0 < int(digits or b"0") <= MOST_BYTES
        return b"Content-Length: %s\r\n" % digits if is_size else b"\r\n"


class AnsweringProtocol(LanguageServerProtocol):
    """Answers requests that cannot be read with the error *invalid params*."""

    def structure_message(self, data: dict[str, object]) -> object:
        """A message with its types.

        Raises:
            JsonRpcException: It does not have them; the client has got an answer.
        """
        try:
            return super().structure_message(data)
        except JsonRpcException:
            identity = data.get("id")
            if "method" in data and isinstance(identity, int | str):
                self._send_response(identity, error=JsonRpcInvalidParams().to_response_error())
            raise
