"""Layouts: permutations of the dimensions, tiles that they can have.

Source: XLA, "Shapes and layout", ``LayoutUtil``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.xla.layout import COMBINED, Layout
from stablemate.xla.shape import UNBOUNDED, Shape

OPEN_TILE: Final = "the last dimension of a tile has a size"


def layout_findings(shape: Shape) -> Iterator[Diagnostic]:
    """The errors in the sizes and layouts of a shape and its parts."""
    for _, leaf in shape.leaves():
        wrong = [size for size in leaf.dimensions if size < 0 and size != UNBOUNDED]
        if wrong:
            yield finding("sizes are not negative", leaf)
        if leaf.layout is not None:
            yield from findings_of(leaf, leaf.layout)


def tuple_layout_problem(shape: Shape) -> str:
    """The error of XLA's parser in the layouts of a tuple's parts; empty if there is none.

    It does not check the layout of an array that stands alone, and takes any last ``*`` of a tile.
    """
    for _, leaf in shape.leaves():
        layout = leaf.layout
        if layout is None or layout is Layout.row_major(leaf.rank):
            continue
        for found in findings_of(leaf, layout):
            if found.message != OPEN_TILE:
                return found.message
        if layout.index_type is not None or layout.pointer_type is not None:
            return "a dense array has no types of indices and pointers"
        if not all(layout.tiles):
            return "a tile has dimensions"
    return ""


def findings_of(shape: Shape, layout: Layout) -> Iterator[Diagnostic]:
    """The errors in the layout of an array."""
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
            yield finding(OPEN_TILE, shape)
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
