"""What a program asks of the world.

A run is a process: a generator that yields requests and is sent answers. An answer is what the
results of the asking operation are: one as itself, several as a tuple. Who answers is a carrier
(``execution/``).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, Literal, Protocol, TypeAlias

import numpy as np

from stablemate.diagnostics.source import Span
from stablemate.ir.core import Operation
from stablemate.ir.exchange import Combiner, Exchange, Shape
from stablemate.ir.grid import Grid, ProcessGroup, ProcessId
from stablemate.ir.moves import Moves
from stablemate.numerics.elements import Array

Process: TypeAlias = Generator["Request | Compute", Any, Any]
ProcessFunction: TypeAlias = Callable[..., Process]
PlainFunction: TypeAlias = Callable[..., tuple[Any, ...]]
IdPairs: TypeAlias = Sequence[Sequence[int]]


class GroupOperation(Protocol):
    """An operation that the processes of a group execute together."""

    same_for_all: ClassVar[bool]  # whether all members of a group have the same results

    @property
    def name(self) -> str:
        """Its full name."""
        ...

    @property
    def span(self) -> Span | None:
        """Where it stands in the text."""
        ...

    def group_of(self, process: ProcessId, grid: Grid) -> ProcessGroup | None:
        """The processes whose operands a process needs; None if it needs none."""
        ...

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[PlainFunction] = (),
    ) -> Any:
        """The results of one member of a group."""
        ...

    def evaluate_alone(self, operands: Sequence[Array]) -> Any:
        """The results of a process that belongs to no group."""
        ...

    @property
    def deciding(self) -> int | None:
        """The operand whose values decide who gives what to whom, if there is one."""
        ...

    def exchange(
        self, shapes: Sequence[Shape], size: int, deciding: Sequence[Array] = ()
    ) -> Exchange:
        """What the members hand to one another for the results of ``evaluate_group``."""
        ...

    def combiner(
        self, index: int, position: int, regions: Sequence[PlainFunction] = ()
    ) -> Combiner:
        """What makes result number ``index``, or a block, of what members hand to one of them."""
        ...

    def plain_fold(self, index: int) -> str | None:
        """How result number ``index`` is combined element by element (``add``, ...), if plainly."""
        ...

    def folds(
        self,
        index: int,
        position: int,
        regions: Sequence[PlainFunction],
        pieces: Sequence[Array],
        out: Array,
    ) -> Sequence[Callable[[], object]]:
        """The same for arrays that stay where they are, prepared to be repeated."""
        ...


class Future:
    """The results of an operation that was started; a value while the program runs.

    Attributes:
        results: What the operation gave; None until it has ended.
    """

    __slots__ = ("results",)

    def __init__(self, results: tuple[Any, ...] | None = None) -> None:
        self.results = results


class Stretch(Protocol):
    """Native code that goes on as far as it needs no answer."""

    def settle(self, grid: Grid, process: ProcessId) -> None:
        """Which process goes on with it, before it does."""
        ...

    def run_beside(self, others: Sequence[Any]) -> None:
        """Lets it go on, and others of its kind at the same time; the order is not seen."""
        ...

    def remember(self, others: Sequence[Any], moves: Moves) -> None:
        """How all processes of a grid go on, of which this is the first, whose operands have met.

        When they have come here again, with the same memory, they need not ask.

        Args:
            others: The other processes, in order.
            moves: What has been moved.
        """
        ...


@dataclass(frozen=True, slots=True)
class Compute:
    """Native code goes on, beside that of other processes. The answer is nothing."""

    stretch: Stretch


@dataclass(frozen=True, slots=True)
class Identity:
    """Where in the grid the process stands: one of its two ids."""

    operation: Operation
    kind: Literal["replica", "partition"]


class Landed(Enum):
    """The answer to a request whose results have been written where they belong."""

    LANDED = 0


LANDED: Final = Landed.LANDED


@dataclass(frozen=True, slots=True)
class Collective:
    """The results of an operation that other processes execute too.

    Attributes:
        operation: Who asks.
        operands: What it brings.
        regions: The operation's regions as functions.
        targets: Where the results belong. Then operands and targets are memory that the process
            lends: it changes as soon as the process goes on. The answer is ``LANDED``, or the
            results where the carrier does not write. None: the operands stay as they are, and the
            answer is the results.
        stretch: The native code that lends them, if it could exchange them by itself.
    """

    operation: GroupOperation
    operands: Sequence[Any]
    regions: Sequence[PlainFunction]
    targets: Sequence[Array] | None = None
    stretch: Stretch | None = None


@dataclass(frozen=True, slots=True)
class Send:
    """Hands values to a channel: to the host, or to the target of the pair with this process.

    Without pairs the values are for whoever receives from the channel next.
    """

    operation: Operation
    operands: Sequence[Any]
    channel: int
    to_host: bool
    pairs: IdPairs


@dataclass(frozen=True, slots=True)
class Receive:
    """Values from a channel: from the host, or from the source of the pair with this process."""

    operation: Operation
    channel: int
    from_host: bool
    pairs: IdPairs


@dataclass(frozen=True, slots=True)
class Infeed:
    """The next values of the process's infeed."""

    operation: Operation


@dataclass(frozen=True, slots=True)
class Outfeed:
    """Writes values to the process's outfeed."""

    operation: Operation
    operands: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Start:
    """Begins an operation as a process of its own; the answer is its future."""

    operation: Operation
    process: Process


@dataclass(frozen=True, slots=True)
class Done:
    """Waits for an operation that was started, and gives its results."""

    operation: Operation
    future: Future


@dataclass(frozen=True, slots=True)
class Spawn:
    """Runs a grid of functions, each as a process, and gives all their results.

    Attributes:
        operation: Who asks.
        programs: Names of functions; ``(replicas, partitions)``.
        arguments: The arguments of each process, replica-major.
        infeed: Names of functions; what each gives is one record of the infeed of all processes.
    """

    operation: Operation
    programs: Sequence[Sequence[str]]
    arguments: Sequence[Sequence[Any]]
    infeed: Sequence[str]


@dataclass(frozen=True, slots=True)
class Device:
    """Which of so many devices the process is; None if it stands for all of them."""

    operation: Operation
    devices: int


@dataclass(frozen=True, slots=True)
class Devices:
    """Runs the body of the operation for each device, and gives what each returns.

    Attributes:
        operation: Who asks.
        arguments: The arguments of each device.
        targets: For each device memory that its results may be in; None where there is none.
    """

    operation: Operation
    arguments: Sequence[Sequence[Any]]
    targets: Sequence[Sequence[Any]] | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """The next random numbers of the process.

    Attributes:
        operation: Who asks.
        numbers: Draws them from a generator.
    """

    operation: Operation
    numbers: Callable[[np.random.Generator], Array]


@dataclass(frozen=True, slots=True)
class Print:
    """Shows the value of the operation's operand."""

    operation: Operation
    value: Any


@dataclass(frozen=True, slots=True)
class Probe:
    """Records the value of the operation's operand; the answer is the value."""

    operation: Operation
    value: Any
    probe_id: str


@dataclass(frozen=True, slots=True)
class Recall:
    """The value that a probe recorded when it ran for the n-th time, counted from 1."""

    operation: Operation
    probe_id: str
    iteration: int


@dataclass(frozen=True, slots=True)
class Listen:
    """Who listens to the process; the answer is a listener (``execution.listener``)."""

    operation: Operation


@dataclass(frozen=True, slots=True)
class Observe:
    """Tells who listens what has happened.

    Attributes:
        operation: The observing operation, which says what it is about.
        values: The values of its operands.
    """

    operation: Operation
    values: Sequence[Any]


Request: TypeAlias = (
    Identity
    | Collective
    | Send
    | Receive
    | Infeed
    | Outfeed
    | Start
    | Done
    | Spawn
    | Draw
    | Device
    | Devices
    | Print
    | Probe
    | Recall
    | Listen
    | Observe
)
