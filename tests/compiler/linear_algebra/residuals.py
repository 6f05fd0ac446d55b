"""What the results of routines of linear algebra must satisfy, as residuals of each matrix.

Each function takes the operands and the results in the widest type, and the options of the call. A
residual is relative to the size of the matrix; it may be some rounding errors times the order.

Source: LAPACK Users' Guide, chapter 4, "Accuracy and Stability", and the routine of each name;
StableHLO specification, ``cholesky`` and ``triangular_solve``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Arrays = Sequence[Any]
Options = Mapping[str, Any]


def adjoint(a: Any) -> Any:
    """The conjugate transposes."""
    return np.conj(np.swapaxes(a, -1, -2))


def sizes(a: Any) -> Any:
    """The largest magnitude of each matrix, zero for empty ones."""
    return np.abs(a).max(axis=(1, 2), initial=0)


def indices(count: int) -> Any:
    """The numbers below a count."""
    return np.arange(count)


def relative(difference: Any, scale: Any) -> Any:
    """The size of each difference, divided by a scale."""
    return sizes(difference) / np.maximum(scale, np.finfo(np.float64).tiny)


def orthogonality(q: Any) -> Any:
    """How far columns are from being orthonormal."""
    return sizes(adjoint(q) @ q - np.eye(q.shape[-1]))


def trace_error(a: Any, values: Any) -> Any:
    """How far the sum of eigenvalues is from the trace."""
    difference = np.trace(a, axis1=1, axis2=2) - values.sum(axis=1)
    return relative(difference[:, None, None], sizes(a))


def potrf(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """L L^H = A, or U^H U = A."""
    (a,) = operands
    is_lower = options["uplo"] == "L"
    factor = np.tril(found[0]) if is_lower else adjoint(np.triu(found[0]))
    triangle = np.tril(a, -1) if is_lower else adjoint(np.triu(a, 1))
    diagonal = np.real(np.diagonal(a, axis1=1, axis2=2))
    whole = triangle + adjoint(triangle)
    whole[:, range(a.shape[1]), range(a.shape[1])] += diagonal
    return [(found[1] == 0) * relative(factor @ adjoint(factor) - whole, sizes(whole))]


def cholesky(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """L L^H = A, or U^H U = A; the other triangle is not defined."""
    letter = "L" if options["lower"] else "U"
    return potrf(operands, [found[0], np.zeros(len(found[0]))], {"uplo": letter})


def getrf(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """L U = P A."""
    (a,) = operands
    factors, pivots = found[0], found[1]
    least = min(a.shape[1:])
    left = np.tril(factors, -1)[:, :, :least] + np.eye(a.shape[1], least)
    right, swapped, every = np.triu(factors)[:, :least], np.array(a), np.arange(len(a))
    for step in range(least):
        chosen = pivots[:, step] - 1
        upper, other = swapped[every, step].copy(), swapped[every, chosen].copy()
        swapped[every, step], swapped[every, chosen] = other, upper
    is_bounded = sizes(left) <= np.sqrt(2) * (1 + 1e-5)
    return [relative(left @ right - swapped, np.maximum(sizes(a), sizes(right))), ~is_bounded * 1.0]


def reflected(factors: Any, taus: Any, columns: int) -> Any:
    """The first columns of the product of reflectors."""
    shape = (*factors.shape[:2], columns)
    q = np.broadcast_to(np.eye(shape[1], columns), shape).astype(factors.dtype)
    for step in range(taus.shape[1] - 1, -1, -1):
        v = np.array(factors[:, :, step])
        v[:, :step] = 0
        v[:, step] = 1
        q = q - taus[:, step, None, None] * v[:, :, None] * (v.conj()[:, None] @ q)
    return q


def geqrf(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """Q R = A."""
    (a,) = operands
    least = min(a.shape[1:])
    q, right = reflected(found[0], found[1], least), np.triu(found[0])[:, :least]
    return [relative(q @ right - a, sizes(a)), orthogonality(q)]


def orgqr(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """The first columns of Q."""
    q = reflected(operands[0], operands[1], found[0].shape[2])
    return [sizes(found[0] - q)]


def ormqr(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """Q C, Q^H C, C Q or C Q^H."""
    factors, taus, c = operands
    q = reflected(factors, taus, factors.shape[1])
    q = adjoint(q) if options["transpose"] else q
    product = q @ c if options["left"] else c @ q
    return [relative(found[0] - product, sizes(c))]


def hessenberg_basis(form: Any, taus: Any) -> Any:
    """The basis in which a matrix has a Hessenberg form."""
    q = np.broadcast_to(np.eye(form.shape[1]), form.shape).astype(form.dtype)
    if form.shape[1] > 1:
        q[:, 1:, 1:] = reflected(form[:, 1:, :-1], taus, form.shape[1] - 1)
    return q


def gehrd(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """Q H Q^H = A."""
    (a,) = operands
    q = hessenberg_basis(found[0], found[1])
    return [relative(q @ np.triu(found[0], -1) @ adjoint(q) - a, sizes(a)), orthogonality(q)]


def sytrd(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """Q T Q^H = A; reflectors of an upper triangle are those of the matrix read backwards."""
    (a,) = operands
    form, diagonal, beside, taus = found[:4]
    places = indices(a.shape[1])
    if options["uplo"] == "U":
        a, form = a[:, ::-1, ::-1], form[:, ::-1, ::-1]
        diagonal, beside, taus = diagonal[:, ::-1], beside[:, ::-1], taus[:, ::-1]
    q, t = hessenberg_basis(form, taus), np.zeros_like(a)
    t[:, places, places] = diagonal
    t[:, places[1:], places[:-1]] = t[:, places[:-1], places[1:]] = beside
    return [relative(q @ t @ adjoint(q) - a, sizes(a)), orthogonality(q)]


def syevd(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """V D V^H = A with ascending eigenvalues."""
    (a,) = operands
    vectors, values = found[0], found[1]
    descends = np.any(np.diff(values, axis=1) < 0, axis=1) * 1.0
    if options["mode"] == "N":
        return [trace_error(a, values), descends]
    product = (vectors * values[:, None]) @ adjoint(vectors)
    return [relative(product - a, sizes(a)), orthogonality(vectors), descends]


def gesdd(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """U S V^H = A with descending singular values."""
    (a,) = operands
    values, left, right = found[1], found[2], found[3]
    ascends = np.any(np.diff(values, axis=1) > 0, axis=1) | np.any(values < 0, axis=1)
    least = values.shape[1]
    if options["mode"] == "N":
        difference = (values**2).sum(axis=1) - (np.abs(a) ** 2).sum(axis=(1, 2))
        return [relative(difference[:, None, None], sizes(a) ** 2 * max(least, 1)), ascends * 1.0]
    product = (left[:, :, :least] * values[:, None]) @ right[:, :least]
    return [
        relative(product - a, sizes(a)), orthogonality(left), orthogonality(adjoint(right)),
        ascends * 1.0,
    ]  # fmt: skip


def geev(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """A V = V D and U^H A = D U^H with vectors of length one."""
    (a,) = operands
    is_complex = options["is_complex"]
    values = found[0] if is_complex else found[0] + 1j * found[1]
    errors = [trace_error(a, values)]
    left, right = found[-3:-1]
    for name, matrix, vectors, eigenvalues in (
        ("compute_right", a, right, values), ("compute_left", adjoint(a), left, values.conj()),
    ):  # fmt: skip
        if options[name] == "V":
            lengths = np.linalg.norm(vectors, axis=1) - 1
            residual = matrix @ vectors - vectors * eigenvalues[:, None]
            errors += [relative(residual, sizes(a)), np.abs(lengths).max(axis=1, initial=0)]
    return errors


def gees(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """Z T Z^H = A with a triangular or quasi-triangular T."""
    (a,) = operands
    form, vectors = found[0], found[1]
    below = np.tril(form, -1 if options["is_complex"] else -2)
    errors = [trace_error(a, np.diagonal(form, axis1=1, axis2=2)), (sizes(below) > 0) * 1.0]
    if options["mode"] == "V":
        product = vectors @ form @ adjoint(vectors)
        errors += [relative(product - a, sizes(a)), orthogonality(vectors)]
    return errors


def gtsv(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """A X = B with a tridiagonal A, relative to the sizes of A and X."""
    below, diagonal, above, b = operands
    x = found[3]
    product = diagonal[:, :, None] * x
    product[:, 1:] += below[:, 1:, None] * x[:, :-1]
    product[:, :-1] += above[:, :-1, None] * x[:, 1:]
    largest = np.maximum.reduce([sizes(each[:, :, None]) for each in (below, diagonal, above)])
    return [relative(product - b, largest * sizes(x) + sizes(b))]


def triangle_of(a: Any, *, is_lower: bool, is_unit: bool) -> Any:
    """The triangles that count."""
    triangle = np.tril(a) if is_lower else np.triu(a)
    if is_unit:
        places = indices(a.shape[1])
        triangle[:, places, places] = 1
    return triangle


def solution_error(t: Any, x: Any, b: Any, *, is_left: bool) -> Arrays:
    """T X = B or X T = B, relative to the sizes of T and X."""
    product = t @ x if is_left else x @ t
    return [relative(product - b, sizes(t) * sizes(x) + sizes(b))]


def trsm(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """op(T) X = B or X op(T) = B."""
    a, b = operands
    t = triangle_of(a, is_lower=options["uplo"] == "L", is_unit=options["diag"] == "U")
    t = {"N": t, "T": np.swapaxes(t, 1, 2), "C": adjoint(t)}[options["trans_x"]]
    return solution_error(t, found[0], b, is_left=options["side"] == "L")


def triangular_solve(operands: Arrays, found: Arrays, options: Options) -> Arrays:
    """op(T) X = B or X op(T) = B."""
    a, b = operands
    t = triangle_of(a, is_lower=options["lower"], is_unit=options["unit_diagonal"])
    forms = {"NO_TRANSPOSE": t, "TRANSPOSE": np.swapaxes(t, 1, 2), "ADJOINT": adjoint(t)}
    t = forms[options["transpose_a"]]
    return solution_error(t, found[0], b, is_left=options["left_side"])
