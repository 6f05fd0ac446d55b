"""Factorizations and solutions of matrices: the last two dimensions, others are batches.

What StableHLO has no operation for is a custom call of LAPACK, as JAX writes them.

Source: StableHLO specification, cholesky, triangular_solve; LAPACK Users' Guide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.stablehlo.attributes import TransposeKind
from stablemate.dialects.stablehlo.cholesky import Cholesky
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.dialects.stablehlo.triangular_solve import TriangularSolve
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import indexing as ix
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions.control import while_loop
from stablemate.frontends.tensor_functions.graph import Shape, SizeLike, TensorGraph
from stablemate.frontends.tensor_functions.reductions import product_over, sum_over
from stablemate.frontends.tensor_functions.tensor import (
    Tensor,
    TypeLike,
    emit,
    emit_several,
    real_part,
    scalar,
    size_tensor,
)
from stablemate.ir.attributes import DictionaryAttribute, IntegerAttribute
from stablemate.ir.types import Attribute
from stablemate.numerics.elements import (
    F32,
    F64,
    I32,
    I64,
    ComplexType,
    ElementType,
    IntegerType,
)

LETTERS: Final[dict[ElementType, str]] = {
    F32: "s", F64: "d", ComplexType(F32): "c", ComplexType(F64): "z",
}  # fmt: skip
# What routines of complex matrices are called.
COMPLEX_NAMES: Final = {"orgqr": "ungqr", "ormqr": "unmqr", "syevd": "heevd"}
BYTE: Final = IntegerType(8, "unsigned")


def lapack(
    routine: str, operands: Sequence[Tensor], types: Sequence[TypeLike], **options: str | bool
) -> list[Tensor]:
    """The results of a routine of LAPACK, of known types; options are letters or flags."""
    first = operands[0]
    name = COMPLEX_NAMES.get(routine, routine) if first.is_complex else routine
    config = DictionaryAttribute({key: option(value) for key, value in options.items()})
    return emit_several(
        first.graph, CustomCall, types, inputs=[operand.value for operand in operands],
        call_target_name=f"lapack_{LETTERS[first.element]}{name}_ffi", api_version=4,
        backend_config=config,
    )  # fmt: skip


def option(value: str | bool) -> Attribute:
    """An option of a routine: a letter as a byte, or a flag."""
    if isinstance(value, bool):
        return IntegerAttribute(int(value), IntegerType(1))
    return IntegerAttribute(ord(value), BYTE)


def batch_of(x: Tensor) -> Shape:
    """The sizes before those of the matrices."""
    return x.shape[:-2]


def least(x: Tensor) -> SizeLike:
    """The smaller size of matrices."""
    rows, columns = x.shape[-2:]
    return rows if rows <= columns else columns


def matrix_transpose(x: Tensor) -> Tensor:
    """Matrices (..., m, n) with their last two dimensions exchanged."""
    return m.swap_dimensions(x, -2, -1)


def adjoint(x: Tensor) -> Tensor:
    """The transposed and conjugated matrices."""
    return f.conjugate(matrix_transpose(x))


def triangle(x: Tensor, *, lower: bool, offset: int = 0) -> Tensor:
    """The elements of matrices on one side of a diagonal, zeros elsewhere."""
    shape = x.shape[-2:]
    rows, columns = (m.iota(x.graph, shape, i, I64) for i in range(2))
    distance = columns - rows
    kept = distance <= offset if lower else distance >= offset
    return f.select(kept.broadcast_to(x.shape), x, 0)


def identity(graph: TensorGraph, shape: Sequence[SizeLike], element: ElementType) -> Tensor:
    """Matrices of a shape with ones on the diagonal."""
    rows, columns = (m.iota(graph, tuple(shape[-2:]), i, I64) for i in range(2))
    return rows.equals(columns).convert(element).broadcast_to(shape)


def diagonal(x: Tensor) -> Tensor:
    """The diagonals of matrices (..., m, n), one a row."""
    count = least(x)
    flat = m.flatten(x, -2, -1)
    step = x.shape[-1] + 1
    return m.slice_dimension(flat, -1, 0, (count - 1) * step + 1, step)


def cholesky(x: Tensor, *, lower: bool = True) -> Tensor:
    """The triangular factor of Hermitian matrices; NaN if there is none."""
    factor = emit(x.graph, Cholesky, x.shape, x.element, a=x.value, lower=lower)
    return triangle(factor, lower=lower)


def cholesky_with_info(x: Tensor) -> tuple[Tensor, Tensor]:
    """The lower factor of Hermitian matrices, and at which leading minor it fails; else 0."""
    types: list[TypeLike] = [(x.shape, x.element), (batch_of(x), I32)]
    factor, info = lapack("potrf", [x], types, uplo="L")
    return triangle(factor, lower=True), info


def triangular_solve(
    a: Tensor, b: Tensor, *, lower: bool, left: bool = True, unit_diagonal: bool = False,
    transpose: TransposeKind = TransposeKind.NO_TRANSPOSE,
) -> Tensor:  # fmt: skip
    """x of op(a) x = b, or of x op(a) = b, with triangular matrices."""
    return emit(
        a.graph, TriangularSolve, b.shape, b.element, a=a.value, b=b.value, left_side=left,
        lower=lower, unit_diagonal=unit_diagonal, transpose_a=transpose,
    )  # fmt: skip


def lu(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Both triangular factors in one matrix, the row swapped with each (from 1), and info."""
    batch = batch_of(x)
    types: list[TypeLike] = [(x.shape, x.element), ((*batch, least(x)), I32), (batch, I32)]
    factors, pivots, info = lapack("getrf", [x], types)
    return factors, pivots, info


def determinant(factors: Tensor, pivots: Tensor) -> Tensor:
    """The determinants of matrices, from what ``lu`` gives of them."""
    product = product_over(diagonal(factors), [-1])
    return product * sign_of(pivots).convert(factors.element)


def sign_of(pivots: Tensor) -> Tensor:
    """1 or -1: whether an even number of rows was swapped."""
    own = m.iota(pivots.graph, pivots.shape, pivots.rank - 1, I32) + 1
    count = sum_over(pivots.differs(own).convert(I32), [-1])
    return 1 - f.remainder(count, 2) * 2


def permutation_of(pivots: Tensor, size: SizeLike) -> Tensor:
    """The order of rows after all of them were swapped, from the row swapped with each (from 1)."""
    order = m.iota(pivots.graph, (*pivots.shape[:-1], size), pivots.rank - 1, I64)
    count = size_tensor(pivots.graph, pivots.shape[-1], I64)
    swapped = pivots.convert(I64) - 1

    def goes_on(step: Tensor, order: Tensor) -> Tensor:
        return step < count.within(step.graph)

    def swap(step: Tensor, order: Tensor) -> list[Tensor]:
        inner = swapped.within(step.graph)
        shape = (*inner.shape[:-1], 1)
        here = step.broadcast(shape, [])
        there = ix.take_along(inner, here, -1)
        one, other = ix.take_along(order, here, -1), ix.take_along(order, there, -1)
        places = m.iota(step.graph, order.shape, order.rank - 1, I64)
        moved = f.select(
            places.equals(here.broadcast_to(order.shape)), other.broadcast_to(order.shape), order
        )
        moved = f.select(
            places.equals(there.broadcast_to(order.shape)), one.broadcast_to(order.shape), moved
        )
        same = here.equals(there).broadcast_to(order.shape)
        return [step + 1, f.select(same, order, moved)]

    _, result = while_loop(goes_on, swap, [scalar(pivots.graph, 0, I64), order])
    return result


def rows_in_order(x: Tensor, order: Tensor) -> Tensor:
    """The rows of matrices in an order."""
    return ix.take_along(x, order.broadcast(x.shape, range(order.rank)), -2)


def inverse_order(order: Tensor) -> Tensor:
    """The place that an order gave to each row."""
    shape = (*order.shape, order.shape[-1])
    places, numbers = (m.iota(order.graph, shape, order.rank - 1 + i, I64) for i in range(2))
    hits = m.expand_dims(order, -2).equals(places)
    return sum_over(f.select(hits, numbers, 0), [-1])


def geqrf(x: Tensor) -> tuple[Tensor, Tensor]:
    """QR: R above reflectors, and their factors."""
    types: list[TypeLike] = [(x.shape, x.element), ((*batch_of(x), least(x)), x.element)]
    factors, taus = lapack("geqrf", [x], types)
    return factors, taus


def householder_product(x: Tensor, taus: Tensor) -> Tensor:
    """The first columns of Q from reflectors and their factors."""
    return lapack("orgqr", [x, taus], [(x.shape, x.element)])[0]


def multiply_q(
    reflectors: Tensor, taus: Tensor, c: Tensor, *, left: bool, transpose: bool
) -> Tensor:
    """Q times c or c times Q; Q adjoint if ``transpose``."""
    types: list[TypeLike] = [(c.shape, c.element)]
    return lapack("ormqr", [reflectors, taus, c], types, left=left, transpose=transpose)[0]


def svd(x: Tensor, mode: str) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Left vectors, singular values, adjoint right vectors, and info.

    Args:
        x: The matrices, (..., m, n).
        mode: ``A`` for all vectors, ``S`` for those of singular values, ``N`` for none.
    """
    batch, (rows, columns), count = batch_of(x), x.shape[-2:], least(x)
    left, right = (rows, columns) if mode == "A" else (count, count)
    types: list[TypeLike] = [
        (x.shape, x.element), ((*batch, count), real_part(x.element)),
        ((*batch, rows, left), x.element), ((*batch, right, columns), x.element), (batch, I32),
    ]  # fmt: skip
    _, values, u, vh, info = lapack("gesdd", [x], types, mode=mode)
    return u, values, vh, info


def eigh(x: Tensor, *, lower: bool) -> tuple[Tensor, Tensor]:
    """Eigenvalues in order and eigenvectors of Hermitian matrices, of which one side counts."""
    batch, n = batch_of(x), x.shape[-1]
    types: list[TypeLike] = [
        (x.shape, x.element),
        ((*batch, n), real_part(x.element)),
        (batch, I32),
    ]
    vectors, values, _ = lapack("syevd", [x], types, mode="V", uplo="L" if lower else "U")
    return values, vectors


def eig(x: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues and right eigenvectors, complex."""
    batch, n = batch_of(x), x.shape[-1]
    real = real_part(x.element)
    assert real in (F32, F64)
    complex_ = x.element if x.is_complex else ComplexType(F64 if real == F64 else F32)
    vectors: list[TypeLike] = [(x.shape, complex_), (x.shape, complex_), (batch, I32)]
    options = {"compute_left": "N", "compute_right": "V"}
    if x.is_complex:
        types: list[TypeLike] = [((*batch, n), x.element), *vectors]
        values, _, right, _ = lapack("geev", [x], types, **options)
        return values, right
    types = [((*batch, n), real), ((*batch, n), real), *vectors]
    re, im, _, right, _ = lapack("geev", [x], types, **options)
    return f.complex_from_parts(re, im), right
