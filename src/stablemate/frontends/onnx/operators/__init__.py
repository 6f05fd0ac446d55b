"""The operators by family; a function each.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

from typing import Final

FAMILIES: Final = (
    "constants",
    "contraction",
    "contributed",
    "contributed_attention",
    "control",
    "convolution",
    "elementwise",
    "features",
    "fourier",
    "images",
    "indexing",
    "linear_models",
    "movement",
    "normalization",
    "pooling",
    "quantization",
    "recurrent",
    "reductions",
    "regions",
    "texts",
    "training",
    "trees",
)
