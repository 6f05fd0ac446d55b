"""Bisection: a wrong operation, planted at random in real programs, is found and cut out."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.debugging import executors
from stablemate.debugging.bisection import Bisection
from stablemate.debugging.closeness import closeness
from stablemate.debugging.reduction import Candidate, reduce
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.attributes import COMPARISON_DIRECTION, ComparisonDirection
from stablemate.dialects.stablehlo.compare import Compare
from stablemate.ir import core
from stablemate.ir.core import Operation
from stablemate.ir.locations import UNKNOWN, NameLocation
from stablemate.ir.rewriter import Rewriting
from tests.debugging.test_comparison import LOOP, X
from tests.programs.program import load_program

# What stands in the place of an operation, of the same types.
WRONG: Final = {
    "stablehlo.compare GT": "stablehlo.compare LE",
    "stablehlo.compare LT": "stablehlo.compare GE",
    "stablehlo.add": "stablehlo.subtract",
    "stablehlo.divide": "stablehlo.multiply",
    "stablehlo.exponential": "stablehlo.negate",
    "stablehlo.maximum": "stablehlo.minimum",
    "stablehlo.minimum": "stablehlo.maximum",
    "stablehlo.multiply": "stablehlo.maximum",
    "stablehlo.subtract": "stablehlo.add",
    "stablehlo.tanh": "stablehlo.sine",
    "stablehlo.xor": "stablehlo.and",
}
COMPARING: Final = ("argtopk", "sort")  # nothing else can go wrong there
OPPOSITE: Final = {"GT": "LE", "LT": "GE"}
MOST_TURNS: Final = 10_000  # of a loop with a mistake
MARK: Final = NameLocation("planted", UNKNOWN)
LONGER: Final = LOOP.replace(
    "return %w#1", "%q = stablehlo.negate %x : tensor<3xf32>\n  return %w#1"
)
PROGRAMS: Final = (
    "argtopk", "convtrain", "elementwise", "fft", "gnn", "gpt2_b1", "gpt2_b8", "gpt_128",
    "gpt_bf16", "histogram", "lstm", "mlp_b1", "mlp_b128", "mobilenet", "nbody", "resnet50",
    "smallwhile", "sort", "stencil", "threefry",
)  # fmt: skip


def planted(
    name: str, seed: int, wrong: Mapping[str, str] = WRONG
) -> tuple[sm.Module, sm.Module, int, list[Any]]:
    """A program, the same with a wrong operation, the line of that, and arguments.

    The operation is drawn at random from those whose mistake the results of the program show.
    """
    source, arrays = load_program(name)
    lines = str(sm.load(source)).splitlines()
    places = [
        (i, right)
        for i, line in enumerate(lines)
        for right in wrong
        if f"= {right} " in line.replace(",", " ") and "applies" not in line
    ]
    random.Random(seed).shuffle(places)
    good = sm.load("\n".join(lines))
    expected = interpreted(good, arrays)
    for i, right in places:
        changed = [*lines[:i], lines[i].replace(right, wrong[right], 1), *lines[i + 1 :]]
        bad = sm.load("\n".join(changed))
        with suppress(sm.StablemateError):  # a loop that does not end is no mistake to look for
            if differ(interpreted(bad, arrays), expected):
                return good, bad, i + 1, list(arrays)
    raise AssertionError(f"{name} shows none of {len(places)} mistakes")


def differ(actual: Any, expected: Any) -> bool:
    """Whether a result is not near enough to what it should be."""
    return not all(closeness(a, b).matches for a, b in zip(actual, expected, strict=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_wrong_operation_is_found(name: str) -> None:
    good, bad, line, arrays = planted(name, seed=len(name))
    bisection = sm.bisect(good, *arrays, other=bad, backend="interpreter")
    (operation,) = bisection.operations
    assert line in {item.span.line for item in operation.walk() if item.span}
    assert bisection.module is not None
    bisection.module.verify()
    json.dumps(bisection.to_json(), allow_nan=False)


class Planting(Rewriting):
    """Copies a program; the operation that is marked is another one."""

    def copy_operation(self, operation: Operation) -> Operation:
        copy = super().copy_operation(operation)
        if MARK.name not in str(copy.location):
            return copy
        if isinstance(copy, Compare):
            direction = ComparisonDirection(OPPOSITE[copy.comparison_direction.value])
            copy.attributes["comparison_direction"] = COMPARISON_DIRECTION.attribute(direction)
            return copy
        if copy.name not in WRONG:
            return copy
        cls: Any = OPERATIONS[WRONG[copy.name]]
        types = [result.type for result in copy.results]
        return cls(copy.operands, types, copy.attributes, copy.regions)


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_cut_out(name: str) -> None:
    """Of an executor that computes one operation wrongly, wherever that stands."""
    # The condition of a loop needs its loop to go wrong: comparisons where there is nothing else.
    names = {old: new for old, new in WRONG.items() if old in OPERATIONS or name in COMPARING}
    good, _, line, arrays = planted(name, len(name), names)
    (marked,) = (
        e for e in good.ir.operation.walk() if e.span and e.span.line == line and e.results
    )
    marked.location = MARK

    def parts(candidate: Candidate) -> bool:
        ir = candidate.module.ir
        wrong = core.Module(Planting({}).copy_operation(ir.operation), ir.resources, version=1)
        value = candidate.arguments or ()
        try:
            expected = interpreted(candidate.module, value)
            return differ(interpreted(sm.Module(wrong), value), expected)
        except sm.StablemateError:  # a loop that does not end
            return False

    assert parts(Candidate(good, arrays))
    reduction = reduce(good, parts, *arrays)
    assert reduction.operations <= 1 + sum(1 for _ in marked.walk())
    assert marked.name in reduction.module.to_text()


def interpreted(module: sm.Module, arguments: Any) -> Any:
    """What the interpreter gives."""
    completed = module.run(*arguments, backend="interpreter", max_iterations=MOST_TURNS)
    return completed if isinstance(completed, tuple) else (completed,)


def test_a_program_that_does_not_part() -> None:
    bisection = sm.bisect(LOOP, X, np.int32(3))
    assert bisection.matches
    assert bisection.runs <= 2
    assert str(bisection) == "No operation diverges, after 2 runs."


def test_inside_of_a_loop_the_turn_is_named() -> None:
    other = LOOP.replace("%u = stablehlo.add %t, %x", "%u = stablehlo.maximum %t, %x")
    first = np.array([-3.0, -3.0, -3.0], np.float32)
    bisection = sm.bisect(LOOP, first, np.int32(4), other=other)
    assert [operation.name for operation in bisection.operations] == ["stablehlo.add"]
    assert [(item.operation.name, item.region, item.number) for item in bisection.inside] == [
        ("stablehlo.while", 1, 0)
    ]
    assert "in iteration 0 of region 1 of stablehlo.while" in bisection.verdict


def test_few_runs_are_enough() -> None:
    body = "\n".join(f"  %{i + 1} = stablehlo.sine %{i} : tensor<2xf32>" for i in range(1000))
    text = f"""func.func @main(%0: tensor<2xf32>) -> tensor<2xf32> {{
    {body}
      return %1000 : tensor<2xf32> }}"""
    wrong = text.replace("%701 = stablehlo.sine", "%701 = stablehlo.cosine")
    bisection = sm.bisect(text, X[:2], other=wrong, backend="interpreter")
    assert len(bisection.operations) == 1
    assert bisection.runs <= 2 * math.ceil(math.log2(1000)) + 2


def test_what_is_masked_is_found() -> None:
    text = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %c = stablehlo.constant dense<false> : tensor<i1>
      %0 = stablehlo.tanh %x : tensor<3xf32>
      %1 = stablehlo.select %c, %0, %x : tensor<i1>, tensor<3xf32>
      return %1 : tensor<3xf32> }"""
    bisection = sm.bisect(text, X, other=text.replace("tanh", "sine"))
    assert [operation.name for operation in bisection.operations] == ["stablehlo.tanh"]
    assert bisection.masked
    assert "The results of the program agree within the tolerance." in bisection.verdict


def test_an_executor_that_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an executor that diverges only where two operations stand together, both are found."""
    here = executors.EXECUTORS["interpreter"]

    def broken(module: sm.Module, arguments: Any) -> Any:
        text = module.to_text()
        results = here(module, arguments)
        if "tanh" in text and "cosine" in text:
            return [np.asarray(result) + 1 for result in results]
        return results

    monkeypatch.setattr(executors, "EXECUTORS", {**executors.EXECUTORS, "broken": broken})
    text = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %0 = stablehlo.tanh %x : tensor<3xf32>
      %1 = stablehlo.sine %0 : tensor<3xf32>
      %2 = stablehlo.negate %1 : tensor<3xf32>
      %3 = stablehlo.cosine %2 : tensor<3xf32>
      return %3 : tensor<3xf32> }"""
    bisection = sm.bisect(text, X, backend="broken")
    assert [operation.name for operation in bisection.operations] == [
        "stablehlo.tanh",
        "stablehlo.cosine",
    ]
    assert "only together" in bisection.verdict


def test_an_executor_that_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    here = executors.EXECUTORS["interpreter"]

    def ending(module: sm.Module, arguments: Any) -> Any:
        if "tanh" in module.to_text():
            raise sm.EvaluationError("XLA ended by SIGABRT on this program")
        return here(module, arguments)

    monkeypatch.setattr(executors, "EXECUTORS", {**executors.EXECUTORS, "ending": ending})
    bisection = sm.bisect(LOOP, X, np.int32(2), backend="ending")
    assert [operation.name for operation in bisection.operations] == ["stablehlo.tanh"]
    assert bisection.failure == "XLA ended by SIGABRT on this program"


def test_wrong_usage() -> None:
    with pytest.raises(sm.ArgumentError, match="no executor is called 'gpu'"):
        sm.bisect(LOOP, X, np.int32(1), backend="gpu")
    with pytest.raises(sm.ArgumentError, match="operations"):
        sm.bisect(
            LOOP,
            X,
            np.int32(1),
            other=LOOP.replace(
                "return %w#1", "%q = stablehlo.negate %x : tensor<3xf32>\n return %w#1"
            ),
        )
    with pytest.raises(sm.ArgumentError):
        sm.bisect(LOOP, X)


def test_operations_that_diverge_only_together_are_counted() -> None:
    """The first few are named, and the sentence is one of grammar."""
    text = "\n".join(f"  %{i} = stablehlo.negate %x : tensor<f32>" for i in range(5))
    module = sm.load(
        f"func.func @main(%x: tensor<f32>) -> tensor<f32> {{\n{text}\n"
        "  return %0 : tensor<f32>\n}",
        name="m.mlir",
    )
    operations = [item for item in module.ir.operation.walk() if "negate" in item.name]
    bisection = Bisection(operations, (), (), None, None, (), 7, 6, masked=True)
    assert bisection.verdict == (
        "The difference originates in 5 operations that diverge only together: "
        "stablehlo.negate (m.mlir:2:8), stablehlo.negate (m.mlir:3:8), "
        "stablehlo.negate (m.mlir:4:8) and 2 others. "
        "The results of the program agree within the tolerance. "
        "Found by 7 runs of parts of the program, which has 6 operations besides constants."
    )
