"""Plans the calls of compact routines for a batch of small matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from stablemate.compiler.library_calls.calls import CallSequence, Reference, SequenceBuilder
from stablemate.compiler.library_calls.compact.routines import ROUTINES
from stablemate.compiler.library_calls.compact.text import BYTES, LANES

LARGEST_SIZE: Final = 32  # of rows and columns; LAPACK is faster for larger matrices
LARGEST_MEMORY: Final = 1 << 17  # bytes of a group
VECTOR_SECONDS: Final = 0.5e-9  # of an operation on vectors
CALL_SECONDS: Final = 1e-7
WORD_BYTES: Final = 8
INDEX_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class SmallMatrices:
    """A routine for a batch of small matrices.

    Attributes:
        routine: Its name.
        letter: BLAS's letter for the element type.
        batch: How many matrices there are.
        sizes: The sizes of dimensions, by their letters.
        options: The options of the routine.
        alpha: The number of the operand that scales; None for 1.
        operand_bytes: The sizes of the operands for one matrix.
        result_bytes: The sizes of the results for one matrix.
    """

    routine: str
    letter: str
    batch: int
    sizes: Mapping[str, int]
    options: Mapping[str, Any]
    alpha: int | None
    operand_bytes: Sequence[int]
    result_bytes: Sequence[int]

    @property
    def lanes(self) -> int:
        """How many matrices a call takes."""
        return LANES[self.letter]

    @property
    def elements(self) -> int:
        """The elements of the matrices that a routine keeps in memory."""
        sizes = self.sizes
        if self.routine == "trsm":
            return sizes["r"] ** 2 + sizes["m"] * sizes["n"]
        return sizes.get("m", sizes["n"]) * sizes["n"]

    @property
    def memory(self) -> int:
        """The bytes of these matrices for all lanes."""
        return self.elements * BYTES[self.letter] * self.lanes

    def fits(self) -> bool:
        """Whether there is a compact routine that pays."""
        if self.routine not in ROUTINES or self.letter not in LANES or self.batch < self.lanes:
            return False
        order = self.sizes["r"] if self.routine == "trsm" else max(self.sizes.values())
        return order <= LARGEST_SIZE and self.memory <= LARGEST_MEMORY

    def calls(self) -> CallSequence:
        """The calls for all matrices."""
        lanes, iterations = self.lanes, -(-self.batch // self.lanes)
        builder = SequenceBuilder(
            [lanes * size for size in self.operand_bytes],
            [lanes * size for size in self.result_bytes],
        )
        counts = [lanes] * iterations
        counts[-1] = self.batch - lanes * (iterations - 1)
        first = builder.words(*counts)
        count = Reference("parameters", offset=first.offset, stride=WORD_BYTES)
        arguments = ARGUMENTS[self.routine](self, builder)
        parameters = builder.words(*PARAMETERS[self.routine](self))
        memory = builder.scratch(self.memory)
        name = f"compact_{self.letter}{self.routine}"
        builder.call(name, *arguments, count, parameters, memory)
        operations = self.elements * max(self.sizes.values())
        seconds = CALL_SECONDS + operations * VECTOR_SECONDS
        return builder.sequence(iterations, seconds, concurrent=True)


def potrf_arguments(small: SmallMatrices, builder: SequenceBuilder) -> list[Reference]:
    """The factors, the statuses, the matrices."""
    return [builder.result(0), statuses(small, builder, 1), builder.operand(0)]


def getrf_arguments(small: SmallMatrices, builder: SequenceBuilder) -> list[Reference]:
    """The factors, the pivots, the statuses, the matrices."""
    pivots = builder.result(1, small.lanes * INDEX_BYTES * small.sizes["p"])
    return [builder.result(0), pivots, statuses(small, builder, 2), builder.operand(0)]


def trsm_arguments(small: SmallMatrices, builder: SequenceBuilder) -> list[Reference]:
    """The solutions, the triangular matrices, the right-hand sides, the factor."""
    if small.alpha is None:
        raw = np.ones(1, {"s": np.float32, "d": np.float64}[small.letter]).tobytes()
        alpha = builder.words(int.from_bytes(raw.ljust(WORD_BYTES, b"\0"), "little"))
    else:
        alpha = Reference("operand", small.alpha)
    return [builder.result(0), builder.operand(0), builder.operand(1), alpha]


def statuses(small: SmallMatrices, builder: SequenceBuilder, result: int) -> Reference:
    """Where the statuses of all lanes are."""
    return builder.result(result, small.lanes * INDEX_BYTES)


def potrf_parameters(small: SmallMatrices) -> Sequence[int]:
    """The order, the strides of the factor."""
    n = small.sizes["n"]
    return (n, n, 1) if small.options["uplo"] == "L" else (n, 1, n)


def getrf_parameters(small: SmallMatrices) -> Sequence[int]:
    """The numbers of rows, of columns and of steps."""
    return small.sizes["m"], small.sizes["n"], small.sizes["p"]


def trsm_parameters(small: SmallMatrices) -> Sequence[int]:
    """The order, the width, places and strides; see ``routines.trsm``.

    X op(A) = B is op(A)^T X^T = B^T.
    """
    options, order = small.options, small.sizes["r"]
    is_left, is_transposed = options["side"] == "L", options["trans_x"] != "N"
    width = small.sizes["n"] if is_left else small.sizes["m"]
    t_row, t_column = (order, 1) if is_left != is_transposed else (1, order)
    x_row, x_column = (width, 1) if is_left else (1, order)
    is_lower = (options["uplo"] == "L") == (is_left != is_transposed)
    t_start = x_start = 0
    if not is_lower:
        t_start, x_start = (order - 1) * (t_row + t_column), (order - 1) * x_row
        t_row, t_column, x_row = -t_row, -t_column, -x_row
    unit = int(options["diag"] == "U")
    return order, width, t_start, t_row, t_column, x_start, x_row, x_column, unit


ARGUMENTS: Final[Mapping[str, Callable[[SmallMatrices, SequenceBuilder], list[Reference]]]] = {
    "potrf": potrf_arguments,
    "getrf": getrf_arguments,
    "trsm": trsm_arguments,
}
PARAMETERS: Final[Mapping[str, Callable[[SmallMatrices], Sequence[int]]]] = {
    "potrf": potrf_parameters,
    "getrf": getrf_parameters,
    "trsm": trsm_parameters,
}
