"""One rank of a grid: it runs one process, rank = replica_id * num_partitions + partition_id.

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
from stablemate.execution.collectives.channels import Letter, address_of, letter_of
from stablemate.execution.collectives.data_movement import Shortcut
from stablemate.execution.collectives.messages import (
    Account,
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
from stablemate.execution.collectives.prepared_collectives import Site, Visit
from stablemate.execution.collectives.rank_collectives import Errands
from stablemate.execution.faults.quiescence import Watch, verdict
from stablemate.execution.host import Host
from stablemate.execution.process import Fiber, Waiting, place_of, text_of
from stablemate.ir.grid import ProcessId
from stablemate.ir.request import LANDED, Collective, Future, Process, Request, Send

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
    """Runs the process of this rank to its end, together with those of the other ranks.

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
    group.turn += 1
    process = host.grid.processes[group.rank]
    with np.errstate(all="ignore"):
        try:
            step = RankStep(start(), host, group, native=native)
            results = step.run()[0]
            step.errands.settle()
            if host.programs:
                step.errands.close()
            return results
        except PeerError:
            give_up(group)
            raise
        except BaseException as error:
            give_up(group)
            tell_failure(group, process, error)
            raise


def give_up(group: Ranks) -> None:
    """Ends a run that has failed: nobody takes what is on its way."""
    group.epoch += 1
    for errands in group.errands.values():
        errands.close()
    group.errands.clear()


class RankStep(Lockstep):
    """One run of a grid, as one of its ranks sees it."""

    def __init__(self, start: Process, host: Host, group: Ranks, *, native: bool) -> None:
        self.process = host.grid.processes[group.rank]
        super().__init__([Fiber(self.process, start)], host, one_program=not host.programs)
        self.group = group
        self.errands = errands_of(host, group, self.process, native=native)
        self.under_way: dict[Visit, Fiber] = {}
        self.counts = [0, 0]  # letters sent and received
        self.quiet_since: float | None = None
        self.spin = SPIN
        self.told = False
        self.verdict: End | None = None
        self.watch = Watch(group.size) if group.rank == COORDINATOR else None

    def run(self) -> list[Results]:
        """Runs until all ranks have ended."""
        while self.verdict is None:
            self.proceed()
        self.flush()
        if self.verdict.lines:
            raise self.stuck(self.verdict)
        return [fiber.results for fiber in self.fibers]

    def proceed(self) -> None:
        """Goes on with what can go on, else looks for messages."""
        if self.ready:
            self.quiet_since, self.told = None, False
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
        """Whether something has come: takes all of it."""
        found = False
        for visit, fiber in list(self.under_way.items()):
            answer = self.outcome_of(visit)
            if not isinstance(answer, Waiting):
                del self.under_way[visit]
                self.ready.append((fiber, answer))
                found = True
        while (message := self.group.receive()) is not None:
            self.take(message)
            found = True
        return found

    def flush(self) -> None:
        """Waits until all messages have left; takes what comes meanwhile."""
        while not self.group.sent():
            message = self.group.receive()
            if message is not None:
                self.take(message)

    def idle(self, waited: float) -> None:
        """Nothing can go on: tells rank 0 once that lasts, and sleeps if others take their time.

        Raises:
            PeerError: The program of another rank has come to its end before this run.
        """
        if not self.told and (not self.open or waited > PATIENCE):
            self.told = True
            self.say(COORDINATOR, Quiet(self.group.rank))
        if self.watch is not None:
            self.end_if_settled(self.watch)
        for rank, turn in self.group.left.items():
            if turn < self.group.turn:
                process = text_of(self.grid.process(rank))
                lines = [Diagnostic(waiting_text(each)) for each in self.open]
                message = f"process {process} does not run: its program has come to its end"
                raise PeerError(Diagnostic(message, notes=tuple(lines)))
        self.group.sent()
        if waited < self.spin:  # the process has ended, and others are about to
            self.group.pause()
        else:
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
            case _:
                raise AssertionError("Ranks keeps it")

    # ---- collective operations

    def meet(self, fiber: Fiber, request: Collective) -> Any:
        """Hands over operands; the answer if what others give is there soon."""
        operation = self.representative(request.operation)
        partners, is_beside = self.partners_at(operation), fiber.future is not None
        visit = self.errands.visit(request, operation, partners, is_beside=is_beside)
        for turn in range(EAGER if len(self.open) == 1 else 1):
            answer = self.outcome_of(visit)
            if not isinstance(answer, Waiting):
                return answer
            if turn >= self.group.patience:
                self.group.pause()
        return self.suspended(fiber, request, visit, 0)

    def attempt(self, fiber: Fiber, request: Request) -> Any:
        """The answer; what was done before goes a shorter way."""
        known, words = self.errands.bound.get(id(request)), self.group.words
        if known is None or len(self.open) > 1:
            words.number[0] = words.of(place_of(request.operation))
            return super().attempt(fiber, request)
        again, site, binding = known
        words.number[0] = binding.number
        if not binding.is_short:
            site.shorten(binding, self.host.functions.mover, self.errands.gate, words.number)
        try:
            visit = site.hurried(binding)
        except StablemateError as error:
            return error
        if visit is not None:
            return self.suspended(fiber, again, visit, binding.bytes)
        return LANDED if binding.carried is None else Shortcut(binding.carried)

    def start(self, fiber: Fiber, process: Process) -> Future:
        """Begins what runs beside the process: from now on Python decides what is done when."""
        self.errands.gate[0] = 1
        return super().start(fiber, process)

    def suspended(self, fiber: Fiber, request: Collective, visit: Visit, size: int) -> Waiting:
        """What stands for the answer of a visit that is not over."""
        self.under_way[visit] = fiber
        self.spin = SPIN + size * SLOW
        return Waiting(partial(self.awaited, request))

    def outcome_of(self, visit: Visit) -> Any:
        """What a visit gives, or that it must wait; an error is an answer too."""
        try:
            next(visit)
        except StopIteration as end:
            return end.value
        except StablemateError as error:
            return error
        return WAITING

    def awaited(self, request: Collective) -> str:
        """The processes whose messages have not come."""
        sites = [s for s in self.errands.sites.values() if s.stop.operation is request.operation]
        ranks = {rank for each in sites for _, rank in each.awaited()}
        return ", ".join(text_of(self.grid.process(rank)) for rank in sorted(ranks))

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
        accounts = tuple(map(account_of, self.errands.sites.values()))
        sent, received = self.counts
        return State(wave, self.group.rank, quiet, sent, received, (*lines, *lost), accounts)

    def end_if_settled(self, watch: Watch) -> None:
        """Rank 0 ends the run when the waves say that nothing will happen any more."""
        number = watch.due()
        if number is not None:
            for rank in range(self.group.size):
                self.say(rank, Wave(number))
        states = watch.settled()
        if states is not None:
            end = verdict(states, self.grid)
            for rank in reversed(range(self.group.size)):
                self.say(rank, end)

    def stuck(self, end: End) -> StuckError:
        """The error that names all processes with what they wait for."""
        first = next((each.request for each in self.open if each.request), None)
        usual = "no process can go on" if self.open else "a partner is missing"
        span = first.operation.span if first else None
        notes = tuple(map(Diagnostic, end.lines))
        return StuckError(Diagnostic(end.message or usual, span=span, notes=notes))


WAITING: Final = Waiting(lambda: "")


def errands_of(host: Host, group: Ranks, process: ProcessId, *, native: bool) -> Errands:
    """The errands of a program, which may have run before."""
    if host.programs:  # of this run alone
        return Errands(
            group, host.grid, process, group.epoch, group.words.of, native=False, one_program=False
        )
    known = group.errands.get(host.functions)
    if known is None or (known.grid, known.native) != (host.grid, native):
        if known is not None:
            known.close()
        known = group.errands[host.functions] = Errands(
            group, host.grid, process, group.epoch, group.words.of, native=native
        )
    return known


def account_of(site: Site) -> Account:
    """How this rank stands at a site."""
    shapes = ", ".join("x".join(map(str, each)) or "scalar" for each in site.exchange.shapes)
    return Account(
        tag=site.tag,
        key=site.stop.key,
        place=site.stop.place,
        shapes=shapes,
        begun=(int(site.begun[0]), int(site.begun[1])),
        receivers=tuple(site.receivers),
        round=int(site.begun[1] == site.begun[0]),
        awaited=tuple(site.awaited()),
    )


def tell_failure(group: Ranks, process: ProcessId, error: BaseException) -> None:
    """Tells the other ranks why this one fails."""
    told = str(error) if isinstance(error, StablemateError) else f"{type(error).__name__}: {error}"
    for rank in range(group.size):
        if rank != group.rank:
            group.send(rank, Failed(process, told))
    limit = time.monotonic() + FAREWELL
    while not group.sent() and time.monotonic() < limit:
        group.receive()


class PeerError(EvaluationError):
    """The process of another rank has failed."""

    is_known_to_all: ClassVar[bool] = True


class StuckError(PeerError, DeadlockError):
    """No process can go on, as all ranks know."""
