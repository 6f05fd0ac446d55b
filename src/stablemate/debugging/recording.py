"""Recordings: the values of a program, as the interpreter computes them."""

from __future__ import annotations

import tempfile
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, cast

import numpy as np

from stablemate.analysis.operation_identity import Sites
from stablemate.api.inspection.observing import observable_function
from stablemate.api.module import Module
from stablemate.diagnostics.errors import StablemateError
from stablemate.execution.observe.listener import Computed, Listener
from stablemate.interpreter.summation_order import REFERENCE_ORDER, Order
from stablemate.ir.core import Block, Operation, Value
from stablemate.ir.grid import ProcessId
from stablemate.ir.types import Type
from stablemate.numerics.elements import Array

IN_MEMORY: Final = 1 << 30  # bytes of arrays; what is more goes to files
NEVER: Final = 1 << 62
LARGE: Final = 1 << 16  # bytes; smaller arrays stay where they are


class RecordedValues:
    """The values that a program had when it ran.

    A moment is a number; it grows with everything that is recorded.

    Attributes:
        values: What each value was, with the moments from which on it was that.
        ends: The moments at which each block ended, in order; ``NEVER`` if the run failed inside.
        failure: What ended the run early; None if nothing did.
    """

    def __init__(self) -> None:
        self.values: dict[Value[Type], tuple[list[int], list[object]]] = {}
        self.ends: dict[Block, list[int]] = {}
        self.failure: StablemateError | None = None
        self.now = 0
        self.bytes_in_memory = self.files = 0
        self.directory: tempfile.TemporaryDirectory[str] | None = None

    def add(self, value: Value[Type], computed: object) -> None:
        """Records what a value computed, from now on."""
        self.now += 1
        moments, values = self.values.setdefault(value, ([], []))
        moments.append(self.now)
        values.append(self.store(computed))

    def store(self, computed: object) -> object:
        """The value, which moves to a file if much is held already."""
        if not isinstance(computed, np.ndarray):
            return computed
        array = cast(Array, computed)
        size = array.nbytes
        if self.bytes_in_memory + size <= IN_MEMORY or size < LARGE:
            self.bytes_in_memory += size
            return array
        if self.directory is None:
            self.directory = tempfile.TemporaryDirectory(prefix="stablemate-recording-")
        self.files += 1
        path = Path(self.directory.name) / f"{self.files}.bin"
        array.tofile(path)
        return np.memmap(path, array.dtype, "r", shape=array.shape)

    def of(self, requested: Sequence[Value], moment: int) -> list[object] | None:
        """The recorded values at a moment; None if one of them was not defined yet."""
        recorded_values: list[object] = []
        for value in requested:
            moments, values = self.values.get(value, ((), ()))
            position = bisect_right(moments, moment)
            if not position:
                return None
            recorded_values.append(values[position - 1])
        return recorded_values

    def moments(self, block: Block, most: int) -> Iterator[int]:
        """The moments at which a block ended, in order; the first, the last, and some between."""
        ends = self.ends.get(block, [])
        last, steps = len(ends) - 1, min(len(ends), most) - 1
        for i in range(steps + 1):
            yield ends[i * last // max(steps, 1)]


class ValueRecorder:
    """A listener that records."""

    def __init__(self, sites: Sites, recording: RecordedValues) -> None:
        self.sites = sites
        self.recording = recording
        # The blocks that have not ended, each with the number of its iteration.
        self.inside: list[tuple[Block, int] | None] = []

    def watch(self, operation: Operation) -> Computed | None:
        """Records the results of an operation."""
        site_and_positions = self.sites.results_of(operation)
        if site_and_positions is None or not site_and_positions[0].operation.results:
            return None
        site, positions = site_and_positions
        results = [None if i is None else site.operation.results[i] for i in positions]

        def record(operands: Sequence[object], values: Sequence[object]) -> None:
            for result, value in zip(results, values, strict=True):
                if result is not None:
                    self.recording.add(result, value)

        return record

    def enter(self, operation: Operation, region: int, arguments: Sequence[object]) -> None:
        """Records what a block is given."""
        source = self.sites.of(operation).operation
        if region >= len(source.regions) or not source.regions[region].blocks:
            self.inside.append(None)
            return
        block = source.regions[region].block
        for argument, value in zip(block.arguments, arguments, strict=False):
            self.recording.add(argument, value)
        ends = self.recording.ends.setdefault(block, [])
        self.inside.append((block, len(ends)))
        ends.append(NEVER)

    def leave(self) -> None:
        """Remembers when the block ended."""
        entry = self.inside.pop()
        if entry is not None:
            block, number = entry
            self.recording.ends[block][number] = self.recording.now

    def process(self, process: ProcessId) -> Listener:
        """Itself: a program that is recorded is one process."""
        return self


def record_values(
    module: Module, arguments: Sequence[object], seed: int = 0, backend: str = "interpreter",
    order: Order = REFERENCE_ORDER,
) -> RecordedValues:  # fmt: skip
    """The values of the function ``main``, or the only one, for some arguments.

    A run that fails is recorded up to there.
    """
    recording = RecordedValues()
    program = observable_function(module, backend=backend, order=order)
    try:
        program.run(ValueRecorder(program.sites, recording), *arguments, seed=seed)
    except StablemateError as error:
        recording.failure = error
    return recording


def arrays(values: Sequence[object]) -> list[object]:
    """Values as arguments: tokens as they are, all else as arrays."""
    return [None if value is None else np.asarray(value) for value in values]
