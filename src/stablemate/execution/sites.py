"""Sites: collective operations in the program of a rank, prepared to be carried out many times.

Which bytes go where follows from the operation, its group and the shapes: ``ir/exchange.py``. Here
this becomes messages that are made once for the arrays they are about: they are sent from where
the operands lie, and arrive where the results belong, wherever that lies in one piece.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, Protocol, TypeAlias, cast

import numpy as np

from stablemate.dialects.stablehlo.reducers import monoid
from stablemate.dialects.stablehlo.regions import accumulator_elements, several
from stablemate.ir.core import Operation
from stablemate.ir.exchange import (
    Algorithm,
    Exchange,
    Piece,
    Shape,
    algorithm_for,
    block_of,
)
from stablemate.ir.request import LANDED, GroupOperation, PlainFunction
from stablemate.numerics.elements import Array

NATIVE: Final = frozenset({"stablehlo.all_reduce", "stablehlo.reduce_scatter"})
NUMBERS: Final = frozenset(
    [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
    + ["float32", "float64"]
)
TAGS: Final = (1 << 28) - 1  # what the engine can tell apart

Visit: TypeAlias = Generator[None, None, Any]  # stops where it must wait; returns the results


class Transfer(Protocol):
    """A message, or an operation of the engine, that is carried out again and again."""

    def Test(self) -> bool:
        """Whether it is done."""
        ...


class Engine(Protocol):
    """The members of a group, as the engine knows them."""

    def reduction(self, name: str, operand: Array, out: Array, *, scattered: bool) -> Transfer:
        """The engine's own sum, product, ... of the operands of all members.

        Args:
            name: How elements are combined.
            operand: The operand of this one; if the result is scattered, the parts of all.
            out: Where the result, or this member's part of it, arrives.
            scattered: Whether each member gets one part.
        """
        ...


class Port(Protocol):
    """What sites need of the engine."""

    def sender(self, array: Array, rank: int, tag: int) -> Transfer:
        """A message of an array that lies in one piece."""
        ...

    def receiver(self, array: Array, rank: int, tag: int) -> Transfer:
        """A message into an array that lies in one piece."""
        ...

    def post(self, array: Array, rank: int, tag: int) -> None:
        """Sends an array that nobody changes any more."""
        ...

    def start(self, transfers: Sequence[Transfer], /) -> None:
        """Lets messages go; what was done before is done again."""
        ...

    def pause(self) -> None:
        """Lets another process have the core."""
        ...

    def engine(self, ranks: Sequence[int], tag: int) -> Engine | None:
        """The members of a group, who all ask for this at the same time; None if there are many."""
        ...

    def free(self, transfers: Sequence[Transfer], *, is_open: bool) -> None:
        """Gives up messages.

        Args:
            transfers: The messages.
            is_open: Whether one that has not come may be given up: it is this rank that receives.
        """
        ...


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a site is.

    Attributes:
        operation: What is carried out.
        key: What all ranks call the operation in its group.
        ranks: The members of the group, in its order.
        position: Which of them this rank is.
        place: Where the program says so.
    """

    operation: GroupOperation
    key: str
    ranks: Sequence[int]
    position: int
    place: str


@dataclass(slots=True)
class Round:
    """Messages that go at the same time, and what is computed when they are there.

    Attributes:
        receives: The messages that arrive, each with the rank that it comes from.
        sends: The messages that leave, each with the rank that it goes to.
        folds: What makes results or blocks of pieces.
        transfers: All messages.
        tests: Whether each is done.
    """

    receives: list[tuple[Transfer, int]] = field(default_factory=list[tuple[Transfer, int]])
    sends: list[tuple[Transfer, int]] = field(default_factory=list[tuple[Transfer, int]])
    folds: list[Callable[[], object]] = field(default_factory=list[Callable[[], object]])
    transfers: list[Transfer] = field(default_factory=list[Transfer])
    tests: list[Callable[[], bool]] = field(default_factory=list[Callable[[], bool]])


@dataclass(slots=True)
class Binding:
    """A site with arrays: the operands and where the results go.

    Attributes:
        before: Pieces that are put together before they are sent: where, and what.
        rounds: The messages.
        after: Pieces that are put where they belong: where, and what.
        results: The results.
        gifts: Sites of other groups to which the rank gives at the same time.
        bytes: How much is on its way.
        number: What the rank calls the operation in its last words.
    """

    before: list[tuple[Array, Array]] = field(default_factory=list[tuple[Array, Array]])
    rounds: list[Round] = field(default_factory=list[Round])
    after: list[tuple[Array, Array]] = field(default_factory=list[tuple[Array, Array]])
    results: Sequence[Array] = ()
    gifts: Sequence[Site] = ()
    bytes: int = 0
    number: int = 0


class Site:
    """A collective operation in the program of a rank, for operands of certain shapes.

    Attributes:
        stop: Where it is.
        tag: What tells its messages from those of others.
        begun: How often each round was begun.
        current: The arrays of what is on its way.
        held: Operands of its own, for those that do not come again.
    """

    def __init__(
        self, port: Port, stop: Stop, exchange: Exchange, dtypes: Sequence[Any],
        regions: Sequence[PlainFunction], epoch: int, algorithm: Algorithm | None = None,
    ) -> None:  # fmt: skip
        """Prepares it.

        Args:
            port: What carries messages.
            stop: Where it is.
            exchange: What is handed over.
            dtypes: Those of the operands.
            regions: The operation's regions as functions.
            epoch: Tells messages from those of runs that have failed.
            algorithm: How it is carried out; by default as is best for the sizes.
        """
        self.port = port
        self.stop = stop
        self.exchange = exchange
        self.dtypes = dtypes
        sizes = [each.itemsize for each in dtypes[: len(exchange.shapes)]]
        self.algorithm = algorithm or algorithm_for(exchange, sizes)
        self.tag = tag_of(stop.key, exchange.shapes, dtypes, epoch)
        self.regions = regions
        self.begun = [0, 0]
        self.arrivals = 0
        self.served = 0
        self.current: Binding | None = None
        self.bindings: dict[tuple[int, ...], tuple[Binding, Sequence[Any]]] = {}
        self.held: list[Array] = []
        self.own: Binding | None = None
        self.native = native_fold(stop.operation, dtypes)
        self.engine: Engine | None = None

    # ---- carrying it out

    def visit(self, binding: Binding) -> Visit:
        """Carries it out; stops while messages are not there. The answer is ``LANDED``."""
        ticket = self.arrivals
        self.arrivals += 1
        while self.served != ticket:  # an earlier visit, of what runs beside, is not over
            yield
        self.begin(binding)
        yield from self.rest(binding)
        return LANDED

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

    def end(self, binding: Binding) -> None:
        """Puts pieces where they belong; the visit is over."""
        for to, piece in binding.after:
            to[...] = piece
        self.current = None
        self.served += 1

    def hurried(self, binding: Binding, looks: int) -> bool:
        """Carries it out if that takes only so many looks at messages; else ``rest`` follows."""
        self.arrivals += 1
        self.begin(binding)
        if len(binding.rounds) > 1:
            return False
        (turn,) = binding.rounds
        for test in turn.tests:
            while not test():
                looks -= 1
                if looks < 0:
                    return False
                self.port.pause()
        for fold in turn.folds:
            fold()
        self.end(binding)
        return True

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

    @property
    def receivers(self) -> list[int]:
        """The ranks that take what this one hands over."""
        stop = self.stop
        return [
            rank
            for i, rank in enumerate(stop.ranks)
            if rank != stop.ranks[stop.position] and self.exchange.pieces(stop.position, i)
        ]

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
        gifts: Sequence[Site] = (),
    ) -> Binding:
        """The site with these arrays, kept for the next time."""
        key = tuple(map(id, (*operands, *targets)))
        known = self.bindings.get(key)
        if known is None:
            made = self.bind(operands, targets, gifts)
            known = self.bindings[key] = made, (*operands, *targets)
        return known[0]

    def home(self, gifts: Sequence[Site]) -> Binding:
        """The site with operands of its own."""
        if self.own is None:
            pairs = zip(self.exchange.shapes, self.dtypes, strict=False)
            self.held = [np.empty(*each) for each in pairs]
            self.own = self.bound(self.held, self.made(), gifts)
        return self.own

    def settle(self) -> None:
        """Ends a run: forgets what it has counted, and the memory of callers."""
        self.begun = [0, 0]
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

    def bind(
        self, operands: Sequence[Array], targets: Sequence[Array], gifts: Sequence[Site] = ()
    ) -> Binding:
        """The site with these arrays.

        Args:
            operands: The operands of this rank.
            targets: Where the results go.
            gifts: Sites of other groups to which the rank gives at the same time.
        """
        size = sum(each.nbytes for each in (*operands, *targets))
        binding = Binding(results=targets, gifts=gifts, bytes=size)
        if self.engine is not None:
            self.bind_engine(binding, operands, self.engine)
        elif self.algorithm == "blocks":
            self.bind_blocks(binding, [in_one_piece(each, binding) for each in operands])
        else:
            self.bind_pieces(binding, operands)
        for gift in gifts:
            gift.bind_sends(binding, operands)
        for each in binding.rounds:
            each.transfers = [transfer for transfer, _ in (*each.receives, *each.sends)]
            each.tests = [transfer.Test for transfer in each.transfers]
        return binding

    def made(self) -> list[Array]:
        """Memory for the results; what is placed has the element type of its operand."""
        operation, position = cast(Operation, self.stop.operation), self.stop.position
        members = range(self.exchange.size)
        pieces = [piece for i in members for piece in self.exchange.pieces(i, position)]
        placed = {piece.operand for piece in pieces if piece.target is not None}
        return [
            np.empty(
                shape,
                self.dtypes[k] if k in placed else operation.results[k].type.element_type.dtype,
            )
            for k, shape in enumerate(self.exchange.results)
        ]

    def adopt(self) -> None:
        """Lets the engine do what follows, after a visit: all members have come, and do the same."""
        self.unbind()
        self.engine = self.port.engine(self.stop.ranks, self.tag)
        if self.engine is None:
            self.native = None

    def bind_engine(self, binding: Binding, operands: Sequence[Array], engine: Engine) -> None:
        """The engine combines, in an order of its own."""
        assert self.native is not None, "else there is no engine"
        turn, position, members = Round(), self.stop.position, range(self.exchange.size)
        binding.rounds.append(turn)
        parts = [self.exchange.pieces(position, i) for i in members]
        for k, result in enumerate(binding.results):
            operand, scattered = operands[k], bool(parts[0][0].source)
            if scattered and math.prod(operand.shape[: len(parts[0][0].source) - 1]) != 1:
                rows: Array = np.empty((len(parts), *result.shape), operand.dtype)
                pairs: Iterable[tuple[Array, Sequence[Piece]]] = zip(rows, parts, strict=True)
                for row, part in pairs:
                    binding.before.append((row, part[0].of(operands)))
                operand = rows
            operand = in_one_piece(operand, binding)
            transfer = engine.reduction(self.native, operand, result, scattered=scattered)
            turn.sends.append((transfer, position))

    def bind_pieces(self, binding: Binding, operands: Sequence[Array]) -> None:
        """Each member hands to each other what that one needs."""
        stop, turn = self.stop, Round()
        own = stop.ranks[stop.position]
        binding.rounds.append(turn)
        self.bind_sends(binding, operands)
        pieces: dict[int, list[Any]] = {}
        placed: set[int] = set()
        for i, rank in enumerate(stop.ranks):
            for piece in self.exchange.pieces(i, stop.position):
                held = self.taken(piece, rank, own, operands, binding)
                placed.add(piece.operand)
                if piece.target is None:
                    pieces.setdefault(piece.operand, []).append(held)
        for k, each in pieces.items():
            turn.folds += self.folds(k, each, binding.results[k])
        self.fill(binding, operands, set(range(len(binding.results))) - placed)

    def bind_sends(self, binding: Binding, operands: Sequence[Array]) -> None:
        """What this rank gives, as part of the first messages."""
        stop, packed = self.stop, dict[tuple[int, str], Array]()
        for i, rank in enumerate(stop.ranks):
            is_other = rank != stop.ranks[stop.position]
            for piece in self.exchange.pieces(stop.position, i) if is_other else ():
                name = piece.operand, str(piece.source)
                if name not in packed:
                    packed[name] = in_one_piece(np.asarray(piece.of(operands)), binding)
                self.hand(binding.rounds[0], packed[name], rank)

    def folds(self, k: int, pieces: Sequence[Array], out: Array) -> Sequence[Callable[[], object]]:
        """What makes a result, or a block, of pieces."""
        stop = self.stop
        return stop.operation.folds(k, stop.position, self.regions, pieces, out)

    def taken(
        self, piece: Piece, rank: int, own: int, operands: Sequence[Array], binding: Binding
    ) -> Array:
        """A piece that this rank takes: its own, or an array into which it arrives."""
        place = None
        if piece.target is not None:
            result = binding.results[piece.operand]
            place = result[piece.target] if piece.target else result
        if rank == own:
            held = piece.of(operands)
            if place is not None:
                binding.after.append((place, held))
            return held
        if place is not None and place.flags.c_contiguous:
            held = place
        else:
            held = np.empty(piece.shape(self.exchange.shapes), self.dtypes[piece.operand])
            if place is not None:
                binding.after.append((place, held))
        self.take(binding.rounds[0], held, rank)
        return held

    def bind_blocks(self, binding: Binding, operands: Sequence[Array]) -> None:
        """Each member combines one block of each operand, and hands it to those who need it."""
        first, second, stop = Round(), Round(), self.stop
        binding.rounds += [first, second]
        size, position = self.exchange.size, stop.position
        missing: set[int] = set()
        for k, shape in enumerate(self.exchange.results):
            count = math.prod(shape)
            flat, result = operands[k].reshape(-1), binding.results[k]
            blocks = [block_of(count, size, member) for member in range(size)]
            receivers = self.exchange.receivers(k)
            place = result.reshape(-1) if position in receivers else None
            if place is None:
                missing.add(k)
                own = np.empty(length(blocks[position]), result.dtype)
            else:
                if not np.shares_memory(place, result):
                    binding.after.append((result, place.reshape(shape)))
                own = place[blocks[position]]
            held = [flat[blocks[position]]] * size
            for i, rank in enumerate(stop.ranks):
                if i == position:
                    continue
                self.hand(first, flat[blocks[i]], rank)
                if i in receivers:
                    self.hand(second, own, rank)
                held[i] = np.empty(length(blocks[position]), flat.dtype)
                self.take(first, held[i], rank)
                if place is not None:
                    self.take(second, place[blocks[i]], rank)
            if own.size:
                first.folds += self.folds(k, held, own)
        self.fill(binding, operands, missing)

    def fill(self, binding: Binding, operands: Sequence[Array], missing: set[int]) -> None:
        """Results for which nobody gives anything are what a process alone has."""
        if missing:
            alone = self.stop.operation.evaluate_alone(operands)
            values = several(alone, len(binding.results))
            binding.after += [(binding.results[k], values[k]) for k in sorted(missing)]

    def hand(self, turn: Round, array: Array, rank: int) -> None:
        """Adds a message to another rank."""
        if array.size:
            turn.sends.append((self.port.sender(array, rank, self.tag), rank))

    def take(self, turn: Round, array: Array, rank: int) -> None:
        """Adds a message from another rank."""
        if array.size:
            turn.receives.append((self.port.receiver(array, rank, self.tag), rank))


def native_fold(operation: GroupOperation, dtypes: Sequence[Any]) -> str | None:
    """By what the engine itself combines what an operation combines; None if it does not.

    It knows the operations of plain monoids, on integers and floats as C has them.
    """
    if operation.name not in NATIVE or not all(each.name in NUMBERS for each in dtypes):
        return None
    region = cast(Operation, operation).regions[0]
    elements = [each.dtype for each in accumulator_elements(region)]
    return monoid(region) if all(each in elements for each in dtypes) else None


def in_one_piece(array: Array, binding: Binding) -> Array:
    """An array that can be sent; one that does not lie in one piece is put together before."""
    if array.flags.c_contiguous:
        return array
    whole = np.empty(array.shape, array.dtype)
    binding.before.append((whole, array))
    return whole


def length(block: slice) -> int:
    """How many elements a block has."""
    return int(block.stop - block.start)


def tag_of(key: str, shapes: Sequence[Shape], dtypes: Sequence[Any], epoch: int) -> int:
    """What tells the messages of a site from those of others; the same in all ranks."""
    text = f"{key} {list(shapes)} {[each.name for each in dtypes]} {epoch}"
    digest = blake2b(text.encode(), digest_size=4).digest()
    return int.from_bytes(digest, "little") & TAGS
