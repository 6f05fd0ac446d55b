"""hlo-legalize-to-stablehlo: operations of MHLO without counterparts, by what they compute.

Those that hand on a value, or run a part of the program, vanish. Others are what the HLO
instruction of the same name is in StableHLO. Reading has translated all operations that have
counterparts.

Source: MHLO dialect; XLA, operation semantics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.func import Call
from stablemate.dialects.mhlo.asynchronous import AsyncDone, AsyncStart
from stablemate.dialects.mhlo.operations import (
    AllToAll,
    Fusion,
)
from stablemate.dialects.mhlo.operations import Bitcast as MhloBitcast
from stablemate.dialects.mhlo.operations import TopK as MhloTopK
from stablemate.dialects.stablehlo.all_to_all import AllToAll as StablehloAllToAll
from stablemate.dialects.stablehlo.concatenate import Concatenate
from stablemate.dialects.stablehlo.get_tuple_element import GetTupleElement
from stablemate.dialects.stablehlo.reshape import Reshape
from stablemate.dialects.stablehlo.slice import Slice
from stablemate.dialects.stablehlo.tuple import Tuple
from stablemate.ir.builder import Builder
from stablemate.ir.core import Module, Operation, Value
from stablemate.ir.rewriter import Pattern, Replacement, rewrite_module
from stablemate.ir.types import TensorType, TupleType
from stablemate.transforms.decompositions.random_state import random_state_patterns
from stablemate.xla.shape import Shape
from stablemate.xla.translate.from_stablehlo.mhlo import in_layout
from stablemate.xla.translate.to_stablehlo.rules.bitcasts import bitcast
from stablemate.xla.translate.to_stablehlo.rules.expansions import stochastic_convert
from stablemate.xla.translate.to_stablehlo.rules.reduction import top_k
from stablemate.xla.translate.to_stablehlo.signatures import Signatures
from stablemate.xla.translate.to_stablehlo.step import StepOperand, TranslationStep, Values
from stablemate.xla.types import shape_of

Rule: TypeAlias = Callable[[TranslationStep], Values]


def legalize(module: Module) -> Module:
    """The module without operations of MHLO, but of those that compute shapes of dynamic rank."""
    return rewrite_module(module, {**PATTERNS, **random_state_patterns()})


def handed_on(operation: Operation, builder: Builder) -> Replacement:
    """Replaces an operation by its first operand."""
    return operation.operands[0]


def remove_operation(operation: Operation, builder: Builder) -> Replacement:
    """Nothing, for an operation without results."""
    return ()


def fusion(operation: Fusion, builder: Builder) -> Replacement:
    """The operations of the region in the place of the fusion."""
    block = operation.fused_computation.block
    values: dict[Value, Value] = dict(zip(block.arguments, operation.operands, strict=True))
    for inner in operation.walk():
        inner.operands = tuple(values.get(value, value) for value in inner.operands)
    for inner in block.operations[:-1]:
        builder.block.append(inner)
    return block.terminator.operands


def instruction(
    opcode: str,
    rule: Rule,
    attributes: Mapping[str, object],
    shapes: tuple[list[Shape], list[Shape]],
    operation: Operation,
    builder: Builder,
) -> Values:
    """The operations of StableHLO that replace an HLO instruction.

    Args:
        opcode: The opcode.
        rule: Its rule.
        attributes: Its attributes.
        shapes: The shapes of the operands and of the results.
        operation: The operation that means the same.
        builder: Creates the operations.

    Raises:
        UnsupportedError: A size is not known: HLO has no sizes without bounds.
    """
    reject_unknown_sizes(operation)
    operand_shapes, results = shapes
    operands = [
        StepOperand(shape, (value,))
        for shape, value in zip(operand_shapes, operation.operands, strict=True)
    ]
    result = results[0] if len(results) == 1 else Shape.tuple_of(results)
    scope = Signatures({}, 1, 1)
    step = TranslationStep(
        opcode,
        operands,
        attributes,
        result,
        builder.block,
        scope,
        location=builder.location,
        span=builder.span,
    )
    return rule(step)


def reject_unknown_sizes(operation: Operation) -> None:
    """Rejects an operation with a tensor whose sizes are not known.

    Raises:
        UnsupportedError: There is one.
    """
    for value in (*operation.operands, *operation.results):
        if isinstance(value.type, TensorType) and not value.type.is_static:
            message = f"{operation.name} needs known sizes; refine the shapes of the program first"
            raise UnsupportedError(message, span=operation.span)


def shapes_of(operation: Operation) -> tuple[list[Shape], list[Shape]]:
    """The shapes of operands and results in the default layout."""
    operands = [shape_of(value.type) for value in operation.operands]
    return operands, [shape_of(value.type) for value in operation.results]


def stochastically_converted(operation: Operation, builder: Builder) -> Replacement:
    """``stochastic-convert``."""
    shapes = shapes_of(operation)
    return instruction("stochastic-convert", stochastic_convert, {}, shapes, operation, builder)


def smallest_elements(operation: MhloTopK, builder: Builder) -> Replacement:
    """``topk`` of the smallest elements."""
    attributes = {"k": operation.k, "largest": operation.largest}
    return instruction("topk", top_k, attributes, shapes_of(operation), operation, builder)


def reread(operation: MhloBitcast, builder: Builder) -> Replacement:
    """``bitcast``."""
    (operand,), (result,) = shapes_of(operation)
    shapes = (
        [in_layout(operand, operation, "source_layout")],
        [in_layout(result, operation, "result_layout")],
    )
    return instruction("bitcast", bitcast, {}, shapes, operation, builder)


def translate_async_start(operation: AsyncStart, builder: Builder) -> Replacement:
    """The call, its results in a tuple."""
    results = operation.result.type.types[1]
    types = results.types if isinstance(results, TupleType) else (results,)
    call = builder.create(
        Call, callee=operation.called_computation, inputs=operation.operands, results=types
    )
    return builder.create(Tuple, val=call.results).results


def translate_async_done(operation: AsyncDone, builder: Builder) -> Replacement:
    """The elements of the tuple.

    Raises:
        UnsupportedError: The bundle does not come from a start in the same function.
    """
    bundle: Value[TensorType] = operation.operands[0]
    if not isinstance(bundle.type, TupleType):
        raise UnsupportedError("the call was not started in this function", span=operation.span)
    return [
        builder.create(GetTupleElement, operand=bundle, index=i).results[0]
        for i in range(len(operation.results))
    ]


def translate_all_to_all(operation: AllToAll, builder: Builder) -> Replacement:
    """``all_to_all`` of the operands in one tensor."""
    operands: tuple[Value[TensorType], ...] = operation.operands
    count, tensor = len(operands), operands[0].type
    row = tensor.with_shape((1, *tensor.shape))
    rows = [builder.create(Reshape, operand=value, results=[row]).results[0] for value in operands]
    joined = builder.create(Concatenate, inputs=rows, dimension=0)
    exchange = builder.create(
        StablehloAllToAll,
        operands=joined.results,
        split_dimension=0,
        concat_dimension=0,
        split_count=count,
        replica_groups=operation.replica_groups,
        channel_handle=operation.channel_handle,
    ).results[0]
    return [part_of(exchange, i, tensor, builder) for i in range(count)]


def part_of(
    value: Value[TensorType], number: int, tensor: TensorType, builder: Builder
) -> Value[TensorType]:
    """Row ``number`` of a tensor, as a tensor of one dimension less."""
    rest = tensor.shape
    row = builder.create(
        Slice,
        operand=value,
        start_indices=[number, *(0 for _ in rest)],
        limit_indices=[number + 1, *rest],
        strides=[1, *(1 for _ in rest)],
    )
    return builder.create(Reshape, operand=row.results[0], results=[tensor]).results[0]


PATTERNS: Final[Mapping[str, Pattern]] = {
    "mhlo.copy": handed_on,
    "mhlo.add_dependency": handed_on,
    "mhlo.domain": handed_on,
    "mhlo.trace": remove_operation,
    "mhlo.fusion": fusion,
    "mhlo.bitcast": reread,
    "mhlo.stochastic_convert": stochastically_converted,
    "mhlo.topk": smallest_elements,
    "mhlo.all_to_all": translate_all_to_all,
    "mhlo.async_start": translate_async_start,
    "mhlo.async_update": handed_on,
    "mhlo.async_done": translate_async_done,
}
