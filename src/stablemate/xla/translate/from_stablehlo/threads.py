"""The threads of computations: what an asynchronous start calls runs on its thread.

Source: XLA, ``HloVerifier``: a computation runs on the thread of its callers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from stablemate.xla.kinds import called_computations
from stablemate.xla.module import HloComputation, HloInstruction
from stablemate.xla.translate.losses import Losses

MAIN_THREAD: Final = "main"
STARTED: Final = "async_execution_thread"


def with_threads(
    computations: Sequence[HloComputation], stated: Mapping[str, str], losses: Losses
) -> tuple[HloComputation, ...]:
    """The computations on their threads, the last of which is the entry.

    What the entry calls runs on its thread, which a function may name.

    Args:
        computations: Callees before callers.
        stated: The threads that functions name, by the names of their computations.
        losses: Where to record threads that cannot be.
    """
    if not stated and not any(map(starts_in, computations)):
        return tuple(computations)
    by_name = {computation.name: computation for computation in computations}
    entry = computations[-1].name
    taken = dict.fromkeys(reachable([entry], by_name), stated.get(entry, MAIN_THREAD))
    refused: set[str] = set()
    for computation in reversed(computations):  # callers first
        for start in starts_in(computation):
            thread: str = start.attributes[STARTED]
            called = reachable(called_computations(start.attributes), by_name)
            if any(taken.get(name, thread) != thread for name in called):
                refused.add(start.name)
                losses.add(STARTED, "start", start.span, thread)
            else:
                taken |= dict.fromkeys(called, thread)
    for name, thread in stated.items():
        if taken.get(name, MAIN_THREAD) != thread:
            losses.add("execution_thread", "function", by_name[name].span, thread)
    return tuple(
        replace(
            without_starts(computation, refused),
            execution_thread=taken.get(computation.name, MAIN_THREAD),
        )
        for computation in computations
    )


def starts_in(computation: HloComputation) -> list[HloInstruction]:
    """The instructions of a computation that start another one on a thread."""
    return [each for each in computation.instructions if STARTED in each.attributes]


def reachable(names: Iterable[str], by_name: Mapping[str, HloComputation]) -> list[str]:
    """Computations and what they call on their own thread."""
    found: dict[str, None] = {}
    pending = list(names)
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found[name] = None
        for instruction in by_name[name].instructions:
            if STARTED not in instruction.attributes:
                pending += called_computations(instruction.attributes)
    return list(found)


def without_starts(computation: HloComputation, refused: set[str]) -> HloComputation:
    """A computation whose starts of these names are on no thread of their own."""
    if refused.isdisjoint(computation.by_name):
        return computation
    instructions = tuple(
        replace(
            each,
            attributes={name: value for name, value in each.attributes.items() if name != STARTED},
        )
        if each.name in refused
        else each
        for each in computation.instructions
    )
    return replace(computation, instructions=instructions)
