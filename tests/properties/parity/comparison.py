"""Our verdict and jaxlib's on many texts, and what both print of those that both accept."""

from __future__ import annotations

import re
import tomllib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Generic, TypeVar

import stablemate as sm
from tests.oracle.client import Oracle

BATCH: Final = 200
WORDS: Final = Path(__file__).parents[3] / "docs" / "conformance.toml"
# Operations and attributes that are newer than the oracle.
NEWER: Final = re.compile("collective_reduce|has_dynamic_root|result_tilings|is_stable")
# Where docs/conformance.toml has it that more is taken here: what jaxlib says, and of which texts.
LOOSER: Final[Sequence[tuple[str, str]]] = (
    ("unregistered dialect", ""),
    ("is unknown. If this is intended", ""),
    ("that does not allow unknown operations", ""),
    # jaxlib takes bytecode with types of VHLO in it for an artifact.
    ("type of the corresponding argument in function signature('!vhlo", ""),
    ("", r"!quant\.uniform<[^:]*:\w+:\{"),
    ("requires compatible types for non-predicate operands", "quant"),
    ("'stablehlo.add' op inferred type(s)", "quant"),
    ("must be ranked tensor of", "triangular_solve"),
    ("must be variadic of", "tuple<|memref<"),
    ("operand #0 must be ranked tensor of", "interpreter"),
    ("operand #0 must be variadic of", r"interpreter\.run_parallel"),
    ("group_sizes is expected to have shape", r"\?"),
    ("dot algorithm not known", "bf16"),
    ("olerance", "result_accuracy"),
    ("", r"dense<\s*\.\.\.\s*>"),
    ("unknown mhlo", ""),
    ("referenced attribute does not match previous definition", "distinct"),
    ("expected the number of strides to match the rank", "strided"),
    ("unsupported memory space Attribute", "memref"),
    ("provides no type parsing hook", ""),
    ("provides no attribute parsing hook", ""),
    ("in dialect `sdy`", "#sdy"),
    ("undefined symbol alias id", r"loc\("),
    ("inferred shape of elements literal ([0])", r"dense<\[\]>"),
    ("integer constant out of range", r"-0+(?![.x\d])"),
    # What is printed of the number of dimensions is read beyond the end of the operands.
    ("expected to be in range [0, ", r"stablehlo\.reduce\"\(\)"),
    ("is unknown", "dialect_resources: "),
    ("expected string token, got", r"quant\.uniform"),
    # The quantized dimension of an operand that has none is unset memory there.
    ("not same as broadcast_dimensions[", "dynamic_broadcast_in_dim"),
    ("with the total size (0) specified in attribute 'resultSegmentSizes'", "chlo.scan"),
)
# Only here are these refused; they have no number.
STRICTER: Final = re.compile(
    r"IR section: \d+ values in \d+ bytes|type: a dimension has no size -"
    r"|attribute: \d+ bytes of data do not fill|attribute: attribute '.*' occurs twice"
    r"|type: no integer type has width"
    r"|type: blocks, scales and zero points do not fit together"
    r"|property section: the properties of \S+ have the form that its definition gives them"
    r"|vhlo\.\w+: !vhlo\.tensor_v1<.*> (is no element type|does not fit where it stands)"
    r"|type: expected FloatType, found \w+Type"
    r"|attribute: a literal has a static tensor type, not memref"
    r"|<\w+>: expected a program, found an empty text"
)
# Keys of resources get a number if jaxlib's process has read such a key before.
RESOURCE: Final = re.compile(
    r"(?<=dense_resource<)(\"[^\"]*?|\w+?)(?:_\d+)+(?=\"?>)"
    r"|((?<=[ {])\w+?)(?:_\d+)+(?=: \"0x)"
)


# Operations of arith, and loops, whose types differ in unknown sizes: upstream prints one type,
# which no reader takes for all of them.
MIXED_TYPES: Final = re.compile(r" = arith\.\w+ .* : \(.*\) -> |\"stablehlo\.while\"\(")

# What is printed otherwise on purpose: external resources, which upstream's printer drops; an
# operand too many of a reduction, too; affine maps and distinct attributes inside of types and of
# other attributes, which get aliases there; symbols without a name, numbers of 4 bits beyond
# their range and integers without bits, for which upstream prints what no reader takes.
UNCOMPARED: Final = re.compile(
    r"external_resources|conv<raw|affine_(map|set)<|distinct\["
    r"|call_target_name = \"\"|sym_name = \"\"|@\"\"|1\.0e400 : f4E2M1FN|\b0 : i0\b"
    r"|stablehlo\.reduce\"\((%\w+, ){2,}%\w+\) <"
)


@dataclass(frozen=True)
class Difference:
    """A text on which the two differ.

    Attributes:
        kind: ``refused here``, ``accepted here``, ``printed otherwise`` or ``failed here``.
        ours: What we say of it.
        theirs: What jaxlib says of it.
        text: The text.
    """

    kind: str
    ours: str
    theirs: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}\nours:   {self.ours}\ntheirs: {self.theirs}\n{self.text}"


@dataclass(frozen=True)
class Reading:
    """What we make of a text.

    Attributes:
        rule: The first rule that it breaks, or the message where no rule is named; or nothing.
        message: The whole of it.
        pretty: How it is printed in the declared form.
        generic: How it is printed in the generic form.
        failed: Whether anything but an error of ours came of it.
    """

    rule: str = ""
    message: str = ""
    pretty: str = ""
    generic: str = ""
    failed: bool = False


def read(text: str) -> Reading:
    """Reads, verifies and prints a text."""
    return read_source(f"{text}\n")  # of one line it would be a path


def read_source(source: str | bytes) -> Reading:
    """Reads, verifies and prints a text of several lines, bytecode or an artifact."""
    try:
        module = sm.load(source)
        module.verify()
        return Reading(pretty=module.to_text(), generic=module.to_text(generic=True))
    except sm.StablemateError as error:
        diagnostics = getattr(error, "diagnostics", ())
        rule = diagnostics[0].rule or diagnostics[0].message if diagnostics else str(error)
        return Reading(rule, str(error))
    except Exception as error:  # exactly what must not happen
        return Reading(f"{type(error).__name__}: {error}", "", failed=True)


DifferenceT = TypeVar("DifferenceT")
ReadingT = TypeVar("ReadingT")
AnswerT = TypeVar("AnswerT")


class BatchComparison(ABC, Generic[DifferenceT, ReadingT, AnswerT]):
    """Asks another reader about texts, many at a time.

    Attributes:
        oracle: The other reader.
        differences: What was found.
        outcomes: How often each outcome occurred.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.differences: list[DifferenceT] = []
        self.outcomes: Counter[str] = Counter()

    def compare(self, texts: Sequence[str]) -> None:
        """Asks about texts."""
        texts = [text for text in texts if not NEWER.search(text)]
        for first in range(0, len(texts), BATCH):
            batch = texts[first : first + BATCH]
            for text, theirs in zip(batch, self.answers(batch), strict=True):
                self.judge(text, self.reading(text), theirs)

    @abstractmethod
    def reading(self, text: str) -> ReadingT:
        """How a text is read here."""

    @abstractmethod
    def answers(self, texts: Sequence[str]) -> Sequence[AnswerT]:
        """How the other reader reads texts."""

    @abstractmethod
    def judge(self, text: str, ours: ReadingT, theirs: AnswerT) -> None:
        """Notes the outcome for one text."""


class Parity(BatchComparison[Difference, Reading, "tuple[str, str, str] | None"]):
    """Compares verdicts and printed texts."""

    def reading(self, text: str) -> Reading:
        """The text as printed, or why it is refused."""
        return read(text)

    def answers(self, texts: Sequence[str]) -> Sequence[tuple[str, str, str] | None]:
        """The same from jaxlib."""
        return self.oracle.readings(texts)

    def judge(self, text: str, ours: Reading, theirs: tuple[str, str, str] | None) -> None:
        """Notes the outcome for one text."""
        if ours.failed:
            self.add(Difference("failed here", ours.rule, theirs[0] if theirs else "abort", text))
        elif theirs is None:
            self.outcomes["jaxlib's process ended"] += 1
        elif ours.rule and theirs[0]:
            self.outcomes["both refuse"] += 1
        elif ours.rule in stricter_rules() or is_stricter(ours):
            self.outcomes["only we refuse, for a listed rule"] += 1
        elif ours.rule:
            self.add(Difference("refused here", ours.message, "accepted", text))
        elif is_looser(theirs[0], text):
            self.outcomes["only we accept, as listed"] += 1
        elif theirs[0]:
            self.add(Difference("accepted here", "accepted", theirs[0], text))
        else:
            self.judge_print(text, ours, theirs)

    def judge_print(self, text: str, ours: Reading, theirs: tuple[str, str, str]) -> None:
        """Notes whether both print the same."""
        kept = MIXED_TYPES.search(ours.pretty) or UNCOMPARED.search(text)
        for mine, other in ((ours.pretty, theirs[1]), (ours.generic, theirs[2])):
            if not kept and RESOURCE.sub(r"\1\2", mine) != RESOURCE.sub(r"\1\2", other):
                self.add(Difference("printed otherwise", *first_difference(mine, other), text))
                return
        self.outcomes["both accept"] += 1

    def add(self, difference: Difference) -> None:
        """Notes a difference."""
        self.outcomes[difference.kind] += 1
        self.differences.append(difference)


@cache
def stricter_rules() -> frozenset[str]:
    """The rules by which only we refuse."""
    entries = tomllib.loads(WORDS.read_text())["stricter"]
    return frozenset(rule for entry in entries for rule in entry["rules"])


def is_stricter(ours: Reading) -> bool:
    """Whether an error of ours, with a rule or none, is one of those that jaxlib does not have."""
    message = ours.message.partition("\n")[0].partition("error: ")[2]
    return STRICTER.match(ours.rule) is not None or STRICTER.match(message) is not None


def is_looser(error: str, text: str) -> bool:
    """Whether an error of jaxlib is one of those that are none here."""
    if not error:
        return False
    return any(item in error and re.search(there, text) for item, there in LOOSER)


def first_difference(ours: str, theirs: str) -> tuple[str, str]:
    """The first line in which two texts differ."""
    pairs = zip([*ours.splitlines(), "end"], [*theirs.splitlines(), "end"], strict=False)
    return next(((a.strip(), b.strip()) for a, b in pairs if a != b), ("the end", "the end"))
