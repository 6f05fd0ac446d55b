"""Records what programs become and compute, and says what a change of the code has changed.

    python -m tools.program_digests record before.json
    python -m tools.program_digests compare before.json [--names 'tests/ops/*'] [--now now.json]

Each program has facts. Of the programs of ``tests/programs``, ``examples`` and the benchmark of
breadth they are digests of its artifact, its HLO text, the LLVM IR of its kernels, the words of its
program image, and the bits of its results as native code and in the interpreter. Functions of
``tests/ops`` have those but the results, which they check themselves. Functions of CHLO and
StableHLO have the bits of their results at the hard points of ``tools.accuracy``. ``--stages`` adds
the loops and the plan, whose text contains names of the compiler.

``compare`` computes the facts again, or takes them from a second record. It lists those that
differ, counts them by fact, and ends with 1 if there are any. The bits of results are counted apart
from texts and code, which every change of a compiler changes. The time of compiling is compared,
too, as one ratio: it is never a difference.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fnmatch import fnmatch
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any, Final, TypeAlias

import numpy as np

import stablemate as sm
from benchmarks.breadth import contraction, elementwise, movement, reduction
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.progress import with_progress
from stablemate.numerics.random_elements import random_elements
from tests.programs.program import load_program
from tools.accuracy import compiled, functions

Facts: TypeAlias = dict[str, str]

ROOT: Final = Path(__file__).parents[1]
PLACES: Final = ("tests/programs", "tests/programs/linalg", "examples", "tests/ops")
AREAS: Final = (elementwise, reduction, movement, contraction)
BACKENDS: Final = ("cpu", "interpreter")
LARGEST: Final = 1 << 26  # bytes of arguments; larger programs are compiled and not run
SECONDS: Final = "seconds"  # the fact that differs between any two runs


@dataclass(frozen=True, slots=True)
class Subject:
    """A program of which facts are recorded.

    Attributes:
        name: Its name in the record.
        facts: Computes them.
    """

    name: str
    facts: Callable[[], Facts]


def main() -> int:
    """Records or compares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("action", choices=["record", "compare"])
    parser.add_argument("record", type=Path)
    parser.add_argument("--names", default="*", help="a pattern of names, as of files")
    parser.add_argument("--now", type=Path, help="a second record, which compare takes for today's")
    parser.add_argument("--stages", action="store_true", help="loops and plans, too")
    options = parser.parse_args()
    before: dict[str, Facts] = {}
    if options.action == "compare":
        before = json.loads(options.record.read_text())
    if options.now is not None:
        now: dict[str, Facts] = json.loads(options.now.read_text())
    else:
        now = record(("llvm", "nest", "plan") if options.stages else ("llvm",), options.names)
    if options.action == "record":
        options.record.write_text(json.dumps(now, indent=1) + "\n")
        return 0
    chosen, now = (
        {name: facts for name, facts in record.items() if fnmatch(name, options.names)}
        for record in (before, now)
    )
    differences = list(compare(chosen, now))
    sys.stdout.writelines(f"{line}\n" for line in differences)
    for fact, count in Counter(line.split(": ")[1] for line in differences).most_common():
        print(f"{count} of {sum(fact in facts for facts in now.values())} differ: {fact}")
    print(f"{len(now)} programs, {len(differences)} differences; {compile_ratio(chosen, now)}")
    return bool(differences)


def record(stages: Sequence[str], pattern: str) -> dict[str, Facts]:
    """The facts of all programs whose names match a pattern."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["STABLEMATE_CACHE_DIR"] = cache
        warnings.simplefilter("ignore")  # of what conversions lose: the texts tell that
        chosen_subjects = [s for s in subjects(stages) if fnmatch(s.name, pattern)]
        with progress("recording"):
            return {s.name: facts_of(s) for s in with_progress(chosen_subjects, "program")}


def facts_of(subject: Subject) -> Facts:
    """The facts of a program; where there is an error, its class and message."""
    if not sys.stderr.isatty():  # in a terminal the progress is shown
        print(subject.name, file=sys.stderr)
    try:
        return subject.facts()
    except sm.StablemateError as error:
        return {"error": f"{type(error).__name__}: {error}".replace(f"{ROOT}/", "")}


def compare(before: Mapping[str, Facts], now: Mapping[str, Facts]) -> Iterator[str]:
    """A line for each fact that has changed."""
    for name in sorted({*before, *now}):
        old, new = before.get(name, {}), now.get(name, {})
        for fact in sorted({*old, *new} - {SECONDS}):
            if old.get(fact) != new.get(fact):
                yield f"{name}: {fact}: {old.get(fact, 'absent')} -> {new.get(fact, 'absent')}"


def compile_ratio(before: Mapping[str, Facts], now: Mapping[str, Facts]) -> str:
    """The processor time of all compilations that both records have, in words."""
    both = [n for n in now if SECONDS in now[n] and SECONDS in before.get(n, {})]
    old, new = (sum(float(record[name][SECONDS]) for name in both) for record in (before, now))
    return f"compiling took {new:.1f} s of processor time, {old:.1f} s before"


# ---- subjects


def subjects(stages: Sequence[str]) -> Iterator[Subject]:
    """All programs, with the stages of the compiler that are recorded."""
    for place in PLACES:
        for path in sorted((ROOT / place).glob("*.mlir")):
            if ".invalid" not in path.suffixes:
                yield from subjects_in(path, stages)
    for area in AREAS:
        for program in area.programs():
            text = partial(exported_text, program.function, program.arguments)
            facts = partial(program_facts, text, lambda p=program: p.arguments, stages)
            yield Subject(f"breadth/{program.name}", facts)
    for case in functions.cases():
        yield Subject(f"interpreted {case}", partial(function_facts, case))
    for case in compiled.cases():
        yield Subject(f"compiled {case}", partial(function_facts, case))


def subjects_in(path: Path, stages: Sequence[str]) -> Iterator[Subject]:
    """The programs of a file: each public function of ``tests/ops``, the entry of others."""
    name = str(path.relative_to(ROOT))
    if path.parent.name != "ops":
        yield Subject(name, partial(program_facts, path.read_text, arguments_of(path), stages))
        return
    try:
        module = sm.load(path)
    except sm.StablemateError as error:
        yield Subject(name, partial(dict, error=str(error)))
        return
    yield Subject(name, partial(format_facts, module))
    for entry, function in module.functions.items():
        if function.is_public:
            yield Subject(f"{name} @{entry}", partial(code_facts, module, entry, stages))


def arguments_of(path: Path) -> Callable[[], Sequence[Any] | None]:
    """Draws the arguments of a program: those of the file beside it, or random ones."""
    if path.with_suffix(".json").exists():
        return lambda: load_program(path.stem, path.parent)[1]
    return lambda: random_arguments(sm.load(path))


def random_arguments(module: sm.Module) -> Sequence[Any] | None:
    """Random arguments that are the same in each run; None if they take much memory."""
    types = [argument.type for argument in module.entry().signature.arguments]
    if sum(t.size * t.element_type.dtype.itemsize for t in types) > LARGEST:
        return None
    return [random_elements(t.shape, t.element_type, seed) for seed, t in enumerate(types)]


def exported_text(function: Callable[..., Any], arguments: Sequence[Any]) -> str:
    """What JAX traces, as text."""
    import jax

    return str(jax.jit(function).lower(*arguments).as_text())


# ---- facts


def program_facts(
    text: Callable[[], str], arguments: Callable[[], Sequence[Any] | None], stages: Sequence[str]
) -> Facts:
    """All facts of a program."""
    module = sm.parse(text())
    facts = format_facts(module) | code_facts(module, None, stages)
    values = arguments()
    if values is not None:
        for backend in BACKENDS:
            facts[f"results, {backend}"] = digest(results(module, values, backend))
    return facts


def results(module: sm.Module, values: Sequence[Any], backend: str) -> Iterator[bytes]:
    """The bits of the results of a program."""
    returned = sm.compile(module, backend=backend)(*[np.array(value) for value in values])
    for result in returned if isinstance(returned, tuple) else (returned,):
        yield from as_bytes(np.asarray(result))


def format_facts(module: sm.Module) -> Facts:
    """The facts of a module that its writers decide."""
    writers: Mapping[str, Callable[[], bytes]] = {
        "text": lambda: str(module).encode(),
        "artifact": module.to_artifact,
        "HLO": lambda: module.to_hlo().to_text().encode(),
    }
    return {name: outcome(writer) for name, writer in writers.items()}


def outcome(writer: Callable[[], bytes]) -> str:
    """The digest of what a writer writes, or its error."""
    try:
        return digest([writer()])
    except sm.StablemateError as error:
        return f"{type(error).__name__}: {error}".replace(f"{ROOT}/", "")


def code_facts(module: sm.Module, entry: str | None, stages: Sequence[str]) -> Facts:
    """The facts of a function that the compiler decides."""
    start = process_time()
    executable: Any = sm.compile(module, entry=entry)
    seconds = process_time() - start
    if executable.fallback is not None:
        return {"interpreted": str(executable.fallback)}
    facts = {SECONDS: f"{seconds:.3f}"}
    for stage in stages:
        facts[stage] = digest([executable.emit(stage).encode()])
    if hasattr(executable, "program"):
        facts["image"] = digest(image_parts(executable.program.image))
    return facts


def function_facts(case: functions.Case | compiled.CompiledCase) -> Facts:
    """The bits of the results of a function at its hard points."""
    return {"results": digest(as_bytes(np.asarray(case.results(case.points()))))}


def image_parts(image: Any) -> Iterator[bytes]:
    """The fields of a program image as bytes, whatever they are called."""
    for field in fields(image):
        yield from as_bytes(getattr(image, field.name))


def as_bytes(value: Any) -> Iterator[bytes]:
    """A value as bytes: arrays by their elements, records by their fields."""
    if isinstance(value, np.ndarray):
        yield value.tobytes()
    elif hasattr(value, "__dataclass_fields__"):
        yield from image_parts(value)
    elif isinstance(value, dict):
        yield from as_bytes(list(value.items()))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from as_bytes(item)
    else:
        yield repr(value).encode()


def digest(parts: Iterator[bytes] | list[bytes]) -> str:
    """The first 16 digits of the SHA-256 of bytes."""
    total = sha256()
    for part in parts:
        total.update(part)
        total.update(b"\0")
    return total.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
