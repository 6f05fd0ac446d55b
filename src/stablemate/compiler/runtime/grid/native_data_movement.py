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
    FROM,
    PIECE_WORDS,
    REDUCTION_BLOCK,
    ROW_BYTES,
    ROWS,
    SOURCE_STRIDE,
    STRIDE,
    TO,
    VECTOR_BYTES,
    reduction_text,
)
from stablemate.compiler.runtime.native.runtime import Runtime
from stablemate.compiler.runtime.native.step_table import (
    PARALLEL_LAUNCH,
    POOL,
    RECORD_WORDS,
    STATE_WORDS,
    THREADS,
    TIME_SLICE,
)
from stablemate.execution.collectives.data_movement import PLAIN, Movement
from stablemate.ir.data_movement import Copy
from stablemate.numerics.elements import Array, DType

# A table of moves is walked by all threads, and costs making it; smaller chunks balance threads:
# ``python -m benchmarks.grids`` measures simulated grids.
MIN_NATIVE_BYTES: Final = 1 << 15  # below, NumPy copies
MAX_ELEMENTWISE_BYTES: Final = 1 << 12  # of an array that may be copied element by element
CHUNK_BYTES: Final = 1 << 16  # bytes that a thread copies at a time
MAX_REDUCED_ARRAYS: Final = 16  # operands, or results, of a reduction
REDUCTION_KERNEL: Final = "fold"
UNBOUNDED: Final = 1 << 62  # ticks


class NativeMover:
    """Moves and combines elements in native code."""

    def __init__(
        self, runtime: Runtime, threads: int, assemble: Callable[[str, Target], bytes]
    ) -> None:
        """Creates a mover.

        Args:
            runtime: The native runtime.
            threads: How many threads may work.
            assemble: Compiles LLVM text to an object, or takes it from a cache.
        """
        self.runtime = runtime
        self.threads = threads
        self.assemble = assemble
        self.kernels: dict[tuple[Any, ...], Loaded | None] = {}
        self.replayed_exchanges = ReplayedExchanges(self)

    def copy(self, pairs: Sequence[Copy]) -> None:
        """Copies arrays, large ones in chunks."""
        if sum(to.nbytes for to, _ in pairs) < MIN_NATIVE_BYTES:
            PLAIN.copy(pairs)
            return
        pieces: list[Array] = []
        for to, source in pairs:
            table = copy_pieces_table(to, source)
            if table is None:
                PLAIN.copy([(to, source)])
            else:
                pieces.append(table)
        if pieces:
            self.copy_launch(pieces).run()

    def reduce(self, name: str, pieces: Sequence[Array], targets: Sequence[Array]) -> bool:
        """Reduces large contiguous arrays; returns False if there is no kernel for them."""
        call = (
            None
            if pieces[0].nbytes < MIN_NATIVE_BYTES
            else self.reduction_call(name, pieces, targets)
        )
        if call is not None:
            self.launch(*call).run()
        return call is not None

    def reduction_call(
        self, name: str, pieces: Sequence[Array], targets: Sequence[Array]
    ) -> tuple[int, Array, int] | None:
        """The kernel of a reduction, its arguments and its iterations; None if there is none."""
        first, arrays = pieces[0], [*targets, *pieces]
        is_unsupported = max(len(pieces), len(targets)) > MAX_REDUCED_ARRAYS or len(pieces) < 2
        if is_unsupported or not all(is_contiguous(array, first.dtype) for array in arrays):
            return None
        key = name, first.dtype, len(pieces), len(targets)
        if key not in self.kernels:
            self.kernels[key] = self.kernel(*key)
        kernel = self.kernels[key]
        if kernel is None:
            return None
        words = np.array([first.nbytes, *map(address_of, arrays)], np.int64)
        return kernel.addresses[REDUCTION_KERNEL], words, -(-first.nbytes // REDUCTION_BLOCK)

    def copy_table(self, to: Array, source: Array) -> Array | None:
        """The table of a kernel that copies an array; None if rows are too short."""
        return copy_pieces_table(
            to, source, 1 if to.nbytes <= MAX_ELEMENTWISE_BYTES else VECTOR_BYTES
        )

    def native_steps(
        self, steps: Sequence[Movement], gate: Array, polls: int, polls_before_yield: int
    ) -> ExchangeProgram | None:
        """Steps of an exchange as native code; None if one of them has none."""
        return native_steps(self, steps, gate, polls, polls_before_yield)

    def kernel(self, *key: Any) -> Loaded | None:
        """The kernel of a reduction; None if it does not support such elements."""
        try:
            text = reduction_text(REDUCTION_KERNEL, *key)
        except KeyError:
            return None
        return load([self.assemble(text, host())], [REDUCTION_KERNEL])

    def copy_launch(self, copy_tables: Sequence[Array]) -> MovementLaunch:
        """The launch of the kernel that copies everything in some tables."""
        table = np.concatenate(copy_tables)
        return self.launch(self.runtime.copy_pieces, table, len(table))

    def launch(self, function: int, arguments: Array, iterations: int) -> MovementLaunch:
        """A kernel with its arguments."""
        return MovementLaunch(self.runtime, self.threads, function, arguments, iterations)


class MovementLaunch:
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
        """Runs all iterations, on the thread pool if they are shared."""
        if self.is_shared and not self.runtime.pool.started:
            self.runtime.pool.start()
        self.runtime.run_record(*self.addresses)


def is_contiguous(array: Array, dtype: DType) -> bool:
    """Whether this is a contiguous array of an element type; a NumPy scalar would be copied."""
    return type(array) is np.ndarray and array.flags.c_contiguous and array.dtype == dtype


def address_of(array: Array) -> int:
    """The address of the first element of an array."""
    return int(array.__array_interface__["data"][0])


def copy_pieces_table(to: Array, source: Array, min_row_bytes: int = VECTOR_BYTES) -> Array | None:
    """The table of a kernel that copies an array row by row; None if rows are too short.

    Args:
        to: The array that is written.
        source: The array that is copied.
        min_row_bytes: The smallest size of a row.
    """
    if to.dtype != source.dtype or to.shape != source.shape:
        return None
    if not to.size:
        return np.zeros((0, PIECE_WORDS), np.int64)
    size, dimensions = to.itemsize, merged_dimensions(to, source)
    if dimensions and dimensions[-1][1:] == (size, size):
        size *= dimensions.pop()[0]
    if size < min_row_bytes:
        return None
    if not dimensions:
        starts = np.arange(0, size, CHUNK_BYTES)
        table = np.zeros((len(starts), PIECE_WORDS), np.int64)
        table[:, TO], table[:, FROM] = address_of(to) + starts, address_of(source) + starts
        table[:, ROW_BYTES], table[:, ROWS] = np.minimum(CHUNK_BYTES, size - starts), 1
        return table
    rows, step, source_step = dimensions.pop()
    rows_per_chunk = max(1, CHUNK_BYTES // size)
    first = np.arange(0, rows, rows_per_chunk)
    blocks: list[Array] = []
    for index in product(*(range(count) for count, _, _ in dimensions)):
        offsets = [(i * a, i * b) for i, (_, a, b) in zip(index, dimensions, strict=True)]
        table = np.zeros((len(first), PIECE_WORDS), np.int64)
        table[:, TO] = address_of(to) + sum(a for a, _ in offsets) + first * step
        table[:, FROM] = address_of(source) + sum(b for _, b in offsets) + first * source_step
        table[:, ROW_BYTES], table[:, STRIDE], table[:, SOURCE_STRIDE] = size, step, source_step
        table[:, ROWS] = np.minimum(rows_per_chunk, rows - first)
        blocks.append(table)
    return np.concatenate(blocks)


def merged_dimensions(to: Array, source: Array) -> list[tuple[int, int, int]]:
    """The sizes and strides of two arrays; dimensions that can be one are merged."""
    blocks: list[tuple[int, int, int]] = []
    for count, a, b in zip(to.shape, to.strides, source.strides, strict=True):
        if count == 1:
            continue
        if blocks and blocks[-1][1:] == (a * count, b * count):
            blocks[-1] = blocks[-1][0] * count, a, b
        else:
            blocks.append((count, a, b))
    return blocks
