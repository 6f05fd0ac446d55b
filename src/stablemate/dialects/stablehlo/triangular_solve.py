"""stablehlo.triangular_solve."""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.diagnostics.missing_packages import optional_package
from stablemate.dialects.stablehlo.attributes import TRANSPOSE, TransposeKind
from stablemate.dialects.stablehlo.baseline import (
    expressed_type,
    lift_to_quantized,
    with_declared_parameters,
)
from stablemate.dialects.stablehlo.contraction import sum_dtype, to_element
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import BOOLEAN_KIND, COMPLEX_TENSOR, FLOAT_TENSOR, PER_TENSOR_QUANTIZED
from stablemate.ir.shapes import same_shape, same_size
from stablemate.ir.traits import Family, Trait, Work
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array
from stablemate.numerics.quantization import baseline

# The BLAS codes of op(a).
BLAS_TRANSPOSE: Final = {
    TransposeKind.NO_TRANSPOSE: 0,
    TransposeKind.TRANSPOSE: 1,
    TransposeKind.ADJOINT: 2,
}


@op("stablehlo.triangular_solve", family=Family.CONTRACTION, traits=Trait.REAL_VALUED)
class TriangularSolve(Op):
    """Solves systems of linear equations with triangular matrices.

    op(a) * result = b if ``left_side``, else result * op(a) = b, for each pair of matrices of the
    last two dimensions; op transposes according to ``transpose_a``. Only the ``lower`` (or upper)
    triangle of ``a`` is read, and with ``unit_diagonal`` its diagonal counts as ones.

    Source: StableHLO specification, triangular_solve.
    """

    __slots__ = ()
    a = define.operand("I1", FLOAT_TENSOR | COMPLEX_TENSOR | PER_TENSOR_QUANTIZED)
    b = define.operand("I2", FLOAT_TENSOR | COMPLEX_TENSOR | PER_TENSOR_QUANTIZED)
    left_side = define.attribute("I3", BOOLEAN_KIND)
    lower = define.attribute("I4", BOOLEAN_KIND)
    unit_diagonal = define.attribute("I5", BOOLEAN_KIND)
    transpose_a = define.attribute("I6", TRANSPOSE)
    result = define.result(
        FLOAT_TENSOR | COMPLEX_TENSOR | PER_TENSOR_QUANTIZED, element_type="C4", shape="C4"
    )

    @constraint
    def i6(self) -> Check:
        """transpose_a != TRANSPOSE_INVALID"""
        fits = self.transpose_a is not TransposeKind.TRANSPOSE_INVALID
        return holds(fits, transpose_a=self.transpose_a.value)

    @constraint
    def c1(self) -> Check:
        """baseline_element_type(a) = baseline_element_type(b)"""
        a, b = self.a.type.element_type, self.b.type.element_type
        return holds(baseline(a) == baseline(b), a=a, b=b)

    @constraint
    def c2(self) -> Check:
        """2 <= rank(a) = rank(b) = R"""
        a, b = self.a.type.rank, self.b.type.rank
        return holds(2 <= a == b, a=a, b=b)

    @constraint
    def c3(self) -> Check:
        """shape(a)[:-2] = shape(b)[:-2], dim(a, -2) = dim(a, -1) = dim(b, left_side ? -2 : -1)"""
        # The specification has [:-3], which would not constrain one batch dimension.
        a, b = self.a.type.shape, self.b.type.shape
        shared = b[-2 if self.left_side else -1]
        fits = same_shape(a[:-2], b[:-2]) and same_size(a[-2], a[-1]) and same_size(a[-1], shared)
        return holds(fits, a=a, b=b, left_side=self.left_side)

    def work(self) -> Work:
        """A product and a difference for each element of b and half the rows of a."""
        return Work(self.b.type.size * self.a.type.shape[-1])

    def infer(self) -> TensorType:
        """C4"""
        return with_declared_parameters(self, self.b.type)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """Solves by substitution, with BLAS."""
        sources = self.a.type.element_type, self.b.type.element_type
        solve = lift_to_quantized(self.solve, sources, self.result.type.element_type)
        return np.asarray(solve(*operands))

    def solve(self, a: Array, b: Array) -> Array:
        """The solutions for operands that are not quantized."""
        with optional_package():
            from scipy.linalg.blas import get_blas_funcs

        element = expressed_type(self.b.type.element_type)
        dtype = sum_dtype(element)
        matrices, sides = a.astype(dtype, copy=False), b.astype(dtype, copy=False)
        trsm = get_blas_funcs("trsm", dtype=dtype)
        solutions = np.empty(b.shape, dtype)
        for index in np.ndindex(b.shape[:-2]) if solutions.size else ():
            solutions[index] = trsm(
                1,
                matrices[index],
                sides[index],
                side=not self.left_side,
                lower=self.lower,
                trans_a=BLAS_TRANSPOSE[self.transpose_a],
                diag=self.unit_diagonal,
            )
        return to_element(solutions, element)
