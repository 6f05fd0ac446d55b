"""stablehlo.rng_bit_generator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.attributes import RNG_ALGORITHM, RngAlgorithm
from stablemate.ir.definition import Check, Op, constraint, define, holds, op
from stablemate.ir.kinds import TypeConstraint, is_float, is_integer, tensor_of
from stablemate.ir.traits import Family
from stablemate.ir.types import DYNAMIC, TensorType, Type
from stablemate.numerics.elements import UI64, Array
from stablemate.numerics.random_bits import philox_bits, threefry_bits

# More lenient verifiers accept states of any type, but no implementation runs them.
STATE: Final = tensor_of("1-dimensional tensor of type ui64", lambda e: e == UI64, rank=1)
NUMBERS: Final = tensor_of("tensor of integer or floating-point type", is_integer, is_float)
STATIC_NUMBERS: Final[TypeConstraint[TensorType]] = TypeConstraint(
    f"statically shaped {NUMBERS.description}", lambda t: NUMBERS.accepts(t) and t.is_static
)


@op("stablehlo.rng_bit_generator", family=Family.EXTERNAL)
class RngBitGenerator(Op):
    """Fills ``output`` with random bits that follow from ``initial_state``, which is advanced.

    Bits, order and state are those of XLA on a CPU: Threefry-2x32, or Philox-4x32 for ``PHILOX``
    and ``DEFAULT``, with the key as first word of the state.

    Source: StableHLO specification, rng_bit_generator.
    """

    __slots__ = ()
    summary_attributes = ("rng_algorithm",)
    rng_algorithm = define.attribute("I1", RNG_ALGORITHM)
    initial_state = define.operand("I2", STATE)
    output_state = define.result(STATE, element_type="C1", shape="C1")
    output = define.result(STATIC_NUMBERS)
    assembly = "$initial_state `,` `algorithm` `=` $rng_algorithm attr-dict `:` functional-type"

    @constraint
    def c2(self) -> Check:
        """size(initial_state) = 2 if rng_algorithm = THREE_FRY, 2 or 3 if PHILOX"""
        size = self.initial_state.type.shape[0]
        sizes = {RngAlgorithm.THREE_FRY: (2,), RngAlgorithm.PHILOX: (2, 3)}
        fits = size in (DYNAMIC, *sizes.get(self.rng_algorithm, (size,)))
        return holds(fits, size=size, rng_algorithm=self.rng_algorithm.value)

    def known_types(self) -> Sequence[Type]:
        """C1: the next state is like the state; the numbers are of the declared type."""
        return [self.initial_state.type, self.results[1].type]

    def infer(self) -> Sequence[TensorType] | None:
        """C1; the type of the output is free."""
        if not self.results:
            return None
        return self.initial_state.type, self.output.type

    def evaluate(self, *operands: Array, **_: object) -> tuple[Array, Array]:
        """As many bits as an element has, from words of 32 or 64."""
        (state,) = operands
        is_threefry = self.rng_algorithm is RngAlgorithm.THREE_FRY
        if len(state) not in ((2,) if is_threefry else (2, 3)):
            message = f"{self.name} by {self.rng_algorithm.value} with {len(state)} words of state"
            raise UnsupportedError(message, span=self.span)
        element = self.output.type.element_type
        generate = threefry_bits if is_threefry else philox_bits
        state, words = generate(state, self.output.type.shape, element.bits)
        size = element.dtype.itemsize
        if element.bits < 8:
            words &= words.dtype.type((1 << element.bits) - 1)
        return state, words.astype(np.dtype(f"u{size}")).view(element.dtype)
