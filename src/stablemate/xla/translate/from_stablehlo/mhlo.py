"""Operations of MHLO that are instructions of HLO, and have no counterpart in StableHLO.

Source: MHLO dialect; XLA, operation semantics.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from stablemate.dialects.mhlo.asynchronous import AsyncDone, AsyncStart, AsyncUpdate
from stablemate.dialects.mhlo.operations import (
    Bitcast,
    Copy,
    Domain,
    Fusion,
    RngGetAndUpdateState,
    TopK,
)
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Operation
from stablemate.xla import values
from stablemate.xla.layout import Layout
from stablemate.xla.shape import Shape
from stablemate.xla.translate.from_stablehlo.body import BuiltInstruction, ComputationBuilder
from stablemate.xla.translate.from_stablehlo.metadata import sharding_in
from stablemate.xla.translate.from_stablehlo.processes import CONTEXT
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.translate.from_stablehlo.reduction import several
from stablemate.xla.translate.from_stablehlo.regions import captured_values, finish, results
from stablemate.xla.translate.from_stablehlo.shaping import plain
from stablemate.xla.types import shape_of


def copy(body: ComputationBuilder, operation: Copy) -> BuiltInstruction:
    """``copy``."""
    index = operation.cross_program_prefetch_index
    attributes = {"cross_program_prefetch_index": index}
    return body.emit(
        "copy", body.shape(operation.result), body.all_nodes(operation.operands), attributes
    )


def fusion(body: ComputationBuilder, operation: Fusion) -> list[BuiltInstruction]:
    """``fusion``; values from outside become parameters."""
    region = operation.fused_computation
    outside = captured_values([region])
    inner = ComputationBuilder(body.program, operation=body.operation)
    for number, value in enumerate((*region.block.arguments, *outside)):
        inner.parameter(value, number)
    calls = finish(inner, inner.pack(results(inner, region.block)))
    operands = body.all_nodes((*operation.operands, *outside))
    attributes = {"kind": operation.fusion_kind or "kLoop", "calls": calls}
    return several(body, "fusion", operation, attributes, operands)


def top_k(body: ComputationBuilder, operation: TopK) -> list[BuiltInstruction]:
    """``topk``."""
    attributes = {"k": operation.k, "largest": operation.largest}
    return several(body, "topk", operation, attributes)


def random_state(body: ComputationBuilder, operation: RngGetAndUpdateState) -> BuiltInstruction:
    """``rng-get-and-update-state``."""
    attributes = {"delta": operation.delta}
    return body.emit("rng-get-and-update-state", body.shape(operation.result), (), attributes)


def domain(body: ComputationBuilder, operation: Domain) -> list[BuiltInstruction]:
    """``domain``; without a reader of shardings the operand."""
    operands = body.all_nodes(operation.operands)
    entry, leave = (
        sharding_in(body.program, name, operation.attributes[name], operation.span)
        for name in ("entry_metadata", "exit_metadata")
    )
    if entry is None or leave is None:
        return operands
    attributes = {"domain": values.HloDomain("sharding", entry, leave)}
    return [body.emit("domain", body.shape(operation.result), operands, attributes)]


def bitcast(body: ComputationBuilder, operation: Bitcast) -> BuiltInstruction:
    """``bitcast``, of a copy in another layout if it states that of its operand."""
    operand = body.node(operation.operand)
    source = in_layout(operand.shape, operation, "source_layout")
    if source != operand.shape:
        operand = body.emit("copy", source, [operand])
    result = in_layout(body.shape(operation.result), operation, "result_layout")
    return body.emit("bitcast", result, [operand])


def in_layout(shape: Shape, operation: Operation, name: str) -> Shape:
    """A shape with the layout that an attribute of a bitcast states."""
    order = operation.discardable.get(name)
    if not isinstance(order, DenseElementsAttribute):
        return shape
    return replace(shape, layout=Layout(tuple(order.array.reshape(-1).tolist())))


def async_start(body: ComputationBuilder, operation: AsyncStart) -> BuiltInstruction:
    """``async-start`` of the computation of a function."""
    operands = body.all_nodes(operation.operands)
    callee = body.function(operation.called_computation)
    inputs = Shape.tuple_of([operand.shape for operand in operands])
    contexts = [shape_of(context) for context in operation.result.type.types[2:]]
    shape = Shape.tuple_of([inputs, callee.result.shape, *(contexts or [CONTEXT])])
    attributes = {"calls": callee.name, "async_execution_thread": operation.execution_thread}
    return body.emit("async-start", shape, operands, attributes)


def async_update(body: ComputationBuilder, operation: AsyncUpdate) -> BuiltInstruction:
    """``async-update``."""
    bundle = body.node(operation.bundle)
    return body.emit("async-update", bundle.shape, [bundle])


def async_done(body: ComputationBuilder, operation: AsyncDone) -> list[BuiltInstruction]:
    """``async-done``."""
    bundle = body.node(operation.bundle)
    done = body.emit("async-done", bundle.shape.elements[1], [bundle])
    return body.unpack(done, len(operation.results))


RULES: Final[dict[str, Rule]] = {
    "mhlo.add_dependency": plain("add-dependency"),
    "mhlo.async_done": async_done,
    "mhlo.async_start": async_start,
    "mhlo.async_update": async_update,
    "mhlo.bitcast": bitcast,
    "mhlo.copy": copy,
    "mhlo.domain": domain,
    "mhlo.fusion": fusion,
    "mhlo.stochastic_convert": plain("stochastic-convert"),
    "mhlo.topk": top_k,
    "mhlo.xla.rng_get_and_update_state": random_state,
}
