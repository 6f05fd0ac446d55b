"""Whole HLO texts that are small: what they say, XLA says too."""

from __future__ import annotations

from functools import cache

from tests.formats.hlo.test_module_texts import TEXTS


@cache
def specimens() -> tuple[str, ...]:
    """Modules, computations without a header, single instructions."""
    return tuple(dict.fromkeys(TEXTS))
