"""Operations whose sizes are operands, as JAX writes them when shapes are known only at run time.

With the sizes at hand they are the static operations of the same names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from stablemate.diagnostics.errors import EvaluationError
from stablemate.dialects.refinement import refined_types
from stablemate.dialects.stablehlo.attributes import RngAlgorithm
from stablemate.dialects.stablehlo.reduce_window import ReduceWindow
from stablemate.dialects.stablehlo.return_ import Return
from stablemate.dialects.stablehlo.rng_bit_generator import RngBitGenerator
from stablemate.execution.allocation import reject_oversized
from stablemate.execution.custom_calls.call import (
    CallableComputation,
    Target,
    TargetCall,
    tensors_in,
)
from stablemate.ir.builder import create
from stablemate.ir.core import Block, Operation, Region, Value
from stablemate.ir.definition import Op
from stablemate.ir.rewriter import Rewriting
from stablemate.ir.types import TensorType, Type
from stablemate.ir.verifier import errors_in
from stablemate.numerics.elements import Array

WINDOW_OPERANDS: Final = 5  # sizes, strides, base dilations, window dilations, padding


def dynamic_rng_bit_generator(operands: Sequence[object], call: TargetCall) -> object:
    """rng_bit_generator whose output has the shape that is the second operand."""
    if len(operands) != 2 or len(call.result_types) != 2:
        raise call.error("a state and a shape give a state and numbers", operands=len(operands))
    algorithm = call.attributes.get("rng_algorithm")
    if not isinstance(algorithm, RngAlgorithm):
        raise call.error("the call has an rng_algorithm", rng_algorithm=algorithm)
    (shape,) = integers(operands[1:], call)
    state, output = tensor_types(call.result_types, call)
    (argument,) = arguments_like(operands[:1], call)
    operation = create(
        RngBitGenerator,
        rng_algorithm=algorithm,
        initial_state=argument,
        results=(state, output.with_shape(shape.reshape(-1).tolist())),
    )
    return evaluate_operation(operation, operands[:1], (), call)


def dynamic_reduce_window(operands: Sequence[object], call: TargetCall) -> object:
    """reduce_window whose windows are the last operands."""
    arrays, windows = operands[:-WINDOW_OPERANDS], operands[-WINDOW_OPERANDS:]
    count = len(arrays) // 2
    if not count or len(arrays) != 2 * count or len(call.computations) != 1:
        raise call.error("inputs, as many initial values, and windows", operands=len(operands))
    reducer = call.computations[0]
    sizes, strides, base_dilations, window_dilations, padding = integers(windows, call)
    arguments = arguments_like(arrays, call)
    operation = create(
        ReduceWindow,
        inputs=arguments[:count],
        init_values=arguments[count:],
        window_dimensions=sizes.reshape(-1).tolist(),
        window_strides=strides.reshape(-1).tolist(),
        base_dilations=base_dilations.reshape(-1).tolist(),
        window_dilations=window_dilations.reshape(-1).tolist(),
        padding=padding.reshape(-1, 2).tolist() if padding.size % 2 == 0 else padding.tolist(),
        regions=(region_of(reducer),),
        results=call.result_types,
    )
    return evaluate_operation(operation, arrays, (reducer,), call)


def integers(values: Sequence[object], call: TargetCall) -> list[Array]:
    """Returns the operands that hold sizes; others than integer tensors are an error."""
    arrays = tensors_in(values)
    if len(arrays) != len(values) or any(array.dtype.kind not in "iu" for array in arrays):
        types = ", ".join(map(str, call.operand_types))
        raise call.error("sizes are tensors of integers", operands=types)
    return arrays


def tensor_types(types: Sequence[Type], call: TargetCall) -> list[TensorType]:
    """Types that are those of tensors."""
    tensors = [value_type for value_type in types if isinstance(value_type, TensorType)]
    if len(tensors) != len(types):
        raise call.error("operands and results are tensors", types=", ".join(map(str, types)))
    return tensors


def arguments_like(arrays: Sequence[Any], call: TargetCall) -> tuple[Value[TensorType], ...]:
    """Values of the types that some first operands have at run time."""
    declared = tensor_types(call.operand_types[: len(arrays)], call)
    pairs = zip(declared, arrays, strict=True)
    return Block([tensor_type.with_shape(array.shape) for tensor_type, array in pairs]).arguments


def region_of(computation: CallableComputation) -> Region:
    """A copy of a function's body that ends as regions do."""
    region = Rewriting({}).copied_region(computation.body)
    block = region.block
    if not isinstance(block.terminator, Return):
        results = block.operations.pop().operands
        block.append(create(Return, values=results))
    return region


def evaluate_operation(
    operation: Operation,
    operands: Sequence[object],
    regions: Sequence[CallableComputation],
    call: TargetCall,
) -> object:
    """The results of an operation.

    Raises:
        EvaluationError: It breaks a rule of the specification.
        LimitError: A result is larger than the limits of the run allow.
    """
    findings = errors_in(operation)
    if findings:
        raise EvaluationError(findings)
    assert isinstance(operation, Op)
    for value_type in refined_types(operation):
        reject_oversized(value_type, call.limits, None)
    return operation.prepare(regions)(*operands)


TARGETS: Final[Mapping[str, Target]] = {
    "stablehlo.dynamic_reduce_window": dynamic_reduce_window,
    "stablehlo.dynamic_rng_bit_generator": dynamic_rng_bit_generator,
}
