"""Generated models of ONNX, of all versions of operators, compared with ONNX Runtime.

::

    python -m tests.properties.onnx_models.campaign --models 2000 --seed 1
    python -m tests.properties.onnx_models.campaign --seed 1 --first 123 --models 1 --keep FOLDER

A model has one to a few inputs and nodes, with random attributes, element types and declared
sizes: numbers, names or unknown. Its outputs are compared value by value, also for inputs of other
sizes, where ONNX Runtime runs these. Each eighth model is compiled to native code, the others are
interpreted. A difference is a bug, unless ONNX leaves the result open.
"""

from __future__ import annotations

import argparse
import sys
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from stablemate.diagnostics.errors import StablemateError
from stablemate.onnx import InferenceSession
from tests.properties.generation.choices import Choices, Seeded
from tests.properties.onnx_models.drafts import (
    FLOATS,
    INTEGERS,
    SIZES,
    VERSIONS,
    Draft,
    NoNodeError,
    is_moderate,
    session,
)
from tests.properties.onnx_models.operators import MAKERS

MOST_NODES: Final = 6
ATTEMPTS: Final = 12  # of adding a node, for each that a model is to have
TOLERANCES: Final = {"float64": 1e-6, "float32": 2e-5, "float16": 4e-3}
EVERY: Final = 8  # of the models, one is compiled


@dataclass(frozen=True, slots=True)
class Case:
    """A model and inputs for it.

    Attributes:
        model: The model.
        feeds: Inputs by name, for each run.
        expected: What ONNX Runtime gives for them.
    """

    model: Any
    feeds: list[dict[str, Any]]
    expected: list[list[Any]]


def drafted(choices: Choices) -> Draft:
    """A model of some nodes."""
    draft = Draft(choices, choices.of(VERSIONS))
    rank = choices.weighted([(4, 4), (3, 3), (2, 4), (1, 2), (5, 1), (0, 1)])
    for _ in range(choices.integer(1, 3)):
        shape = [choices.of(SIZES) for _ in range(rank)]
        if choices.chance(4) and rank:
            shape[0] = 0
        kinds = [(choices.of(FLOATS), 6), (choices.of(INTEGERS), 2), ("bool", 1)]
        draft.input(draft.numbers(shape, choices.weighted(kinds)))
    count = choices.integer(1, MOST_NODES)
    for _ in range(ATTEMPTS * count):
        if sum(node.op_type != "Constant" for node in draft.nodes) >= count:
            break
        maker = choices.of(MAKERS)
        if maker.since > draft.version:
            continue
        before = len(draft.values)
        try:
            maker.write(draft)
        except (NoNodeError, IndexError, ZeroDivisionError):
            draft.pending.clear()
            continue
        names = {name for node in draft.pending for name in node.input}
        exact = maker.is_exact and all(v.is_exact for v in draft.values[:before] if v.name in names)
        draft.accept(is_exact=exact)
    return draft


def case_of(seed: int | str, number: int) -> Case | None:
    """A generated model by its number; None if it has no nodes."""
    choices = Seeded(f"{seed}:{number}")
    draft = drafted(choices)
    if not draft.nodes:
        return None
    read = {name for node in draft.nodes for name in node.input}
    written = {name for node in draft.nodes for name in node.output}
    values = [v.name for v in draft.values if v.name in written]
    outputs = [name for name in values if name not in read or choices.chance(20)]
    by_size = choices.chance(50)
    openness = choices.of([0, 30, 100])
    names: dict[tuple[str, int], str] = {}

    def dimension(name: str, place: int, size: int) -> Any:
        if not choices.chance(openness):
            return size
        if choices.chance(20):
            return None
        names[name, place] = f"n{size}" if by_size else f"{name}_{place}"
        return names[name, place]

    version = choices.of([8, 3, 7, 10])
    model = draft.model(outputs, dimensions=dimension, ir_version=version)
    feeds = [draft.feeds]
    if names:
        feeds.append(other_sizes(draft, names, choices))
    return judged(model, feeds)


def other_sizes(
    draft: Draft, names: dict[tuple[str, int], str], choices: Choices
) -> dict[str, Any]:
    """Inputs whose sizes with names are others."""
    sizes = {name: choices.of(SIZES) for name in dict.fromkeys(names.values())}
    feeds: dict[str, Any] = {}
    for name, array in draft.feeds.items():
        shape = [
            sizes[names[name, i]] if (name, i) in names else size
            for i, size in enumerate(array.shape)
        ]
        feeds[name] = draft.numbers(shape, array.dtype)
    return feeds


def judged(model: Any, feeds: list[dict[str, Any]]) -> Case | None:
    """A case with what ONNX Runtime gives; runs that it refuses are left out."""
    judge = session(model)
    kept: list[dict[str, Any]] = []
    expected: list[list[Any]] = []
    for feed in feeds:
        try:
            results = judge.run(None, feed)
        except Exception:
            continue
        if all(map(is_moderate, results)):
            kept.append(feed)
            expected.append(results)
    return Case(model, kept, expected) if kept else None


def difference(case: Case, *, backend: str) -> str:
    """How results differ, in words; empty if they do not."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mine = InferenceSession(case.model.SerializeToString(), backend=backend)
            found = [mine.run(None, feed) for feed in case.feeds]
    except StablemateError as error:
        return f"refused: {error}"
    except Exception:
        return f"failed:\n{traceback.format_exc()}"
    outputs = [value.name for value in case.model.graph.output]
    for run, (results, wanted) in enumerate(zip(found, case.expected, strict=True)):
        for name, result, expected in zip(outputs, results, wanted, strict=True):
            text = array_difference(np.asarray(result), expected)
            if text:
                return f"differs: {name} of run {run}: {text}"
    return ""


def array_difference(result: Any, expected: Any) -> str:
    """How an array differs from the expected one; empty if it does not."""
    if (result.shape, result.dtype) != (expected.shape, expected.dtype):
        return f"{result.dtype}{list(result.shape)}, not {expected.dtype}{list(expected.shape)}"
    one, other = result.astype(np.float64), expected.astype(np.float64)
    largest = max(float(np.max(np.abs(other), initial=0)), 1.0)
    gap = np.where((one == other) | (np.isnan(one) & np.isnan(other)), 0, np.abs(one - other))
    worst = float(np.nan_to_num(np.max(gap, initial=0), nan=np.inf)) / largest
    if worst <= TOLERANCES.get(expected.dtype.name, 0.0):
        return ""
    return f"{worst:.1e} of {expected.dtype}{list(expected.shape)}"


def described(model: Any) -> str:
    """The nodes of a model, a line each."""
    inputs = [
        f"{v.name}: {v.type.tensor_type.elem_type}"
        f"{[d.dim_value or d.dim_param for d in v.type.tensor_type.shape.dim]}"
        for v in model.graph.input
    ]
    lines = [f"  opset {model.opset_import[0].version}, {', '.join(inputs)}"]
    for node in model.graph.node:
        if node.op_type != "Constant":
            attributes = ", ".join(
                f"{a.name}={a.i or a.f or a.s or list(a.ints) or list(a.floats)}"
                for a in node.attribute
            )
            lines.append(f"  {list(node.output)} = {node.op_type}({list(node.input)}) {attributes}")
    return "\n".join(lines)


def main() -> int:
    """Compares generated models; exits with 1 if some differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.onnx_models.campaign")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--models", type=int, default=1000)
    parser.add_argument("--keep", type=Path, help="a folder for models that differ")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    operators: Counter[str] = Counter()
    for number in range(arguments.first, arguments.first + arguments.models):
        case = case_of(arguments.seed, number)
        if case is None:
            counts["empty"] += 1
            continue
        operators.update(node.op_type for node in case.model.graph.node)
        backend = "cpu" if number % EVERY == 0 else "interpreter"
        text = difference(case, backend=backend)
        counts[text.split(":")[0] or "same"] += 1
        if text:
            print(f"{number} ({backend}) {text}\n{described(case.model)}", flush=True)
            if arguments.keep:
                path = arguments.keep / f"{arguments.seed}-{number}.onnx"
                path.write_bytes(case.model.SerializeToString())
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    print(f"{operators.total()} nodes of {len(operators)} operators")
    return int(any(counts[name] for name in ("differs", "refused", "failed")))


if __name__ == "__main__":
    sys.exit(main())
