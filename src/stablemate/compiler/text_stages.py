"""Functions to plans, plans to LLVM text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from stablemate.compiler.codegen.emitter import Emitter
from stablemate.compiler.codegen.operator_expansions import expansions
from stablemate.compiler.codegen.shared_functions import Common
from stablemate.compiler.config.options import DEFAULTS, CompileOptions
from stablemate.compiler.config.target import Target, machine_of
from stablemate.compiler.graph.builder import GraphBuilder
from stablemate.compiler.graph.graph import Graph, count_users
from stablemate.compiler.loops.structural_equality import identity_of
from stablemate.compiler.plan.buffer_assignment import assign
from stablemate.compiler.plan.plan import Launch, Plan
from stablemate.compiler.plan.planner import Planner
from stablemate.compiler.plan.verifier import verify_plan
from stablemate.compiler.rewrites.decompose import decompose
from stablemate.compiler.rewrites.loop_unrolling import turns_of
from stablemate.compiler.rewrites.simplify import simplify
from stablemate.ir.core import Operation

NOTHING: Final[Mapping[str, str]] = MappingProxyType({})


def graphed(
    functions: Mapping[str, Operation],
    entry: str,
    options: CompileOptions = DEFAULTS,
    *,
    unroll: bool = True,
) -> Graph:
    """The graph of a function; short loops are written out if so asked."""
    builder = GraphBuilder(functions, turns_of if unroll else None)
    graph = builder.function(entry)
    decompose(graph, builder.tensor)
    if options.simplify:
        simplify(graph)
    count_users(graph)
    return graph


def plan_of(graph: Graph, target: Target, options: CompileOptions = DEFAULTS) -> Plan:
    """The plan of a graph.

    Raises:
        CompileError: It is not sound; the compiler has an error.
    """
    plan = Planner(machine_of(target), options).plan(graph)
    assign(plan)
    verify_plan(plan)
    return plan


class Texts(NamedTuple):
    """The LLVM text of a plan.

    Attributes:
        functions: The text of each function, by its name.
        names: The function that each kernel is.
    """

    functions: dict[str, str]
    names: dict[str, str]


Written = Callable[[str, str, Mapping[str, str]], None]


def texts_of(
    plan: Plan,
    target: Target,
    written: Written | None = None,
    *,
    check: bool = False,
) -> Texts:
    """The functions of all kernels of a plan; kernels that are equal but for names share one.

    Args:
        plan: The plan.
        target: The machine.
        written: Told each function as soon as it is written: its name, its text, and declarations
            of those that it calls.
        check: Whether kernels look at every place in memory before they go there.
    """
    known = expansions(target)
    texts = Texts({}, {})

    def add(name: str, text: str, uses: Mapping[str, str] = NOTHING) -> None:
        texts.functions[name] = text
        if written is not None:
            written(name, text, uses)

    common = None if check else Common(known, add)
    first: dict[Hashable, str] = {}  # the function of all kernels that are equal to one
    for kernel in dict.fromkeys(step.kernel for step in plan.steps if isinstance(step, Launch)):
        name = kernel.name
        same = first.setdefault(identity_of(kernel), name)
        texts.names[name] = same
        if same == name:
            emitter = Emitter(kernel, known, check=check, common=common)
            add(name, emitter.text(), emitter.uses)
    return texts
