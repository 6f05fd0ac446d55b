"""Exchanges among ranks as programs that native code runs by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from stablemate.compiler.runtime.native.message_exchange import (
    ADD,
    AWAIT,
    CALL,
    END,
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
from stablemate.ir.data_movement import Reduction
from stablemate.numerics.elements import Array

HEAD_GATE, HEAD_POLLS, HEAD_PATIENCE = 1, 2, 3


class KernelSource(Protocol):
    """Makes kernels for arrays."""

    runtime: Runtime

    def table(self, to: Array, source: Array) -> Array | None:
        """What the kernel is handed that copies an array."""
        ...

    def call(
        self, name: str, pieces: Sequence[Array], targets: Sequence[Array]
    ) -> tuple[int, Array, int] | None:
        """The kernel of a fold, its arguments and its iterations."""
        ...


class ExchangeProgram:
    """Steps of an exchange.

    Attributes:
        function: What the walk calls to carry them out.
        argument: What it hands to that.
    """

    def __init__(
        self, runtime: Runtime, rows: Sequence[Sequence[int]], kept: Sequence[Any], head: Array
    ) -> None:
        """Writes the program.

        Args:
            runtime: What runs it.
            rows: The steps.
            kept: What they know the addresses of.
            head: The words before them.
        """
        self.kept = kept
        self.words = np.zeros((len(rows) + 2, STEP_WORDS), np.int64)
        self.words[0] = head
        for words, row in zip(self.words[1:], rows, strict=False):
            words[: len(row)] = row
        self.words[-1, 0] = END
        self.function = runtime.carry_at_once
        self.argument = int(self.words.ctypes.data)
        self.carry = runtime.carry

    def __call__(self) -> int:
        """Begins, or goes on; says whether it is done."""
        return int(self.carry(self.argument))


def native_steps(
    kernels: KernelSource, steps: Sequence[Movement], gate: Array, looks: int, patience: int
) -> ExchangeProgram | None:
    """Steps as native code; None if one of them cannot be."""
    kept: list[Any] = [gate]
    rows: list[Sequence[int]] = []
    for step in steps:
        steps_rows = list(step_words(kernels, step, kept))
        if not all(steps_rows):
            return None
        rows += steps_rows
    head = np.zeros(STEP_WORDS, np.int64)
    head[HEAD_GATE], head[HEAD_POLLS], head[HEAD_PATIENCE] = gate.ctypes.data, looks, patience
    return ExchangeProgram(kernels.runtime, rows, kept, head)


def step_words(kernels: KernelSource, step: Movement, kept: list[Any]) -> Iterator[Sequence[int]]:
    """The words of a step, none where there is nothing to do; empty ones where it cannot be.

    Args:
        kernels: What makes kernels.
        step: What is to be done.
        kept: Grows by what the words know the addresses of.
    """
    match step:
        case Copied(pairs):
            for to, source in pairs:
                table = kernels.table(to, source)
                kept += [to, source, table]
                if table is None:
                    yield ()
                elif to.size:
                    yield CALL, kernels.runtime.copy_pieces, table.ctypes.data, len(table)
        case Reduction(name, pieces, targets):
            call = kernels.call(name, pieces, targets)
            kept += [*pieces, *targets, call]
            yield () if call is None else (CALL, call[0], call[1].ctypes.data, call[2])
        case Started(wire) if wire.count:
            kept.append(wire)
            yield START, wire.start, wire.count, wire.handles.ctypes.data
        case Awaited(wire):
            kept.append(wire)
            size = wire.handles.nbytes // max(wire.count, 1)
            for i in range(wire.count):
                place = wire.handles.ctypes.data + i * size
                yield AWAIT, wire.test, place, wire.status.ctypes.data
        case Incremented(word):
            kept.append(word)
            yield ADD, word.ctypes.data, 1
        case Written(word, number):
            kept.append(word)
            yield STORE, word.ctypes.data, number
        case _:
            pass
