"""One run of a grid, from the point of view of an MPI rank: the processes that are its own.

A rank goes on as lock-step does, with its own processes. When every rank waits or has ended, and
nothing is on its way, rank 0 says so: all ranks end together, or with the list of who waits where.
A rank that fails tells the others why.

Source: StableHLO specification, parallel execution.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import DeadlockError, EvaluationError
from stablemate.execution.backends.lockstep import Lockstep, Results, waiting_text
from stablemate.execution.backends.mpi import Ranks
from stablemate.execution.collectives.channels import ChannelMessage, address_of, message_of
from stablemate.execution.collectives.messages import (
    CollectiveProgress,
    Contribution,
    Delivery,
    End,
    Failed,
    Idle,
    Message,
    Partial,
    State,
    StateQuery,
    pack_values,
    unpack_values,
)
from stablemate.execution.faults.patience import PeerTimeoutError, patience, patience_text
from stablemate.execution.faults.quiescence import QuiescenceDetector, verdict
from stablemate.execution.host import Host
from stablemate.execution.placement import RankPlacement
from stablemate.execution.process import Fiber, text_of
from stablemate.ir.request import HostCall, Process, SendRequest

COORDINATOR: Final = 0
PATIENCE: Final = 0.5  # seconds that a rank waits before it says so
# To look without sleep answers at once, and takes a core: ``python -m benchmarks.collectives``
# measures it.
SPIN: Final = 2e-3  # seconds that a rank looks for messages before it sleeps between looks
NAP: Final = 50e-6  # seconds


class RankRun(Lockstep):
    """One run of a grid, some of whose processes are those of this rank."""

    def __init__(
        self, processes: Sequence[Process], host: Host, group: Ranks, placement: RankPlacement
    ) -> None:
        """Prepares to run.

        Args:
            processes: Those of this rank.
            host: What answers requests that concern no other process.
            group: The ranks.
            placement: Which of them runs which process.
        """
        own = placement.processes(group.rank)
        fibers = [Fiber(*pair) for pair in zip(own, processes, strict=True)]
        super().__init__(fibers, host, one_program=not host.programs)
        self.group = group
        self.placement = placement
        self.counts = [0, 0]  # messages sent and received
        self.quiet_since: float | None = None
        self.spin = SPIN
        self.limit = patience()
        self.has_reported_idle = False
        self.verdict: End | None = None
        self.watch = QuiescenceDetector(group.size) if group.rank == COORDINATOR else None

    def settle(self) -> None:
        """Ends a run, after which a similar one may follow."""

    def run(self) -> list[Results]:
        """Runs until all ranks have ended."""
        while self.verdict is None:
            self.proceed()
        self.flush()
        if self.verdict.lines:
            raise self.stuck(self.verdict)
        return [fiber.results for fiber in self.fibers]

    def proceed(self) -> None:
        """Resumes a fiber that can make progress, or else polls for messages."""
        if self.ready:
            self.quiet_since, self.has_reported_idle = None, False
            self.advance(*self.ready.popleft())
            return
        if self.look():
            return
        now = time.monotonic()
        if self.quiet_since is None:
            self.quiet_since = now
        waited = now - self.quiet_since
        if waited < self.spin and self.open:
            self.group.pause()
            return
        self.idle(waited)

    def look(self) -> bool:
        """Receives all messages that have arrived; returns whether there were any."""
        received = self.poll()
        while (message := self.group.receive()) is not None:
            self.take(message)
            received = True
        return received

    def poll(self) -> bool:
        """Resumes collectives whose messages have arrived; returns whether there were any."""
        return False

    def flush(self) -> None:
        """Waits until all messages have left, and receives what arrives meanwhile."""
        while not self.group.has_sent_all():
            message = self.group.receive()
            if message is not None:
                self.take(message)

    def idle(self, waited: float) -> None:
        """Reports to rank 0 that nothing can make progress, and sleeps.

        Raises:
            PeerError: The program of another rank has come to its end before this run.
            PeerTimeoutError: Nothing has arrived for too long.
        """
        if waited > self.limit:
            notes = tuple(map(Diagnostic, self.lines()))
            message = f"rank {self.group.number} waits for others {patience_text()}"
            raise PeerTimeoutError(Diagnostic(message, notes=notes))
        if not self.has_reported_idle and (not self.open or waited > PATIENCE):
            self.has_reported_idle = True
            self.say(COORDINATOR, Idle(self.group.rank))
        if self.watch is not None:
            self.end_if_settled(self.watch)
        for rank, run_number in self.group.left.items():
            if run_number < self.group.run_number:
                process = text_of(self.placement.processes(rank)[0])
                lines = [Diagnostic(waiting_text(fiber)) for fiber in self.open]
                message = f"process {process} does not run: its program has come to its end"
                raise PeerError(Diagnostic(message, notes=tuple(lines)))
        self.group.has_sent_all()
        if waited < self.spin:  # the process has ended, and others are about to
            self.group.pause()
        else:
            time.sleep(NAP)

    def say(self, rank: int, message: Message) -> None:
        """Sends a message to a rank, possibly to itself."""
        if rank == self.group.rank:
            self.take(message)
        else:
            self.group.send(rank, message)

    def say_values(self, rank: int, message: Message) -> None:
        """Sends a message about values to another rank."""
        self.counts[0] += 1
        self.group.send(rank, message)

    def take_contribution(self, contribution: Contribution | Partial) -> None:
        """Takes the operands of processes of another rank at a collective."""
        raise AssertionError("collectives of one process per rank have messages of their own")

    def take(self, message: Message) -> None:
        """Handles a message of another rank by its kind."""
        match message:
            case Contribution() | Partial():
                self.counts[1] += 1
                self.take_contribution(message)
            case Delivery(address, sender, operands, types, place):
                self.counts[1] += 1
                self.deliver(address, ChannelMessage(sender, unpack_values(operands), types, place))
            case StateQuery(number=number):
                self.say(COORDINATOR, self.state(number))
            case End():
                self.verdict = message
            case Failed(process=process, reason=reason):
                raise PeerError(Diagnostic(f"process {text_of(process)} failed: {reason}"))
            case Idle() | State():
                assert self.watch is not None, "only rank 0 is told"
                self.watch.take(message)
            case _:
                raise AssertionError("Ranks keeps it")

    def call(self, fiber: Fiber, request: HostCall) -> Any:
        """The results of a function of the host; no other process of the rank goes on meanwhile."""
        return self.host.answer(fiber.process, request)

    # ---- channels

    def send(self, fiber: Fiber, request: SendRequest) -> None:
        """Sends values to the rank of the target.

        Without source_target_pairs they stay in this process.
        """
        address = address_of(fiber.process, request, self.grid)
        if address is None:
            return
        letter, target = message_of(fiber.process, request), address[2]
        rank = self.group.rank if target is None else self.placement.rank(target)
        if rank == self.group.rank:
            self.deliver(address, letter)
            return
        operands = pack_values(letter.operands)
        self.say_values(
            rank, Delivery(address, letter.sender, operands, letter.types, letter.place)
        )

    # ---- the end

    def state(self, query: int) -> State:
        """The state of this rank."""
        quiet = not self.ready and self.group.has_sent_all()
        self.has_reported_idle = self.has_reported_idle and quiet  # else it reports that once more
        lines, lost = list(self.lines()), list(self.lost_messages())
        if not self.open and not lost:
            lines.clear()
        sent, received = self.counts
        text = (*lines, *lost)
        return State(query, self.group.rank, quiet, sent, received, text, self.progress())

    def lines(self) -> Iterator[str]:
        """The requests that the processes of this rank wait for."""
        for process in self.placement.processes(self.group.rank):
            fibers = [fiber for fiber in self.open if fiber.process == process]
            yield from map(waiting_text, fibers) if fibers else [f"{text_of(process)} has ended"]

    def progress(self) -> tuple[CollectiveProgress, ...]:
        """How far this rank is at each collective that has messages of its own."""
        return ()

    def end_if_settled(self, watch: QuiescenceDetector) -> None:
        """Ends the run, on rank 0, when nothing will happen any more."""
        number = watch.due()
        if number is not None:
            for rank in range(self.group.size):
                self.say(rank, StateQuery(number))
        states = watch.settled_states()
        if states is not None:
            end = verdict(states, self.placement)
            for rank in reversed(range(self.group.size)):
                self.say(rank, end)

    def stuck(self, end: End) -> StuckError:
        """The error that lists what each process waits for."""
        first = next((fiber.request for fiber in self.open if fiber.request), None)
        usual = "no process can go on" if self.open else "a partner is missing"
        span = first.operation.span if first else None
        notes = tuple(map(Diagnostic, end.lines))
        return StuckError(Diagnostic(end.message or usual, span=span, notes=notes))


class PeerError(EvaluationError):
    """The process of another rank has failed."""

    is_known_to_all: ClassVar[bool] = True


class StuckError(PeerError, DeadlockError):
    """No rank can make progress, as all of them know."""
