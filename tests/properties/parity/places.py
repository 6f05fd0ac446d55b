"""Where an error is, here and in jaxlib: ``python -m tests.properties.parity.places``.

The texts are functions with one token changed, operations with one part changed, malformed
attributes and types in every place of a module, attributes of other kinds before another error, and
the rejected programs of ``tests/ops``. The first error of each is compared: line and column. Errors
are printed by the words of jaxlib's message, each with one text and how often the places differ.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import stablemate as sm
from tests.oracle.client import Oracle
from tests.properties.generation.choices import Seeded
from tests.properties.parity.bodies import malformed_bodies
from tests.properties.parity.changes import changed
from tests.properties.parity.comparison import BatchComparison
from tests.properties.parity.malformed import malformed
from tests.properties.parity.specimens import CORPUS, INVALID, specimens
from tests.properties.parity.texts import functions, with_another_token
from tools.coverage import cases_of

BATCH: Final = 200
UNSTABLE: Final = re.compile(r"'[^']*'|\"[^\"]*\"|\d+|%[\w#]+")

OTHER_KINDS: Final = (
    *("1 : i32", "true", '"a"', "dense<1> : tensor<2xi64>", "array<i64: 1, 2>", "[1]", "@f"),
    *("unit", "f32", "{}", "1.0 : f32", "#stablehlo<precision HIGH>"),
)
WRONG: Final = """func.func @wrong(%x: tensor<2xf32>) {
  %0 = "stablehlo.abs"(%x) : (tensor<2xf32>) -> tensor<2xf64>
  return
}
"""

Place = tuple[str, int, int]


@dataclass(frozen=True)
class Difference:
    """A text whose first error is at two places.

    Attributes:
        ours: Our message, line and column.
        theirs: Those of jaxlib.
        text: The text.
    """

    ours: Place
    theirs: Place
    text: str

    @property
    def words(self) -> str:
        """The message of jaxlib without names and numbers."""
        return UNSTABLE.sub("_", self.theirs[0].partition("\n")[0])

    @property
    def is_on_another_line(self) -> bool:
        """Whether the lines differ, not only the columns."""
        return self.ours[1] != self.theirs[1]

    def __str__(self) -> str:
        (ours, *place), (theirs, *other) = self.ours, self.theirs
        return f"ours   {place}: {ours}\ntheirs {other}: {theirs}\n{self.text}"


class Places(BatchComparison[Difference, "Place | None", "Place | None"]):
    """Compares places."""

    def reading(self, text: str) -> Place | None:
        """Where the first error is; None if there is none."""
        return first_error(text)

    def answers(self, texts: Sequence[str]) -> Sequence[Place | None]:
        """The same from jaxlib."""
        return self.oracle.places(texts)

    def judge(self, text: str, ours: Place | None, theirs: Place | None) -> None:
        """Notes the outcome for one text."""
        if ours is None or theirs is None or not theirs[0]:
            self.outcomes["not rejected by both"] += 1
        elif theirs[1] == 0:
            self.outcomes["no place in jaxlib"] += 1
        elif ours[1:] == theirs[1:]:
            self.outcomes["same place"] += 1
        else:
            difference = Difference(ours, theirs, text)
            kind = "another line" if difference.is_on_another_line else "another column"
            self.outcomes[kind] += 1
            self.differences.append(difference)


def first_error(text: str) -> Place | None:
    """The message, line and column of our first error; None if there is none."""
    try:
        sm.load(text if "\n" in text else f"{text}\n").verify()  # of one line it would be a path
    except sm.StablemateError as error:
        diagnostics = getattr(error, "diagnostics", ())
        if not diagnostics or diagnostics[0].span is None:
            return str(error), 0, 0
        span = diagnostics[0].span
        return diagnostics[0].message, span.line, span.column
    return None


def rejected_texts() -> Iterator[str]:
    """The rejected programs of ``tests/ops``."""
    for path in sorted(CORPUS.glob(f"*{INVALID}")):
        yield from cases_of(path)


def texts_with_another_token(seed: int) -> Iterator[str]:
    """Functions with one token changed, without end."""
    number = 0
    while True:
        draw = Seeded(f"places:{seed}:{number}")
        yield with_another_token(draw, draw.of(functions()))
        number += 1


def changed_operations(seed: int, count: int) -> Iterator[str]:
    """Operations with one part changed, so many of each."""
    for name, items in specimens().items():
        for number in range(count):
            draw = Seeded(f"places:{seed}:{name}:{number}")
            yield changed(draw, draw.of(items)).text()


def malformed_operations(count: int) -> Iterator[str]:
    """Operations that are wrong in one way, so many of each name, but nowhere else."""
    for items in specimens().values():
        valid = (specimen for specimen in items if first_error(specimen.text()) is None)
        for specimen in islice(valid, count):
            yield from malformed(specimen)


def attributes_of_other_kinds() -> Iterator[str]:
    """An operation of each name with one attribute of another kind, before another error."""
    for items in specimens().values():
        operation = items[0]
        for i, (name, _) in enumerate(operation.attributes):
            for other in OTHER_KINDS:
                attributes = [*operation.attributes]
                attributes[i] = name, other
                text = replace(operation, attributes=attributes).text()
                yield f"{text.rstrip()}\n{WRONG}"


def main() -> int:
    """Compares until the texts or the time are used up."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.parity.places")
    parser.add_argument("--tokens", type=int, default=4000, help="texts with one token changed")
    parser.add_argument("--programs", type=int, default=10, help="changed operations of each name")
    parser.add_argument(
        "--malformed", type=int, default=1, help="malformed operations of each name"
    )
    parser.add_argument("--bodies", type=int, default=4000, help="malformed attributes and types")
    parser.add_argument("--seed", type=int, default=0, help="which texts")
    parser.add_argument("--shown", type=int, default=1, help="texts shown of each error")
    parser.add_argument("--minutes", type=float, default=60.0, help="the most time to take")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    texts = [
        *rejected_texts(),
        *changed_operations(arguments.seed, arguments.programs),
        *malformed_operations(arguments.malformed),
        *attributes_of_other_kinds(),
        *islice(texts_with_another_token(arguments.seed), arguments.tokens),
        *islice(malformed_bodies(arguments.seed), arguments.bodies),
    ]
    with Oracle() as oracle:
        campaign = Places(oracle)
        for first in range(0, len(texts), BATCH):
            campaign.compare(texts[first : first + BATCH])
            if time.monotonic() > end:
                break
    counts = Counter(difference.words for difference in campaign.differences)
    for words, count in counts.most_common():
        print(f"==== {count} times: {words}")
        some = [difference for difference in campaign.differences if difference.words == words]
        print(*sorted(some, key=lambda item: len(item.text))[: arguments.shown], sep="\n")
    print(dict(campaign.outcomes), file=sys.stderr)
    return 1 if campaign.differences else 0


if __name__ == "__main__":
    sys.exit(main())
