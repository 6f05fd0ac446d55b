"""Inputs guided by coverage: ``python -m tests.fuzzing.guided READER``, by atheris.

An input that reaches new code of stablemate is kept in ``--corpus``, which begins with those that
``mutations`` changes, and is changed further in the same ways. What ends otherwise than in a result
or a StablemateError is a finding: of each sort one is kept in ``--keep``, and the exit code is 1.
libFuzzer ends the process where an input ends it, takes all memory or never comes back, and keeps
that input as well.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
import zlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import atheris

if TYPE_CHECKING:
    from tests.fuzzing.readers import Reader

SECONDS: Final = 60.0  # of processor time for one input: code that counts its lines is slow
LONGEST: Final = 1 << 16  # bytes of an input
MEMORY: Final = 4096  # megabytes


class Campaign:
    """Examines what libFuzzer asks about, until that is enough."""

    def __init__(self, reader: Reader, arguments: argparse.Namespace) -> None:
        self.reader = reader
        self.name: str = arguments.reader
        self.seed: int = arguments.seed
        self.keep = Path(arguments.keep).absolute()
        self.corpus = Path(arguments.corpus).absolute()
        self.seeds = reader.seeds()
        self.outcomes: Counter[str] = Counter()
        self.found: set[str] = set()
        self.start = time.monotonic()
        self.end = self.start + arguments.seconds
        self.most: int = arguments.inputs
        self.summary = os.dup(1)
        self.place = tempfile.mkdtemp(prefix="guided-")

    def changed(self, data: bytes, most: int, seed: int) -> bytes:
        """Another input of one."""
        from tests.properties.generation.choices import Seeded

        return self.reader.change(Seeded(seed), data, self.seeds)[:most]

    def examine(self, data: bytes) -> None:
        """Reads an input; what is done with it then follows from its bytes."""
        from tests.fuzzing.child_process import guarded

        outcome, failure = guarded(self.reader.examine, data, zlib.crc32(data), SECONDS)
        self.outcomes[outcome] += 1
        if failure is not None and failure[0] not in self.found:
            self.found.add(failure[0])
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{self.name}-{self.seed}-{len(self.found)}.bin").write_bytes(data)
            print("\n".join(failure), file=sys.stderr, flush=True)
        if time.monotonic() > self.end or self.outcomes.total() >= self.most:
            self.finish()

    def finish(self) -> NoReturn:
        """Ends the process: libFuzzer does not come back."""
        row = {
            **{"reader": self.name, "seed": self.seed, "inputs": self.outcomes.total()},
            **self.outcomes,
            **{"corpus": len(list(self.corpus.iterdir())), "sorts": len(self.found)},
            "seconds": round(time.monotonic() - self.start),
        }
        shutil.rmtree(self.place, ignore_errors=True)
        os.write(self.summary, json.dumps(row).encode() + b"\n")
        os._exit(1 if self.found else 0)


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.guided")
    parser.add_argument("reader", help="as of tests.fuzzing.mutations")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long at most")
    parser.add_argument("--inputs", type=int, default=1 << 62, help="how many at most")
    parser.add_argument("--seed", type=int, default=0, help="which changes")
    parser.add_argument("--corpus", default="corpus", help="a directory: inputs of new coverage")
    parser.add_argument("--keep", default="found", help="a directory for what was found")
    return parser.parse_args()


def main() -> None:
    """Runs the campaign that the command line asks for."""
    arguments = parsed()
    corpus = Path(arguments.corpus).absolute()
    corpus.mkdir(parents=True, exist_ok=True)
    with atheris.instrument_imports(include=["stablemate"]):
        from tests.fuzzing.child_process import settle

        campaign = Campaign(reader_of(arguments.reader), arguments)
    for number, data in enumerate(campaign.seeds if not any(corpus.iterdir()) else ()):
        (corpus / f"seed-{number}").write_bytes(data)
    settle(campaign.place)
    options = {
        **{"seed": arguments.seed + 1, "max_len": LONGEST, "rss_limit_mb": MEMORY},
        **{"timeout": 2 * round(SECONDS), "artifact_prefix": f"{campaign.keep}-"},
        **{"len_control": 0},
    }
    argv = [sys.argv[0], str(corpus), *(f"-{name}={value}" for name, value in options.items())]
    setup: Any = atheris.Setup
    setup(argv, campaign.examine, custom_mutator=campaign.changed)
    atheris.Fuzz()


def reader_of(name: str) -> Reader:
    """A reader; its seeds have been examined in every way, so that all code is loaded."""
    from tests.fuzzing.child_process import guarded
    from tests.fuzzing.readers import READERS
    from tests.fuzzing.survival import SHARE

    reader = READERS[name]
    for number, data in enumerate(reader.seeds()):
        guarded(reader.examine, data, SHARE * number, SECONDS)
    return reader


if __name__ == "__main__":
    main()
