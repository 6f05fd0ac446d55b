"""Operations of ``arith`` on constants fold in artifacts as upstream's, mixed or not."""

from __future__ import annotations

from itertools import product
from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle

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
