"""Rare forms of attributes and types, read and printed as jaxlib does it."""

from __future__ import annotations

from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle

ATTRIBUTES: Final = (
    "array<ui8: -3, 200>",
    "array<si8: -3>",
    '"a" : none',
    '"a" : i32',
    "i0",
    "dense<[]> : tensor<0x!stablehlo.token>",
    "sparse<0, 1> : tensor<3xi32>",
    "sparse<[[0, 1], [1, 2]], 5> : tensor<2x3xi32>",
    "sparse<[0, 1], [1, 2]> : tensor<3xi32>",
    "sparse<0, 1> : tensor<i32>",
    "sparse<> : tensor<2x3xi32>",
    "[distinct[5]<i32>, distinct[2]<unit>, distinct[5]<i32>, distinct[3]<[]>]",
    "[distinct[1]<affine_map<(d0) -> (d0)>>, affine_map<() -> ()>, distinct[7]<>]",
    "tensor<2x!vhlo.f32_v1>",
    "memref<2xvector<2xf32>>",
    "memref<2xmemref<2xi1>>",
    "[#stablehlo.bounds<2>., 1 : i8]",  # upstream's lexer skips one dot and one '@' there
    "[!stablehlo.token @, 1 : i8]",
    "tensor<2x!quant.uniform<i8:f32, 0.5>.>",
)
REJECTED: Final = (
    "sparse<[0, 1], 1> : tensor<2x3xi32>",
    "sparse<[[0, 1]], [1, 2]> : tensor<2x3xi32>",
    "sparse<[[0, 3]], 5> : tensor<2x3xi32>",
    "sparse<[[-1, 0]], 5> : tensor<2x3xi32>",
    "sparse<[], []> : tensor<2x3xi32>",
    "array<ui8: 256>",
    "[i8., 1 : i8]",
    "#stablehlo.bounds<2>@@",
    "#stablehlo.bounds<2>@.",
    "@",
    "memref<2x!stablehlo.token>",
)


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_attributes_are_printed_as_by_jaxlib(attribute: str, oracle: Oracle) -> None:
    text = f"func.func private @f() attributes {{k.v = {attribute}}}\n"
    module = sm.load(text)
    assert module.diagnostics() == []
    assert module.to_text() == oracle.print(text)
    assert module.to_text(generic=True) == oracle.print(text, generic=True)
    assert sm.load(module.to_text()).to_text() == module.to_text()


@pytest.mark.parametrize("attribute", REJECTED)
def test_attributes_that_jaxlib_rejects(attribute: str, oracle: Oracle) -> None:
    text = f"func.func private @f() attributes {{k.v = {attribute}}}\n"
    assert oracle.diagnostics(text)
    with pytest.raises(sm.StablemateError, match=r"^<text>:1:\d+: error: "):
        sm.load(text).verify()


def test_external_resources_have_values_of_any_form() -> None:
    text = """module {
}

{-#
  external_resources: {
    x: {
      a: 1,
      b: "s",
      c: w
    }
  }
#-}
"""
    assert sm.load(text).to_text() == text


@pytest.mark.parametrize("value", ['loc("n")', "affine_map<(d0) -> (d0)>", "distinct[3]<i32>"])
@pytest.mark.parametrize(
    "text",
    [
        "func.func private @f(i32 {k.v = VALUE}) -> (i32 {k.w = VALUE})\n",
        "func.func @f(%a: i32 {k.v = VALUE}) -> i32 {\n  return %a : i32\n}\n",
        "func.func @f(%a: i32) -> (i32 {k.w = VALUE}) {\n  return %a : i32\n}\n",
    ],
)
def test_attributes_of_values_have_aliases_as_in_jaxlib(
    text: str, value: str, oracle: Oracle
) -> None:
    program = text.replace("VALUE", value)
    assert sm.load(program).to_text() == oracle.print(program)
