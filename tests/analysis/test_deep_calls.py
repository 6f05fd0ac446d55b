"""Long chains of calls, and calls that double: every analysis, transform and executor."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import stablemate as sm
from tests.work import LINEAR, growth

VALUE = "tensor<f32>"
MAIN = f"""
func.func @main(%x: {VALUE}) -> {VALUE} {{
  %0 = call @f0(%x) : ({VALUE}) -> {VALUE}
  return %0 : {VALUE}
}}
"""


def chain(count: int, *, calls: int = 1, last: str = "stablehlo.negate") -> str:
    """Functions each of which negates, and calls the next one so often."""
    functions: list[str] = []
    for i in range(count):
        lines = [f"  %0 = stablehlo.negate %x : {VALUE}"]
        lines += [f"  %{n + 1} = call @f{i + 1}(%{n}) : ({VALUE}) -> {VALUE}" for n in range(calls)]
        functions.append(function(i, lines))
    functions.append(function(count, [f"  %0 = {last} %x : {VALUE}"]))
    return "\n".join(functions) + MAIN


def function(number: int, lines: list[str]) -> str:
    """A private function that returns the result of its last line."""
    returned = lines[-1].split(" = ")[0].strip()
    body = "\n".join([*lines, f"  return {returned} : {VALUE}"])
    return f"func.func private @f{number}(%x: {VALUE}) -> {VALUE} {{\n{body}\n}}"


DEEP = 1_000


def test_fingerprints_of_deep_calls_ignore_names() -> None:
    """Functions are hashed by what they are; the innermost one counts up to the outermost."""
    module = sm.load(chain(DEEP))
    renamed = sm.load(re.sub(r"@f(\d+)", r"@g\1", chain(DEEP)))
    changed = sm.load(chain(DEEP, last="stablehlo.abs"))
    assert str(sm.fingerprint(module)) == str(sm.fingerprint(renamed))
    assert str(sm.fingerprint(module)) != str(sm.fingerprint(changed))


def test_the_difference_of_deep_calls_is_the_innermost_operation() -> None:
    diff = sm.diff(sm.load(chain(DEEP)), sm.load(chain(DEEP, last="stablehlo.abs")))
    (changed,) = diff.functions
    (change,) = changed.changes
    assert (changed.b.name, change.kind, change.name) == (f"f{DEEP}", "changed", "stablehlo.abs")


def test_the_cost_of_deep_calls_is_that_of_all_their_operations() -> None:
    """A negation takes one operation, reads 4 bytes and writes 4."""
    cost = sm.cost(sm.load(chain(DEEP)), plan=False)
    total = cost.functions["main"]
    assert (total.flops, total.bytes) == (DEEP + 1, 8 * (DEEP + 1))
    assert [row.executions for row in cost.operations] == [1] * (DEEP + 1)
    # each level holds its argument for the caller, or the result of its negation
    assert cost.peak.bytes == 4 * (DEEP + 2)


def test_the_cost_of_calls_that_double_is_counted_without_visiting_each() -> None:
    cost = sm.cost(sm.load(chain(60, calls=2)), plan=False)
    assert cost.functions["main"].flops == 2**61 - 1
    assert max(row.executions for row in cost.operations) == 2**60


def test_deep_calls_are_inlined() -> None:
    inlined = sm.opt(sm.load(chain(DEEP)), "inline")
    names = [operation.name for operation in inlined.ir.operation.walk()]
    assert list(inlined.functions) == ["main"]
    assert names[2:] == ["stablehlo.negate"] * (DEEP + 1) + ["func.return"]


def test_inlining_names_the_outermost_call_sites() -> None:
    text = "\n".join(
        f'{line} loc("l{number}")' if " = " in line else line
        for number, line in enumerate(chain(200).splitlines())
    )
    inlined = sm.opt(sm.load(text), "inline")
    again = sm.load(inlined.to_text(debug_info=True))
    locations = [str(o.location) for o in again.ir.operation.walk() if "negate" in o.name]
    assert locations[0] == 'callsite("l1" at "l1005")'
    assert locations[1] == 'callsite("l6" at callsite("l2" at "l1005"))'
    assert locations[200].startswith('callsite("l1001" at callsite("l242" at callsite("l237" at ')


def test_calls_that_double_are_not_inlined() -> None:
    with pytest.raises(sm.LimitError) as raised:
        sm.opt(sm.load(chain(30, calls=2)), "inline")
    assert raised.value.render() == (
        "<text>:185:1: error: limits.operations: inlining makes more than 1048576 operations\n"
        f" 185 | func.func @main(%x: {VALUE}) -> {VALUE} {{\n"
        "     | ^^^^^^^^^\n"
        "note: the limit is Limits.operations; calls that are marked no_inline stay"
    )


def test_calls_that_double_are_not_compiled() -> None:
    executable = sm.compile(sm.load(chain(30, calls=2)))
    assert executable.fallback is not None
    assert executable.fallback.message == "the calls of @main become more than 1048576 operations"


def test_deep_calls_are_compiled() -> None:
    executable = sm.compile(sm.load(chain(DEEP)))
    assert executable.fallback is None
    assert executable(np.float32(3)) == -3  # an odd number of negations


def test_the_interpreter_runs_190_calls_and_refuses_300() -> None:
    """``Limits.calls`` is 200."""
    assert sm.load(chain(190)).run(np.float32(1), backend="interpreter") == -1
    with pytest.raises(sm.LimitError) as raised:
        sm.load(chain(300)).run(np.float32(1), backend="interpreter")
    assert raised.value.render() == (
        "<text>:503:8: error: limits.calls: calls are nested deeper than 200 levels\n"
        f" 503 |   %1 = call @f101(%0) : ({VALUE}) -> {VALUE}\n"
        "     |        ^^^^\n"
        "note: the limit is Limits.calls; inlining removes calls"
    )


def test_deep_calls_become_hlo() -> None:
    computations = sm.load(chain(DEEP)).to_hlo().to_text().count("ROOT")
    assert computations == DEEP + 2


CYCLE = f"""\
func.func @main(%x: {VALUE}) -> {VALUE} {{
  %0 = call @f(%x) : ({VALUE}) -> {VALUE}
  return %0 : {VALUE}
}}
func.func private @f(%x: {VALUE}) -> {VALUE} {{
  %0 = call @g(%x) : ({VALUE}) -> {VALUE}
  return %0 : {VALUE}
}}
func.func private @g(%x: {VALUE}) -> {VALUE} {{
  %0 = call @f(%x) : ({VALUE}) -> {VALUE}
  return %0 : {VALUE}
}}
"""
REFUSED: dict[str, Callable[[sm.Module], object]] = {
    "run": lambda module: module.run(np.float32(1)),
    "interpret": lambda module: module.run(np.float32(1), backend="interpreter"),
    "to_hlo": lambda module: module.to_hlo(),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_cycle_of_calls_is_refused_where_it_closes(name: str) -> None:
    with pytest.raises(sm.StablemateError) as raised:
        REFUSED[name](sm.load(CYCLE))
    assert raised.value.render() == (
        "<text>:10:8: error: func.call: a function cannot call itself: @main -> @f -> @g -> @f\n"
        f" 10 |   %0 = call @f(%x) : ({VALUE}) -> {VALUE}\n"
        "    |        ^^^^"
    )


def test_a_long_cycle_of_calls_is_shown_in_part() -> None:
    text = chain(500).replace("@f500(%0)", "@f0(%0)")
    with pytest.raises(sm.StablemateError, match=r"@main -> @f0 -> .* -> \.\.\. -> .* -> @f0"):
        sm.load(text).to_hlo()


def test_a_cycle_of_calls_stays_one_and_counts_as_a_call() -> None:
    """What needs no end of the calls takes them as they are."""
    module = sm.load(CYCLE)
    assert module.difference(sm.opt(module, "inline")) == ""
    assert sm.cost(module, plan=False).functions["main"].opaque == {"func.call": 1}
    assert not sm.diff(module, sm.load(CYCLE)).functions
    assert len(sm.fingerprint(module).functions) == 3


WORK: dict[str, Callable[[sm.Module], object]] = {
    "fingerprint": sm.fingerprint,
    "diff": lambda module: sm.diff(module, sm.load("func.func @main() {\n  return\n}")),
    "cost": lambda module: sm.cost(module, plan=False),
    "inline": lambda module: sm.opt(module, "inline"),
    "cse": lambda module: sm.opt(module, "cse"),
    "symbol-dce": lambda module: sm.opt(module, "symbol-dce"),
    "to_hlo": lambda module: module.to_hlo(),
    "contents": lambda module: module.contents(),
    "view": lambda module: sm.view(module).html,
}


@pytest.mark.parametrize("name", WORK)
def test_work_on_deep_calls_is_linear(name: str) -> None:
    assert growth(lambda count: WORK[name](sm.load(chain(count))), 60) < LINEAR


@pytest.mark.parametrize("depth", [90, DEEP])
def test_sizes_flow_through_deep_calls(depth: int) -> None:
    text = chain(depth).replace(VALUE, "tensor<?xf32>")
    refined = sm.load(text).refine("tensor<4xf32>").to_text()
    assert "?" not in refined


def test_calls_that_are_too_deep_to_be_partitioned_are_refused() -> None:
    text = chain(300).replace(VALUE, "tensor<4xf32>")
    sharding = '{sdy.sharding = #sdy.sharding<@m, [{"x"}]>}'
    text = text.replace("@main(%x: tensor<4xf32>", f"@main(%x: tensor<4xf32> {sharding}")
    module = sm.load(f'sdy.mesh @m = <["x"=2]>\n{text}')
    with pytest.raises(sm.LimitError) as raised:
        module.partition()
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.message == (
        "calls are nested too deeply to be partitioned: opt --inline removes them"
    )
    partitioned = sm.opt(module, "inline").partition().to_text()
    assert partitioned.count("stablehlo.negate %") == 301
    assert "tensor<2xf32>" in partitioned
