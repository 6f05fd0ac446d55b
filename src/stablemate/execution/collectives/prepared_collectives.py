"""Sites: collective operations in the program of a rank, prepared to be carried out many times."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from stablemate.execution.collectives.data_movement import (
    Awaited,
    Carried,
    Copied,
    Counted,
    Mover,
    Moving,
    Started,
    Told,
)
from stablemate.execution.collectives.message_bindings import Binder, Binding
from stablemate.ir.request import LANDED
from stablemate.numerics.elements import Array

LOOKS: Final = 100  # at messages, before other things are looked at
BYTES_A_LOOK: Final = 1 << 10  # more of them for large operands
NATIVE_LOOKS: Final = 1000  # by native code
BYTES_A_NATIVE_LOOK: Final = 1 << 8
NATIVE_PATIENCE: Final = 8  # looks by native code that take as long as one
DONE: Final = 1

Visit: TypeAlias = Generator[None, None, Any]  # stops where it must wait; returns the results


class Site(Binder):
    """A collective operation in the program of a rank, for operands of certain shapes.

    Attributes:
        current: The arrays of what is on its way.
        held: Operands of its own, for those that do not come again.
    """

    def __init__(self, *given: Any) -> None:
        """Prepares it; see ``Binder``."""
        super().__init__(*given)
        self.arrivals = 0
        self.served = 0
        self.current: Binding | None = None
        self.bindings: dict[tuple[int, ...], tuple[Binding, Sequence[Any]]] = {}
        self.held: list[Array] = []
        self.own: Binding | None = None

    # ---- carrying it out

    def visit(self, binding: Binding) -> Visit:
        """Carries it out; stops while messages are not there. The answer is ``LANDED``."""
        ticket = self.arrivals
        self.arrivals += 1
        while self.served != ticket:  # an earlier visit, of what runs beside, is not over
            yield
        self.begin(binding)
        return (yield from self.rest(binding))

    def begin(self, binding: Binding) -> None:
        """Lets the first messages go."""
        for to, piece in binding.before:
            to[...] = piece
        for gift in binding.gifts:
            gift.begun[0] += 1
        self.begun[0] += 1
        self.current = binding
        self.port.start(binding.rounds[0].transfers)

    def rest(self, binding: Binding) -> Visit:
        """What follows when the first messages have been let go."""
        for number, turn in enumerate(binding.rounds):
            if number:
                self.begun[number] += 1
                self.port.start(turn.transfers)
            for test in turn.tests:
                while not test():
                    yield
            for fold in turn.folds:
                fold()
        self.end(binding)
        return LANDED

    def end(self, binding: Binding) -> None:
        """Puts pieces where they belong; the visit is over."""
        for to, piece in binding.after:
            to[...] = piece
        self.current = None
        self.served += 1

    def hurried(self, binding: Binding) -> Visit | None:
        """Carries it out if that takes only so many looks at messages; else what follows."""
        self.arrivals += 1
        if binding.carried is not None:
            self.current = binding
            visit = self.carry(binding.carried, binding)
            return None if next(visit, LANDED) is LANDED else visit
        self.begin(binding)
        visit, looks = self.rest(binding), LOOKS + binding.bytes // BYTES_A_LOOK
        patience = self.port.patience
        for look in range(looks):
            if next(visit, LANDED) is LANDED:
                return None
            if look >= patience:
                self.port.pause()
        return visit

    def carry(self, carried: Carried, binding: Binding) -> Visit:
        """Carries it out by native code, which may have begun it already."""
        while (done := carried()) != DONE:
            if done < 0:
                for test in [test for each in binding.rounds for test in each.tests]:
                    test()  # raises what the engine says
            yield
        self.current = None
        self.served += 1
        return LANDED

    def shorten(self, binding: Binding, mover: Mover, gate: Array, told: Array) -> None:
        """Lets native code carry it out from now on, if it can.

        Args:
            binding: The arrays.
            mover: What makes native code.
            gate: Whether nothing may be begun by native code.
            told: Where the rank writes what it does.
        """
        binding.is_short = True
        steps: list[Moving] = [Told(told, binding.number), Copied(binding.before)]
        steps += [Counted(gift.begun[:1]) for gift in binding.gifts]
        for number, turn in enumerate(binding.rounds):
            wire = self.port.wire(turn.transfers)
            if wire is None or turn.plain is None:
                return
            steps += [Counted(self.begun[number:]), Started(wire), Awaited(wire), *turn.plain]
        steps.append(Copied(binding.after))
        looks = NATIVE_LOOKS + binding.bytes // BYTES_A_NATIVE_LOOK
        patience = self.port.patience * NATIVE_PATIENCE
        binding.carried = mover.carried(steps, gate, looks, patience)

    def awaited(self) -> list[tuple[int, int]]:
        """What is on its way: the tag of each site and the rank that have to come for it."""
        binding = self.current
        if binding is None:
            return []
        turn = binding.rounds[1 if self.begun[1] == self.begun[0] else 0]
        if self.engine is not None:
            return [(self.tag, rank) for rank in self.receivers]
        coming = [(self.tag, rank) for each, rank in turn.receives if not each.Test()]
        if coming:
            return list(dict.fromkeys(coming))
        tags = {rank: gift.tag for gift in binding.gifts for rank in gift.receivers}
        return [(tags.get(rank, self.tag), rank) for each, rank in turn.sends if not each.Test()]

    def give(self, operands: Sequence[Array]) -> None:
        """Sends copies to those who need them, and waits for nothing."""
        stop = self.stop
        self.begun[0] += 1
        for i, rank in enumerate(stop.ranks):
            for piece in self.exchange.pieces(stop.position, i):
                if rank != stop.ranks[stop.position]:
                    array = np.array(piece.of(operands), order="C")
                    self.port.post(array, rank, self.tag)

    # ---- arrays

    def bound(
        self,
        operands: Sequence[Array],
        targets: Sequence[Array],
        gifts: Sequence[Binder] = (),
    ) -> Binding:
        """The site with these arrays, kept for the next time."""
        key = tuple(map(id, (*operands, *targets)))
        known = self.bindings.get(key)
        if known is None:
            made = self.bind(operands, targets, gifts)
            known = self.bindings[key] = made, (*operands, *targets)
        return known[0]

    def home(self, gifts: Sequence[Binder]) -> Binding:
        """The site with operands of its own."""
        if self.own is None:
            pairs = zip(self.exchange.shapes, self.dtypes, strict=False)
            self.held = [np.empty(*each) for each in pairs]
            self.own = self.bound(self.held, self.made(), gifts)
        return self.own

    def settle(self) -> None:
        """Ends a run: forgets what it has counted, and the memory of callers."""
        self.begun[:] = 0
        for key, (binding, arrays) in list(self.bindings.items()):
            if binding is not self.own and any(each.base is None for each in arrays):
                self.release(binding)
                del self.bindings[key]

    def unbind(self) -> None:
        """Gives up all messages and arrays."""
        for binding, _ in self.bindings.values():
            self.release(binding)
        self.bindings.clear()
        self.own = None

    def release(self, binding: Binding) -> None:
        """Gives up the messages about some arrays."""
        for each in binding.rounds:
            self.port.free([transfer for transfer, _ in each.receives], is_open=True)
            self.port.free([transfer for transfer, _ in each.sends], is_open=False)

    def adopt(self) -> None:
        """Lets the engine do what follows, after a visit: all members have come."""
        self.unbind()
        self.engine = self.port.engine(self.stop.ranks, self.tag)
        if self.engine is None:
            self.native = None
