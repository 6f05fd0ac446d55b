"""Lock-step: all processes of a grid in one thread.

Each process runs until it needs what others have not given yet; then the next one runs. The order
is always the same. Where none can go on, all of them are named with what they wait for.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias, cast

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import DeadlockError, StablemateError
from stablemate.dialects.stablehlo.regions import outcome, several
from stablemate.execution.collectives.channels import (
    Address,
    Letter,
    address_of,
    delivered,
    letter_of,
    lost_text,
    nothing,
    text_of_address,
)
from stablemate.execution.collectives.rendezvous import (
    Meeting,
    Partners,
    answers_of,
    partners_at,
    text_of_missing,
)
from stablemate.execution.host import Host
from stablemate.execution.process import ENDED, Fiber, Waiting, in_process, place_of, text_of
from stablemate.ir.core import Operation
from stablemate.ir.equality import same_operation
from stablemate.ir.grid import Grid, ProcessId
from stablemate.ir.moves import Moves
from stablemate.ir.request import (
    LANDED,
    Collective,
    Compute,
    Device,
    Devices,
    Done,
    Future,
    GroupOperation,
    Identity,
    Process,
    Receive,
    Request,
    Send,
    Spawn,
    Start,
    Stretch,
)

Results: TypeAlias = tuple[Any, ...]


@dataclass(slots=True)
class Round:
    """The same visit of all processes to an operation.

    Attributes:
        come: How many have come.
        moves: What has been moved for those who had to wait for no more.
    """

    come: int = 0
    moves: Moves = field(default_factory=Moves)


def run(processes: Sequence[Process], host: Host, *, one_program: bool = True) -> list[Results]:
    """Runs all processes of the host's grid to their ends.

    Args:
        processes: One for each place of the grid, replica-major.
        host: What answers requests that concern no other process.
        one_program: Whether all run the same function. Then they meet at the same operation of it;
            else at equal operations.

    Returns:
        The results of each process.

    Raises:
        DeadlockError: Processes wait for one another, or for one that has ended.
        StablemateError: A process failed; the error says which one.
    """
    with np.errstate(all="ignore"):
        return Lockstep(fibers_of(processes, host.grid), host, one_program).run()


def fibers_of(processes: Sequence[Process], grid: Grid) -> list[Fiber]:
    """The lines of execution of the processes of a grid, replica-major."""
    return [Fiber(*each) for each in zip(grid.processes, processes, strict=True)]


class Lockstep:
    """One run of a grid, of the processes of which some run here."""

    def __init__(self, fibers: Sequence[Fiber], host: Host, one_program: bool) -> None:
        self.host = host
        self.one_program = one_program
        self.grid = host.grid
        self.fibers = fibers
        self.open: dict[Fiber, None] = dict.fromkeys(self.fibers)  # those that have not ended
        self.ready: deque[tuple[Fiber, Any]] = deque((fiber, None) for fiber in self.fibers)
        self.known: dict[int, Operation] = {}
        self.partners = host.functions.partners.setdefault(self.grid, {})
        self.visits: defaultdict[tuple[Operation, ProcessId], int] = defaultdict(int)
        self.meetings: dict[tuple[Operation, int, int], Meeting] = {}
        self.rounds: defaultdict[tuple[Operation, int], Round] = defaultdict(Round)
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
        going, fiber.ahead = fiber.ahead or fiber.resume(answer), None
        while True:
            if isinstance(going, Compute):
                self.compute(fiber, going.stretch)
                answer = None
            elif going is ENDED:
                self.end(fiber)
                return
            elif isinstance(going, StablemateError):
                alone = self.grid.size == 1
                raise going if alone else in_process(going, fiber.process) from going.__cause__
            else:
                answer = self.attempt(fiber, going)
                if isinstance(answer, Waiting):
                    fiber.waiting = answer
                    return
            going = fiber.resume(answer)

    def compute(self, fiber: Fiber, stretch: Stretch) -> None:
        """Lets native code of a process go on, and beside it that of others whose turn comes next.

        These go on before their turn as far as the world does not see it: what they ask for then
        is answered when it is their turn.
        """
        stretch.settle(self.grid, fiber.process)
        others: list[Stretch] = []
        for i, (other, answer) in enumerate(self.ready):
            if other.ahead is None and not other.is_lending:
                other.ahead = other.resume(answer)
                while isinstance(other.ahead, Identity | Device):  # is no matter of turns
                    other.ahead = other.resume(self.attempt(other, other.ahead))
                if isinstance(other.ahead, Compute):
                    other.ahead.stretch.settle(self.grid, other.process)
                    others.append(other.ahead.stretch)
                    other.ahead = None
                    self.ready[i] = other, None
        stretch.run_beside(others)

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
            case Devices():
                return self.devices(fiber, request)
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
        visit = self.visits[operation, process]
        self.visits[operation, process] += 1
        current = self.rounds[operation, visit]
        current.come += 1
        answer = None if partners.own[process] is not None else self.alone(fiber, request, current)
        complete: list[Meeting] = []
        for number in partners.member[process]:
            key = operation, number, visit
            meeting = self.meetings.get(key)
            if meeting is None:
                group = partners.groups[number]
                meeting = self.meetings[key] = Meeting(group, partners.landings)
            meeting.bring(process, request.operands, request.operation)
            if number == partners.own[process]:
                meeting.waiting.append((fiber, request))
                answer = Waiting(partial(text_of_missing, meeting))
            if meeting.is_complete:
                del self.meetings[key]
                complete.append(meeting)
            elif request.targets is not None and number != partners.own[process]:
                fiber.lent.append(meeting)
        if complete:
            answers, moves = answers_of(complete)
            self.ready.extend(answers)
            current.moves.add(moves)
        if current.come == len(self.fibers):
            del self.rounds[operation, visit]
            self.remember(current.moves)
        return answer

    def alone(self, fiber: Fiber, request: Collective, current: Round) -> Any:
        """The answer to who needs nothing of others; if it is written, the process waits its turn.

        What it has lent to others is not copied then, if they come before.
        """
        results = request.operation.evaluate_alone(request.operands)
        if request.targets is None:
            return results
        made = several(results, len(request.targets))
        for target, value in zip(request.targets, made, strict=True):
            target[...] = value
            current.moves.copies.append((target, value))
        current.moves.kept += made
        self.ready.append((fiber, LANDED))
        return Waiting(lambda: "its turn")

    def remember(self, moves: Moves) -> None:
        """Lets native code do by itself what all processes have just waited for, if they still do.

        Args:
            moves: All that had to be done for it.
        """
        landed = [fiber for fiber, each in self.ready if each is LANDED and fiber.ahead is None]
        if moves.is_all and len(landed) == len(self.fibers) == len(self.open):
            requests = [fiber.request for fiber in self.fibers]
            asking = [each.stretch for each in requests if isinstance(each, Collective)]
            first, *others = asking
            if first is not None and None not in others:
                first.remember(others, moves)

    def representative(self, operation: GroupOperation) -> Operation:
        """The operation itself, or of equal ones in different programs the one seen first."""
        actual = cast(Operation, operation)
        key = id(actual.attributes)  # its forms for the shapes of a run share the attributes
        if key not in self.known:
            others = () if self.one_program else dict.fromkeys(self.known.values())
            equal = (each for each in others if same_operation(each, actual))
            self.known[key] = next(equal, actual)
        return self.known[key]

    def partners_at(self, operation: Operation) -> Partners:
        """Who needs whom at an operation.

        Raises:
            EvaluationError: Its groups are not made for this grid.
        """
        if operation not in self.partners:
            group, mover = cast(GroupOperation, operation), self.host.functions.mover
            self.partners[operation] = partners_at(group, self.grid, mover)
        return self.partners[operation]

    # ---- channels

    def send(self, fiber: Fiber, request: Send) -> None:
        """Hands values to who waits for them, or keeps them until somebody asks; never waits."""
        address = address_of(fiber.process, request, self.grid)
        if address is None:
            return
        self.deliver(address, letter_of(fiber.process, request))

    def deliver(self, address: Address, letter: Letter) -> None:
        """Hands values to who waits for them, or keeps them until somebody asks."""
        receivers = self.receivers[address]
        if not receivers:
            self.letters[address].append(letter)
            return
        receiver, received = receivers.popleft()
        try:
            answer: Any = outcome(delivered(letter, received))
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
            return outcome(delivered(letters.popleft(), request))
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
        functions = self.host.functions_of(fiber.process)
        names = [name for row in request.programs for name in row]
        alone = self.host.within(fiber.process, Grid(), None)
        records = (outcome(run([functions.start(n, ())], alone)[0]) for n in request.infeed)
        grid = Grid(len(request.programs), len(request.programs[0]))
        host = self.host.within(fiber.process, grid, records if request.infeed else None)
        pairs = zip(names, request.arguments, strict=True)
        processes = [functions.start(name, values) for name, values in pairs]
        results = run(processes, host, one_program=len(set(names)) == 1)
        return outcome([value for each in results for value in each])

    def devices(self, fiber: Fiber, request: Devices) -> list[Results]:
        """Runs the body of an operation as all devices of a mesh to its end."""
        count = len(request.arguments)
        host = self.host.within(fiber.process, Grid(1, count), None)
        start = self.host.functions_of(fiber.process).start_body
        places = request.targets or [()] * count
        pairs = zip(request.arguments, places, strict=True)
        processes = [start(request.operation, values, targets) for values, targets in pairs]
        return Lockstep(fibers_of(processes, host.grid), host, one_program=True).run()

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
                yield lost_text(letter, address)
        for meeting in self.meetings.values():
            for process, place in () if meeting.waiting else meeting.places.items():
                whom = text_of_missing(meeting)
                at = place if isinstance(place, str) else place_of(place)
                yield f"{text_of(process)} gave its operands at {at}, not taken by {whom}"


def waiting_text(fiber: Fiber) -> str:
    """``(0,1) waits at all_reduce (model.mlir:12:8) for (1,1)``."""
    whom = f" for {fiber.waiting.whom()}" if fiber.waiting else ""
    return f"{text_of(fiber.process)} waits at {place_of_request(fiber)}{whom}"


def place_of_request(fiber: Fiber) -> str:
    """``all_reduce (model.mlir:12:8)``."""
    return place_of(fiber.request.operation) if fiber.request else "nothing"
