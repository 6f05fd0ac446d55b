"""Generated programs as native code, in a child process that may fault.

Kernels are cut into as many chunks as they have iterations, so that small programs are work for
several threads too. Every program runs four times: with two threads, again in the memory that the
first run has left, in memory between pages that nobody may touch, and with one thread; that gives
the same bits. Some plans are evaluated in Python too, which gives them again.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.loops.statements import Loop, Statement, When
from stablemate.compiler.plan import image_builder as imaging
from stablemate.compiler.plan.plan import LaunchStep
from stablemate.compiler.schedule import chunk_sizes as chunks
from stablemate.numerics.elements import Array
from tests.compiler.child_processes import Child, Failure, Fault
from tests.compiler.guard_pages import guarded
from tests.compiler.plan_evaluation import Asks, difference
from tests.compiler.variants import Variant
from tests.properties.generation.tolerances import differs

MACHINES: Final = ("", "", "avx2", "sse2")  # this one oftener than others
CHECKED: Final = 4  # of so many modules one is checked code
EVALUATED: Final = 8  # of so many modules one is evaluated in Python
LONGEST: Final = 40_000  # statements that such a module runs: more take Python many seconds
# The smallest chunk that pays is infinitely small, and no launch is too brief to be cut.
CUT: Final = (
    (chunks, "SHORTEST", 1e-15),
    *((imaging, name, 0.0) for name in ("BRIEF", "SHORT")),
)


class NativeError(Exception):
    """Native code faulted, or gave different bits for the same program."""


class Refused(Exception):
    """The compiler does not know a program."""


def native(executor: str, text: str, arguments: Sequence[Array]) -> tuple[str, Sequence[Array]]:
    """How a module was compiled and run, fused or not, for one of several machines; its results.

    Raises:
        NativeError: Something is wrong that shows without other results.
        Refused: The module is not compiled.
    """
    number = zlib.crc32(text.encode())
    machine = MACHINES[number % len(MACHINES)]
    machine = machine if Variant(machine=machine).runs else ""
    number //= len(MACHINES)
    variant = Variant(executor == "fused", 2, machine, check=number % CHECKED == 0)
    evaluates = number // CHECKED % EVALUATED == 0
    try:
        how, results = child().ask(computed, text, arguments, variant, evaluates)
    except (Fault, Failure) as error:
        raise NativeError(f"{variant}: {error}") from None
    if not results:
        raise Refused(how)
    return f"{variant}{how}", list(results)


@lru_cache(maxsize=1)
def child() -> Child:
    """Where programs run."""
    return Child()


def computed(
    text: str, arguments: Sequence[Array], variant: Variant, evaluates: bool
) -> tuple[str, Sequence[Array]]:
    """What was done beside running a program, and its results; or why it is not compiled."""
    for module, name, value in CUT:
        setattr(module, name, value)
    executable: Any = variant.compiled(sm.load(text))
    if not isinstance(executable, CompiledExecutable):
        return str(executable.fallback.message), ()
    first = [np.array(argument) for argument in executable.run(arguments)]
    assert_same(first, executable.run(arguments), "a second run")
    how = ""
    if not executable.runs_as_process:
        at_end = zlib.crc32(text.encode(), 1) % 2 == 0
        assert_same(first, guarded(executable, arguments, at_end=at_end), "guarded memory")
        how += " guarded"
    executable.threads = 1
    executable.idle.clear()
    assert_same(first, executable.run(arguments), "one thread")
    if evaluates and is_evaluated(executable, arguments):
        how += " evaluated"
    return how, first


def is_evaluated(executable: CompiledExecutable, arguments: Sequence[Array]) -> bool:
    """Evaluates the plan in Python, unless it asks the world or is long.

    Raises:
        AssertionError: That gives other values.
    """
    launches = (step for step in executable.plan.steps if isinstance(step, LaunchStep))
    if sum(statements(launch.kernel.body) for launch in launches) > LONGEST:
        return False
    try:
        item = difference(executable, arguments)
    except Asks:
        return False
    assert not item, f"the plan evaluated in Python: {item}"
    return True


def statements(body: Sequence[Statement]) -> int:
    """How many statements a kernel runs; a vector's lanes run them together."""
    count = 0
    for entry in body:
        inner = statements(entry.body) if isinstance(entry, Loop | When) else 0
        turns = entry.extent if isinstance(entry, Loop) and entry.kind != "vector" else 1
        count += 1 + turns * inner
    return count


def assert_same(first: Sequence[Array], again: Sequence[Array], how: str) -> None:
    """Checks that results have the same bits."""
    for number, (one, other) in enumerate(zip(first, again, strict=True)):
        assert not differs(one, np.asarray(other)).any(), f"{how} changes result {number}"
