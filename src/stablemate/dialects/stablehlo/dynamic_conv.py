"""stablehlo.dynamic_conv."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from stablemate.dialects.stablehlo.convolution import AnyConvolution
from stablemate.dialects.stablehlo.dynamism import known_integers
from stablemate.dialects.stablehlo.runtime import require_shape
from stablemate.dialects.stablehlo.windows import WindowDimensions
from stablemate.ir.definition import Check, RegionFunction, constraint, define, holds, op
from stablemate.ir.kinds import SI64_ARRAY, is_integer, tensor_of
from stablemate.ir.traits import Family, Trait
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array

PADDING: Final = tensor_of("2-dimensional tensor of integer type", is_integer, rank=2)


@op("stablehlo.dynamic_conv", family=Family.CONTRACTION, traits=Trait.DYNAMIC)
class DynamicConv(AnyConvolution):
    """As convolution, with a ``padding`` that is known when the program runs.

    Source: StableHLO specification, dynamic_conv.
    """

    __slots__ = ()
    padding = define.operand("I3", PADDING).as_sizes()
    window_strides = define.optional_attribute("I4", SI64_ARRAY)

    @constraint
    def c4(self) -> Check:
        """shape(padding) = [N - 2, 2]"""
        shape, spatial = self.padding.type.shape, self.lhs.type.rank - 2
        return holds(shape == (spatial, 2), shape=shape, **{"N - 2": spatial})

    def infer(self) -> TensorType | None:
        """C25, C26: sizes of spatial dimensions are known where the padding is a constant."""
        spatial = self.dimension_numbers.input_spatial_dimensions
        if (padding := known_integers(self.padding)) is None:
            return self.result_type((DYNAMIC,) * len(spatial))
        windows = self.windows_of(self.rhs.type.shape, padding)
        return self.result_type(windows.counts([self.lhs.type.shape[d] for d in spatial]))

    def evaluate(self, *operands: Array, is_fast: bool = False, **_: object) -> Array:
        """Convolves all windows at once, with the padding that an operand states."""
        lhs, rhs, padding = operands
        windows = self.windows_of(rhs.shape, [int(number) for number in padding.reshape(-1)])
        spatial = self.dimension_numbers.input_spatial_dimensions
        counts = windows.counts([lhs.shape[d] for d in spatial])
        if (inferred := self.result_type(counts)) is not None:
            require_shape(self, inferred.shape, "C25")
        return self.convolve(lhs, rhs, windows, is_fast=is_fast)

    def prepare_fast(self, regions: Sequence[RegionFunction]) -> Callable[..., Array]:
        """One product of matrices for all windows."""
        return partial(self.evaluate, is_fast=True)

    def windows_of(self, kernel_shape: Sequence[int], padding: Sequence[int]) -> WindowDimensions:
        """The windows for a shape of rhs and the padding in row-major order."""
        sizes = [kernel_shape[d] for d in self.dimension_numbers.kernel_spatial_dimensions]
        pairs = list(zip(padding[::2], padding[1::2], strict=True))
        return self.windows(pairs, sizes)
