"""Instructions that call a computation for elements: reductions, maps, sorts, scans.

Source: XLA, operation semantics, Reduce, SelectAndScatter, Map, Sort, TopK.
"""

from __future__ import annotations

import dataclasses
from typing import Final

from stablemate.dialects.stablehlo.attributes import (
    ComparisonDirection,
    ComparisonType,
    GatherDimensionNumbers,
)
from stablemate.ir.core import Region
from stablemate.ir.definition import RESULT_SEGMENT_SIZES
from stablemate.ir.kinds import I32_ARRAY
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I32, FloatType
from stablemate.xla.translate.to_stablehlo.rules.shaping import one_dimension
from stablemate.xla.translate.to_stablehlo.rules.window_reductions import inputs_and_init_values
from stablemate.xla.translate.to_stablehlo.step import (
    AnyValue,
    Fields,
    Rules,
    TranslationStep,
    Values,
)
from stablemate.xla.translate.to_stablehlo.windows import fields_of, windows


def reduce(step: TranslationStep) -> Values:
    """``reduce``."""
    inputs, init_values = inputs_and_init_values(step)
    fields: Fields = {
        "inputs": inputs,
        "init_values": init_values,
        "dimensions": sorted(step.need("dimensions")),
        "regions": [step.region("to_apply")],
    }
    return step.emit("stablehlo.reduce", **fields).results


def select_and_scatter(step: TranslationStep) -> Values:
    """``select_and_scatter``."""
    operand = step.array(0)
    moves = fields_of(windows(step, operand.type.rank))
    fields: Fields = {
        "operand": operand,
        "source": step.array(1),
        "init_value": step.array(2),
        "window_dimensions": moves.sizes,
        "window_strides": moves.strides,
        "padding": moves.padding,
        "regions": [step.region("select"), step.region("scatter")],
    }
    return [step.one("stablehlo.select_and_scatter", **fields)]


def map_(step: TranslationStep) -> Values:
    """``map``; along all dimensions where none are named."""
    inputs = step.arrays()
    rank = inputs[0].type.rank if inputs else 0
    fields: Fields = {
        "inputs": inputs,
        "dimensions": step.get("dimensions", tuple(range(rank))),
        "regions": [step.region("to_apply")],
    }
    return [step.one("stablehlo.map", **fields)]


def sort(step: TranslationStep) -> Values:
    """``sort``."""
    fields: Fields = {
        "inputs": step.arrays(),
        "dimension": one_dimension(step),
        "is_stable": step.get("is_stable", False),
        "regions": [step.region("to_apply")],
    }
    return step.emit("stablehlo.sort", **fields).results


def scan(step: TranslationStep) -> Values:
    """CHLO's ``scan``: the last operands are the first carries."""
    operands, carries = step.arrays(), step.need("num_carries")
    if not 0 <= carries <= len(operands):
        step.refuse("0 <= num_carries <= operands", num_carries=carries, operands=len(operands))
    border = len(operands) - carries
    fields: Fields = {
        "inputs": operands[:border],
        "inits": operands[border:],
        "dimension": one_dimension(step),
        "is_reverse": step.get("is_reverse", False),
        "is_associative": step.get("is_associative", None),
        "regions": [step.region("to_apply")],
    }
    if not border:
        fields["scan_dim_size"] = scan_size(step)
    operation = step.emit("chlo.scan", **fields)
    outputs = len(operation.results) - carries
    operation.attributes[RESULT_SEGMENT_SIZES] = I32_ARRAY.attribute([outputs, carries])
    return operation.results


def scan_size(step: TranslationStep) -> int | None:
    """How many steps a scan without inputs has, as its outputs say."""
    sizes = [
        leaf.dimensions[one_dimension(step)]
        for _, leaf in step.declared_shape.leaves()
        if leaf.rank > one_dimension(step)
    ]
    return next(iter(sizes), None)


def top_k(step: TranslationStep) -> Values:
    """CHLO's ``top_k``; for the smallest elements a sort that keeps the order of equal ones."""
    operand, k = step.array(0), step.need("k")
    if step.get("largest", True):
        return step.emit("chlo.top_k", operand=operand, k=k).results
    last = operand.type.rank - 1
    if last < 0:
        step.refuse("0 < rank(operand)", rank=operand.type.rank)
    positions = step.one(
        "stablehlo.iota", results=[operand.type.with_element(I32)], iota_dimension=last
    )
    fields: Fields = {
        "inputs": [operand, positions],
        "dimension": last,
        "is_stable": True,
        "regions": [ascending(step, operand.type)],
    }
    sizes = (*operand.type.shape[:-1], k)
    return [
        step.one(
            "stablehlo.slice",
            operand=result,
            start_indices=[0] * operand.type.rank,
            limit_indices=sizes,
            strides=[1] * operand.type.rank,
        )
        for result in step.emit("stablehlo.sort", **fields).results
    ]


def ascending(step: TranslationStep, tensor: TensorType) -> Region:
    """The comparator "less than" of the first of two pairs; floats are in their total order."""
    scalar, index = tensor.with_shape(()), TensorType((), I32)
    kind = ComparisonType.TOTALORDER if isinstance(tensor.element_type, FloatType) else None

    def less(inner: TranslationStep, lhs: AnyValue, rhs: AnyValue, *_: AnyValue) -> Values:
        direction = ComparisonDirection.LT
        fields: Fields = {"comparison_direction": direction, "compare_type": kind}
        return [inner.one("stablehlo.compare", lhs=lhs, rhs=rhs, **fields)]

    return step.body([scalar, scalar, index, index], less)


def gather(step: TranslationStep) -> Values:
    """``gather``."""
    names = [field.name for field in dataclasses.fields(GatherDimensionNumbers)]
    step.need("index_vector_dim")
    numbers: Fields = {name: step.get(name, ()) for name in names}
    fields: Fields = {
        "operand": step.array(0),
        "start_indices": step.array(1),
        "dimension_numbers": GatherDimensionNumbers(**numbers),
        "slice_sizes": step.need("slice_sizes"),
        "indices_are_sorted": step.get("indices_are_sorted", False),
    }
    return [step.one("stablehlo.gather", **fields)]


RULES: Final[Rules] = {
    "reduce": reduce,
    "select-and-scatter": select_and_scatter,
    "map": map_,
    "sort": sort,
    "scan": scan,
    "topk": top_k,
    "gather": gather,
}
