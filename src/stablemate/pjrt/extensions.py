"""Extensions of the interface: layouts and shardings of compiled programs, and the profiler."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from stablemate.pjrt.entries import report_errors
from stablemate.pjrt.executables import PjrtExecutable
from stablemate.pjrt.interface.structures import STRUCTURE, Structure
from stablemate.pjrt.layouts import layout_of
from stablemate.pjrt.native.library import EXTENSION_ENTRIES, PROFILER_ENTRIES
from stablemate.pjrt.objects import object_at
from stablemate.pjrt.options.wire_format import encoded_field, packed_field
from stablemate.pjrt.profiler import interface as profiler
from stablemate.pjrt.programs import ProgramValue
from stablemate.transforms.partitioning.device_orders import Order
from stablemate.transforms.partitioning.devices import MeshDevices
from stablemate.transforms.partitioning.placement import TensorPlacement
from stablemate.transforms.partitioning.tiles import tile_assignment

LAYOUTS, SHARDINGS = 4, 19  # PJRT_Extension_Type
# Fields and values of OpSharding.
TYPE, TILE_SIZES, TILE_DEVICES, REPLICATE_ON_LAST, LAST_TILE_DIMS = 1, 3, 4, 6, 8
TYPES: Final = {"replicated": 0, "tiled": 3, "unreduced": 6}


def layouts_of(
    compiled: PjrtExecutable, side: str, values: Sequence[ProgramValue]
) -> tuple[int, int]:
    """The layouts of arguments or results."""
    addresses = [layout_of(value.major_to_minor).address for value in values]
    return compiled.array(f"{side} layouts", ctypes.c_void_p, addresses)


def output_layouts(a: Structure) -> None:
    """The layouts of the results."""
    compiled = object_at(a.executable, PjrtExecutable)
    a.layouts, a.num_outputs = layouts_of(compiled, "result", compiled.program.results)


def parameter_layouts(a: Structure) -> None:
    """The layouts of the arguments."""
    compiled = object_at(a.executable, PjrtExecutable)
    a.layouts, a.num_parameters = layouts_of(compiled, "argument", compiled.program.arguments)


def op_sharding(
    devices: MeshDevices, placement: TensorPlacement, order: Order | None = None
) -> bytes:
    """An ``OpSharding``: how devices share a tensor.

    Args:
        devices: The devices.
        placement: How they share it.
        order: The device that has the shard of each process; None if it runs the process.
    """
    assignment = tile_assignment(devices, placement, order)
    content = encoded_field(TYPE, TYPES[assignment.kind])
    if assignment.kind != "tiled":
        return content
    content += packed_field(TILE_SIZES, assignment.sizes)
    content += packed_field(TILE_DEVICES, assignment.devices)
    if assignment.last_dimensions == ("replicated",):
        return content + encoded_field(REPLICATE_ON_LAST, 1)
    kinds = [TYPES[kind] for kind in assignment.last_dimensions]
    return content + (packed_field(LAST_TILE_DIMS, kinds) if kinds else b"")


def shardings_of(compiled: PjrtExecutable, side: str) -> tuple[int, int, int] | None:
    """The shardings of arguments or results, their lengths and their number.

    A program for several partitions that states no sharding has replicated arguments and results:
    jaxlib's calls fail with ``std::bad_cast`` if it gets no answer for such a program.
    """
    program = compiled.program
    sharing = program.sharing
    if sharing is not None:
        placements = sharing.results if side == "outputs" else sharing.arguments
        orders: Sequence[Order | None] = [None] * len(placements)
        if program.ordered is not None:
            orders = program.ordered.results if side == "outputs" else program.ordered.arguments
        pairs = zip(placements, orders, strict=True)
        contents = [op_sharding(sharing.devices, *pair) for pair in pairs]
    elif program.options.is_spmd and program.options.num_partitions > 1:
        values = program.results if side == "outputs" else program.arguments
        contents = [encoded_field(TYPE, TYPES["replicated"])] * len(values)
    else:
        contents = []
    if not contents:  # jaxlib fails on an empty list
        return None
    addresses = [
        compiled.array(f"{side} sharding {number}", ctypes.c_uint8, content)[0]
        for number, content in enumerate(contents)
    ]
    where, count = compiled.array(f"{side} shardings", ctypes.c_void_p, addresses)
    sizes, _ = compiled.array(f"{side} sharding sizes", ctypes.c_size_t, [*map(len, contents)])
    return where, sizes, count


def sharding_entry(side: str) -> Callable[[Structure], None]:
    """The function that returns the shardings of arguments or results."""

    def entry(a: Structure) -> None:
        shardings = shardings_of(object_at(a.executable, PjrtExecutable), side)
        a.shardings, a.sharding_sizes, count = shardings or (None, None, 0)
        setattr(a, f"num_{side}", count)

    return entry


IMPLEMENTATIONS: Final[Mapping[str, Callable[[Structure], None]]] = {
    "Layouts_PJRT_Executable_GetOutputLayouts_Args": output_layouts,
    "Layouts_PJRT_Executable_GetParameterLayouts_Args": parameter_layouts,
    "Shardings_Executable_parameters": sharding_entry("parameters"),
    "Shardings_Executable_outputs": sharding_entry("outputs"),
}


def entry_of(name: str) -> Any:
    """The entry of a function of an extension."""
    if name in PROFILER_ENTRIES:
        return report_errors(profiler.IMPLEMENTATIONS[name])
    view, implementation = STRUCTURE[name].from_address, IMPLEMENTATIONS[name]
    return report_errors(lambda address: implementation(view(address)))


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
        outputs, parameters, *shardings = EXTENSION_ENTRIES
        self.profiler_interface = profiler.profiler_interface(library)
        self.profiler = extension(
            profiler.PROFILER, None, [ctypes.addressof(self.profiler_interface), 0]
        )
        layouts = [
            "Layouts_MemoryLayout_Destroy",
            "Layouts_MemoryLayout_Serialize",
            "Layouts_PJRT_Client_GetDefaultLayout",
            "Layouts_PJRT_Buffer_MemoryLayout",
            "Layouts_PJRT_Client_GetDefaultLayout",  # of a topology: the same fields
            outputs,
            parameters,
        ]
        self.shardings = extension(SHARDINGS, self.profiler, [library[name] for name in shardings])
        self.layouts = extension(LAYOUTS, self.shardings, [library[name] for name in layouts])
        self.address = ctypes.addressof(self.layouts)


def extension(kind: int, following: Any, words: Sequence[int]) -> Any:
    """An extension in memory: size, kind, the next one, and what it has: functions, mostly."""
    count = 3 + len(words)
    after = 0 if following is None else ctypes.addressof(following)
    return (ctypes.c_uint64 * count)(8 * count, kind, after, *words)
