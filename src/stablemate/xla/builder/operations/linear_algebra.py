"""Factorisations, transforms and normalizations.

Source: XLA, operation semantics, "Fft", "Cholesky", "TriangularSolve", "BatchNormTraining",
"BatchNormInference", "BatchNormGrad".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.xla.builder.argument_types import Integers, Operand
from stablemate.xla.builder.core import Core
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.renaming import renamed_arguments

TRANSPOSES: Final = ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
MOMENTS: Final = {"batch_mean": "mean", "batch_var": "variance"}
FFT_TYPES: Final = ("FFT", "IFFT", "RFFT", "IRFFT")


class LinearAlgebra(Core):
    """Methods of matrices and signals."""

    def fft(self, operand: Operand, fft_type: str, fft_length: Integers) -> XlaOp:
        """Fourier transform of the last one to three dimensions.

        Args:
            operand: Complex; real for RFFT.
            fft_type: FFT, IFFT, RFFT (real to complex) or IRFFT (complex to real).
            fft_length: The lengths of the transformed dimensions, in time.
        """
        kind = str(getattr(fft_type, "name", fft_type)).upper()
        message = f"the type is one of {', '.join(FFT_TYPES)}"
        self.require(kind in FFT_TYPES, message, "fft", fft_type=fft_type)
        attributes = {"fft_type": kind, "fft_length": tuple(fft_length)}
        return self.add_instruction("fft", [self.handle(operand)], attributes)

    def cholesky(self, a: Operand, lower: bool = True) -> XlaOp:
        """The triangular factor of positive definite matrices of the last two dimensions."""
        return self.add_instruction("cholesky", [self.handle(a)], {"lower": lower})

    def triangular_solve(
        self,
        a: Operand,
        b: Operand,
        left_side: bool,
        lower: bool,
        unit_diagonal: bool,
        transpose_a: bool | str = "NO_TRANSPOSE",
    ) -> XlaOp:
        """``x`` of ``op(a) x = b``, or of ``x op(a) = b``.

        Args:
            a: Triangular matrices of the last two dimensions.
            b: As many right-hand sides.
            left_side: Whether ``a`` stands on the left.
            lower: Which triangle of ``a`` is read.
            unit_diagonal: Whether its diagonal counts as ones.
            transpose_a: NO_TRANSPOSE, TRANSPOSE or ADJOINT; true and false are the first two.
        """
        if isinstance(transpose_a, bool):
            transpose_a = TRANSPOSES[transpose_a]
        kind = str(getattr(transpose_a, "name", transpose_a)).upper()
        message = f"transpose_a is one of {', '.join(TRANSPOSES)}"
        self.require(kind in TRANSPOSES, message, "triangular-solve", transpose_a=transpose_a)
        attributes = {
            "left_side": left_side,
            "lower": lower,
            "unit_diagonal": unit_diagonal,
            "transpose_a": kind,
        }
        operands = [self.handle(a), self.handle(b)]
        return self.add_instruction("triangular-solve", operands, attributes)

    def batch_norm_training(
        self, operand: Operand, scale: Operand, offset: Operand, epsilon: float, feature_index: int
    ) -> XlaOp:
        """``(output, batch_mean, batch_var)``: each feature normalized by its own moments."""
        operands = [operand, scale, offset]
        return self.batch_norm("batch-norm-training", operands, epsilon, feature_index)

    @renamed_arguments(**MOMENTS)
    def batch_norm_inference(
        self,
        operand: Operand,
        scale: Operand,
        offset: Operand,
        mean: Operand,
        variance: Operand,
        epsilon: float,
        feature_index: int,
    ) -> XlaOp:
        """Each feature normalized by moments that are given."""
        operands = [operand, scale, offset, mean, variance]
        return self.batch_norm("batch-norm-inference", operands, epsilon, feature_index)

    @renamed_arguments(**MOMENTS)
    def batch_norm_grad(
        self,
        operand: Operand,
        scale: Operand,
        mean: Operand,
        variance: Operand,
        grad_output: Operand,
        epsilon: float,
        feature_index: int,
    ) -> XlaOp:
        """``(grad_operand, grad_scale, grad_offset)``: gradients of ``batch_norm_training``."""
        operands = [operand, scale, mean, variance, grad_output]
        return self.batch_norm("batch-norm-grad", operands, epsilon, feature_index)

    def batch_norm(
        self, opcode: str, operands: Sequence[Operand], epsilon: float, feature_index: int
    ) -> XlaOp:
        """Adds one of the three batch normalizations."""
        handles = [self.handle(operand) for operand in operands]
        number = self.dimension(feature_index, self.array(handles[0], opcode).rank, opcode)
        attributes = {"epsilon": float(np.float32(epsilon)), "feature_index": number}
        return self.add_instruction(opcode, handles, attributes)
