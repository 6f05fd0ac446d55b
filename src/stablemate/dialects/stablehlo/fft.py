"""stablehlo.fft."""

from __future__ import annotations

import math

import numpy as np

from stablemate.diagnostics.missing_packages import optional_package
from stablemate.dialects.stablehlo.attributes import FFT_TYPE, FftType
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import COMPLEX_TENSOR, FLOAT_TENSOR, SI64_ARRAY
from stablemate.ir.shapes import bound_dimensions, same_shape, same_size
from stablemate.ir.traits import Family, Work
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import F32, F64, Array, ComplexType


@op("stablehlo.fft", family=Family.CONTRACTION)
class Fft(Op):
    """Computes Fourier transforms along the last ``size(fft_length)`` dimensions.

    With n the size of a dimension, for each of them in turn:
    FFT: result[k] = sum over j of operand[j] * exp(-2 pi i j k / n); IFFT is its inverse.
    RFFT takes real numbers and omits the frequencies k > n / 2 of the last dimension, which
    follow from the others; IRFFT is its inverse.

    Source: StableHLO specification, fft.
    """

    __slots__ = ()
    summary_attributes = ("fft_type", "fft_length")
    operand = define.operand("I1", FLOAT_TENSOR | COMPLEX_TENSOR)
    fft_type = define.attribute("I2", FFT_TYPE)
    fft_length = define.attribute("I3", SI64_ARRAY)
    result = define.result(FLOAT_TENSOR | COMPLEX_TENSOR, element_type="C2", shape="C5")
    assembly = (
        "$operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length "
        "attr-dict `:` functional-type"
    )

    @constraint
    def c3(self) -> Check:
        """1 <= size(fft_length) <= 3"""
        return holds(1 <= len(self.fft_length) <= 3, size=len(self.fft_length))

    @constraint
    def c1(self) -> Check:
        """size(fft_length) <= rank(operand)"""
        size, rank = len(self.fft_length), self.operand.type.rank
        return holds(size <= rank, size=size, rank=rank)

    @constraint
    def c2(self) -> Check:
        """fft_type = RFFT ? element_type(operand) in [f32, f64] : is_complex(operand)"""
        element = self.operand.type.element_type
        if self.fft_type is FftType.RFFT:
            fits = element in (F32, F64)  # no other float is part of a complex type
        else:
            fits = isinstance(element, ComplexType)
        return holds(fits, fft_type=self.fft_type.value, element_type=element)

    @constraint
    def c4(self) -> Check:
        """shape(real)[-size(fft_length):] = fft_length"""
        # `real` stands for the operand in FFT and IFFT, where upstream does not compare them; for
        # IRFFT it is the result: its last size is fft_length[-1], see C5.
        shape, length = self.operand.type.shape, self.fft_length
        last = len(length) - 1 if self.fft_type is FftType.IRFFT else len(length)
        sizes = shape[len(shape) - len(length) :][:last]
        fits = min(length, default=0) >= 0 and same_shape(sizes, length[:last])
        return holds(fits, shape=shape, fft_length=length)

    @constraint
    def c5(self) -> Check:
        """IRFFT: dim(operand, -1) = fft_length[-1] = 0 ? 0 : fft_length[-1] / 2 + 1"""
        size, length = self.operand.type.shape[-1], self.fft_length[-1]
        fits = same_size(size, length // 2 + 1) or (size, length) == (0, 0)
        return holds(fits or self.fft_type is not FftType.IRFFT, size=size, fft_length=length)

    def work(self) -> Work:
        """5 n log2(n) for each transform of n complex numbers, half of that for real ones."""
        size = max(self.operand.type.size, self.result.type.size)
        flops = 5 * size * math.log2(max(math.prod(self.fft_length), 1))
        is_real = self.fft_type in (FftType.RFFT, FftType.IRFFT)
        return Work(round(flops / 2 if is_real else flops))

    def infer(self) -> TensorType:
        """C2, C4, C5: the last dimension of a real transform changes its size, others stay."""
        operand = self.operand.type
        element = operand.element_type
        if self.fft_type in (FftType.FFT, FftType.IFFT):
            return operand
        if isinstance(element, ComplexType):
            element = element.element
        else:
            element = ComplexType(F32 if element == F32 else F64)
        bounds = operand.bounds or (DYNAMIC,) * operand.rank
        result = TensorType(self.result_shape(operand.shape), element)
        return bound_dimensions(result, (*bounds[:-1], DYNAMIC))

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of the result for a shape of the operand."""
        length = self.fft_length[-1]
        match self.fft_type:
            case FftType.RFFT:
                return (*shape[:-1], length // 2 + 1 if length else shape[-1])
            case FftType.IRFFT:
                return (*shape[:-1], length)
            case _:
                return shape

    def evaluate(self, *operands: Array, **_: object) -> Array:
        """Transforms the last dimensions by SciPy's functions."""
        with optional_package():
            from scipy import fft

        (operand,) = operands
        dimensions = tuple(range(operand.ndim - len(self.fft_length), operand.ndim))
        if operand.size == 0 or 0 in self.fft_length:  # SciPy transforms no empty dimensions
            shape = self.result_shape(operand.shape)
            return np.zeros(shape, self.result.type.element_type.dtype)
        match self.fft_type:
            case FftType.FFT:
                return np.asarray(fft.fftn(operand, axes=dimensions))
            case FftType.IFFT:
                return np.asarray(fft.ifftn(operand, axes=dimensions))
            case FftType.RFFT:
                return np.asarray(fft.rfftn(operand, axes=dimensions))
            case FftType.IRFFT:
                return np.asarray(fft.irfftn(operand, self.fft_length, axes=dimensions))
