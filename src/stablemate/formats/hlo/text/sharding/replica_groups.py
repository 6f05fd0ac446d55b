"""Reads and writes replica groups.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.formats.hlo.text.lexer.scanner import Scanner
from stablemate.formats.hlo.text.sharding.meshes import axes_text, mesh_text, read_axes, read_mesh
from stablemate.formats.hlo.text.sharding.tile_assignments import read_tiles, tiles_text
from stablemate.xla.values import IotaTiles, ListedGroups, MeshGroups, ReplicaGroups


def read_integer_rows(scanner: Scanner) -> tuple[tuple[int, ...], ...]:
    """``{{0,1},{2,3}}``."""
    return tuple(scanner.read_enclosed("{", "}", scanner.integers))


def read_replica_groups(scanner: Scanner) -> ReplicaGroups:
    """``{{0,1},{2,3}}``, ``[2,4]<=[8]``, or ``mesh['x'=2] {'x'}``."""
    if scanner.at("["):
        start = scanner.position
        tiles = read_tiles(scanner)
        if len(tiles.dimensions) != 2:
            scanner.error("groups have two dimensions, their number and size", (start, start + 1))
        return tiles
    if scanner.at_word("mesh"):
        start = scanner.position
        mesh = read_mesh(scanner)
        scanner.accept(",")  # as in older text
        axes = read_axes(scanner, mesh)
        if not axes:
            scanner.error("the groups of a mesh have more than one device", (start, start + 1))
        return MeshGroups(mesh, axes)
    return ListedGroups(read_integer_rows(scanner))


def replica_groups_text(groups: ReplicaGroups) -> str:
    """Formats replica groups: lists, iota tiles, or axes of a mesh."""
    match groups:
        case ListedGroups():
            return f"{{{','.join(integers_text(group) for group in groups.groups)}}}"
        case IotaTiles():
            return tiles_text(groups)
        case MeshGroups():
            return f"{mesh_text(groups.mesh)} {axes_text(groups.axes, groups.mesh)}"


def integers_text(numbers: Sequence[int]) -> str:
    """``{0,1}``."""
    return f"{{{','.join(map(str, numbers))}}}"
