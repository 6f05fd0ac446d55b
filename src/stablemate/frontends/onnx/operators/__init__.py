"""The operators by family; a function each.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from typing import Final

FAMILIES: Final = (
    "constants",
    "contraction",
    "contributed.general",
    "contributed.attention",
    "contributed.experts",
    "contributed.linear_attention",
    "contributed.movement",
    "contributed.quantized",
    "control",
    "convolution",
    "elementwise",
    "experimental",
    "fourier",
    "images",
    "indexing",
    "machine_learning.features",
    "machine_learning.linear_models",
    "machine_learning.trees",
    "movement",
    "normalization",
    "pooling",
    "quantization",
    "random_numbers",
    "recurrent",
    "reductions",
    "regions",
    "texts",
    "training",
)
