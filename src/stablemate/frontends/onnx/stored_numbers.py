"""Numbers of 8 bits that represent floats."""

from __future__ import annotations

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.tensor_functions.elementwise import bitcast
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.numerics.elements import F32, Array, ElementType, IntegerType, QuantizedType


@dataclass(frozen=True, slots=True)
class StoredNumbers:
    """Numbers q that represent ``(q - zero) * scale``.

    Attributes:
        x: The numbers, of 8 bits.
        scales: One scale, or one for each index of a dimension.
        zeros: As many zero points.
        dimension: The dimension; None if there is one scale.
    """

    x: Tensor
    scales: Array
    zeros: Array
    dimension: int | None

    def floats(self) -> Tensor:
        """The floats that the numbers represent, if there is one scale."""
        return (self.x.convert(F32) - float(self.zeros[0])) * float(self.scales[0])

    def are_quantized_by(self, scale: Array, zero: Array, element: ElementType) -> bool:
        """Whether the floats, quantized by a scale and a zero point, are these numbers again.

        They are for the same two: float and quotient are rounded, by less than half of an integer.
        """
        is_usual = 2.0**-100 < float(self.scales[0]) < 2.0**100
        return (
            self.x.element == element and self.dimension is None and is_usual
            and scale.size == zero.size == 1
            and scale.item() == self.scales[0] and zero.item() == self.zeros[0]
        )  # fmt: skip

    def as_quantized(self) -> Tensor:
        """The numbers as a tensor of a quantized type."""
        storage = self.x.element
        assert isinstance(storage, IntegerType), "numbers of 8 bits are integers"
        element = QuantizedType(
            storage, F32, tuple(self.scales.tolist()), tuple(self.zeros.tolist()),
            storage.minimum, storage.maximum, self.dimension,
        )  # fmt: skip
        return bitcast(self.x, element)
