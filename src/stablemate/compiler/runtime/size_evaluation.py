"""Evaluates the program image of a version for combinations of sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from stablemate.compiler.program.image import ProgramImage
from stablemate.compiler.program.sized_image import NO_BACK_EDGE, SizedImage, SizedLaunch
from stablemate.compiler.runtime.native.step_table import (
    BACK_EDGE,
    LAUNCH,
    PARALLEL_LAUNCH,
    REPEATED_LAUNCH,
)
from stablemate.compiler.runtime.native.thread_pool import MAX_CHUNKS
from stablemate.compiler.schedule.chunk_sizes import BRIEF, SHORT, chunks_of, iteration_seconds
from stablemate.numerics.elements import Array
from stablemate.numerics.size_functions import NO_FUNCTIONS, Functions, fulfilled_by, function_of

ALIGNMENT: Final = 64  # bytes of a cache line, to which buffers are aligned


class SizeEvaluation:
    """Makes program images of one version.

    Attributes:
        sized: The image with values in the places of numbers.
    """

    def __init__(self, sized: SizedImage, functions: Functions = NO_FUNCTIONS) -> None:
        """Compiles the functions of an image.

        Args:
            sized: The image.
            functions: The functions that its values are computed with.
        """
        self.sized = sized
        self.fulfilled = fulfilled_by(sized.condition, functions)
        self.evaluate = function_of(sized.evaluation, functions)
        self.value_words: list[int] = sized.value_words[:, 0].tolist()
        self.word_values: list[int] = sized.value_words[:, 1].tolist()
        self.slot_values: list[int] = sized.local_slots[:, 0].tolist()
        self.conflicts = conflicting_slots(sized.local_slots)

    def variables(self, sizes: Sequence[int]) -> Sequence[int] | None:
        """The variables for dynamic sizes of arguments; None if the version is not for them."""
        variables: dict[int, int] = {}
        for size, number, fixed in zip(
            sizes, self.sized.variables, self.sized.fixed, strict=True
        ):  # fmt: skip
            expected = fixed if number < 0 else variables.setdefault(number, size)
            if size != expected:
                return None
        numbers = [variables[i] for i in range(len(variables))]
        return numbers if self.fulfilled(*numbers) else None

    def image(self, variables: Sequence[int]) -> tuple[ProgramImage, list[tuple[int, ...]]]:
        """The program image for some variables, and the shapes of its results."""
        sized = self.sized
        values: Sequence[Any] = self.evaluate(*variables)
        offsets, arena = assigned_offsets([values[i] for i in self.slot_values], self.conflicts)
        places = self.value_words.copy()
        numbers = [values[i] for i in self.word_values]
        seconds, is_parallel = sized.seconds, sized.image.is_parallel
        for launch in sized.launches:
            duration, chunks = write_launch(launch, values, places, numbers)
            seconds += duration
            is_parallel |= chunks > 1
        words = sized.image.words.copy()
        words[places] = numbers
        if offsets:
            words[sized.image.arena_relocations] = np.array(offsets, np.int64)[sized.arena_slots]
        image = replace(
            sized.image,
            words=words,
            arena=arena,
            is_short=sized.may_be_short and seconds < SHORT,
            is_parallel=is_parallel,
        )
        return image, [tuple([values[i] for i in shape]) for shape in sized.results]


def write_launch(
    launch: SizedLaunch, values: Sequence[Any], places: list[int], numbers: list[int]
) -> tuple[float, int]:
    """Adds the words of a launch and what they hold; the time of the launch and its chunks."""
    steps, seconds, record = values[launch.steps], values[launch.seconds], launch.record
    transfers = [(values[size], values[available]) for size, available in launch.transfers]
    seconds = iteration_seconds(seconds, steps, transfers)
    total = steps * seconds
    if launch.is_repeated:
        kind, size, chunks = LAUNCH, steps, 1
    else:
        kind = LAUNCH if total < BRIEF else PARALLEL_LAUNCH
        size, chunks = chunks_of(steps, seconds, MAX_CHUNKS)
    places += record, record + 3, record + 4, record + 5
    numbers += kind, steps, size, chunks
    if launch.back_edge != NO_BACK_EDGE:
        places += launch.back_edge, launch.back_edge + 5
        numbers += REPEATED_LAUNCH if kind == LAUNCH else BACK_EDGE, steps
    return total, chunks


def conflicting_slots(slots: Array) -> list[list[int]]:
    """For each local slot, the others that are live at some time at which it is."""
    first, last = slots[:, 1], slots[:, 2]
    conflicts: list[list[int]] = []
    for number, (_, start, end) in enumerate(slots.tolist()):
        others: list[int] = np.flatnonzero((first <= end) & (start <= last)).tolist()
        conflicts.append([other for other in others if other != number])
    return conflicts


def assigned_offsets(
    sizes: Sequence[int], conflicts: Sequence[Sequence[int]]
) -> tuple[list[int], int]:
    """The offsets of slots in the arena, and its size.

    The largest slot comes first; each gets the lowest offset at which it overlaps no slot that is
    live at the same time.

    Args:
        sizes: The bytes of each slot.
        conflicts: The slots that each must not overlap.
    """
    offsets, ends = [0] * len(sizes), [0] * len(sizes)  # an end of 0: not placed
    for slot in sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True):
        size = -(-max(sizes[slot], 1) // ALIGNMENT) * ALIGNMENT
        offset = 0
        for start, end in sorted([(offsets[i], ends[i]) for i in conflicts[slot] if ends[i]]):
            if offset + size <= start:
                break
            offset = max(offset, end)
        offsets[slot], ends[slot] = offset, offset + size
    return offsets, max(ends, default=0)
