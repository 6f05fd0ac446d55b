"""Translates control flow, calls, tuples and random numbers.

Source: StableHLO specification, control flow ops; XLA, operation semantics, While, Conditional,
Call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from stablemate.dialects.func import Call
from stablemate.dialects.mhlo.frontend_attributes import frontend_texts
from stablemate.dialects.stablehlo.case import Case
from stablemate.dialects.stablehlo.composite import Composite
from stablemate.dialects.stablehlo.get_tuple_element import GetTupleElement
from stablemate.dialects.stablehlo.if_ import If
from stablemate.dialects.stablehlo.optimization_barrier import OptimizationBarrier
from stablemate.dialects.stablehlo.rng import Rng
from stablemate.dialects.stablehlo.rng_bit_generator import RngBitGenerator
from stablemate.dialects.stablehlo.while_ import While
from stablemate.ir.core import Operation, OpResult, Region, Value
from stablemate.ir.types import Type
from stablemate.xla.shape import TOKEN_SHAPE, Shape
from stablemate.xla.translate.from_stablehlo.body import (
    BuiltInstruction,
    ComputationBuilder,
    is_constant,
)
from stablemate.xla.translate.from_stablehlo.metadata import (
    CONFIG,
    operation_sharding,
    sharding_for,
)
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.translate.from_stablehlo.reduction import several
from stablemate.xla.translate.from_stablehlo.regions import captured_values, finish, results


def from_outside(regions: Sequence[Region]) -> list[Value[Type]]:
    """The values that regions use and cannot compute themselves."""
    return [
        value
        for value in captured_values(regions)
        if not (isinstance(value, OpResult) and is_constant(value))
    ]


def while_(body: ComputationBuilder, operation: While) -> list[BuiltInstruction]:
    """``while``: its state is a tuple; values from outside become parts that never change."""
    outer = from_outside(operation.regions)
    state = body.tuple(body.all_nodes((*operation.operands, *outer)))
    count = len(operation.operands)
    names: list[str] = []
    for region, is_body in ((operation.cond, False), (operation.body, True)):
        inner = ComputationBuilder(body.program, operation=operation)
        parts = inner.parts(inner.parameter_of(state.shape, 0))
        inner.nodes.update(zip((*region.block.arguments, *outer), parts, strict=True))
        carried = len(inner.instructions)
        nodes = results(inner, region.block)
        root = inner.tuple([*nodes, *parts[count:]]) if is_body else nodes[0]
        shard_state(inner, operation, [*range(carried), *([-1] if is_body else [])])
        names.append(finish(inner, root))
    attributes = {"condition": names[0], "body": names[1]}
    return body.parts(body.emit("while", state.shape, [state], attributes))[:count]


def shard_state(inner: ComputationBuilder, operation: While, numbers: Sequence[int]) -> None:
    """Gives the state of a loop, in its condition or body, the sharding of the loop.

    Args:
        inner: The computation.
        operation: The loop.
        numbers: Which of its instructions are the state and its parts.
    """
    sharding = operation_sharding(inner.program, operation)
    if sharding is None:
        return
    for number in numbers:
        instruction = inner.instructions[number]
        part = sharding_for(sharding, instruction)
        if part is not None:
            attributes = {**instruction.attributes, "sharding": part}
            inner.instructions[number] = replace(instruction, attributes=attributes)


def if_(body: ComputationBuilder, operation: If) -> list[BuiltInstruction]:
    """Emits a ``conditional`` that selects by a predicate."""
    keys = ("true_computation", "false_computation")
    names, operands = branches(body, operation, operation.regions)
    return translate_case(body, operation, operands, dict(zip(keys, names, strict=True)))


def case(body: ComputationBuilder, operation: Case) -> list[BuiltInstruction]:
    """Emits a ``conditional`` that selects by an index."""
    names, operands = branches(body, operation, operation.regions)
    return translate_case(body, operation, operands, {"branch_computations": tuple(names)})


def branches(
    body: ComputationBuilder, operation: Operation, regions: Sequence[Region]
) -> tuple[list[str], list[BuiltInstruction]]:
    """The computations of branches and their operands: the values that they use, packed."""
    names: list[str] = []
    operands: list[BuiltInstruction] = []
    for region in regions:
        outer = from_outside([region])
        operand = body.pack(body.all_nodes(outer))
        inner = ComputationBuilder(body.program, operation=operation)
        parts = inner.unpack(inner.parameter_of(operand.shape, 0), len(outer))
        inner.nodes.update(zip(outer, parts, strict=True))
        names.append(finish(inner, inner.pack(results(inner, region.block))))
        operands.append(operand)
    return names, operands


def translate_case(
    body: ComputationBuilder,
    operation: Operation,
    operands: Sequence[BuiltInstruction],
    attributes: dict[str, object],
) -> list[BuiltInstruction]:
    """``conditional``."""
    shape = packed_shape(body, operation)
    choice = body.node(operation.operands[0])
    conditional = body.emit("conditional", shape, [choice, *operands], attributes)
    return body.unpack(conditional, len(operation.results))


def packed_shape(body: ComputationBuilder, operation: Operation) -> Shape:
    """The shape of the results: of one its own, of several or none a tuple."""
    shapes = [body.shape(result) for result in operation.results]
    return shapes[0] if len(shapes) == 1 else Shape.tuple_of(shapes)


def call(body: ComputationBuilder, operation: Call) -> list[BuiltInstruction]:
    """``call``; its configuration is a frontend attribute."""
    config = frontend_texts(operation.discardable).get(CONFIG)
    return function_call(body, operation, operation.callee, {CONFIG: config})


def function_call(
    body: ComputationBuilder, operation: Operation, symbol: str, attributes: dict[str, object]
) -> list[BuiltInstruction]:
    """``call`` of the computation of a function."""
    name = body.function(symbol).name
    operands = body.all_nodes(operation.operands)
    shape = packed_shape(body, operation)
    call = body.emit("call", shape, operands, {"to_apply": name, **attributes})
    return body.unpack(call, len(operation.results))


def composite(body: ComputationBuilder, operation: Composite) -> list[BuiltInstruction]:
    """``call`` of the decomposition, with the composite in frontend attributes."""
    notes = {
        "composite.attributes": str(operation.composite_attributes),
        "composite.name": operation.composite_name,
        "composite.version": str(operation.version),
    }
    attributes: dict[str, object] = {"is_composite": True, "frontend_attributes": notes}
    return function_call(body, operation, operation.decomposition, attributes)


def optimization_barrier(
    body: ComputationBuilder, operation: OptimizationBarrier
) -> list[BuiltInstruction]:
    """Emits one ``opt-barrier`` of all values, which are packed if there are several."""
    operand = body.pack(body.all_nodes(operation.operands))
    barrier = body.emit("opt-barrier", operand.shape, [operand])
    return body.unpack(barrier, len(operation.operands))


def tuple_(body: ComputationBuilder, operation: Operation) -> BuiltInstruction:
    """``tuple``."""
    return body.tuple(body.all_nodes(operation.operands))


def get_tuple_element(body: ComputationBuilder, operation: GetTupleElement) -> BuiltInstruction:
    """``get-tuple-element``."""
    return body.part(body.node(operation.operand), operation.index)


def after_all(body: ComputationBuilder, operation: Operation) -> BuiltInstruction:
    """``after-all``."""
    return body.emit("after-all", TOKEN_SHAPE, body.all_nodes(operation.operands))


def rng(body: ComputationBuilder, operation: Rng) -> BuiltInstruction:
    """``rng``; the shape is that of the result."""
    word = f"rng_{operation.rng_distribution.value.lower()}"
    operands = body.all_nodes(operation.operands[:2])
    return body.emit("rng", body.shape(operation.results[0]), operands, {"distribution": word})


def hint(body: ComputationBuilder, operation: Operation) -> list[BuiltInstruction]:
    """The operand: how Shardy would divide it changes no value, and has no form here."""
    body.program.losses.add(operation.name, "program", operation.span)
    return body.all_nodes(operation.operands[: len(operation.results)])


HINTS: Final = (
    *("sharding_constraint", "reshard", "propagation_barrier", "sharding_group"),
    *("data_flow_edge", "func_data_flow_edge"),
)
RNG_ALGORITHMS: Final = {
    "DEFAULT": "rng_default",
    "THREE_FRY": "rng_three_fry",
    "PHILOX": "rng_philox",
}


def rng_bit_generator(
    body: ComputationBuilder, operation: RngBitGenerator
) -> list[BuiltInstruction]:
    """``rng-bit-generator``."""
    word = RNG_ALGORITHMS[operation.rng_algorithm.value]
    return several(body, "rng-bit-generator", operation, {"algorithm": word})


RULES: Final[dict[str, Rule]] = {
    "func.call": call,
    "stablehlo.while": while_,
    "stablehlo.if": if_,
    "stablehlo.case": case,
    "stablehlo.composite": composite,
    "stablehlo.optimization_barrier": optimization_barrier,
    "stablehlo.tuple": tuple_,
    "stablehlo.get_tuple_element": get_tuple_element,
    "stablehlo.after_all": after_all,
    "stablehlo.create_token": after_all,
    **{f"sdy.{name}": hint for name in HINTS},
    "stablehlo.rng": rng,
    "stablehlo.rng_bit_generator": rng_bit_generator,
}
