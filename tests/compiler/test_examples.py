"""Every static example of every operation, compiled: it checks its own results.

What cannot be compiled is run by the interpreter, which ``tests/ops`` does. Examples run in a child
process: a fault fails the example that it stands in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from tests.compiler.child_processes import Child, Fault
from tests.compiler.object_symbols import missing
from tests.compiler.variants import Variant
from tests.ops import test_ops

FILES = sorted({file for file, _ in test_ops.examples()})
# Each machine, with and without fusion, one thread and two: not all of them together.
CHOSEN = [
    Variant(),
    Variant(fuse=False, threads=1),
    Variant(machine="avx2"),
    Variant(fuse=False, threads=1, machine="sse2"),
    Variant(check=True),
]


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    """Where examples run."""
    with Child() as child:
        yield child


@lru_cache(maxsize=1)
def loaded(file: str) -> sm.Module:
    """The examples of a file."""
    return sm.load(Path(test_ops.DIRECTORY) / file)


def outcome(file: str, name: str, variant: Variant) -> str:
    """What is wrong with an example; empty if nothing is."""
    executable = variant.compiled(loaded(file), name)
    if isinstance(executable, CompiledExecutable):
        needed = missing(executable.program.objects)
        if needed:
            return f"needs {needed}"
        try:
            executable()
        except sm.StablemateError as error:
            return str(error)
    return ""


def check_examples(
    question: Callable[[str, str, Variant], str], file: str, variant: Variant, child: Child
) -> None:
    """Asks in a child process what is wrong with each example of a file: nothing must be."""
    if not variant.runs:
        pytest.skip(f"this machine has no {variant.machine}")
    wrong: list[str] = []
    for name, function in loaded(file).functions.items():
        if not function.is_public:
            continue
        try:
            ask_result = child.ask(question, file, name, variant)
        except Fault as fault:
            ask_result = str(fault)
        if ask_result:
            wrong.append(f"@{name}: {ask_result}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("variant", CHOSEN, ids=str)
@pytest.mark.parametrize("file", FILES)
def test_compiled_examples_give_their_values(file: str, variant: Variant, child: Child) -> None:
    check_examples(outcome, file, variant, child)
