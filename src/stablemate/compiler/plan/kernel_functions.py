"""Generates the LLVM IR of all kernels of a plan."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from stablemate.compiler.codegen.emitter import Emitter
from stablemate.compiler.codegen.operator_expansions import expansions
from stablemate.compiler.codegen.shared_functions import OutlineEmitter, SharedFunctions
from stablemate.compiler.config.target import Target
from stablemate.compiler.loops.structural_equality import structural_key
from stablemate.compiler.plan.plan import Launch, Plan

NO_DECLARATIONS: Final[Mapping[str, str]] = MappingProxyType({})


class KernelFunctions(NamedTuple):
    """The LLVM IR of a plan.

    Attributes:
        functions: The text of each function, by its name.
        names: The name of the function that computes each kernel.
    """

    functions: dict[str, str]
    names: dict[str, str]


class Emitters(NamedTuple):
    """What writes LLVM IR.

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

    Args:
        plan: The plan.
        target: The machine.
        sink: Receives each function as soon as it is generated.
        check: Whether kernels check every address before they access it.
        emitters: What writes the functions.
    """
    target_expansions = expansions(target)
    generated = KernelFunctions({}, {})

    def add(name: str, text: str, declarations: Mapping[str, str] = NO_DECLARATIONS) -> None:
        generated.functions[name] = text
        if sink is not None:
            sink(name, text, declarations)

    shared = None if check else SharedFunctions(target_expansions, add, emitters.outline)
    first: dict[Hashable, str] = {}  # the function of all kernels that are equal to one
    for kernel in dict.fromkeys(step.kernel for step in plan.steps if isinstance(step, Launch)):
        function = first.setdefault(structural_key(kernel), kernel.name)
        generated.names[kernel.name] = function
        if function == kernel.name:
            emitter = emitters.kernel(kernel, target_expansions, check=check, common=shared)
            add(kernel.name, emitter.text(), emitter.uses)
    return generated
