"""Processors other than this one, and pytest's option to run as on one of them."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Final

from stablemate.compiler.config import target as targets
from stablemate.compiler.config.target import Target

SSE2: Final = "+sse,+sse2,+x87,+fxsr,+cx8,+cmov,+64bit"
AVX2: Final = (
    f"{SSE2},+sse3,+ssse3,+sse4.1,+sse4.2,+popcnt,+avx,+avx2,+fma,+f16c,+bmi,+bmi2,+lzcnt,+movbe"
)
AVX512: Final = f"{AVX2},+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx512cd"
LINUX: Final = "x86_64-unknown-linux-gnu"
MACHINES: Final = {
    "sse2": Target(LINUX, "x86-64", SSE2, 16),
    "avx2": Target(LINUX, "haswell", AVX2, 32),
    "avx512": Target(LINUX, "skylake-avx512", AVX512, 64),
}
ARM: Final = Target("aarch64-unknown-linux-gnu", "generic", "+neon", 16)


# Of this process and its children.
VARIABLE: Final = "STABLEMATE_TESTS_MACHINE"


def restrict_to(name: str) -> None:
    """Takes a machine for this one, whose processor must be able to run its code.

    Called before anything asks for ``host()``. The disk cache keeps a description of the machine
    that is here, so it is not asked.
    """
    os.environ[VARIABLE] = name
    machine = replace(MACHINES[name], triple=targets.detect_host().triple)
    targets.detect_host = lambda: machine
    targets.host_description = lambda: ""
    targets.host.cache_clear()


def restrict_as_parent() -> None:
    """Takes the machine for this one that the process that started this one takes for it."""
    if name := os.environ.get(VARIABLE):
        restrict_to(name)
