"""The defaults of optional attributes of StableHLO, which VHLO states explicitly.

Source: StableHLO, its legalization to VHLO (defaults are added) and back (they are removed).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from stablemate.deferred_dataclasses import dataclass
from stablemate.dialects.stablehlo.attributes import ComparisonType, ConvDimensionNumbers, Precision
from stablemate.dialects.stablehlo.custom_call import TYPED_FFI
from stablemate.dialects.stablehlo.result_accuracy import ResultAccuracyMode
from stablemate.dialects.vhlo import attributes as vhlo
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.ir.attributes import DenseElementsAttribute, IntegerAttribute, integers_of
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.types import Attribute, TensorType
from stablemate.numerics.elements import BOOLEAN, I64
from stablemate.transforms.vhlo.attribute_conversions import ABSENT, conversions_of, stablehlo_class
from stablemate.transforms.vhlo.attribute_conversions import ALGORITHM as ALGORITHM_NAMES
from stablemate.transforms.vhlo.attributes import integer, tensor_of


@dataclass(frozen=True, slots=True)
class Default:
    """The attribute of VHLO for an absent attribute.

    Attributes:
        value: The attribute, for an operation of StableHLO that does not have it.
        is_default: Whether an attribute of VHLO says no more than its absence.
        beside: Another attribute that must be at its default as well before this one goes.
    """

    value: Callable[[Operation], Attribute]
    is_default: Callable[[Attribute], bool]
    beside: str = ""


def always(attribute: Attribute, is_default: Callable[[Attribute], bool] | None = None) -> Default:
    """The same default for every operation."""
    return Default(lambda operation: attribute, is_default or (lambda stored: stored == attribute))


def is_empty(attribute: Attribute) -> bool:
    """Whether an array, a string, a dictionary or a tensor has nothing in it."""
    match attribute:
        case vhlo.ArrayV1(items=contents) | vhlo.DictionaryV1(entries=contents):
            return not contents
        case vhlo.StringV1(value=text):
            return not text
        case vhlo.TensorV1(elements=elements):
            return elements.data.size == 0
        case _:
            return False


def is_zero(attribute: Attribute) -> bool:
    """Whether an integer of any width is zero."""
    return isinstance(attribute, vhlo.IntegerV1) and attribute.value == 0


def is_filled_with(number: int) -> Callable[[Attribute], bool]:
    """Whether all elements of a tensor that has some are this number."""

    def check(attribute: Attribute) -> bool:
        if not isinstance(attribute, vhlo.TensorV1):
            return False
        elements = attribute.elements
        return elements.is_splat and bool(elements.data[0] == number)

    return check


def is_default_precision(attribute: Attribute) -> bool:
    """Whether all operands have the default precision."""
    return isinstance(attribute, vhlo.ArrayV1) and all(
        item == DEFAULT_PRECISION for item in attribute.items
    )


def is_default_accuracy(attribute: Attribute) -> bool:
    """Whether the accuracy is the default."""
    return attribute == DEFAULT_ACCURACY


def splat_tensor(number: int, *shape: int, element: Any = I64) -> vhlo.TensorV1:
    """A tensor of one number."""
    tensor_type = TensorType(shape, element)
    size = min(tensor_type.size, 1)
    data = np.full(size, number, element.dtype)
    data.flags.writeable = False
    return vhlo.TensorV1(DenseElementsAttribute(tensor_type, data))


# ---- windows


def window_rank(operation: Operation) -> int:
    """Number of dimensions of a window, or of spatial dimensions of a convolution."""
    numbers = operation.attributes.get("dimension_numbers")
    if isinstance(numbers, ConvDimensionNumbers):
        return len(numbers.input_spatial_dimensions)
    return len(integers_of(operation.attributes.get("window_dimensions")))


def ones(rank: Callable[[Operation], int]) -> Default:
    """A one for each dimension."""
    return Default(lambda operation: splat_tensor(1, rank(operation)), is_filled_with(1))


def empty_config(operation: Operation) -> Attribute:
    """An empty dictionary for typed calls, else an empty string."""
    version = operation.attributes.get("api_version")
    typed = isinstance(version, IntegerAttribute) and version.value == TYPED_FFI
    return vhlo.DictionaryV1() if typed else vhlo.StringV1("")


DEFAULT_PRECISION: Final = vhlo.PRECISION.attribute(Precision.DEFAULT)
DEFAULT_ACCURACY: Final = vhlo.ResultAccuracyV1(
    0.0, 0.0, 0, vhlo.RESULT_ACCURACY_MODE.attribute(ResultAccuracyMode.DEFAULT)
)
EMPTY_VECTOR: Final = tensor_of(())
NO_COMPARISON: Final = vhlo.COMPARISON_TYPE.attribute(ComparisonType.NOTYPE)
ORIGINAL: Final = vhlo.API_VERSION.attribute(vhlo.ApiVersion.ORIGINAL)

FALSE: Final = always(vhlo.BooleanV1(False))
ZERO: Final = always(integer(0), is_zero)
NO_STRING: Final = always(vhlo.StringV1(""))
NO_ITEMS: Final = always(vhlo.ArrayV1())
NO_VECTOR: Final = always(EMPTY_VECTOR, is_empty)
PRECISION: Final = always(vhlo.ArrayV1((DEFAULT_PRECISION,) * 2), is_default_precision)
ACCURACY: Final = always(DEFAULT_ACCURACY, is_default_accuracy)
NEVER: Final = always(ABSENT, lambda stored: False)  # all seven together: see attribute_conversions

# The defaults of attributes that are optional in some operation.
DEFAULTS: Final[Mapping[str, Default]] = {
    **dict.fromkeys(ALGORITHM_NAMES, NEVER),
    "api_version": always(ORIGINAL),
    "arg_attrs": NO_ITEMS,
    "backend_config": Default(empty_config, is_empty),
    "base_dilations": ones(window_rank),
    "called_computations": NO_ITEMS,
    "channel_id": ZERO,
    "compare_type": always(NO_COMPARISON),
    "composite_attributes": always(vhlo.DictionaryV1()),
    "dimension": always(integer(-1)),
    "has_dynamic_root": FALSE,
    "has_side_effect": FALSE,
    "indices_are_sorted": FALSE,
    "infeed_config": NO_STRING,
    "is_host_transfer": FALSE,
    "is_stable": FALSE,
    "known_expanding_dimensions": NO_VECTOR,
    "known_nonexpanding_dimensions": NO_VECTOR,
    "layout": NO_ITEMS,
    "lhs_dilation": ones(window_rank),
    "lower": FALSE,
    "operand_layouts": Default(NO_ITEMS.value, is_empty, "result_layouts"),
    "outfeed_config": NO_STRING,
    "output_operand_aliases": NO_ITEMS,
    "padding": Default(
        lambda operation: splat_tensor(0, window_rank(operation), 2), is_filled_with(0)
    ),
    "precision_config": PRECISION,
    "res_attrs": NO_ITEMS,
    "result_accuracy": ACCURACY,
    "result_layouts": Default(NO_ITEMS.value, is_empty, "operand_layouts"),
    "result_tilings": NO_ITEMS,
    "rhs_dilation": ones(window_rank),
    "source_target_pairs": NO_VECTOR,
    "sym_visibility": NO_STRING,
    "unique_indices": FALSE,
    "use_global_device_ids": FALSE,
    "version": ZERO,
    "window_dilations": ones(window_rank),
    "window_reversal": Default(
        lambda operation: splat_tensor(0, window_rank(operation), element=BOOLEAN),
        is_filled_with(0),
    ),
    "window_strides": ones(window_rank),
}


@cache
def defaults_of(mnemonic: str) -> Mapping[str, Default]:
    """The attributes in the portable form of an operation that StableHLO may leave out."""
    attributes = definition_of(stablehlo_class(mnemonic)).attributes
    conversions = conversions_of(mnemonic).items()
    sources = {part: name for name, conversion in conversions for part in conversion.names}
    return {
        name: DEFAULTS[name]
        for name in definition_of(REVISIONS[mnemonic][-1]).attributes
        if name in DEFAULTS and not attributes[sources.get(name, name)].required
    }
