"""Custom calls, and operations that run beside the program.

Source: StableHLO specification, custom_call, async_start, async_done; XLA, operation semantics,
CustomCall.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from stablemate.dialects.stablehlo.async_ import AsyncDone, AsyncStart
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.attributes import DictionaryAttribute, IntegerAttribute, StringAttribute
from stablemate.ir.kinds import SI64_MATRIX
from stablemate.ir.types import Attribute
from stablemate.xla.layout import Layout
from stablemate.xla.shape import Shape
from stablemate.xla.translate.elementwise_names import CHLO
from stablemate.xla.translate.from_stablehlo.body import BuiltInstruction, ComputationBuilder
from stablemate.xla.translate.from_stablehlo.control import packed_shape
from stablemate.xla.translate.from_stablehlo.processes import CONTEXT
from stablemate.xla.translate.from_stablehlo.program import Rule
from stablemate.xla.translate.from_stablehlo.reduction import several
from stablemate.xla.translate.from_stablehlo.regions import computation
from stablemate.xla.values import ListedGroups, OutputOperandAlias

VERSIONS: Final = {
    2: "API_VERSION_STATUS_RETURNING",
    3: "API_VERSION_STATUS_RETURNING_UNIFIED",
    4: "API_VERSION_TYPED_FFI",
}
ORIGINAL: Final = 1
TYPED_FFI: Final = 4
SCHEDULED: Final = "custom_call_schedule"
SCHEDULE: Final = re.compile(r"#mhlo<custom_call_schedule (NONE|EARLIEST|LATEST)>")
OLD_CONFIG: Final = "mhlo.backend_config"
ATTRIBUTES: Final = "mhlo.attributes"  # of operations that only MHLO has, as custom calls
ELEMENTWISE: Final = frozenset(name.replace("chlo.", "mhlo.") for name in CHLO)


def custom_call(body: ComputationBuilder, operation: CustomCall) -> list[BuiltInstruction]:
    """``custom-call``, or the instruction that a call encodes."""
    target = operation.call_target_name
    if target in ELEMENTWISE:
        return several(body, target.removeprefix("mhlo."), operation, {})
    if target == "mhlo.topk":
        return top_k(body, operation)
    if target == "ragged_all_to_all":
        return ragged_all_to_all(body, operation)
    config, version = configuration(body, operation)
    attributes = {
        "custom_call_target": target,
        "operand_layout_constraints": constraints(body, operation),
        "called_computations": tuple(
            body.function(str(called_computation).removeprefix("@")).name
            for called_computation in operation.called_computations
        )
        or None,
        "custom_call_has_side_effect": operation.has_side_effect,
        "output_to_operand_aliasing": aliases(operation),
        "api_version": VERSIONS.get(version),
        "backend_config": config or None,
        "schedule": schedule(body, operation),
    }
    shape = result_shape(packed_shape(body, operation), operation.result_layouts)
    call = body.emit("custom-call", shape, body.all_nodes(operation.operands), attributes)
    return body.unpack(call, len(operation.results))


def schedule(body: ComputationBuilder, operation: CustomCall) -> str | None:
    """When the call is to run, as MHLO states it."""
    stated = operation.discardable.get(SCHEDULED)
    if stated is None:
        return None
    match = SCHEDULE.fullmatch(str(stated))
    if match is None:
        body.program.losses.add(SCHEDULED, "custom call", operation.span, stated)
    return None if match is None or match[1] == "NONE" else f"SCHEDULE_{match[1]}"


def configuration(body: ComputationBuilder, operation: CustomCall) -> tuple[str, int]:
    """``backend_config`` as text, and the version of the interface.

    Older programs have the dictionary of a typed call beside an empty string.
    """
    config = operation.backend_config
    text = config if isinstance(config, str) else "" if config is None else str(config)
    beside = operation.discardable.get(OLD_CONFIG)
    is_original = operation.api_version == ORIGINAL and not text
    if isinstance(beside, DictionaryAttribute) and is_original:
        return str(beside), TYPED_FFI
    if beside is not None:
        body.program.losses.add(OLD_CONFIG, "custom call", operation.span, beside)
    return text, operation.api_version


def constraints(body: ComputationBuilder, operation: CustomCall) -> tuple[Shape, ...] | None:
    """The shapes of the operands in the layouts that are wanted."""
    if operation.operand_layouts is None:
        return None
    shapes = (body.shape(operand) for operand in operation.operands)
    pairs = zip(shapes, operation.operand_layouts, strict=True)
    return tuple(with_layout(shape, order) for shape, order in pairs)


def with_layout(shape: Shape, order: Sequence[int]) -> Shape:
    """An array in another order of dimensions; what is no array as it is."""
    return replace(shape, layout=Layout(tuple(order))) if shape.is_array else shape


def result_shape(shape: Shape, layouts: Sequence[Sequence[int]] | None) -> Shape:
    """The shape of the results in the layouts that are wanted."""
    if layouts is None:
        return shape
    if not shape.is_tuple:
        return with_layout(shape, layouts[0])
    parts = zip(shape.elements, layouts, strict=True)
    return Shape.tuple_of([with_layout(shape, order) for shape, order in parts])


def aliases(operation: CustomCall) -> tuple[OutputOperandAlias, ...] | None:
    """The aliases of operands and results."""
    return (
        tuple(
            OutputOperandAlias(
                *(
                    tuple(output_operand_aliase.output_tuple_indices),
                    output_operand_aliase.operand_index,
                ),
                tuple(output_operand_aliase.operand_tuple_indices),
            )
            for output_operand_aliase in operation.output_operand_aliases
        )
        or None
    )


def top_k(body: ComputationBuilder, operation: CustomCall) -> list[BuiltInstruction]:
    """``topk``."""
    configuration = entries(operation.discardable.get(ATTRIBUTES))
    k, largest = configuration.get("k"), configuration.get("largest")
    if not isinstance(k, IntegerAttribute):
        raise body.refusal("mhlo.topk does not say k")
    attributes = {
        "k": k.value,
        "largest": bool(largest.value) if isinstance(largest, IntegerAttribute) else True,
    }
    return several(body, "topk", operation, attributes)


def ragged_all_to_all(body: ComputationBuilder, operation: CustomCall) -> list[BuiltInstruction]:
    """``ragged-all-to-all``; groups and channel are in the configuration."""
    configuration = entries(operation.backend_config)
    groups, channel = configuration.get("replica_groups"), configuration.get("channel_id")
    rows = SI64_MATRIX.value(groups) if groups is not None else ()
    attributes = {
        "channel_id": (channel.value or None) if isinstance(channel, IntegerAttribute) else None,
        "replica_groups": ListedGroups(tuple(tuple(int(e) for e in row) for row in rows)),
    }
    return several(body, "ragged-all-to-all", operation, attributes)


def entries(attribute: object) -> dict[str, Attribute]:
    """The entries of a dictionary; of anything else none."""
    return dict(attribute.entries) if isinstance(attribute, DictionaryAttribute) else {}


# ---- beside the program


def async_start(body: ComputationBuilder, operation: AsyncStart) -> BuiltInstruction:
    """``async-start``, or the start of the collective that has one of its own."""
    operands = body.all_nodes(operation.operands)
    inner = operation.body.block.operations[0]
    thread = operation.discardable.get("execution_thread")
    name = thread.value if isinstance(thread, StringAttribute) else None
    shapes = STARTS.get(inner.name) if name is None else None  # which have no thread of their own
    (returned,) = operation.body.block.terminator.operands
    result = body.shape(returned)
    if shapes is None:
        inputs = Shape.tuple_of([operand.shape for operand in operands])
        shape = Shape.tuple_of([inputs, result, CONTEXT])
        calls = {"calls": computation(body, operation.body), "async_execution_thread": name}
        return body.emit("async-start", shape, operands, calls)
    body.nodes.update(zip(operation.body.block.arguments, operands, strict=True))
    body.program.rules[inner.name](body, inner)
    started = body.instructions.pop()
    sources = [
        BuiltInstruction(name, operand.shape)
        for name, operand in zip(started.operands, operands, strict=True)
    ]
    shape = shapes(operands[0].shape, result)
    return body.emit(f"{started.opcode}-start", shape, sources, started.attributes)


# The shapes of what a collective gives when it starts, of those of operand and result.
STARTS: Final[dict[str, Callable[[Shape, Shape], Shape]]] = {
    "stablehlo.all_reduce": lambda operand, result: result,
    "stablehlo.all_gather": lambda operand, result: Shape.tuple_of([operand, result]),
    "stablehlo.collective_permute": lambda operand, result: Shape.tuple_of(
        [operand, result, CONTEXT, CONTEXT]
    ),
}


def async_done(body: ComputationBuilder, operation: AsyncDone) -> BuiltInstruction:
    """``async-done``, or the end of the collective that has one of its own."""
    started = body.node(operation.operand)
    opcodes = {instruction.name: instruction.opcode for instruction in body.instructions}
    opcode = opcodes.get(started.name, "async-start").removesuffix("start")
    return body.emit(f"{opcode}done", body.shape(operation.result), [started])


RULES: Final[dict[str, Rule]] = {
    "stablehlo.custom_call": custom_call,
    "stablehlo.async_start": async_start,
    "stablehlo.async_done": async_done,
}
