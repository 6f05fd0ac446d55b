"""Which monoid or order a region is, from its text."""

from __future__ import annotations

import pytest

import stablemate as sm
from stablemate.dialects.stablehlo.attributes import ComparisonDirection
from stablemate.dialects.stablehlo.reducers import (
    SortKey,
    combiners,
    comparison,
    is_elementwise,
    is_log_of_sum,
    monoid,
    order,
)
from stablemate.ir.core import Region

CANONICAL = """
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %a1 = stablehlo.compare EQ, %a, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %a2 = stablehlo.select %a1, %zero, %a : tensor<i1>, tensor<f32>
  %a3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %a4 = stablehlo.select %a3, %nan, %a2 : tensor<i1>, tensor<f32>
  %b1 = stablehlo.compare EQ, %b, %zero, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %b2 = stablehlo.select %b1, %zero, %b : tensor<i1>, tensor<f32>
  %b3 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %b4 = stablehlo.select %b3, %nan, %b2 : tensor<i1>, tensor<f32>
"""


def region(arguments: str, *body: str) -> Region:
    """The region with these arguments and operations."""
    lines = "\n".join(body)
    module = sm.load(
        f"""func.func @main(%c: tensor<f32>, %d: tensor<f32>) {{
          "stablehlo.composite"() <{{name = "a.b", decomposition = @f}}> ({{
            ^bb0({arguments}): {lines}
          }}) : () -> ()
          return
        }}
        func.func private @f() {{ return }}"""
    )
    return next(
        operation
        for operation in module.operation.walk()
        if operation.regions and operation.attributes.get("name")
    ).regions[0]


PAIR = "%a: tensor<f32>, %b: tensor<f32>"


def binary(name: str, operands: str = "%a, %b") -> Region:
    """A region that applies one operation."""
    return region(
        PAIR,
        f"%0 = stablehlo.{name} {operands} : tensor<f32>",
        "stablehlo.return %0 : tensor<f32>",
    )


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "minimum"])
def test_monoids_have_their_arguments_in_either_order(name: str) -> None:
    assert monoid(binary(name)) == name
    assert monoid(binary(name, "%b, %a")) == name


@pytest.mark.parametrize("operands", ["%a, %a", "%a, %c", "%c, %d"])
def test_other_operands_make_no_monoid(operands: str) -> None:
    assert monoid(binary("add", operands)) is None


def test_subtract_is_no_monoid() -> None:
    assert monoid(binary("subtract")) is None


@pytest.mark.parametrize(("kept", "name"), [("%a", "x"), ("%b", "y"), ("%c", None)])
def test_arguments_that_are_kept(kept: str, name: str | None) -> None:
    body = region(PAIR, f"stablehlo.return {kept} : tensor<f32>")
    assert combiners(body) == (name,)
    assert monoid(body) is None


def test_several_results_are_combined_separately() -> None:
    body = region(
        "%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>",
        "%0 = stablehlo.add %b, %a : tensor<f32>",
        "%1 = stablehlo.xor %i, %j : tensor<i32>",
        "stablehlo.return %0, %1 : tensor<f32>, tensor<i32>",
    )
    assert combiners(body) == ("add", "xor")


def test_elementwise_regions() -> None:
    assert is_elementwise(binary("add", "%a, %c"))
    assert is_elementwise(region(PAIR, "stablehlo.return %c : tensor<f32>"))
    assert not is_elementwise(
        region(
            PAIR,
            "%0 = stablehlo.reshape %a : (tensor<f32>) -> tensor<1xf32>",
            "%1 = stablehlo.abs %0 : tensor<1xf32>",
            "stablehlo.return %a : tensor<f32>",
        )
    )
    assert not is_elementwise(region("%a: tensor<2xf32>", "stablehlo.return %a : tensor<2xf32>"))


def compare(text: str, *before: str) -> Region:
    """A region that returns one comparison."""
    return region(
        PAIR,
        *before,
        f"%p = stablehlo.compare {text} : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        "stablehlo.return %p : tensor<i1>",
    )


def test_comparison_has_the_direction_of_its_arguments() -> None:
    assert comparison(compare("GE, %a, %b")) is ComparisonDirection.GE
    assert comparison(compare("GE, %b, %a")) is ComparisonDirection.LE
    assert comparison(compare("GE, %a, %c")) is None


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("LT, %a, %b", "", (SortKey(0),)),
        ("LT, %b, %a", "", (SortKey(0, descending=True),)),
        ("GT, %a, %b", "", (SortKey(0, descending=True),)),
        ("GT, %a, %b, TOTALORDER", "", (SortKey(0, descending=True, total=True),)),
        ("LT, %a4, %b4, TOTALORDER", CANONICAL, (SortKey(0, total=True, canonical=True),)),
        ("LT, %a4, %b, TOTALORDER", CANONICAL, ()),
        ("LE, %a, %b", "", ()),
        ("LT, %a, %a", "", ()),
        ("LT, %c, %d", "", ()),
        ("LT, %a, %d", "", ()),
    ],
)
def test_orders(text: str, before: str, expected: tuple[SortKey, ...]) -> None:
    assert order(compare(text, before)) == expected


def test_order_by_a_later_input() -> None:
    body = region(
        "%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>",
        "%p = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        "stablehlo.return %p : tensor<i1>",
    )
    assert order(body) == (SortKey(1),)


def lexicographic(equality: str) -> Region:
    """A comparator by a float, then by an integer."""
    return region(
        "%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>",
        "%0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        f"%1 = stablehlo.compare {equality} : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        "%2 = stablehlo.compare GT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        "%3 = stablehlo.and %2, %1 : tensor<i1>",
        "%4 = stablehlo.or %3, %0 : tensor<i1>",
        "stablehlo.return %4 : tensor<i1>",
    )


def test_order_by_several_keys() -> None:
    expected = (SortKey(0), SortKey(1, descending=True))
    assert order(lexicographic("EQ, %a, %b")) == expected
    assert order(lexicographic("EQ, %b, %a")) == expected
    assert order(lexicographic("NE, %a, %b")) == ()
    assert order(lexicographic("EQ, %a, %b, TOTALORDER")) == ()


def test_order_by_parts_of_complex_elements() -> None:
    body = region(
        "%a: tensor<complex<f32>>, %b: tensor<complex<f32>>",
        "%0 = stablehlo.imag %a : (tensor<complex<f32>>) -> tensor<f32>",
        "%1 = stablehlo.imag %b : (tensor<complex<f32>>) -> tensor<f32>",
        "%2 = stablehlo.compare LT, %0, %1 : (tensor<f32>, tensor<f32>) -> tensor<i1>",
        "stablehlo.return %2 : tensor<i1>",
    )
    assert order(body) == (SortKey(0, "imag"),)


def log_of_sum(*, direction: str = "NE", largest: str = "%a, %b") -> Region:
    """A reducer as JAX writes log(exp(a) + exp(b)), with two of its parts."""
    return region(
        "%a: tensor<f32>, %b: tensor<f32>",
        f"%m = stablehlo.maximum {largest} : tensor<f32>",
        "%w = stablehlo.subtract %a, %b : tensor<f32>",
        f"%n = stablehlo.compare {direction}, %w, %w, FLOAT : "
        "(tensor<f32>, tensor<f32>) -> tensor<i1>",
        "%s = stablehlo.add %a, %b : tensor<f32>",
        "%p = stablehlo.abs %w : tensor<f32>",
        "%g = stablehlo.negate %p : tensor<f32>",
        "%e = stablehlo.exponential %g : tensor<f32>",
        "%l = stablehlo.log_plus_one %e : tensor<f32>",
        "%t = stablehlo.add %m, %l : tensor<f32>",
        "%r = stablehlo.select %n, %s, %t : tensor<i1>, tensor<f32>",
        "stablehlo.return %r : tensor<f32>",
    )


def test_the_logarithm_of_a_sum_is_recognized() -> None:
    assert is_log_of_sum(log_of_sum())
    assert not is_log_of_sum(log_of_sum(direction="EQ"))
    assert not is_log_of_sum(log_of_sum(largest="%a, %a"))
