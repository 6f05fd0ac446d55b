"""Reductions among ranks with several processes: partial results go from rank to rank.

Consecutive members of a group that one rank runs are a run. The rank of the first run combines its
operands, and sends the result to the rank of the second one, which combines it with its own, and so
on, in the order of the group: so the result has the bits of lock-step. The rank of the last run
sends it to all others. So a rank receives the bytes of one operand for each of its runs, and once
more for the result, however many of the processes are its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, cast

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import EvaluationError
from stablemate.execution.collectives.messages import Contribution, Partial, unpack_values
from stablemate.execution.collectives.rendezvous import Rendezvous, different_shapes
from stablemate.execution.collectives.result_placement import combine
from stablemate.execution.placement import RankPlacement
from stablemate.execution.process import Fiber
from stablemate.ir.core import Operation
from stablemate.ir.data_movement import DataMovement
from stablemate.ir.definition import pack_results
from stablemate.ir.exchange import Shape
from stablemate.ir.grid import ProcessGroup, ProcessId
from stablemate.ir.request import IN_TARGETS, CollectiveRequest
from stablemate.numerics.elements import Array

# Each run waits for the one before it: that takes longer than to send small operands to all ranks.
# ``python -m benchmarks.jax.hosts`` measures jobs of several processes.
LEAST_BYTES: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive members of a group that one rank runs."""

    rank: int
    members: tuple[ProcessId, ...]


class ChainedReduction(Rendezvous):
    """A group of processes whose operands are combined from rank to rank.

    Attributes:
        request: What one of the processes asks for; the others ask for the same.
        shapes: Those of its operands.
        runs: The members of the group by their ranks, in order.
        rank: The rank whose processes these are.
        partials: What the members up to the end of a run have been combined to.
        error: Why there is no result.
    """

    __slots__ = ("error", "partials", "rank", "request", "runs", "shapes")

    def __init__(
        self, group: ProcessGroup, request: CollectiveRequest, runs: Sequence[Run], rank: int
    ) -> None:
        super().__init__(group)
        self.request = request
        self.shapes = shapes_of(request)
        self.runs = runs
        self.rank = rank
        self.partials: dict[int, Sequence[Array]] = {}
        self.error: EvaluationError | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the result is there."""
        return self.error is not None or len(self.runs) - 1 in self.partials

    @property
    def missing(self) -> list[ProcessId]:
        """The processes that are not known to have arrived."""
        arrived = max(self.partials, default=-1)
        later = [member for run in self.runs[arrived + 1 :] for member in run.members]
        return [member for member in later if member not in self.brought]

    def take(self, message: Contribution | Partial) -> None:
        """Takes what another rank sends; it fits no other shapes."""
        if message.shapes != self.shapes or not isinstance(message, Partial):
            theirs = [np.empty(shape) for shape in message.shapes]
            ours = [np.empty(shape) for shape in self.shapes]
            members = self.runs[0].members[0], self.runs[-1].members[0]
            self.error = different_shapes(members, [theirs, ours])
            return
        self.partials[message.run] = [np.asarray(e) for e in unpack_values(message.operands)]

    def advance(self) -> Iterator[tuple[int, int, Sequence[Array]]]:
        """Combines what has arrived.

        Yields the partial results that other ranks need: the rank, the number of the run, the
        arrays.
        """
        last = len(self.runs) - 1
        for number, run in enumerate(self.runs):
            before = self.partials.get(number - 1, ())
            if run.rank != self.rank or number in self.partials or (number and not before):
                continue
            if not all(member in self.brought for member in run.members):
                continue
            combined = self.partials[number] = self.combined(before, run)
            others = {run.rank for run in self.runs} if number == last else {self.next_rank(number)}
            for rank in sorted(others - {self.rank}):
                yield rank, number, combined

    def next_rank(self, number: int) -> int:
        """The rank of the run after another one."""
        return self.runs[number + 1].rank

    def combined(self, before: Sequence[Array], run: Run) -> Sequence[Array]:
        """What the runs before and the operands of a run are combined to."""
        request, position = self.request, self.group.index(run.members[0])
        results: list[Array] = []
        for k, shape in enumerate(self.shapes):
            pieces = [self.brought[member][k] for member in run.members]
            out = before[k] if before else np.empty(shape, pieces[0].dtype)
            combiner = request.operation.combiner(k, position, request.regions)
            combine(combiner, [*([out] if before else []), *pieces], [out])
            results.append(out)
        return results

    def results_for(self, moves: DataMovement) -> Sequence[tuple[Fiber, object]]:
        """The results of each process of this rank, or an error."""
        if self.error is not None:
            return [(fiber, self.error) for fiber, _ in self.waiting]
        results = self.partials[len(self.runs) - 1]
        answers: list[tuple[Fiber, object]] = []
        for fiber, request in self.waiting:
            if request.targets is None:
                answers.append((fiber, pack_results(results)))
                continue
            moves.copies += zip(request.targets, results, strict=True)
            answers.append((fiber, IN_TARGETS))
        return answers


def runs_of(group: ProcessGroup, placement: RankPlacement) -> list[Run]:
    """The members of a group by their ranks, in order."""
    return [Run(rank, tuple(members)) for rank, members in groupby(group, placement.rank)]


def is_chained(request: CollectiveRequest, runs: Sequence[Run]) -> bool:
    """Whether what a process asks for is combined from rank to rank."""
    operation = cast(Operation, request.operation)
    operands = [np.asarray(operand) for operand in request.operands]
    if len({run.rank for run in runs}) < 2 or request.operation.routing_operand is not None:
        return False
    pairs = zip(operation.operands, operation.results, strict=False)
    if not all(operand.type == result.type for operand, result in pairs):
        return False
    size = len([member for run in runs for member in run.members])
    shapes: list[Shape] = [operand.shape for operand in operands]
    exchange = request.operation.exchange(shapes, size)
    return exchange.is_splittable and sum(e.nbytes for e in operands) >= LEAST_BYTES


def shapes_of(request: CollectiveRequest) -> tuple[Shape, ...]:
    """The shapes of the operands of a process."""
    return tuple(np.shape(operand) for operand in request.operands)
