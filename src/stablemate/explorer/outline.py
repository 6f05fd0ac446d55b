"""The outline of a program: its functions, regions and scopes as a tree, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass

SHOWN: Final = frozenset({"function", "region", "scope", "piece", "op"})


@dataclass(frozen=True, slots=True)
class BoxOutline:
    """A box that holds others.

    Attributes:
        kind: ``program``, ``function``, ``region``, ``scope``, ``piece``, or ``op`` if it has
            regions.
        label: Its name.
        operations: How many operations are in it; an operation counts itself.
        line: Its line in the text of the program; 0 if it has none.
        parts: What is in it.
    """

    kind: str
    label: str
    operations: int
    line: int
    parts: Sequence[BoxOutline]

    def lines(self, depth: int | None = None) -> Iterator[tuple[str, BoxOutline]]:
        """The lines of the tree with their prefixes.

        Args:
            depth: How many levels below this one; by default all.
        """
        pending: list[tuple[str, str, BoxOutline, int]] = [("", "", self, 0)]
        while pending:
            lead, rest, outline, level = pending.pop()
            yield lead, outline
            if depth is not None and level >= depth:
                continue
            for i, part in enumerate(reversed(outline.parts)):
                last = i == 0
                own, below = ("└─ ", "   ") if last else ("├─ ", "│  ")
                pending.append((rest + own, rest + below, part, level + 1))

    def text(self, depth: int | None = None) -> str:
        """The tree as text, one box a line."""
        return "\n".join(
            f"{lead}{outline.label}  {outline.operations}" for lead, outline in self.lines(depth)
        )


def outline_of(document: dict[str, Any]) -> BoxOutline:
    """The outline of a program.

    Args:
        document: What ``document_of`` returned.
    """
    boxes, texts = document["boxes"], document["texts"]
    kinds: list[str] = boxes["kind"]
    parents: list[int] = boxes["parent"]
    count = len(kinds)
    operations = [
        int(number >= 0 and kind != "function")
        for kind, number in zip(kinds, boxes["number"], strict=True)
    ]
    parts: list[list[BoxOutline]] = [[] for _ in range(count)]
    for box in range(count - 1, -1, -1):  # what is inside comes later
        if box:
            operations[parents[box]] += operations[box]
        holds = str(box) in document["layouts"] or box in document["layouts"]
        if box and (kinds[box] not in SHOWN or not holds):
            continue
        outline = BoxOutline(
            kinds[box],
            texts[boxes["label"][box]],
            operations[box],
            boxes["line"][box],
            tuple(reversed(parts[box])),
        )
        if not box:
            return outline
        parts[parents[box]].append(outline)
    raise AssertionError("a program has a box")
