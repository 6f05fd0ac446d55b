"""Compares all models of ONNX below a folder with ONNX Runtime, on random inputs of two sizes.

::

    python -m tools.onnx_folder FOLDER --library optimum --log models.jsonl

The log has the lines of ``tools.onnx_models``, whose ``--table`` writes the page. Sizes with names
are small numbers: the same name is the same number. Inputs whose names end in ``mask`` are ones,
positions count up, other integers are random ids.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime

from tools.onnx_cases import ExportError, Feeds, outcome_of

IDS: Final = 90
# Sizes by the names that exporters give them, and what another run adds.
SIZES: Final[Mapping[str, tuple[int, int]]] = {
    "batch_size": (1, 1), "image_batch_size": (1, 1), "text_batch_size": (2, 0),
    "sequence_length": (5, 1), "decoder_sequence_length": (5, 1), "past_sequence_length": (3, 1),
    "encoder_sequence_length": (6, 0), "height": (32, 0), "width": (32, 0), "num_channels": (3, 0),
}  # fmt: skip
OTHER: Final = (4, 0)
SAMPLES: Final = 400  # of sound


def size_of(size: int | str | None, number: int) -> int:
    """The size of a dimension in one of two runs; a text may be a sum or a quotient of names."""
    if isinstance(size, int):
        return size
    terms = [term.strip() for term in (size or "").split("+")]
    return sum(int(term) if term.isdecimal() else named(term, number) for term in terms)


def named(name: str, number: int) -> int:
    """The size with a name."""
    low, step = SIZES.get(name, OTHER)
    return low + step * number


def feeds_of(session: Any, number: int) -> Feeds:
    """Inputs of a session."""
    draw = np.random.default_rng(number)
    feeds: Feeds = {}
    for value in session.get_inputs():
        shape = [size_of(size, number) for size in value.shape]
        if value.name == "input_values":
            shape[1] = SAMPLES
        feeds[value.name] = elements_of(value, shape, draw, number)
    return feeds


def elements_of(value: Any, shape: list[int], draw: np.random.Generator, number: int) -> Any:
    """The elements of an input."""
    if value.type == "tensor(bool)":
        return np.full(shape, bool(number))
    if "float" in value.type:
        return draw.standard_normal(shape, np.float32)
    if value.name.endswith("mask"):
        return np.ones(shape, np.int64)
    if value.name == "token_type_ids":
        return np.zeros(shape, np.int64)
    if value.name.startswith("position"):
        return np.broadcast_to(np.arange(shape[-1]), shape).astype(np.int64)
    return draw.integers(0, IDS, shape)


def content_of(path: Path) -> tuple[bytes, list[Feeds]]:
    """A model, and inputs of two sizes."""
    content = path.read_bytes()
    try:
        session = onnxruntime.InferenceSession(content)
    except Exception as error:
        raise ExportError(str(error)) from error
    return content, [feeds_of(session, number) for number in range(2)]


def models_below(folder: Path) -> Iterator[tuple[str, Path]]:
    """The models of a folder by their names."""
    for path in sorted(folder.rglob("*.onnx")):
        yield str(path.relative_to(folder).with_suffix("")), path


def main() -> int:
    """Runs the comparison."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", default="files")
    parser.add_argument("--log", type=Path, default=Path("/dev/null"))
    arguments = parser.parse_args()
    verdicts: list[str] = []
    with arguments.log.open("a") as log:
        for name, path in models_below(arguments.folder):
            outcome = outcome_of(
                arguments.library, name, f"{arguments.library} dynamic", partial(content_of, path)
            )
            verdicts.append(outcome.verdict)
            print(json.dumps(asdict(outcome)), file=log, flush=True)
            print(name, outcome.verdict, f"{outcome.difference:.1e}", outcome.message, flush=True)
    return int(any(verdict not in ("passed", "export", "runtime") for verdict in verdicts))


if __name__ == "__main__":
    sys.exit(main())
