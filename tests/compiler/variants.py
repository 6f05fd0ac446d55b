"""Variants: ways to compile one program, which all give the same results."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any, Final

import stablemate as sm
from stablemate.api.executables import interpreted_of
from stablemate.compiler.compile import native_or_interpreted
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import Target, host
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.compiler.executable import CompiledExecutable
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.execution.executable import Executable
from stablemate.numerics.elements import Array
from tests.machines import MACHINES
from tools.accuracy.functions import Case

# Older processors whose code this one runs; sse2 has neither fused multiplication nor rounding.
OLDER: Final = {
    name: replace(MACHINES[name], triple=host().triple)
    for name in ("avx2", "sse2")
    if host().triple.startswith("x86_64")
}
RUNNABLE: Final = {"host": host(), **OLDER}


@dataclass(frozen=True)
class Variant:
    """A way to compile a program.

    Attributes:
        fuse: Whether operations share kernels.
        threads: How many threads work.
        machine: What it is restricted to; this machine if empty.
        check: Whether it looks at every place in memory before it goes there.
    """

    fuse: bool = True
    threads: int = 2
    machine: str = ""
    check: bool = False

    def __str__(self) -> str:
        fused = "fused" if self.fuse else "unfused"
        checked = "-checked" if self.check else ""
        return f"{fused}-{self.threads}-{self.machine or 'host'}{checked}"

    @property
    def target(self) -> Target:
        """The machine."""
        return MACHINES[self.machine] if self.machine else host()

    @property
    def runs(self) -> bool:
        """Whether this machine can run its code."""
        if not self.machine:
            return True
        features = set(self.target.features.split(",")) - {"+fxsr", "+x87", "+64bit", "+cx8"}
        return features <= set(host().features.split(","))

    def compiled(self, module: sm.Module, entry: str | None = None) -> Executable:
        """A function of a module; ``fallback`` says why where it is not native code.

        Native code computes everything: nothing that is constant is evaluated before.
        """
        interpreted: Any = sm.compile(module, backend="interpreter", entry=entry)
        lowered, name = interpreted.functions, interpreted.signature.name
        interpreted.functions = SpecializedFunctions(lambda: lowered.lowered, name)
        interpreted.idle.clear()  # what was prepared holds the operations of before
        options = CompileOptions(fuse=self.fuse, simplify=False, check=self.check)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of errors of the compiler
            return native_or_interpreted(
                interpreted, self.target, threads=self.threads, options=options
            )


VARIANTS: Final = [
    Variant(fuse, threads, machine)
    for machine in ("", "avx2", "sse2")
    for fuse in (True, False)
    for threads in (2, 1)
]


def largest_error_on_sse2(case: Case, points: Array) -> float:
    """The largest error of a function's results, as computed for processors that have only SSE2."""
    module = sm.load(case.program(len(points)))
    function = interpreted_of(module, module.entry("main"), DEFAULT_LIMITS, native=True)
    (results,) = CompiledExecutable(function, OLDER["sse2"]).run([points])
    return max(case.error(result, [z]) for result, z in zip(results, points, strict=True))
