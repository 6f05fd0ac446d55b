"""Random numbers.

Source: XLA, operation semantics, "RngUniform", "RngNormal", "RngBernoulli", "RngBitGenerator".
"""

from __future__ import annotations

from typing import Final

from stablemate.xla.builder.argument_types import Operand, ShapeLike
from stablemate.xla.builder.core import creates
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.operations.constants import ConstantMethods
from stablemate.xla.builder.operations.elementwise import ElementwiseMethods
from stablemate.xla.builder.renaming import renamed_arguments
from stablemate.xla.primitive_types import F32, U32
from stablemate.xla.shape import Shape

ALGORITHMS: Final = {
    "rng_default": "rng_default",
    "default": "rng_default",
    "rng_three_fry": "rng_three_fry",
    "three_fry": "rng_three_fry",
    "rng_philox": "rng_philox",
    "philox": "rng_philox",
}


class Random(ConstantMethods, ElementwiseMethods):
    """Methods that make numbers up."""

    @creates("stablehlo.rng")
    def rng_uniform(self, a: Operand, b: Operand, shape: ShapeLike) -> XlaOp:
        """Numbers of the interval ``[a, b)``, whose bounds are scalars."""
        return self.rng("rng_uniform", a, b, self.as_shape(shape))

    @renamed_arguments(mean="mu")
    @creates("stablehlo.rng")
    def rng_normal(self, mu: Operand, sigma: Operand, shape: ShapeLike) -> XlaOp:
        """Normally distributed numbers of a mean and a standard deviation, which are scalars."""
        return self.rng("rng_normal", mu, sigma, self.as_shape(shape))

    def rng_bernoulli(self, mean: Operand, shape: ShapeLike) -> XlaOp:
        """Ones with a probability, which is an ``f32`` scalar, else zeros, of a ``u32`` shape."""
        result = self.as_shape(shape)
        message = "the element type of the result is u32"
        self.require(result.element_type is U32, message, "rng_bernoulli", shape=result)
        bound = mean if isinstance(mean, XlaOp) else self.constant(mean, F32)
        drawn = self.rng_uniform(
            self.constant(0.0, F32), self.constant(1.0, F32), Shape(F32, result.dimensions)
        )
        return self.convert_element_type(self.lt(drawn, bound), U32)

    def rng(self, distribution: str, a: Operand, b: Operand, shape: Shape) -> XlaOp:
        """Numbers of a distribution with two parameters of the result's type."""
        operands = [
            operand if isinstance(operand, XlaOp) else self.constant(operand, shape.element_type)
            for operand in (a, b)
        ]
        return self.add_instruction("rng", operands, {"distribution": distribution}, shape)

    @renamed_arguments(key="initial_state")
    def rng_bit_generator(self, algorithm: str, initial_state: Operand, shape: ShapeLike) -> XlaOp:
        """``(new state, bits)``, both functions of the state.

        Args:
            algorithm: rng_default, rng_three_fry or rng_philox.
            initial_state: ``u64[2]``, for Philox also ``u64[3]``.
            shape: Of the bits.
        """
        name = ALGORITHMS.get(str(getattr(algorithm, "name", algorithm)).lower())
        message = "the algorithm is rng_default, rng_three_fry or rng_philox"
        self.require(name is not None, message, "rng-bit-generator", algorithm=algorithm)
        state = self.handle(initial_state)
        result = Shape.tuple_of([self.shape(state), self.as_shape(shape)])
        return self.add_instruction("rng-bit-generator", [state], {"algorithm": name}, result)

    def rng_get_and_update_state(self, delta: int, shape: ShapeLike = "u64[2]") -> XlaOp:
        """The state of the device's generator, which moves on by ``delta``."""
        result = self.as_shape(shape)
        return self.add_instruction("rng-get-and-update-state", (), {"delta": delta}, result)
