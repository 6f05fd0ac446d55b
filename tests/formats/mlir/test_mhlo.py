"""Programs of MHLO: upstream's converters say what is equal in StableHLO."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from jaxlib.mlir.dialects import _mhlo_ops_gen as mhlo_operations

import stablemate as sm
from stablemate.dialects.mhlo.counterparts import COUNTERPARTS
from stablemate.dialects.registry import READABLE
from tests.oracle.client import Oracle, OracleRejected

OPS: Final = Path(__file__).parents[2] / "ops"
TO_MHLO: Final = "func.func(chlo-legalize-to-high-level-mhlo),stablehlo-legalize-to-hlo"
TO_STABLEHLO: Final = "hlo-legalize-to-stablehlo"
# Functions of CHLO, which upstream writes as custom calls in StableHLO, or not at all.
OF_CHLO: Final = ("mhlo.erf", "mhlo.mulhi", "mhlo.topk", "mhlo.ragged_dot", "mhlo.scan")
ABSENT: Final = "precision_config = [], "  # what upstream writes in MHLO where there is none
CHECK: Final = re.compile(r'^ *"check\..*\n', re.MULTILINE)
QUICK: Final = (
    *("all_reduce", "convolution", "custom_call", "dot_general", "gather", "reduce", "while"),
    *("scatter", "chlo_erf", "chlo_ragged_dot", "chlo_scan", "chlo_top_k", "reshape", "rng"),
)
END: Final = "\n  }) : () -> ()\n"


def functions_of(path: Path) -> list[str]:
    """Modules with a function of a file each, in generic form without checks."""
    text = CHECK.sub("", sm.load(path).to_text(generic=True))
    head, *functions = re.split(r'^(?=  "func\.func")', text, flags=re.MULTILINE)
    return [f"{head}{function.partition(END)[0]}{END}}}) : () -> ()" for function in functions]


def mhlo_forms(text: str, oracle: Oracle) -> tuple[str, str, bytes] | None:
    """A program in MHLO: pretty, generic and in bytecode; None if upstream does not write it."""
    try:
        pretty = oracle.transformed(text, TO_MHLO)
        return pretty, oracle.print(pretty, generic=True), oracle.bytecode(pretty)
    except OracleRejected:
        return None


def compared_functions(path: Path, oracle: Oracle) -> int:
    """Reads functions that upstream writes in MHLO; returns how many there are."""
    compared = 0
    for text in functions_of(path):
        forms = mhlo_forms(text, oracle)
        if forms is None or not any(name in forms[0] for name in COUNTERPARTS):
            continue
        is_of_chlo = any(name in forms[0] for name in OF_CHLO)
        if is_of_chlo and any(word in text for word in ("custom_call", "is_stable = false")):
            continue  # what upstream recomposes, and what MHLO does not have
        expected = text if is_of_chlo else oracle.transformed(forms[0], TO_STABLEHLO)
        texts = {sm.load(form).to_text().replace(ABSENT, "") for form in forms}
        assert texts == {sm.load(expected).to_text().replace(ABSENT, "")}
        compared += 1
    return compared


@pytest.mark.parametrize("name", QUICK)
def test_counterparts_are_those_of_upstream(name: str, oracle: Oracle) -> None:
    assert compared_functions(OPS / f"{name}.mlir", oracle)


@pytest.mark.full
def test_all_counterparts_are_those_of_upstream(oracle: Oracle) -> None:
    """Nearly all of 1,600 functions; others are of dialects or types that upstream refuses."""
    files = [path for path in sorted(OPS.glob("[!m]*.mlir")) if ".invalid" not in path.name]
    assert sum(compared_functions(path, oracle) for path in files) > 300


def test_the_whole_dialect_has_a_definition(oracle: Oracle) -> None:
    """Every operation that jaxlib registers."""
    text = Path(mhlo_operations.__file__).read_text()
    names = re.findall(r'OPERATION_NAME = "(mhlo\.[^"]+)"', text)
    assert len(names) > 120
    assert [name for name in names if name not in READABLE] == []
