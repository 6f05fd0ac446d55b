"""Attention is computed in tiles, however few scores there are."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from stablemate.compiler.rewrites.attention import forward, gradient
from tests.compiler.variants import Variant
from tests.properties.generation.native import computed


@contextmanager
def small_tiles() -> Generator[None]:
    """Attention is computed in tiles, however few scores there are."""
    with (
        patch.object(forward, "FEWEST_SCORES", 1), patch.object(forward, "FEWEST_KEYS", 64),
        patch.object(gradient, "FEWEST_SCORES_OF_CLUSTERS", 1),
        patch.object(gradient, "FEWEST_KEYS", 64),
    ):  # fmt: skip
        yield


def run_guarded(text: str, arguments: Sequence[Any]) -> None:
    """Runs a program in tiles: again, in guarded memory, and with one thread."""
    with small_tiles():
        computed(text, arguments, Variant(fuse=True), False)
