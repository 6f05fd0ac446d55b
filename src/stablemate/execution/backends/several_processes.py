"""Several processes of a grid as one MPI rank.

They run in lock-step with one another. At a collective operation the rank sends the operands of
each of its processes to the other ranks of the group; every rank computes the results of its own
processes from the operands of the whole group, as lock-step does: so they have the same bits. Large
operands that are combined go from rank to rank instead (``collectives/chained_reductions.py``).

Source: StableHLO specification, parallel execution.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.backends.lockstep import MeetingKey
from stablemate.execution.backends.mpi import Ranks
from stablemate.execution.backends.rank_run import RankRun
from stablemate.execution.collectives.chained_reductions import (
    ChainedReduction,
    is_chained,
    runs_of,
)
from stablemate.execution.collectives.messages import Contribution, Partial, pack_values
from stablemate.execution.collectives.rank_collectives import key_of
from stablemate.execution.collectives.rendezvous import Partners, Rendezvous, answers_of
from stablemate.execution.host import Host
from stablemate.execution.placement import RankPlacement
from stablemate.execution.process import place_of
from stablemate.ir.core import Operation
from stablemate.ir.data_movement import DataMovement
from stablemate.ir.exchange import OperandPiece, Shape
from stablemate.ir.grid import ProcessGroup, ProcessId
from stablemate.ir.request import CollectiveRequest, GroupOperation, Process

SharedKey: TypeAlias = tuple[str, int, int]  # the operation as all ranks call it, group, visit


class SeveralProcessesRun(RankRun):
    """One run of a grid with several processes on a rank, or in an order that is not the ranks'."""

    def __init__(
        self, processes: Sequence[Process], host: Host, group: Ranks, placement: RankPlacement
    ) -> None:
        super().__init__(processes, host, group, placement)
        self.keys: dict[Operation, str] = {}
        self.operation_by_name: dict[str, Operation] = {}
        self.shared: dict[SharedKey, MeetingKey] = {}  # those that are not complete
        self.early: defaultdict[SharedKey, list[Contribution | Partial]] = defaultdict(list)

    def shared_key(self, key: MeetingKey) -> SharedKey:
        """The key of a rendezvous, the same on all ranks."""
        operation, number, visit = key
        name = self.keys.get(operation)
        if name is None:
            name = key_of(operation, one_program=self.one_program)
            other = self.operation_by_name.setdefault(name, operation)
            if other is not operation:
                places = f"{place_of(other)} and {place_of(operation)}"
                message = f"{places} cannot be told apart: rename one of the values"
                raise UnsupportedError(message)
            self.keys[operation] = name
        return name, number, visit

    def rendezvous(
        self, key: MeetingKey, partners: Partners, request: CollectiveRequest
    ) -> Rendezvous:
        """A new rendezvous, with the operands of other ranks that have arrived."""
        group = partners.groups[key[1]]
        runs = runs_of(group, self.placement)
        created = (
            ChainedReduction(group, request, runs, self.group.rank)
            if is_chained(request, runs)
            else super().rendezvous(key, partners, request)
        )
        name = self.shared_key(key)
        self.shared[name] = key
        for contribution in self.early.pop(name, ()):
            self.bring(created, contribution)
        return created

    def bring(self, rendezvous: Rendezvous, contribution: Contribution | Partial) -> None:
        """Processes of another rank arrive with their operands."""
        if isinstance(rendezvous, ChainedReduction):
            rendezvous.take(contribution)
        elif isinstance(contribution, Contribution):
            rendezvous.bring(contribution.process, contribution.arrays, contribution.place)
        else:  # operands of other shapes, which the rendezvous rejects
            empty = [np.empty(shape) for shape in contribution.shapes]
            for member in runs_of(rendezvous.group, self.placement)[contribution.run].members:
                rendezvous.bring(member, empty, contribution.place)

    def share(self, key: MeetingKey, process: ProcessId, request: CollectiveRequest) -> None:
        """Sends the operands of a process to the other ranks of its group."""
        name, words = self.shared_key(key), self.group.words
        place = place_of(request.operation)
        words.number[0] = words.of(place)
        rendezvous = self.rendezvous_by_key[key]
        if isinstance(rendezvous, ChainedReduction):
            self.send_partials(rendezvous, name, place)
            return
        group = rendezvous.group
        others = {self.placement.rank(member) for member in group} - {self.group.rank}
        if others:
            operands = [np.asarray(operand) for operand in request.operands]
            shapes = tuple(operand.shape for operand in operands)
            for rank in sorted(others):
                receivers = [i for i, m in enumerate(group) if self.placement.rank(m) == rank]
                pieces = needed_pieces(request.operation, shapes, group, process, receivers)
                copies = pack_values([np.array(piece.of(operands)) for piece in pieces])
                message = Contribution(*name, process, shapes, pieces, copies, place)
                self.say_values(rank, message)
        if rendezvous.is_complete:
            del self.shared[name]

    def send_partials(self, reduction: ChainedReduction, name: SharedKey, place: str) -> None:
        """Combines what has arrived of a reduction, and sends it to the ranks that need it."""
        for rank, run, arrays in reduction.advance():
            copies = pack_values([np.array(array) for array in arrays])
            self.say_values(rank, Partial(*name, run, reduction.shapes, copies, place))
        if reduction.is_complete:
            del self.shared[name]

    def take_contribution(self, contribution: Contribution | Partial) -> None:
        """Answers the processes of this rank, if all of the group have arrived."""
        name = contribution.operation, contribution.group, contribution.visit
        key = self.shared.get(name)
        if key is None:
            self.early[name].append(contribution)
            return
        rendezvous = self.rendezvous_by_key[key]
        self.bring(rendezvous, contribution)
        if isinstance(rendezvous, ChainedReduction):
            self.send_partials(rendezvous, name, contribution.place)
        elif rendezvous.is_complete:
            del self.shared[name]
        if rendezvous.is_complete:
            del self.rendezvous_by_key[key]
            answers, _ = answers_of([rendezvous])
            self.ready.extend(answers)

    def lines(self) -> Iterator[str]:
        """The requests that the processes of this rank wait for, each with the rank."""
        return (f"rank {self.group.number}: {line}" for line in super().lines())

    def remember(self, moves: DataMovement) -> None:
        """Native code replays no exchange that other ranks take part in."""


def needed_pieces(
    operation: GroupOperation,
    shapes: Sequence[Shape],
    group: ProcessGroup,
    process: ProcessId,
    receivers: Sequence[int],
) -> tuple[OperandPiece, ...]:
    """The pieces of a process's operands that some members of its group need.

    Args:
        operation: The collective operation.
        shapes: The shapes of the operands.
        group: The processes of the group.
        process: The one that has the operands.
        receivers: The positions of the members in the group.
    """
    whole = tuple(OperandPiece(number) for number in range(len(shapes)))
    if operation.routing_operand is not None:
        return whole
    exchange = operation.exchange(shapes, len(group), [])
    senders = [position for position, member in enumerate(group) if member == process]
    # An empty piece of each operand says its element type.
    pieces = {
        (number, ""): OperandPiece(number, (slice(0, 0),) if shape else ())
        for number, shape in enumerate(shapes)
    }
    pieces |= {
        (piece.operand, repr(piece.source)): OperandPiece(piece.operand, piece.source)
        for sender, receiver in product(senders, receivers)
        for piece in exchange.pieces(sender, receiver)
    }
    sizes = [prod(piece.shape(shapes)) for piece in pieces.values()]
    is_less = sum(sizes) < sum(map(prod, shapes))
    return tuple(pieces.values()) if is_less else whole
