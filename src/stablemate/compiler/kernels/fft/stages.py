"""The one-dimensional transforms that a transform of several dimensions consists of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from stablemate.compiler.graph.graph import Node
from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import FftType


@dataclass(frozen=True, slots=True)
class TransformStage:
    """A transform of one dimension of an array.

    Attributes:
        kind: The transform.
        length: How many numbers it transforms; for the real ones, how many real numbers.
        axis: The dimension.
        before: The shape of the operand.
        after: The shape of the result.
    """

    kind: FftType
    length: int
    axis: int
    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def is_real(self) -> bool:
        """Whether the operand or the result is real."""
        return self.kind in (FftType.RFFT, FftType.IRFFT)

    @property
    def is_inverse(self) -> bool:
        """Whether this is an inverse transform."""
        return self.kind in (FftType.IFFT, FftType.IRFFT)

    @property
    def is_packed(self) -> bool:
        """Whether pairs of real numbers are transformed as complex ones."""
        return self.is_real and self.length % 2 == 0 and self.length > 2

    @property
    def count(self) -> int:
        """How many complex numbers are transformed."""
        return self.length // 2 if self.is_packed else self.length

    @property
    def outer(self) -> int:
        """How many elements the dimensions before the axis have."""
        return prod(self.before[: self.axis])

    @property
    def inner(self) -> int:
        """How many elements the dimensions after the axis have."""
        return prod(self.before[self.axis + 1 :])

    def inside(self, dimensions: int) -> TransformStage:
        """The transform of a part of the array, given by its first indices."""
        return replace(
            self,
            axis=self.axis - dimensions,
            before=self.before[dimensions:],
            after=self.after[dimensions:],
        )

    def elements(self, *, result: bool) -> int:
        """How many parts of numbers, real and imaginary, the operand or the result has."""
        shape, real = (self.after, FftType.IRFFT) if result else (self.before, FftType.RFFT)
        return prod(shape) * (1 if self.kind is real else 2)


def stages_of(node: Node) -> Sequence[TransformStage]:
    """The transforms of one dimension each, in order; a real one is the first or the last."""
    operation = node.operation
    (operand,), (result,) = node.operands, node.results
    lengths = [int(length) for length in operation.fft_length]
    last = len(operand.shape) - 1
    whole = operand.shape if operation.fft_type is FftType.IRFFT else result.shape
    inner = FftType.IFFT if operation.fft_type in (FftType.IFFT, FftType.IRFFT) else FftType.FFT
    others = [
        TransformStage(inner, length, axis, whole, whole)
        for axis, length in enumerate(lengths[:-1], last + 1 - len(lengths))
    ]
    main = TransformStage(operation.fft_type, lengths[-1], last, operand.shape, result.shape)
    stages = [*others, main] if operation.fft_type is FftType.IRFFT else [main, *reversed(others)]
    return [stage for stage in stages if stage.is_real or stage.length > 1] or [main]
