"""Generates the LLVM IR of all kernels of a plan."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Final, NamedTuple

from stablemate.compiler.codegen.emitter import Emitter
from stablemate.compiler.codegen.operator_expansions import expansions
from stablemate.compiler.codegen.shared_functions import OutlineEmitter, SharedFunctions
from stablemate.compiler.config.target import Target
from stablemate.compiler.loops.statements import Kernel, walk_statements
from stablemate.compiler.loops.structural_equality import structural_key
from stablemate.compiler.plan.plan import LaunchStep, Plan
from stablemate.compiler.schedule.schedule import expressions_of, subexpressions
from stablemate.diagnostics.progress import with_progress
from stablemate.numerics.symbolic_sizes import SymbolicSize

NO_DECLARATIONS: Final[Mapping[str, str]] = MappingProxyType({})
SMALL: Final = 6, 48  # statements and expressions of a kernel that is not worth an object


class KernelFunctions(NamedTuple):
    """The LLVM IR of a plan.

    Attributes:
        functions: The text of each function, by its name.
        names: The name of the function that computes each kernel.
        sizes: The symbolic sizes that each function takes behind the buffers.
        callees: The functions of ``functions`` that the function of a kernel calls.
    """

    functions: dict[str, str]
    names: dict[str, str]
    sizes: dict[str, Sequence[SymbolicSize]]
    callees: dict[str, Sequence[str]]


class Emitters(NamedTuple):
    """The interface of emitters of LLVM IR.

    Attributes:
        kernel: Makes the emitter of a kernel.
        outline: Makes the emitter of an outlined loop.
    """

    kernel: Callable[..., Emitter] = Emitter
    outline: Callable[..., OutlineEmitter] = OutlineEmitter


EMITTERS: Final = Emitters()

# Receives a function: its name, its text, and declarations of the functions that it calls.
Sink = Callable[[str, str, Mapping[str, str]], None]


def generate_functions(
    plan: Plan, target: Target, sink: Sink | None = None, *, check: bool = False,
    emitters: Emitters = EMITTERS,
) -> KernelFunctions:  # fmt: skip
    """Generates the functions of a plan; kernels that are structurally equal share one.

    Small kernels come first: they share an object with the next one, while an object of a small
    kernel alone takes LLVM three times as long.

    Args:
        plan: The plan.
        target: The machine.
        sink: Receives each function as soon as it is generated.
        check: Whether kernels check every address before they access it.
        emitters: What writes the functions.
    """
    target_expansions = expansions(target)
    generated = KernelFunctions({}, {}, {}, {})

    def add(name: str, text: str, declarations: Mapping[str, str] = NO_DECLARATIONS) -> None:
        generated.functions[name] = text
        if sink is not None:
            sink(name, text, declarations)

    has_shared = not check and not plan.has_symbolic_sizes  # shared functions take numbers
    shared = SharedFunctions(target_expansions, add, emitters.outline) if has_shared else None
    first: dict[Hashable, str] = {}  # the function of all kernels that are equal to one
    steps = [step for part in plan.parts for step in part.steps]
    kernels = dict.fromkeys(step.kernel for step in steps if isinstance(step, LaunchStep))
    for kernel in with_progress(sorted(kernels, key=is_small, reverse=True), "kernel"):
        function = first.setdefault(structural_key(kernel), kernel.name)
        generated.names[kernel.name] = function
        if function == kernel.name:
            emitter = emitters.kernel(kernel, target_expansions, check=check, common=shared)
            add(kernel.name, emitter.text(), emitter.state.uses)
            generated.callees[function] = list(emitter.state.uses)
            generated.sizes[function] = list(emitter.state.size_loads.numbers)
    return generated


def is_small(kernel: Kernel) -> bool:
    """Whether a kernel has few statements and expressions."""
    most_statements, most_expressions = SMALL
    statements = list(islice(walk_statements(kernel.body), most_statements + 1))
    if len(statements) > most_statements:
        return False
    return len(subexpressions(expressions_of(statements))) <= most_expressions
