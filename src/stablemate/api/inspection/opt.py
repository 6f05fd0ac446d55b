"""Passes: ``sm.opt``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from stablemate.api.loading import module_of
from stablemate.api.module import HloModule, Module
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.formats.recognition import Readable
from stablemate.transforms.pass_pipeline import PassStep, run_steps, steps_of


def opt(
    source: Readable | Module, passes: str | Sequence[str], *, verify_each: bool = True,
    stop_after: str | None = None, after: Callable[[str, Module], object] | None = None,
) -> Module:  # fmt: skip
    """The program after passes, in the given order.

    ::

        sm.opt(m, ["chlo-legalize-to-stablehlo", "stablehlo-refine-arguments{types=tensor<4xf32>}"])
        sm.opt(m, "builtin.module(func.func(cse),symbol-dce)")

    Args:
        source: A program, or what ``load`` takes. HLO is translated to StableHLO first.
        passes: The passes, each with its options in braces; or a pipeline as MLIR writes it.
        verify_each: Whether the program is verified after each pass.
        stop_after: The last pass that is run.
        after: Called after each pass, with its name and the program.

    Raises:
        ArgumentValueError: There is no such pass or option.
        VerifyError: The program is not valid, or a pass made one that is not.
        UnsupportedError: A pass cannot take the program.
    """
    module = module_of(source)
    steps = [step for text in format_passes(passes) for step in steps_of(text)]
    if isinstance(module, HloModule):
        module = module.to_stablehlo()
    if verify_each:
        module.verify()
    for step, rewritten in run_steps(module.ir, until(steps, stop_after), verify_each=verify_each):
        if rewritten is not module.ir:
            module = Module(rewritten, module.format)
        if after is not None:
            after(step.name, module)
    return module


def format_passes(passes: str | Sequence[str]) -> Sequence[str]:
    """The texts of some passes."""
    return (passes,) if isinstance(passes, str) else passes


def until(steps: Sequence[PassStep], stop_after: str | None) -> Sequence[PassStep]:
    """The steps up to a pass.

    Raises:
        ArgumentValueError: It is none of them.
    """
    if stop_after is None:
        return steps
    for number, step in enumerate(steps, 1):
        if stop_after in (step.name, *step.definition.aliases):
            return steps[:number]
    names = ", ".join(step.name for step in steps) or "none"
    raise ArgumentValueError(f"cannot stop after {stop_after}: the passes are {names}")
