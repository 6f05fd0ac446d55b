"""Meetings: the processes of a group at a collective operation, and what they bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import EvaluationError, StablemateError
from stablemate.execution.process import Fiber, text_of
from stablemate.ir.grid import Grid, ProcessGroup, ProcessId
from stablemate.ir.request import Collective, GroupOperation

ADVICE: Final = "this runs one process; for more, see sm.run_grid, --grid=RxP on the command line"


@dataclass(frozen=True, slots=True)
class Partners:
    """Who needs whom at a collective operation.

    Attributes:
        groups: All groups.
        member: The numbers of the groups that a process belongs to.
        own: The number of the group whose operands a process needs; None if it needs none.
    """

    groups: Sequence[ProcessGroup]
    member: Mapping[ProcessId, Sequence[int]]
    own: Mapping[ProcessId, int | None]


class Meeting:
    """A group at a collective operation.

    Attributes:
        group: Who must come.
        brought: The operands of those who have come.
        places: Where in their programs they are.
        waiting: Those who need the results, with what they ask for.
    """

    __slots__ = ("brought", "group", "places", "waiting")

    def __init__(self, group: ProcessGroup) -> None:
        self.group = group
        self.brought: dict[ProcessId, Sequence[Any]] = {}
        self.places: dict[ProcessId, str] = {}
        self.waiting: list[tuple[Fiber, Collective]] = []

    @property
    def is_complete(self) -> bool:
        """Whether all have come."""
        return len(self.brought) == len(set(self.group))

    def bring(self, process: ProcessId, operands: Sequence[Any], place: str) -> None:
        """A process comes."""
        self.brought[process] = operands
        self.places[process] = place

    @property
    def missing(self) -> list[ProcessId]:
        """Who has not come yet."""
        return [each for each in dict.fromkeys(self.group) if each not in self.brought]

    def answers(self) -> Iterator[tuple[Fiber, Any]]:
        """The results of each process that needs them, when all have come; or an error."""
        operands = [self.brought[each] for each in self.group]
        error = different_shapes(self.group, operands)
        shared: Any = None
        for i, (fiber, request) in enumerate(self.waiting):
            if error is None and not (i and request.operation.same_for_all):
                position = self.group.index(fiber.process)
                try:
                    shared = request.operation.evaluate_group(operands, position, request.regions)
                except StablemateError as broken:
                    shared = broken
            yield fiber, error or shared


def different_shapes(
    group: ProcessGroup, operands: Sequence[Sequence[Any]]
) -> EvaluationError | None:
    """The error of operands that have different shapes in the processes of a group."""
    shapes = [[np.shape(value) for value in each] for each in operands]
    if all(each == shapes[0] for each in shapes):
        return None
    values = dict(zip(map(text_of, group), shapes, strict=True))
    message = "the operands have the same shapes in all processes of a group"
    return EvaluationError(Diagnostic(message, values=values))


def partners_at(operation: GroupOperation, grid: Grid) -> Partners:
    """Who needs whom at an operation on a grid."""
    try:
        groups = {process: operation.group_of(process, grid) for process in grid.processes}
    except EvaluationError as error:
        raise error if grid.size > 1 else advised(error) from None
    numbers = {group: i for i, group in enumerate(dict.fromkeys(filter(None, groups.values())))}
    member: dict[ProcessId, list[int]] = {process: [] for process in grid.processes}
    for group, number in numbers.items():
        for process in dict.fromkeys(group):
            member[process].append(number)
    own = {process: numbers[group] if group else None for process, group in groups.items()}
    return Partners(list(numbers), member, own)


def advised(error: EvaluationError) -> EvaluationError:
    """The error, with the advice to run the program on a grid."""
    first, rest = error.diagnostics[0], error.diagnostics[1:]
    notes = (*first.notes, Diagnostic(ADVICE))
    told = Diagnostic(first.message, first.rule, first.span, first.values, notes)
    return EvaluationError([told, *rest])


def text_of_missing(meeting: Meeting) -> str:
    """Who has not come yet."""
    return ", ".join(map(text_of, meeting.missing))
