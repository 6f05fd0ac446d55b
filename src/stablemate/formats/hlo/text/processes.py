"""Devices in rows: replica groups, iota tiles, meshes and their axes; read and written.

Source: XLA, HLO text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from typing import Final

from stablemate.formats.hlo.text.scanner import Scanner
from stablemate.xla.values import AxisRef, IotaTiles, ListedGroups, Mesh, MeshGroups, ReplicaGroups

INT32: Final = 32


def read_integer_rows(scanner: Scanner) -> tuple[tuple[int, ...], ...]:
    """``{{0,1},{2,3}}``."""
    return tuple(scanner.listed("{", "}", scanner.integers))


def read_replica_groups(scanner: Scanner) -> ReplicaGroups:
    """``{{0,1},{2,3}}``, ``[2,4]<=[8]``, or ``mesh['x'=2] {'x'}``."""
    if scanner.at("["):
        start = scanner.position
        tiles = read_tiles(scanner)
        if len(tiles.dimensions) != 2:
            scanner.error("groups have two dimensions, their number and size", (start, start + 1))
        return tiles
    if scanner.at_word("mesh"):
        mesh = read_mesh(scanner)
        return MeshGroups(mesh, read_axes(scanner, mesh))
    start = scanner.position
    rows = read_integer_rows(scanner)
    if any(not row for row in rows):
        scanner.error("a group of replicas has at least one member", (start, start + 1))
    return ListedGroups(rows)


def replica_groups_text(groups: ReplicaGroups) -> str:
    """Replica groups."""
    match groups:
        case ListedGroups():
            return f"{{{','.join(integers_text(each) for each in groups.groups)}}}"
        case IotaTiles():
            return tiles_text(groups)
        case MeshGroups():
            return f"{mesh_text(groups.mesh)} {axes_text(groups.axes, groups.mesh)}"


def integers_text(numbers: Sequence[int]) -> str:
    """``{0,1}``."""
    return f"{{{','.join(map(str, numbers))}}}"


# ---- iota tiles


def read_tiles(scanner: Scanner) -> IotaTiles:
    """``[4,2]<=[2,4]T(1,0)``."""
    start = scanner.position
    dimensions = read_sizes(scanner)
    scanner.expect("<=")
    return read_counting(scanner, dimensions, start)


def read_sizes(scanner: Scanner) -> tuple[int, ...]:
    """``[4,2]``."""
    return tuple(scanner.listed("[", "]", scanner.signed))


def read_counting(scanner: Scanner, dimensions: tuple[int, ...], start: int) -> IotaTiles:
    """What follows ``<=``: how the devices are counted."""
    reshape = read_sizes(scanner)
    permutation = tuple(range(len(reshape)))
    if len(reshape) != 1:
        scanner.expect("T", "'T' and the permutation of the dimensions")
        permutation = tuple(scanner.listed("(", ")", scanner.signed))
    place = (start, scanner.position)
    if sorted(permutation) != list(range(len(reshape))):
        scanner.error("the permutation must name every dimension once", place)
    if any(each < 1 for each in (*dimensions, *reshape)):
        scanner.error("dimensions of devices are positive", place)
    if prod(dimensions) != prod(reshape):
        scanner.error("both shapes must have the same number of devices", place)
    return simplified(IotaTiles(dimensions, reshape, permutation))


def simplified(tiles: IotaTiles) -> IotaTiles:
    """The same order of devices with as few dimensions as possible.

    Dimensions of size one go; neighbours that stay neighbours are merged.
    """
    kept = [i for i in tiles.permutation if tiles.reshape[i] != 1]
    runs: list[list[int]] = []
    present = sorted(kept)
    follower = dict(pairwise(present))
    for i in kept:
        if runs and follower.get(runs[-1][-1]) == i:
            runs[-1].append(i)
        else:
            runs.append([i])
    ordered = sorted(range(len(runs)), key=lambda r: runs[r][0])
    sizes = tuple(prod(tiles.reshape[i] for i in runs[r]) for r in ordered)
    rank = {r: position for position, r in enumerate(ordered)}
    permutation = tuple(rank[r] for r in range(len(runs)))
    if not sizes:
        return IotaTiles(tiles.dimensions, (1,), (0,))
    return IotaTiles(tiles.dimensions, sizes, permutation)


def tiles_text(tiles: IotaTiles) -> str:
    """Iota tiles."""
    return f"{sizes_text(tiles.dimensions)}<={counting_text(tiles)}"


def counting_text(tiles: IotaTiles) -> str:
    """What follows ``<=``."""
    return sizes_text(tiles.reshape) + permutation_text(tiles)


def permutation_text(tiles: IotaTiles) -> str:
    """``T(1,0)``; nothing if there is one dimension."""
    if len(tiles.reshape) == 1:
        return ""
    return f"T({','.join(map(str, tiles.permutation))})"


def sizes_text(sizes: Sequence[int]) -> str:
    """``[4,2]``."""
    return f"[{','.join(map(str, sizes))}]"


# ---- meshes


def read_mesh(scanner: Scanner) -> Mesh:
    """``mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0))``."""
    start = scanner.position
    scanner.expect("mesh")
    axes = tuple(scanner.listed("[", "]", lambda: read_mesh_axis(scanner)))
    place = (start, scanner.position)
    if len({name for name, _ in axes}) != len(axes):
        scanner.error("axes of a mesh have different names", place)
    if any(size < 1 for _, size in axes):
        scanner.error("axes of a mesh have positive sizes", place)
    return Mesh(axes, *read_device_ids(scanner, prod(size for _, size in axes)))


def read_mesh_axis(scanner: Scanner) -> tuple[str, int]:
    """``'x'=2``; older text has no quotes."""
    name = read_axis_name(scanner)
    scanner.expect("=")
    return name, scanner.signed()


def read_axis_name(scanner: Scanner) -> str:
    """A name of an axis."""
    if scanner.at("'") or scanner.at('"'):
        return scanner.string("the name of an axis")
    return scanner.word("the name of an axis in quotes")


def read_device_ids(scanner: Scanner, size: int) -> tuple[tuple[int, ...], IotaTiles | None]:
    """``, device_ids=(3,1,...)`` or ``, device_ids=([4,2]T(1,0))``; nothing is fine too."""
    position = scanner.position
    if not (scanner.accept(",") and scanner.accept("device_ids=")):
        scanner.jump(position)
        return (), None
    scanner.expect("(")
    if scanner.at("["):
        start = scanner.position
        iota = read_counting(scanner, (size,), start)
        scanner.expect(")")
        return (), iota
    return tuple(scanner.items(")", scanner.signed)), None


def mesh_text(mesh: Mesh) -> str:
    """A mesh."""
    axes = ",".join(f"'{name}'={size}" for name, size in mesh.axes)
    text = f"mesh[{axes}]"
    if mesh.iota is not None:
        return f"{text}, device_ids=({counting_text(mesh.iota)})"
    if mesh.device_ids:
        return f"{text}, device_ids=({','.join(map(str, mesh.device_ids))})"
    return text


def read_axes(scanner: Scanner, mesh: Mesh) -> tuple[AxisRef, ...]:
    """``{'x','y':(1)2}``."""
    return tuple(scanner.listed("{", "}", axis_reader(scanner, mesh)))


def axis_reader(scanner: Scanner, mesh: Mesh) -> Callable[[], AxisRef]:
    """Reads an axis of a mesh, ``'x'``, or a part of one, ``'y':(1)2``."""
    numbers = {name: i for i, (name, _) in enumerate(mesh.axes)}

    def read() -> AxisRef:
        place = scanner.here()
        name = read_axis_name(scanner)
        if name not in numbers:
            scanner.error(f"the mesh has no axis '{name}'", place)
        if not scanner.accept(":"):
            return AxisRef(numbers[name])
        scanner.expect("(")
        before = scanner.signed()
        scanner.expect(")")
        return AxisRef(numbers[name], (before, scanner.signed()))

    return read


def axes_text(axes: Sequence[AxisRef], mesh: Mesh) -> str:
    """Axes in braces."""
    return f"{{{','.join(axis_text(each, mesh) for each in axes)}}}"


def axis_text(axis: AxisRef, mesh: Mesh) -> str:
    """An axis, or a part of one."""
    name = f"'{mesh.axes[axis.axis][0]}'"
    return name if axis.sub_axis is None else f"{name}:({axis.sub_axis[0]}){axis.sub_axis[1]}"
