"""Pages of opcodes that only HLO has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stablemate.analysis.explain.page import DescriptionRow, Explanation, PageSection
from stablemate.xla.kinds import AttributeRow
from stablemate.xla.opcodes import MANY, OPCODES

SOURCE: Final = "https://openxla.org/xla/operation_semantics"
MEANINGS: Final = {
    "add-dependency": "The first operand, which waits until the second one has run.",
    "all-gather-done": "The result of an all-gather that was started.",
    "all-gather-start": "Starts an all-gather, which all-gather-done waits for.",
    "all-reduce-done": "The result of an all-reduce that was started.",
    "all-reduce-start": "Starts an all-reduce, which all-reduce-done waits for.",
    "async-update": "Keeps a computation that was started going.",
    "bitcast": "The same bytes of memory under another shape or layout.",
    "collective-permute-done": "The result of a collective-permute that was started.",
    "collective-permute-start": "Starts a collective-permute.",
    "conditional": "The result of one of several computations, which an operand chooses.",
    "copy": "The operand, in memory of its own; its layout may be another.",
    "copy-done": "The result of a copy that was started.",
    "copy-start": "Starts a copy, from one memory to another.",
    "domain": "The operand, at the boundary of two parts with different shardings.",
    "fusion": "A computation that is compiled as one kernel.",
    "opt-barrier": "The operands, across which nothing is moved or simplified.",
    "parameter": "An argument of the computation, by its number.",
    "ragged-all-to-all": "An all-to-all whose pieces have sizes of their own.",
    "recv-done": "What a recv has received.",
    "rng-get-and-update-state": "The state of the generator, which goes on by a number of steps.",
    "scaled-dot": "A dot of blocks that have scales of their own (MX formats).",
    "send-done": "Waits until a send has been received.",
    "stochastic-convert": "Converts to a narrower type, rounded up or down by random bits.",
    "topk": "The k largest or smallest elements of each row, with their places.",
}


def opcode_page(opcode: str) -> Explanation | None:
    """The page of an opcode without an operation of its own; None if it has one, or is none."""
    meaning, row = MEANINGS.get(opcode), OPCODES.get(opcode)
    if meaning is None or row is None:
        return None
    if row.most == row.least:
        count = str(row.least)
    else:
        count = f"at least {row.least}" if row.most == MANY else f"{row.least} to {row.most}"
    sections = [PageSection("Operands", (DescriptionRow("number", count),))]
    attributes = tuple(attribute_rows(row.attributes, row.required))
    if attributes:
        sections.append(PageSection("Attributes", attributes))
    return Explanation(opcode, "opcode", meaning, tuple(sections), (), SOURCE)


def attribute_rows(
    rows: tuple[AttributeRow, ...], required: frozenset[str]
) -> Iterator[DescriptionRow]:
    """The attributes of an opcode."""
    for row in rows:
        kind = row.kind.name.lower().replace("_", " ")
        words = f": {', '.join(row.words)}" if row.words else ""
        presence = "" if row.name in required else "; may be absent"
        yield DescriptionRow(row.name, f"{kind}{words}{presence}")
