"""MPI: each rank runs one process of the grid, rank = replica_id * num_partitions + partition_id.

A rank goes on as lock-step does, with the one process that is its own; what the others bring to a
meeting or send comes as messages. Whoever needs results folds them itself, in the order of the
group: so they have the bits of lock-step.

When every rank waits or has ended, and nothing is on its way, rank 0 says so: all ranks end
together, or with the list of who waits where. A rank that fails tells the others why.

Source: StableHLO specification, parallel execution. F. Mattern, Algorithms for distributed
termination detection, 1987: two waves of equal counters.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Any, Final, cast

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    DeadlockError,
    EvaluationError,
    StablemateError,
    UnsupportedError,
)
from stablemate.execution.channels import Letter, address_of, letter_of
from stablemate.execution.host import Host
from stablemate.execution.lockstep import Lockstep, Results, waiting_text
from stablemate.execution.meetings import Meeting, text_of_missing
from stablemate.execution.messages import (
    Brought,
    End,
    Failed,
    Message,
    Posted,
    Quiet,
    State,
    Wave,
    packed,
    unpacked,
)
from stablemate.execution.process import Fiber, Waiting, place_of, text_of
from stablemate.execution.waves import Watch, lines_of
from stablemate.ir.core import Operation
from stablemate.ir.grid import Grid, ProcessId
from stablemate.ir.request import Collective, Process, Send

COORDINATOR: Final = 0
PATIENCE: Final = 0.5  # seconds that a rank waits before it says so
LOOKS: Final = 100  # for messages, before a rank sleeps between them
NAP: Final = 50e-6  # seconds
FAREWELL: Final = 1.0  # seconds that a failing rank takes to tell the others


class Ranks:
    """The ranks of an MPI job; all of them make it at the same time.

    Attributes:
        rank: The number of this one.
        size: How many there are.
        turn: How many programs they have run; messages of the next one may come early.
    """

    def __init__(self) -> None:
        """Joins the ranks of the job.

        Raises:
            UnsupportedError: mpi4py is not installed.
        """
        try:
            from mpi4py import MPI
            from mpi4py.util import pkl5
        except ImportError as error:
            message = 'MPI needs mpi4py: pip install "stablemate[mpi]"'
            raise UnsupportedError(message) from error
        self.world = pkl5.Intracomm(MPI.COMM_WORLD.Dup())
        self.rank: int = self.world.Get_rank()
        self.size: int = self.world.Get_size()
        self.turn = 0
        self.sending: list[Any] = []
        self.later: list[tuple[int, Message]] = []

    def send(self, rank: int, message: Message) -> None:
        """Sends a message; arrays in it may not change until ``sent``."""
        self.sending.append(self.world.isend((self.turn, message), dest=rank))

    def sent(self) -> bool:
        """Whether all messages have left."""
        self.sending = [each for each in self.sending if not each.test()[0]]
        return not self.sending

    def receive(self) -> Message | None:
        """The next message of this turn that has come, if any; those of past turns are dropped."""
        for i, (turn, message) in enumerate(self.later):
            if turn == self.turn:
                del self.later[i]
                return message
        while (found := self.world.improbe()) is not None:
            turn, message = found.recv()
            if turn == self.turn:
                return cast(Message, message)
            if turn > self.turn:
                self.later.append((turn, message))
        return None

    def gathered(self, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The values of all ranks; every rank asks for them."""
        return [unpacked(each) for each in self.world.allgather(packed(values))]

    def abort(self, code: int) -> None:
        """Ends the whole job."""
        self.world.Abort(code)


@lru_cache(maxsize=1)
def ranks() -> Ranks:
    """The ranks of this job."""
    return Ranks()


def run(start: Callable[[], Process], host: Host, group: Ranks) -> Results:
    """Runs the process of this rank to its end, together with those of the other ranks.

    Args:
        start: Makes the process; what it refuses ends the other ranks too.
        host: What answers requests that concern no other process; its grid has one process a rank.
        group: The ranks.

    Returns:
        The results of this rank's process.

    Raises:
        ArgumentValueError: The grid has another number of processes than there are ranks.
        DeadlockError: Processes wait for one another, or for one that has ended.
        StablemateError: A process failed, this one or another; the error says which one.
    """
    check_size(host.grid, group)
    group.turn += 1
    process = host.grid.processes[group.rank]
    with np.errstate(all="ignore"):
        try:
            return RankStep(start(), host, group).run()[0]
        except PeerError:
            raise
        except StablemateError as error:
            tell_failure(group, process, error)
            raise


def check_size(grid: Grid, group: Ranks) -> None:
    """Refuses a grid that is not that of the ranks.

    Raises:
        ArgumentValueError: It has another number of processes.
    """
    if grid.size != group.size:
        text = f"{grid.num_replicas}x{grid.num_partitions}"
        message = f"a grid {text} has {grid.size} processes, but there are {group.size} ranks"
        raise ArgumentValueError(message)


class RankStep(Lockstep):
    """One run of a grid, as one of its ranks sees it."""

    def __init__(self, start: Process, host: Host, group: Ranks) -> None:
        self.process = host.grid.processes[group.rank]
        super().__init__([Fiber(self.process, start)], host, one_program=True)
        self.group = group
        self.halls: dict[tuple[str, int, int], Meeting] = {}
        self.early: dict[tuple[str, int, int], list[Brought]] = {}
        self.keys: dict[Operation, str] = {}
        self.numbers: dict[tuple[str, int], int] = {}  # how many times it was at a meeting
        self.counts = [0, 0]  # values sent and received
        self.quiet_since: float | None = None
        self.told = False
        self.verdict: End | None = None
        self.watch = Watch(group.size) if group.rank == COORDINATOR else None

    def run(self) -> list[Results]:
        """Runs until all ranks have ended."""
        while self.verdict is None:
            self.proceed()
        self.flush()
        if self.verdict.lines:
            raise self.stuck(self.verdict.lines)
        return [fiber.results for fiber in self.fibers]

    def proceed(self) -> None:
        """Goes on with what can go on, else looks for messages."""
        if self.ready:
            self.quiet_since, self.told = None, False
            self.flush()  # what was sent may change as soon as a process goes on
            self.advance(*self.ready.popleft())
        for look in range(LOOKS + 1):
            message = self.group.receive()
            if message is not None:
                self.take(message)
            elif self.ready or self.verdict is not None:
                return
            elif look == LOOKS:
                self.idle()

    def flush(self) -> None:
        """Waits until all messages have left; takes what comes meanwhile."""
        while not self.group.sent():
            message = self.group.receive()
            if message is not None:
                self.take(message)

    def idle(self) -> None:
        """Nothing can go on: tells rank 0 once that lasts, and sleeps."""
        now = time.monotonic()
        if self.quiet_since is None:
            self.quiet_since = now
        if not self.told and (not self.open or now - self.quiet_since > PATIENCE):
            self.told = True
            self.say(COORDINATOR, Quiet(self.group.rank))
        if self.watch is not None:
            self.end_if_settled(self.watch)
        self.group.sent()
        time.sleep(NAP)

    def say(self, rank: int, message: Message) -> None:
        """Sends a message, to this rank itself too."""
        if rank == self.group.rank:
            self.take(message)
        else:
            self.group.send(rank, message)

    def take(self, message: Message) -> None:
        """What a message changes."""
        match message:
            case Brought():
                self.counts[1] += 1
                self.brought(message)
            case Posted(address, sender, operands, types, place):
                self.counts[1] += 1
                self.deliver(address, Letter(sender, unpacked(operands), types, place))
            case Wave(number=number):
                self.say(COORDINATOR, self.state(number))
            case End():
                self.verdict = message
            case Failed(process=process, reason=reason):
                raise PeerError(Diagnostic(f"process {text_of(process)} failed: {reason}"))
            case Quiet() | State():
                assert self.watch is not None, "only rank 0 is told"
                self.watch.take(message)

    # ---- collective operations

    def meet(self, fiber: Fiber, request: Collective) -> Any:
        """Brings operands to all ranks that need them."""
        operation = self.representative(request.operation)
        partners = self.partners_at(operation)
        if operation not in self.keys:
            self.keys[operation] = key_of(operation)
        key = self.keys[operation]
        answer: Any = None
        for number in partners.member[self.process]:
            visit = self.numbers.get((key, number), 0)
            self.numbers[key, number] = visit + 1
            place = place_of(request.operation)
            group = partners.groups[number]
            wires = packed(request.operands)
            for process in dict.fromkeys(group):
                if process != self.process and partners.own[process] == number:
                    self.counts[0] += 1
                    waits = partners.own[self.process] == number
                    message = Brought((key, number, visit), self.process, place, waits, wires)
                    self.group.send(self.grid.flattened_id(process), message)
            if number == partners.own[self.process]:
                hall = Meeting(group, partners.landings)
                hall.bring(self.process, request.operands, place)
                hall.waiting.append((fiber, request))
                self.halls[key, number, visit] = hall
                answer = Waiting(partial(text_of_missing, hall))
                for each in self.early.pop((key, number, visit), ()):
                    self.brought(each)
                self.close_if_complete((key, number, visit))
        if answer is None and request.targets is not None:
            self.flush()  # the process goes on at once
        return answer or request.operation.evaluate_alone(request.operands)

    def brought(self, message: Brought) -> None:
        """Another rank comes to a meeting; what comes early is kept."""
        hall = self.halls.get(message.meeting)
        if hall is None:
            self.early.setdefault(message.meeting, []).append(message)
            return
        hall.bring(message.process, unpacked(message.operands), message.place)
        self.close_if_complete(message.meeting)

    def close_if_complete(self, meeting: tuple[str, int, int]) -> None:
        """Hands out the results when all have come."""
        hall = self.halls.get(meeting)
        if hall is not None and hall.is_complete:
            del self.halls[meeting]
            self.ready.extend(hall.answers())

    def lost(self) -> Iterator[str]:
        """What was given to this process, which did not come for it."""
        yield from super().lost()
        for each in (brought for early in self.early.values() for brought in early):
            if not each.waits:
                given = f"{text_of(each.process)} gave its operands at {each.place}"
                yield f"{given}, not taken by {text_of(self.process)}"

    # ---- channels

    def send(self, fiber: Fiber, request: Send) -> None:
        """Sends values to the rank of the target; without pairs they stay for this one."""
        address = address_of(self.process, request, self.grid)
        if address is None:
            return
        letter, target = letter_of(self.process, request), address[2]
        if target is None or target == self.process:
            self.deliver(address, letter)
            return
        self.counts[0] += 1
        operands = packed(letter.operands)
        message = Posted(address, letter.sender, operands, letter.types, letter.place)
        self.group.send(self.grid.flattened_id(target), message)

    # ---- the end

    def state(self, wave: int) -> State:
        """How this rank is."""
        quiet = not self.ready and self.group.sent()
        self.told = self.told and quiet  # else it will say so once more
        lines = [waiting_text(each) for each in self.open]
        lost = list(self.lost())
        if lost and not lines:
            lines.append(f"{text_of(self.process)} has ended")
        lines += lost
        return State(wave, self.group.rank, quiet, self.counts[0], self.counts[1], tuple(lines))

    def end_if_settled(self, watch: Watch) -> None:
        """Rank 0 ends the run when the waves say that nothing will happen any more."""
        number = watch.due()
        if number is not None:
            for rank in range(self.group.size):
                self.say(rank, Wave(number))
        states = watch.settled()
        if states is not None:
            for rank in reversed(range(self.group.size)):
                self.say(rank, End(lines_of(states, self.grid)))

    def stuck(self, lines: Sequence[str]) -> StuckError:
        """The error that names all processes with what they wait for."""
        first = next((each.request for each in self.open if each.request), None)
        message = "no process can go on" if self.open else "a partner is missing"
        span = first.operation.span if first else None
        return StuckError(Diagnostic(message, span=span, notes=tuple(map(Diagnostic, lines))))


def tell_failure(group: Ranks, process: ProcessId, error: StablemateError) -> None:
    """Tells the other ranks why this one fails."""
    for rank in range(group.size):
        if rank != group.rank:
            group.send(rank, Failed(process, str(error)))
    limit = time.monotonic() + FAREWELL
    while not group.sent() and time.monotonic() < limit:
        group.receive()


class PeerError(EvaluationError):
    """The process of another rank has failed."""


class StuckError(PeerError, DeadlockError):
    """No process can go on, as all ranks know."""


def key_of(operation: Operation) -> str:
    """What all ranks call an operation: a digest of what it says and where it stands."""
    parts = [operation.name, *(str(value.type) for value in operation.operands)]
    parts += [f"{name} = {value}" for name, value in sorted(operation.attributes.items())]
    parts += [each.name for each in operation.walk()]
    if operation.span is not None:
        parts.append(str(operation.span.start))
    return blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()
