"""Compares portable artifacts with upstream's: ``python -m tests.properties.artifact_bytes``.

The programs are the changed programs of the verifier's campaign that both accept, each for three
versions, and modules of many functions of ``tests/ops``, whose tables need numbers of two bytes.
Locations are written out in the text, so that both read the same ones.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import stablemate as sm
from stablemate.diagnostics.errors import UnsupportedError
from tests.formats.mlir.test_against_upstream import FUNCTION, programs
from tests.oracle.client import Oracle, OracleError
from tests.properties.generation.choices import Seeded
from tests.properties.parity.changes import changed
from tests.properties.parity.comparison import NEWER
from tests.properties.parity.openings import opened
from tests.properties.parity.specimens import specimens

NEWEST: Final = "1.17.0"  # that the oracle knows
VERSIONS: Final = (*(f"0.{i}.0" for i in range(9, 21)), *(f"1.{i}.0" for i in range(18)))
LARGEST: Final = 20_000  # characters of a function in a module of many
# Upstream folds operations of these dialects, and removes those whose results nothing uses.
FOLDED: Final = re.compile(r"\b(arith|interpreter|shape|tensor)\.")
COUNTS: Final = (5, 30, 100, 300)


@dataclass(frozen=True)
class Difference:
    """A program whose artifacts differ.

    Attributes:
        kind: ``bytes differ``, ``only ours`` or ``only theirs``.
        version: The version.
        detail: The first byte that differs, or why there is no artifact.
        text: The program.
    """

    kind: str
    version: str
    detail: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind} ({self.version}): {self.detail}\n{self.text}"


class Bytes:
    """Compares artifacts.

    Attributes:
        oracle: Upstream's serializer.
        mixed: Whether operations of other dialects stay as they are.
        differences: The differences so far.
        outcomes: How often each outcome occurred.
    """

    def __init__(self, oracle: Oracle, *, mixed: bool = False) -> None:
        self.oracle = oracle
        self.mixed = mixed
        self.differences: list[Difference] = []
        self.outcomes: Counter[str] = Counter()

    def compare(self, text: str, versions: Sequence[str]) -> None:
        """Compares the artifacts of a program that both accept."""
        try:
            module = sm.load(text)
            module.verify()
        except sm.StablemateError:
            self.outcomes["rejected here"] += 1
            return
        exact = module.to_text(generic=True, debug_info=True)
        try:
            artifacts = self.oracle.artifacts(exact, versions, self.mixed)
        except OracleError:
            self.outcomes["rejected there"] += 1
            return
        for version, theirs in zip(versions, artifacts, strict=True):
            self.judge(exact, version, theirs)

    def judge(self, exact: str, version: str, theirs: bytes | str) -> None:
        """Notes the outcome for one version."""
        try:
            ours: bytes | str = sm.load(exact).to_artifact(version, mixed=self.mixed)
        except UnsupportedError as error:
            ours = str(error)
        if isinstance(ours, bytes) and isinstance(theirs, bytes):
            if ours == theirs:
                self.outcomes["same bytes"] += 1
            else:
                self.add(Difference("bytes differ", version, first_difference(ours, theirs), exact))
        elif isinstance(ours, bytes):
            self.add(Difference("only ours", version, str(theirs).partition("\n")[0], exact))
        elif isinstance(theirs, bytes):
            self.add(Difference("only theirs", version, str(ours).partition("\n")[0], exact))
        else:
            self.outcomes["no artifact of either"] += 1

    def add(self, difference: Difference) -> None:
        """Notes a difference."""
        self.outcomes[difference.kind] += 1
        self.differences.append(difference)


def first_difference(ours: bytes, theirs: bytes) -> str:
    """Where two artifacts begin to differ, and their sizes."""
    pairs = zip(ours, theirs, strict=False)
    end = min(len(ours), len(theirs))
    position = next((i for i, (x, y) in enumerate(pairs) if x != y), end)
    return f"byte {position} of {len(ours)} and {len(theirs)}"


def changed_programs(seed: int, count: int) -> Iterator[str]:
    """Changed programs: so many of each operation, some with open sizes."""
    for name, items in specimens().items():
        for i in range(count):
            draw = Seeded(f"bytes:{seed}:{name}:{i}")
            change = opened if i % 4 == 0 else changed
            text = change(draw, draw.of(items)).text()
            if not (NEWER.search(text) or FOLDED.search(text)):
                yield text


def versions_of(number: int) -> tuple[str, ...]:
    """The versions for which a program is written: the newest, any, and one before 1.0."""
    return NEWEST, VERSIONS[number % len(VERSIONS)], VERSIONS[number % 12]


def functions() -> list[str]:
    """The functions of ``tests/ops`` that call no other one."""
    return [
        match[0]
        for name, text in programs()
        if name.startswith("ops/")
        for match in FUNCTION.finditer(text)
        if match[0].count("@") == 1
        and len(match[0]) < LARGEST
        and not (NEWER.search(match[0]) or FOLDED.search(match[0]))
    ]


def serializable(oracle: Oracle, texts: Sequence[str]) -> list[str]:
    """Those functions of which upstream writes an artifact for its newest version."""
    kept: list[str] = []
    for text in texts:
        try:
            if isinstance(oracle.artifacts(text, [NEWEST], False)[0], bytes):
                kept.append(text)
        except OracleError:
            continue
    return kept


def large_modules(seed: int, count: int, texts: Sequence[str]) -> Iterator[str]:
    """Modules of many functions."""
    for number in range(count):
        draw = Seeded(f"modules:{seed}:{number}")
        chosen = [draw.of(texts) for _ in range(draw.of(COUNTS))]
        yield "\n".join(
            re.sub(r"@(\w+)", rf"@\1_{i}", text, count=1) for i, text in enumerate(chosen)
        )


def main() -> int:
    """Compares until the programs or the time are used up."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.artifact_bytes")
    parser.add_argument("--programs", type=int, default=100, help="changed programs by operation")
    parser.add_argument("--modules", type=int, default=100, help="modules of many functions")
    parser.add_argument("--seed", type=int, default=0, help="which programs")
    parser.add_argument("--minutes", type=float, default=60.0, help="the most time to take")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    with Oracle() as oracle:
        campaign = Bytes(oracle)
        texts = serializable(oracle, functions()) if arguments.modules else []
        for text in large_modules(arguments.seed, arguments.modules, texts):
            campaign.compare(text, (NEWEST,))
        for i, text in enumerate(changed_programs(arguments.seed, arguments.programs)):
            campaign.compare(text, versions_of(i))
            if time.monotonic() > end:
                break
    seen: set[str] = set()
    for difference in sorted(campaign.differences, key=lambda item: len(item.text)):
        sort = f"{difference.kind} {re.sub('[0-9]+', '_', difference.detail)}"
        if sort not in seen:
            print(difference, end="\n\n")
        seen.add(sort)
    print(dict(campaign.outcomes), file=sys.stderr)
    return 1 if campaign.differences else 0


if __name__ == "__main__":
    sys.exit(main())
