"""Plans the calls of routines that work by tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from stablemate.compiler.library_calls.blocked.hessenberg import hessenberg_elements
from stablemate.compiler.library_calls.blocked.panels import PANEL
from stablemate.compiler.library_calls.blocked.symmetric import reduction_elements
from stablemate.compiler.library_calls.blocked.tiled import (
    CALL_SECONDS,
    INDEX_BYTES,
    PRODUCT_SECONDS,
    Tiled,
    matrix_memory,
    round_up,
    stride_of,
)
from stablemate.compiler.library_calls.calls import (
    LARGEST_CONCURRENT,
    CallSequence,
    Reference,
    SequenceBuilder,
    is_within,
    kernel_for,
)
from stablemate.compiler.library_calls.compact.text import BYTES, DTYPES
from stablemate.compiler.library_calls.lapack import Matrices
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.symbolic_sizes import is_symbolic

# Orders for which it is at least 1.5 times as fast as LAPACK: of matrices, or how many reflectors
# there are (benchmarks/results/linear_algebra.md). Schur forms, eigenvectors and singular values of
# such matrices are left to LAPACK: by tiles they were 1.0 to 1.3 times as fast.
SIZES: Final = {
    "potrf": range(33, 769),
    "trsm": range(33, 1025),
    "geqrf": range(33, 1025),
    "orgqr": range(33, 1025),
    "ormqr": range(33, 1025),
    "sytrd": range(17, 1025),
    "syevd": range(17, 1025),
    "gehrd": range(17, 1025),
}
# A column of a panel has to stay in a cache while its reflector is formed.
LARGEST_HEIGHT: Final = 4096  # of matrices with reflectors
STRIDE_BYTES: Final = 512  # rows that are so many bytes apart, or multiples, share cache sets


@dataclass(frozen=True, slots=True)
class TiledMatrices(Tiled):
    """A routine that works by tiles."""

    @property
    def order(self) -> int:
        """The order of the matrix that is factored or solved for, or the number of reflectors."""
        return self.sizes[ORDERS[self.routine]]

    @property
    def columns(self) -> int:
        """How many right-hand sides there are."""
        return self.sizes["n" if self.options["side"] == "L" else "m"]

    def fits(self) -> bool:
        """Whether there is a routine that pays."""
        if self.routine not in CALLS or self.letter not in BYTES:
            return False
        if not CONDITIONS.get(self.routine, always)(self.sizes, self.options):
            return False
        is_low = max(self.sizes.values()) <= LARGEST_HEIGHT
        return is_low and is_within(self.order, SIZES[self.routine])

    def calls(self) -> CallSequence:
        """The calls for all matrices."""
        return CALLS[self.routine](self)


def potrf(tiled: TiledMatrices) -> CallSequence:
    """A factorization is an iteration."""
    builder = SequenceBuilder(tiled.operand_bytes, tiled.result_bytes)
    n, size, shape = tiled.order, BYTES[tiled.letter], tiled.shape
    padded = round_up(n, shape.rows)
    stride = round_up(padded + 2 * shape.lanes, shape.lanes)
    if stride * size % STRIDE_BYTES == 0:
        stride += shape.lanes
    parameters = builder.words(n, int(tiled.options["uplo"] == "L"), padded, stride)
    memory = builder.scratch((padded * stride + shape.rows) * size)
    info = builder.result(1, 4)
    builder.call(
        f"blocked_{tiled.letter}potrf", builder.result(0, n * n * size), info, builder.operand(0),
        parameters, memory,
    )  # fmt: skip
    return tiled.sequence(builder, tiled.batch, n**3 / 6)


def trsm(tiled: TiledMatrices) -> CallSequence:
    """A matrix of a batch is an iteration; of a single one, the columns of a tile are."""
    order, columns, size, shape = tiled.order, tiled.columns, BYTES[tiled.letter], tiled.shape
    by_rows = tiled.options["side"] == "L"
    width = columns if tiled.batch > 1 else shape.width
    if not is_symbolic(columns):
        width = min(width, columns)
    operand_bytes, result_bytes = list(tiled.operand_bytes), list(tiled.result_bytes)
    if tiled.batch == 1:
        part = width * size * (1 if by_rows else order)
        operand_bytes[:2], result_bytes[0] = (0, part), part
    builder = SequenceBuilder(operand_bytes, result_bytes)
    total = columns * tiled.batch
    count = builder.count_of_iteration(total, width)
    parameters = builder.words(*trsm_parameters(tiled, by_rows=by_rows))
    memory = builder.scratch(order * (shape.width + 1) * size)
    solutions = Reference("result", 0, stride=result_bytes[0])
    builder.call(
        f"blocked_{tiled.letter}trsm", solutions, builder.operand(0), builder.operand(1),
        builder.factor(tiled.alpha, DTYPES[tiled.letter]), count, parameters, memory,
    )  # fmt: skip
    return tiled.sequence(builder, -(-total // width), order**2 * round_up(width, shape.lanes) / 2)


def trsm_parameters(tiled: TiledMatrices, *, by_rows: bool) -> Sequence[int]:
    """The words that ``routines.trsm`` describes; X op(A) = B is op(A)^T X^T = B^T."""
    options, order = tiled.options, tiled.order
    is_transposed = options["trans_x"] != "N"
    t_row, t_column = (order, 1) if by_rows != is_transposed else (1, order)
    is_lower = (options["uplo"] == "L") == (by_rows != is_transposed)
    first, direction = (0, 1) if is_lower else (order - 1, -1)
    t_start = first * (t_row + t_column)
    unit = int(options["diag"] == "U")
    leading = tiled.columns if by_rows else order
    return (
        order, t_start, direction * t_row, direction * t_column, unit, int(by_rows), leading,
        first, direction,
    )  # fmt: skip


def geqrf(tiled: TiledMatrices) -> CallSequence:
    """A factorization is an iteration."""
    rows, columns, count = (tiled.sizes[letter] for letter in ("m", "n", "p"))
    builder, size = SequenceBuilder(tiled.operand_bytes, tiled.result_bytes), BYTES[tiled.letter]
    memory = matrix_memory(tiled, builder, rows, columns)
    builder.call(
        f"blocked_{tiled.letter}geqrf", builder.result(0, rows * columns * size),
        builder.result(1, count * size), builder.result(2, INDEX_BYTES), builder.operand(0),
        builder.words(rows, columns, count, memory.padded, memory.stride), memory.matrix,
        memory.work,
    )  # fmt: skip
    return tiled.sequence(builder, tiled.batch, 2 * rows * columns * count)


def orgqr(tiled: TiledMatrices) -> CallSequence:
    """A matrix Q is an iteration."""
    rows, columns, count = (tiled.sizes[letter] for letter in ("m", "n", "k"))
    builder, size = SequenceBuilder(tiled.operand_bytes, tiled.result_bytes), BYTES[tiled.letter]
    memory = matrix_memory(tiled, builder, rows, columns)
    builder.call(
        f"blocked_{tiled.letter}orgqr", builder.result(0, rows * columns * size),
        builder.result(1, INDEX_BYTES), builder.operand(0), builder.operand(1),
        builder.words(rows, columns, count, memory.padded, memory.stride), memory.matrix,
        memory.work,
    )  # fmt: skip
    return tiled.sequence(builder, tiled.batch, 2 * rows * columns * count)


def ormqr(tiled: TiledMatrices) -> CallSequence:
    """A product is an iteration; C Q is (Q^T C^T)^T."""
    sizes, is_left = tiled.sizes, bool(tiled.options["left"])
    order, width = sizes["r"], sizes["n" if is_left else "m"]
    builder, size = SequenceBuilder(tiled.operand_bytes, tiled.result_bytes), BYTES[tiled.letter]
    memory = matrix_memory(tiled, builder, order, width)
    is_upwards = is_left == bool(tiled.options["transpose"])
    operands = [builder.operand(number) for number in range(3)]
    builder.call(
        f"blocked_{tiled.letter}ormqr", builder.result(0, order * width * size),
        builder.result(1, INDEX_BYTES), *operands,
        builder.words(
            order, width, sizes["k"], memory.padded, memory.stride, sizes["q"], int(not is_left),
            int(is_upwards),
        ), memory.matrix, memory.work,
    )  # fmt: skip
    return tiled.sequence(builder, tiled.batch, 2 * order * width * sizes["k"])


@dataclass(frozen=True, slots=True)
class TridiagonalPlace:
    """Where a tridiagonal form is.

    Attributes:
        form: The reflectors, below the form.
        diagonal: Its diagonal.
        beside: What is beside the diagonal.
        taus: The factors of the reflectors.
        info: The status.
    """

    form: Reference
    diagonal: Reference
    beside: Reference
    taus: Reference
    info: Reference


def reduce(
    tiled: TiledMatrices, builder: SequenceBuilder, to: TridiagonalPlace, matrix: Reference
) -> None:
    """Adds the reduction of a symmetric matrix to tridiagonal form."""
    n, size, shape = tiled.sizes["n"], BYTES[tiled.letter], tiled.shape
    rows, columns = round_up(n, shape.rows), round_up(n, PANEL)
    stride = stride_of(columns, size)
    builder.call(
        f"blocked_{tiled.letter}sytrd", to.form, to.diagonal, to.beside, to.taus, to.info,
        matrix,
        builder.words(n, rows, columns, stride, int(tiled.options["uplo"] == "U")),
        builder.scratch(rows * stride * size), builder.scratch(reduction_elements(stride) * size),
    )  # fmt: skip


def sytrd(tiled: TiledMatrices) -> CallSequence:
    """A reduction is an iteration."""
    n, size = tiled.sizes["n"], BYTES[tiled.letter]
    builder = SequenceBuilder(tiled.operand_bytes, tiled.result_bytes)
    sizes = (n * n, n, n - 1, n - 1)
    form, diagonal, beside, taus = (
        builder.result(number, count * size) for number, count in enumerate(sizes)
    )
    info = builder.result(len(sizes), INDEX_BYTES)
    to = TridiagonalPlace(form, diagonal, beside, taus, info)
    reduce(tiled, builder, to, builder.operand(0))
    return tiled.sequence(builder, tiled.batch, n**3)


def syevd(tiled: TiledMatrices) -> CallSequence:
    """Eigenvalues of a tridiagonal form by LAPACK; products of its eigenvectors with Q.

    The triangle is scaled if its numbers are so large or small that products overflow or vanish.
    """
    n, size = tiled.sizes["n"], BYTES[tiled.letter]
    builder = SequenceBuilder(tiled.operand_bytes, tiled.result_bytes)
    form, beside, taus = (builder.scratch(count * size) for count in (n * n, n, n))
    values, info = builder.result(1, n * size), builder.result(2, INDEX_BYTES)
    matrix, inverse, order = builder.scratch(n * n * size), builder.scratch(size), builder.number(n)
    builder.call("copy", matrix, builder.operand(0), builder.number(n * n * size))
    is_upper = builder.number(int(tiled.options["uplo"] == "U"))
    builder.call(f"rescale_triangle_{tiled.letter}", matrix, order, is_upper, inverse)
    reduce(tiled, builder, TridiagonalPlace(form, values, beside, taus, info), matrix)
    status = builder.scratch(INDEX_BYTES)
    builder.call(f"finite_{tiled.letter}", status, values, order, builder.number(1))
    if tiled.options["mode"] == "N":
        builder.call(f"{tiled.letter}sterf", order, values, beside, info, guard=status)
        if builder.result_bytes[0]:
            builder.call("zero", builder.result(0), builder.number(builder.result_bytes[0]))
    else:
        vectors = builder.result(0, n * n * size)
        add_vectors(
            tiled, builder, TridiagonalPlace(form, values, beside, taus, info), status, vectors
        )
        builder.call(
            f"blocked_{tiled.letter}invalidate", vectors, status, builder.number(n * n)
        )  # fmt: skip
    builder.call(f"multiply_{tiled.letter}", values, order, inverse)
    builder.call(f"blocked_{tiled.letter}invalidate", values, status, order)
    seconds = CALL_SECONDS + 4 * n**3 * PRODUCT_SECONDS[tiled.letter]
    concurrent = n <= LARGEST_CONCURRENT
    return builder.sequence(tiled.batch, seconds, concurrent=concurrent, kernel=kernel_for(n))


def add_vectors(
    tiled: TiledMatrices, builder: SequenceBuilder, form: TridiagonalPlace, status: Reference,
    vectors: Reference,
) -> None:  # fmt: skip
    """Adds the eigenvectors, if a status is 0."""
    n, letter, size = tiled.sizes["n"], tiled.letter, BYTES[tiled.letter]
    reals, integers, order = 1 + 4 * n + n * n, 3 + 5 * n, builder.number(n)
    inner = builder.scratch(n * n * size)
    builder.call(
        f"{letter}stedc", builder.letter("I"), order, form.diagonal, form.beside, inner, order,
        builder.scratch(reals * size), builder.number(reals),
        builder.scratch(integers * INDEX_BYTES), builder.number(integers), form.info, guard=status,
    )  # fmt: skip
    memory = matrix_memory(tiled, builder, n - 1, n, before=1)
    builder.call(
        f"blocked_{letter}ormtr", vectors, inner, form.form, form.taus,
        builder.words(n, memory.padded, memory.stride), memory.matrix, memory.work, guard=status,
    )  # fmt: skip


def gehrd(tiled: TiledMatrices) -> CallSequence:
    """A reduction is an iteration, of a matrix that is transposed before and after.

    Source: LAPACK Users' Guide, xGEHRD.
    """
    builder = SequenceBuilder(tiled.operand_bytes, tiled.result_bytes)
    dtype = np.dtype(DTYPES[tiled.letter])
    m = Matrices(builder, tiled.letter, dtype, tiled.sizes, tiled.options)
    n, size = tiled.sizes["n"], BYTES[tiled.letter]
    bounds = m.number(tiled.options["low"]), m.number(tiled.options["high"])
    a, taus = m.matrix(0, n, n), builder.result(1, (n - 1) * size)
    columns = round_up(n, PANEL)
    stride = stride_of(columns, size)
    builder.call(
        f"blocked_{tiled.letter}gehrd", a, taus, *bounds, a, builder.words(n, columns, stride),
        builder.scratch(columns * stride * size),
        builder.scratch(hessenberg_elements(columns, stride) * size),
    )  # fmt: skip
    m.transpose(builder.result(0, n * n * size), a, n, n)
    builder.call("zero", m.info(2), m.number(INDEX_BYTES))
    return tiled.sequence(builder, tiled.batch, 2 * n**3)


def always(sizes: Mapping[str, int], options: Mapping[str, object]) -> bool:
    """The condition of a routine that has none."""
    return True


# What sizes and options must be.
CONDITIONS: Final[Mapping[str, Callable[[Mapping[str, int], Mapping[str, object]], bool]]] = {
    "sytrd": lambda sizes, options: options["uplo"] == "L",  # the others are other reflectors
}
ORDERS: Final = {
    "potrf": "n",
    "trsm": "r",
    "geqrf": "p",
    "orgqr": "k",
    "ormqr": "k",
    "sytrd": "n",
    "syevd": "n",
    "gehrd": "n",
}
CALLS: Final[Mapping[str, Callable[[TiledMatrices], CallSequence]]] = {
    "potrf": potrf,
    "trsm": trsm,
    "geqrf": geqrf,
    "orgqr": orgqr,
    "ormqr": ormqr,
    "sytrd": sytrd,
    "syevd": syevd,
    "gehrd": gehrd,
}
