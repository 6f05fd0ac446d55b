"""Graphs of many operations: the stages up to the plan take linear work."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.executables import interpreted_of
from stablemate.compiler.plan.plan import Plan
from stablemate.compiler.plan_only import plan_function
from tests.work import LINEAR, growth

VALUE = "tensor<f32>"


def program(body: str, returned: str, arguments: str = f"%a: {VALUE}") -> str:
    """A function whose results are scalars."""
    types = ", ".join([VALUE] * (returned.count(",") + 1))
    return (
        f"func.func @main({arguments}) -> ({types}) {{\n{body}\nreturn {returned} : {types}\n}}\n"
    )


def lines(count: int, form: str) -> str:
    """So many lines, with their number in place of ``#`` and the one before in place of ``~``."""
    return "\n".join(
        form.replace("#", str(i)).replace("~", str(i - 1)) for i in range(1, count + 1)
    )


def listed(count: int, form: str) -> str:
    """So many items."""
    return lines(count, form).replace("\n", ", ")


def wide_loop(count: int) -> str:
    """A loop whose state is so many scalars."""
    types = ", ".join([VALUE] * count)
    return program(
        f"%w:{count} = stablehlo.while({listed(count, '%i# = %a')}) : {types} cond {{\n"
        f"%z = stablehlo.constant dense<9.0> : {VALUE}\n"
        f"%p = stablehlo.compare LT, %i1, %z : ({VALUE}, {VALUE}) -> tensor<i1>\n"
        "stablehlo.return %p : tensor<i1>\n} do {\n"
        f"{lines(count, f'%y# = stablehlo.add %i#, %i# : {VALUE}')}\n"
        f"stablehlo.return {listed(count, '%y#')} : {types}\n}}",
        f"%w#{count - 1}",
    )


FORMS: dict[str, Callable[[int], str]] = {
    "many results": lambda n: program(
        lines(n, f"%x# = stablehlo.abs %a : {VALUE}"), listed(n, "%x#")
    ),
    "a sum of many arguments": lambda n: program(
        lines(n, f"%x# = stablehlo.add %a#, %x~ : {VALUE}").replace("%x0 ", "%a1 "),
        f"%x{n}",
        listed(n, f"%a#: {VALUE}"),
    ),
    "a chain": lambda n: program(
        lines(n, f"%x# = stablehlo.negate %x~ : {VALUE}").replace("%x0 ", "%a "), f"%x{n}"
    ),
    "a wide loop": wide_loop,
    "branches": lambda n: program(
        lines(
            n,
            f'%x# = "stablehlo.if"(%c) ({{\nstablehlo.return %x~ : {VALUE}\n}}, {{\n'
            f"stablehlo.return %a : {VALUE}\n}}) : (tensor<i1>) -> {VALUE}",
        ).replace("%x0 ", "%a "),
        f"%x{n}",
        f"%a: {VALUE}, %c: tensor<i1>",
    ),
}


def plan_of(text: str) -> Plan:
    """The plan of a function."""
    module = sm.load(text)
    module.verify()
    return plan_function(interpreted_of(module, module.entry(None), sm.Limits(), native=True))[0]


@pytest.mark.standard
@pytest.mark.parametrize("name", FORMS)
def test_planning_many_operations_takes_linear_work(name: str) -> None:
    assert growth(lambda count: plan_of(FORMS[name](count)), 300) < LINEAR


def test_a_sum_of_many_arguments_is_right() -> None:
    """Kernels of 128 inputs hand their sums on; integers of 24 bits have exact sums."""
    count = 300
    values = np.arange(count, dtype=np.float32)
    text = FORMS["a sum of many arguments"](count)
    assert sm.run(text, *values) == sum(range(count))  # the first one is added to zero


def test_a_wide_loop_is_right() -> None:
    assert sm.run(wide_loop(100), np.float32(1)) == 16
