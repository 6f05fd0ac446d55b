"""Runs one process of a grid as an MPI rank: rank = replica_id * num_partitions + partition_id.

A rank goes on as lock-step does, with the one process that is its own. At a collective operation
it hands to others what they need, and folds what it needs itself in the order of the group: so it
has the bits of lock-step.

When every rank waits or has ended, and nothing is on its way, rank 0 says so: all ranks end
together, or with the list of who waits where. A rank that fails tells the others why.

Source: StableHLO specification, parallel execution.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import DeadlockError, EvaluationError, StablemateError
from stablemate.execution.backends.lockstep import Lockstep, Results, waiting_text
from stablemate.execution.backends.mpi import Ranks, check_size
from stablemate.execution.collectives.channels import ChannelMessage, address_of, message_of
from stablemate.execution.collectives.data_movement import Shortcut
from stablemate.execution.collectives.messages import (
    CollectiveProgress,
    Delivery,
    End,
    Failed,
    Idle,
    Message,
    State,
    StateQuery,
    packed,
    unpacked,
)
from stablemate.execution.collectives.prepared_collectives import CollectiveRun, PreparedCollective
from stablemate.execution.collectives.rank_collectives import RankCollectives
from stablemate.execution.faults.quiescence import QuiescenceDetector, verdict
from stablemate.execution.host import Host
from stablemate.execution.process import Fiber, Waiting, place_of, text_of
from stablemate.ir.grid import ProcessId
from stablemate.ir.request import IN_TARGETS, Collective, Future, Process, Request, Send

COORDINATOR: Final = 0
PATIENCE: Final = 0.5  # seconds that a rank waits before it says so
EAGER: Final = 100  # looks at messages before other things are looked at
SPIN: Final = 2e-3  # seconds that a rank looks for messages before it sleeps between looks
SLOW: Final = 2e-9  # seconds that a byte may take
NAP: Final = 50e-6  # seconds
FAREWELL: Final = 1.0  # seconds that a failing rank takes to tell the others


def run_as_rank(
    start: Callable[[], Process], host: Host, group: Ranks, *, native: bool = False
) -> Results:
    """Runs the process of this rank until it ends, together with those of the other ranks.

    Args:
        start: Makes the process; what it refuses ends the other ranks too.
        host: What answers requests that concern no other process; its grid has one process a rank.
        group: The ranks.
        native: Whether the engine may combine in an order of its own.

    Returns:
        The results of this rank's process.

    Raises:
        ArgumentValueError: The grid has another number of processes than there are ranks.
        DeadlockError: Processes wait for one another, or for one that has ended.
        StablemateError: A process failed, this one or another; the error says which one.
    """
    check_size(host.grid, group)
    group.run_number += 1
    process = host.grid.processes[group.rank]
    with np.errstate(all="ignore"):
        try:
            step = RankStep(start(), host, group, native=native)
            results = step.run()[0]
            step.rank_collectives.settle()
            if host.programs:
                step.rank_collectives.close()
            return results
        except PeerError:
            abandon_run(group)
            raise
        except BaseException as error:
            abandon_run(group)
            report_failure(group, process, error)
            raise


def abandon_run(group: Ranks) -> None:
    """Abandons a run that has failed: messages that are under way are not received."""
    group.epoch += 1
    for rank_collectives in group.rank_collectives.values():
        rank_collectives.close()
    group.rank_collectives.clear()


class RankStep(Lockstep):
    """One run of a grid, from the point of view of one rank."""

    def __init__(self, start: Process, host: Host, group: Ranks, *, native: bool) -> None:
        self.process = host.grid.processes[group.rank]
        super().__init__([Fiber(self.process, start)], host, one_program=not host.programs)
        self.group = group
        self.rank_collectives = collectives_of(host, group, self.process, native=native)
        self.under_way: dict[CollectiveRun, Fiber] = {}
        self.counts = [0, 0]  # messages sent and received
        self.quiet_since: float | None = None
        self.spin = SPIN
        self.has_reported_idle = False
        self.verdict: End | None = None
        self.watch = QuiescenceDetector(group.size) if group.rank == COORDINATOR else None

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
        received = False
        for visit, fiber in list(self.under_way.items()):
            answer = self.outcome_of(visit)
            if not isinstance(answer, Waiting):
                del self.under_way[visit]
                self.ready.append((fiber, answer))
                received = True
        while (message := self.group.receive()) is not None:
            self.take(message)
            received = True
        return received

    def flush(self) -> None:
        """Waits until all messages have left, and receives what arrives meanwhile."""
        while not self.group.sent():
            message = self.group.receive()
            if message is not None:
                self.take(message)

    def idle(self, waited: float) -> None:
        """Reports to rank 0 that nothing can make progress, and sleeps.

        Raises:
            PeerError: The program of another rank has come to its end before this run.
        """
        if not self.has_reported_idle and (not self.open or waited > PATIENCE):
            self.has_reported_idle = True
            self.say(COORDINATOR, Idle(self.group.rank))
        if self.watch is not None:
            self.end_if_settled(self.watch)
        for rank, run_number in self.group.left.items():
            if run_number < self.group.run_number:
                process = text_of(self.grid.process(rank))
                lines = [Diagnostic(waiting_text(fiber)) for fiber in self.open]
                message = f"process {process} does not run: its program has come to its end"
                raise PeerError(Diagnostic(message, notes=tuple(lines)))
        self.group.sent()
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

    def take(self, message: Message) -> None:
        """Handles a message."""
        match message:
            case Delivery(address, sender, operands, types, place):
                self.counts[1] += 1
                self.deliver(address, ChannelMessage(sender, unpacked(operands), types, place))
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

    # ---- collective operations

    def meet(self, fiber: Fiber, request: Collective) -> Any:
        """Contributes operands to a collective; returns the answer if the others arrive soon."""
        operation = self.representative(request.operation)
        partners, is_beside = self.partners_at(operation), fiber.future is not None
        visit = self.rank_collectives.visit(request, operation, partners, is_beside=is_beside)
        for run_number in range(EAGER if len(self.open) == 1 else 1):
            answer = self.outcome_of(visit)
            if not isinstance(answer, Waiting):
                return answer
            if run_number >= self.group.patience:
                self.group.pause()
        return self.suspended(fiber, request, visit, 0)

    def attempt(self, fiber: Fiber, request: Request) -> Any:
        """The answer to a request; an operation that has run before takes a shorter path."""
        bound, words = self.rank_collectives.bound.get(id(request)), self.group.words
        if bound is None or len(self.open) > 1:
            words.number[0] = words.of(place_of(request.operation))
            return super().attempt(fiber, request)
        again, site, binding = bound
        words.number[0] = binding.number
        if not binding.is_short:
            site.shorten(
                binding, self.host.functions.mover, self.rank_collectives.gate, words.number
            )
        try:
            visit = site.try_now(binding)
        except StablemateError as error:
            return error
        if visit is not None:
            return self.suspended(fiber, again, visit, binding.bytes)
        return IN_TARGETS if binding.native_steps is None else Shortcut(binding.native_steps)

    def start(self, fiber: Fiber, process: Process) -> Future:
        """Starts an asynchronous operation; from now on Python schedules the fibers."""
        self.rank_collectives.gate[0] = 1
        return super().start(fiber, process)

    def suspended(
        self, fiber: Fiber, request: Collective, visit: CollectiveRun, size: int
    ) -> Waiting:
        """A placeholder for the answer of a collective that has not completed."""
        self.under_way[visit] = fiber
        self.spin = SPIN + size * SLOW
        return Waiting(partial(self.awaited, request))

    def outcome_of(self, visit: CollectiveRun) -> Any:
        """The result of a collective, or that it must wait; an error is a result too."""
        try:
            next(visit)
        except StopIteration as end:
            return end.value
        except StablemateError as error:
            return error
        return WAITING

    def awaited(self, request: Collective) -> str:
        """The processes whose messages have not arrived."""
        sites = [
            s for s in self.rank_collectives.sites.values() if s.stop.operation is request.operation
        ]
        ranks = {rank for site in sites for _, rank in site.awaited()}
        return ", ".join(text_of(self.grid.process(rank)) for rank in sorted(ranks))

    # ---- channels

    def send(self, fiber: Fiber, request: Send) -> None:
        """Sends values to the rank of the target.

        Without source_target_pairs they stay on this rank.
        """
        address = address_of(self.process, request, self.grid)
        if address is None:
            return
        letter, target = message_of(self.process, request), address[2]
        if target is None or target == self.process:
            self.deliver(address, letter)
            return
        self.counts[0] += 1
        operands = packed(letter.operands)
        message = Delivery(address, letter.sender, operands, letter.types, letter.place)
        self.group.send(self.grid.flattened_id(target), message)

    # ---- the end

    def state(self, query: int) -> State:
        """The state of this rank."""
        quiet = not self.ready and self.group.sent()
        self.has_reported_idle = self.has_reported_idle and quiet  # else it reports that once more
        lines = [waiting_text(fiber) for fiber in self.open]
        lost = list(self.lost())
        if lost and not lines:
            lines.append(f"{text_of(self.process)} has ended")
        accounts = tuple(map(progress_of, self.rank_collectives.sites.values()))
        sent, received = self.counts
        return State(query, self.group.rank, quiet, sent, received, (*lines, *lost), accounts)

    def end_if_settled(self, watch: QuiescenceDetector) -> None:
        """Ends the run, on rank 0, when nothing will happen any more."""
        number = watch.due()
        if number is not None:
            for rank in range(self.group.size):
                self.say(rank, StateQuery(number))
        states = watch.settled()
        if states is not None:
            end = verdict(states, self.grid)
            for rank in reversed(range(self.group.size)):
                self.say(rank, end)

    def stuck(self, end: End) -> StuckError:
        """The error that lists what each process waits for."""
        first = next((fiber.request for fiber in self.open if fiber.request), None)
        usual = "no process can go on" if self.open else "a partner is missing"
        span = first.operation.span if first else None
        notes = tuple(map(Diagnostic, end.lines))
        return StuckError(Diagnostic(end.message or usual, span=span, notes=notes))


WAITING: Final = Waiting(lambda: "")


def collectives_of(
    host: Host, group: Ranks, process: ProcessId, *, native: bool
) -> RankCollectives:
    """The prepared collectives of a program, which may have run before."""
    if host.programs:  # of this run alone
        return RankCollectives(
            group, host.grid, process, group.epoch, group.words.of, native=False, one_program=False
        )
    collectives = group.rank_collectives.get(host.functions)
    if collectives is None or (collectives.grid, collectives.native) != (host.grid, native):
        if collectives is not None:
            collectives.close()
        collectives = group.rank_collectives[host.functions] = RankCollectives(
            group, host.grid, process, group.epoch, group.words.of, native=native
        )
    return collectives


def progress_of(site: PreparedCollective) -> CollectiveProgress:
    """How far this rank is at a collective."""
    shapes = ", ".join("x".join(map(str, shape)) or "scalar" for shape in site.exchange.shapes)
    return CollectiveProgress(
        tag=site.tag,
        key=site.stop.key,
        place=site.stop.place,
        shapes=shapes,
        begun=(int(site.begun[0]), int(site.begun[1])),
        receivers=tuple(site.receivers),
        round=int(site.begun[1] == site.begun[0]),
        awaited=tuple(site.awaited()),
    )


def report_failure(group: Ranks, process: ProcessId, error: BaseException) -> None:
    """Sends the other ranks the reason why this one fails."""
    has_reported_idle = (
        str(error) if isinstance(error, StablemateError) else f"{type(error).__name__}: {error}"
    )
    for rank in range(group.size):
        if rank != group.rank:
            group.send(rank, Failed(process, has_reported_idle))
    limit = time.monotonic() + FAREWELL
    while not group.sent() and time.monotonic() < limit:
        group.receive()


class PeerError(EvaluationError):
    """The process of another rank has failed."""

    is_known_to_all: ClassVar[bool] = True


class StuckError(PeerError, DeadlockError):
    """No rank can make progress, as all of them know."""
