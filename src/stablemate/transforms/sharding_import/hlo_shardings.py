"""Shardings of HLO (``mhlo.sharding``) as shardings of Shardy on one mesh.

Source: XLA, ``HloSharding``; Shardy dialect, sharding.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ParseError, UnsupportedError, VerifyError
from stablemate.diagnostics.source import Span
from stablemate.dialects.builtin import stated_grid
from stablemate.dialects.func import FuncOp
from stablemate.dialects.sdy.attributes import (
    AxisRef,
    DimensionSharding,
    Mesh,
    TensorSharding,
)
from stablemate.formats.hlo.sharding_attributes import sharding_of_attribute
from stablemate.ir.attributes import StringAttribute, SymbolAttribute
from stablemate.ir.core import Module, Operation
from stablemate.ir.types import Attribute, TensorType, Type
from stablemate.transforms.sharding_import.boundaries import open_sharding
from stablemate.transforms.sharding_import.device_meshes import (
    axes_of_strides,
    common_mesh,
    places_of,
    strides,
)
from stablemate.transforms.sharding_import.device_tiles import DeviceTiles, tiles_of
from stablemate.xla.values import HloSharding

ATTRIBUTE: Final = "mhlo.sharding"
MESH: Final = "mesh"
SIDES: Final = ("arg_attrs", "res_attrs")
UNSPECIFIED: Final = re.compile(r"unspecified_dims=\[([\d,\s]*)\]")


@dataclass(frozen=True, slots=True)
class StatedSharding:
    """The text of a sharding where a program states it.

    Attributes:
        text: The text.
        operation: The operation that has it, or the function whose argument or result has it.
        part: The part of the operation that it stands in.
    """

    text: str
    operation: Operation
    part: str = ATTRIBUTE

    @property
    def span(self) -> Span | None:
        """The characters of the text that state it."""
        return self.operation.part(self.part)

    def error(self, message: str, **values: object) -> VerifyError:
        """An error about it, at its place."""
        facts = {"sharding": self.text, **values}
        return VerifyError(Diagnostic(message, ATTRIBUTE, self.span, facts))

    def unsupported_error(self, message: str) -> UnsupportedError:
        """An error about what cannot be done with it, at its place."""
        return UnsupportedError(Diagnostic(message, ATTRIBUTE, self.span, {"sharding": self.text}))

    def read(self) -> HloSharding:
        """The sharding.

        Raises:
            VerifyError: The text is none.
        """
        try:
            return sharding_of_attribute(self.text)
        except ParseError as error:
            raise self.error(f"this is no sharding: {error.diagnostics[0].message}") from error

    def tiles(self, sharding: HloSharding) -> DeviceTiles | None:
        """The devices of the sharding, or of an element of it.

        Raises:
            UnsupportedError: It is about more devices than a grid has.
        """
        try:
            return tiles_of(sharding)
        except UnsupportedError as error:
            raise self.unsupported_error(error.diagnostics[0].message) from error


def stated_shardings(top: Operation) -> Iterator[StatedSharding]:
    """Yields the shardings that a program states, in order."""
    for operation in top.walk():
        if isinstance(operation, FuncOp):
            for part, side in zip(SIDES, sides_of(operation), strict=True):
                for entry in side:
                    yield from statements(operation, entry, part)
        yield from statements(operation, operation.discardable)


def sides_of(function: FuncOp) -> tuple[Any, Any]:
    """The attributes of the arguments and of the results of a function."""
    return function.argument_attributes, function.result_attributes


def statements(
    operation: Operation, attributes: Mapping[str, Attribute], part: str = ATTRIBUTE
) -> Iterator[StatedSharding]:
    """Yields the sharding among some attributes, if there is one."""
    attribute = attributes.get(ATTRIBUTE)
    if isinstance(attribute, StringAttribute):
        yield StatedSharding(attribute.value, operation, part)


class HloShardings:
    """The shardings of a program on the one mesh that they have in common.

    Attributes:
        mesh: The mesh.
        name: Its name.
        maximal: The single devices that shardings name.
    """

    def __init__(self, stated: Sequence[StatedSharding], module: Module, name: str) -> None:
        """Reads all shardings, and recovers the mesh.

        Raises:
            VerifyError: A text is no sharding.
            UnsupportedError: No mesh divides devices as all of them do.
        """
        self.name = name
        self.sizes: Mapping[str, int]
        self.read: dict[str, HloSharding] = {}
        self.maximal: set[int] = set()
        tiles: dict[HloSharding, tuple[StatedSharding, DeviceTiles]] = {}
        for statement in stated:
            if statement.text in self.read:
                continue
            sharding = self.read[statement.text] = statement.read()
            for element in leaves(sharding):
                found = statement.tiles(element)
                if found is not None:
                    tiles.setdefault(element, (statement, found))
        self.tiles = {sharding: found for sharding, (_, found) in tiles.items()}
        self.mesh = recovered_mesh([*tiles.values()], device_count(module, self.tiles.values()))
        self.sizes = self.mesh.sizes
        self.places = places_of(self.mesh.device_ids, self.mesh.size)
        self.rows = {sharding: self.axes_along(found) for sharding, found in self.tiles.items()}

    def axes_along(self, tiles: DeviceTiles) -> list[tuple[str, ...]]:
        """The axes along each dimension of an assignment, subgroups last."""
        rows = strides(tiles.renumber(self.places).devices)
        return [tuple(part.name for part in axes_of_strides(self.sizes, row)) for row in rows]

    def elements(self, stated: StatedSharding, count: int) -> Sequence[HloSharding]:
        """The sharding of each of several values.

        Raises:
            VerifyError: There are others than values.
        """
        found = leaves(self.read[stated.text])
        if len(found) != count and self.read[stated.text].kind != "tuple":
            found = list(found) * count
        if len(found) != count:
            raise stated.error(
                "a tuple has a sharding for each value", shardings=len(found), values=count
            )
        return found

    def manual_axes(self, sharding: HloSharding) -> tuple[str, ...]:
        """The axes of several devices along which a value is a shard already, in order."""
        whole = sharding.kind if sharding.named is None else sharding.named.whole
        if whole == "manual":
            return tuple(axis for axis, size in self.sizes.items() if size > 1)
        return self.in_subgroup(sharding, "manual")

    def in_subgroup(self, sharding: HloSharding, kind: str) -> tuple[str, ...]:
        """The axes of a subgroup, in the order of the mesh."""
        tiles = self.tiles.get(sharding)
        if tiles is None:
            return ()
        rows = zip(tiles.subgroups, self.rows[sharding][tiles.rank :], strict=True)
        axes = {axis for subgroup, row in rows if subgroup == kind for axis in row}
        return tuple(axis for axis in self.sizes if axis in axes)

    def on_mesh(
        self,
        sharding: HloSharding,
        value_type: Type,
        stated: StatedSharding,
        unspecified: Collection[int] = (),
    ) -> TensorSharding | None:
        """A sharding in Shardy's form; None if it says nothing about the value.

        Args:
            sharding: The sharding.
            value_type: The type of the value.
            stated: Where it is stated.
            unspecified: The dimensions that further axes may divide.

        Raises:
            VerifyError: The value has another rank.
        """
        rank = value_type.rank if isinstance(value_type, TensorType) else 0
        mesh = SymbolAttribute(self.name)
        kind = sharding.kind if sharding.named is None else sharding.named.whole or "tiled"
        match kind:
            case "manual" | "unknown":
                return None
            case "maximal":
                return self.on_one_device(sharding)
            case "tiled":
                rows = self.dimension_rows(sharding, value_type, rank, stated)
                terms = self.in_subgroup(sharding, "unreduced")
            case _:
                rows = [()] * rank
                terms = tuple(self.sizes) if kind == "unreduced" else ()
        dimensions = tuple(
            DimensionSharding(tuple(map(AxisRef, row)), is_closed=number not in unspecified)
            for number, row in enumerate(rows)
        )
        return TensorSharding(mesh, dimensions, unreduced=tuple(map(AxisRef, terms)))

    def dimension_rows(
        self, sharding: HloSharding, value_type: Type, rank: int, stated: StatedSharding
    ) -> Sequence[tuple[str, ...]]:
        """The axes that divide each dimension of a value.

        Raises:
            VerifyError: The value has another rank.
        """
        tiles = self.tiles[sharding]
        if tiles.rank != rank:
            raise stated.error(
                "a sharding has as many dimensions as its tensor, the last ones of subgroups aside",
                dimensions=tiles.rank,
                type=value_type,
            )
        return self.rows[sharding][:rank]

    def replicated_sharding(self, value_type: Type) -> TensorSharding:
        """The sharding of a value that all devices have."""
        return open_sharding(SymbolAttribute(self.name), value_type, is_open=False)

    def on_one_device(self, sharding: HloSharding) -> TensorSharding:
        """The sharding of a value that one device has."""
        devices = sharding.devices if sharding.named is None else sharding.named.mesh.device_ids
        self.maximal.add(devices[0])
        return TensorSharding(SymbolAttribute(f"{self.name}_of_device_{devices[0]}"))

    def meshes(self) -> dict[str, Mesh]:
        """The meshes by name, those of single devices after the common one."""
        return {
            self.name: self.mesh,
            **{
                f"{self.name}_of_device_{device}": Mesh((), (device,))
                for device in sorted(self.maximal)
            },
        }


def leaves(sharding: HloSharding) -> Sequence[HloSharding]:
    """The shardings of a tuple; a sharding itself."""
    return sharding.elements if sharding.kind == "tuple" else (sharding,)


def device_count(module: Module, tiles: Iterable[DeviceTiles]) -> int:
    """How many devices shardings are about; by default as many as there are partitions."""
    partitions = stated_grid(module.operation).num_partitions
    return max((found.devices.size for found in tiles), default=partitions)


def recovered_mesh(stated: Sequence[tuple[StatedSharding, DeviceTiles]], count: int) -> Mesh:
    """The mesh of all shardings.

    Raises:
        UnsupportedError: There is none.
    """
    try:
        return common_mesh([found for _, found in stated], count)
    except UnsupportedError as error:
        raise UnsupportedError(conflict(stated, count, error.diagnostics[0].message)) from error


def conflict(
    stated: Sequence[tuple[StatedSharding, DeviceTiles]], count: int, reason: str
) -> Diagnostic:
    """Names a sharding that has no mesh in common with those before it, and one of these.

    Args:
        stated: The shardings, which have no mesh in common.
        count: The number of devices.
        reason: Why there is none.
    """
    tiles = [found for _, found in stated]
    shared, refused = 0, len(tiles)
    while refused - shared > 1:
        middle = (shared + refused) // 2
        if has_mesh(tiles[:middle], count):
            shared = middle
        else:
            refused = middle
    last = stated[refused - 1]
    partners = (
        statement
        for statement, found in stated[: refused - 1]
        if not has_mesh([found, last[1]], count)
    )
    notes = tuple(
        Diagnostic("the other sharding", span=partner.span, values={"sharding": partner.text})
        for partner in islice(partners, 1)
    )
    values = {"sharding": last[0].text}
    text = f"no mesh divides {count} devices as all shardings do: {reason}"
    return Diagnostic(text, ATTRIBUTE, last[0].span, values, notes)


def has_mesh(tiles: Sequence[DeviceTiles], count: int) -> bool:
    """Whether a mesh divides devices as these shardings do."""
    try:
        common_mesh(tiles, count)
    except UnsupportedError:
        return False
    return True


def unspecified_dimensions(attribute: Attribute | None) -> frozenset[int]:
    """The dimensions that ``backend_config`` of ``@Sharding`` leaves to propagation."""
    text = attribute.value if isinstance(attribute, StringAttribute) else ""
    match = UNSPECIFIED.search(text)
    if match is None:
        return frozenset()
    return frozenset(int(number) for number in match[1].split(",") if number.strip())
