"""Grids on global arrays: the program of one device, and the parts of arrays on each.

A program of global tensors that carries shardings is partitioned. In the program of
one device, the shardings of arguments and results say which pieces they are, as XLA writes them
after its partitioner.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from stablemate.api.program import Program
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    UnsupportedError,
)
from stablemate.dialects.func import FuncOp
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.execution.executable import process_arguments
from stablemate.execution.signature import is_tuple
from stablemate.ir import core
from stablemate.ir.grid import Grid
from stablemate.ir.types import TensorType, Type
from stablemate.transforms.partitioning import requested_shardings, tiles
from stablemate.transforms.partitioning.devices import Devices
from stablemate.transforms.partitioning.placement import Placement, replicated
from stablemate.transforms.sdy_partition import PARAMETERS, Partitioned, partitioned

MANUAL: Final = "sdy.manual_computation"
# What a program asks only if it is that of one device, beside collective operations.
OF_DEVICES: Final = (MANUAL, "stablehlo.partition_id", "stablehlo.recv", "stablehlo.send")


@dataclass(frozen=True, slots=True)
class Sharing:
    """How the partitions of a grid share the arguments and the results of a function.

    Attributes:
        devices: The partitions, as devices of a mesh.
        arguments: How they share each argument; None if nothing is said of it.
        results: How they share each result.
        kept: Which of the arguments that are given the function takes; None if all of them.
    """

    devices: Devices
    arguments: Sequence[Placement | None]
    results: Sequence[Placement | None]
    kept: Sequence[int] | None = None

    def pieces(self, arguments: Any, grid: Grid, taken: Sequence[Type]) -> list[Any]:
        """The arguments of each process: whole arrays are cut, pieces stay as they are.

        Args:
            arguments: As ``run_grid`` takes them.
            grid: The processes.
            taken: The types that a process takes.
        """
        entries = process_arguments(arguments, grid)
        pairs = zip(grid.processes, entries, strict=True)
        return [self.own(entry, device, taken) for (_, device), entry in pairs]

    def own(self, entry: Sequence[Any], device: int, taken: Sequence[Type]) -> tuple[Any, ...]:
        """What a device takes of the arguments of its process."""
        if self.kept is not None and len(entry) > len(taken):
            entry = [entry[i] for i in self.kept]
        if len(entry) != len(taken):
            return tuple(entry)  # the signature says what is missing
        triples = zip(entry, taken, self.arguments, strict=True)
        return tuple(self.piece(*triple, device) for triple in triples)

    def piece(self, value: Any, taken: Type, placement: Placement | None, device: int) -> Any:
        """A device's piece of a whole array; any other value as it is."""
        if placement is None or not isinstance(taken, TensorType):
            return value
        if np.shape(value) != whole_type(taken, placement).shape:
            return value
        division = self.devices.division(placement)
        return division.piece(np.asarray(value), self.devices.members[device])

    def whole(self, results: Sequence[Any], grid: Grid) -> list[Any]:
        """The whole results of each replica.

        Raises:
            UnsupportedError: Nothing is said of how a result is divided.
        """
        rows = [entry if is_tuple(entry) else (entry,) for entry in results]
        count, assembled = grid.num_partitions, list[Any]()
        for replica in range(grid.num_replicas):
            own = rows[replica * count : (replica + 1) * count]
            held = ([own[device][i] for device in self.devices.ids] for i in range(len(own[0])))
            joined = tuple(self.joined(i, parts) for i, parts in enumerate(held))
            assembled.append(joined[0] if len(joined) == 1 else joined)
        return assembled

    def joined(self, result: int, held: Sequence[Any]) -> Any:
        """A global result, assembled from the parts of the devices, in their order in the mesh."""
        placement = self.results[result]
        if placement is None:
            text = f"nothing is said of how result {result} is divided: it cannot be put together"
            raise UnsupportedError(text)
        return held[0] if held[0] is None else self.devices.division(placement).whole(held, 0)


def whole_type(local: TensorType, placement: Placement) -> TensorType:
    """The type of the tensor of which a device has a piece."""
    pairs = zip(local.shape, placement.counts, strict=True)
    return local.with_shape([size * count for size, count in pairs])


@dataclass(slots=True)
class Ways:
    """How a function may share whole arrays on a grid.

    Attributes:
        pieces: What a program of one device says; None if it says nothing.
        is_global: Whether the program may be one of global tensors, for as many devices.
        function: The function.
        partitioned: The program of one device that was made of it, once it is needed.
    """

    pieces: Sharing | None
    is_global: bool
    function: FuncOp
    partitioned: tuple[Any, Sharing] | None = None


def is_global(module: core.Module, function: FuncOp, grid: Grid) -> bool:
    """Whether a program divides tensors over the partitions, and is not that of one device."""
    if grid.num_partitions == 1 or PARAMETERS in module.operation.discardable:
        return False
    if any(map(is_of_devices, module.operation.walk())) or not requested_shardings.divides(
        module.operation
    ):
        return False
    with suppress(UnsupportedError):
        shardings = requested_shardings.program_shardings(module, function)
        return shardings is not None and shardings.devices.count == grid.num_partitions
    return False


def is_of_devices(operation: core.Operation) -> bool:
    """Whether an operation communicates with other devices, or depends on its device."""
    return isinstance(operation, Collective) or operation.name in OF_DEVICES


def of_global(program: Program, entry: str | None, grid: Grid) -> tuple[Partitioned, Sharing]:
    """A program of global tensors as the program of one device.

    Raises:
        ArgumentValueError: It has no shardings, or is made for another grid.
        UnsupportedError: An operation cannot be divided; it is named.
    """
    program.verify_executable()
    exported = program.exported
    if exported and (exported.ordered_effects or len(exported.platforms) > 1):
        raise UnsupportedError("a program with ordered effects or platforms is not partitioned")
    function = program.entry(entry)
    result = partitioned(program.ir, function.own_signature.name, grid.num_replicas)
    count = result.devices.count
    if count != grid.num_partitions:
        values = {"mesh": count, "partitions": grid.num_partitions}
        text = "the devices of the mesh are the partitions"
        raise ArgumentValueError(Diagnostic(text, span=function.operation.span, values=values))
    kept = exported.kept if exported else None
    return result, Sharing(result.devices, result.arguments, result.results, kept)


def of_pieces(program: Program, function: FuncOp, grid: Grid) -> Sharing | None:
    """How a program of local arrays divides global ones; None if it does not state it."""
    if grid.num_partitions > 1 and MANUAL in {
        operation.name for operation in program.operation.walk()
    }:
        return of_whole(function, grid)
    texts = [
        argument_attribute.get(tiles.ATTRIBUTE)
        for argument_attribute in function.argument_attributes
    ]
    if not any(texts) or grid.num_partitions == 1:
        return None
    try:
        shardings = requested_shardings.program_shardings(program.ir, function, grid.num_replicas)
    except UnsupportedError:  # an order of devices that no mesh has
        return None
    if shardings is None or shardings.devices.count != grid.num_partitions:
        return None
    sides = [
        (function.argument_attributes, function.type.inputs),
        (function.result_attributes, function.type.results),
    ]
    arguments, results = (
        [shardings.of_value(*pair) for pair in zip(attributes, types, strict=True)]
        for attributes, types in sides
    )
    return Sharing(
        shardings.devices,
        [argument.placement if argument else None for argument in arguments],
        [result.placement if result else None for result in results],
    )


def of_whole(function: FuncOp, grid: Grid) -> Sharing:
    """How the devices of a manual computation share the whole: each has all of it."""
    devices = Devices({"device": grid.num_partitions}, tuple(range(grid.num_partitions)))
    results = [replicated(getattr(result, "rank", 0)) for result in function.type.results]
    return Sharing(devices, [None] * len(function.type.inputs), results)


def is_for_pieces(sharing: Sharing, arguments: Any, taken: Sequence[Type]) -> bool:
    """Whether arguments are for a program of pieces.

    They are if each process has its own, or if some are the whole of what is divided.
    """
    if not is_tuple(arguments):
        return True
    if len(arguments) != len(taken):
        return False
    triples = zip(arguments, taken, sharing.arguments, strict=True)
    return any(
        placement is not None
        and not placement.is_whole
        and isinstance(value_type, TensorType)
        and np.shape(value) == whole_type(value_type, placement).shape
        for value, value_type, placement in triples
    )
