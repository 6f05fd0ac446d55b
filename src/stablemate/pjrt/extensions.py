"""Extensions of the interface: layouts, and shardings of compiled programs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stablemate.pjrt.executables import CompiledProgram
from stablemate.pjrt.interface.structures import STRUCTURE
from stablemate.pjrt.native.layouts import MAXIMUM_RANK
from stablemate.pjrt.native.records import word
from stablemate.pjrt.objects import NativeObject, object_at
from stablemate.pjrt.programs import Operand
from stablemate.pjrt.status import status_of
from stablemate.pjrt.wire_format import packed, written
from stablemate.transforms.partitioning.devices import Devices
from stablemate.transforms.partitioning.placement import Placement

LAYOUTS, SHARDINGS = 4, 19  # PJRT_Extension_Type
ENTRY_TYPE: Final = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
# Fields and values of OpSharding.
TYPE, TILE_SIZES, TILE_DEVICES, REPLICATE_ON_LAST = 1, 3, 4, 6
REPLICATED, OTHER = 0, 3


class Layout(NativeObject):
    """The layout of a rank: major to minor."""

    def __init__(self, rank: int) -> None:
        super().__init__()
        text = "{" + ",".join(map(str, reversed(range(rank)))) + "}"
        where, size = self.string("text", text)
        self.words[word("layout", "text")] = where
        self.words[word("layout", "text_size")] = size


BY_RANK: Final = [Layout(rank) for rank in range(MAXIMUM_RANK)]
LAYOUT_TABLE: Final = (ctypes.c_void_p * MAXIMUM_RANK)(*[each.address for each in BY_RANK])


def layouts_of(found: CompiledProgram, side: str, values: Sequence[Operand]) -> tuple[int, int]:
    """The layouts of arguments or results."""
    addresses = [BY_RANK[len(each.shape)].address for each in values]
    return found.array(f"{side} layouts", ctypes.c_void_p, addresses)


def output_layouts(a: Any) -> None:
    """The layouts of the results."""
    found = object_at(a.executable, CompiledProgram)
    a.layouts, a.num_outputs = layouts_of(found, "result", found.program.results)


def parameter_layouts(a: Any) -> None:
    """The layouts of the arguments."""
    found = object_at(a.executable, CompiledProgram)
    a.layouts, a.num_parameters = layouts_of(found, "argument", found.program.arguments)


def op_sharding(devices: Devices, placement: Placement) -> bytes:
    """An ``OpSharding``: how devices share a tensor."""
    if placement.is_whole:
        return written(TYPE, REPLICATED)
    counts = list(placement.counts)
    tiles = int(np.prod(counts))
    whole = np.arange(tiles).reshape(counts)
    division = devices.division(placement)
    members: list[list[int]] = [[] for _ in range(tiles)]
    for device in devices.ids:
        piece = division.piece(whole, devices.members[device])
        members[int(piece.reshape(-1)[0])].append(device)
    copies = devices.count // tiles
    sizes = [*counts, copies] if copies > 1 else counts
    content = written(TYPE, OTHER) + packed(TILE_SIZES, sizes)
    content += packed(TILE_DEVICES, [device for row in members for device in row])
    return content + (written(REPLICATE_ON_LAST, 1) if copies > 1 else b"")


def shardings_of(found: CompiledProgram, side: str) -> tuple[int, int, int] | None:
    """The shardings of arguments or results, their lengths and their number."""
    sharing = found.program.sharing
    if sharing is None:
        return None
    placements = sharing.results if side == "outputs" else sharing.arguments
    contents = [op_sharding(sharing.devices, each) for each in placements]
    addresses = [
        found.array(f"{side} sharding {number}", ctypes.c_uint8, content)[0]
        for number, content in enumerate(contents)
    ]
    where, count = found.array(f"{side} shardings", ctypes.c_void_p, addresses)
    sizes, _ = found.array(f"{side} sharding sizes", ctypes.c_size_t, [*map(len, contents)])
    return where, sizes, count


def sharding_entry(side: str) -> Callable[[Any], None]:
    """The function that says how devices share arguments or results."""

    def entry(a: Any) -> None:
        shardings = shardings_of(object_at(a.executable, CompiledProgram), side)
        a.shardings, a.sharding_sizes, count = shardings or (None, None, 0)
        setattr(a, f"num_{side}", count)

    return entry


class Extensions:
    """The chain of extensions, in memory.

    Attributes:
        address: Where the first one is.
    """

    def __init__(self, library: Mapping[str, int]) -> None:
        """Builds the chain.

        Args:
            library: Addresses of native functions by name.
        """
        self.entries: list[Any] = []
        prefix = "Layouts_PJRT_Executable_Get"
        shardings = [
            self.entry(f"Shardings_Executable_{side}", sharding_entry(side))
            for side in ("parameters", "outputs")
        ]
        layouts = [
            library["Layouts_MemoryLayout_Destroy"],
            library["Layouts_MemoryLayout_Serialize"],
            library["Layouts_PJRT_Client_GetDefaultLayout"],
            library["Layouts_PJRT_Buffer_MemoryLayout"],
            library["Layouts_PJRT_Client_GetDefaultLayout"],  # of a topology: the same fields
            self.entry(f"{prefix}OutputLayouts_Args", output_layouts),
            self.entry(f"{prefix}ParameterLayouts_Args", parameter_layouts),
        ]
        self.shardings = extension(SHARDINGS, None, shardings)
        self.layouts = extension(LAYOUTS, self.shardings, layouts)
        self.address = ctypes.addressof(self.layouts)

    def entry(self, structure: str, implementation: Callable[[Any], None]) -> int:
        """The address of a callback that runs an implementation."""
        view = STRUCTURE[structure].from_address

        def call(address: int) -> int | None:
            try:
                implementation(view(address))
            except BaseException as error:
                return status_of(error).address
            return None

        self.entries.append(ENTRY_TYPE(call))
        return ctypes.cast(self.entries[-1], ctypes.c_void_p).value or 0


def extension(kind: int, following: Any, functions: Sequence[int]) -> Any:
    """An extension in memory: size, kind, the next one, and its functions."""
    count = 3 + len(functions)
    after = 0 if following is None else ctypes.addressof(following)
    return (ctypes.c_uint64 * count)(8 * count, kind, after, *functions)
