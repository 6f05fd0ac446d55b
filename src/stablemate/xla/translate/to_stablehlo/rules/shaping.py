"""Instructions that move elements: constants, broadcasts, slices, concatenations and their kind.

Source: XLA, operation semantics, the operations of the same names.
"""

from __future__ import annotations

from typing import Final

from stablemate.ir.attributes import ELIDED, DenseResourceAttribute, dense_elements
from stablemate.ir.core import Value
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import I32
from stablemate.xla.literal import Literal
from stablemate.xla.translate.to_stablehlo.step import Fields, Rules, TranslationStep, Values


def constant(step: TranslationStep) -> Values:
    """One ``constant`` for each leaf of the literal."""
    return [constant_leaf(step, leaf) for leaf in leaves(step.need("literal"))]


def leaves(literal: Literal) -> list[Literal]:
    """The parts of a literal that are no tuples, in order."""
    if not literal.shape.is_tuple:
        return [literal]
    return [leaf for element in literal.elements for leaf in leaves(element)]


def constant_leaf(step: TranslationStep, literal: Literal) -> Value[TensorType]:
    """Emits the constant of an array literal."""
    tensor = step.type_of(literal.shape)
    if not isinstance(tensor, TensorType):
        step.refuse("a constant is an array", shape=literal.shape)
    if literal.array is None:
        static = tensor.with_shape(literal.shape.dimensions)
        return step.one("stablehlo.constant", value=DenseResourceAttribute(ELIDED, static))
    static = TensorType(literal.array.shape, tensor.element_type)
    array = literal.array
    if array.size and not any(array.strides):  # one element in memory fills the array
        array = array[(slice(0, 1),) * array.ndim]
    value = dense_elements(static, array.astype(tensor.element_type.dtype, copy=False))
    constant = step.one("stablehlo.constant", value=value)
    for d, size in enumerate(literal.dynamic_sizes):
        if literal.shape.dynamic and literal.shape.dynamic[d]:
            fields: Fields = {"operand": constant, "size": step.constant(size, I32), "dimension": d}
            constant = step.one("stablehlo.set_dimension_size", **fields)
    return constant


def iota(step: TranslationStep) -> Values:
    """``iota``."""
    dimension = step.need("iota_dimension")
    results = [step.result_type]
    return [step.one("stablehlo.iota", results=results, iota_dimension=dimension)]


def broadcast(step: TranslationStep) -> Values:
    """``broadcast_in_dim``, without stretching; a scalar needs no dimensions."""
    operand, dimensions = step.array(0), step.get("dimensions", ())
    if step.shape is None and not operand.type.rank:
        return [operand]  # of a scalar the result is taken to be a scalar
    result = step.result_type
    broadcasted = step.one(
        "stablehlo.broadcast_in_dim",
        results=[result],
        operand=operand,
        broadcast_dimensions=dimensions,
    )
    for d, size in zip(dimensions, operand.type.shape, strict=True):
        if size != result.shape[d]:
            message = "dim(operand, i) = dim(result, dimensions[i])"
            step.refuse(message, operand=operand.type.shape, result=result.shape)
    return [broadcasted]


def reshape(step: TranslationStep) -> Values:
    """``reshape``."""
    return [step.one("stablehlo.reshape", results=[step.result_type], operand=step.array(0))]


def transpose(step: TranslationStep) -> Values:
    """``transpose``."""
    fields: Fields = {"operand": step.array(0), "permutation": step.need("dimensions")}
    return [step.one("stablehlo.transpose", **fields)]


def reverse(step: TranslationStep) -> Values:
    """``reverse``."""
    fields: Fields = {"operand": step.array(0), "dimensions": step.need("dimensions")}
    return [step.one("stablehlo.reverse", **fields)]


def concatenate(step: TranslationStep) -> Values:
    """``concatenate``."""
    fields: Fields = {"inputs": step.arrays(), "dimension": one_dimension(step)}
    return [step.one("stablehlo.concatenate", **fields)]


def one_dimension(step: TranslationStep) -> int:
    """The one number that ``dimensions`` holds."""
    dimensions: tuple[int, ...] = step.need("dimensions")
    if len(dimensions) != 1:
        step.refuse("dimensions holds one number", dimensions=list(dimensions))
    return dimensions[0]


def slice_(step: TranslationStep) -> Values:
    """``slice``."""
    dimensions = step.need("slice")
    return [
        step.one(
            "stablehlo.slice",
            operand=step.array(0),
            start_indices=[dimension.start for dimension in dimensions],
            limit_indices=[dimension.limit for dimension in dimensions],
            strides=[dimension.stride for dimension in dimensions],
        )
    ]


def pad(step: TranslationStep) -> Values:
    """``pad``."""
    dimensions = step.need("padding")
    return [
        step.one(
            "stablehlo.pad",
            operand=step.array(0),
            padding_value=step.array(1),
            edge_padding_low=[dimension.low for dimension in dimensions],
            edge_padding_high=[dimension.high for dimension in dimensions],
            interior_padding=[dimension.interior for dimension in dimensions],
        )
    ]


RULES: Final[Rules] = {
    "constant": constant,
    "iota": iota,
    "broadcast": broadcast,
    "reshape": reshape,
    "transpose": transpose,
    "reverse": reverse,
    "concatenate": concatenate,
    "slice": slice_,
    "pad": pad,
}
