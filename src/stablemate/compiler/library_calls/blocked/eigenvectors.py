"""The product that makes the eigenvectors of a Schur form those of the matrix."""

from __future__ import annotations

from collections.abc import Sequence

from stablemate.compiler.library_calls.blocked.reflectors import (
    MATRIX,
    WIDTHS,
    clear,
    copy,
    routine,
    subtract_product,
    subtract_tile,
)
from stablemate.compiler.library_calls.blocked.tiles import Shape


def trevc(shape: Shape) -> str:
    """``vectors, schur_vectors, of_form, parameters, memory``: a product of two matrices.

    All are in column-major order; the eigenvectors of the form are zero from the second element
    below the diagonal on. The parameters are the order; the same as a multiple of the rows of a
    tile; and the elements from one row in memory to the next.
    """
    t = routine("trevc", shape, "vectors schur_vectors of_form parameters memory")
    n, padded, stride = (t.parameter(number) for number in range(3))
    factors = t.at(MATRIX, (padded, stride))
    strip = t.at(factors, (padded, stride))
    clear(t, MATRIX, t.multiply(t.multiply(padded, stride), 3))
    with t.loop(0, n) as row:
        copy(t, t.at(strip, (row, stride)), t.at("%schur_vectors", (row, n)), n)
        place = t.at(factors, (row, stride))
        copy(t, place, t.at("%of_form", (row, n)), n)
        with t.loop(0, t.value(f"udiv i64 {stride}, {t.lanes}")) as number:
            at = t.at(place, (number, t.lanes))
            t.store_vector(at, t.value(f"fneg {t.vector} {t.load_vector(at)}"))
    with t.loop(0, t.value(f"udiv i64 {padded}, {shape.rows}")) as tile:
        first = t.multiply(tile, shape.rows)
        count = t.least(t.add(first, shape.rows + 1), n)
        t.do(
            f"call void @subtract_product(ptr {t.at(MATRIX, (first, stride))}, i64 {stride}, "
            f"i64 {shape.rows}, i64 {n}, ptr {t.at(factors, (first, stride))}, i64 {stride}, "
            f"i64 1, ptr {strip}, i64 {stride}, i64 {count})"
        )
    with t.loop(0, n) as row:
        copy(t, t.at("%vectors", (row, n)), t.at(MATRIX, (row, stride)), n)
    return t.text()


def trevc_parts(shape: Shape) -> Sequence[str]:
    """The functions that ``trevc`` calls."""
    return [*(subtract_tile(shape, vectors) for vectors in WIDTHS), subtract_product(shape)]
