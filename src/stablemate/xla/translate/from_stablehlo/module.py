"""Modules of StableHLO as HLO modules.

Source: StableHLO specification; XLA, operation semantics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.call_graph import first_cycle, path_text, post_order
from stablemate.dialects.func import Call, FuncOp
from stablemate.dialects.mhlo.asynchronous import AsyncStart
from stablemate.dialects.stablehlo.composite import Composite
from stablemate.dialects.stablehlo.custom_call import CustomCall
from stablemate.ir.core import Module, Operation
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.xla.module import HloComputation, HloModule
from stablemate.xla.names import sanitize
from stablemate.xla.translate.from_stablehlo.body import ComputationBuilder
from stablemate.xla.translate.from_stablehlo.entry_interface import with_entry_interface
from stablemate.xla.translate.from_stablehlo.function_attributes import (
    annotate_parameters,
    execution_thread,
    report_function,
    with_result_shardings,
)
from stablemate.xla.translate.from_stablehlo.program import HloModuleBuilder
from stablemate.xla.translate.from_stablehlo.regions import results
from stablemate.xla.translate.from_stablehlo.rules import RULES
from stablemate.xla.translate.from_stablehlo.threads import MAIN_THREAD, with_threads
from stablemate.xla.translate.losses import Losses
from stablemate.xla.values import HloSharding

ENTRY = "main"


def to_hlo(
    module: Module,
    *,
    read_sharding: Callable[[str], HloSharding] | None = None,
    losses: Losses | None = None,
) -> HloModule:
    """An HLO module that computes the same.

    The function ``main``, or the only one that is public, becomes the entry; other functions and
    regions become computations. Several results of an operation or function are a tuple; the state
    of a loop always is one. Values from outside that a region uses become its parameters, constants
    are made once more inside. Layouts are row-major, but for those of the border that the module
    states.

    Args:
        module: A valid module.
        read_sharding: Reads the text of a sharding (``mhlo.sharding``); without it shardings are
            left out. Those of Shardy are exported to it before.
        losses: Where to record what HLO has no place for.

    Raises:
        UnsupportedError: An operation has no form in HLO: it is quantized, a dimension has neither
            size nor bound, no opcode stands for it; or a sharding does not fit its value. The
            message names it and says why.
    """
    functions = {
        operation.sym_name: operation
        for operation in module.body.operations
        if isinstance(operation, FuncOp) and not operation.is_declaration
    }
    entry = entry_of(functions)
    program = HloModuleBuilder(
        RULES, module.resources, read_sharding=read_sharding, losses=losses or Losses("HLO")
    )
    order = list(callees_first(functions, entry))
    report_unreached(program, module, order)
    with without_garbage_collection():
        for symbol in order:
            function = function_of(program, functions[symbol], is_entry=symbol == entry)
            program.functions[symbol] = function
            program.computations.append(function)
        threads, losses = program.threads, program.losses
        program.computations = [*with_threads(program.computations, threads, losses)]
        return with_entry_interface(module, functions[entry], program)


def report_unreached(program: HloModuleBuilder, module: Module, reached: Sequence[str]) -> None:
    """Records what stands in a module and is not called by its entry."""
    names = set(reached)
    for operation in module.body.operations:
        match operation:
            case FuncOp(sym_name=name) if name in names:
                pass
            case FuncOp(sym_name=name):
                holder = "function that the entry does not call"
                program.losses.add("the body", holder, operation.span, name)
            case _:
                program.losses.add(operation.name, "module", operation.span)


def entry_of(functions: dict[str, FuncOp]) -> str:
    """The name of the function that becomes the entry.

    Raises:
        UnsupportedError: There are several functions, none of them ``main``, or none at all.
    """
    if ENTRY in functions:
        return ENTRY
    public = [name for name, function in functions.items() if function.sym_visibility != "private"]
    if len(public) != 1:
        raise UnsupportedError(
            f"HLO has one entry: expected a function main or a single public one, got {public}"
        )
    return public[0]


def callees_first(functions: dict[str, FuncOp], entry: str) -> list[str]:
    """The functions that the entry calls, each after its callees.

    Raises:
        UnsupportedError: A function calls itself; the error is at a call of it.
    """

    def called_functions(symbol: str) -> list[str]:
        return [
            callee for callee in dict.fromkeys(callees(functions[symbol])) if callee in functions
        ]

    cycle = first_cycle([entry], called_functions)
    if cycle:
        caller = functions[cycle[-2]]
        place = next(inner for inner in caller.walk() if cycle[-1] in callees_of(inner))
        message = f"a function cannot call itself: {path_text(cycle)}"
        raise UnsupportedError(Diagnostic(message, place.name, place.span))
    return list(post_order([entry], called_functions))


def callees(function: FuncOp) -> Iterator[str]:
    """The functions that a function names."""
    for operation in function.walk():
        yield from callees_of(operation)


def callees_of(operation: Operation) -> Sequence[str]:
    """The functions that an operation names."""
    match operation:
        case Call():
            return [operation.callee]
        case Composite():
            return [operation.decomposition]
        case AsyncStart():
            return [operation.called_computation]
        case CustomCall():
            return [str(symbol).removeprefix("@") for symbol in operation.called_computations]
        case _:
            return ()


def function_of(program: HloModuleBuilder, function: FuncOp, *, is_entry: bool) -> HloComputation:
    """The computation of a function; several results are a tuple."""
    body = ComputationBuilder(program, operation=function)
    block = function.body.blocks[0]
    for number, argument in enumerate(block.arguments):
        body.parameter(argument, number)
    body.instructions = annotate_parameters(program, function, body.instructions, is_entry=is_entry)
    returned = results(body, block)
    root = body.pack(returned)
    root = with_result_shardings(body, function, root, is_single=len(returned) == 1)
    report_function(program, function, is_entry=is_entry)
    name = program.fresh(sanitize(function.sym_name))
    thread = execution_thread(function)
    if thread != MAIN_THREAD:
        program.threads[name] = thread
    return replace(body.finish(name, root), span=function.span)
