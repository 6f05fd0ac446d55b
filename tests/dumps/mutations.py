"""Mutates dump folders, and shows what is left of them: whatever raises no error of ours is found.

``python -m tests.dumps.mutations --seconds 240 --seed 1``
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import stablemate as sm
from stablemate.dumps.reports import DumpQuestion, all_figures, dump_json, dump_tables
from tests.dumps.folders import MLIR, REPORT, SAVED, gpu_dump, tpu_dump, write, xla_dump

INSERTED: Final = b" (){}[],:=0123456789%\n\xff\x00"
ENDINGS: Final = ("", ".txt", ".hlo.pb", ".gz")
MUTATED: Final = 3  # files of a folder


def mutate(content: bytes, rng: random.Random) -> bytes:
    """Some bytes changed, removed, inserted or repeated."""
    text = bytearray(content)
    for _ in range(rng.randint(1, 6)):
        if not text:
            break
        place, kind = rng.randrange(len(text)), rng.random()
        if kind < 0.4:
            text[place] = rng.randrange(256)
        elif kind < 0.6:
            del text[place : place + rng.randint(1, 40)]
        elif kind < 0.8:
            text[place:place] = bytes(rng.choices(INSERTED, k=rng.randint(1, 20)))
        else:
            start = rng.randrange(len(text))
            text[place:place] = text[start : start + rng.randint(1, 60)]
    return bytes(text)


def mutated_dump(folder: Path, rng: random.Random) -> Path:
    """A dump, a few files of which have other bytes and perhaps another name."""
    rng.choice([xla_dump, gpu_dump, tpu_dump])(folder)
    write(folder, {"graphs.0": SAVED, "debug.txt": REPORT, "jax_ir0001_f_compile.mlir": MLIR})
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in rng.sample(files, MUTATED):
        path.write_bytes(mutate(path.read_bytes(), rng))
        if rng.random() < 0.2:
            name = path.name[: rng.randrange(1, len(path.name) + 1)] + rng.choice(ENDINGS)
            path.rename(path.with_name(name))
    return folder


def look_at(folder: Path, passes: bool) -> None:
    """Shows a dump as tables and as JSON; errors of ours are what damaged files may raise."""
    try:
        dump = sm.load_dump(folder)
        question = DumpQuestion(passes=passes)
        figures = all_figures(dump)
        list(dump_tables(dump, question, figures))
        dump_json(dump, question, figures)
    except sm.StablemateError:
        pass


def main() -> None:
    """Mutates for some time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng, number = random.Random(arguments.seed), 0
    end = time.monotonic() + arguments.seconds
    while time.monotonic() < end:
        with TemporaryDirectory() as folder:
            look_at(mutated_dump(Path(folder) / "dump", rng), rng.random() < 0.3)
        number += 1
    print(f"{number} folders, no finding")


if __name__ == "__main__":
    main()
