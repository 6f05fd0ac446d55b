"""Attention is computed in tiles, however few scores there are."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np

import stablemate as sm
from stablemate.compiler.compile import native_or_interpreted
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.compiler.rewrites.attention import forward, gradient
from stablemate.compiler.size_versions import SizedExecutable
from stablemate.execution.executable import Executable
from tests.compiler.guard_pages import guarded
from tests.compiler.variants import Variant
from tests.properties.generation.native import CUT, assert_same, computed


@contextmanager
def small_tiles() -> Generator[None]:
    """Attention is computed in tiles, however few scores there are."""
    with (
        patch.object(forward, "FEWEST_SCORES", 1), patch.object(forward, "FEWEST_KEYS", 64),
        patch.object(gradient, "FEWEST_SCORES_OF_CLUSTERS", 1),
        patch.object(gradient, "FEWEST_KEYS", 64),
    ):  # fmt: skip
        yield


def native(text: str, options: CompileOptions, threads: int | None = None) -> Executable:
    """A program as native code, which is not put into the disk cache."""
    interpreted: Any = sm.load(text).executable("main", backend="interpreter")
    lowered, name = interpreted.functions, interpreted.signature.name
    interpreted.functions = SpecializedFunctions(lambda: lowered.lowered, name)
    return native_or_interpreted(interpreted, threads=threads, options=options)


def run_guarded(text: str, arguments: Sequence[Any]) -> None:
    """Runs a program in tiles: again, in guarded memory, and with one thread."""
    with small_tiles():
        if "tensor<?" in text or "x?x" in text:
            run_sized(text, arguments)
        else:
            computed(text, arguments, Variant(fuse=True), False)


def run_sized(text: str, arguments: Sequence[Any]) -> None:
    """The same for a program with dynamic sizes, in the version for these arguments."""
    for module, name, value in CUT:
        setattr(module, name, value)
    compiled: Any = native(text, CompileOptions(), threads=2)
    first = [np.array(result) for result in compiled.run(arguments)]
    sized = compiled.latest
    assert isinstance(sized, SizedExecutable), "a version of one size"
    assert_same(first, sized.run(arguments), "a second run")
    assert_same(first, guarded(sized, arguments, at_end=True), "guarded memory")
    sized.threads = 1
    sized.idle.clear()
    assert_same(first, sized.run(arguments), "one thread")
