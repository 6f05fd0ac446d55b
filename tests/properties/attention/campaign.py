"""Attention in tiles compared with the plain form, XLA and the interpreter.

``python -m tests.properties.attention.campaign --programs 100 --seed 1`` generates programs, runs
each in tiles (however small it is, if there are at least 48 queries and 64 keys), in the plain
form and in XLA, and prints those whose errors, relative to XLA in double precision, are several
times those of both others. Numbers that are not finite must stand where they do in XLA's results.
``--check`` compares with native code that checks every access to memory, in all bits but those of
NaN. At the end it prints how many programs had each form, and how many were computed in tiles.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.dynamic.shape_specialization import SpecializingExecutable
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.graph.graph import all_nodes
from stablemate.compiler.kernels.attention.operation import ATTENTION
from stablemate.compiler.size_versions import SizedExecutable
from tests.properties.attention.programs import Form, form, jax, jnp
from tests.properties.attention.small_tiles import native, small_tiles
from tests.properties.generation.tolerances import differs

ROUNDING: Final = {"float64": 2.0**-46, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2**-7}
TIMES: Final = 4  # as large as the error of others
ROUNDINGS: Final = 64  # of the largest result, which are always admitted
# The attributes of a form that the table of forms counts.
COUNTED: Final = (
    "dtype", "order", "group", "scale", "mask", "bias", "cap", "softmax", "dropout", "result",
    "special", "dynamic",
)  # fmt: skip
Arrays = list[Any]


@dataclass(frozen=True)
class Outcome:
    """What a comparison found.

    Attributes:
        form: The program.
        operations: The operations of attention that it was compiled to.
        detail: What differs; empty if nothing does.
    """

    form: Form
    operations: tuple[str, ...]
    detail: str = ""


def executable_of(text: str, arguments: Sequence[Any], **options: bool) -> CompiledExecutable:
    """A program as native code; one with dynamic sizes in the version for these arguments."""
    compiled = native(text, CompileOptions(**options))
    if isinstance(compiled, SpecializingExecutable):
        compiled.run(compiled.signature.take(list(arguments)))
        compiled = compiled.latest
        assert isinstance(compiled, SizedExecutable), "a version of one size"
    assert isinstance(compiled, CompiledExecutable)
    return compiled


def results_of(executable: CompiledExecutable, arguments: Sequence[Any]) -> Arrays:
    """The results of native code."""
    return [np.asarray(r) for r in executable.run(executable.signature.take(list(arguments)))]


def operations_of(executable: CompiledExecutable) -> tuple[str, ...]:
    """The operations of attention in a program."""
    names = [node.operation.name for node in all_nodes(executable.graph)]
    return tuple([name for name in names if name.startswith(ATTENTION)])


def compared(one: Form, *, check: bool = False) -> Outcome:
    """A program compared."""
    arguments = one.arguments()
    with jax.enable_x64(one.dtype == "float64"):
        text = one.text(arguments)
        jitted = jax.jit(one.function(), keep_unused=True)
        xla = [np.asarray(result) for result in jax.tree.leaves(jitted(*arguments))]
    with small_tiles():
        tiles = executable_of(text, arguments, attention=True)
        operations = operations_of(tiles)
    ours = results_of(tiles, arguments)
    if check:
        with small_tiles():
            checked = results_of(
                executable_of(text, arguments, attention=True, check=True), arguments
            )
        same = not any(differs(a, b).any() for a, b in zip(ours, checked, strict=True))
        return Outcome(one, operations, "" if same else "not the bits of checked code")
    peers = {"xla": xla}
    if operations:
        peers["plain"] = results_of(executable_of(text, arguments, attention=False), arguments)
    if one.scores_are_small and one.batch:
        given: Any = sm.load(text).run(*arguments, backend="interpreter", order="fast")
        peers["interpreter"] = [np.asarray(a) for a in jax.tree.leaves(given)]
    return Outcome(one, operations, difference(one, ours, peers, exact(one, arguments)))


def save(forms: Sequence[Form], file: str) -> None:
    """Writes the texts and arguments of programs, for processes without JAX."""
    saved: list[tuple[str, str, Sequence[Any]]] = []
    for one in forms:
        arguments = one.arguments()
        with jax.enable_x64(one.dtype == "float64"):
            text = one.text(arguments)
        saved.append((str(one), text, arguments))
    Path(file).write_bytes(pickle.dumps(saved))


def exact(one: Form, arguments: Sequence[Any]) -> Arrays:
    """What XLA computes in double precision."""
    with jax.enable_x64(True):
        wide = [jnp.asarray(np.asarray(argument).astype(np.float64)) for argument in arguments]
        return [np.asarray(result) for result in jax.tree.leaves(jax.jit(one.function())(*wide))]


def difference(one: Form, ours: Arrays, peers: dict[str, Arrays], wanted: Arrays) -> str:
    """What differs; empty if nothing does."""
    for number, (result, expected) in enumerate(zip(ours, wanted, strict=True)):
        others = {name: arrays[number].astype(np.float64) for name, arrays in peers.items()}
        mine = result.astype(np.float64)
        finite = np.isfinite(mine)
        if not any((finite == np.isfinite(other)).all() for other in others.values()):
            counts = {name: int((~np.isfinite(other)).sum()) for name, other in others.items()}
            return f"result {number}: {(~finite).sum()} numbers are not finite, {counts}"
        errors = {name: error_of(other, expected) for name, other in others.items()}
        error = error_of(mine, expected)
        magnitude = np.abs(expected[np.isfinite(expected)]).max(initial=0)
        floor = ROUNDINGS * ROUNDING[one.dtype] * magnitude
        if error > max(TIMES * max(errors.values()), floor):
            return f"result {number}: error {error:.2e}, of others {errors}, floor {floor:.2e}"
    return ""


def error_of(result: Any, expected: Any) -> float:
    """The largest error of finite numbers."""
    both = np.isfinite(result) & np.isfinite(expected)
    return float(np.abs(result - expected)[both].max(initial=0))


def table_of_forms(outcomes: Sequence[Outcome]) -> list[str]:
    """For each attribute, how many programs had each value, and how many of those had tiles."""
    lines: list[str] = []
    for name in COUNTED:
        every = Counter(named(getattr(outcome.form, name)) for outcome in outcomes)
        tiled = Counter(named(getattr(o.form, name)) for o in outcomes if o.operations)
        counts = [f"{value} {tiled[value]}/{count}" for value, count in sorted(every.items())]
        lines.append(f"{name}: {', '.join(counts)}")
    return lines


def kind_of(outcome: Outcome) -> str:
    """What a program computes, and by which operations."""
    sizes = "dynamic " if outcome.form.dynamic else ""
    operations = ", ".join(sorted(set(outcome.operations))) or "plain"
    return f"{sizes}{outcome.form.result}: {operations}"


def named(value: str | bool | int | tuple[str, ...]) -> str:
    """The value of an attribute in a table."""
    return ("+".join(value) if isinstance(value, tuple) else str(value)) or "none"


def main() -> int:
    """Compares, and prints what differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.attention.campaign")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--seconds", type=float, default=1e9, help="after which none begins")
    parser.add_argument("--check", action="store_true", help="compare with checked code instead")
    parser.add_argument("--save", metavar="FILE", help="only write the programs to a file")
    given = parser.parse_args()
    if given.save:
        numbers = range(given.first, given.first + given.programs)
        save([form(given.seed, number) for number in numbers], given.save)
        return 0
    end = time.monotonic() + given.seconds
    outcomes: list[Outcome] = []
    for number in range(given.first, given.first + given.programs):
        if time.monotonic() > end:
            break
        outcome = compared(form(given.seed, number), check=given.check)
        outcomes.append(outcome)
        print(number, outcome.operations, outcome.form, flush=True, file=sys.stderr)
        if outcome.detail:
            print(number, outcome.detail, outcome.operations, outcome.form, sep="\n", flush=True)
    found = sum(bool(outcome.detail) for outcome in outcomes)
    counts = Counter(kind_of(outcome) for outcome in outcomes)
    print(*(f"{count:6} {name}" for name, count in sorted(counts.items())), sep="\n")
    print(*table_of_forms(outcomes), f"{len(outcomes)} programs, {found} differences", sep="\n")
    return int(found > 0)


if __name__ == "__main__":
    raise SystemExit(main())
