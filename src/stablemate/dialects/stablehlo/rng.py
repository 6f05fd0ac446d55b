"""stablehlo.rng."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from stablemate.dialects.stablehlo.attributes import RNG_DISTRIBUTION, RngDistribution
from stablemate.dialects.stablehlo.dynamism import (
    MAX_SIZES,
    STATIC_DIMENSION_TENSOR,
    integers,
    known_integers,
)
from stablemate.dialects.stablehlo.runtime import require, require_shape
from stablemate.ir.definition import (
    Check,
    RegionFunction,
    RequestOp,
    constraint,
    define,
    holds,
    op,
)
from stablemate.ir.kinds import is_boolean, is_float, is_integer, tensor_of
from stablemate.ir.request import Draw
from stablemate.ir.traits import Family
from stablemate.ir.types import DYNAMIC, TensorType
from stablemate.numerics.elements import Array, FloatType, IntegerType
from stablemate.numerics.rounding import round_float

NUMBER: Final = tensor_of(
    "0-dimensional tensor of integer, boolean, or floating-point type",
    is_boolean,
    is_integer,
    is_float,
    rank=0,
)
NUMBERS: Final = tensor_of(
    "tensor of integer, boolean, or floating-point type", is_boolean, is_integer, is_float
)


@op("stablehlo.rng", family=Family.EXTERNAL)
class Rng(RequestOp):
    """Draws random numbers: uniform ones with a <= result < b, or normal ones.

    Normal numbers have the mean ``a`` and the standard deviation ``b``. The specification leaves
    open how they are drawn. Here each process has a generator, seeded from the seed of the run, and
    each execution draws the next numbers from it. An empty interval gives ``a``.

    Source: StableHLO specification, rng.
    """

    __slots__ = ()
    a = define.operand("I1", NUMBER)
    b = define.operand("I2", NUMBER)
    shape = define.operand("I3", STATIC_DIMENSION_TENSOR).as_sizes()
    rng_distribution = define.attribute("I4", RNG_DISTRIBUTION)
    result = define.result(NUMBERS, element_type="C1", shape="C3")
    assembly = (
        "$a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution attr-dict "
        "`:` functional-type"
    )

    @constraint
    def c1(self) -> Check:
        """element_type(a) = element_type(b) = element_type(result)"""
        a, b = self.a.type.element_type, self.b.type.element_type
        return holds(a == b, a=a, b=b)

    @constraint
    def c2(self) -> Check:
        """If rng_distribution = NORMAL, then is_float(a)"""
        element = self.a.type.element_type
        fits = self.rng_distribution is RngDistribution.UNIFORM or isinstance(element, FloatType)
        return holds(fits, rng_distribution=self.rng_distribution.value, element_type=element)

    @constraint
    def i3(self) -> Check:
        """0 <= shape"""
        sizes = known_integers(self.shape) or ()
        return holds(all(size >= 0 for size in sizes), shape=sizes)

    def infer(self) -> TensorType:
        """C1, C3: sizes are known where the shape is a constant."""
        sizes = known_integers(self.shape)
        unknown = (DYNAMIC,) * min(self.shape.type.shape[0], MAX_SIZES)
        return self.a.type.with_shape(unknown if sizes is None else sizes)

    def request(self, operands: Sequence[Any], regions: Sequence[RegionFunction]) -> Draw:
        """Requests the next numbers of the process."""
        a, b, shape = operands

        def numbers(generator: np.random.Generator) -> Array:
            return self.numbers(generator, a, b, shape)

        return Draw(self, numbers)

    def numbers(self, generator: np.random.Generator, a: Array, b: Array, shape: Array) -> Array:
        """The next numbers of a generator."""
        sizes = integers(np.asarray(shape))
        require(self, all(size >= 0 for size in sizes), "I3", "0 <= shape", shape=sizes)
        require_shape(self, sizes, "C3")
        element = self.a.type.element_type
        if isinstance(element, IntegerType):
            end = max(int(b), int(a) + 1)
            wide = np.uint64 if element.is_unsigned else np.int64
            return generator.integers(int(a), end, sizes, wide).astype(element.dtype)
        assert isinstance(element, FloatType)
        low, high = np.float64(a), np.float64(b)
        if self.rng_distribution is RngDistribution.NORMAL:
            return np.asarray(round_float(low + high * generator.standard_normal(sizes), element))
        numbers = np.asarray(round_float(low + (high - low) * generator.random(sizes), element))
        return np.where(numbers < b, numbers, a)  # rounding can give b
