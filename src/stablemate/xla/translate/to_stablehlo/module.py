"""HLO modules as modules of StableHLO.

Source: StableHLO specification; XLA, operation semantics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stablemate.dialects.builtin import ModuleOp
from stablemate.dialects.func import FuncOp
from stablemate.dialects.func import Return as FuncReturn
from stablemate.ir.attributes import StringAttribute
from stablemate.ir.builder import create
from stablemate.ir.core import Block, Module, Region
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.kinds import BOOLEAN_KIND
from stablemate.ir.types import Attribute, FunctionType
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.translate.losses import Losses
from stablemate.xla.translate.to_stablehlo.metadata import (
    THREAD,
    Spelling,
    argument_attributes,
    leaf_numbers,
    leaf_shardings,
    module_attributes,
    optional_array_attribute,
)
from stablemate.xla.translate.to_stablehlo.translation import ENTRY, Translation, group_leaves
from stablemate.xla.translate.to_stablehlo.unplaced import report_module, report_parameter
from stablemate.xla.types import type_of

DONOR: Final = "jax.buffer_donor"
MAIN_THREAD: Final = "main"


def to_stablehlo(
    module: HloModule,
    *,
    keep_fusions: bool = False,
    spelling: Spelling | None = None,
    losses: Losses | None = None,
) -> Module:
    """A module of StableHLO and CHLO that computes the same.

    The entry becomes the function ``main``; computations that are called become functions, those
    of fusions, loops, branches and reductions become part of their callers. Tuples become their
    leaves: so many arguments, results, values.

    Args:
        module: A module.
        keep_fusions: Whether fusions become calls of functions.
        spelling: How texts inside attributes are written and read.
        losses: Where to record what StableHLO has no place for.

    Raises:
        VerifyError: It breaks a rule.
        UnsupportedError: StableHLO cannot say what it says.
        LimitError: Its computations are nested too deeply.
    """
    with without_garbage_collection():
        return module_of(Translation(module, keep_fusions, spelling or Spelling(), losses))


def module_of(translation: Translation) -> Module:
    """The module: its entry, then the functions that are called."""
    module = translation.module
    body, entry = Block(), module.entry_computation
    body.append(function_of(translation, entry, ENTRY, is_entry=True))
    while translation.pending:
        name = translation.pending.popleft()
        symbol = translation.symbols[name]
        body.append(function_of(translation, module.by_name[name], symbol))
    report_module(translation.losses, module)
    translation.report_unreached()
    operation = ModuleOp(
        (),
        (),
        {"sym_name": StringAttribute(module.name)} if module.name else {},
        [Region([body])],
        discardable=module_attributes(module, translation.spelling),
        span=entry.span,
    )
    return Module(operation, source=None if entry.span is None else entry.span.source)


def function_of(
    translation: Translation, computation: HloComputation, symbol: str, *, is_entry: bool = False
) -> FuncOp:
    """A computation as a function: private unless it is the entry."""
    parameters = computation.parameters
    types = [type_of(leaf) for parameter in parameters for _, leaf in parameter.shape.leaves()]
    block = Block(types, translation.places(parameters))
    arguments = group_leaves([parameter.shape for parameter in parameters], block.arguments)
    results = translation.body(computation, arguments, block)
    block.append(FuncReturn(results, span=computation.span))
    rows = [
        row
        for parameter in parameters
        for row in argument_attributes(parameter, translation.spelling)
    ]
    if is_entry:
        add_donors(translation.module, rows)
    report_parameters(translation, parameters, is_entry=is_entry)
    is_main = computation.execution_thread == MAIN_THREAD
    return create(
        FuncOp,
        sym_name=symbol,
        function_type=FunctionType(tuple(types), tuple(result.type for result in results)),
        sym_visibility=None if is_entry else "private",
        arg_attrs=optional_array_attribute(rows),
        res_attrs=optional_array_attribute(
            leaf_shardings(computation.result, translation.spelling)
        ),
        regions=[Region([block])],
        discardable={} if is_main else {THREAD: StringAttribute(computation.execution_thread)},
        span=computation.span,
    )


def add_donors(module: HloModule, rows: Sequence[dict[str, Attribute]]) -> None:
    """Marks the arguments whose memory may be used for results."""
    numbers = leaf_numbers(module)
    for donor in module.buffer_donors:
        number = numbers.get((donor.parameter, donor.parameter_index))
        if number is not None:
            rows[number][DONOR] = BOOLEAN_KIND.attribute(True)


def report_parameters(
    translation: Translation, parameters: Sequence[HloInstruction], *, is_entry: bool
) -> None:
    """Records what arguments cannot say."""
    border = translation.module.entry_layout
    is_stated = is_entry and border is not None and len(border.parameters) == len(parameters)
    for number, parameter in enumerate(parameters):
        stated = border.parameters[number] if is_stated and border is not None else None
        report_parameter(translation.losses, parameter, stated)
