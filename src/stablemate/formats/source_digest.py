"""Digests of what programs are read from, by which the disk cache knows them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any


def digest_of_content(content: Any) -> bytes:
    """Identifies text or bytes."""
    is_text = isinstance(content, str)
    return sha256(content.encode(errors="surrogatepass") if is_text else content).digest()


def digest_of(contents: Iterable[Any], *options: object) -> bytes:
    """Identifies what a program was read from, and how."""
    hashed = sha256(repr(options).encode())  # many processors have instructions for it
    for content in contents:
        hashed.update(len(content).to_bytes(8, "little"))
        is_text = isinstance(content, str)
        hashed.update(content.encode(errors="surrogatepass") if is_text else content)
    return hashed.digest()
