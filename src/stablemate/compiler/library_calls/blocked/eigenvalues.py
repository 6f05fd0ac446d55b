"""Plans the calls for Hessenberg forms, Schur forms and eigenvectors of real matrices.

Hessenberg forms and their transformations are computed by tiles, the Schur form of a Hessenberg
matrix and its eigenvectors by LAPACK. A matrix that is not finite is left to no routine.

Source: LAPACK Users' Guide, the routines xGEES, xGEEV and those that they call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from stablemate.compiler.library_calls.blocked.hessenberg import hessenberg_elements
from stablemate.compiler.library_calls.blocked.panels import PANEL
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
    kernel_for,
)
from stablemate.compiler.library_calls.compact.text import BYTES, DTYPES
from stablemate.compiler.library_calls.lapack import Matrices, add_finite, give_schur_form
from stablemate.compiler.library_calls.workspaces import ASK, UNUSED, WORK
from stablemate.execution.custom_calls.lapack_routines import NOT_FINITE

WEIGHT: Final = 25  # the arithmetic of a Schur form, relative to a product of matrices


def gehrd(tiled: Tiled) -> CallSequence:
    """A reduction is an iteration, of a matrix that is transposed before and after."""
    m = matrices_of(tiled)
    n, builder = tiled.sizes["n"], m.builder
    bounds = m.number(tiled.options["low"]), m.number(tiled.options["high"])
    a, taus = m.matrix(0, n, n), builder.result(1, (n - 1) * BYTES[tiled.letter])
    add_hessenberg(tiled, builder, a, taus, bounds, None)
    m.transpose(builder.result(0, n * n * BYTES[tiled.letter]), a, n, n)
    builder.call("zero", m.info(2), m.number(INDEX_BYTES))
    return tiled.sequence(builder, tiled.batch, 2 * n**3)


def matrices_of(tiled: Tiled) -> Matrices:
    """What adds the calls for a matrix."""
    builder = SequenceBuilder(tiled.operand_bytes, tiled.result_bytes)
    dtype = np.dtype(DTYPES[tiled.letter])
    return Matrices(builder, tiled.letter, dtype, tiled.sizes, tiled.options)


def add_hessenberg(
    tiled: Tiled, builder: SequenceBuilder, a: Reference, taus: Reference,
    bounds: tuple[Reference, Reference], guard: Reference | None,
) -> None:  # fmt: skip
    """Adds the reduction of a matrix in column-major order to Hessenberg form, in place."""
    n, size = tiled.sizes["n"], BYTES[tiled.letter]
    columns = round_up(n, PANEL)
    stride = stride_of(columns, size)
    builder.call(
        f"blocked_{tiled.letter}gehrd", a, taus, *bounds, a, builder.words(n, columns, stride),
        builder.scratch(columns * stride * size),
        builder.scratch(hessenberg_elements(columns, stride) * size), guard=guard,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SchurForm:
    """Where a Schur form is, and what leads to it.

    Attributes:
        form: The form, in column-major order.
        vectors: Its vectors, if they are wanted.
        parts: The real and the imaginary parts of eigenvalues.
        info: The status.
        failed: Whether the matrix is not finite.
        low: The first row of the part that is not triangular.
        high: Its last row.
        scales: What balancing did.
        inverse: The inverse of the factor by which the matrix was multiplied.
    """

    form: Reference
    vectors: Reference
    parts: Sequence[Reference]
    info: Reference
    failed: Reference
    low: Reference
    high: Reference
    scales: Reference
    inverse: Reference


def schur_form_at(
    m: Matrices, parts: Sequence[Reference], info: Reference, otherwise: int
) -> SchurForm:
    """A finite matrix, of the usual size; ``otherwise`` is the status of one that is not finite."""
    n = m.sizes["n"]
    a, vectors = m.matrix(0, n, n), m.elements(n * n)
    failed = add_finite(m, info, a, n * n, otherwise)
    inverse = m.rescaled(a, n * n)
    low, high, scales = m.indices(1), m.indices(1), m.reals(n)
    return SchurForm(a, vectors, parts, info, failed, low, high, scales, inverse)


def add_schur_form(tiled: Tiled, m: Matrices, to: SchurForm, balance: str, job: str) -> None:
    """Adds the reduction of a matrix.

    Args:
        tiled: The routine.
        m: Its calls.
        to: The matrix and its Schur form.
        balance: How the matrix is balanced.
        job: S for a Schur form and its vectors, N for the form, E for eigenvalues.
    """
    n, guard = m.sizes["n"], to.failed
    order, bounds, taus = m.number(n), (to.low, to.high), m.elements(n)
    m.routine(
        "gebal", m.builder.letter(balance), order, to.form, order, *bounds, to.scales, to.info,
        guard=guard,
    )  # fmt: skip
    add_hessenberg(tiled, m.builder, to.form, taus, bounds, guard)
    if job == "S":
        reflectors = m.elements(n * n)
        m.transpose(reflectors, to.form, n, n)
        memory = matrix_memory(tiled, m.builder, n - 1, n, before=1)
        m.builder.call(
            f"blocked_{m.letter}orghr", to.vectors, reflectors, taus,
            m.builder.words(n, memory.padded, memory.stride), memory.matrix, memory.work,
            guard=guard,
        )  # fmt: skip
    letters = {"S": "SV", "N": "SN", "E": "EN"}[job]
    unused = [UNUSED] * 3
    work, elements = m.work("hseqr", *letters, n, 1, n, UNUSED, n, *unused, n, WORK, ASK, UNUSED)
    m.routine(
        "hseqr", *map(m.builder.letter, letters), order, *bounds, to.form, order, *to.parts,
        to.vectors, order, work, elements, to.info, guard=guard,
    )  # fmt: skip


def scale_values(m: Matrices, to: SchurForm) -> None:
    """Makes eigenvalues those of the matrix itself."""
    for part in to.parts:
        m.multiply(part, m.sizes["n"], to.inverse)


def gees(tiled: Tiled) -> CallSequence:
    """A Schur form is an iteration; that of a matrix that is not finite is not a number."""
    m, n = matrices_of(tiled), tiled.sizes["n"]
    wants_vectors = tiled.options["mode"] == "V"
    parts, info = [m.vector(2, n), m.vector(3, n)], m.info(5)
    to = schur_form_at(m, parts, info, otherwise=n)
    with m.without_subnormal_results():
        add_schur_form(tiled, m, to, "P", "S" if wants_vectors else "N")
        if wants_vectors:
            add_gebak(m, to, "P", to.failed)
    m.multiply(to.form, n * n, to.inverse)
    scale_values(m, to)
    m.builder.call("zero", m.info(4), m.number(INDEX_BYTES))
    give_schur_form(m, to.form, to.vectors, to.parts, to.failed)
    return sequence_of(tiled, m)


def geev(tiled: Tiled) -> CallSequence:
    """The eigenvectors of a matrix are an iteration."""
    m, n = matrices_of(tiled), tiled.sizes["n"]
    order, wants_vectors = m.number(n), tiled.options["compute_right"] == "V"
    for result in range(4):
        m.zero(result)
    parts, info = [m.vector(0, n), m.vector(1, n)], m.info(4)
    to = schur_form_at(m, parts, info, otherwise=NOT_FINITE)
    with m.without_subnormal_results():
        add_schur_form(tiled, m, to, "B", "S" if wants_vectors else "E")
        if wants_vectors:
            add_eigenvectors(tiled, m, to)
            add_gebak(m, to, "B", info)
            m.builder.call(f"unit_vectors_{m.letter}", to.vectors, parts[1], order, guard=info)
    scale_values(m, to)
    if wants_vectors:
        to_result = m.builder.result(3)
        m.builder.call(
            f"pairs_{m.letter}", to_result, to.vectors, parts[1], order, guard=info
        )  # fmt: skip
    return sequence_of(tiled, m)


def add_eigenvectors(tiled: Tiled, m: Matrices, to: SchurForm) -> None:
    """Adds the eigenvectors of the balanced matrix, which replace the Schur vectors."""
    n, order, inner = m.sizes["n"], m.number(m.sizes["n"]), m.elements(m.sizes["n"] ** 2)
    m.routine(
        "trevc", m.builder.letter("R"), m.builder.letter("A"), m.indices(n), order, to.form, order,
        inner, order, inner, order, order, m.indices(1), m.elements(3 * n), to.info, guard=to.info,
    )  # fmt: skip
    padded, stride = round_up(n, tiled.shape.rows), stride_of(round_up(n, PANEL), BYTES[m.letter])
    m.builder.call(
        f"blocked_{m.letter}trevc", to.vectors, to.vectors, inner,
        m.builder.words(n, padded, stride), m.elements(3 * padded * stride), guard=to.info,
    )  # fmt: skip


def add_gebak(m: Matrices, to: SchurForm, balance: str, guard: Reference) -> None:
    """Makes vectors those of the matrix before it was balanced; its status is not kept."""
    order = m.number(m.sizes["n"])
    m.routine(
        "gebak", m.builder.letter(balance), m.builder.letter("R"), order, to.low, to.high,
        to.scales, order, to.vectors, order, m.indices(1), guard=guard,
    )  # fmt: skip


def sequence_of(tiled: Tiled, m: Matrices) -> CallSequence:
    """The calls, of which one matrix takes most of a millisecond and more."""
    n = tiled.sizes["n"]
    seconds = CALL_SECONDS + WEIGHT * n**3 * PRODUCT_SECONDS[tiled.letter]
    concurrent = n <= LARGEST_CONCURRENT
    return m.builder.sequence(tiled.batch, seconds, concurrent=concurrent, kernel=kernel_for(n))
