"""Plans the calls for singular values and vectors of square matrices of real numbers.

LAPACK computes a bidiagonal form and its singular vectors, which are multiplied by the reflectors
by tiles. In memory, the bidiagonal form in column-major order is its transpose in row-major order,
in which the reflectors of P are as those of Q are in the form itself.

Source: LAPACK Users' Guide, the routines xGESDD, xGEBRD, xBDSDC and xORMBR.
"""

from __future__ import annotations

from typing import Final

from stablemate.compiler.library_calls.blocked.eigenvalues import matrices_of
from stablemate.compiler.library_calls.blocked.tiled import (
    CALL_SECONDS,
    PRODUCT_SECONDS,
    Tiled,
    matrix_memory,
)
from stablemate.compiler.library_calls.calls import (
    LARGEST_CONCURRENT,
    CallSequence,
    Reference,
    kernel_for,
)
from stablemate.compiler.library_calls.compact.text import BYTES
from stablemate.compiler.library_calls.lapack import Matrices, add_finite
from stablemate.compiler.library_calls.workspaces import ASK, UNUSED, WORK
from stablemate.execution.custom_calls.lapack_routines import NOT_FINITE

WEIGHT: Final = 15  # the arithmetic, relative to a product of matrices


def gesdd(tiled: Tiled) -> CallSequence:
    """A decomposition is an iteration; that of a matrix that is not finite is not a number."""
    m, n = matrices_of(tiled), tiled.sizes["n"]
    order, size = m.number(n), n * n * BYTES[tiled.letter]
    a, values, info = m.matrix(0, n, n), m.vector(1, n, is_real=True), m.info(4)
    left, right = m.builder.result(2, size), m.builder.result(3, size)
    failed = add_finite(m, info, a, n * n, NOT_FINITE)
    inverse = m.rescaled(a, n * n)
    beside, tau_q, tau_p = m.reals(n), m.elements(n), m.elements(n)
    u, v, form, product = (m.elements(n * n) for _ in range(4))
    asked: list[int | str] = [n, n, UNUSED, n, *[UNUSED] * 4]
    work, elements = m.work("gebrd", *asked, WORK, ASK, UNUSED)
    with m.without_subnormal_results():
        m.routine(
            "gebrd", order, order, a, order, values, beside, tau_q, tau_p, work, elements, info,
            guard=failed,
        )  # fmt: skip
        m.routine(
            "bdsdc", m.builder.letter("U"), m.builder.letter("I"), order, values, beside, u, order,
            v, order, m.elements(1), m.indices(1), m.elements(3 * n * n + 4 * n), m.indices(8 * n),
            info, guard=failed,
        )  # fmt: skip
        m.transpose(form, a, n, n)
        m.transpose(product, u, n, n)
        add_product(tiled, m, (left, form, tau_q, product), 0, failed)
        add_product(tiled, m, (product, a, tau_p, v), 1, failed)
        m.transpose(right, product, n, n)
    m.multiply(values, n, inverse)
    for place, count in ((values, n), (left, n * n), (right, n * n)):
        m.invalidate(place, count, failed)
    m.zero(0)
    seconds = CALL_SECONDS + WEIGHT * n**3 * PRODUCT_SECONDS[tiled.letter]
    concurrent = n <= LARGEST_CONCURRENT
    return m.builder.sequence(tiled.batch, seconds, concurrent=concurrent, kernel=kernel_for(n))


def add_product(
    tiled: Tiled, m: Matrices, places: tuple[Reference, Reference, Reference, Reference],
    first: int, guard: Reference,
) -> None:  # fmt: skip
    """Adds the product of reflectors with a matrix, both in row-major order.

    Args:
        tiled: The routine.
        m: Its calls.
        places: The product, the form with the reflectors, their factors, and the matrix.
        first: The rows above the diagonal of the reflectors, which stay as they are.
        guard: A status, which must be 0.
    """
    to, form, taus, source = places
    n, row = m.sizes["n"], m.sizes["n"] * BYTES[tiled.letter]
    if first:
        m.copy(to, source, first * row)
    memory = matrix_memory(tiled, m.builder, n - first, n)
    to, form, source = (place.at(first * row) for place in (to, form, source))
    m.builder.call(
        f"blocked_{tiled.letter}ormqr", to, m.indices(1), form, taus, source,
        m.builder.words(n - first, n, n - first, memory.padded, memory.stride, n, 0, 0),
        memory.matrix, memory.work, guard=guard,
    )  # fmt: skip
