"""Compiles exchanges among ranks into programs that native code runs by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from stablemate.compiler.runtime.native.message_exchange import (
    ADD,
    AWAIT,
    CALL,
    END,
    GATE,
    KIND,
    PATIENCE,
    POLLS,
    START,
    STEP_WORDS,
    STORE,
)
from stablemate.compiler.runtime.native.runtime import Runtime
from stablemate.execution.collectives.data_movement import (
    Awaited,
    Copied,
    Incremented,
    Movement,
    Started,
    Written,
)
from stablemate.ir.data_movement import PieceReduction
from stablemate.numerics.elements import Array


class KernelSource(Protocol):
    """Provides kernels for arrays."""

    runtime: Runtime

    def copy_table(self, to: Array, source: Array) -> Array | None:
        """The table of a kernel that copies an array; None if rows are too short."""
        ...

    def reduction_call(
        self, name: str, pieces: Sequence[Array], targets: Sequence[Array]
    ) -> tuple[int, Array, int] | None:
        """The kernel of a reduction, its arguments and its iterations; None if there is none."""
        ...


class ExchangeProgram:
    """Steps of an exchange as native code.

    Attributes:
        function: The function that the step loop calls to run them.
        argument: The argument of the call.
    """

    def __init__(
        self,
        runtime: Runtime,
        rows: Sequence[Sequence[int]],
        kept_alive: Sequence[object],
        head: Array,
    ) -> None:
        """Writes the program.

        Args:
            runtime: The native runtime.
            rows: The steps.
            kept_alive: The objects whose addresses the steps contain.
            head: The words before the steps.
        """
        self.kept_alive = kept_alive
        self.words = np.zeros((len(rows) + 2, STEP_WORDS), np.int64)
        self.words[0] = head
        for words, row in zip(self.words[1:], rows, strict=False):
            words[: len(row)] = row
        self.words[-1, KIND] = END
        self.function = runtime.run_exchange_address
        self.argument = int(self.words.ctypes.data)
        self.run_exchange = runtime.run_exchange

    def __call__(self) -> int:
        """Starts or continues the exchange; returns 1 if it is done, 0 if not, -1 if it failed."""
        return int(self.run_exchange(self.argument))


def native_steps(
    kernels: KernelSource,
    steps: Sequence[Movement],
    gate: Array,
    polls: int,
    polls_before_yield: int,
) -> ExchangeProgram | None:
    """Steps as native code; None if one of them has none."""
    kept_alive: list[object] = [gate]
    rows: list[Sequence[int]] = []
    for step in steps:
        rows_of_step = list(step_words(kernels, step, kept_alive))
        if not all(rows_of_step):
            return None
        rows += rows_of_step
    head = np.zeros(STEP_WORDS, np.int64)
    head[GATE], head[POLLS], head[PATIENCE] = (
        gate.ctypes.data,
        polls,
        polls_before_yield,
    )
    return ExchangeProgram(kernels.runtime, rows, kept_alive, head)


def step_words(
    kernels: KernelSource, step: Movement, kept_alive: list[object]
) -> Iterator[Sequence[int]]:
    """The words of a step; an empty sequence if it has no native code.

    Nothing is yielded if there is nothing to do.

    Args:
        kernels: Provides kernels.
        step: The step.
        kept_alive: Receives the objects whose addresses the words contain.
    """
    match step:
        case Copied(pairs):
            for to, source in pairs:
                table = kernels.copy_table(to, source)
                kept_alive += [to, source, table]
                if table is None:
                    yield ()
                elif to.size:
                    yield CALL, kernels.runtime.copy_pieces, table.ctypes.data, len(table)
        case PieceReduction(name, pieces, targets):
            reduction = kernels.reduction_call(name, pieces, targets)
            kept_alive += [*pieces, *targets, reduction]
            yield (
                ()
                if reduction is None
                else (CALL, reduction[0], reduction[1].ctypes.data, reduction[2])
            )
        case Started(messages) if messages.count:
            kept_alive.append(messages)
            yield START, messages.start, messages.count, messages.handles.ctypes.data
        case Awaited(messages):
            kept_alive.append(messages)
            size = messages.handles.nbytes // max(messages.count, 1)
            for i in range(messages.count):
                place = messages.handles.ctypes.data + i * size
                yield AWAIT, messages.test, place, messages.status.ctypes.data
        case Incremented(word):
            kept_alive.append(word)
            yield ADD, word.ctypes.data, 1
        case Written(word, number):
            kept_alive.append(word)
            yield STORE, word.ctypes.data, number
        case _:
            pass
