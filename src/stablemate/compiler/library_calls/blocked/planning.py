"""Plans the calls of routines that work by tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from stablemate.compiler.config.target import host
from stablemate.compiler.library_calls.blocked.routines import ROUTINES
from stablemate.compiler.library_calls.blocked.tiles import Shape, shape_of
from stablemate.compiler.library_calls.calls import (
    CallSequence,
    OwnRoutine,
    Reference,
    SequenceBuilder,
)
from stablemate.compiler.library_calls.compact.text import BYTES, DTYPES

SIZES: Final = {"potrf": range(33, 769), "trsm": range(33, 1025)}  # orders that it is faster for
PRODUCT_SECONDS: Final = {"s": 2e-11, "d": 4e-11}  # of a multiplication and an addition
CALL_SECONDS: Final = 1e-6
STRIDE_BYTES: Final = 512  # rows that are so many bytes apart, or multiples, share cache sets


@dataclass(frozen=True, slots=True)
class TiledMatrices(OwnRoutine):
    """A routine that works by tiles."""

    @property
    def shape(self) -> Shape:
        """The shape of tiles."""
        return shape_of(self.letter, host())

    @property
    def order(self) -> int:
        """The order of the matrix that is factored or solved for."""
        return self.sizes["r" if self.routine == "trsm" else "n"]

    @property
    def columns(self) -> int:
        """How many right-hand sides there are."""
        return self.sizes["n" if self.options["side"] == "L" else "m"]

    def fits(self) -> bool:
        """Whether there is a routine that pays."""
        if self.routine not in ROUTINES or self.letter not in BYTES:
            return False
        return self.order in SIZES[self.routine]

    def calls(self) -> CallSequence:
        """The calls for all matrices."""
        return CALLS[self.routine](self)

    def sequence(self, builder: SequenceBuilder, iterations: int, products: float) -> CallSequence:
        """The calls for a number of iterations, each of which takes so many products."""
        seconds = CALL_SECONDS + products * PRODUCT_SECONDS[self.letter]
        return builder.sequence(iterations, seconds, concurrent=True)


def potrf(tiled: TiledMatrices) -> CallSequence:
    """A factorization is an iteration."""
    builder = SequenceBuilder(tiled.operand_bytes, tiled.result_bytes)
    n, size, shape = tiled.order, BYTES[tiled.letter], tiled.shape
    padded = rounded(n, shape.rows)
    stride = rounded(padded + 2 * shape.lanes, shape.lanes)
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
    width = columns if tiled.batch > 1 else min(columns, shape.width)
    counts = [width] * (-(-columns // width) if tiled.batch == 1 else tiled.batch)
    operand_bytes, result_bytes = list(tiled.operand_bytes), list(tiled.result_bytes)
    if tiled.batch == 1:
        counts[-1] = columns - width * (len(counts) - 1)
        part = width * size * (1 if by_rows else order)
        operand_bytes[:2], result_bytes[0] = (0, part), part
    builder = SequenceBuilder(operand_bytes, result_bytes)
    count = builder.word_of_iteration(counts)
    parameters = builder.words(*trsm_parameters(tiled, by_rows=by_rows))
    memory = builder.scratch(order * (shape.width + 1) * size)
    solutions = Reference("result", 0, stride=result_bytes[0])
    builder.call(
        f"blocked_{tiled.letter}trsm", solutions, builder.operand(0), builder.operand(1),
        builder.factor(tiled.alpha, DTYPES[tiled.letter]), count, parameters, memory,
    )  # fmt: skip
    return tiled.sequence(builder, len(counts), order**2 * rounded(width, shape.lanes) / 2)


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


def rounded(number: int, step: int) -> int:
    """The least multiple of ``step`` that is not below a number."""
    return -(-number // step) * step


CALLS: Final[Mapping[str, Callable[[TiledMatrices], CallSequence]]] = {"potrf": potrf, "trsm": trsm}
