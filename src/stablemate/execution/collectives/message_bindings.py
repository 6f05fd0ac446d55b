"""Creates the persistent messages of a collective for the arrays that it works on.

Which bytes go where follows from the operation, its group and the shapes: ``ir/exchange.py``. What
lies in one piece is sent from where it lies, and arrives where it belongs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import field
from hashlib import blake2b
from typing import Any, Final, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.reducers import monoid
from stablemate.dialects.stablehlo.regions import accumulator_elements
from stablemate.execution.collectives.data_movement import NativeSteps
from stablemate.execution.collectives.transport import Engine, PersistentTransfer, Transport
from stablemate.ir.core import Operation
from stablemate.ir.data_movement import PieceReduction
from stablemate.ir.definition import unpack_results
from stablemate.ir.exchange import (
    Algorithm,
    CollectiveExchange,
    OperandPiece,
    Shape,
    algorithm_for,
    block_range,
)
from stablemate.ir.request import GroupOperation, PlainFunction
from stablemate.numerics.elements import Array

NUMBERS: Final = frozenset(
    [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
    + ["float32", "float64"]
)
TAGS: Final = (1 << 28) - 1  # what the engine can tell apart


@dataclass(frozen=True, slots=True)
class CollectiveSite:
    """Where a collective occurs: its operation, its group, and its tag.

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
class MessageRound:
    """Messages that are sent at the same time, and what is computed when they have arrived.

    Attributes:
        receives: The messages that arrive, each with the rank that it comes from.
        sends: The messages that leave, each with the rank that it goes to.
        reductions: What reduces the received pieces to results or blocks.
        plain: The same where elements are combined plainly; None if that is not all.
        transfers: All messages.
        tests: Whether each is done.
    """

    receives: list[tuple[PersistentTransfer, int]] = field(
        default_factory=list[tuple[PersistentTransfer, int]]
    )
    sends: list[tuple[PersistentTransfer, int]] = field(
        default_factory=list[tuple[PersistentTransfer, int]]
    )
    reductions: list[Callable[[], object]] = field(default_factory=list[Callable[[], object]])
    plain: list[PieceReduction] | None = field(default_factory=list[PieceReduction])
    transfers: list[PersistentTransfer] = field(default_factory=list[PersistentTransfer])
    tests: list[Callable[[], bool]] = field(default_factory=list[Callable[[], bool]])


@dataclass(slots=True)
class MessageBinding:
    """A prepared collective with its arrays: the operands, and where the results are written.

    Attributes:
        before: Pieces that are put together before they are sent: where, and what.
        rounds: The messages.
        after: Pieces that are put where they belong: where, and what.
        results: The results.
        contributions: Sites of other groups to which the rank gives at the same time.
        bytes: How much is on its way.
        number: What the rank calls the operation in its last words.
        native_steps: The same steps as native code, if that is possible.
        is_short: Whether that was tried.
    """

    before: list[tuple[Array, Array]] = field(default_factory=list[tuple[Array, Array]])
    rounds: list[MessageRound] = field(default_factory=list[MessageRound])
    after: list[tuple[Array, Array]] = field(default_factory=list[tuple[Array, Array]])
    results: Sequence[Array] = ()
    contributions: Sequence[MessageBinder] = ()
    bytes: int = 0
    number: int = 0
    native_steps: NativeSteps | None = None
    is_short: bool = False


class MessageBinder:
    """Creates the messages of a collective for given arrays.

    Attributes:
        stop: Where it is.
        tag: What tells its messages from those of others.
        begun: How often each round was begun.
        native: By what the engine combines as the operation does, if it does.
        engine: Who combines instead of the members themselves, if that is wished.
    """

    def __init__(
        self, port: Transport, stop: CollectiveSite, exchange: CollectiveExchange,
        dtypes: Sequence[Any],
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
        sizes = [dtype.itemsize for dtype in dtypes[: len(exchange.shapes)]]
        self.algorithm = algorithm or algorithm_for(exchange, sizes)
        self.tag = tag_of(stop.key, exchange.shapes, dtypes, epoch)
        self.regions = regions
        self.begun = np.zeros(2, np.int64)
        self.native = native_reduction(stop.operation, dtypes)
        self.engine: Engine | None = None

    @property
    def receivers(self) -> list[int]:
        """The ranks that receive what this one sends."""
        stop = self.stop
        return [
            rank
            for i, rank in enumerate(stop.ranks)
            if rank != stop.ranks[stop.position] and self.exchange.pieces(stop.position, i)
        ]

    def bind(
        self,
        operands: Sequence[Array],
        targets: Sequence[Array],
        contributions: Sequence[MessageBinder] = (),
    ) -> MessageBinding:
        """The prepared collective with these arrays.

        Args:
            operands: The operands of this rank.
            targets: Where the results go.
            contributions: Sites of other groups to which the rank gives at the same time.
        """
        size = sum(operand.nbytes for operand in (*operands, *targets))
        binding = MessageBinding(results=targets, contributions=contributions, bytes=size)
        if self.engine is not None:
            self.bind_engine(binding, operands, self.engine)
        elif self.algorithm == "blocks":
            self.bind_blocks(binding, [in_one_piece(operand, binding) for operand in operands])
        else:
            self.bind_pieces(binding, operands)
        for contribution in contributions:
            contribution.bind_sends(binding, operands)
        for round in binding.rounds:
            round.transfers = [transfer for transfer, _ in (*round.receives, *round.sends)]
            round.tests = [transfer.Test for transfer in round.transfers]
        return binding

    def allocate_results(self) -> list[Array]:
        """Allocates the results.

        A result that is only placed has the element type of its operand.
        """
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

    def bind_engine(
        self, binding: MessageBinding, operands: Sequence[Array], engine: Engine
    ) -> None:
        """Binds a reduction by MPI, which chooses the order itself."""
        assert self.native is not None, "else there is no engine"
        message_round = MessageRound()
        binding.rounds.append(message_round)
        for operand, result in zip(operands, binding.results, strict=True):
            whole = in_one_piece(operand, binding)
            if np.may_share_memory(whole, result):  # which MPI does not allow
                copied = np.empty_like(whole)
                binding.before.append((copied, whole))
                whole = copied
            message_round.sends.append(
                (engine.reduction(self.native, whole, result), self.stop.position)
            )

    def bind_pieces(self, binding: MessageBinding, operands: Sequence[Array]) -> None:
        """Binds messages by which each member sends each other member the piece that it needs."""
        stop, message_round = self.stop, MessageRound()
        own = stop.ranks[stop.position]
        binding.rounds.append(message_round)
        self.bind_sends(binding, operands)
        pieces: dict[int, list[Any]] = {}
        placed: set[int] = set()
        for i, rank in enumerate(stop.ranks):
            for piece in self.exchange.pieces(i, stop.position):
                array = self.receive_piece(piece, rank, own, operands, binding)
                placed.add(piece.operand)
                if piece.target is None:
                    pieces.setdefault(piece.operand, []).append(array)
        for k, blocks in pieces.items():
            self.add_reduction(message_round, k, blocks, binding.results[k])
        self.fill(binding, operands, set(range(len(binding.results))) - placed)

    def bind_sends(self, binding: MessageBinding, operands: Sequence[Array]) -> None:
        """The sends of this rank, as part of the first round."""
        stop, packed = self.stop, dict[tuple[int, str], Array]()
        for i, rank in enumerate(stop.ranks):
            is_other = rank != stop.ranks[stop.position]
            for piece in self.exchange.pieces(stop.position, i) if is_other else ():
                name = piece.operand, str(piece.source)
                if name not in packed:
                    packed[name] = in_one_piece(np.asarray(piece.of(operands)), binding)
                self.hand(binding.rounds[0], packed[name], rank)

    def add_reduction(
        self, message_round: MessageRound, k: int, pieces: Sequence[Array], out: Array
    ) -> None:
        """Adds the reduction that computes a result, or a block of it, from pieces."""
        stop = self.stop
        message_round.reductions += stop.operation.reduction_steps(
            k, stop.position, self.regions, pieces, out
        )
        name = stop.operation.reduction_ufunc(k)
        if name is None:
            message_round.plain = None
        elif message_round.plain is not None:
            message_round.plain.append(PieceReduction(name, pieces, [out]))

    def receive_piece(
        self,
        piece: OperandPiece,
        rank: int,
        own: int,
        operands: Sequence[Array],
        binding: MessageBinding,
    ) -> Array:
        """Returns a piece that this rank needs: its own, or an array that receives it."""
        place = None
        if piece.target is not None:
            result = binding.results[piece.operand]
            place = result[piece.target] if piece.target else result
        if rank == own:
            array = piece.of(operands)
            if place is not None:
                binding.after.append((place, array))
            return array
        if place is not None and place.flags.c_contiguous:
            array = place
        else:
            array = np.empty(piece.shape(self.exchange.shapes), self.dtypes[piece.operand])
            if place is not None:
                binding.after.append((place, array))
        self.take(binding.rounds[0], array, rank)
        return array

    def bind_blocks(self, binding: MessageBinding, operands: Sequence[Array]) -> None:
        """Each member reduces one block, and sends it to the members that need it."""
        first, second, stop = MessageRound(), MessageRound(), self.stop
        binding.rounds += [first, second]
        size, position = self.exchange.size, stop.position
        missing: set[int] = set()
        for k, shape in enumerate(self.exchange.results):
            count = math.prod(shape)
            flat, result = operands[k].reshape(-1), binding.results[k]
            blocks = [block_range(count, size, member) for member in range(size)]
            receivers = self.exchange.receivers(k)
            place = result.reshape(-1) if position in receivers else None
            if place is None:
                missing.add(k)
                own = np.empty(length(blocks[position]), result.dtype)
            else:
                if not np.shares_memory(place, result):
                    binding.after.append((result, place.reshape(shape)))
                own = place[blocks[position]]
            blocks_of_ranks = [flat[blocks[position]]] * size
            for i, rank in enumerate(stop.ranks):
                if i == position:
                    continue
                self.hand(first, flat[blocks[i]], rank)
                if i in receivers:
                    self.hand(second, own, rank)
                blocks_of_ranks[i] = np.empty(length(blocks[position]), flat.dtype)
                self.take(first, blocks_of_ranks[i], rank)
                if place is not None:
                    self.take(second, place[blocks[i]], rank)
            if own.size:
                self.add_reduction(first, k, blocks_of_ranks, own)
        self.fill(binding, operands, missing)

    def fill(self, binding: MessageBinding, operands: Sequence[Array], missing: set[int]) -> None:
        """Computes results to which no member contributes, as a single process does."""
        if missing:
            alone = self.stop.operation.evaluate_ungrouped(operands)
            values = unpack_results(alone, len(binding.results))
            binding.after += [(binding.results[k], values[k]) for k in sorted(missing)]

    def hand(self, message_round: MessageRound, array: Array, rank: int) -> None:
        """Adds a send to another rank."""
        if array.size:
            message_round.sends.append((self.port.sender(array, rank, self.tag), rank))

    def take(self, message_round: MessageRound, array: Array, rank: int) -> None:
        """Adds a receive from another rank."""
        if array.size:
            message_round.receives.append((self.port.receiver(array, rank, self.tag), rank))


def native_reduction(operation: GroupOperation, dtypes: Sequence[Any]) -> str | None:
    """MPI's own reduction that equals an operation's; None if there is none.

    It knows the operations of plain monoids, on integers and floats as C has them.
    """
    is_reduction = operation.name == "stablehlo.all_reduce"
    if not is_reduction or not all(dtype.name in NUMBERS for dtype in dtypes):
        return None
    region = cast(Operation, operation).regions[0]
    elements = [accumulator_element.dtype for accumulator_element in accumulator_elements(region)]
    return monoid(region) if all(dtype in elements for dtype in dtypes) else None


def in_one_piece(array: Array, binding: MessageBinding) -> Array:
    """A contiguous array that can be sent; others are copied before."""
    if array.flags.c_contiguous:
        return array
    whole = np.empty(array.shape, array.dtype)
    binding.before.append((whole, array))
    return whole


def length(block: slice) -> int:
    """How many elements a block has."""
    return int(block.stop - block.start)


def tag_of(key: str, shapes: Sequence[Shape], dtypes: Sequence[Any], epoch: int) -> int:
    """The tag that distinguishes the messages of a collective; the same on all ranks."""
    text = f"{key} {list(shapes)} {[dtype.name for dtype in dtypes]} {epoch}"
    digest = blake2b(text.encode("utf-8", "surrogateescape"), digest_size=4).digest()
    return int.from_bytes(digest, "little") & TAGS
