"""Factorizations, solutions, determinants.

A factorization that does not exist gives numbers that are none (NaN); PyTorch raises an error.

Source: PyTorch, torch.linalg.
"""

from __future__ import annotations

from math import factorial, inf
from typing import Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import TransposeKind
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indefinite_matrices as indefinite
from stablemate.frontends.tensor_functions import linear_algebra as la
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.contraction import matmul
from stablemate.frontends.tensor_functions.control import while_loop
from stablemate.frontends.tensor_functions.indexing import add, put_points, take
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    broadcast_shape,
    constant,
    full,
    scalar,
    size_tensor,
)
from stablemate.frontends.torch.call import Call
from stablemate.frontends.torch.promotion import INT64
from stablemate.frontends.torch.table import lowers
from stablemate.numerics.elements import F64


def zeros_of(call: Call) -> list[Tensor]:
    """Zeros for all results, as factorizations of empty matrices are."""
    return [full(call.graph, row[0], 0, row[1]) for row in call.types if row is not None]


@lowers("linalg_cholesky_ex")
def cholesky_ex(call: Call, self: Tensor, *, upper: bool = False) -> list[Tensor]:
    """The triangular factor of Hermitian matrices, and at which leading minor it fails."""
    if self.is_empty:
        return zeros_of(call)
    factor, info = la.cholesky_with_info(la.adjoint(self) if upper else self)
    return [la.adjoint(factor) if upper else factor, info]


@lowers("cholesky")
def cholesky(call: Call, self: Tensor, upper: bool = False) -> Tensor:
    """The triangular factor of Hermitian matrices."""
    return cholesky_ex(call, self, upper=upper)[0]


@lowers("cholesky_solve", "_cholesky_solve_helper")
def cholesky_solve(call: Call, self: Tensor, input2: Tensor, upper: bool) -> Tensor:
    """The solution x of A x = self, by the factor of A."""
    batch = call.shape[:-2]
    b = self.broadcast_to((*batch, *self.shape[-2:]))
    factor = input2.broadcast_to((*batch, *input2.shape[-2:]))
    return solve_by_cholesky(factor, b, upper=upper)


def solve_by_cholesky(factor: Tensor, b: Tensor, *, upper: bool) -> Tensor:
    """The solution of a Hermitian system by its triangular factor."""
    if b.is_empty:
        return b
    first, second = TransposeKind.NO_TRANSPOSE, TransposeKind.ADJOINT
    if upper:
        first, second = second, first
    half = la.triangular_solve(factor, b, lower=not upper, transpose=first)
    return la.triangular_solve(factor, half, lower=not upper, transpose=second)


@lowers("cholesky_inverse")
def cholesky_inverse(call: Call, self: Tensor, upper: bool = False) -> Tensor:
    """The inverse of a Hermitian matrix by its factor."""
    unit = la.identity(call.graph, self.shape, self.element)
    return solve_by_cholesky(self, unit, upper=upper)


@lowers("linalg_solve_triangular")
def solve_triangular(
    call: Call, self: Tensor, B: Tensor, *, upper: bool, left: bool = True,
    unitriangular: bool = False,
) -> Tensor:  # fmt: skip
    """The solution of a triangular system."""
    a, b = broadcast_batches(self, B)
    if b.is_empty:
        return b
    return la.triangular_solve(a, b, lower=not upper, left=left, unit_diagonal=unitriangular)


def broadcast_batches(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Matrices whose batches are repeated to a common shape."""
    batch = broadcast_shape(x.shape[:-2], y.shape[:-2])
    return x.broadcast_to((*batch, *x.shape[-2:])), y.broadcast_to((*batch, *y.shape[-2:]))


@lowers("triangular_solve")
def triangular_solve(
    call: Call, self: Tensor, A: Tensor, upper: bool, transpose: bool, unitriangular: bool
) -> list[Tensor]:
    """The solution of A x = self, and A."""
    a, b = broadcast_batches(A, self)
    if b.is_empty:
        return [b, a]
    how = TransposeKind.TRANSPOSE if transpose else TransposeKind.NO_TRANSPOSE
    solution = la.triangular_solve(
        a, b, lower=not upper, unit_diagonal=unitriangular, transpose=how
    )
    return [solution, a]


# LU


def factor_lu(call: Call, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The factors that PyTorch keeps of the first argument for the gradient of its determinant.

    They are those of the transpose, for real matrices in row-major order.
    """
    is_transposed = call.row_major[0] and not x.is_complex
    return la.lu(la.matrix_transpose(x) if is_transposed else x)


@lowers("linalg_lu_factor_ex")
def lu_factor_ex(call: Call, self: Tensor, *, pivot: bool = True) -> list[Tensor]:
    """Both factors in one matrix, the row swapped with each, and info."""
    if not pivot:
        call.refuse("a factorization without pivoting")
    return zeros_of(call) if self.is_empty else list(la.lu(self))


@lowers("linalg_lu")
def lu(call: Call, self: Tensor, *, pivot: bool = True) -> list[Tensor]:
    """P, L and U with self = P L U."""
    if not pivot:
        call.refuse("a factorization without pivoting")
    if self.is_empty:
        p, lower, upper = zeros_of(call)
        rows = la.identity(call.graph, p.shape, p.element)
        return [rows if not p.is_empty else p, lower, upper]
    factors, pivots, _ = la.lu(self)
    return unpack_factors(call, factors, pivots)


@lowers("lu_unpack")
def lu_unpack(
    call: Call, LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool, unpack_pivots: bool
) -> list[Tensor]:
    """P, L and U from factors in one matrix."""
    results = unpack_factors(call, LU_data, LU_pivots)
    kept = [unpack_pivots, unpack_data, unpack_data]
    return [
        result if is_kept else empty
        for result, is_kept, empty in zip(results, kept, zeros_of(call), strict=True)
    ]


def unpack_factors(call: Call, factors: Tensor, pivots: Tensor) -> list[Tensor]:
    """P, L and U from factors in one matrix."""
    count = la.least(factors)
    size = m.slice_dimension(factors, -1, 0, count)
    lower = la.triangle(size, lower=True, offset=-1)
    lower = lower + la.identity(call.graph, lower.shape, lower.element)
    upper = la.triangle(m.slice_dimension(factors, -2, 0, count), lower=False)
    return [permutation_matrix(call, factors, pivots), lower, upper]


def permutation_matrix(call: Call, factors: Tensor, pivots: Tensor) -> Tensor:
    """The matrix P whose product with L U is the factored matrix."""
    rows = factors.shape[-2]
    shape = (*factors.shape[:-2], rows, rows)
    if pivots.is_empty:
        return la.identity(call.graph, shape, factors.element)
    order = la.permutation_of(pivots, rows)
    places = m.iota(call.graph, shape, len(shape) - 2, INT64)
    return places.equals(m.expand_dims(order, -2)).convert(factors.element)


@lowers("linalg_lu_solve")
def lu_solve(
    call: Call, self: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True,
    adjoint: bool = False,
) -> Tensor:  # fmt: skip
    """The solution of a system by the factors of its matrix."""
    factors, b = broadcast_batches(self, B)
    order = pivots.broadcast_to((*factors.shape[:-2], pivots.shape[-1]))
    if b.is_empty:
        return b
    if left:
        return solve_by_lu(factors, order, b, adjoint=adjoint)
    # x A = b is A^H x^H = b^H
    return la.adjoint(solve_by_lu(factors, order, la.adjoint(b), adjoint=not adjoint))


def solve_by_lu(factors: Tensor, pivots: Tensor, b: Tensor, *, adjoint: bool) -> Tensor:
    """The solution of P L U x = b, or of the adjoint system."""
    order = la.permutation_of(pivots, factors.shape[-1])
    if not adjoint:
        swapped = la.rows_in_order(b, order)
        half = la.triangular_solve(factors, swapped, lower=True, unit_diagonal=True)
        return la.triangular_solve(factors, half, lower=False)
    how = TransposeKind.ADJOINT
    half = la.triangular_solve(factors, b, lower=False, transpose=how)
    whole = la.triangular_solve(factors, half, lower=True, unit_diagonal=True, transpose=how)
    return la.rows_in_order(whole, la.inverse_order(order))


@lowers("_linalg_solve_ex")
def solve_ex(call: Call, self: Tensor, B: Tensor, *, left: bool = True) -> list[Tensor]:
    """The solution of a system, the factors of its matrix, and info."""
    is_vector = B.rank == 1 or (B.rank == self.rank - 1 and B.shape == self.shape[:-1])
    b = m.expand_dims(B, -1) if is_vector else B
    if self.is_empty or b.is_empty:
        return zeros_of(call)
    factors, pivots, info = la.lu(self)
    a, rhs = broadcast_batches(factors, b)
    order = pivots.broadcast_to((*a.shape[:-2], pivots.shape[-1]))
    if left:
        solution = solve_by_lu(a, order, rhs, adjoint=False)
    else:
        solution = la.adjoint(solve_by_lu(a, order, la.adjoint(rhs), adjoint=True))
    return [m.reshape(solution, call.shape), factors, pivots, info]


@lowers("linalg_inv_ex")
def inv_ex(call: Call, self: Tensor) -> list[Tensor]:
    """The inverse of each matrix, and LAPACK's ``info``: 0 where there is one."""
    if self.is_empty:
        return zeros_of(call)
    factors, pivots, info = la.lu(self)
    unit = la.identity(call.graph, self.shape, self.element)
    return [solve_by_lu(factors, pivots, unit, adjoint=False), info]


@lowers("_linalg_det")
def det(call: Call, self: Tensor) -> list[Tensor]:
    """The determinant, and the factors that it is computed from."""
    if self.is_empty:
        return [full(call.graph, call.shape, 1, call.element), *zeros_of(call)[1:]]
    factors, pivots, _ = factor_lu(call, self)
    return [la.determinant(factors, pivots), factors, pivots]


@lowers("_linalg_slogdet")
def slogdet(call: Call, self: Tensor) -> list[Tensor]:
    """The sign of the determinant, the logarithm of its absolute value, and the factors."""
    if self.is_empty:
        first = full(call.graph, call.shape, 1, call.element)
        return [first, *zeros_of(call)[1:]]
    factors, pivots, _ = factor_lu(call, self)
    entries = la.diagonal(factors)
    sizes = abs(entries)
    sign = r.product_over(directions_of(entries, sizes), [-1]) * la.sign_of(pivots).convert(
        self.element
    )
    return [sign, r.sum_over(f.log(sizes), [-1]), factors, pivots]


def directions_of(x: Tensor, sizes: Tensor) -> Tensor:
    """Numbers divided by their absolute values; 0 of 0."""
    if not x.is_complex:
        return f.sign(x)
    safe = f.select(sizes.equals(0), 1, sizes)
    return f.complex_from_parts(f.real(x) / safe, f.imag(x) / safe)


# QR


@lowers("linalg_qr")
def qr(call: Call, self: Tensor, mode: str) -> list[Tensor]:
    """The orthogonal and triangular factors of matrices, as ``mode`` asks for them."""
    if self.is_empty:
        results = zeros_of(call)
        if mode == "complete":
            results[0] = la.identity(call.graph, results[0].shape, self.element)
        return results
    factors, taus = la.geqrf(self)
    rows, count = self.shape[-2], la.least(self)
    height = rows if mode == "complete" else count
    upper = la.triangle(m.slice_dimension(factors, -2, 0, height), lower=False)
    if mode == "r":
        return [zeros_of(call)[0], upper]
    width = rows if mode == "complete" else count
    return [orthogonal(factors, taus, width), upper]


def orthogonal(factors: Tensor, taus: Tensor, width: object) -> Tensor:
    """The first columns of the orthogonal factor."""
    columns = factors.shape[-1]
    assert isinstance(width, int)
    assert isinstance(columns, int)
    kept = m.slice_dimension(factors, -1, 0, min(width, columns))
    if width > columns:
        low, high = [0] * kept.rank, [0] * kept.rank
        high[-1] = width - columns
        kept = m.pad(kept, 0, low, high)
    return la.householder_product(kept, taus)


@lowers("geqrf")
def geqrf(call: Call, self: Tensor) -> list[Tensor]:
    """R above reflectors, and their factors."""
    return zeros_of(call) if self.is_empty else list(la.geqrf(self))


@lowers("linalg_householder_product")
def householder_product(call: Call, self: Tensor, tau: Tensor) -> Tensor:
    """The first columns of the product of reflectors."""
    if self.is_empty:
        return self
    if tau.is_empty:
        return la.identity(call.graph, self.shape, self.element)
    return la.householder_product(self, tau)


@lowers("ormqr")
def ormqr(
    call: Call, self: Tensor, input2: Tensor, input3: Tensor, left: bool = True,
    transpose: bool = False,
) -> Tensor:  # fmt: skip
    """The product of a matrix and the orthogonal factor of reflectors."""
    if input3.is_empty or input2.is_empty:
        return input3
    return la.multiply_q(self, input2, input3, left=left, transpose=transpose)


# singular values and eigenvalues


@lowers("_linalg_svd")
def svd(call: Call, self: Tensor, full_matrices: bool, compute_uv: bool) -> list[Tensor]:
    """Left vectors, singular values, adjoint right vectors."""
    if self.is_empty:
        results = zeros_of(call)
        unit = [la.identity(call.graph, x.shape, x.element) for x in (results[0], results[2])]
        return [unit[0], results[1], unit[1]] if full_matrices else results
    u, values, vh, _ = la.svd(self, "A" if full_matrices else "S")
    if compute_uv:
        return [u, values, vh]
    empty = zeros_of(call)
    return [empty[0], values, empty[2]]


@lowers("prims.svd")
def prims_svd(call: Call, self: Tensor, *, full_matrices: bool) -> list[Tensor]:
    """Left vectors, singular values, adjoint right vectors."""
    return svd(call, self, full_matrices, True)


@lowers("_linalg_eigh")
def eigh(call: Call, self: Tensor, UPLO: str, compute_v: bool) -> list[Tensor]:
    """Eigenvalues in order, and eigenvectors of Hermitian matrices."""
    if self.is_empty:
        return zeros_of(call)
    values, vectors = la.eigh(self, lower=UPLO.upper() == "L")
    return [values, vectors if compute_v else zeros_of(call)[1]]


@lowers("linalg_eig")
def eig(call: Call, self: Tensor) -> list[Tensor]:
    """The eigenvalues and right eigenvectors of general matrices."""
    return zeros_of(call) if self.is_empty else list(la.eig(self))


@lowers("linalg_eigvals", "_linalg_eigvals")
def eigvals(call: Call, self: Tensor) -> Tensor:
    """The eigenvalues of general matrices, which are complex."""
    return zeros_of(call)[0] if self.is_empty else la.eig(self)[0]


@lowers("linalg_pinv.atol_rtol_tensor")
def pinv(
    call: Call, self: Tensor, *, atol: Tensor | None = None, rtol: Tensor | None = None,
    hermitian: bool = False,
) -> Tensor:  # fmt: skip
    """The pseudo-inverse: singular values that are small count as zero."""
    if self.is_empty:
        return zeros_of(call)[0]
    if hermitian:
        values, vectors = la.eigh(self, lower=True)
        u, vh = vectors, la.adjoint(vectors)
    else:
        u, values, vh, _ = la.svd(self, "S")
    bound = negligible(self, values, atol, rtol)
    inverted = f.select(abs(values) > m.expand_dims(bound, -1), 1 / values, 0)
    scaled = la.adjoint(vh) * m.expand_dims(inverted.convert(self.element), -2)
    return matmul(scaled, la.adjoint(u))


def negligible(x: Tensor, values: Tensor, atol: Tensor | None, rtol: Tensor | None) -> Tensor:
    """Up to where singular values count as zero.

    Without a relative bound it is the rounding error of a matrix, unless there is an absolute one.
    """
    rows, columns = x.shape[-2:]
    size = rows if rows >= columns else columns
    epsilon = float(np.finfo(values.element.dtype.name).eps)
    error = size_tensor(x.graph, size, values.element) * epsilon
    relative = error if rtol is None else rtol.convert(values.element)
    if rtol is None and atol is not None:
        relative = f.select(atol > 0, 0, error)
    bound = r.maximum_over(abs(values), [-1]) * relative
    return bound if atol is None else f.maximum(bound, atol.convert(values.element))


# functions of matrices


@lowers("linalg_matrix_exp")
def matrix_exp(call: Call, self: Tensor) -> Tensor:
    """The exponential, by squaring an approximant: of Padé in 64 bits, else of Taylor.

    Sources: N. Higham, The Scaling and Squaring Method for the Matrix Exponential Revisited, 2005;
    P. Bader, S. Blanes, F. Casas, Computing the Matrix Exponential with an Optimized Taylor
    Polynomial Approximation, 2019.
    """
    if self.is_empty:
        return self
    x = call.to_compute_type(self)
    unit = la.identity(call.graph, x.shape, x.element)
    norm = r.maximum_over(r.sum_over(abs(x), [-2]), [-1])
    is_wide = norm.element == F64
    bound = PADE_BOUND if is_wide else TAYLOR_BOUND
    squarings = f.maximum(f.ceil(f.log(norm / bound) * (1 / LOG2)), 0)
    squarings = f.select(f.is_finite(squarings), squarings, 0)
    factor = f.exp(-squarings * LOG2)
    scale = factor.convert(x.element).broadcast(x.shape, range(factor.rank))
    result = (pade if is_wide else taylor)(x * scale, unit)
    most = r.maximum_over(squarings) if squarings.rank else squarings
    return square_repeatedly(result, squarings, most).convert(self.element)


PADE_BOUND: Final = 5.371920351148152  # of the approximant of degree 13, Table 2.3
TAYLOR_BOUND: Final = 3.010066362817634  # of the polynomial of degree 18 in 32 bits, Table 1
LOG2: Final = 0.6931471805599453
PADE: Final = (
    64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000,
    10559470521600, 670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
)  # fmt: skip


def pade(x: Tensor, unit: Tensor) -> Tensor:
    """The approximant of degree 13, by which exp is q^-1 p."""
    b = [float(number) for number in PADE]
    x2 = matmul(x, x)
    x4 = matmul(x2, x2)
    x6 = matmul(x4, x2)
    odd = matmul(x6, x6 * b[13] + x4 * b[11] + x2 * b[9])
    odd = matmul(x, odd + x6 * b[7] + x4 * b[5] + x2 * b[3] + unit * b[1])
    even = matmul(x6, x6 * b[12] + x4 * b[10] + x2 * b[8])
    even = even + x6 * b[6] + x4 * b[4] + x2 * b[2] + unit * b[0]
    factors, pivots, _ = la.lu(even - odd)
    return solve_by_lu(factors, pivots, even + odd, adjoint=False)


def taylor(x: Tensor, unit: Tensor) -> Tensor:
    """The polynomial of degree 18, which needs no quotient and rounds less than that of Padé."""
    x2 = matmul(x, x)
    x3 = matmul(x2, x)
    result = x3 * (1 / factorial(18))
    for degree in range(15, -1, -3):
        if degree < 15:
            result = matmul(x3, result)
        terms = zip((unit, x, x2), range(degree, degree + 3), strict=True)
        result = sum((power * (1 / factorial(n)) for power, n in terms), result)
    return result


def square_repeatedly(x: Tensor, counts: Tensor, most: Tensor) -> Tensor:
    """Matrices squared so many times each."""

    def goes_on(step: Tensor, value: Tensor) -> Tensor:
        return step < most.within(step.graph)

    def square(step: Tensor, value: Tensor) -> list[Tensor]:
        wanted = counts.within(step.graph) > step
        mask = wanted.broadcast(value.shape, range(wanted.rank))
        return [step + 1, f.select(mask, matmul(value, value), value)]

    first = scalar(x.graph, 0, counts.element)
    return while_loop(goes_on, square, [first, x])[1]


@lowers("linalg_matrix_sqrth")
def matrix_sqrth(call: Call, self: Tensor) -> Tensor:
    """The root of a Hermitian matrix whose eigenvalues are not negative."""
    if self.is_empty:
        return self
    values, vectors = la.eigh(self, lower=True)
    roots = f.sqrt(f.maximum(values, 0)).convert(self.element)
    return matmul(vectors * m.expand_dims(roots, -2), la.adjoint(vectors))


@lowers("linalg_polar")
def polar(call: Call, self: Tensor) -> list[Tensor]:
    """A matrix with orthonormal columns or rows, and a Hermitian one, whose product self is."""
    if self.is_empty:
        return zeros_of(call)
    u, values, vh, _ = la.svd(self, "S")
    stretched = la.adjoint(vh) * m.expand_dims(values.convert(self.element), -2)
    return [matmul(u, vh), matmul(stretched, vh)]


@lowers("linalg_ldl_factor_ex")
def ldl_factor_ex(call: Call, self: Tensor, *, hermitian: bool = False) -> list[Tensor]:
    """L and D of L D L^H in one matrix, the pivots, and info."""
    if not isinstance(self.shape[-1], int):
        call.refuse("indefinite matrices need a known size")
    return zeros_of(call) if self.is_empty else list(indefinite.ldl(self, hermitian=hermitian))


@lowers("linalg_ldl_solve")
def ldl_solve(
    call: Call, self: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False
) -> Tensor:
    """The solution of a system by the factors L D L^H of its matrix."""
    if B.is_empty or self.is_empty:
        return full(call.graph, call.shape, 0, call.element)
    factors, b = broadcast_batches(self, B)
    order = pivots.broadcast_to((*factors.shape[:-2], pivots.shape[-1]))
    return indefinite.ldl_solve(factors, order, b, hermitian=hermitian)


@lowers("_linalg_check_errors")
def check_errors(call: Call, info: Tensor, api_name: str) -> None:
    """Nothing: what is no number is seen in the results."""


# distances


@lowers("_cdist_forward")
def cdist(call: Call, x1: Tensor, x2: Tensor, p: float, compute_mode: int | None) -> Tensor:
    """The distance of each row of one matrix and each of another, of order p."""
    difference = abs(m.expand_dims(x1, -2) - m.expand_dims(x2, -3))
    return distance(difference, p)


def distance(x: Tensor, p: float) -> Tensor:
    """The norm of order p of the last dimension of numbers that are not negative."""
    last = [x.rank - 1]
    if x.is_empty:
        return full(x.graph, x.shape[:-1], 0, x.element)
    if p == 0:
        return r.sum_over(x.differs(0).convert(x.element), last)
    if p == 1:
        return r.sum_over(x, last)
    if p == 2:
        return f.sqrt(r.sum_over(x * x, last))
    if p == inf:
        return r.maximum_over(x, last)
    return f.power(r.sum_over(f.power(x, p), last), 1 / p)


def distance_gradient(gradient: Tensor, x: Tensor, p: float, norm: Tensor) -> Tensor:
    """The gradient of a distance by the differences, (..., d); 0 where the distance is 0."""
    size, outer = abs(x), m.expand_dims(gradient, -1)
    lengths = m.expand_dims(norm, -1)
    direction = f.sign(x)
    if p == 0:
        return x * 0.0
    if p == 1:
        return outer * direction
    safe = f.select(lengths.equals(0), 1, lengths)
    if p == inf:
        hits = size.equals(lengths)
        return f.select(hits & lengths.differs(0), outer * direction, 0)
    part = f.power(size / safe, p - 1) if p != 2 else size / safe
    part = f.select(size.equals(0), 0, part) if p < 2 else part
    return f.select(lengths.equals(0), 0, outer * direction * part)


@lowers("_cdist_backward")
def cdist_backward(
    call: Call, grad: Tensor, x1: Tensor, x2: Tensor, p: float, cdist: Tensor
) -> Tensor:
    """The gradient of distances by the rows of the first matrix."""
    difference = m.expand_dims(x1, -2) - m.expand_dims(x2, -3)
    by_difference = distance_gradient(grad, difference, p, cdist)
    return m.reshape(r.sum_over(by_difference, [by_difference.rank - 2]), call.shape)


def pairs_of(x: Tensor) -> tuple[Tensor, Tensor]:
    """The numbers of the rows of all pairs, the first one smaller."""
    rows = x.shape[0]
    assert isinstance(rows, int)
    first, second = np.triu_indices(rows, 1)
    return constant(x.graph, first.astype(np.int64)), constant(x.graph, second.astype(np.int64))


@lowers("_pdist_forward")
def pdist(call: Call, self: Tensor, p: float) -> Tensor:
    """The distances of all pairs of rows."""
    first, second = pairs_of(self)
    if first.is_empty:
        return zeros_of(call)[0]
    return distance(abs(take(self, first, 0) - take(self, second, 0)), p)


@lowers("_pdist_backward")
def pdist_backward(call: Call, grad: Tensor, self: Tensor, p: float, pdist: Tensor) -> Tensor:
    """The gradient of the distances of all pairs of rows."""
    first, second = pairs_of(self)
    if first.is_empty or self.is_empty:
        return zeros_of(call)[0]
    by_pair = distance_gradient(grad, take(self, first, 0) - take(self, second, 0), p, pdist)
    target = full(call.graph, call.shape, 0, call.element)
    target = put_points(target, [first], by_pair, add)
    return put_points(target, [second], -by_pair, add)


@lowers("_trilinear")
def trilinear(
    call: Call, i1: Tensor, i2: Tensor, i3: Tensor, expand1: list[int], expand2: list[int],
    expand3: list[int], sumdim: list[int], *_: object,
) -> Tensor:  # fmt: skip
    """The sum over dimensions of the product of three tensors, repeated along others."""
    x, y, z = (
        m.expand_dims(t, *dims) if dims else t
        for t, dims in ((i1, expand1), (i2, expand2), (i3, expand3))
    )
    return m.reshape(r.sum_over(x * y * z, sumdim), call.shape)
