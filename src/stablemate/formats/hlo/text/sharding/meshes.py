"""Reads and writes meshes of devices and their axes.

Source: XLA, HLO text; ``MeshProto``, ``AxisRefProto``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import prod

from stablemate.formats.hlo.text.lexer.scanner import Scanner
from stablemate.formats.hlo.text.sharding.tile_assignments import iota_text, read_iota
from stablemate.xla.values import HloAxisRef, HloMesh, IotaTiles


def read_mesh(scanner: Scanner) -> HloMesh:
    """``mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0))``."""
    start = scanner.position
    scanner.expect("mesh")
    axes = tuple(scanner.read_enclosed("[", "]", lambda: read_mesh_axis(scanner)))
    place = (start, scanner.position)
    if len({name for name, _ in axes}) != len(axes):
        scanner.error("axes of a mesh have different names", place)
    if any(size < 1 for _, size in axes):
        scanner.error("axes of a mesh have positive sizes", place)
    return HloMesh(axes, *read_device_ids(scanner, prod(size for _, size in axes)))


def read_mesh_axis(scanner: Scanner) -> tuple[str, int]:
    """Reads ``'x'=2``; older text has no quotes."""
    name = read_axis_name(scanner)
    scanner.expect("=")
    return name, scanner.signed_integer()


def read_axis_name(scanner: Scanner) -> str:
    """Reads the name of an axis."""
    if scanner.at("'") or scanner.at('"'):
        return scanner.string("the name of an axis")
    return scanner.word("the name of an axis in quotes")


def read_device_ids(scanner: Scanner, size: int) -> tuple[tuple[int, ...], IotaTiles | None]:
    """Reads ``, device_ids=(3,1,...)`` or ``, device_ids=([4,2]T(1,0))``, if either is present.

    Devices that are counted up are not kept.
    """
    position = scanner.position
    if not (scanner.accept(",") and scanner.accept("device_ids=")):
        scanner.jump(position)
        return (), None
    scanner.expect("(")
    start = scanner.position
    if scanner.at("["):
        iota = read_iota(scanner, (size,), start)
        scanner.expect(")")
        return (), None if len(iota.reshape) == 1 else iota
    ids = tuple(scanner.read_separated(")", scanner.signed_integer))
    if len(ids) != size or sorted(ids) != list(range(size)):
        scanner.error(f"device_ids names the devices from 0 to {size - 1} once", (start, start + 1))
    return () if ids == tuple(range(size)) else ids, None


def mesh_text(mesh: HloMesh) -> str:
    """Formats a mesh with its axes and device ids."""
    axes = ",".join(f"'{name}'={size}" for name, size in mesh.axes)
    text = f"mesh[{axes}]"
    if mesh.iota is not None:
        return f"{text}, device_ids=({iota_text(mesh.iota)})"
    if mesh.device_ids:
        return f"{text}, device_ids=({','.join(map(str, mesh.device_ids))})"
    return text


def read_axes(scanner: Scanner, mesh: HloMesh) -> tuple[HloAxisRef, ...]:
    """``{'x','y':(1)2}``."""
    start = scanner.position
    axes = tuple(scanner.read_enclosed("{", "}", axis_reader(scanner, mesh)))
    check_disjoint(scanner, axes, mesh, (start, scanner.position))
    return axes


def axis_reader(scanner: Scanner, mesh: HloMesh) -> Callable[[], HloAxisRef]:
    """Returns a reader of an axis of a mesh, ``'x'``, or a part of one, ``'y':(1)2``."""
    numbers = {name: i for i, (name, _) in enumerate(mesh.axes)}

    def read() -> HloAxisRef:
        place = scanner.here()
        name = read_axis_name(scanner)
        if name not in numbers:
            scanner.error(f"the mesh has no axis '{name}'", place)
        number = numbers[name]
        if not scanner.accept(":"):
            return HloAxisRef(number)
        scanner.expect("(")
        before = scanner.signed_integer()
        scanner.expect(")")
        size, axis_size = scanner.signed_integer(), mesh.axes[number][1]
        if before < 1 or size < 2 or axis_size % (before * size) or size == axis_size:
            message = f"({before}){size} is not a part of the axis '{name}' of size {axis_size}"
            scanner.error(message, (place[0], scanner.position))
        return HloAxisRef(number, (before, size))

    return read


def check_disjoint(
    scanner: Scanner, axes: Iterable[HloAxisRef], mesh: HloMesh, place: tuple[int, int]
) -> None:
    """Reports axes of which two parts overlap."""
    parts: dict[int, list[tuple[int, int]]] = {}
    for axis in axes:
        first, size = axis.sub_axis or (1, mesh.axes[axis.axis][1])
        parts.setdefault(axis.axis, []).append((first, first * size))
    for number, ranges in parts.items():
        if any(end > start for (_, end), (start, _) in pairwise(sorted(ranges))):
            scanner.error(f"the axis '{mesh.axes[number][0]}' is used twice", place)


def axes_text(axes: Sequence[HloAxisRef], mesh: HloMesh, separator: str = ",") -> str:
    """Formats axes, separated, in braces: ``{'x','y':(1)2}``."""
    return f"{{{separator.join(axis_text(axis, mesh) for axis in axes)}}}"


def axis_text(axis: HloAxisRef, mesh: HloMesh) -> str:
    """Prints an axis, or a part of one."""
    name = f"'{mesh.axes[axis.axis][0]}'"
    return name if axis.sub_axis is None else f"{name}:({axis.sub_axis[0]}){axis.sub_axis[1]}"
