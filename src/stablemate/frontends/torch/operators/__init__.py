"""The operators by family, as PyTorch's documentation groups them; a function each."""

from __future__ import annotations

from typing import Final

FAMILIES: Final = (
    "antialiasing",
    "attention",
    "convolution",
    "counting",
    "creation",
    "embedding_bags",
    "flexible_attention",
    "fourier",
    "grid_sampling",
    "higher_order",
    "indexing",
    "linear_algebra",
    "matrices",
    "numbers",
    "pointwise",
    "pooling",
    "random",
    "reductions",
    "scattering",
    "sorting",
    "special_functions",
    "views",
)
