"""Our reading of HLO and XLA's: verdicts, texts in two styles, protos."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from stablemate.diagnostics.errors import LimitError, StablemateError
from stablemate.formats.hlo.proto.reader import read_proto
from stablemate.formats.hlo.proto.writer import write_proto
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import STYLES, PrintOptions, write_text
from stablemate.xla.module import HloModule
from tests.oracle.client import Oracle
from tests.properties.hlo_parity.difference import Difference
from tests.properties.hlo_parity.listed import is_listed

Reading: TypeAlias = tuple[str, str, str, bytes, str]

BATCH: Final = 400
CONTEXT: Final = 60  # characters around a difference
AS_REREAD: Final = PrintOptions(reread=True)
NEGATIVE_ZERO: Final = re.compile(r"-0\.0(?![0-9])")


class HloParity:
    """Compares readings of HLO texts.

    Attributes:
        oracle: XLA's reader.
        differences: What was found.
        outcomes: How often both accept, both refuse, and so on.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.differences: list[Difference] = []
        self.outcomes: Counter[str] = Counter()

    def compare(self, texts: Sequence[str]) -> None:
        """Asks about texts."""
        for first in range(0, len(texts), BATCH):
            batch = texts[first : first + BATCH]
            ours: list[tuple[str, str, HloModule]] = []
            for text, theirs in zip(batch, self.oracle.hlo_readings(batch), strict=True):
                module = self.judge(text, theirs)
                if module is not None and theirs is not None:
                    ours.append((text, theirs[4], module))
            self.compare_protos(ours)

    def judge(self, text: str, theirs: Reading | None) -> HloModule | None:
        """Notes the outcome for one text; our module where the verdicts agree."""
        try:
            module, error = read_text(text), ""
        except LimitError:
            raise
        except StablemateError as refusal:
            module, error = None, str(refusal)
        except Exception as failure:  # exactly what must not happen
            return self.add("failed here", repr(failure), theirs[0] if theirs else "abort", text)
        if theirs is None:
            self.outcomes["XLA's process ended"] += 1
        elif error and theirs[0]:
            self.outcomes["both refuse"] += 1
        elif module is None:
            self.add("refused here", error, "accepted", text)
        elif theirs[0]:
            self.add("accepted here", "accepted", theirs[0], text)
        else:
            return self.judge_print(text, module, theirs)
        return None

    def judge_print(self, text: str, module: HloModule, theirs: Reading) -> HloModule | None:
        """Compares what both print."""
        _, full, short, proto, again_full = theirs
        if full == "no text":
            self.outcomes["XLA's text is none"] += 1
            return None
        try:
            mine = write_text(module, AS_REREAD)
            if plain(mine) != full:
                return self.add("printed otherwise", *first_difference(plain(mine), full), text)
            again = read_text(full)
            brief = write_text(again, STYLES["short"])
            if plain(brief) != short:
                return self.add("short otherwise", *first_difference(plain(brief), short), text)
            if again_full:
                read = ordered(plain(write_text(read_proto(proto), AS_REREAD)))
                if read != ordered(again_full):
                    pair = first_difference(read, ordered(again_full))
                    return self.add("proto read otherwise", *pair, text)
        except StablemateError as error:
            return self.add("XLA's own refused here", str(error), "accepted", text)
        except Exception as failure:
            return self.add("failed here", repr(failure), "accepted", text)
        self.outcomes["both accept"] += 1
        return module

    def compare_protos(self, modules: Sequence[tuple[str, str, HloModule]]) -> None:
        """What XLA makes of our protos."""
        protos: list[bytes | None] = []
        for text, _, module in modules:
            try:
                protos.append(write_proto(module))
            except Exception as failure:
                self.add("proto not written", repr(failure), "accepted", text)
                protos.append(None)
        asked = [proto for proto in protos if proto is not None]
        kept = [case for case, proto in zip(modules, protos, strict=True) if proto is not None]
        if not asked:
            return
        for (text, full, _), theirs in zip(kept, self.oracle.hlo_readings(asked), strict=True):
            if not full:
                self.outcomes["XLA refuses its own proto"] += 1
            elif theirs is None or theirs[0]:
                value = theirs[0] if theirs else "abort"
                self.add("our proto refused by XLA", "written", value, text)
            elif ordered(theirs[1]) != ordered(full):
                pair = first_difference(ordered(theirs[1]), ordered(full))
                self.add("our proto read otherwise", *pair, text)

    def add(self, kind: str, ours: str, theirs: str, text: str) -> None:
        """Notes a difference."""
        difference = Difference(kind, ours, theirs, text)
        if is_listed(difference):
            self.outcomes[f"{kind}, as listed"] += 1
        else:
            self.outcomes[kind] += 1
            self.differences.append(difference)


def plain(text: str) -> str:
    """A text as XLA prints it, where a zero has lost what makes it negative."""
    return NEGATIVE_ZERO.sub("-0", text)


HEADER: Final = re.compile(
    r", (?:replica_count=\d+|num_partitions=\d+|alias_passthrough_params=true"
    r"|allow_spmd_sharding_propagation_to_(?:parameters|output)=\{[a-z,]*\})"
)


def without_header(text: str) -> str:
    """A text without what protos do not hold."""
    head, line, rest = text.partition("\n")
    return f"{HEADER.sub('', head)}{line}{rest}"


def ordered(text: str) -> str:
    """The same, as the order of computations does not matter."""
    return "\n\n".join(sorted(without_header(text).split("\n\n")))


def first_difference(ours: str, theirs: str) -> tuple[str, str]:
    """Where two texts differ first, with what stands around it."""
    pairs = zip([*ours.splitlines(), "end"], [*theirs.splitlines(), "end"], strict=False)
    mine, other = next(((a, b) for a, b in pairs if a != b), ("the end", "the end"))
    shorter = min(len(mine), len(other))
    same = next((i for i in range(shorter) if mine[i] != other[i]), shorter)
    start = max(0, same - CONTEXT)
    return mine[start : same + CONTEXT], other[start : same + CONTEXT]


def sort_of(difference: Difference) -> tuple[Any, ...]:
    """What differences of one sort have in common."""
    collected = [re.sub(r"\d+|'[^']*'|\"[^\"]*\"|%?\b[\w.-]*\d\b", "_", our)
            for our in (message(difference.ours), message(difference.theirs))]  # fmt: skip
    return difference.kind, *collected


def message(text: str) -> str:
    """The message of an error without its place."""
    match_ = re.search(r"error: (.*)", text)
    return match_[1] if match_ else text.partition("\n")[0]
