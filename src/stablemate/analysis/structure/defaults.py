"""Attributes whose value is the default of an absent attribute, though no definition states it.

Portable artifacts drop them; a program is the same with and without.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from stablemate.ir.attributes import (
    ArrayAttribute,
    DenseArrayAttribute,
    DenseElementsAttribute,
    DictionaryAttribute,
    StringAttribute,
)
from stablemate.ir.core import Operation
from stablemate.ir.types import Attribute

DIALECT: Final = "stablehlo."
# Nothing where a number for each dimension may stand.
FILLED: Final = {
    "base_dilations": 1,
    "lhs_dilation": 1,
    "padding": 0,
    "rhs_dilation": 1,
    "window_dilations": 1,
    "window_reversal": 0,
    "window_strides": 1,
}
EMPTY: Final = frozenset(
    {
        *("backend_config", "called_computations", "composite_attributes", "infeed_config"),
        *("known_expanding_dimensions", "known_nonexpanding_dimensions", "layout"),
        *("outfeed_config", "output_operand_aliases", "result_tilings", "source_target_pairs"),
    }
)
LAYOUTS: Final = ("operand_layouts", "result_layouts")
DEFAULT_PRECISION: Final = "#stablehlo<precision DEFAULT>"
# What an attribute of several fields is when it says nothing.
TEXTS: Final = {
    "channel_handle": ("#stablehlo.channel_handle<handle = 0, type = 0>",),
    "compare_type": ("#stablehlo<comparison_type NOTYPE>",),
    "result_accuracy": (
        "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>",
    ),
}


def says_nothing(operation: Operation, name: str, attribute: Attribute) -> bool:
    """Whether an operation of StableHLO is the same without an attribute."""
    if not operation.name.startswith(DIALECT):
        return False
    if name in FILLED:
        return is_filled(attribute, FILLED[name])
    if name in EMPTY:
        return is_empty(attribute)
    if name in LAYOUTS:
        return all(is_empty(operation.attributes.get(layout)) for layout in LAYOUTS)
    if name == "precision_config":
        items = attribute.items if isinstance(attribute, ArrayAttribute) else (attribute,)
        return all(str(item) == DEFAULT_PRECISION for item in items)
    return name in TEXTS and str(attribute) in TEXTS[name]


def is_filled(attribute: Attribute, number: int) -> bool:
    """Whether all numbers of a list are this one."""
    match attribute:
        case DenseArrayAttribute(values=values):
            return all(value == number for value in values)
        case DenseElementsAttribute():
            data = attribute.data
            return bool(np.all(data == number))
        case _:
            return False


def is_empty(attribute: Attribute | None) -> bool:
    """Whether there is nothing in an attribute."""
    match attribute:
        case ArrayAttribute(items=contents) | DenseArrayAttribute(values=contents):
            return not contents
        case DictionaryAttribute(entries=entries):
            return not entries
        case StringAttribute(value=text):
            return not text
        case DenseElementsAttribute():
            return attribute.data.size == 0
        case _:
            return attribute is None
