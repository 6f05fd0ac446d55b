"""Types that follow, here and from jaxlib: ours say the same or more of sizes and bounds.

``python -m tests.properties.parity.inference`` compares any number; CI runs a few
(`tests/properties/test_verifier_parity.py`).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import stablemate as sm
from stablemate.formats.mlir.parser import parse_type
from stablemate.ir.core import Operation
from stablemate.ir.definition import inferred_types
from stablemate.ir.shapes import most_specific, same_sizes
from stablemate.ir.types import TensorType, Type
from tests.oracle.client import Oracle
from tests.properties.generation.choices import Seeded
from tests.properties.parity.openings import opened
from tests.properties.parity.specimens import specimens

BATCH = 100


def main() -> int:
    """Compares; the exit code is 1 if there are differences."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.parity.inference")
    parser.add_argument("--programs", type=int, default=100, help="opened programs by operation")
    parser.add_argument("--seed", type=int, default=0, help="which sizes are open")
    parser.add_argument("--only", default="", help="operations whose names begin so")
    arguments = parser.parse_args()
    with Oracle() as oracle:
        value, counts = compared(oracle, texts(arguments.programs, arguments.seed, arguments.only))
    for item in value:
        print(item, end="\n\n")
    print(dict(counts), file=sys.stderr)
    return 1 if value else 0


def texts(programs: int, seed: int, only: str = "") -> Iterator[str]:
    """So many texts of each operation, with open sizes."""
    for name, items in specimens().items():
        if name.startswith(only):
            for i in range(programs):
                draw = Seeded(f"open:{seed}:{name}:{i}")
                yield opened(draw, draw.of(items)).text()


def compared(oracle: Oracle, texts: Iterator[str]) -> tuple[list[str], Counter[str]]:
    """Differences, and how often the types of an operation are the same or say more here."""
    differences: list[str] = []
    counts: Counter[str] = Counter()
    accepted = [(text, own) for text in texts if (own := last_function(text)) is not None]
    for first in range(0, len(accepted), BATCH):
        batch = accepted[first : first + BATCH]
        answers = oracle.inferred([text for text, _ in batch])
        for (text, own), theirs in zip(batch, answers, strict=True):
            for outcome, their in outcomes(own, theirs or ()):
                counts[outcome] += 1
                if outcome == "differs":
                    differences.append(f"{their}\n{text}")
    return differences, counts


def last_function(text: str) -> list[Operation] | None:
    """The operations of the last function of a program; None if it is refused here."""
    try:
        module = sm.load(f"{text}\n")
        module.verify(strict=True)
    except sm.StablemateError:
        return None
    return list(module.ir.operation.regions[0].block.operations[-1].regions[0].block.operations)


def outcomes(
    operations: Sequence[Operation], theirs: Sequence[tuple[str, list[str]]]
) -> Iterator[tuple[str, str]]:
    """Whether types are the ``same``, there is ``more`` here, or something ``differs``.

    There is ``no type there`` where what jaxlib infers breaks a rule of types.
    """
    pending = list(theirs)
    for operation in operations:
        if not pending or operation.name != pending[0][0]:
            continue
        types, own = pending.pop(0)[1], inferred_types(operation)
        texts_of_own = [str(item) for item in own or ()]
        if own is None or texts_of_own == types:
            yield "same" if own else "free here", ""
            continue
        try:
            other_types = [parse_type(value_type) for value_type in types]
        except sm.StablemateError:
            yield "no type there", ""
            continue
        fits = len(own) == len(types) and all(map(says_as_much, own, other_types))
        yield "more" if fits else "differs", f"{operation.name}: {texts_of_own}, theirs {types}"


def says_as_much(mine: Type, theirs: Type) -> bool:
    """Whether the sizes of one type follow from those of the other and more."""
    if not isinstance(mine, TensorType) or not isinstance(theirs, TensorType):
        return isinstance(mine, TensorType)  # an unranked tensor says nothing
    same = theirs.with_element(mine.element_type)
    return same_sizes(mine, same) and most_specific([mine, same]) == mine


if __name__ == "__main__":
    sys.exit(main())
