"""Translates the attributes of functions, of their arguments and of their results.

Source: XLA, ``HloInstructionProto``; StableHLO and JAX, attributes of functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ParseError, UnsupportedError
from stablemate.diagnostics.source import Span
from stablemate.dialects.func import FuncOp
from stablemate.dialects.mhlo.frontend_attributes import FRONTEND_ATTRIBUTES, frontend_texts
from stablemate.ir.attributes import ArrayAttribute, IntegerAttribute, StringAttribute
from stablemate.ir.types import Attribute
from stablemate.xla.layout import Layout
from stablemate.xla.module import HloInstruction
from stablemate.xla.shape import Shape
from stablemate.xla.translate.from_stablehlo.body import BuiltInstruction, ComputationBuilder
from stablemate.xla.translate.from_stablehlo.metadata import (
    ORIGIN,
    SHARDING,
    fits,
    fits_all,
    origin_of,
    report_entries,
    report_others,
    sharding_of,
)
from stablemate.xla.translate.from_stablehlo.program import HloModuleBuilder
from stablemate.xla.translate.from_stablehlo.threads import MAIN_THREAD
from stablemate.xla.values import HloSharding

DONOR: Final = "jax.buffer_donor"
ALIASING: Final = "tf.aliasing_output"
LAYOUT_MODE: Final = "mhlo.layout_mode"
REPLICATION: Final = "mhlo.parameter_replication"
THREAD: Final = "execution_thread"
PLAIN_MODE: Final = "default"
OF_ARGUMENTS: Final = frozenset({SHARDING, FRONTEND_ATTRIBUTES, ORIGIN, REPLICATION})
OF_RESULTS: Final = frozenset({SHARDING})
OF_ENTRY_ARGUMENTS: Final = frozenset({DONOR, ALIASING})
REPLICATED: Final = HloSharding("replicated")


def execution_thread(function: FuncOp) -> str:
    """The thread that a function runs on."""
    thread = function.discardable.get(THREAD)
    return thread.value if isinstance(thread, StringAttribute) else MAIN_THREAD


def report_function(program: HloModuleBuilder, function: FuncOp, *, is_entry: bool) -> None:
    """Records what a computation has no place for.

    Args:
        program: The program.
        function: The function.
        is_entry: Whether its layouts are those of the module.
    """
    losses = program.losses
    report_others(losses, function.discardable, (THREAD,), "function", function.span)
    if function.no_inline:
        losses.add("no_inline", "function", function.span)
    for attributes in function.argument_attributes:
        known = OF_ARGUMENTS | OF_ENTRY_ARGUMENTS if is_entry else OF_ARGUMENTS
        report_value(program, attributes, known, "argument", function.span, is_entry=is_entry)
        report_entries(losses, attributes, "argument", function.span)
    for attributes in function.result_attributes:
        report_value(program, attributes, OF_RESULTS, "result", function.span, is_entry=is_entry)


def report_value(
    program: HloModuleBuilder,
    attributes: Mapping[str, Attribute],
    known: frozenset[str],
    holder: str,
    span: Span | None,
    *,
    is_entry: bool,
) -> None:
    """Records the attributes of an argument or a result that HLO has no place for."""
    mode = attributes.get(LAYOUT_MODE)
    is_laid = isinstance(mode, StringAttribute) and mode.value == PLAIN_MODE
    is_laid |= is_entry and mode_layout(mode) is not None
    others = {
        name: value for name, value in attributes.items() if name != LAYOUT_MODE or not is_laid
    }
    report_others(program.losses, others, known, holder, span)


def mode_layout(mode: Attribute | None) -> Layout | None:
    """The layout that a mode states; None if it leaves the choice to others."""
    if not isinstance(mode, StringAttribute) or not mode.value.startswith("{"):
        return None
    try:
        return Layout(mode.value)
    except ParseError:
        return None


# ---- arguments


def annotate_parameters(
    program: HloModuleBuilder,
    function: FuncOp,
    parameters: Sequence[HloInstruction],
    *,
    is_entry: bool,
) -> list[HloInstruction]:
    """The parameters of a function with the attributes of its arguments.

    Raises:
        UnsupportedError: A sharding is none, or does not fit its argument.
    """
    arguments = function.body.blocks[0].arguments
    annotated: list[HloInstruction] = []
    for parameter, argument, attributes in zip(
        parameters, arguments, function.argument_attributes, strict=True
    ):
        sharding = value_sharding(program, attributes, parameter.shape, function.span)
        origin = origin_of(program, attributes, "argument", function.span)
        if not program.locations.is_whole(argument.location):
            program.losses.add("a part of the location", "argument", function.span)
        added: dict[str, object] = {
            "metadata": program.locations.metadata(argument.location),
            "sharding": sharding,
            "frontend_attributes": frontend_texts(attributes) or None,
            "parameter_replication": replication(attributes),
            "origin": origin,
        }
        kept = {name: value for name, value in added.items() if value is not None}
        annotated.append(replace(parameter, attributes={**parameter.attributes, **kept}))
    return annotated


def replication(attributes: Mapping[str, Attribute]) -> tuple[bool, ...] | None:
    """Which leaves of a parameter all replicas have alike; None if it is not stated."""
    stated = attributes.get(REPLICATION)
    if not isinstance(stated, ArrayAttribute):
        return None
    flags = [item for item in stated.items if isinstance(item, IntegerAttribute)]
    return tuple(bool(flag.value) for flag in flags)


def value_sharding(
    program: HloModuleBuilder, attributes: Mapping[str, Attribute], shape: Shape, span: Span | None
) -> HloSharding | None:
    """The sharding of an argument or a result.

    Raises:
        UnsupportedError: It does not fit the value.
    """
    sharding = sharding_of(program, attributes, span)
    if sharding is None:
        return None
    if shape.is_tuple and sharding.kind != "tuple":
        sharding = HloSharding("tuple", elements=(sharding,) * shape.leaf_count)
    if fits(sharding, shape) or (shape.is_tuple and fits_all(sharding, shape)):
        return sharding
    raise UnsupportedError(
        Diagnostic(
            "a sharding has a number of tiles for each dimension, and a part for each leaf",
            SHARDING,
            span,
            {"sharding": attributes[SHARDING], "shape": shape.to_text(layouts=False)},
        )
    )


# ---- results


def with_result_shardings(
    body: ComputationBuilder, function: FuncOp, root: BuiltInstruction, *, is_single: bool
) -> BuiltInstruction:
    """The root of a function with the shardings of the results.

    A single result whose instruction has another sharding, or none, is wrapped: taken from a tuple
    of one. Of several results those without a sharding count as replicated.

    Args:
        body: The computation of the function.
        function: The function.
        root: The instruction of its results.
        is_single: Whether there is one result, else the root is the tuple of them.

    Raises:
        UnsupportedError: A sharding is none, or does not fit its result.
    """
    shapes = [root.shape] if is_single else list(root.shape.elements)
    shardings = [
        value_sharding(body.program, attributes, shape, function.span)
        for attributes, shape in zip(function.result_attributes, shapes, strict=True)
    ]
    if not any(shardings):
        return root
    at = {instruction.name: i for i, instruction in enumerate(body.instructions)}
    if not is_single:
        parts = [
            part
            for each, shape in zip(shardings, shapes, strict=True)
            for part in leaves(each, shape)
        ]
        stated = HloSharding("tuple", elements=tuple(parts))
    else:
        (stated,) = (each for each in shardings if each is not None)
        if body.instructions[at[root.name]].attributes.get("sharding") == stated:
            return root
        root = body.part(body.tuple([root]), 0)
        at[root.name] = len(body.instructions) - 1
    instruction = body.instructions[at[root.name]]
    attributes = {**instruction.attributes, "sharding": stated}
    body.instructions[at[root.name]] = replace(instruction, attributes=attributes)
    return root


def leaves(sharding: HloSharding | None, shape: Shape) -> Sequence[HloSharding]:
    """The shardings of the leaves of a result."""
    if sharding is None:
        return (REPLICATED,) * shape.leaf_count
    return sharding.elements if sharding.kind == "tuple" else (sharding,)
