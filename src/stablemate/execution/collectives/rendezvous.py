"""Rendezvous: the processes of a group meet at a collective operation with their operands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final, TypeAlias

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError, StablemateError
from stablemate.execution.collectives.data_movement import PLAIN, Mover
from stablemate.execution.collectives.result_placement import ResultPlacement, write_evaluated
from stablemate.execution.process import Fiber, text_of
from stablemate.ir.data_movement import DataMovement
from stablemate.ir.grid import Grid, ProcessGroup, ProcessId
from stablemate.ir.request import IN_TARGETS, CollectiveRequest, GroupOperation
from stablemate.numerics.elements import Array

ADVICE: Final = "this runs one process; for more, see sm.run_grid, --grid=RxP on the command line"

Place: TypeAlias = GroupOperation | str
WaitingFiber: TypeAlias = tuple[Fiber, CollectiveRequest]


@dataclass(frozen=True, slots=True)
class Partners:
    """Which processes need operands of which at a collective operation.

    Attributes:
        groups: All groups.
        member: The numbers of the groups that a process belongs to.
        own_group: The number of the group whose operands a process needs; None if it needs none.
        landings: How results come about where they are written at once.
    """

    groups: Sequence[ProcessGroup]
    member: Mapping[ProcessId, Sequence[int]]
    own_group: Mapping[ProcessId, int | None]
    landings: ResultPlacement = field(default_factory=ResultPlacement)


class Rendezvous:
    """A group of processes at a collective operation.

    Attributes:
        group: Who must come.
        brought: The operands of those who have come.
        places: Where in their programs they are: the operation, or its name and place if another
            rank runs the process.
        waiting: Those who need the results, with what they ask for.
        landings: How results come about where they are written at once.
    """

    __slots__ = ("brought", "group", "landings", "places", "size", "waiting")

    def __init__(self, group: ProcessGroup, landings: ResultPlacement | None = None) -> None:
        self.group = group
        self.landings = landings or ResultPlacement()
        self.size = len(set(group))
        self.brought: dict[ProcessId, Sequence[Array]] = {}
        self.places: dict[ProcessId, Place] = {}
        self.waiting: list[WaitingFiber] = []

    @property
    def is_complete(self) -> bool:
        """Whether all processes of the group have arrived."""
        return len(self.brought) == self.size

    def bring(self, process: ProcessId, operands: Sequence[Array], place: Place) -> None:
        """A process arrives with its operands."""
        self.brought[process] = operands
        self.places[process] = place

    def keep(self, process: ProcessId) -> None:
        """Copies the operands of a process that has lent them and continues."""
        self.brought[process] = [np.array(value) for value in self.brought[process]]

    @property
    def missing(self) -> list[ProcessId]:
        """The processes that have not arrived."""
        return [member for member in dict.fromkeys(self.group) if member not in self.brought]

    def results_for(self, moves: DataMovement) -> Sequence[tuple[Fiber, object]]:
        """The results of each process that needs them, when all have arrived; or an error.

        Where results belong they have been written, but for what is still to be copied.
        """
        operands = [self.brought[member] for member in self.group]
        error = different_shapes(self.group, operands)
        if error is not None:
            return [(fiber, error) for fiber, _ in self.waiting]
        try:
            return list(self.compute_answers(self.waiting, operands, moves))
        except StablemateError:  # of one of them, or of each
            moves.is_repeatable = False
            return [(waiter[0], self.answer(waiter, operands)) for waiter in self.waiting]

    def answer(self, waiter: WaitingFiber, operands: Sequence[Sequence[Array]]) -> object:
        """The answer for one process; an error if there is none."""
        fiber, request = waiter
        operation, position = request.operation, self.group.index(fiber.process)
        try:
            if request.targets is None:
                return operation.evaluate_group(operands, position, request.regions)
            write_evaluated(operation, operands, position, request.targets, request.regions)
        except StablemateError as error:
            return error
        return IN_TARGETS

    def compute_answers(
        self,
        waiting: Sequence[WaitingFiber],
        operands: Sequence[Sequence[Array]],
        moves: DataMovement,
    ) -> Iterator[tuple[Fiber, object]]:
        """The answers for some processes; what they share is computed once."""
        positions = {process: i for i, process in enumerate(self.group)}
        targets = {positions[f.process]: r.targets for f, r in waiting if r.targets is not None}
        if targets:
            first = next(request for _, request in waiting if request.targets is not None)
            self.landings.write(first.operation, operands, targets, first.regions, moves)
        shared: object = None
        for fiber, request in waiting:
            if request.targets is not None:
                yield fiber, IN_TARGETS
                continue
            if shared is None or not request.operation.uniform_results:
                position = positions[fiber.process]
                shared = request.operation.evaluate_group(operands, position, request.regions)
            yield fiber, shared


def answers_of(
    meetings: Sequence[Rendezvous],
) -> tuple[Sequence[tuple[Fiber, object]], DataMovement]:
    """The answers of all complete groups at one operation; their data moves in one pass.

    Where results belong they have been written, before any process goes on.
    """
    moves = DataMovement()
    results_for = [answer for rendezvous in meetings for answer in rendezvous.results_for(moves)]
    if moves.copies:
        meetings[0].landings.mover.copy(moves.copies)
    return results_for, moves


def different_shapes(
    group: ProcessGroup, operands: Sequence[Sequence[Array]]
) -> EvaluationError | None:
    """The error of operands whose shapes differ between the processes of a group."""
    shapes = [[np.shape(value) for value in operand] for operand in operands]
    if all(shape == shapes[0] for shape in shapes):
        return None
    values = dict(zip(map(text_of, group), shapes, strict=True))
    message = "the operands have the same shapes in all processes of a group"
    return EvaluationError(Diagnostic(message, values=values))


def partners_at(operation: GroupOperation, grid: Grid, mover: Mover = PLAIN) -> Partners:
    """The partners of a process at an operation on a grid, and what moves elements."""
    try:
        groups = {process: operation.group_of(process, grid) for process in grid.processes}
    except EvaluationError as error:
        raise error if grid.size > 1 else advise_grid(error) from None
    numbers = {group: i for i, group in enumerate(dict.fromkeys(filter(None, groups.values())))}
    member: dict[ProcessId, list[int]] = {process: [] for process in grid.processes}
    for group, number in numbers.items():
        for process in dict.fromkeys(group):
            member[process].append(number)
    own_group = {process: numbers[group] if group else None for process, group in groups.items()}
    return Partners(list(numbers), member, own_group, ResultPlacement(mover))


def advise_grid(error: EvaluationError) -> EvaluationError:
    """The error, with the advice to run the program on a grid."""
    first, rest = error.diagnostics[0], error.diagnostics[1:]
    notes = (*first.notes, Diagnostic(ADVICE))
    diagnostic = Diagnostic(first.message, first.rule, first.span, first.values, notes)
    return EvaluationError([diagnostic, *rest])


def text_of_missing(rendezvous: Rendezvous) -> str:
    """Lists the processes that have not arrived."""
    return ", ".join(map(text_of, rendezvous.missing))
