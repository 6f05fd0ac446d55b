"""Reads and writes iota tile assignments: ``[4,2]<=[2,4]T(1,0)``.

Source: XLA, HLO text; ``IotaTileAssignment``.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from stablemate.formats.hlo.text.lexer.scanner import Scanner
from stablemate.xla.values import IotaTiles


def read_tiles(scanner: Scanner) -> IotaTiles:
    """``[4,2]<=[2,4]T(1,0)``."""
    start = scanner.position
    dimensions = read_sizes(scanner)
    scanner.expect("<=")
    return read_iota(scanner, dimensions, start)


def read_sizes(scanner: Scanner) -> tuple[int, ...]:
    """``[4,2]``."""
    return tuple(scanner.read_enclosed("[", "]", scanner.signed_integer))


def read_iota(scanner: Scanner, dimensions: tuple[int, ...], start: int) -> IotaTiles:
    """Reads what follows ``<=``: the iota, its reshape and its transpose."""
    reshape = read_sizes(scanner)
    permutation = tuple(range(len(reshape)))
    if len(reshape) != 1:
        scanner.expect("T", "'T' and the permutation of the dimensions")
        permutation = tuple(scanner.read_enclosed("(", ")", scanner.signed_integer))
    place = (start, scanner.position)
    if sorted(permutation) != list(range(len(reshape))):
        scanner.error("the permutation must name every dimension once", place)
    if any(dimension < 1 for dimension in (*dimensions, *reshape)):
        scanner.error("dimensions of devices are positive", place)
    if prod(dimensions) != prod(reshape):
        scanner.error("both shapes must have the same number of devices", place)
    return IotaTiles(dimensions, reshape, permutation).simplify()


def tiles_text(tiles: IotaTiles) -> str:
    """Formats iota tiles: dimensions, then the iota they reshape."""
    return f"{sizes_text(tiles.dimensions)}<={iota_text(tiles)}"


def iota_text(tiles: IotaTiles) -> str:
    """Prints what follows ``<=``."""
    return sizes_text(tiles.reshape) + permutation_text(tiles)


def permutation_text(tiles: IotaTiles) -> str:
    """Prints ``T(1,0)``; nothing for a single dimension."""
    if len(tiles.reshape) == 1:
        return ""
    return f"T({','.join(map(str, tiles.permutation))})"


def sizes_text(sizes: Sequence[int]) -> str:
    """``[4,2]``."""
    return f"[{','.join(map(str, sizes))}]"
