"""Finds and loads the programs that ``serve`` serves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from stablemate.cli.input.programs import load_program
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.serving.limits import DEFAULT_LIMITS, BatchOptions, ServingLimits
from stablemate.serving.served_library import served_library
from stablemate.serving.served_model import ServedModel, served_model
from stablemate.serving.server import serve

# The endings of files that are programs, in a folder.
ENDINGS: Final = (
    ".mlir", ".mlirbc", ".bc", ".stablehlo", ".vhlo", ".hlo", ".pb", ".jax", ".pt2", ".onnx",
)  # fmt: skip
LIBRARY: Final = ".so"  # its code runs in this process: it is served if it is named, by no folder
NAME: Final = re.compile(r"[A-Za-z0-9_.-]+")
MILLISECOND: Final = 1e-3
MEBIBYTE: Final = 1 << 20


def serve_models(
    models: Sequence[str], host: str, port: int, *, max_batch: int, max_delay: float,
    max_body: int, max_requests: int, queue: int, timeout: float, threads: int | None,
) -> None:  # fmt: skip
    """Serves the models over HTTP until the process is told to stop."""
    limits = ServingLimits(
        body_bytes=max_body * MEBIBYTE,
        bodies_bytes=max(DEFAULT_LIMITS.bodies_bytes, 2 * max_body * MEBIBYTE),
        requests=max_requests,
        queue=queue,
        request_seconds=timeout,
    )
    served = [load_served(name, file, threads) for name, file in named_files(models)]
    for model in served:
        click.echo(description(model), err=True)
    serve(
        served, host, port, limits, BatchOptions(max_batch, max_delay * MILLISECOND),
        lambda url: click.echo(f"listening at {url}; Ctrl-C or SIGTERM ends this", err=True),
    )  # fmt: skip


def named_files(models: Sequence[str]) -> list[tuple[str, Path]]:
    """The programs to serve, and their names.

    Raises:
        ArgumentValueError: There are none, two have the same name, or a name does not fit a URL.
    """
    found: dict[str, Path] = {}
    for text in models:
        for name, path in files_of(text):
            if not NAME.fullmatch(name):
                raise ArgumentValueError(
                    f"{name!r} is no name of a model: it is made of letters, digits, '_', '.' and "
                    "'-'; NAME=FILE gives one"
                )
            if name in found:
                raise ArgumentValueError(
                    f"{found[name]} and {path} are both called {name}; NAME=FILE gives a name"
                )
            found[name] = path
    return [*found.items()]


def files_of(text: str) -> Iterator[tuple[str, Path]]:
    """The programs that an argument names: one, or those of a folder.

    Raises:
        ArgumentValueError: A folder has none.
    """
    path = Path(text)
    name, equals, rest = text.partition("=")
    if equals and not path.exists():
        yield name, Path(rest)
    elif not path.is_dir():
        is_library = path.suffix == LIBRARY
        yield (path.stem.removeprefix("lib") if is_library else path.stem), path
    else:
        files = sorted(p for p in path.iterdir() if p.suffix in ENDINGS and p.is_file())
        if not files:
            raise ArgumentValueError(f"{text} has no programs: no {', '.join(ENDINGS)}")
        yield from ((file.stem, file) for file in files)


def load_served(name: str, file: Path, threads: int | None) -> ServedModel:
    """Loads a program that is to be served, and compiles it."""
    with progress(f"loading {file}"):
        if file.suffix == LIBRARY:
            return served_library(file, name, threads)
        return served_model(load_program(str(file)), name, threads)


def description(model: ServedModel) -> str:
    """Describes a served program, and whether requests are joined, in a line."""
    if model.obstacle is not None:
        return f"{model.name}: requests are not joined: {model.obstacle}"
    rows = "any number of rows" if model.fixed_rows is None else f"{model.fixed_rows} rows"
    return f"{model.name}: takes {rows}; requests are joined"
