"""Operations of ``arith`` on constants fold in artifacts as upstream's, mixed or not."""

from __future__ import annotations

from itertools import product
from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle
from tests.properties.arith_chains import arith_chain
from tests.properties.artifact_bytes import Bytes
from tests.properties.generation.choices import Seeded

INTEGERS: Final = [
    "addi",
    "subi",
    "muli",
    "andi",
    "ori",
    "xori",
    "maxsi",
    "minsi",
    "maxui",
    "minui",
    "shli",
    "shrsi",
    "divsi",
]
VALUES: Final = ("%zero", "%one", "%ones")


def functions(element: str) -> str:
    """A function for each operation and each pair of three constants, whose result is added."""
    zero, one, ones = ("false", "true", "true") if element == "i1" else ("0", "1", "-1")
    suffix = "" if element == "i1" else f" : {element}"
    texts = [
        f"""func.func @{operation}_{number}() {{
  %zero = arith.constant {zero}{suffix}
  %one = arith.constant {one}{suffix}
  %ones = arith.constant {ones}{suffix}
  %0 = arith.{operation} {lhs}, {rhs} : {element}
  %1 = arith.addi %0, %0 : {element}
  return
}}
"""
        for operation in INTEGERS
        for number, (lhs, rhs) in enumerate(product(VALUES, repeat=2))
    ]
    return "".join(texts)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("element", ["i1", "i17", "i32"])
def test_constants_fold_as_upstream(element: str, mixed: bool, oracle: Oracle) -> None:
    exact = sm.load(functions(element)).to_text(generic=True, debug_info=True)
    (expected,) = oracle.artifacts(exact, ["1.17.0"], mixed)
    assert sm.load(exact).to_artifact("1.17.0", mixed=mixed) == expected


@pytest.mark.standard
def test_chains_of_operations_have_upstreams_bytes(oracle: Oracle) -> None:
    campaign = Bytes(oracle, mixed=True)
    for number in range(60):
        campaign.compare(arith_chain(Seeded(f"chains:{number}")), ("1.17.0",))
    assert [str(difference) for difference in campaign.differences] == []
    assert campaign.outcomes["same bytes"] > 45  # the others have types without a form in VHLO
