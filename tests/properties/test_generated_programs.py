"""Generated programs: the same values here, in XLA and in the reference interpreter.

2,000 programs, the same ones in every run; ``--hypothesis-seed`` gives others. What fails is shown
as one operation on the operands that it had in the program. ``campaign.py`` runs any number.
"""

from __future__ import annotations

import tomllib
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from hypothesis import core

from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import BOOLEAN, ElementType
from tests.oracle.client import Oracle
from tests.properties.generation import algorithms as numeric
from tests.properties.generation import control, elementwise
from tests.properties.generation.choices import Seeded
from tests.properties.generation.comparison import OTHERS, QUICK, Comparison
from tests.properties.generation.findings import Finding, Report
from tests.properties.generation.program_builder import (
    ALL_ELEMENTS,
    COMPLEXES,
    HALF_FLOATS,
    NARROW_INTEGERS,
    TINY_FLOATS,
    Draft,
)
from tests.properties.generation.programs import FAMILIES, Program, generate
from tests.properties.generation.shrinking import smallest
from tests.properties.generation.tolerances import NATIVE
from tests.properties.generation.verifier_agreement import KNOWN, Verdicts, mutated

ROOT: Final = Path(__file__).parents[2]
PROGRAMS: Final = 2000
BATCH: Final = 12  # programs in one module, compiled at once
BATCHES: Final = -(-PROGRAMS // (BATCH * len(FAMILIES)))
CHANGED: Final = 2000
NATIVE_BATCHES: Final = 5  # of each family; ``campaign.py`` runs any number

# Operations that no program has, since their results are no function of their operands alone, or
# since no other executor has them.
NOT_GENERATED: Final = {
    "of processes, see tests/execution": """after_all all_gather all_reduce all_to_all
        async_done async_start collective_broadcast collective_permute collective_reduce
        create_token cross-replica-sum infeed outfeed partition_id recv reduce_scatter
        replica_id send""",
    "of the host": "custom_call",
    "not determined": "rng",
    "of dynamic shapes": "dynamic_conv set_dimension_size",
}

# Element types that no program has, although the definitions allow them.
NOT_GENERATED_ELEMENTS: Final[dict[str, set[ElementType]]] = {
    "bitcast_convert": {BOOLEAN},  # its bits are not agreed on
    "dynamic_iota": {*NARROW_INTEGERS},  # of sizes
    # No other executor has an order or a remainder of complex numbers.
    "clamp": {*COMPLEXES},
    "remainder": {*COMPLEXES},
    "select_and_scatter": {*COMPLEXES},
    "uniform_quantize": {*TINY_FLOATS},  # no quantized type here stands for them
    # No other executor has code for narrow floats.
    "cholesky": {*HALF_FLOATS, *TINY_FLOATS},
    "fft": {*HALF_FLOATS, *TINY_FLOATS},
    "triangular_solve": {*HALF_FLOATS, *TINY_FLOATS},
}
# How often a step is drawn for each element type: those that append one of many operations more.
DRAWS: Final = {
    elementwise.unary: 150,
    elementwise.binary: 120,
    control.call: 40,
    control.while_: 40,
    numeric.batch_norm: 30,
}
FEW: Final = 8
FEW_ANSWERS: Final = 3  # that XLA gives once and not again; a busy machine has more of them
ABSENT: Final = frozenset(("quantized", "of_chlo"))  # what an executor has not at all


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    """The other executors, of which XLA compiles quickly."""
    with Oracle(xla_flags=QUICK) as oracle:
        yield oracle


def choices(test: str, count: int) -> Iterator[Seeded]:
    """What draws the programs of a test; ``--hypothesis-seed`` gives others.

    Hypothesis itself would draw others whenever a constant of the sources changes, and the known
    ways of XLA are those that were met.
    """
    seed = core.global_force_seed or 0
    return (Seeded(f"{seed}:{test}:{number}") for number in range(count))


def batches(test: str, family: str, count: int) -> Iterator[Sequence[Program]]:
    """Programs to be run as one module, several times."""
    for drawn in choices(f"{test}:{family}", count):
        yield [generate(drawn, family, prefix=f"f{i}") for i in range(BATCH)]


@pytest.mark.standard
@pytest.mark.filterwarnings("default:said once")
@pytest.mark.parametrize("family", FAMILIES)
def test_programs_have_the_values_of_other_executors(oracle: Oracle, family: str) -> None:
    comparison = Comparison(oracle, OTHERS)
    once: list[Finding] = []

    for programs in batches("values", family, BATCHES):
        comparison.compare(programs)
        if comparison.report.findings:
            first = comparison.report.findings[0]
            again = Comparison(oracle, OTHERS)  # what an oracle says only once is no answer
            again.compare(programs)
            if again.report.findings or len(once) == FEW_ANSWERS:
                smallest_finding = smallest(oracle, programs, family) or first
                pytest.fail(str(smallest_finding), pytrace=False)
            once.append(first)
            comparison.report.findings.clear()
            warnings.warn(f"said once, and not again:\n{first}", stacklevel=1)
    assert comparison.report.programs >= BATCHES * BATCH
    assert_compared(comparison.report, OTHERS)


@pytest.mark.parametrize("family", FAMILIES)
def test_programs_have_the_same_values_in_native_code(oracle: Oracle, family: str) -> None:
    comparison = Comparison(oracle, NATIVE)

    for programs in batches("native", family, NATIVE_BATCHES):
        comparison.compare(programs)
        for finding in comparison.report.findings[:1]:
            smallest_finding = smallest(oracle, programs, family, NATIVE) or finding
            pytest.fail(str(smallest_finding), pytrace=False)
    assert_compared(comparison.report, NATIVE)


def assert_compared(report: Report, executors: Sequence[str]) -> None:
    """Checks that most of what was generated was also compared."""
    for executor in executors:
        compared = sum(n for (who, _), n in report.compared.items() if who == executor)
        left_out = sum(
            n for (who, why), n in report.left_out.items() if who == executor and why not in ABSENT
        )
        refused = sum(n for (who, _), n in report.refused.items() if who == executor)
        assert compared > left_out
        assert refused < report.programs / 50, refusals_text(report, executor)


def refusals_text(report: Report, executor: str) -> str:
    """What an executor refused, each with the text."""
    return "\n".join(f"{why}\n{text}" for who, why, text in report.refusals if who == executor)


@pytest.mark.parametrize("family", FAMILIES)
def test_changed_programs_have_the_verdict_of_jaxlib(oracle: Oracle, family: str) -> None:
    verdicts = Verdicts(oracle)

    for drawn in choices(f"changed:{family}", CHANGED // len(FAMILIES)):
        verdicts.compare(mutated(drawn, family))
        for finding in verdicts.findings:
            pytest.fail(str(finding), pytrace=False)
    assert verdicts.refused > verdicts.accepted > 0


def test_rules_by_which_only_we_refuse_are_listed() -> None:
    words = tomllib.loads((ROOT / "docs" / "conformance.toml").read_text())
    assert {rule for entry in words["stricter"] for rule in entry["rules"]} >= KNOWN


@pytest.mark.standard
def test_every_operation_is_generated() -> None:
    programs = [generate(Seeded(number)) for number in range(1500)]
    names = {
        operation.name for p in programs for op in p.block.operations for operation in op.walk()
    }
    missing = {name for name in OPERATIONS if name.startswith("stablehlo.")} - names
    by_key = {f"stablehlo.{name}" for group in NOT_GENERATED.values() for name in group.split()}
    assert missing == by_key


@dataclass
class Wanting(Draft):
    """A draft that takes one element type wherever it may.

    Attributes:
        wanted: The element type.
    """

    wanted: ElementType = BOOLEAN

    def element(self, among: Sequence[ElementType]) -> ElementType:
        """The wanted one if it is among them."""
        return self.wanted if self.wanted in among else super().element(among)


@pytest.mark.standard
def test_every_element_type_of_every_operation_is_generated() -> None:
    drawn: defaultdict[str, set[ElementType]] = defaultdict(set)
    for step in (step for steps in FAMILIES.values() for step, _ in steps):
        for element in ALL_ELEMENTS:
            for number in range(DRAWS.get(step, FEW)):
                draft = Wanting(Seeded(f"{element}:{number}"), arrays=[], wanted=element)
                step(draft)
                for operation in draft.block.operations:
                    drawn[operation.name] |= first_elements(operation)
    missing = {
        name.removeprefix("stablehlo."): allowed_elements(name) - elements
        for name, elements in drawn.items()
        if name.startswith("stablehlo.")
    }
    assert {name: item for name, item in missing.items() if item} == NOT_GENERATED_ELEMENTS


def first_elements(operation: Operation) -> set[ElementType]:
    """The element type of the first operand, or of the first result where there are no operands."""
    value = (*operation.operands, *operation.results)[0]
    return {value.type.element_type} if isinstance(value.type, TensorType) else set()


def allowed_elements(name: str) -> set[ElementType]:
    """The element types that the definition of an operation lets the same value have."""
    definition = definition_of(OPERATIONS[name])
    accepts = (*definition.operands, *definition.results)[0].types.accepts
    shapes = ((), (2,), (2, 2))
    return {e for e in ALL_ELEMENTS if any(accepts(tensor(e, *shape)) for shape in shapes)}
