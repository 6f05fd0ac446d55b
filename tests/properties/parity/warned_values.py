"""Programs with warnings have the values that they have upstream: XLA's or the reference's.

``python -m tests.properties.parity.warned_values --programs 200 --seed 1`` changes operations until
the verifier warns about them, runs those that jaxlib accepts, in XLA, the reference interpreter,
the interpreter and native code, and prints what runs there and not here, or with another value.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array
from tests.oracle.client import Oracle, OracleError
from tests.properties.generation.choices import Seeded
from tests.properties.generation.values import array_of
from tests.properties.parity.changes import changed
from tests.properties.parity.openings import opened
from tests.properties.parity.specimens import Specimen, specimens

BATCH: Final = 100
SIGNATURE: Final = re.compile(r"^func\.func @specimen\((.*)\) \{$", re.MULTILINE)
BACKENDS: Final = ("interpreter", "cpu")


@dataclass(frozen=True)
class Outcome:
    """What became of a program.

    Attributes:
        rule: The first rule that it breaks.
        verdict: ``equal``, ``runs here only``, ``runs nowhere``, ``fails here`` or ``differs``.
        detail: What differs.
        text: The program.
    """

    rule: str
    verdict: str
    detail: str
    text: str


def main() -> int:
    """Compares; the exit code is 1 if there are differences."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.parity.warned_values")
    parser.add_argument("--programs", type=int, default=100, help="changed programs by operation")
    parser.add_argument("--seed", type=int, default=0, help="which changes")
    parser.add_argument("--only", default="", help="operations whose names begin so")
    parser.add_argument("--each", type=int, default=5, help="the most programs by rule")
    arguments = parser.parse_args()
    counts: Counter[tuple[str, str]] = Counter()
    shown: set[tuple[str, str, str]] = set()
    with Oracle(timeout=30) as oracle:
        for outcome in outcomes(oracle, warned(arguments), arguments.each):
            counts[outcome.rule, outcome.verdict] += 1
            key = (outcome.rule, outcome.verdict, re.sub(r"\W?\d+", "_", outcome.detail)[:60])
            if outcome.verdict in ("fails here", "differs") and key not in shown:
                shown.add(key)
                print(f"{outcome.rule}: {outcome.verdict}: {outcome.detail}\n{outcome.text}")
    for (rule, verdict), count in sorted(counts.items()):
        print(f"{rule}: {verdict}: {count}", file=sys.stderr)
    return 1 if shown else 0


def warned(arguments: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Rules and texts of changed operations that are accepted with warnings."""
    for name, items in specimens().items():
        if not name.startswith(arguments.only):
            continue
        for number in range(arguments.programs):
            draw = Seeded(f"warned:{arguments.seed}:{name}:{number}")
            change = opened if draw.chance(15) else changed
            text = with_results(change(draw, draw.of(items)))
            rules = warnings(text)
            if rules:
                yield rules[0], text


def with_results(specimen: Specimen) -> str:
    """The text of a function ``main`` that returns what the operation returns."""
    text = specimen.text()
    names = "%r" if len(specimen.results) == 1 else ""
    names = names or ", ".join(f"%r#{i}" for i in range(len(specimen.results)))
    types = ", ".join(specimen.results)
    head = SIGNATURE.sub(lambda m: f"func.func @main({m[1]}) -> ({types}) {{", text)
    ending = "\n  return\n}\n"
    return f"{head.removesuffix(ending)}\n  return {names}{f' : {types}' if types else ''}\n}}\n"


def warnings(text: str) -> list[str]:
    """The rules that a program breaks, if each is only warned about; else nothing."""
    try:
        diagnostics = sm.load(text).diagnostics()
    except sm.StablemateError:
        return []
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        return []
    return [diagnostic.rule for diagnostic in diagnostics if diagnostic.severity == "warning"]


def outcomes(oracle: Oracle, programs: Iterator[tuple[str, str]], each: int) -> Iterator[Outcome]:
    """What becomes of programs that jaxlib accepts, at most so many of each rule."""
    counts: Counter[str] = Counter()
    batch: list[tuple[str, str]] = []

    def judged() -> Iterator[Outcome]:
        readings = oracle.readings([text for _, text in batch])
        for (rule, text), reading in zip(batch, readings, strict=True):
            if reading is not None and not reading[0] and counts[rule] < each:
                outcome = compared(oracle, rule, text)
                counts[rule] += outcome.verdict != "no arguments"
                yield outcome

    for rule, text in programs:
        if counts[rule] < each:
            batch.append((rule, text))
        if len(batch) == BATCH:
            yield from judged()
            batch.clear()
    yield from judged()


def compared(oracle: Oracle, rule: str, text: str) -> Outcome:
    """Runs one program everywhere."""
    module = sm.load(text)
    arguments = arguments_of(module, text)
    if arguments is None:
        return Outcome(rule, "no arguments", "", text)
    theirs = {
        name: values
        for name in ("xla", "reference")
        if (values := upstream(oracle, name, text, arguments)) is not None
    }
    ours = {backend: executed(text, arguments, backend) for backend in BACKENDS}
    failures = [f"{name}: {value}" for name, value in ours.items() if isinstance(value, str)]
    if not theirs:
        return Outcome(rule, "runs nowhere" if failures else "runs here only", "", text)
    if failures:
        return Outcome(rule, "fails here", f"{[*theirs]} {failures[0]}", text)
    for backend, values in ours.items():
        differing = [name for name, other in theirs.items() if not equal(values, other)]
        if len(differing) == len(theirs):
            detail = f"{backend} {values} {theirs} of {arguments}"
            return Outcome(rule, "differs", " ".join(detail.split()), text)
    return Outcome(rule, "equal", "", text)


def arguments_of(module: sm.Module, text: str) -> list[Array] | None:
    """Small numbers for the arguments; sizes that are not known are two."""
    draw, values = Seeded(text), list[Array]()
    main = next(op for op in module.operation.regions[0].block.operations if named_main(op))
    for argument in main.regions[0].block.arguments:
        if not isinstance(argument.type, TensorType):
            return None
        shape = tuple(2 if size < 0 else size for size in argument.type.shape)
        try:
            values.append(array_of(draw, TensorType(shape, argument.type.element_type), "small"))
        except (
            TypeError,
            KeyError,
            ValueError,
            OverflowError,
            AttributeError,
            NotImplementedError,
        ):
            return None
    return values


def named_main(operation: Any) -> bool:
    """Whether an operation is the function ``main``."""
    return str(operation.attributes.get("sym_name", "")).strip('"') == "main"


def upstream(oracle: Oracle, name: str, text: str, arguments: Sequence[Array]) -> Any:
    """What XLA or the reference interpreter returns; None if it does not run the program."""
    try:
        return getattr(oracle, name)(text, *arguments)
    except (OracleError, RuntimeError):
        return None


def executed(text: str, arguments: Sequence[Array], backend: str) -> Any:
    """What the program returns here; the error as text if it does not run."""
    try:
        result = sm.load(text).run(*arguments, backend=backend)
    except sm.StablemateError as error:
        return str(error)
    except Exception as error:  # exactly what must not happen
        return f"{type(error).__name__}: {error}"
    return [np.asarray(value) for value in (result if isinstance(result, tuple) else (result,))]


def equal(ours: Sequence[Array], theirs: Sequence[Array]) -> bool:
    """Whether values are equal, floats up to rounding."""
    return len(ours) == len(theirs) and all(
        a.shape == b.shape and close(a, b) for a, b in zip(ours, theirs, strict=True)
    )


def close(a: Array, b: Array) -> bool:
    """Whether two arrays hold the same numbers up to rounding."""
    if a.dtype.kind in "bui" and b.dtype.kind in "bui":
        return bool(np.array_equal(a, b))
    kind = np.complex128 if "c" in (a.dtype.kind, b.dtype.kind) else np.float64
    return bool(np.allclose(a.astype(kind), b.astype(kind), rtol=1e-2, atol=1e-2, equal_nan=True))


if __name__ == "__main__":
    sys.exit(main())
