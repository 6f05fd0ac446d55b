"""What we print is what MLIR prints, in both forms, with and without locations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle, OracleRejected

TESTS: Final = Path(__file__).parents[2]
CHECK: Final = re.compile(r"^ *check\..*\n", re.MULTILINE)
FUNCTION: Final = re.compile(r"^func\.func (?:private )?@(\w+)\(.*?^}\n", re.MULTILINE | re.DOTALL)
# Examples that the specification allows and the oracle refuses; as do all whose names end so.
REFUSED_UPSTREAM: Final = frozenset(
    {"dot_general_bf16_algorithms", "select_quantized", "triangular_solve_quantized"}
)
# Operations and attributes that are newer than the oracle, and what it says of them.
NEWER: Final = ("collective_reduce", "has_dynamic_root", "result_tilings", "is_stable")


def programs() -> Iterator[tuple[str, str]]:
    """Name and text of every program that the oracle can read: the checks are left out."""
    for path in sorted((TESTS / "programs").glob("*.mlir")):
        yield path.stem, path.read_text()
    for path in sorted((TESTS / "ops").glob("*.mlir")):
        if ".invalid" not in path.name and path.stem != "mhlo":  # read as StableHLO: test_mhlo.py
            text = path.read_text()
            if not any(word in text for word in NEWER):
                yield f"ops/{path.stem}", CHECK.sub("", without_refused(text))


def without_refused(text: str) -> str:
    """The text without the functions that the oracle refuses."""
    return FUNCTION.sub(lambda match: "" if is_refused(match[1]) else match[0], text)


def is_refused(function: str) -> bool:
    """Whether the oracle refuses an example: it has no operations on sub-channel types."""
    return function in REFUSED_UPSTREAM or function.endswith("_sub_channel")


@pytest.mark.parametrize(("name", "text"), list(programs()), ids=[name for name, _ in programs()])
def test_text_is_what_upstream_prints(name: str, text: str, oracle: Oracle) -> None:
    module = sm.load(text)
    assert module.to_text() == oracle.print(text)
    assert module.to_text(generic=True) == oracle.print(text, generic=True)


def test_debug_info_is_what_upstream_prints(oracle: Oracle) -> None:
    text = (Path(__file__).parent / "locations.mlir").read_text()
    printed = sm.load(text).to_text(debug_info=True)
    assert sm.load(printed).to_text(debug_info=True) == printed
    assert printed == oracle.print(text, debug_info=True)


def test_what_a_short_reduce_stands_for_has_its_location(oracle: Oracle) -> None:
    text = """module {
func.func @f(%a: tensor<2xf32> loc(unknown), %b: tensor<f32> loc(unknown)) {
  %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32> loc("sum")
  return loc(unknown)
} loc(unknown)
} loc(unknown)
"""
    theirs = oracle.print(text, generic=True, debug_info=True)
    assert theirs.count('loc("sum")') == 3
    assert sm.load(text).to_text(generic=True, debug_info=True) == theirs


def test_the_oracle_is_asked(oracle: Oracle) -> None:
    with pytest.raises(OracleRejected):
        oracle.print("func.func @f() { stablehlo.nothing }")
