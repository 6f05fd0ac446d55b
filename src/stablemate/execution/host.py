"""The host of a run: answers requests that concern no other process of the grid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from typing import Final, Protocol

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.runtime import require
from stablemate.execution.collectives.data_movement import Mover
from stablemate.execution.collectives.rendezvous import Partners
from stablemate.execution.host_channels import HostChannels
from stablemate.execution.observe.host_output import Probes, tensor_text
from stablemate.execution.observe.listener import GridListener, NullListener
from stablemate.execution.observe.marker_events import MarkerEvents
from stablemate.execution.process import text_of
from stablemate.execution.randomness import Randomness
from stablemate.execution.streams import (
    Ends,
    Reader,
    Streams,
    next_record,
    record_of,
    values_of,
)
from stablemate.fork_safety import cached_property
from stablemate.ir.core import Operation, Value
from stablemate.ir.definition import pack_results
from stablemate.ir.grid import Grid, ProcessId
from stablemate.ir.request import (
    DeviceRequest,
    Draw,
    HostCall,
    IdentityRequest,
    InfeedRequest,
    Listen,
    Observe,
    OutfeedRequest,
    PrintRequest,
    ProbeRequest,
    Process,
    Recall,
    Receive,
    Request,
    SendRequest,
)

NULL_LISTENER: Final = NullListener()
AXES: Final = {"replica": 0, "partition": 1}


class HostFunctions(Protocol):
    """Functions that can be run as processes."""

    @property
    def partners(self) -> dict[Grid, dict[Operation, Partners]]:
        """Which processes need which at the operations of a grid, as far as known."""
        ...

    @property
    def mover(self) -> Mover:
        """Moves the elements of collective operations."""
        ...

    def start(self, function: str, values: Sequence[object]) -> Process:
        """A process that runs a function on these arguments."""
        ...

    def start_body(
        self, operation: Operation, values: Sequence[object], targets: Sequence[object] = ()
    ) -> Process:
        """A process that runs the body of an operation on these arguments.

        Args:
            operation: The operation.
            values: The arguments.
            targets: Memory that results may be in; None where there is none.
        """
        ...

    def name_of(self, value: Value) -> str:
        """The name of a value in the printed program."""
        ...


class Host:
    """The host side of the processes of one grid: streams, probes, random numbers, listeners.

    Attributes:
        functions: What can be run.
        grid: The processes.
        open_ends: Gives their streams, replica-major.
        probes: Where probes write.
        randomness: Where their random numbers come from.
        listener: Who is told what they compute.
        programs: What each process runs, replica-major, where they run different programs.
        channels: What processes send to the host on channels without a source.
    """

    def __init__(
        self,
        functions: HostFunctions,
        grid: Grid,
        open_ends: Callable[[], Sequence[Ends]],
        probes: Probes,
        randomness: Randomness,
        listener: GridListener = NULL_LISTENER,
        programs: Sequence[HostFunctions] = (),
        channels: HostChannels | None = None,
    ) -> None:
        self.functions = functions
        self.grid = grid
        self.open_ends = open_ends
        self.probes = probes
        self.randomness = randomness
        self.listener = listener
        self.programs = tuple(programs)
        self.channels = channels or HostChannels()
        self.marker_events_of: dict[ProcessId, MarkerEvents] = {}

    def within(self, process: ProcessId, grid: Grid, infeed: Reader | None) -> Host:
        """The host of a nested grid; its streams are those of the process that runs it."""
        randomness = self.randomness.within(self.grid.flattened_id(process))
        listener = self.marker_events(process).listener
        functions = self.functions_of(process)

        def ends() -> Sequence[Ends]:
            own = self.ends_of(process)
            return [own if infeed is None else replace(own, infeed=infeed)] * grid.size

        return Host(
            functions, grid, ends, self.probes, randomness, listener, channels=self.channels
        )

    def functions_of(self, process: ProcessId) -> HostFunctions:
        """The functions of the program of a process."""
        return self.programs[self.grid.flattened_id(process)] if self.programs else self.functions

    def marker_events(self, process: ProcessId) -> MarkerEvents:
        """Notifies the listener of a process."""
        marker_events = self.marker_events_of.get(process)
        if marker_events is None:
            marker_events = self.marker_events_of[process] = MarkerEvents(
                self.listener.process(process)
            )
        return marker_events

    @cached_property
    def ends(self) -> Sequence[Ends]:
        """The streams of all processes, which few programs use."""
        return self.open_ends()

    def ends_of(self, process: ProcessId) -> Ends:
        """The streams of a process."""
        return self.ends[self.grid.flattened_id(process)]

    def answer(self, process: ProcessId, request: Request) -> object:
        """The answer to a request that concerns no other process.

        Raises:
            EvaluationError: A stream is at its end or gives something else, or a file fails.
        """
        match request:
            case IdentityRequest(kind=kind):
                return np.uint32(process[AXES[kind]])
            case DeviceRequest():
                return self.device(process, request)
            case InfeedRequest(operation):
                what = f"the infeed of {text_of(process)}"
                record = next_record(self.ends_of(process).infeed, what)
                return pack_results(values_of(record, operation, what))
            case OutfeedRequest(operands=operands):
                self.ends_of(process).outfeed(record_of(operands))
            case SendRequest(operands=operands, channel=channel):
                self.ends_of(process).from_device(channel, record_of(operands))
                if not self.has_source(process, channel):
                    self.channels.send(channel, operands)
            case Receive():
                return self.receive(process, request)
            case Draw(numbers=numbers):
                return numbers(self.randomness.generator(self.grid.flattened_id(process)))
            case PrintRequest(operation, value):
                operand = operation.operands[0]
                text = tensor_text(operand.type, np.asarray(value))
                print(f"{self.functions_of(process).name_of(operand)} = {text}")
                return ()
            case ProbeRequest(operation, value, probe_id):
                self.probes.record(probe_id, operation.operands[0].type, value)
                return value
            case Recall(operation, probe_id, iteration):
                expected = operation.operands[0].type
                return self.probes.recall(probe_id, iteration, expected)
            case Listen():
                return self.marker_events(process).listener
            case Observe(operation, values):
                self.marker_events(process).tell(operation, values)
                return ()
            case HostCall(function=function):
                return function()
            case _:
                raise UnsupportedError(f"{type(request).__name__} is not answered by a host")
        return None

    def device(self, process: ProcessId, request: DeviceRequest) -> int | None:
        """Which device of a mesh a process is: its partition_id, if there are partitions."""
        partitions = self.grid.num_partitions
        if partitions == 1:
            return None
        fits = partitions == request.devices
        values = {"mesh": request.devices, "partitions": partitions}
        require(request.operation, fits, "mesh", "the devices are the partitions", **values)
        return process[1]

    def has_source(self, process: ProcessId, channel: int) -> bool:
        """Whether the streams have records for what a process receives on a channel."""
        return channel in self.ends_of(process).to_device

    def receive(self, process: ProcessId, request: Receive) -> object:
        """The values that a process receives on a channel that has a source or a record."""
        source = self.ends_of(process).to_device.get(request.channel)
        if source is None:
            return self.channels.receive(request)
        what = f"channel {request.channel} from the host to {text_of(process)}"
        return pack_results(values_of(next_record(source, what), request.operation, what))


def host_of(
    programs: Sequence[HostFunctions],
    grid: Grid,
    streams: Streams | None,
    probe_dir: str | PathLike[str] | None,
    seed: int = 0,
) -> Host:
    """The host of a run, of one program or of one for each process.

    Raises:
        ArgumentError: The streams are not for these processes, or the seed is negative.
    """
    probes, randomness = Probes(probe_dir), Randomness(seed)
    first, several = programs[0], programs if len(programs) > 1 else ()
    if streams is None:
        return Host(
            first, grid, lambda: Streams().ends(grid), probes, randomness, NULL_LISTENER, several
        )
    ends, listener = streams.ends(grid), streams.listener or NULL_LISTENER
    return Host(first, grid, lambda: ends, probes, randomness, listener, several)
