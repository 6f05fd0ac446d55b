"""Shardings of HLO in attributes of MLIR: as text, or as the bytes that older programs have.

Source: XLA, ``mhlo.sharding``, ``OpSharding``.
"""

from __future__ import annotations

from stablemate.formats.hlo.proto.reader import sharding_of_bytes
from stablemate.formats.hlo.text.sharding.shardings import sharding_of_text
from stablemate.xla.values import HloSharding


def sharding_of_attribute(text: str) -> HloSharding:
    """The sharding that the text of an attribute holds, or the bytes that it stands for.

    Raises:
        ParseError: It is no sharding.
    """
    is_binary = bool(text) and not text[0].isprintable()
    if is_binary:
        return sharding_of_bytes(text.encode("utf-8", "surrogateescape"))
    return sharding_of_text(text)
