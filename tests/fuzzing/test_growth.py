"""Operations that grow: the generator covers them, and their stages stay in proportion.

``python -m tests.fuzzing.growth`` measures more.
"""

from __future__ import annotations

from typing import Final

import pytest

import stablemate as sm
from stablemate.dialects.registry import READABLE
from tests.fuzzing.growth.measuring import findings_of
from tests.fuzzing.growth.parts import growths
from tests.fuzzing.growth.stages import STAGES
from tests.fuzzing.growth.templates import templates

# Old revisions that nothing lowers to, and what only a bitcast between kinds of complex has.
WITHOUT_TEMPLATE: Final = {
    "builtin.module", "complex.bitcast", "vhlo.all_gather_v1", "vhlo.all_to_all_v1",
    "vhlo.async_start_v1", "vhlo.call_v1", "vhlo.collective_broadcast_v2",
    "vhlo.collective_reduce_v1", "vhlo.custom_call_v2",
}  # fmt: skip
# Parts of operations that have to stay valid when they grow; else only diagnostics are measured.
VALID: Final = {
    "stablehlo.concatenate": {"operands inputs", "operands inputs, distinct", "dimensions"},
    "stablehlo.convolution": {"dimensions"},
    "stablehlo.dot_general": {"dimensions", "dimensions/1", "dimensions/2"},
    "stablehlo.gather": {"dimensions"},
    "stablehlo.pad": {"dimensions"},
    "stablehlo.reduce": {"operands inputs, distinct", "dimensions"},
    "stablehlo.scatter": {"operands inputs", "dimensions"},
    "stablehlo.sort": {"operands inputs", "dimensions"},
    "stablehlo.while": {"operands operand"},
    "cf.br": {"jumps"},
    "func.func": {"region 0, blocks", "region 0, arguments", "call depth"},
}
# Programs that took quadratic time, and the stages in which they did.
QUADRATIC: Final = {
    ("stablehlo.complex", "dimensions"): "load",
    ("stablehlo.convolution", "dimensions"): "load",
    ("stablehlo.fft", "dimensions"): "load",
    ("stablehlo.concatenate", "operands inputs"): "verify",
    ("stablehlo.dot_general", "dimensions"): "verify",
    ("stablehlo.reduce", "dimensions/1"): "verify",
    ("stablehlo.gather", "dimensions"): "translate to HLO",
    ("chlo.scan", "operands inputs"): "verify",
    ("sdy.reduce_scatter", "attribute reduce_scatter_axes[0]"): "verify",
    ("cf.br", "jumps"): "write bytecode",
    ("stablehlo.optimization_barrier", "operands operand"): "cost",
    ("stablehlo.add", "copies"): "opt stablehlo-wrap-in-composite",
    ("stablehlo.add", "functions"): "opt stablehlo-refine-shapes",
    ("stablehlo.scatter", "dimensions"): "opt stablehlo-compatibility-expander",
}
SIZES: Final = (100_000, 200_000)


@pytest.mark.standard
@pytest.mark.parametrize(("name", "part"), QUADRATIC)
def test_what_was_quadratic_is_linear(name: str, part: str) -> None:
    grown = {
        growth.part: growth for growth in growths(templates()[name], part.partition("[")[0] + "*")
    }
    stage = QUADRATIC[name, part]
    assert findings_of(name, grown[part], {stage: STAGES[stage]}, SIZES) == []


@pytest.mark.standard
@pytest.mark.parametrize(
    ("name", "part"),
    [("func.return", "operands values"), ("stablehlo.while", "operands operand, distinct")],
)
def test_plans_of_many_values_are_linear(name: str, part: str) -> None:
    grown = {growth.part: growth for growth in growths(templates()[name], "operands*")}
    stages = {"plan": STAGES["plan"]}
    assert findings_of(name, grown[part], stages, (500_000, 1_000_000)) == []


@pytest.mark.standard
def test_expansions_of_many_operations_are_copied() -> None:
    grown = {growth.part: growth for growth in growths(templates()["chlo.erfc"], "functions")}
    stages = {name: STAGES[name] for name in ("opt chlo-legalize-to-stablehlo", "translate to HLO")}
    assert findings_of("chlo.erfc", grown["functions"], stages, (125_000, 250_000)) == []


def test_every_operation_has_a_program_that_grows() -> None:
    assert {name for name in READABLE if name not in templates()} == WITHOUT_TEMPLATE


@pytest.mark.parametrize("name", VALID)
def test_programs_stay_valid(name: str) -> None:
    grown = {growth.part: growth for growth in growths(templates()[name])}
    assert {part for part in VALID[name] if not grown[part].valid} == set()
    for part in VALID[name]:
        text = grown[part].of_size(60_000)
        assert 50_000 < len(text) < 70_000
        assert sm.load(text).diagnostics() == []
