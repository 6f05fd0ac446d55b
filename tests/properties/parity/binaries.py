"""Bytecode and artifacts of changed programs: ``python -m tests.properties.parity.binaries``.

jaxlib writes the changed programs of the verifier's campaign that it accepts, as bytecode and as
artifacts of any version. Both must be read here as the program that they were written from. Then
bytes of them are changed: what jaxlib accepts is accepted here, as the same program.

The exit code is 1 if there are differences that docs/conformance.toml does not list.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from tests.fuzzing.binary_mutations import changed_bytecode
from tests.oracle.client import Oracle
from tests.properties.artifact_bytes import VERSIONS
from tests.properties.generation.choices import Choices, Seeded
from tests.properties.parity.campaign import form, shortest
from tests.properties.parity.changes import changed
from tests.properties.parity.comparison import NEWER, Parity, read_source
from tests.properties.parity.openings import opened
from tests.properties.parity.specimens import specimens
from tests.properties.parity.texts import functions, with_another_token

BATCH: Final = 200
BYTECODE_VERSIONS: Final = 7
NEAR: Final = (1, -1, 2, -2, 4, -4, 16, -16)
HEAD: Final = 8  # bytes in front, whose changes every reader rejects


class Binaries:
    """Compares readings of binaries.

    Attributes:
        parity: Collects the differences.
        oracle: The other reader and writer.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.parity = Parity(oracle)

    def compare(self, seed: str, texts: Sequence[str], damages: int) -> None:
        """Compares what is written of texts, and each binary with so many changes of bytes."""
        draws = [Seeded(f"{seed}:{i}") for i in range(len(texts))]
        requests = [
            (text, draw.below(BYTECODE_VERSIONS), draw.of(VERSIONS))
            for text, draw in zip(texts, draws, strict=True)
            if not NEWER.search(text)
        ]
        binaries: list[bytes] = []
        for answer in self.oracle.encoded(requests):
            if answer is None:
                self.parity.outcomes["jaxlib has no binary"] += 1
                continue
            bytecode, artifact, *_ = answer
            binaries += [data for data in (bytecode, artifact) if data]
        self.judge(binaries)
        damages_left = damaged(seed, binaries, damages)
        while part := list(islice(damages_left, BATCH)):
            self.judge(part)

    def judge(self, binaries: Sequence[bytes]) -> None:
        """Compares readings of binaries."""
        readings = self.oracle.binary_readings(binaries)
        for data, theirs in zip(binaries, readings, strict=True):
            ours = read_source(data)
            if theirs and "vhlo.func_v1" in theirs[1] and "vhlo.func_v1" not in ours.pretty:
                self.parity.outcomes["jaxlib leaves VHLO as it is"] += 1
                continue
            # What the lists say of texts holds for binaries: the printed form is their text.
            text = ours.generic or (theirs[2] if theirs else "")
            self.parity.judge(f"{text}\n// bytes: {data.hex()}", ours, theirs)


def damaged(seed: str, binaries: Sequence[bytes], count: int) -> Iterator[bytes]:
    """Binaries with other bytes, so many of each."""
    for number, data in enumerate(binaries):
        for i in range(count):
            draw = Seeded(f"{seed}:damage:{number}:{i}")
            if draw.chance(75):
                yield with_near_bytes(draw, data)
            else:
                yield changed_bytecode(draw, data, binaries)


def with_near_bytes(choices: Choices, data: bytes) -> bytes:
    """Data with one or two bytes changed to near ones, or to other bytes of the same data."""
    result = bytearray(data)
    for _ in range(1 + choices.chance(20)):
        place = choices.integer(HEAD, len(result) - 1)
        if choices.chance(70):
            result[place] = (result[place] + choices.of(NEAR)) % 256
        else:
            result[place] = result[choices.below(len(result))]
    return bytes(result)


def texts(seed: int, count: int) -> Iterator[str]:
    """Changed texts of all sorts, without those that no one can read by their first token."""
    names = list(specimens().items())
    for number in range(count):
        draw = Seeded(f"binaries:{seed}:{number}")
        kind = draw.below(10)
        if kind < 6:
            _, items = draw.of(names)
            yield (opened if kind < 2 else changed)(draw, draw.of(items)).text()
        elif kind < 8:
            yield form(draw)
        else:
            yield with_another_token(draw, draw.of(functions()))


def main() -> int:
    """Compares until the texts or the time are used up."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.parity.binaries")
    parser.add_argument("--programs", type=int, default=10_000, help="changed texts")
    parser.add_argument("--damages", type=int, default=3, help="changes of each binary")
    parser.add_argument("--seed", type=int, default=0, help="which changes")
    parser.add_argument("--minutes", type=float, default=60.0, help="the most time to take")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    with Oracle() as oracle:
        campaign = Binaries(oracle)
        source, number = texts(arguments.seed, arguments.programs), 0
        while time.monotonic() < end and (part := list(islice(source, BATCH))):
            campaign.compare(f"{arguments.seed}:{number}", part, arguments.damages)
            number += 1
    for difference in shortest(campaign.parity.differences):
        print(difference, end="\n\n")
    print(dict(campaign.parity.outcomes), file=sys.stderr)
    return 1 if campaign.parity.differences else 0


if __name__ == "__main__":
    sys.exit(main())
