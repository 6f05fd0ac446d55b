"""stablehlo-legalize-quant-to-math: quantized programs in integers and floats.

Quantized tensors become tensors of what is stored. Operations on them compute on floats between a
dequantization and a quantization, which are written out, each step rounded as the specification
says; so results have the same bits. Upstream merges scales, and multiplies matrices of integers:
its results may differ by one.

Source: StableHLO specification, "Quantization computations", uniform_quantize, uniform_dequantize,
``dequantize_op_quantize``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.stablehlo.broadcast_in_dim import BroadcastInDim
from stablemate.dialects.stablehlo.constant import Constant
from stablemate.dialects.stablehlo.dynamic_broadcast_in_dim import DynamicBroadcastInDim
from stablemate.dialects.stablehlo.uniform_dequantize import UniformDequantize
from stablemate.dialects.stablehlo.uniform_quantize import UniformQuantize
from stablemate.execution.observe.listener import CONTROL_FLOW
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.rewriter import Pattern, rewrite_module
from stablemate.ir.types import TensorType, UnrankedTensorType
from stablemate.numerics.elements import (
    F64,
    I64,
    IntegerType,
    QuantizedType,
    StorageError,
)
from stablemate.numerics.quantization import Parameters, parameters
from stablemate.transforms.chlo.arithmetic import (
    convert,
    is_nan,
    maximum,
    minimum,
    nearest_integer,
    where,
)
from stablemate.transforms.chlo.expressions import Formula, TensorExpression, literal
from stablemate.transforms.chlo.shapes import shape_of
from stablemate.transforms.chlo_legalize_to_stablehlo import PATTERNS as CHLO
from stablemate.transforms.decompositions.quantized import is_quantized, on_floats
from stablemate.transforms.retyping import Retyping, with_bits
from stablemate.transforms.stablehlo_legalize_quantized_op_to_qdq import (
    IS_FINITE,
    NAMES,
    left_alone,
)

# What else computes on quantized tensors, rather than moving their elements.
OTHERS: Final = frozenset(
    f"stablehlo.{name}"
    for name in ("dynamic_conv", "dynamic_iota", "einsum", "iota", "unary_einsum")
)
PATTERNS: Final[Mapping[str, Pattern]] = {
    **CHLO,
    **dict.fromkeys((*NAMES, IS_FINITE, *OTHERS), on_floats(left_alone)),
}
# What gives zeros to processes that nobody sends anything to: zero is stored as the zero point.
GIVES_ZEROS: Final = frozenset(
    f"stablehlo.{name}"
    for name in ("collective_broadcast", "collective_permute", "collective_reduce")
)


def legalize_quant_to_math(module: Module) -> Module:
    """The module without quantized tensors; itself if it has none.

    Raises:
        UnsupportedError: A region computes in another quantized type than it is handed, or a
            collective operation gives zeros that are not stored as 0.
    """
    if not any(names_quantized(operation) for operation in module.operation.walk()):
        return module
    for operation in module.operation.walk():
        refuse_unknown(operation)
    on_numbers = rewrite_module(module, PATTERNS)
    return module.with_operation(StorageLegalization().copy_operation(on_numbers.operation))


def refuse_unknown(operation: Operation) -> None:
    """Refuses what moves and combines quantized elements other than by what is stored.

    Raises:
        UnsupportedError: It does.
    """
    operand_elements = set(quantized_elements(operation.operands))
    if operation.name in GIVES_ZEROS and any(
        any(value_type.zero_points) for value_type in operand_elements
    ):
        message = f"{operation.name} gives zeros, which are stored as the zero point and not as 0"
        raise UnsupportedError(message, span=operation.span)
    if operation.name in CONTROL_FLOW or not operation.operands:
        return
    for region in operation.regions:
        for block in region.blocks:
            inside = set(quantized_elements(block.arguments))
            if inside - operand_elements:
                types = ", ".join(map(str, inside - operand_elements))
                message = f"the region of {operation.name} computes in {types}, unlike its operands"
                raise UnsupportedError(message, span=operation.span)


def quantized_elements(values: Iterable[Value]) -> Iterator[QuantizedType]:
    """The quantized element types of tensors."""
    for value in values:
        if is_quantized(value):
            yield value.type.element_type


def names_quantized(operation: Operation) -> bool:
    """Whether an operation has quantized operands, results or block arguments."""
    arguments = (
        argument
        for region in operation.regions
        for block in region.blocks
        for argument in block.arguments
    )
    values = (*operation.operands, *operation.results, *arguments)
    return any(storage_type(value.type) != value.type for value in values)


def storage_type(old: object) -> object:
    """The type of what is stored."""
    match old:
        case TensorType(element_type=QuantizedType(storage=storage)):
            return old.with_element(storage)
        case UnrankedTensorType(element_type=QuantizedType(storage=storage)):
            return UnrankedTensorType(storage)
        case _:
            return old


class StorageLegalization(Retyping):
    """Copies a module with tensors of what is stored."""

    def __init__(self) -> None:
        super().__init__(
            storage_type,
            {
                "stablehlo.uniform_dequantize": dequantize,
                "stablehlo.uniform_quantize": quantize,
            },
        )

    def copy_operation(self, operation: Operation) -> Operation:
        """A copy whose literals have the types of their constants."""
        copy = super().copy_operation(operation)
        literal = copy.attributes.get("value")
        if isinstance(copy, Constant) and isinstance(literal, DenseElementsAttribute):
            result_type = copy.results[0].type
            if isinstance(result_type, TensorType) and literal.type != result_type:
                data = with_bits(literal.data, result_type)
                copy.attributes["value"] = DenseElementsAttribute(result_type, data)
        return copy


def dequantize(operation: UniformDequantize, operands: list[Value], builder: Builder) -> Value:
    """``(operand - zero_point) * scale``: the difference exact, then rounded."""
    element = operation.operand.type.element_type
    return floats(Formula(builder, operands[0]), operands[0], element).value


def quantize(operation: UniformQuantize, operands: list[Value], builder: Builder) -> Value:
    """``round_nearest_even(clamp(low, operand / scale + zero_point, high))``; NaN becomes zero."""
    formula = Formula(builder, operands[0])
    old, new = operation.operand.type.element_type, operation.result.type.element_type
    assert isinstance(new, QuantizedType)
    x = floats(formula, operands[0], old)
    with_parameters = computed_parameters(new, operation.result.type.rank)
    narrow = new.expressed
    scaled = x / spread(formula, with_parameters.scales, narrow)
    if any(new.zero_points):
        scaled = scaled + spread(formula, with_parameters.shift, narrow)
    low, high = float(with_parameters.low), float(with_parameters.high)
    rounded = nearest_integer(minimum(maximum(scaled, low), high))
    rounded = where(is_nan(scaled), 0.0, rounded)
    storage = new.storage
    if isinstance(storage, IntegerType) and high > new.storage_max:  # rounded ends do not fit
        wide = convert(convert(rounded, F64), I64)
        bounded = minimum(maximum(wide, new.storage_min), new.storage_max)
        return convert(bounded, storage).value
    return convert(rounded, storage).value


def computed_parameters(element: QuantizedType, rank: int) -> Parameters:
    """Scales and zero points as arrays.

    Raises:
        UnsupportedError: No array holds numbers of the expressed type.
    """
    try:
        return parameters(element, rank)
    except StorageError as error:
        raise UnsupportedError(str(error)) from error


def floats(formula: Formula, value: Value, element: object) -> TensorExpression:
    """The dequantized value of a tensor; floats are returned as they are."""
    x = formula.of(value)
    if not isinstance(element, QuantizedType):
        return x
    with_parameters = computed_parameters(element, value.type.rank)
    exact = I64 if isinstance(element.storage, IntegerType) else F64
    if any(element.zero_points):
        zero_points = spread(formula, with_parameters.zero_points, exact)
        difference = convert(convert(x, exact) - zero_points, element.expressed)
    else:
        difference = convert(x, element.expressed)
    return difference * spread(formula, with_parameters.scales, element.expressed)


def spread(formula: Formula, values: Any, element: Any) -> TensorExpression:
    """Parameters of a type as a tensor of the shape that all have."""
    array = np.asarray(values).astype(element.dtype)
    if array.size == 1:
        return formula.fill(array.reshape(1), element)
    kept = [i for i, size in enumerate(array.shape) if size != 1]
    operand = literal(
        formula.builder,
        TensorType(tuple(array.shape[i] for i in kept), element),
        array.reshape([array.shape[i] for i in kept]),
    )
    result_type = formula.like.type.with_element(element)
    if result_type.is_static:
        return formula.create(
            BroadcastInDim, operand=operand, broadcast_dimensions=kept, results=[result_type]
        )
    return formula.create(
        DynamicBroadcastInDim,
        operand=operand,
        output_dimensions=shape_of(formula.builder, formula.like),
        broadcast_dimensions=kept,
        results=[result_type],
    )
