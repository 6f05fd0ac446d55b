"""Layouts: permutations of the dimensions, tiles that they can have.

Source: XLA, "Shapes and layout", ``LayoutUtil``.
"""

from __future__ import annotations

from collections.abc import Iterator

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.xla.layout import COMBINED, Layout
from stablemate.xla.shape import UNBOUNDED, Shape


def layout_findings(shape: Shape) -> Iterator[Diagnostic]:
    """What is wrong with the sizes and layouts of a shape and its parts."""
    for _, leaf in shape.leaves():
        wrong = [size for size in leaf.dimensions if size < 0 and size != UNBOUNDED]
        if wrong:
            yield finding("sizes are not negative", leaf)
        if leaf.layout is not None:
            yield from findings_of(leaf, leaf.layout)


def findings_of(shape: Shape, layout: Layout) -> Iterator[Diagnostic]:
    """What is wrong with the layout of an array."""
    order = layout.minor_to_major
    if layout is Layout.row_major(shape.rank):
        return
    if sorted(order) != list(range(shape.rank)):
        yield finding("minor_to_major is a permutation of the dimensions", shape)
        return
    for tile in layout.tiles:
        if any(extent < 1 and extent != COMBINED for extent in tile):
            yield finding("the sizes of tiles are positive", shape)
        elif tile and tile[-1] == COMBINED:
            yield finding("the last dimension of a tile has a size", shape)
    if layout.tail_padding < 1:
        yield finding("the padding at the end is positive", shape)
    for split in layout.splits:
        size = shape.dimensions[split.dimension] if 0 <= split.dimension < shape.rank else 0
        ordered = sorted(set(split.indices))
        if list(split.indices) != ordered or not all(0 < boundary < size for boundary in ordered):
            yield finding("a dimension is split at increasing indices inside of it", shape)


def finding(message: str, shape: Shape) -> Diagnostic:
    """A finding about a layout."""
    return Diagnostic(message, "layout", None, {"shape": shape})
