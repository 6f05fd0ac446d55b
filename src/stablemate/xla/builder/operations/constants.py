"""Constants, parameters, counted values.

Source: XLA, operation semantics, "Iota"; ``ConstantLiteral``, ``Parameter``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stablemate.xla.builder.argument_types import ShapeLike, TypeLike, array_shape
from stablemate.xla.builder.core import Core
from stablemate.xla.builder.handle import XlaOp
from stablemate.xla.builder.values import array_of, constant_like, items_of
from stablemate.xla.literal import Literal
from stablemate.xla.shape import Shape


class ConstantMethods(Core):
    """Methods without operands."""

    def parameter(self, parameter_number: int, shape: ShapeLike, name: str = "") -> XlaOp:
        """An argument of the computation; numbers count from 0, each is used once."""
        return self.add_parameter(parameter_number, self.as_shape(shape), name)

    def constant(self, value: object, element_type: TypeLike | None = None) -> XlaOp:
        """A constant of a number, nested lists of numbers, a NumPy array, or a literal.

        Without an element type, arrays have their own; numbers of Python are ``pred``, ``s32``
        (``s64`` where they need it), ``f32`` and ``c64``. A tuple is a tuple of constants.
        """
        items = items_of(value)
        if items is not None and isinstance(value, tuple):
            parts = [self.constant(item, element_type) for item in items]
            return self.add_instruction("tuple", parts)
        requested = None if element_type is None else self.as_type(element_type)
        array = array_of(value)
        if array is not None and requested is not None:
            value = array.astype(requested.dtype)
        return self.literal(self.at_caller(constant_like, value, requested))

    def constant_literal(self, literal: Literal | object) -> XlaOp:
        """A constant of a literal."""
        return self.constant(literal)

    def constant_r0(self, value: complex, element_type: TypeLike | None = None) -> XlaOp:
        """Adds a constant without dimensions, from one number."""
        return self.constant_of_rank(value, 0, element_type)

    def constant_r1(
        self,
        values: Sequence[complex] | int,
        value: complex | None = None,
        element_type: TypeLike | None = None,
    ) -> XlaOp:
        """A vector of values, or of so many times one value."""
        repeated = [value] * values if isinstance(values, int) else values
        return self.constant_of_rank(repeated, 1, element_type)

    def constant_r2(self, values: Sequence[object], element_type: TypeLike | None = None) -> XlaOp:
        """Adds a constant of two dimensions."""
        return self.constant_of_rank(values, 2, element_type)

    def constant_r3(self, values: Sequence[object], element_type: TypeLike | None = None) -> XlaOp:
        """An array of three dimensions."""
        return self.constant_of_rank(values, 3, element_type)

    def constant_r4(self, values: Sequence[object], element_type: TypeLike | None = None) -> XlaOp:
        """An array of four dimensions."""
        return self.constant_of_rank(values, 4, element_type)

    def constant_of_rank(self, values: Any, rank: int, element_type: TypeLike | None) -> XlaOp:
        """A constant whose number of dimensions was stated."""
        actual_rank = np.ndim(values)
        self.require(
            actual_rank == rank, f"the constant has rank {rank}", "constant", rank=actual_rank
        )
        return self.constant(values, element_type)

    def zeros(self, shape: ShapeLike) -> XlaOp:
        """Adds a broadcast of zero to a shape."""
        requested = self.as_shape(shape)
        zero = self.constant(0, requested.element_type)
        return self.fill_array(zero, requested.dimensions)

    def iota(self, shape: ShapeLike | TypeLike, iota_dimension: int = 0) -> XlaOp:
        """Numbers that count up along a dimension: ``iota(shape, dimension)``.

        ``iota(type, size)`` is the vector ``0, 1, ..., size - 1``.
        """
        if not isinstance(shape, Shape) and not (isinstance(shape, str) and "[" in shape):
            vector = array_shape(self.as_type(shape), (iota_dimension,))
            return self.add_instruction("iota", (), {"iota_dimension": 0}, vector)
        requested = self.as_shape(shape)
        number = self.dimension(iota_dimension, requested.rank, "iota")
        return self.add_instruction("iota", (), {"iota_dimension": number}, requested)
