"""A native library that is served, as ``build`` made it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from stablemate.deployment.loaded_library import LibraryValue, LoadedLibrary
from stablemate.serving.served_model import ServedModel, ServedTensor, served_dtype

FORMAT: Final = "native"
OBSTACLE: Final = "a library does not say whether its rows depend on each other"


def served_library(path: Path, name: str, threads: int | None = None) -> ServedModel:
    """A native library that can be served; its code runs in this process.

    Args:
        path: The library, ``libNAME.so``.
        name: What requests call it.
        threads: How many threads may work for a call; by default as many as there are.

    Raises:
        FileError: The file cannot be read.
        ArgumentValueError: It is no such library, or cannot be used here.
        UnsupportedError: The protocol has no name for the elements of an argument or result.
    """
    library = LoadedLibrary(path, threads)
    inputs = [*served_values(library.arguments, "argument", name)]
    outputs = [*served_values(library.results, "result", name)]
    return ServedModel(name, FORMAT, library, inputs, outputs, None, OBSTACLE)


def served_values(values: Sequence[LibraryValue], kind: str, model: str) -> Iterator[ServedTensor]:
    """The inputs or outputs of a library."""
    for number, value in enumerate(values):
        what = f"{kind} {number} of {model}"
        name = value.name or f"{'arg' if kind == 'argument' else kind}{number}"
        yield ServedTensor(name, value.type, served_dtype(value.type, what))
