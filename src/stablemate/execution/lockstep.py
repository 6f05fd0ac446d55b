"""Lock-step: all processes of a grid in one thread.

Each process runs until it needs what others have not given yet; then the next one runs. The order
is always the same. Where none can go on, all of them are named with what they wait for.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import DeadlockError, EvaluationError, StablemateError
from stablemate.dialects.stablehlo.regions import outcome
from stablemate.execution.channels import (
    Address,
    address_of,
    delivered,
    lost_text,
    nothing,
    text_of_address,
)
from stablemate.execution.host import Host
from stablemate.execution.process import Fiber, Waiting, in_process, place_of, text_of
from stablemate.ir.core import Operation
from stablemate.ir.equality import same_operation
from stablemate.ir.grid import Grid, ProcessGroup, ProcessId
from stablemate.ir.request import (
    Collective,
    Done,
    Future,
    GroupOperation,
    Process,
    Receive,
    Request,
    Send,
    Spawn,
    Start,
)

Results: TypeAlias = tuple[Any, ...]

FIRST: Final[ProcessId] = (0, 0)
ADVICE: Final = "this runs one process; for more, see sm.run_grid, --grid=RxP on the command line"


def run(processes: Sequence[Process], host: Host) -> list[Results]:
    """Runs all processes of the host's grid to their ends.

    Args:
        processes: One for each place of the grid, replica-major.
        host: What answers requests that concern no other process.

    Returns:
        The results of each process.

    Raises:
        DeadlockError: Processes wait for one another, or for one that has ended.
        StablemateError: A process failed; the error says which one.
    """
    with np.errstate(all="ignore"):
        return Lockstep(processes, host).run()


@dataclass(slots=True)
class Arrival:
    """A process at a collective operation.

    Attributes:
        fiber: What waits there.
        request: What it brings.
        missing: The processes that must come before it can go on.
        unread: How many processes have still to take what it brings.
    """

    fiber: Fiber
    request: Collective
    missing: set[ProcessId]
    unread: int


class Meeting:
    """Processes that execute one operation for the n-th time.

    Attributes:
        arrivals: Who is there, and whose operands are still needed.
        shared: The results of groups all of whose members have the same ones.
    """

    __slots__ = ("arrivals", "shared")

    def __init__(self) -> None:
        self.arrivals: dict[ProcessId, Arrival] = {}
        self.shared: dict[ProcessGroup, Any] = {}

    def results(
        self, group: ProcessGroup, arrival: Arrival, brought: Sequence[Collective]
    ) -> Any:
        """The results of one member of a complete group.

        Raises:
            EvaluationError: The operands break a rule of the specification.
        """
        if group in self.shared:
            return self.shared[group]
        shapes = [[np.shape(value) for value in each.operands] for each in brought]
        if any(each != shapes[0] for each in shapes):
            values = dict(zip(map(text_of, group), shapes, strict=True))
            message = "the operands have the same shapes in all processes of a group"
            raise EvaluationError(Diagnostic(message, values=values))
        request, position = arrival.request, group.index(arrival.fiber.process)
        operands = [each.operands for each in brought]
        found = request.operation.evaluate_group(operands, position, request.regions)
        if request.operation.same_for_all:
            self.shared[group] = found
        return found


@dataclass(frozen=True, slots=True)
class Partners:
    """Who needs whom at a collective operation.

    Attributes:
        groups: The processes whose operands a process needs; None if it needs none.
        readers: The processes that need a process's operands.
    """

    groups: Mapping[ProcessId, ProcessGroup | None]
    readers: Mapping[ProcessId, Sequence[ProcessId]]


@dataclass(frozen=True, slots=True)
class Letter:
    """Values on their way, with who sent them."""

    sender: ProcessId
    request: Send


class Lockstep:
    """One run of a grid."""

    def __init__(self, processes: Sequence[Process], host: Host) -> None:
        self.host = host
        self.grid = host.grid
        pairs = zip(self.grid.processes, processes, strict=True)
        self.fibers = [Fiber(process, generator) for process, generator in pairs]
        self.open: dict[Fiber, None] = dict.fromkeys(self.fibers)  # those that have not ended
        self.ready: deque[tuple[Fiber, Any]] = deque((fiber, None) for fiber in self.fibers)
        # Of equal operations in different functions one stands for all: there processes meet.
        self.known: dict[Operation, Operation] = {}
        self.partners: dict[Operation, Partners] = {}
        self.visits: defaultdict[tuple[Operation, ProcessId], int] = defaultdict(int)
        self.meetings: dict[tuple[Operation, int], Meeting] = {}
        self.letters: defaultdict[Address, deque[Letter]] = defaultdict(deque)
        self.receivers: defaultdict[Address, deque[tuple[Fiber, Receive]]] = defaultdict(deque)
        self.waiting: defaultdict[Future, list[Fiber]] = defaultdict(list)
        self.workers: dict[Future, Fiber] = {}

    def run(self) -> list[Results]:
        """Runs whatever can run until all have ended."""
        while self.ready:
            fiber, answer = self.ready.popleft()
            self.advance(fiber, answer)
        if self.open or any(self.lost()):
            raise self.deadlock()
        return [fiber.results for fiber in self.fibers]

    def advance(self, fiber: Fiber, answer: Any) -> None:
        """Runs a process until it must wait or ends."""
        fiber.waiting = None
        while True:
            try:
                request = fiber.resume(answer)
            except StablemateError as error:
                alone = self.grid.size == 1
                raise error if alone else in_process(error, fiber.process) from error.__cause__
            if request is None:
                self.end(fiber)
                return
            answer = self.attempt(fiber, request)
            if isinstance(answer, Waiting):
                fiber.waiting = answer
                return

    def attempt(self, fiber: Fiber, request: Request) -> Any:
        """The answer; an error is one too, and is raised in the process."""
        try:
            return self.answer(fiber, request)
        except StablemateError as error:
            return error

    def answer(self, fiber: Fiber, request: Request) -> Any:
        """The answer to a request, or what stands for it."""
        match request:
            case Collective():
                return self.meet(fiber, request)
            case Send(to_host=False):
                return self.send(fiber, request)
            case Receive(from_host=False):
                return self.receive(fiber, request)
            case Start(process=process):
                return self.start(fiber, process)
            case Done(future=future):
                return self.wait(fiber, future)
            case Spawn():
                return self.spawn(fiber, request)
            case _:
                return self.host.answer(fiber.process, request)

    def end(self, fiber: Fiber) -> None:
        """Hands the results of what was started to those who wait for them."""
        del self.open[fiber]
        future = fiber.future
        if future is not None:
            future.results = fiber.results
            del self.workers[future]
            for waiting in self.waiting.pop(future, ()):
                self.ready.append((waiting, outcome(fiber.results)))

    # ---- collective operations

    def meet(self, fiber: Fiber, request: Collective) -> Any:
        """Brings operands; the results are there when all of the process's group have."""
        process, operation = fiber.process, self.representative(request.operation)
        partners = self.partners_at(operation)
        group, readers = partners.groups[process], partners.readers[process]
        key = operation, self.visits[operation, process]
        self.visits[operation, process] += 1
        meeting = self.meetings.setdefault(key, Meeting())
        missing = {each for each in group or () if each not in meeting.arrivals}
        if readers:
            meeting.arrivals[process] = Arrival(fiber, request, missing, len(readers))
        for reader in readers:
            arrival = meeting.arrivals.get(reader)
            if arrival is not None and process in arrival.missing:
                arrival.missing.remove(process)
                if not arrival.missing:
                    self.complete(meeting, arrival, partners.groups[reader] or ())
        if not meeting.arrivals:
            del self.meetings[key]
        if group is None:
            return request.operation.evaluate_alone(request.operands)
        return Waiting(lambda: ", ".join(map(text_of, sorted(missing))))

    def complete(self, meeting: Meeting, arrival: Arrival, group: ProcessGroup) -> None:
        """Lets a process go on whose group is complete."""
        brought = [meeting.arrivals[member].request for member in group]
        try:
            answer = meeting.results(group, arrival, brought)
        except StablemateError as error:
            answer = error
        self.ready.append((arrival.fiber, answer))
        for member in dict.fromkeys(group):
            read = meeting.arrivals[member]
            read.unread -= 1
            if not read.unread:
                del meeting.arrivals[member]

    def representative(self, operation: GroupOperation) -> Operation:
        """The operation that stands for all that are equal to this one."""
        actual = cast(Operation, operation)
        found = self.known.get(actual)
        if found is None:
            known = dict.fromkeys(self.known.values())
            found = next((each for each in known if same_operation(each, actual)), actual)
            self.known[actual] = found
        return found

    def partners_at(self, operation: Operation) -> Partners:
        """Who needs whom at an operation.

        Raises:
            EvaluationError: Its groups are not made for this grid.
        """
        if operation not in self.partners:
            self.partners[operation] = partners_at(cast(GroupOperation, operation), self.grid)
        return self.partners[operation]

    # ---- channels

    def send(self, fiber: Fiber, request: Send) -> None:
        """Hands values to who waits for them, or keeps them until somebody asks; never waits."""
        address = address_of(fiber.process, request, self.grid)
        if address is None:
            return
        receivers = self.receivers[address]
        if not receivers:
            self.letters[address].append(Letter(fiber.process, request))
            return
        receiver, received = receivers.popleft()
        try:
            answer: Any = outcome(delivered(fiber.process, request, received))
        except StablemateError as error:
            answer = error
        self.ready.append((receiver, answer))

    def receive(self, fiber: Fiber, request: Receive) -> Any:
        """Values that were sent to the process."""
        address = address_of(fiber.process, request, self.grid)
        if address is None:
            return outcome(nothing(request.operation))
        letters = self.letters[address]
        if letters:
            letter = letters.popleft()
            return outcome(delivered(letter.sender, letter.request, request))
        self.receivers[address].append((fiber, request))
        return Waiting(lambda: text_of_address(address))

    # ---- what runs beside a process

    def start(self, fiber: Fiber, process: Process) -> Future:
        """Begins what a process starts, as far as it goes without others."""
        future = Future()
        beside = Fiber(fiber.process, process, future)
        self.open[beside] = None
        self.workers[future] = beside
        self.advance(beside, None)
        return future

    def wait(self, fiber: Fiber, future: Future) -> Any:
        """The results of what was started."""
        if future.results is not None:
            return outcome(future.results)
        self.waiting[future].append(fiber)
        return Waiting(lambda: place_of_request(self.workers[future]))

    def spawn(self, fiber: Fiber, request: Spawn) -> Any:
        """Runs a grid of functions to its end."""
        functions, names = self.host.functions, [n for row in request.programs for n in row]
        records = (single(functions.start(name, ()), self.host) for name in request.infeed)
        grid = Grid(len(request.programs), len(request.programs[0]))
        host = self.host.within(fiber.process, grid, records if request.infeed else None)
        pairs = zip(names, request.arguments, strict=True)
        results = run([functions.start(name, values) for name, values in pairs], host)
        return outcome([value for each in results for value in each])

    # ---- when nothing can run

    def deadlock(self) -> DeadlockError:
        """The error that names all processes with what they wait for."""
        lines: list[str] = []
        for process in self.grid.processes:
            fibers = [each for each in self.open if each.process == process]
            lines += map(waiting_text, fibers) if fibers else [f"{text_of(process)} has ended"]
        lines += self.lost()
        first = next((each.request for each in self.open if each.request), None)
        message = "no process can go on" if self.open else "a partner is missing"
        notes = tuple(Diagnostic(line) for line in lines)
        span = first.operation.span if first else None
        return DeadlockError(Diagnostic(message, span=span, notes=notes))

    def lost(self) -> Iterator[str]:
        """What was given to processes that did not come for it."""
        for address, letters in self.letters.items():
            for letter in letters:
                yield lost_text(letter.sender, letter.request, address)
        for (operation, _), meeting in self.meetings.items():
            readers = self.partners[operation].readers
            for process, arrival in meeting.arrivals.items():
                if not arrival.missing:
                    others = [each for each in readers[process] if each not in meeting.arrivals]
                    place, whom = place_of(arrival.request.operation), ", ".join(map(text_of, others))
                    yield f"{text_of(process)} gave its operands at {place}, not taken by {whom}"


def partners_at(operation: GroupOperation, grid: Grid) -> Partners:
    """Who needs whom at an operation on a grid."""
    try:
        groups = {process: operation.group_of(process, grid) for process in grid.processes}
    except EvaluationError as error:
        raise error if grid.size > 1 else advised(error) from None
    readers: dict[ProcessId, list[ProcessId]] = {process: [] for process in grid.processes}
    for reader, group in groups.items():
        for member in dict.fromkeys(group or ()):
            readers[member].append(reader)
    return Partners(groups, readers)


def advised(error: EvaluationError) -> EvaluationError:
    """The error, with the advice to run the program on a grid."""
    first, rest = error.diagnostics[0], error.diagnostics[1:]
    notes = (*first.notes, Diagnostic(ADVICE))
    told = Diagnostic(first.message, first.rule, first.span, first.values, notes)
    return EvaluationError([told, *rest])


def single(process: Process, host: Host) -> Any:
    """What a process gives that is alone on its grid: one result as itself, several as a tuple."""
    return outcome(run([process], host.within(FIRST, Grid(), None))[0])


def waiting_text(fiber: Fiber) -> str:
    """``(0,1) waits at all_reduce (model.mlir:12:8) for (1,1)``."""
    whom = f" for {fiber.waiting.whom()}" if fiber.waiting else ""
    return f"{text_of(fiber.process)} waits at {place_of_request(fiber)}{whom}"


def place_of_request(fiber: Fiber) -> str:
    """``all_reduce (model.mlir:12:8)``."""
    return place_of(fiber.request.operation) if fiber.request else "nothing"
