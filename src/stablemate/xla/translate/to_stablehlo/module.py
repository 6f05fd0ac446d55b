"""HLO modules as modules of StableHLO.

Source: StableHLO specification; XLA, operation semantics.
"""

from __future__ import annotations

from stablemate.dialects.builtin import ModuleOp
from stablemate.dialects.func import FuncOp
from stablemate.dialects.func import Return as FuncReturn
from stablemate.ir.attributes import ArrayAttribute, DictionaryAttribute, StringAttribute
from stablemate.ir.builder import create
from stablemate.ir.core import Block, Module, Region
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.types import FunctionType
from stablemate.xla.module import HloComputation, HloModule
from stablemate.xla.translate.to_stablehlo.metadata import (
    Spelling,
    leaf_shardings,
    location_of,
    module_attributes,
)
from stablemate.xla.translate.to_stablehlo.translation import ENTRY, Translation, grouped
from stablemate.xla.types import type_of


def to_stablehlo(
    module: HloModule, *, keep_fusions: bool = False, spelling: Spelling | None = None
) -> Module:
    """A module of StableHLO and CHLO that computes the same.

    The entry becomes the function ``main``; computations that are called become functions, those
    of fusions, loops, branches and reductions become part of their callers. Tuples become their
    leaves: so many arguments, results, values.

    Args:
        module: A module.
        keep_fusions: Whether fusions become calls of functions.
        spelling: How texts inside attributes are written and read.

    Raises:
        VerifyError: It breaks a rule.
        UnsupportedError: StableHLO cannot say what it says.
        LimitError: Its computations are nested too deeply.
    """
    with without_garbage_collection():
        return module_of(Translation(module, keep_fusions, spelling or Spelling()))


def module_of(translation: Translation) -> Module:
    """The module: its entry, then the functions that are called."""
    module = translation.module
    body, entry = Block(), module.entry_computation
    body.append(function_of(translation, entry, ENTRY, is_entry=True))
    while translation.pending:
        name = translation.pending.popleft()
        symbol = translation.symbols[name]
        body.append(function_of(translation, module.by_name[name], symbol))
    operation = ModuleOp(
        (),
        (),
        {"sym_name": StringAttribute(module.name)} if module.name else {},
        [Region([body])],
        discardable=module_attributes(module),
        span=entry.span,
    )
    return Module(operation, source=None if entry.span is None else entry.span.source)


def function_of(
    translation: Translation, computation: HloComputation, symbol: str, *, is_entry: bool = False
) -> FuncOp:
    """A computation as a function: private unless it is the entry."""
    parameters = computation.parameters
    types = [type_of(leaf) for parameter in parameters for _, leaf in parameter.shape.leaves()]
    places = [
        location_of(parameter)
        for parameter in parameters
        for _ in range(parameter.shape.leaf_count)
    ]
    block = Block(types, places)
    arguments = grouped([parameter.shape for parameter in parameters], block.arguments)
    results = translation.body(computation, arguments, block)
    block.append(FuncReturn(results, span=computation.span))
    notes = [
        DictionaryAttribute(dict(leaf))
        for parameter in parameters
        for leaf in leaf_shardings(parameter, translation.spelling)
    ]
    return create(
        FuncOp,
        sym_name=symbol,
        function_type=FunctionType(tuple(types), tuple(result.type for result in results)),
        sym_visibility=None if is_entry else "private",
        arg_attrs=ArrayAttribute(tuple(notes)) if is_entry and any(notes) else None,
        regions=[Region([block])],
        span=computation.span,
    )
