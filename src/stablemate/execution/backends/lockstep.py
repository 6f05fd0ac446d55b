"""Runs all processes of a grid in lock-step, in one thread.

Each process runs until it needs what others have not given yet; then the next one runs. The order
is always the same. Where none can go on, all of them are named with what they wait for.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import Any, TypeAlias, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import DeadlockError, StablemateError
from stablemate.execution.backends.host_calls import HostCalls
from stablemate.execution.collectives.channels import (
    Address,
    ChannelMessage,
    address_of,
    empty_results,
    message_of,
    received_values,
    text_of_address,
    unreceived_text,
)
from stablemate.execution.collectives.rendezvous import (
    Partners,
    Rendezvous,
    answers_of,
    partners_at,
    text_of_missing,
)
from stablemate.execution.host import Host
from stablemate.execution.process import ENDED, Fiber, Waiting, in_process, place_of, text_of
from stablemate.ir.core import Operation
from stablemate.ir.data_movement import DataMovement
from stablemate.ir.definition import pack_results, unpack_results
from stablemate.ir.equality import same_operation
from stablemate.ir.grid import Grid, ProcessId
from stablemate.ir.request import (
    IN_TARGETS,
    CollectiveRequest,
    Compute,
    DeviceRequest,
    DevicesRequest,
    DoneRequest,
    GroupOperation,
    HostCall,
    IdentityRequest,
    NativeSection,
    OperationFuture,
    Process,
    Receive,
    Request,
    SendRequest,
    Spawn,
    StartRequest,
)
from stablemate.numerics.floating_point_environment import keeping_subnormals

Results: TypeAlias = tuple[object, ...]
MeetingKey: TypeAlias = tuple[Operation, int, int]  # operation, number of the group, visit


@dataclass(slots=True)
class OperationVisit:
    """The same execution of an operation by all processes.

    Attributes:
        come: How many have come.
        moves: What has been moved for those who had to wait for no more.
    """

    come: int = 0
    moves: DataMovement = field(default_factory=DataMovement)


def run(processes: Sequence[Process], host: Host, *, one_program: bool = True) -> list[Results]:
    """Runs all processes of the host's grid until they end.

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
    with np.errstate(all="ignore"), keeping_subnormals():
        return Lockstep(fibers_of(processes, host.grid), host, one_program).run()


def fibers_of(processes: Sequence[Process], grid: Grid) -> list[Fiber]:
    """The fibers of the processes of a grid, replica-major."""
    return [Fiber(*pair) for pair in zip(grid.processes, processes, strict=True)]


class Lockstep:
    """One run of a grid, some or all of whose processes run here."""

    def __init__(self, fibers: Sequence[Fiber], host: Host, one_program: bool) -> None:
        self.host = host
        self.one_program = one_program
        self.grid = host.grid
        self.fibers = fibers
        self.open: dict[Fiber, None] = dict.fromkeys(self.fibers)  # those that have not ended
        self.ready: deque[tuple[Fiber, object]] = deque((fiber, None) for fiber in self.fibers)
        self.operations: dict[int, Operation] = {}
        self.partners = host.functions.partners.setdefault(self.grid, {})
        self.visits: defaultdict[tuple[Operation, ProcessId], int] = defaultdict(int)
        self.rendezvous_by_key: dict[MeetingKey, Rendezvous] = {}
        self.rounds: defaultdict[tuple[Operation, int], OperationVisit] = defaultdict(
            OperationVisit
        )
        self.messages: defaultdict[Address, deque[ChannelMessage]] = defaultdict(deque)
        self.receivers: defaultdict[Address, deque[tuple[Fiber, Receive]]] = defaultdict(deque)
        self.waiting: defaultdict[OperationFuture, list[Fiber]] = defaultdict(list)
        self.workers: dict[OperationFuture, Fiber] = {}
        self.host_calls = HostCalls()

    def run(self) -> list[Results]:
        """Runs every process that can make progress, until all have ended."""
        while self.ready or self.host_calls.running:
            self.ready.extend(self.host_calls.take_outcomes(wait=not self.ready))
            fiber, answer = self.ready.popleft()
            self.advance(fiber, answer)
        if self.open or any(self.lost_messages()):
            raise self.deadlock()
        return [fiber.results for fiber in self.fibers]

    def advance(self, fiber: Fiber, answer: object) -> None:
        """Runs a process until it must wait or ends."""
        fiber.waiting = None
        going, fiber.ahead = fiber.ahead or fiber.resume(answer), None
        while True:
            if isinstance(going, Compute):
                self.compute(fiber, going.section)
                answer = None
            elif going is ENDED:
                self.end(fiber)
                return
            elif isinstance(going, StablemateError):
                answer_alone = self.grid.size == 1
                raise (
                    going if answer_alone else in_process(going, fiber.process)
                ) from going.__cause__
            else:
                answer = self.attempt(fiber, going)
                if isinstance(answer, Waiting):
                    fiber.waiting = answer
                    return
            going = fiber.resume(answer)

    def compute(self, fiber: Fiber, section: NativeSection) -> None:
        """Resumes the native code of a process, together with that of those that follow.

        These go on before their turn as far as the world does not see it: what they ask for then
        is answered when it is their turn.
        """
        section.bind_process(self.grid, fiber.process)
        others: list[NativeSection] = []
        for i, (other, answer) in enumerate(self.ready):
            if other.ahead is None and not other.is_lending:
                other.ahead = other.resume(answer)
                while isinstance(
                    other.ahead, IdentityRequest | DeviceRequest
                ):  # is no matter of turns
                    other.ahead = other.resume(self.attempt(other, other.ahead))
                if isinstance(other.ahead, Compute):
                    other.ahead.section.bind_process(self.grid, other.process)
                    others.append(other.ahead.section)
                    other.ahead = None
                    self.ready[i] = other, None
        section.run_concurrently(others)

    def attempt(self, fiber: Fiber, request: Request) -> object:
        """The answer to a request; an error is an answer too, and is raised in the process."""
        try:
            return self.answer(fiber, request)
        except StablemateError as error:
            return error

    def answer(self, fiber: Fiber, request: Request) -> Any:
        """The answer to a request, or a placeholder for one that is not there yet."""
        match request:
            case CollectiveRequest():
                return self.meet(fiber, request)
            case SendRequest(to_host=False):
                return self.send(fiber, request)
            case Receive(from_host=False):
                return self.receive(fiber, request)
            case Receive():
                return self.receive_from_host(fiber, request)
            case StartRequest(process=process):
                return self.start(fiber, process)
            case DoneRequest(future=future):
                return self.wait(fiber, future)
            case Spawn():
                return self.spawn(fiber, request)
            case DevicesRequest():
                return self.devices(fiber, request)
            case HostCall():
                return self.call(fiber, request)
            case _:
                return self.host.answer(fiber.process, request)

    def end(self, fiber: Fiber) -> None:
        """Passes the results of an asynchronous operation to the fibers that wait for them."""
        del self.open[fiber]
        future = fiber.future
        if future is not None:
            future.results = fiber.results
            del self.workers[future]
            for waiting in self.waiting.pop(future, ()):
                self.ready.append((waiting, pack_results(fiber.results)))

    # ---- collective operations

    def meet(self, fiber: Fiber, request: CollectiveRequest) -> object:
        """Contributes operands to a collective.

        The results are there when the whole group has arrived.
        """
        process, operation = fiber.process, self.representative(request.operation)
        partners = self.partners_at(operation)
        visit = self.visits[operation, process]
        self.visits[operation, process] += 1
        current = self.rounds[operation, visit]
        current.come += 1
        answer = (
            None
            if partners.own_group[process] is not None
            else self.answer_alone(fiber, request, current)
        )
        complete: list[Rendezvous] = []
        for number in partners.member[process]:
            key = operation, number, visit
            rendezvous = self.rendezvous_by_key.get(key)
            if rendezvous is None:
                rendezvous = self.rendezvous_by_key[key] = self.rendezvous(key, partners, request)
            rendezvous.bring(process, request.operands, request.operation)
            self.share(key, process, request)
            if number == partners.own_group[process]:
                rendezvous.waiting.append((fiber, request))
                answer = Waiting(partial(text_of_missing, rendezvous))
            if rendezvous.is_complete:
                del self.rendezvous_by_key[key]
                complete.append(rendezvous)
            elif request.targets is not None and number != partners.own_group[process]:
                fiber.lent.append(rendezvous)
        if complete:
            returned, moves = answers_of(complete)
            self.ready.extend(returned)
            current.moves.add(moves)
        if current.come == len(self.fibers):
            del self.rounds[operation, visit]
            self.remember(current.moves)
        return answer

    def rendezvous(
        self, key: MeetingKey, partners: Partners, request: CollectiveRequest
    ) -> Rendezvous:
        """A new rendezvous of a group, for what its first process asks for."""
        return Rendezvous(partners.groups[key[1]], partners.landings)

    def share(self, key: MeetingKey, process: ProcessId, request: CollectiveRequest) -> None:
        """Shares the operands of a process with those of its group that run elsewhere."""

    def answer_alone(
        self, fiber: Fiber, request: CollectiveRequest, current: OperationVisit
    ) -> object:
        """The answer for a process that needs nothing of others.

        It waits if its results are written later.

        What it has lent to others is not copied then, if they come before.
        """
        results = request.operation.evaluate_ungrouped(request.operands)
        if request.targets is None:
            return results
        buffers = unpack_results(results, len(request.targets))
        for target, value in zip(request.targets, buffers, strict=True):
            target[...] = value
            current.moves.copies.append((target, value))
        current.moves.temporaries += buffers
        self.ready.append((fiber, IN_TARGETS))
        return Waiting(lambda: "its turn")

    def remember(self, moves: DataMovement) -> None:
        """Lets native code replay an exchange that all processes have just waited for.

        Args:
            moves: All that had to be done for it.
        """
        landed = [
            fiber for fiber, state in self.ready if state is IN_TARGETS and fiber.ahead is None
        ]
        if moves.is_repeatable and len(landed) == len(self.fibers) == len(self.open):
            requests = [fiber.request for fiber in self.fibers]
            asking = [
                request.section for request in requests if isinstance(request, CollectiveRequest)
            ]
            first, *others = asking
            if first is not None and None not in others:
                first.record_exchange(others, moves)

    def representative(self, operation: GroupOperation) -> Operation:
        """The operation itself, or of equal ones in different programs the one seen first."""
        actual = cast(Operation, operation)
        key = id(actual.attributes)  # its forms for the shapes of a run share the attributes
        if key not in self.operations:
            others = () if self.one_program else dict.fromkeys(self.operations.values())
            equal = (other for other in others if same_operation(other, actual))
            self.operations[key] = next(equal, actual)
        return self.operations[key]

    def partners_at(self, operation: Operation) -> Partners:
        """The partners of a process at an operation.

        Raises:
            EvaluationError: Its groups are not made for this grid.
        """
        if operation not in self.partners:
            group, mover = cast(GroupOperation, operation), self.host.functions.mover
            self.partners[operation] = partners_at(group, self.grid, mover)
        return self.partners[operation]

    # ---- channels

    def send(self, fiber: Fiber, request: SendRequest) -> None:
        """Sends values to the process that waits for them, or buffers them; never blocks."""
        address = address_of(fiber.process, request, self.grid)
        if address is None:
            return
        self.deliver(address, message_of(fiber.process, request))

    def deliver(self, address: Address, message: ChannelMessage) -> None:
        """Delivers values to the process that waits for them, or buffers them."""
        receivers = self.receivers[address]
        if not receivers:
            self.messages[address].append(message)
            return
        receiver, received = receivers.popleft()
        try:
            answer: object = pack_results(received_values(message, received))
        except StablemateError as error:
            answer = error
        self.ready.append((receiver, answer))

    def receive(self, fiber: Fiber, request: Receive) -> object:
        """Values that were sent to the process."""
        address = address_of(fiber.process, request, self.grid)
        if address is None:
            return pack_results(empty_results(request.operation))
        messages = self.messages[address]
        if messages:
            return pack_results(received_values(messages.popleft(), request))
        self.receivers[address].append((fiber, request))
        return Waiting(lambda: text_of_address(address))

    def receive_from_host(self, fiber: Fiber, request: Receive) -> object:
        """Values of the host: from its streams, or else what processes sent to it."""
        host, channel = self.host, request.channel
        if host.has_source(fiber.process, channel) or host.channels.has_records(channel):
            return host.answer(fiber.process, request)
        host.channels.wait(request, lambda answer: self.ready.append((fiber, answer)))
        return Waiting(lambda: f"a send to the host on channel {channel}, or Streams.to_device")

    # ---- what runs beside a process

    def start(self, fiber: Fiber, process: Process) -> OperationFuture:
        """Starts an asynchronous operation, and runs it until it must wait."""
        future = OperationFuture()
        beside = Fiber(fiber.process, process, future)
        self.open[beside] = None
        self.workers[future] = beside
        self.advance(beside, None)
        return future

    def wait(self, fiber: Fiber, future: OperationFuture) -> object:
        """The results of an asynchronous operation."""
        if future.results is not None:
            return pack_results(future.results)
        self.waiting[future].append(fiber)
        return Waiting(lambda: place_of_request(self.workers[future]))

    def call(self, fiber: Fiber, request: HostCall) -> object:
        """The results of a function of the host.

        Other processes go on if it takes longer: it may wait for what they call.
        """
        if len(self.fibers) == 1:
            return request.function()
        self.host_calls.start(fiber, request.function)
        for returned, answer in self.host_calls.returned_soon(fiber):
            if returned is fiber:
                return answer
            self.ready.append((returned, answer))
        return Waiting(lambda: "a function of the host")

    def spawn(self, fiber: Fiber, request: Spawn) -> object:
        """Runs a nested grid of functions until it ends."""
        functions = self.host.functions_of(fiber.process)
        names = [name for row in request.programs for name in row]
        answer_alone = self.host.within(fiber.process, Grid(), None)
        records = (
            pack_results(run([functions.start(n, ())], answer_alone)[0]) for n in request.infeed
        )
        grid = Grid(len(request.programs), len(request.programs[0]))
        host = self.host.within(fiber.process, grid, records if request.infeed else None)
        pairs = zip(names, request.arguments, strict=True)
        processes = [functions.start(name, values) for name, values in pairs]
        results = run(processes, host, one_program=len(set(names)) == 1)
        return pack_results([value for result in results for value in result])

    def devices(self, fiber: Fiber, request: DevicesRequest) -> list[Results]:
        """Runs the body of an operation on all devices of a mesh until it ends."""
        count = len(request.arguments)
        host = self.host.within(fiber.process, Grid(1, count), None)
        start = self.host.functions_of(fiber.process).start_body
        places = request.targets or [()] * count
        pairs = zip(request.arguments, places, strict=True)
        processes = [start(request.operation, values, targets) for values, targets in pairs]
        return Lockstep(fibers_of(processes, host.grid), host, one_program=True).run()

    # ---- when nothing can run

    def deadlock(self) -> DeadlockError:
        """The error that lists what each process waits for."""
        lines: list[str] = []
        for process in self.grid.processes:
            fibers = [fiber for fiber in self.open if fiber.process == process]
            lines += map(waiting_text, fibers) if fibers else [f"{text_of(process)} has ended"]
        lines += self.lost_messages()
        first = next((fiber.request for fiber in self.open if fiber.request), None)
        message = "no process can go on" if self.open else "a partner is missing"
        diagnostics = tuple(Diagnostic(line) for line in lines)
        span = first.operation.span if first else None
        return DeadlockError(Diagnostic(message, span=span, notes=diagnostics))

    def lost_messages(self) -> Iterator[str]:
        """The messages that no process has received."""
        for address, messages in self.messages.items():
            for message in messages:
                yield unreceived_text(message, address)
        for rendezvous in self.rendezvous_by_key.values():
            for process, place in () if rendezvous.waiting else rendezvous.places.items():
                if not isinstance(place, str):
                    whom = text_of_missing(rendezvous)
                    at = place_of(place)
                    yield f"{text_of(process)} gave its operands at {at}, not taken by {whom}"


def waiting_text(fiber: Fiber) -> str:
    """``(0,1) waits at all_reduce (model.mlir:12:8) for (1,1)``."""
    whom = f" for {fiber.waiting.whom()}" if fiber.waiting else ""
    return f"{text_of(fiber.process)} waits at {place_of_request(fiber)}{whom}"


def place_of_request(fiber: Fiber) -> str:
    """``all_reduce (model.mlir:12:8)``."""
    return place_of(fiber.request.operation) if fiber.request else "nothing"
