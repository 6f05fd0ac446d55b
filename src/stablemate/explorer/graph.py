"""A program as it is drawn: nodes that take and make values, in bodies that nest.

Programs of StableHLO and of HLO become the same graph; what draws, lays out or exports knows
nothing of either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Literal, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.source import Source

NodeKind: TypeAlias = Literal["op", "argument", "constant", "return"]
BodyKind: TypeAlias = Literal["function", "region"]


@dataclass(frozen=True, slots=True)
class GraphValue:
    """A value that flows along edges.

    Attributes:
        name: As the text of the program calls it.
        type: Its type, as the program writes it.
    """

    name: str
    type: str


@dataclass(slots=True, eq=False)
class GraphNode:
    """An operation, or an argument of a function or a region.

    Attributes:
        kind: What it is.
        name: The name of the operation, such as ``stablehlo.add``.
        results: Numbers of the values that it makes.
        operands: Numbers of the values that it takes.
        number: Its place in the walk over all operations, from 0; None for arguments.
        detail: What tells it from others of its name, in a few words: an attribute, a constant.
        attributes: All attributes, name and text.
        scope: The names of the source around it, outermost first.
        origin: Its whole name in the source; empty if it has none.
        frames: The call stack of the source, innermost first.
        line: Its line in the text of the program, from 1; 0 if it has none.
        bodies: Its regions.
        callees: The functions that it calls.
    """

    kind: NodeKind
    name: str
    results: Sequence[int] = ()
    operands: Sequence[int] = ()
    number: int | None = None
    detail: str = ""
    attributes: Sequence[tuple[str, str]] = ()
    scope: tuple[str, ...] = ()
    frames: Sequence[str] = ()
    line: int = 0
    bodies: Sequence[GraphBody] = ()
    callees: Sequence[str] = ()
    origin: str = ""


@dataclass(slots=True, eq=False)
class GraphBody:
    """The nodes of a function or region, in the order of the program.

    Attributes:
        kind: What it is.
        label: Its name.
        nodes: Arguments first.
        line: The line of the function in the text of the program; 0 if it has none.
        number: The place of the function in the walk over all operations; None for regions.
    """

    kind: BodyKind
    label: str
    nodes: Sequence[GraphNode]
    line: int = 0
    number: int | None = None


@dataclass(slots=True, eq=False)
class ProgramGraph:
    """A program.

    Attributes:
        title: What the program is called.
        format: What it was read from.
        functions: The bodies of its functions; the one that runs comes first.
        values: All values; operands and results of nodes are numbers of this list.
        source: The text in which the lines of nodes are.
        by_offset: The numbers of operations by the offset where their name begins in that text.
    """

    title: str
    format: str
    functions: Sequence[GraphBody]
    values: Sequence[GraphValue]
    source: Source
    by_offset: dict[int, int] = field(default_factory=dict[int, int])

    def nodes(self) -> Iterator[GraphNode]:
        """All nodes, outermost first, in the order of the program."""
        pending = [node for body in reversed(self.functions) for node in reversed(body.nodes)]
        while pending:
            node = pending.pop()
            yield node
            pending += [nested for body in reversed(node.bodies) for nested in reversed(body.nodes)]
