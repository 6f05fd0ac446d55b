"""The protocol, in which every request gets an answer.

pygls drops a request whose parameters do not have their types, such as a position with a negative
line; the client would wait for ever.

Source: JSON-RPC 2.0 Specification, section 5.1, "Error object".
"""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol


class AnsweringProtocol(LanguageServerProtocol):
    """Answers requests that cannot be read with the error *invalid params*."""

    def structure_message(self, data: dict[str, Any]) -> Any:
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
