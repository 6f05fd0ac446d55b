"""Grids on global arrays: the program of one device, and the parts of arrays on each.

A program of global tensors that carries shardings is partitioned. In the program of
one device, the shardings of arguments and results say which pieces they are, as XLA writes them
after its partitioner.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np

from stablemate.api.program import Program
from stablemate.deferred_dataclasses import dataclass
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
from stablemate.transforms.partitioned_programs import PARAMETERS
from stablemate.transforms.partitioning import requested_shardings, tiles
from stablemate.transforms.partitioning.devices import MeshDevices
from stablemate.transforms.partitioning.placement import TensorPlacement, replicated_placement
from stablemate.transforms.sdy_partition import Partitioned, partition_program

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

    devices: MeshDevices
    arguments: Sequence[TensorPlacement | None]
    results: Sequence[TensorPlacement | None]
    kept: Sequence[int] | None = None

    def local_arguments(self, arguments: object, grid: Grid, types: Sequence[Type]) -> list[Any]:
        """Returns the arguments of each process: global arrays are split, shards stay as they are.

        The first device along unreduced axes has the elements of a global array, others have
        zeros. If no other axis divides it, the arguments of single processes are shards.

        Args:
            arguments: As ``run_grid`` takes them.
            grid: The processes.
            types: The types of the arguments of a process.
        """
        entries = process_arguments(arguments, grid)
        pairs = zip(grid.processes, entries, strict=True)
        common = is_tuple(arguments)
        return [
            self.device_arguments(entry, device, types, common=common)
            for (_, device), entry in pairs
        ]

    def device_arguments(
        self, entry: Sequence[object], device: int, types: Sequence[Type], *, common: bool
    ) -> tuple[Any, ...]:
        """Returns the arguments of a device, given those of its process, or of all in common."""
        if self.kept is not None and len(entry) > len(types):
            entry = [entry[i] for i in self.kept]
        if len(entry) != len(types):
            return tuple(entry)  # checking the signature reports what is missing
        triples = zip(entry, types, self.arguments, strict=True)
        return tuple(self.shard(*triple, device, common=common) for triple in triples)

    def shard(
        self,
        value: Any,
        value_type: Type,
        placement: TensorPlacement | None,
        device: int,
        *,
        common: bool,
    ) -> Any:
        """Returns the shard of a global array; any other value as it is."""
        if placement is None or not isinstance(value_type, TensorType):
            return value
        if np.shape(value) != global_type(value_type, placement).shape:
            return value
        if not common and placement.terms and not any(placement.dimensions):
            return value
        return self.devices.shard(np.asarray(value), placement, device)

    def global_results(self, results: Sequence[object], grid: Grid) -> list[Any]:
        """Returns the global results of each replica.

        Raises:
            UnsupportedError: A result has no sharding.
        """
        rows = [entry if is_tuple(entry) else (entry,) for entry in results]
        count, assembled = grid.num_partitions, list[Any]()
        for replica in range(grid.num_replicas):
            replica_rows = rows[replica * count : (replica + 1) * count]
            shards = (
                [replica_rows[device][i] for device in self.devices.ids]
                for i in range(len(replica_rows[0]))
            )
            values = tuple(self.global_result(i, parts) for i, parts in enumerate(shards))
            assembled.append(values[0] if len(values) == 1 else values)
        return assembled

    def global_result(self, result: int, shards: Sequence[Any]) -> Any:
        """Returns a global result, assembled from the shards in the order of the mesh."""
        placement = self.results[result]
        if placement is None:
            text = f"result {result} has no sharding: it cannot be assembled"
            raise UnsupportedError(text)
        if shards[0] is None:
            return None
        return self.devices.global_tensor(shards, placement)


def global_type(local: TensorType, placement: TensorPlacement) -> TensorType:
    """Returns the type of the global tensor, given that of a shard."""
    pairs = zip(local.shape, placement.counts, strict=True)
    return local.with_shape([size * count for size, count in pairs])


@dataclass(slots=True)
class ShardingChoices:
    """The ways in which a function may share global arrays on a grid.

    Attributes:
        local: The sharing that a program of one device specifies; None if it specifies none.
        is_global: Whether the program may be one of global tensors, for as many devices.
        function: The function.
        partitioned: The program of one device that the partitioner emitted, once it is needed.
    """

    local: Sharing | None
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


def of_global_program(
    program: Program, entry: str | None, grid: Grid
) -> tuple[Partitioned, Sharing]:
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
    result = partition_program(program.ir, function.own_signature.name, grid.num_replicas)
    count = result.devices.count
    if count != grid.num_partitions:
        values = {"mesh": count, "partitions": grid.num_partitions}
        text = "the devices of the mesh are the partitions"
        raise ArgumentValueError(Diagnostic(text, span=function.operation.span, values=values))
    kept = exported.kept if exported else None
    return result, Sharing(result.devices, result.arguments, result.results, kept)


def of_local_program(program: Program, function: FuncOp, grid: Grid) -> Sharing | None:
    """Returns how a program of local arrays divides global ones; None if it does not specify it."""
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
    devices = MeshDevices({"device": grid.num_partitions}, tuple(range(grid.num_partitions)))
    results = [replicated_placement(getattr(result, "rank", 0)) for result in function.type.results]
    return Sharing(devices, [None] * len(function.type.inputs), results)


def is_for_local_arrays(sharing: Sharing, arguments: object, types: Sequence[Type]) -> bool:
    """Whether arguments are for a program of local arrays.

    They are if each process has its own, or if some are the whole of what is divided.
    """
    if not is_tuple(arguments):
        return True
    values = list[Any](arguments)
    if len(values) != len(types):
        return False
    triples = zip(values, types, sharing.arguments, strict=True)
    return any(
        placement is not None
        and not placement.is_whole
        and isinstance(value_type, TensorType)
        and np.shape(value) == global_type(value_type, placement).shape
        for value, value_type, placement in triples
    )
