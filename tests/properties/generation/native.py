"""Generated programs as native code, in a child process that may fault.

Kernels are cut into as many chunks as they have iterations, so that small programs are work for
several threads too. Every program runs three times: with two threads, again in the memory that the
first run has left, and with one thread; that gives the same bits.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.compiler import chunks, imaging
from stablemate.compiler.compiled import CompiledExecutable
from stablemate.numerics.elements import Array
from tests.compiler.children import Child, Failure, Fault
from tests.compiler.variants import Variant
from tests.properties.generation.rules import differs

MACHINES: Final = ("", "", "avx2", "sse2")  # this one oftener than others
CHECKED: Final = 4  # of so many programs one is checked code
# The smallest chunk that pays is infinitely small, and no launch is too brief to be cut.
CUT: Final = (
    (chunks, "SHORTEST", 1e-15),
    *((module, "BRIEF", 0.0) for module in (chunks, imaging)),
)


class NativeError(Exception):
    """Native code faulted, or gave different bits for the same program."""


class Refused(Exception):
    """The compiler does not know a program."""


def native(executor: str, text: str, arguments: Sequence[Array]) -> Sequence[Array]:
    """The results of a module, compiled fused or not, for one of several machines.

    Raises:
        NativeError: Something is wrong that shows without other results.
        Refused: The module is not compiled.
    """
    number = zlib.crc32(text.encode())
    machine = MACHINES[number % len(MACHINES)]
    machine = machine if Variant(machine=machine).runs else ""
    variant = Variant(executor == "fused", 2, machine, check=number // len(MACHINES) % CHECKED == 0)
    try:
        refusal, results = child().ask(computed, text, arguments, variant)
    except (Fault, Failure) as error:
        raise NativeError(f"{variant}: {error}") from None
    if refusal:
        raise Refused(refusal)
    return list(results)


@lru_cache(maxsize=1)
def child() -> Child:
    """Where programs run."""
    return Child()


def computed(
    text: str, arguments: Sequence[Array], variant: Variant
) -> tuple[str, Sequence[Array]]:
    """Why a program is not compiled, if so; and its results."""
    for module, name, value in CUT:
        setattr(module, name, value)
    executable: Any = variant.compiled(sm.load(text))
    if not isinstance(executable, CompiledExecutable):
        return str(executable.fallback.message), ()
    first = [np.array(each) for each in executable.run(arguments)]
    assert_same(first, executable.run(arguments), "a second run")
    executable.threads = 1
    executable.idle.clear()
    assert_same(first, executable.run(arguments), "one thread")
    return "", first


def assert_same(first: Sequence[Array], again: Sequence[Array], how: str) -> None:
    """Checks that results have the same bits."""
    for number, (one, other) in enumerate(zip(first, again, strict=True)):
        assert not differs(one, np.asarray(other)).any(), f"{how} changes result {number}"
