"""Attributes that may have few values.

Source: ONNX, Operator Schemas; ONNX Runtime, where they say nothing of other values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FLAG: Final = (0, 1)
PADDING: Final = ("NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID", "")
DIRECTIONS: Final = ("forward", "reverse", "bidirectional")
LOSSES: Final = ("none", "sum", "mean")
UPDATES: Final = ("none", "add", "mul", "max", "min")
SAMPLING: Final = ("linear", "bilinear", "nearest", "cubic", "bicubic")

REDUCTIONS: Final = (
    "ArgMax", "ArgMin", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
    "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare",
)  # fmt: skip

# By operator and attribute.
CHOICES: Final[Mapping[str, Mapping[str, tuple[str | int, ...]]]] = {
    **{name: {"keepdims": FLAG} for name in REDUCTIONS},
    "Attention": {"qk_matmul_output_mode": (0, 1, 2, 3)},
    "AveragePool": {"auto_pad": PADDING},
    "BitShift": {"direction": ("LEFT", "RIGHT")},
    "Conv": {"auto_pad": PADDING},
    "ConvInteger": {"auto_pad": PADDING},
    "ConvTranspose": {"auto_pad": PADDING},
    "CumProd": {"exclusive": FLAG, "reverse": FLAG},
    "CumSum": {"exclusive": FLAG, "reverse": FLAG},
    "DepthToSpace": {"mode": ("DCR", "CRD")},
    "GRU": {"direction": DIRECTIONS, "layout": FLAG},
    "Gelu": {"approximate": ("none", "tanh")},
    "GridSample": {"mode": SAMPLING, "padding_mode": ("zeros", "border", "reflection")},
    "LSTM": {"direction": DIRECTIONS, "layout": FLAG},
    "LpNormalization": {"p": (1, 2)},
    "LpPool": {"auto_pad": PADDING},
    "MaxPool": {"auto_pad": PADDING, "storage_order": FLAG},
    "Mod": {"fmod": FLAG},
    "NegativeLogLikelihoodLoss": {"reduction": LOSSES},
    "NonMaxSuppression": {"center_point_box": FLAG},
    "Pad": {"mode": ("constant", "reflect", "edge", "wrap")},
    "QLinearConv": {"auto_pad": PADDING},
    "RNN": {"direction": DIRECTIONS, "layout": FLAG},
    "Resize": {
        "coordinate_transformation_mode": (
            "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
            "asymmetric", "tf_crop_and_resize", "tf_half_pixel_for_nn",
        ),
        "keep_aspect_ratio_policy": ("stretch", "not_larger", "not_smaller"),
        "mode": ("nearest", "linear", "cubic"),
        "nearest_mode": ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil", ""),
    },
    "RoiAlign": {
        "coordinate_transformation_mode": ("half_pixel", "output_half_pixel"),
        "mode": ("avg", "max"),
    },
    "ScatterElements": {"reduction": UPDATES},
    "ScatterND": {"reduction": UPDATES},
    "SoftmaxCrossEntropyLoss": {"reduction": LOSSES},
    "SpaceToDepth": {"mode": ("DCR", "CRD")},
    "StringNormalizer": {"case_change_action": ("NONE", "LOWER", "UPPER")},
    "TensorScatter": {"mode": ("linear", "circular")},
    "TfIdfVectorizer": {"mode": ("TF", "IDF", "TFIDF")},
    "Upsample": {"mode": ("nearest", "linear", "bilinear")},
}  # fmt: skip


def wrong_choice(operator: str, attributes: Mapping[str, object]) -> str:
    """Which attribute of an operator of the default domain has no value that it may have.

    Returns:
        That in words; an empty text if there is none.
    """
    for name, values in CHOICES.get(operator, {}).items():
        if name in attributes and attributes[name] not in values:
            known = ", ".join(map(repr, values))
            return f"the attribute {name!r} is {attributes[name]!r}, which must be one of {known}"
    return ""
