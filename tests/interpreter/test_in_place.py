"""Loops that fill an array in place, and loops that must not."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.interpreter.in_place import in_place_updates

T = "tensor<4xi32>"


def program(body: str, returned: str = "%new", condition: str = "", after: str = "%r#1") -> str:
    """A loop of four iterations that carries a counter, an array and another array."""
    return f"""
func.func @main(%x: {T}, %u: tensor<1xi32>) -> ({T}, {T}) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %x) : tensor<i32>, {T}, {T}
  cond {{
    {condition}
    %p = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    {body}
    stablehlo.return %j, {returned}, %b : tensor<i32>, {T}, {T}
  }}
  return {after}, %x : {T}, {T}
}}"""


UPDATE = f"(({T}, tensor<1xi32>, tensor<i32>) -> {T})"[1:-1]
ONCE = f"%new = stablehlo.dynamic_update_slice %a, %v, %i : {UPDATE}"
TWICE = f"""%half = stablehlo.dynamic_update_slice %a, %v, %i : {UPDATE}
    %new = stablehlo.dynamic_update_slice %half, %u, %zero : {UPDATE}"""
READ = f"""{ONCE}
    %read = stablehlo.negate %a : {T}
    %sum = stablehlo.add %read, %b : {T}"""
KEPT = f"""%new = stablehlo.dynamic_update_slice %a, %v, %i : {UPDATE}
    %also = stablehlo.negate %new : {T}"""


def positions(text: str) -> list[int]:
    """The values that the loop of a program updates in place."""
    (loop,) = (x for x in sm.load(text).operation.walk() if x.name == "stablehlo.while")
    return list(in_place_updates(loop))


@pytest.mark.parametrize(
    ("body", "expected"), [(ONCE, [0, 1, 2, 3]), (TWICE, [9, 1, 2, 3])], ids=["once", "twice"]
)
def test_a_loop_fills_an_array_in_place(body: str, expected: list[int]) -> None:
    text = program(body)
    assert positions(text) == [1]
    x = np.array([5, 6, 7, 8], np.int32)
    filled, original = sm.run(text, x, np.array([9], np.int32))
    assert filled.tolist() == expected
    assert original.tolist() == x.tolist() == [5, 6, 7, 8]


@pytest.mark.parametrize(
    "text",
    [
        program(READ),
        program(KEPT),
        program(ONCE, returned="%a"),
        program(ONCE, condition=f"%seen = stablehlo.negate %a : {T}"),
        program(f"%new = stablehlo.dynamic_update_slice %b, %v, %i : {UPDATE}"),  # of another value
    ],
    ids=["read", "kept", "not returned", "condition", "crossed"],
)
def test_arrays_with_other_users_are_copied(text: str) -> None:
    assert positions(text) == []
    x = np.array([5, 6, 7, 8], np.int32)
    _, original = sm.run(text, x, np.array([9], np.int32))
    assert original.tolist() == x.tolist() == [5, 6, 7, 8]


def test_the_value_before_the_loop_stays() -> None:
    text = program(ONCE, after="%r#2")
    before, original = sm.run(text, np.array([5, 6, 7, 8], np.int32), np.array([9], np.int32))
    assert before.tolist() == original.tolist() == [5, 6, 7, 8]
