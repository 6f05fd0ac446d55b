"""Generated programs: the same values here, in XLA and in the reference interpreter.

2,000 programs, the same ones in every run; ``--hypothesis-seed`` gives others. What fails is shown
as one operation on the operands that it had in the program. ``campaign.py`` runs any number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, core, given, settings
from hypothesis import strategies as st

from stablemate.dialects.registry import OPERATIONS
from tests.oracle.client import Oracle
from tests.properties.generation.choices import Drawn, Seeded
from tests.properties.generation.comparison import EXECUTORS, Comparison, Report
from tests.properties.generation.programs import FAMILIES, Program, generate
from tests.properties.generation.shrinking import smallest
from tests.properties.generation.verdicts import Verdicts, mutated

PROGRAMS: Final = 2000
BATCH: Final = 12  # programs in one module, compiled at once
BATCHES: Final = -(-PROGRAMS // (BATCH * len(FAMILIES)))
CHANGED: Final = 2000

# Operations that no program has, since their results are no function of their operands alone, or
# since no other executor has them.
NOT_GENERATED: Final = {
    "of processes": """after_all all_gather all_reduce all_to_all async_done async_start
        collective_broadcast collective_permute collective_reduce create_token cross-replica-sum
        infeed outfeed partition_id recv reduce_scatter replica_id send""",
    "of the host": "custom_call",
    "not determined": "rng",
    "of dynamic shapes": "dynamic_conv set_dimension_size",
    "of quantized tensors": "uniform_dequantize uniform_quantize",
    "in regions only": "return",
}

given_seed = settings(
    max_examples=BATCHES,
    derandomize=core.global_force_seed is None,
    database=None,
    deadline=None,
    phases=[Phase.generate],  # `shrinking` makes programs small, one by one
    suppress_health_check=list(HealthCheck),
)


@st.composite
def batches(draw: st.DrawFn, family: str) -> Sequence[Program]:
    """Programs to be run as one module."""
    return [generate(Drawn(draw), family, prefix=f"f{i}") for i in range(BATCH)]


@st.composite
def changed_programs(draw: st.DrawFn, family: str) -> str:
    """The text of a program that may be invalid."""
    return mutated(Drawn(draw), family)


@pytest.mark.parametrize("family", FAMILIES)
def test_programs_have_the_values_of_other_executors(oracle: Oracle, family: str) -> None:
    comparison = Comparison(oracle)

    @given_seed
    @given(batches(family))
    def agree(programs: Sequence[Program]) -> None:
        comparison.compare(programs)
        if comparison.report.findings:
            found = smallest(oracle, programs, family) or comparison.report.findings[0]
            pytest.fail(str(found), pytrace=False)

    agree()
    assert_compared(comparison.report)


def assert_compared(report: Report) -> None:
    """Checks that most of what was generated was also compared."""
    assert report.programs >= BATCHES * BATCH
    for executor in EXECUTORS:
        compared = sum(n for (who, _), n in report.compared.items() if who == executor)
        left_out = sum(n for (who, _), n in report.left_out.items() if who == executor)
        refused = sum(n for (who, _), n in report.refused.items() if who == executor)
        assert compared > left_out
        assert refused < report.programs / 50


@pytest.mark.parametrize("family", FAMILIES)
def test_changed_programs_have_the_verdict_of_jaxlib(oracle: Oracle, family: str) -> None:
    verdicts = Verdicts(oracle)

    @settings(given_seed, max_examples=CHANGED // len(FAMILIES))
    @given(changed_programs(family))
    def agree(text: str) -> None:
        verdicts.compare(text)
        for finding in verdicts.findings:
            pytest.fail(str(finding), pytrace=False)

    agree()
    assert verdicts.refused > verdicts.accepted > 0


def test_every_operation_is_generated() -> None:
    programs = [generate(Seeded(number)) for number in range(1500)]
    names = {each.name for p in programs for op in p.block.operations for each in op.walk()}
    missing = {name for name in OPERATIONS if name.startswith("stablehlo.")} - names
    known = {f"stablehlo.{name}" for group in NOT_GENERATED.values() for name in group.split()}
    assert missing <= known
