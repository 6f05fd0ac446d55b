"""Attributes are printed by aliases, and affine expressions simplified, as by MLIR."""

from __future__ import annotations

from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle

PROGRAMS: Final = [
    "k.v = affine_map<(i, j) -> (i + j, j + i, i - j, -i - j, i * 2 + j * 3, (i + j) * 2, 1 + i)>",
    "k.v = affine_map<(i) -> (2 * (i + 1), i floordiv 4, i ceildiv 4, (i + 3) mod 4, i * 0)>",
    "k.v = affine_map<(i, j)[s, t] -> (s + i, s * t, s * i, (i * s) * 2, 2 * s * 3, i mod s)>",
    "k.v = affine_map<(i) -> (i floordiv 1, i mod 1, 5 floordiv 2, 5 mod 3, 7 ceildiv 2, i mod 0)>",
    "k.v = affine_map<(i, j) -> (-(i + 1), -(-i), i - (j - 2), (i + 1) + j, i - i, i + 2 - 2)>",
    "k.v = affine_map<(i) -> (i * 4 mod 2, (i * 4) floordiv 2, i mod 4 + i, (i + 1) * -1, 3 - i)>",
    "k.v = affine_map<(i) -> (i floordiv 2 floordiv 3, i floordiv 2 * 2, i - (i floordiv 2) * 2)>",
    "k.v = affine_map<(i, j) -> ((i * 4 + j) floordiv 2, (i * 4 + j) mod 2, i mod 4 mod 2)>",
    "k.v = affine_map<() -> ()>, k.w = affine_map<()[s] -> (s)>, k.x = [affine_map<() -> (1)>]",
    "k.v = affine_set<(i, j)[s] : (i >= 0, j - 1 >= 0, i <= 5, i >= j, i == s)>",
    "k.v = affine_set<(i) : ()>, k.w = affine_set<() : (1 == 0)>",
    "k.v = strided<[1, ?], offset: 3>, k.w = strided<[ ]>, k.x = strided< [2] , offset : 0>",
    'k.v = loc("a":1:2), k.w = loc("n"("b":1:2)), k.x = loc(fused["a", "b"]), k.y = loc(unknown)',
    'k.v = loc(fused["a", fused["b", "c"], fused<"m">["d", "e"]]), k.w = loc("n")',
    'k.v = loc(fused<"m">["a", fused<"m">["b", "c"], fused<"n">["d", "e"], fused["f", "g"]])',
]
SEVERAL: Final = """
#other = affine_map<(i) -> (i + 1)>
module @m attributes {k.v = #other, k.l = loc("a":1:2)} {
  func.func @f(%a: tensor<2xf32> {k.v = affine_map<(x, y) -> (x)>}) attributes {k.w = #other} {
    %0 = stablehlo.abs %a {k.b = affine_map<(i) -> (i)>, k.a = #other} : tensor<2xf32>
    return
  }
}
"""


@pytest.mark.parametrize(
    "text",
    [SEVERAL, *(f"func.func private @f() attributes {{{program}}}\n" for program in PROGRAMS)],
)
def test_aliases_are_those_of_mlir(text: str, oracle: Oracle) -> None:
    module = sm.load(text)
    for generic in (False, True):
        printed = module.to_text(generic=generic)
        assert printed == oracle.print(text, generic=generic)
        assert sm.load(printed).to_text(generic=generic) == printed


def test_sums_are_printed_as_they_are_read() -> None:
    text = sm.load(
        "module attributes {k.v = affine_map<(i, j) -> ((i + 1) + (j + 2))>} {}"
    ).to_text()
    assert "(d0, d1) -> (d0 + d1 + 3)" in text


def test_aliases_stand_beside_those_of_operations(oracle: Oracle) -> None:
    printed = sm.load(SEVERAL).to_text(debug_info=True)
    assert oracle.print(printed) == sm.load(SEVERAL).to_text()
    assert sm.load(printed).to_text(debug_info=True) == printed
