"""The custom call ``ragged_all_to_all``, which JAX emits: a collective operation.

Source: XLA, operation semantics, RaggedAllToAll; jax.lax.ragged_all_to_all.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final, TypeGuard

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.runtime import require
from stablemate.ir import request as requests
from stablemate.ir.attributes import DictionaryAttribute, IntegerAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import RegionFunction
from stablemate.ir.exchange import CollectiveExchange, Index, OperandPiece, Shape
from stablemate.ir.grid import IdGroups, Strategy
from stablemate.ir.kinds import SI64_MATRIX
from stablemate.ir.request import Process, ProcessFunction
from stablemate.numerics.elements import Array

TARGET: Final = "ragged_all_to_all"
STARTS, SIZES, PLACES, RECEIVED = range(4)  # rows of the table of a member


def is_ragged_all_to_all(operation: Operation) -> TypeGuard[CustomCall]:
    """Whether this is the custom call."""
    return isinstance(operation, CustomCall) and operation.call_target_name == TARGET


class RaggedAllToAll(CustomCall, Collective):
    """Sends rows among the members of a group to places that their senders choose.

    Sender s sends ``send_sizes[i]`` rows of its input, from ``input_offsets[i]`` on, to member i,
    where they become rows from ``output_offsets[i]`` on; all other rows are those of ``output``.
    Offsets and sizes may have a second dimension: several such pieces.

    A member passes input and output as one array, and offsets and sizes as another, the routing
    operand.
    """

    __slots__ = ()
    uniform_results: ClassVar[bool] = False
    covers_grid: ClassVar[bool] = True

    @property
    def entries(self) -> dict[str, object]:
        """The entries of the backend configuration."""
        config = self.backend_config
        return dict(config.entries) if isinstance(config, DictionaryAttribute) else {}

    @property
    def channel_id(self) -> int:
        """The id of the channel; 0 where there is none."""
        attribute = self.entries.get("channel_id")
        return attribute.value if isinstance(attribute, IntegerAttribute) else 0

    @property
    def strategy(self) -> Strategy:
        """Across replicas, or across partitions if there is a channel."""
        return Strategy.CROSS_PARTITION if self.channel_id > 0 else Strategy.CROSS_REPLICA

    @property
    def id_groups(self) -> IdGroups:
        """The groups of ids in ``replica_groups``."""
        attribute = self.entries.get("replica_groups")
        return SI64_MATRIX.value(attribute) if attribute is not None else ()

    @property
    def rows(self) -> tuple[int, int]:
        """The number of rows of input and output.

        Raises:
            UnsupportedError: That is known only at run time.
        """
        types = [value.type for value in self.operands]
        if len(types) != 6 or not all(tensor.is_static and tensor.shape for tensor in types):
            message = "six operands of static shapes, each with rows, are expected"
            raise UnsupportedError(Diagnostic(message, f"{self.name} @{TARGET}", self.span))
        return types[0].shape[0], types[1].shape[0]

    def prepare(self, regions: Sequence[RegionFunction]) -> ProcessFunction:
        """A process of one request."""
        _ = self.rows  # rejected before anything runs

        def ask(source: Array, output: Array, *numbers: Array) -> Process:
            table = np.stack([column.reshape(len(column), -1) for column in numbers])
            brought = [np.concatenate([source, output]), table]
            answer = yield requests.CollectiveRequest(self, brought, ())
            return answer

        return ask

    @property
    def routing_operand(self) -> int | None:
        """The operand that determines which rows a process sends: offsets and sizes."""
        return 1

    def exchange(
        self, shapes: Sequence[Shape], size: int, routing: Sequence[Array] = ()
    ) -> CollectiveExchange:
        """A member needs the rows sent to it, and all other rows of its own output.

        Raises:
            EvaluationError: Rows do not exist, or members disagree about them.
        """
        before, after = self.rows
        for table in routing:
            require(
                self, table.shape[1] == size, "", "an offset and a size for each member",
                offsets=table.shape[1], members=size,
            )  # fmt: skip
        moves = [[self.moves(routing, s, r) for r in range(size)] for s in range(size)]
        unreceived = [list(others(after, [row[r] for row in moves])) for r in range(size)]

        def pieces(sender: int, receiver: int) -> Sequence[OperandPiece]:
            pieces = [
                OperandPiece(0, rows(start, count), rows(place, count))
                for start, count, place in moves[sender][receiver]
            ]
            if sender == receiver:
                pieces += [
                    OperandPiece(0, rows(before + first, end - first), rows(first, end - first))
                    for first, end in unreceived[receiver]
                ]
            return pieces

        return CollectiveExchange(size, shapes, [(after, *shapes[0][1:])], pieces)

    def moves(
        self, tables: Sequence[Array], sender: int, receiver: int
    ) -> list[tuple[int, int, int]]:
        """The pieces that a member sends to another: source row, number of rows, target row."""
        before, after = self.rows
        moves: list[tuple[int, int, int]] = []
        for i in range(tables[sender].shape[2]):
            start, count, place = (
                int(tables[sender][kind, receiver, i]) for kind in (STARTS, SIZES, PLACES)
            )
            received = int(tables[receiver][RECEIVED, sender, i])
            facts = {"sender": sender, "receiver": receiver, "size": count}
            require(
                self, count == received, "", "send_sizes and recv_sizes say the same",
                **facts, recv_size=received,
            )  # fmt: skip
            inside = 0 <= start <= start + count <= before and 0 <= place <= place + count <= after
            require(
                self, inside, "", "the rows are there", **facts,
                input_offset=start, rows=before, output_offset=place, output_rows=after,
            )  # fmt: skip
            if count:
                moves.append((start, count, place))
        return moves

    def evaluate_group(
        self,
        operands: Sequence[Sequence[Array]],
        position: int,
        regions: Sequence[RegionFunction] = (),
    ) -> object:
        """The rows that a member receives, in the order of the group, and its own."""
        size, shapes = len(operands), [operand.shape for operand in operands[0]]
        exchange = self.exchange(shapes, size, [values[1] for values in operands])
        result = np.empty(exchange.results[0], operands[position][0].dtype)
        for sender in range(size):
            for piece in exchange.pieces(sender, position):
                assert piece.target is not None
                result[piece.target] = piece.of(operands[sender])
        return result


def rows(start: int, count: int) -> Index:
    """``count`` rows from ``start`` on."""
    return (slice(start, start + count),)


def others(
    count: int, handed: Sequence[Sequence[tuple[int, int, int]]]
) -> Iterator[tuple[int, int]]:
    """The ranges of ``count`` rows that are not received."""
    end = 0
    for place, size in sorted((place, size) for moves in handed for _, size, place in moves):
        if end < place:
            yield end, place
        end = max(end, place + size)
    if end < count:
        yield end, count


def ragged_all_to_all(operation: CustomCall) -> RaggedAllToAll:
    """The custom call as a collective operation."""
    copied: Any = copy.copy(operation)
    copied.__class__ = RaggedAllToAll
    result: RaggedAllToAll = copied
    return result
