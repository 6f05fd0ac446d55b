"""Damaged models of ONNX.

    python -m tests.fuzzing.onnx_models --seed 1 --inputs 2000
    python -m tests.fuzzing.onnx_models --seed 1 --first 1234 --inputs 1

Fields of the models of ONNX's own cases are changed, left out, exchanged and cut off, at any depth.
Whatever is no program and no ``StablemateError`` is a finding.
"""

from __future__ import annotations

import argparse
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

from onnx.backend.test.loader import load_model_tests

from tests.fuzzing.binary_mutations import changed_proto
from tests.fuzzing.survival import read_and_survive
from tests.properties.generation.choices import Choices, Seeded

LARGEST: Final = 4000  # bytes of a model
EVERY: Final = 5  # of the cases, one is a seed


@cache
def models() -> Sequence[bytes]:
    """Small models, of one operator each."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = sorted(load_model_tests(kind="node"), key=lambda case: case.name)
    contents = [case.model.SerializeToString() for case in cases[::EVERY]]
    return [content for content in contents if len(content) < LARGEST]


def damaged(seed: int | str, number: int) -> bytes:
    """A damaged model by its number."""
    choices: Choices = Seeded(f"{seed}:{number}")
    return changed_proto(choices, choices.of(models()), models())


def outcome(seed: int | str, number: int) -> str:
    """What came of a damaged model; a traceback if that is a finding."""
    try:
        return read_and_survive(damaged(seed, number), number, format="onnx")
    except Exception:
        return f"finding {number}:\n{traceback.format_exc()}"


def main() -> int:
    """Reads damaged models; exits with 1 if there is a finding."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--inputs", type=int, default=1000)
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    for number in range(arguments.first, arguments.first + arguments.inputs):
        result = outcome(arguments.seed, number)
        if result.startswith("finding"):
            print(result, flush=True)
        counts[result.split(" ")[0]] += 1
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return int(counts["finding"] > 0)


if __name__ == "__main__":
    sys.exit(main())
