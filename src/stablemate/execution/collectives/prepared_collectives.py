"""Prepares the collective operations of a rank once, to run them many times."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.execution.collectives.data_movement import (
    Awaited,
    Copied,
    Incremented,
    Movement,
    Mover,
    NativeSteps,
    Started,
    Written,
)
from stablemate.execution.collectives.message_bindings import MessageBinder, MessageBinding
from stablemate.ir.request import IN_TARGETS
from stablemate.numerics.elements import Array

# More looks answer sooner, and delay what else the process has to do:
# ``python -m benchmarks.collectives`` measures them.
LOOKS: Final = 100  # at messages, before other things are looked at
BYTES_A_LOOK: Final = 1 << 10  # more of them for large operands
NATIVE_LOOKS: Final = 1000  # by native code
BYTES_A_NATIVE_LOOK: Final = 1 << 8
NATIVE_PATIENCE: Final = 8  # looks by native code that take as long as one
DONE: Final = 1

CollectiveRun: TypeAlias = Generator[
    None, None, Any
]  # stops where it must wait; returns the results


class PreparedCollective(MessageBinder):
    """A collective operation in the program of a rank, for operands of certain shapes.

    Attributes:
        current: The arrays of what is on its way.
        owned_operands: Arrays for operands whose memory is not used again.
    """

    def __init__(self, *arguments: Any) -> None:
        """Prepares a collective for many runs; the arguments are those of ``MessageBinder``."""
        super().__init__(*arguments)
        self.arrivals = 0
        self.served = 0
        self.current: MessageBinding | None = None
        self.bindings: dict[tuple[int, ...], tuple[MessageBinding, Sequence[Any]]] = {}
        self.owned_operands: list[Array] = []
        self.owned_binding: MessageBinding | None = None

    # ---- carrying it out

    def visit(self, binding: MessageBinding) -> CollectiveRun:
        """Runs the collective; suspends while messages have not arrived.

        The answer is ``IN_TARGETS``.
        """
        ticket = self.arrivals
        self.arrivals += 1
        while self.served != ticket:  # an earlier visit, of what runs beside, is not over
            yield
        self.begin(binding)
        return (yield from self.rest(binding))

    def begin(self, binding: MessageBinding) -> None:
        """Starts the first round of messages."""
        for to, piece in binding.before:
            to[...] = piece
        for contribution in binding.contributions:
            contribution.begun[0] += 1
        self.begun[0] += 1
        self.current = binding
        self.port.start(binding.rounds[0].transfers)

    def rest(self, binding: MessageBinding) -> CollectiveRun:
        """The rounds after the first one."""
        for number, message_round in enumerate(binding.rounds):
            if number:
                self.begun[number] += 1
                self.port.start(message_round.transfers)
            for test in message_round.tests:
                while not test():
                    yield
            for add_reduction in message_round.reductions:
                add_reduction()
        self.end(binding)
        return IN_TARGETS

    def end(self, binding: MessageBinding) -> None:
        """Writes received pieces to their places, and completes the collective."""
        for to, piece in binding.after:
            to[...] = piece
        self.current = None
        self.served += 1

    def try_now(self, binding: MessageBinding) -> CollectiveRun | None:
        """Runs the collective if it completes within so many polls; else returns the rest."""
        self.arrivals += 1
        if binding.native_steps is not None:
            self.current = binding
            visit = self.run_natively(binding.native_steps, binding)
            return None if next(visit, IN_TARGETS) is IN_TARGETS else visit
        self.begin(binding)
        visit, polls = self.rest(binding), LOOKS + binding.bytes // BYTES_A_LOOK
        polls_before_yield = self.port.patience
        for look in range(polls):
            if next(visit, IN_TARGETS) is IN_TARGETS:
                return None
            if look >= polls_before_yield:
                self.port.pause()
        return visit

    def run_natively(self, steps: NativeSteps, binding: MessageBinding) -> CollectiveRun:
        """Runs the collective in native code, which may have started it already."""
        while (done := steps()) != DONE:
            if done < 0:
                for test in [
                    test for exchange_round in binding.rounds for test in exchange_round.tests
                ]:
                    test()  # raises what the engine says
            yield
        self.current = None
        self.served += 1
        return IN_TARGETS

    def shorten(
        self, binding: MessageBinding, mover: Mover, gate: Array, step_record: Array
    ) -> None:
        """Lets native code run the collective from now on, if it can.

        Args:
            binding: The arrays.
            mover: What makes native code.
            gate: Whether nothing may be begun by native code.
            step_record: Where the rank writes which step it executes.
        """
        binding.is_short = True
        steps: list[Movement] = [Written(step_record, binding.number), Copied(binding.before)]
        steps += [Incremented(contribution.begun[:1]) for contribution in binding.contributions]
        for number, message_round in enumerate(binding.rounds):
            wire = self.port.wire(message_round.transfers)
            if wire is None or message_round.plain is None:
                return
            steps += [
                Incremented(self.begun[number:]),
                Started(wire),
                Awaited(wire),
                *message_round.plain,
            ]
        steps.append(Copied(binding.after))
        polls = NATIVE_LOOKS + binding.bytes // BYTES_A_NATIVE_LOOK
        polls_before_yield = self.port.patience * NATIVE_PATIENCE
        binding.native_steps = mover.native_steps(steps, gate, polls, polls_before_yield)

    def awaited_messages(self) -> list[tuple[int, int]]:
        """The messages that have not arrived: the tag of each collective and the sending rank."""
        binding = self.current
        if binding is None:
            return []
        message_round = binding.rounds[1 if self.begun[1] == self.begun[0] else 0]
        if self.engine is not None:
            return [(self.tag, rank) for rank in self.receivers]
        coming = [
            (self.tag, rank) for transfer, rank in message_round.receives if not transfer.Test()
        ]
        if coming:
            return list(dict.fromkeys(coming))
        tags = {
            rank: contribution.tag
            for contribution in binding.contributions
            for rank in contribution.receivers
        }
        return [
            (tags.get(rank, self.tag), rank)
            for transfer, rank in message_round.sends
            if not transfer.Test()
        ]

    def give(self, operands: Sequence[Array]) -> None:
        """Sends copies to the members that need them, without waiting for anything."""
        stop = self.stop
        self.begun[0] += 1
        for i, rank in enumerate(stop.ranks):
            for piece in self.exchange.pieces(stop.position, i):
                if rank != stop.ranks[stop.position]:
                    array = np.array(piece.of(operands), order="C")
                    self.port.post(array, rank, self.tag)

    # ---- arrays

    def find_binding(
        self,
        operands: Sequence[Array],
        targets: Sequence[Array],
        contributions: Sequence[MessageBinder] = (),
    ) -> MessageBinding:
        """The messages for these arrays, kept for the next run."""
        key = tuple(map(id, (*operands, *targets)))
        binding_entry = self.bindings.get(key)
        if binding_entry is None:
            binding = self.bind(operands, targets, contributions)
            binding_entry = self.bindings[key] = binding, (*operands, *targets)
        return binding_entry[0]

    def home(self, contributions: Sequence[MessageBinder]) -> MessageBinding:
        """The messages for operands that the collective owns."""
        if self.owned_binding is None:
            pairs = zip(self.exchange.shapes, self.dtypes, strict=False)
            self.owned_operands = [np.empty(*pair) for pair in pairs]
            self.owned_binding = self.find_binding(
                self.owned_operands, self.allocate_results(), contributions
            )
        return self.owned_binding

    def settle(self) -> None:
        """Ends a run: resets counters, and releases the memory of callers."""
        self.begun[:] = 0
        for key, (binding, arrays) in list(self.bindings.items()):
            if binding is not self.owned_binding and any(array.base is None for array in arrays):
                self.release(binding)
                del self.bindings[key]

    def unbind(self) -> None:
        """Releases all messages and arrays."""
        for binding, _ in self.bindings.values():
            self.release(binding)
        self.bindings.clear()
        self.owned_binding = None

    def release(self, binding: MessageBinding) -> None:
        """Releases the messages for some arrays."""
        for exchange_round in binding.rounds:
            self.port.free([transfer for transfer, _ in exchange_round.receives], is_open=True)
            self.port.free([transfer for transfer, _ in exchange_round.sends], is_open=False)

    def adopt(self) -> None:
        """Lets MPI run the collective from now on: all members have arrived once."""
        self.unbind()
        self.engine = self.port.engine(self.stop.ranks, self.tag)
        if self.engine is None:
            self.native = None
