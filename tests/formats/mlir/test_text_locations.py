"""With ``text_locations``, what has no location gets the one that MLIR's parser gives it."""

from __future__ import annotations

import pytest

import stablemate as sm
from tests.formats.mlir.test_against_upstream import programs
from tests.oracle.client import Oracle

# An implicit terminator, which MLIR gives the location of its parent.
ELSEWHERE = "ops/shape_witnesses"
CASES = [(name, text) for name, text in programs() if name != ELSEWHERE and len(text) < 100_000]
TEXT = """func.func @main(%x: tensor<3xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32> loc("zero")
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.abs %0 : tensor<f32> loc(unknown)
  return %1 : tensor<f32>
}
"""


def located(text: str) -> sm.Module:
    """A program with the locations of its text, which jaxlib calls ``-``."""
    return sm.load(f"{text}\n", name="-", text_locations=True)


@pytest.mark.parametrize(("name", "text"), CASES, ids=[name for name, _ in CASES])
def test_locations_are_those_of_upstream(name: str, text: str, oracle: Oracle) -> None:
    for generic in (False, True):
        printed = located(text).to_text(generic=generic, debug_info=True)
        assert printed.strip() == oracle.print(text, generic, True).strip(), name


def test_artifacts_of_texts_have_upstreams_bytes(oracle: Oracle) -> None:
    for version in ("0.9.0", "1.0.0", "1.9.0", "1.17.0"):
        assert located(TEXT).to_artifact(version) == oracle.artifact(TEXT, version)


def test_locations_are_unknown_by_default(oracle: Oracle) -> None:
    assert 'loc("-"' not in sm.load(TEXT, name="-").to_text(debug_info=True)
    assert sm.load(TEXT).to_artifact("1.17.0") != oracle.artifact(TEXT, "1.17.0")


def test_given_locations_stay() -> None:
    printed = located(TEXT).to_text(debug_info=True)
    assert 'loc("zero")' in printed
    (absolute,) = [line for line in printed.splitlines() if "stablehlo.abs" in line]
    alias = absolute.rpartition("loc(")[2].removesuffix(")")
    assert f"{alias} = loc(unknown)" in printed
