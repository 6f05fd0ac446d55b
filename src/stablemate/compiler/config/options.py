"""Compile options for tests and users; none of them changes a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """How a program is compiled.

    Attributes:
        fuse: Whether values may be computed where they are needed; otherwise each is kept in
            memory.
        simplify: Whether equal operations are merged, and operations on small constants evaluated.
        check: Whether native code checks every memory access before it is made; an access outside
            its buffer is an error that says where.
    """

    fuse: bool = True
    simplify: bool = True
    check: bool = False


DEFAULTS: Final = CompileOptions()
