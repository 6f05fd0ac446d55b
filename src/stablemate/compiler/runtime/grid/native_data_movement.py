"""Copies and combines large arrays with all threads of the pool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from stablemate.compiler.codegen.loader import Loaded, load
from stablemate.compiler.config.target import Target, host
from stablemate.compiler.runtime.grid.exchange_programs import ExchangeProgram, native_steps
from stablemate.compiler.runtime.grid.replayed_exchanges import ReplayedExchanges
from stablemate.compiler.runtime.native.collective_moves import (
    PIECE_WORDS,
    REDUCTION_BLOCK,
    VECTOR_BYTES,
    reduction_text,
)
from stablemate.compiler.runtime.native.runtime import Runtime
from stablemate.compiler.runtime.native.step_loop import (
    PARALLEL_LAUNCH,
    POOL,
    RECORD_WORDS,
    STATE_WORDS,
    THREADS,
    TIME_SLICE,
)
from stablemate.execution.collectives.data_movement import PLAIN, Movement
from stablemate.ir.data_movement import Copy
from stablemate.numerics.elements import Array

MIN_NATIVE_BYTES: Final = 1 << 15  # bytes that are worth a look at how they lie
MAX_ELEMENTWISE_BYTES: Final = 1 << 12  # bytes that are copied element by element, if need be
CHUNK_BYTES: Final = 1 << 16  # bytes that a thread copies at a time
MAX_REDUCED_ARRAYS: Final = 16  # arrays of a fold, and its results
REDUCTION_KERNEL: Final = "fold"
UNBOUNDED: Final = 1 << 62  # ticks


class NativeMover:
    """Moves and combines elements by native code."""

    def __init__(
        self, runtime: Runtime, threads: int, make: Callable[[str, Target], bytes]
    ) -> None:
        """Prepares it.

        Args:
            runtime: What runs it.
            threads: How many threads may work.
            make: Makes the object of LLVM text, or has it.
        """
        self.runtime = runtime
        self.threads = threads
        self.make = make
        self.kernels: dict[tuple[Any, ...], Loaded | None] = {}
        self.rounds = ReplayedExchanges(self)

    def copy(self, pairs: Sequence[Copy]) -> None:
        """Writes arrays, large ones in pieces."""
        if sum(to.nbytes for to, _ in pairs) < MIN_NATIVE_BYTES:
            PLAIN.copy(pairs)
            return
        pieces: list[Array] = []
        for to, source in pairs:
            moved_pieces = copy_pieces_table(to, source)
            if moved_pieces is None:
                PLAIN.copy([(to, source)])
            else:
                pieces.append(moved_pieces)
        if pieces:
            self.copying(pieces).run()

    def fold(self, name: str, pieces: Sequence[Array], targets: Sequence[Array]) -> bool:
        """Combines large arrays that lie in one piece each."""
        call = None if pieces[0].nbytes < MIN_NATIVE_BYTES else self.call(name, pieces, targets)
        if call is not None:
            self.launch(*call).run()
        return call is not None

    def call(
        self, name: str, pieces: Sequence[Array], targets: Sequence[Array]
    ) -> tuple[int, Array, int] | None:
        """The kernel of a fold, its arguments and its iterations; None if there is none."""
        first, arrays = pieces[0], [*targets, *pieces]
        many = max(len(pieces), len(targets)) > MAX_REDUCED_ARRAYS or len(pieces) < 2
        if many or not all(is_contiguous(array, first.dtype) for array in arrays):
            return None
        key = name, first.dtype, len(pieces), len(targets)
        if key not in self.kernels:
            self.kernels[key] = self.kernel(*key)
        kernel = self.kernels[key]
        if kernel is None:
            return None
        words = np.array([first.nbytes, *map(address_of, arrays)], np.int64)
        return kernel.addresses[REDUCTION_KERNEL], words, -(-first.nbytes // REDUCTION_BLOCK)

    def table(self, to: Array, source: Array) -> Array | None:
        """What a kernel is handed that copies an array; None where it would take too long."""
        return copy_pieces_table(
            to, source, 1 if to.nbytes <= MAX_ELEMENTWISE_BYTES else VECTOR_BYTES
        )

    def native_steps(
        self, steps: Sequence[Movement], gate: Array, looks: int, patience: int
    ) -> ExchangeProgram | None:
        """Steps of an exchange as native code."""
        return native_steps(self, steps, gate, looks, patience)

    def kernel(self, *key: Any) -> Loaded | None:
        """The kernel of a fold; None if there is none for such elements."""
        try:
            text = reduction_text(REDUCTION_KERNEL, *key)
        except KeyError:
            return None
        return load([self.make(text, host())], [REDUCTION_KERNEL])

    def copying(self, tables: Sequence[Array]) -> Launch:
        """What copies all that tables say."""
        table = np.concatenate(tables)
        return self.launch(self.runtime.copy_pieces, table, len(table))

    def launch(self, function: int, arguments: Array, iterations: int) -> Launch:
        """A kernel with its arguments."""
        return Launch(self.runtime, self.threads, function, arguments, iterations)


class Launch:
    """A kernel with its arguments."""

    def __init__(
        self, runtime: Runtime, threads: int, function: int, arguments: Array, iterations: int
    ) -> None:
        self.runtime = runtime
        self.arguments = arguments
        self.state = np.zeros(STATE_WORDS, np.int64)
        self.state[TIME_SLICE], self.state[THREADS] = UNBOUNDED, threads
        self.state[POOL] = runtime.pool.address
        self.record = np.zeros(RECORD_WORDS, np.int64)
        self.record[:6] = (
            PARALLEL_LAUNCH,
            function,
            arguments.ctypes.data,
            iterations,
            1,
            iterations,
        )
        self.addresses = self.record.ctypes.data, self.state.ctypes.data
        self.is_shared = threads > 1 and iterations > 1

    def run(self) -> None:
        """Runs all iterations."""
        if self.is_shared and not self.runtime.pool.started:
            self.runtime.pool.start()
        self.runtime.together(*self.addresses)


def is_contiguous(array: Array, dtype: np.dtype[Any]) -> bool:
    """Whether this is memory of such elements, one behind the other; a scalar is a copy."""
    return type(array) is np.ndarray and array.flags.c_contiguous and array.dtype == dtype


def address_of(array: Array) -> int:
    """Where the first element of an array is."""
    return int(array.__array_interface__["data"][0])


def copy_pieces_table(to: Array, source: Array, least: int = VECTOR_BYTES) -> Array | None:
    """What is to be copied for an array, row by row; None where rows are too short for that.

    Args:
        to: Where it is written.
        source: What is copied.
        least: The bytes of a row that is long enough.
    """
    if to.dtype != source.dtype or to.shape != source.shape:
        return None
    if not to.size:
        return np.zeros((0, PIECE_WORDS), np.int64)
    size, dimensions = to.itemsize, merged_dimensions(to, source)
    if dimensions and dimensions[-1][1:] == (size, size):
        size *= dimensions.pop()[0]
    if size < least:
        return None
    if not dimensions:
        starts = np.arange(0, size, CHUNK_BYTES)
        table = np.zeros((len(starts), PIECE_WORDS), np.int64)
        table[:, 0], table[:, 1] = address_of(to) + starts, address_of(source) + starts
        table[:, 2], table[:, 3] = np.minimum(CHUNK_BYTES, size - starts), 1
        return table
    rows, step, source_step = dimensions.pop()
    together = max(1, CHUNK_BYTES // size)
    first = np.arange(0, rows, together)
    blocks: list[Array] = []
    for index in product(*(range(count) for count, _, _ in dimensions)):
        offsets = [(i * a, i * b) for i, (_, a, b) in zip(index, dimensions, strict=True)]
        table = np.zeros((len(first), PIECE_WORDS), np.int64)
        table[:, 0] = address_of(to) + sum(a for a, _ in offsets) + first * step
        table[:, 1] = address_of(source) + sum(b for _, b in offsets) + first * source_step
        table[:, 2:6] = size, 0, step, source_step
        table[:, 3] = np.minimum(together, rows - first)
        blocks.append(table)
    return np.concatenate(blocks)


def merged_dimensions(to: Array, source: Array) -> list[tuple[int, int, int]]:
    """The dimensions of two arrays: sizes and strides; those that lie as one are one."""
    blocks: list[tuple[int, int, int]] = []
    for count, a, b in zip(to.shape, to.strides, source.strides, strict=True):
        if count == 1:
            continue
        if blocks and blocks[-1][1:] == (a * count, b * count):
            blocks[-1] = blocks[-1][0] * count, a, b
        else:
            blocks.append((count, a, b))
    return blocks
