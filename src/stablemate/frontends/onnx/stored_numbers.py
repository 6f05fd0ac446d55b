"""Numbers of 8 bits that represent floats."""

from __future__ import annotations

from dataclasses import dataclass

from stablemate.frontends.tensor_functions.elementwise import bitcast
from stablemate.frontends.tensor_functions.tensor import Tensor
from stablemate.numerics.elements import F32, Array, IntegerType, QuantizedType


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

    def quantized(self) -> Tensor:
        """The numbers as a tensor of a quantized type."""
        storage = self.x.element
        assert isinstance(storage, IntegerType), "numbers of 8 bits are integers"
        element = QuantizedType(
            storage, F32, tuple(self.scales.tolist()), tuple(self.zeros.tolist()),
            storage.minimum, storage.maximum, self.dimension,
        )  # fmt: skip
        return bitcast(self.x, element)
