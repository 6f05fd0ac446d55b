"""The operators by family, as PyTorch's documentation groups them; a function each."""

from __future__ import annotations

from typing import Final

FAMILIES: Final = (
    "attention",
    "control.custom_operators",
    "control.flexible_attention",
    "control.higher_order",
    "control.random_states",
    "control.recurrent",
    "control.symbolic_numbers",
    "control.value_dependent_sizes",
    "convolution",
    "counting",
    "creation",
    "embedding_bags",
    "fourier",
    "grouped_products",
    "images.antialiasing",
    "images.fractional_pooling",
    "images.grid_sampling",
    "images.pooling",
    "indexing",
    "linear_algebra",
    "matrices",
    "normalization",
    "pointwise",
    "quantization",
    "random",
    "reductions",
    "scattering",
    "segments",
    "sorting",
    "special_functions",
    "views",
)
