"""Edges between boxes: inside every box those between its children.

A value that enters a box passes an ``in``, one that leaves it an ``out``: what is in a box can then
be laid out without looking out of it. Edges from an argument in a box of many begin at that box.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from stablemate.deferred_dataclasses import dataclass
from stablemate.explorer.boxes import Box

# Of a box: the values that flow from one child to another.
Edges = Mapping[tuple[Box, Box], list[int]]


@dataclass(slots=True)
class Wiring:
    """Edges of all boxes, as they are found.

    Attributes:
        edges: By box.
        ports: Where values enter and leave, by box, value and direction.
    """

    edges: dict[Box, dict[tuple[Box, Box], list[int]]] = field(
        default_factory=dict[Box, dict[tuple[Box, Box], list[int]]]
    )
    ports: dict[tuple[Box, int, str], Box] = field(default_factory=dict[tuple[Box, int, str], Box])

    def connect(self, inside: Box, source: Box, target: Box, value: int) -> None:
        """Adds a value to the edge between two children of a box."""
        values = self.edges.setdefault(inside, {}).setdefault((source, target), [])
        if value not in values[-8:]:
            values.append(value)

    def enter(self, box: Box, value: int) -> Box:
        """Where a value enters a box."""
        return self.ports.get((box, value, "in")) or self.port(Box("in", "", value=value), box)

    def leave(self, box: Box, value: int) -> Box:
        """Where a value leaves a box."""
        return self.ports.get((box, value, "out")) or self.port(Box("out", "", value=value), box)

    def port(self, port: Box, box: Box) -> Box:
        """Adds where a value enters or leaves."""
        assert port.value is not None
        self.ports[box, port.value, port.kind] = port
        return box.add(port)


def edges_of(root: Box) -> Mapping[Box, Edges]:
    """The edges inside every box that has any; adds to boxes where values enter and leave."""
    wiring = Wiring()
    makers: dict[int, Box] = {}
    leaves = [box for box in root.walk() if box.node is not None]
    for box in leaves:
        assert box.node is not None
        makers.update(dict.fromkeys(box.node.results, box))
    for box in leaves:
        assert box.node is not None
        for value in box.node.operands:
            if (maker := makers.get(value)) is not None and maker is not box:
                wire(wiring, maker, box, value)
    return wiring.edges


def wire(wiring: Wiring, maker: Box, user: Box, value: int) -> None:
    """Routes a value from the box that defines it to one that uses it."""
    around = set[Box]()
    box = maker.parent
    while box is not None:
        around.add(box)
        box = box.parent
    target = user
    while target.parent is not None and target.parent not in around:
        is_wired = (target.parent, value, "in") in wiring.ports
        port = wiring.enter(target.parent, value)
        wiring.connect(target.parent, port, target, value)
        if is_wired:
            return
        target = target.parent
    inside, source = target.parent, maker
    assert inside is not None, "values do not cross functions"
    while source.parent is not None and source.parent is not inside:
        holder = source.parent
        if holder.kind != "arguments":  # which is a block of them without edges
            wiring.connect(holder, source, wiring.leave(holder, value), value)
        source = holder
    wiring.connect(inside, source, target, value)
