"""Sizes of Llama-like models, and their weights in the types that are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

GROUP: Final = 64  # weights of 4 bits that share a scale
KINDS: Final = ("f32", "bf16", "int8", "int4")


@dataclass(frozen=True, slots=True)
class ModelSize:
    """The sizes of a model.

    Attributes:
        layers: Its layers.
        width: Features of a token.
        hidden: Features inside the perceptron of a layer.
        heads: Heads of queries.
        pairs: Heads of keys and values, each of which several heads of queries share.
        vocabulary: Kinds of tokens.
        context: Tokens that a cache has room for.
    """

    layers: int
    width: int
    hidden: int
    heads: int
    pairs: int
    vocabulary: int
    context: int

    @property
    def features(self) -> int:
        """Features of a head."""
        return self.width // self.heads

    @property
    def matrices(self) -> dict[str, tuple[int, int]]:
        """The matrices of a layer: outputs and inputs."""
        width, few = self.width, self.pairs * self.features
        return {
            "query": (width, width),
            "key": (few, width),
            "value": (few, width),
            "output": (width, width),
            "gate": (self.hidden, width),
            "up": (self.hidden, width),
            "down": (width, self.hidden),
        }


SIZES: Final = {
    "small": ModelSize(4, 1024, 2816, 16, 4, 8192, 256),
    "half-billion": ModelSize(24, 1024, 4864, 16, 4, 32000, 1024),
}


def random_matrix(random: np.random.Generator, outputs: int, inputs: int) -> Any:
    """A matrix that keeps activations in size."""
    return random.standard_normal((outputs, inputs), dtype=np.float32) / np.float32(inputs**0.5)


def quantized_bytes(matrix: Any) -> tuple[Any, Any]:
    """Weights of 8 bits, with a scale for each output."""
    scales = np.abs(matrix).max(1) / 127
    return np.round(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def quantized_nibbles(matrix: Any) -> tuple[Any, Any]:
    """Weights of 4 bits, two in a byte, with a scale for each group of an output."""
    outputs, inputs = matrix.shape
    groups = matrix.reshape(outputs, inputs // GROUP, GROUP)
    scales = np.abs(groups).max(-1) / 7
    codes = (np.round(groups / scales[..., None]) + 8).astype(np.uint8).reshape(outputs, inputs)
    return codes[:, 0::2] | codes[:, 1::2] << 4, scales.astype(np.float32)
