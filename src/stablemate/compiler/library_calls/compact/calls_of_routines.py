"""The arguments and parameters of compact routines; see the routine of the same name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from stablemate.compiler.library_calls.calls import Reference, SequenceBuilder
from stablemate.compiler.library_calls.compact.text import BYTES, VectorElements
from stablemate.deferred_dataclasses import dataclass
from stablemate.numerics.elements import DType

INDEX_BYTES: Final = 4  # of LAPACK's integers


@dataclass(frozen=True, slots=True)
class Small:
    """A routine for small matrices, and its call.

    Attributes:
        builder: The calls.
        elements: The elements of its vectors.
        dtype: The element type of the matrices, of whose numbers vectors hold the parts.
        batch: The number of matrices.
        sizes: The sizes of dimensions, by their letters.
        options: The options of the routine.
        alpha: The number of the operand that scales; None for 1.
    """

    builder: SequenceBuilder
    elements: VectorElements
    dtype: DType
    batch: int
    sizes: Mapping[str, int]
    options: Mapping[str, Any]
    alpha: int | None

    def result(self, number: int, count: int) -> Reference:
        """A result with so many elements for each matrix."""
        return self.numbers(number, count, self.dtype.itemsize)

    def reals(self, number: int, count: int) -> Reference:
        """A result with so many real numbers for each matrix."""
        return self.numbers(number, count, BYTES[self.elements.letter])

    def numbers(self, number: int, count: int, size: int) -> Reference:
        """A result with so many numbers of a size for each matrix."""
        total = max(count, 1) * size * self.elements.lanes
        return self.builder.result(number, total if count else 1)

    def indices(self, number: int, count: int = 1) -> Reference:
        """A result with so many integers for each matrix."""
        return self.builder.result(number, self.elements.lanes * INDEX_BYTES * count)

    def zero(self, number: int) -> None:
        """Adds a call that fills a result with zeros, for as many matrices as there are."""
        lanes, results = self.elements.lanes, self.builder.result_bytes
        if number < len(results) and results[number]:
            size = self.builder.count_of_iteration(
                results[number] // lanes * self.batch, results[number]
            )
            self.builder.call("zero", self.builder.result(number), size)


def potrf_arguments(small: Small) -> list[Reference]:
    """The factors, the statuses, the matrices."""
    n = small.sizes["n"]
    return [small.result(0, n * n), small.indices(1), small.builder.operand(0)]


def getrf_arguments(small: Small) -> list[Reference]:
    """The factors, the pivots, the statuses, the matrices."""
    sizes = small.sizes
    return [
        small.result(0, sizes["m"] * sizes["n"]), small.indices(1, sizes["p"]), small.indices(2),
        small.builder.operand(0),
    ]  # fmt: skip


def trsm_arguments(small: Small) -> list[Reference]:
    """The solutions, the triangular matrices, the right-hand sides, the factor."""
    builder = small.builder
    alpha = builder.factor(small.alpha, small.dtype)
    return [builder.result(0), builder.operand(0), builder.operand(1), alpha]


def geqrf_arguments(small: Small) -> list[Reference]:
    """The factors, the factors of reflectors, the statuses, the matrices."""
    sizes = small.sizes
    return [
        small.result(0, sizes["m"] * sizes["n"]), small.result(1, sizes["p"]), small.indices(2),
        small.builder.operand(0),
    ]  # fmt: skip


def orgqr_arguments(small: Small) -> list[Reference]:
    """The matrices Q, the statuses, the reflectors, their factors."""
    builder, size = small.builder, small.sizes["m"] * small.sizes["n"]
    return [small.result(0, size), small.indices(1), builder.operand(0), builder.operand(1)]


def ormqr_arguments(small: Small) -> list[Reference]:
    """The products, the statuses, the reflectors, their factors, the matrices."""
    builder, size = small.builder, small.sizes["m"] * small.sizes["n"]
    operands = [builder.operand(number) for number in range(3)]
    return [small.result(0, size), small.indices(1), *operands]


def gehrd_arguments(small: Small) -> list[Reference]:
    """The forms, the factors of reflectors, the statuses, the matrices."""
    n = small.sizes["n"]
    return [
        small.result(0, n * n), small.result(1, small.sizes["e"]), small.indices(2),
        small.builder.operand(0),
    ]  # fmt: skip


def sytrd_arguments(small: Small) -> list[Reference]:
    """The forms, the diagonals, what is beside them, the factors, the statuses, the matrices."""
    n, beside = small.sizes["n"], small.sizes["e"]
    return [
        small.result(0, n * n), small.reals(1, n), small.reals(2, beside),
        small.result(3, beside), small.indices(4), small.builder.operand(0),
    ]  # fmt: skip


def syevd_arguments(small: Small) -> list[Reference]:
    """The vectors, the values, the statuses, the matrices."""
    n = small.sizes["n"]
    if small.options["mode"] == "N":
        small.zero(0)
        vectors = small.builder.scratch(1)
    else:
        vectors = small.result(0, n * n)
    return [vectors, small.reals(1, n), small.indices(2), small.builder.operand(0)]


def gesdd_arguments(small: Small) -> list[Reference]:
    """The values, the left and the right vectors, the statuses, the matrices."""
    rows, columns, least = (small.sizes[letter] for letter in ("m", "n", "p"))
    small.zero(0)
    if small.options["mode"] == "N":
        small.zero(2)
        small.zero(3)
        left = right = small.builder.scratch(1)
    else:
        is_full = small.options["mode"] == "A"
        left = small.result(2, rows * (rows if is_full else least))
        right = small.result(3, columns * (columns if is_full else least))
    return [small.reals(1, least), left, right, small.indices(4), small.builder.operand(0)]


def geev_arguments(small: Small) -> list[Reference]:
    """The real and imaginary parts, the left and right vectors, the statuses, the matrices."""
    n = small.sizes["n"]
    vectors = [
        wanted_matrix(small, 2 + side, small.options[name], 2 * n * n)
        for side, name in enumerate(("compute_left", "compute_right"))
    ]
    return [
        small.result(0, n), small.result(1, n), *vectors, small.indices(4),
        small.builder.operand(0),
    ]  # fmt: skip


def complex_geev_arguments(small: Small) -> list[Reference]:
    """The values, the left and the right vectors, the statuses, the matrices."""
    n = small.sizes["n"]
    vectors = [
        wanted_matrix(small, 1 + side, small.options[name], n * n)
        for side, name in enumerate(("compute_left", "compute_right"))
    ]
    return [small.result(0, n), *vectors, small.indices(3), small.builder.operand(0)]


def wanted_matrix(small: Small, number: int, mode: str, elements: int) -> Reference:
    """Matrices of so many elements as a result; the result is zeros if they are not wanted."""
    if mode == "V":
        return small.result(number, elements)
    small.zero(number)
    return small.builder.scratch(1)


def complex_gees_arguments(small: Small) -> list[Reference]:
    """The forms, the vectors, the values, numbers, statuses, the matrices."""
    n = small.sizes["n"]
    vectors = wanted_matrix(small, 1, small.options["mode"], n * n)
    return [
        small.result(0, n * n), vectors, small.result(2, n), small.indices(3), small.indices(4),
        small.builder.operand(0),
    ]  # fmt: skip


def gees_arguments(small: Small) -> list[Reference]:
    """The forms, the vectors, real and imaginary parts, numbers, statuses, the matrices."""
    n = small.sizes["n"]
    if small.options["mode"] == "V":
        vectors = small.result(1, n * n)
    else:
        small.zero(1)
        vectors = small.builder.scratch(1)
    return [
        small.result(0, n * n), vectors, small.result(2, n), small.result(3, n), small.indices(4),
        small.indices(5), small.builder.operand(0),
    ]  # fmt: skip


def potrf_parameters(small: Small) -> Sequence[int]:
    """The order, the strides of the factor, and what is done with it."""
    n = small.sizes["n"]
    strides = (n, 1) if small.options["uplo"] == "L" else (1, n)
    return n, *strides, *(int(small.options.get(name, 0)) for name in ("marks", "clears"))


def getrf_parameters(small: Small) -> Sequence[int]:
    """The numbers of rows, of columns and of steps."""
    return small.sizes["m"], small.sizes["n"], small.sizes["p"]


def trsm_parameters(small: Small) -> Sequence[int]:
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
    unit, conjugates = int(options["diag"] == "U"), int(options["trans_x"] == "C")
    return order, width, t_start, t_row, t_column, x_start, x_row, x_column, unit, conjugates


def geqrf_parameters(small: Small) -> Sequence[int]:
    """The numbers of rows, of columns and of reflectors."""
    return small.sizes["m"], small.sizes["n"], small.sizes["p"]


def orgqr_parameters(small: Small) -> Sequence[int]:
    """The numbers of rows, of columns and of reflectors."""
    return small.sizes["m"], small.sizes["n"], small.sizes["k"]


def ormqr_parameters(small: Small) -> Sequence[int]:
    """The order of Q, sizes and strides, the first reflector and the step to the next.

    C Q is (Q^T C^T)^T, so that reflectors have the other order from the other side.
    """
    sizes, is_left = small.sizes, small.options["left"]
    rows, columns, count = sizes["m"], sizes["n"], sizes["k"]
    width, strides = (columns, (columns, 1)) if is_left else (rows, (1, columns))
    is_upwards = is_left == bool(small.options["transpose"])
    first, step = (0, 1) if is_upwards else (count - 1, -1)
    return sizes["r"], sizes["q"], count, width, *strides, first, step


def gehrd_parameters(small: Small) -> Sequence[int]:
    """The order, the number of reflectors."""
    return small.sizes["n"], small.sizes["e"]


def sytrd_parameters(small: Small) -> Sequence[int]:
    """The order, places and strides; see ``symmetric.sytrd``."""
    n = small.sizes["n"]
    if small.options["uplo"] == "L":
        return n, 0, 1, 0, 0, 1
    return n, n * n - 1, -1, n - 1, max(n - 2, 0), -1


def syevd_parameters(small: Small) -> Sequence[int]:
    """The order, the strides, whether there are vectors, and whether elements are conjugated."""
    n, is_lower = small.sizes["n"], small.options["uplo"] == "L"
    strides = (n, 1) if is_lower else (1, n)
    return n, *strides, int(small.options["mode"] == "V"), int(not is_lower)


def geev_parameters(small: Small) -> Sequence[int]:
    """The order, which vectors there are, and the largest number of sweeps."""
    wants_left = int(small.options["compute_left"] == "V")
    n, *rest = general_parameters(small, "compute_right")
    return n, wants_left, *rest


def gees_parameters(small: Small) -> Sequence[int]:
    """The order, whether there are vectors, and the largest number of sweeps."""
    return general_parameters(small, "mode")


def general_parameters(small: Small, mode: str) -> Sequence[int]:
    """The parameters of routines for eigenvalues, with LAPACK's number of sweeps."""
    n = small.sizes["n"]
    return n, int(small.options[mode] == "V"), 30 * max(10, n)


def gesdd_parameters(small: Small) -> Sequence[int]:
    """Sizes and strides; see ``singular_values.gesdd``."""
    rows, columns, least = (small.sizes[letter] for letter in ("m", "n", "p"))
    most, mode = max(rows, columns), small.options["mode"]
    long, wants = most if mode == "A" else least, int(mode != "N")
    if rows >= columns:
        return rows, columns, columns, 1, long, long, 1, 1, columns, wants, 0
    return columns, rows, 1, columns, long, 1, columns, rows, 1, wants, 1
