"""Requests: communication, I/O and other host services that a running program needs.

A run is a process: a generator that yields requests and is sent answers. An answer is the results
of the requesting operation: one as itself, several as a tuple. A process backend (``execution/``)
answers.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from enum import Enum
from functools import partial
from typing import Any, ClassVar, Final, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np

from stablemate.diagnostics.source import Span
from stablemate.ir.core import Operation
from stablemate.ir.data_movement import DataMovement
from stablemate.ir.exchange import CollectiveExchange, Combiner, Shape, single_piece
from stablemate.ir.grid import Grid, ProcessGroup, ProcessId
from stablemate.numerics.elements import Array

Process: TypeAlias = Generator["Request | Compute", Any, Any]
ProcessFunction: TypeAlias = Callable[..., Process]
PlainFunction: TypeAlias = Callable[..., tuple[Any, ...]]
IdPairs: TypeAlias = Sequence[Sequence[int]]


class GroupOperation(Protocol):
    """An operation that the processes of a group execute together."""

    uniform_results: ClassVar[bool]  # whether all members of a group have the same results

    @property
    def name(self) -> str:
        """The full name of the operation, ``dialect.op``."""
        ...

    @property
    def span(self) -> Span | None:
        """Its place in the text."""
        ...

    def group_of(self, process: ProcessId, grid: Grid) -> ProcessGroup | None:
        """The processes whose operands a process needs; None if it needs none."""
        ...

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[PlainFunction] = (),
    ) -> object:
        """The results of one member of a group."""
        ...

    def evaluate_ungrouped(self, operands: Sequence[Array]) -> object:
        """The results of a process that belongs to no group."""
        ...

    @property
    def routing_operand(self) -> int | None:
        """The operand whose values determine which member sends what to which, if there is one."""
        ...

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """The data that members send one another for the results of ``evaluate_group``."""
        ...

    def combiner(
        self, index: int, position: int, regions: Sequence[PlainFunction] = ()
    ) -> Combiner:
        """Combines the pieces that members send to one into result ``index``, or a block."""
        ...

    def reduction_ufunc(self, index: int) -> str | None:
        """The ufunc (``add``, ...) that combines the elements of result ``index``, if any."""
        ...

    def reduction_steps(
        self,
        index: int,
        position: int,
        regions: Sequence[PlainFunction],
        pieces: Sequence[Array],
        out: Array,
    ) -> Sequence[Callable[[], object]]:
        """The calls that combine arrays at fixed addresses, in order; they can be repeated."""
        ...


class WithoutReduction:
    """The methods of a ``GroupOperation`` that only moves data."""

    __slots__ = ()

    def combiner(
        self, index: int, position: int, regions: Sequence[PlainFunction] = ()
    ) -> Combiner:
        """Combines the pieces that members send to a member into result ``index``, or a block.

        Args:
            index: Which result.
            position: The member.
            regions: The operation's regions as functions.
        """
        return single_piece

    def reduction_ufunc(self, index: int) -> str | None:
        """The ufunc that combines the elements of result ``index``; None if it is none."""
        return None

    def reduction_steps(
        self,
        index: int,
        position: int,
        regions: Sequence[PlainFunction],
        pieces: Sequence[Array],
        out: Array,
    ) -> Sequence[Callable[[], object]]:
        """The calls that combine arrays at fixed addresses, in order; they can be repeated."""
        return [partial(self.combiner(index, position, regions), pieces, out)]


class OperationFuture:
    """The results of an operation that was started: a run-time value.

    Attributes:
        results: The operation's results; None until it has finished.
    """

    __slots__ = ("results",)

    def __init__(self, results: tuple[object, ...] | None = None) -> None:
        self.results = results


class NativeSection(Protocol):
    """Native code that runs until it needs an answer."""

    def bind_process(self, grid: Grid, process: ProcessId) -> None:
        """Sets the process that runs it, before it runs."""
        ...

    def run_concurrently(self, others: Sequence[Any]) -> None:
        """Runs it and other sections concurrently; results do not depend on the order."""
        ...

    def record_exchange(self, others: Sequence[Any], moves: DataMovement) -> None:
        """Records the data movement of a rendezvous for all processes; this one is the first.

        When they arrive here again with the same memory, they replay it without a request.

        Args:
            others: The other processes, in order.
            moves: The data that was moved.
        """
        ...


class Compute(NamedTuple):
    """Runs native code concurrently with that of other processes. The answer is None."""

    section: NativeSection


class IdentityRequest(NamedTuple):
    """The position of the process in the grid: one of its two ids."""

    operation: Operation
    kind: Literal["replica", "partition"]


class InTargets(Enum):
    """The answer to a request whose results have been written to its targets."""

    IN_TARGETS = 0


IN_TARGETS: Final = InTargets.IN_TARGETS


class CollectiveRequest(NamedTuple):
    """The results of an operation that the processes of a group execute together.

    Attributes:
        operation: The requesting operation.
        operands: The operands of this process.
        regions: The operation's regions as functions.
        targets: Memory for the results. Operands and targets are then lent: they change as soon as
            the process continues. The answer is ``IN_TARGETS``, or the results if the backend did
            not write them. None: the operands do not change, and the answer is the results.
        section: The native code that lends them, if it could exchange them by itself.
    """

    operation: GroupOperation
    operands: Sequence[Array]
    regions: Sequence[PlainFunction]
    targets: Sequence[Array] | None = None
    section: NativeSection | None = None


class SendRequest(NamedTuple):
    """Sends values to a channel: to the host, or to the target of this process's pair.

    Without pairs the next process that receives from the channel gets the values.
    """

    operation: Operation
    operands: Sequence[object]
    channel: int
    to_host: bool
    pairs: IdPairs


class Receive(NamedTuple):
    """Receives values from a channel: from the host, or from the source of this process's pair."""

    operation: Operation
    channel: int
    from_host: bool
    pairs: IdPairs


class InfeedRequest(NamedTuple):
    """The next values of the process's infeed."""

    operation: Operation


class OutfeedRequest(NamedTuple):
    """Writes values to the process's outfeed."""

    operation: Operation
    operands: Sequence[object]


class StartRequest(NamedTuple):
    """Starts an operation as a process of its own; the answer is its future."""

    operation: Operation
    process: Process


class DoneRequest(NamedTuple):
    """Waits for a started operation; the answer is its results."""

    operation: Operation
    future: OperationFuture


class Spawn(NamedTuple):
    """Runs a grid of functions, each as a process; the answer is all their results.

    Attributes:
        operation: The requesting operation.
        programs: Names of functions; ``(replicas, partitions)``.
        arguments: The arguments of each process, replica-major.
        infeed: Names of functions; each returns one record of the infeed that all processes share.
    """

    operation: Operation
    programs: Sequence[Sequence[str]]
    arguments: Sequence[Sequence[object]]
    infeed: Sequence[str]


class DeviceRequest(NamedTuple):
    """The device number of the process, of ``devices``; None if it represents all of them."""

    operation: Operation
    devices: int


class DevicesRequest(NamedTuple):
    """Runs the body of the operation for each device; the answer is what each returns.

    Attributes:
        operation: The requesting operation.
        arguments: The arguments of each device.
        targets: For each device, memory for its results; None where there is none.
    """

    operation: Operation
    arguments: Sequence[Sequence[object]]
    targets: Sequence[Sequence[object]] | None = None


class Draw(NamedTuple):
    """The next random numbers of the process.

    Attributes:
        operation: The requesting operation.
        numbers: The function that draws them from a generator.
    """

    operation: Operation
    numbers: Callable[[np.random.Generator], Array]


class PrintRequest(NamedTuple):
    """Prints the value of the operation's operand."""

    operation: Operation
    value: object


class ProbeRequest(NamedTuple):
    """Records the value of the operation's operand; the answer is the value."""

    operation: Operation
    value: object
    probe_id: str


class Recall(NamedTuple):
    """The value that a probe recorded in its n-th execution, counted from 1."""

    operation: Operation
    probe_id: str
    iteration: int


class Listen(NamedTuple):
    """Requests the listener of the process (``execution.observe.listener``)."""

    operation: Operation


class Observe(NamedTuple):
    """Notifies the listener of an event.

    Attributes:
        operation: The observing operation, which names the event.
        values: The values of its operands.
    """

    operation: Operation
    values: Sequence[object]


class HostCall(NamedTuple):
    """Calls a function of the host, which may wait for one that another process calls.

    The answer is what it returns.
    """

    operation: Operation
    function: Callable[[], object]


Request: TypeAlias = (
    IdentityRequest
    | CollectiveRequest
    | SendRequest
    | Receive
    | InfeedRequest
    | OutfeedRequest
    | StartRequest
    | DoneRequest
    | Spawn
    | Draw
    | DeviceRequest
    | DevicesRequest
    | PrintRequest
    | ProbeRequest
    | Recall
    | Listen
    | Observe
    | HostCall
)
