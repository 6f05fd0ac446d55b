"""stablehlo.cholesky."""

from __future__ import annotations

import numpy as np

from stablemate.dialects.stablehlo.baseline import (
    expressed_type,
    lift_to_quantized,
    with_declared_parameters,
)
from stablemate.dialects.stablehlo.contraction import sum_dtype, to_element
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import BOOLEAN_KIND, COMPLEX_TENSOR, FLOAT_TENSOR, PER_TENSOR_QUANTIZED
from stablemate.ir.shapes import same_size
from stablemate.ir.traits import Family, Trait, Work
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array


@op("stablehlo.cholesky", family=Family.CONTRACTION, traits=Trait.REAL_VALUED)
class Cholesky(Op):
    """Decomposes positive-definite matrices into a triangular one and its adjoint.

    result * adjoint(result) = a if ``lower``, else adjoint(result) * result = a, for each matrix
    of the last two dimensions. The opposite triangle of ``a`` is not read, that of the result is
    zero; a matrix that is not positive-definite gives NaN. The specification leaves both open;
    this follows XLA.

    Source: StableHLO specification, cholesky.
    """

    __slots__ = ()
    a = define.operand("I1", FLOAT_TENSOR | COMPLEX_TENSOR | PER_TENSOR_QUANTIZED)
    lower = define.default_attribute("I2", BOOLEAN_KIND, False)
    result = define.result(
        FLOAT_TENSOR | COMPLEX_TENSOR | PER_TENSOR_QUANTIZED, element_type="C1", shape="C1"
    )
    assembly = "$a (`,` `lower` `=` $lower)? attr-dict `:` same-type"

    @constraint
    def c2(self) -> Check:
        """2 <= rank(a)"""
        return holds(self.a.type.rank >= 2, rank=self.a.type.rank)

    @constraint
    def c3(self) -> Check:
        """dim(a, -2) = dim(a, -1)"""
        shape = self.a.type.shape
        return holds(same_size(shape[-2], shape[-1]), shape=shape)

    def work(self) -> Work:
        """A third of the cube of the rows, for each matrix."""
        return Work(self.a.type.size * self.a.type.shape[-1] // 3)

    def infer(self) -> TensorType:
        """C1"""
        return with_declared_parameters(self, self.a.type)

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """NumPy's decomposition; matrix by matrix if one of them is not positive-definite."""
        source, target = self.a.type.element_type, self.result.type.element_type

        def decompose(a: Array) -> Array:
            matrices: Array = a.astype(sum_dtype(expressed_type(source)), copy=False)
            try:
                factors = np.linalg.cholesky(matrices, upper=not self.lower)
            except np.linalg.LinAlgError:
                factors = np.empty(matrices.shape, matrices.dtype)
                for index in np.ndindex(matrices.shape[:-2]):
                    factors[index] = factor_or_nan(matrices[index], self.lower)
            return to_element(factors, expressed_type(target))

        return np.asarray(lift_to_quantized(decompose, (source,), target)(*operands))


def factor_or_nan(matrix: Array, lower: bool) -> Array:
    """The triangular factor of a matrix; NaN if it is not positive-definite."""
    try:
        return np.linalg.cholesky(matrix, upper=not lower)
    except np.linalg.LinAlgError:
        return np.full(matrix.shape, np.nan, matrix.dtype)
