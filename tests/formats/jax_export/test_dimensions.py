"""Sizes as expressions: as JAX writes them, and what they are worth."""

from __future__ import annotations

import pytest

from stablemate.diagnostics.errors import ParseError
from stablemate.formats.jax_export.dimensions import parse_dimension, solve


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7),
        ("-7", -7),
        ("b", 5),
        ("2*b + 1", 11),
        ("- b + 1", -4),
        ("b - -1", 6),
        ("b^2*c", 75),
        ("b*b - 4*c + 2", 15),
        ("floordiv(b, 2)", 2),
        ("floordiv(-b, 2)", -3),
        ("mod(b, 3)", 2),
        ("mod(-b, 3)", 1),
        ("max(b, c) + min(b, c)", 8),
        ("2*floordiv(b + 1, 2)^2 - mod(b, max(c, 2))", 16),
        ("max", 9),
    ],
)
def test_value(text: str, value: int) -> None:
    dimension = parse_dimension(text)
    assert dimension.value({"b": 5, "c": 3, "max": 9}) == value
    assert str(dimension) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "dimension '': expected a variable or a number, found the end"),
        ("2*", "dimension '2*': expected a variable or a number, found the end"),
        ("b b", "dimension 'b b': expected the end, found 'b'"),
        ("b $", "dimension 'b $': expected a variable, a number or an operator, found '$'"),
        ("mod(b)", "dimension 'mod(b)': expected ',', found ')'"),
        ("b^c", "dimension 'b^c': expected an exponent of at most 64, found 'c'"),
        ("b^999", "dimension 'b^999': expected an exponent of at most 64, found '999'"),
        ("max(" * 99, f"dimension {'max(' * 20!r}: expected calls nested at most 50 deep"),
    ],
)
def test_what_is_no_dimension(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_dimension(text)
    assert str(caught.value).removeprefix("error: ").startswith(message)


@pytest.mark.parametrize(
    ("sizes", "values"),
    [
        ({"b": 3}, {"b": 3}),
        ({"2*b + 1": 7}, {"b": 3}),
        ({"2*b + 1": 8}, {}),
        ({"b + c": 8, "c": 3}, {"b": 5, "c": 3}),
        ({"b*c": 8, "c": 4}, {"b": 2, "c": 4}),
        ({"b*c": 8}, {}),
        ({"b^2": 9}, {}),
        ({"b + floordiv(c, 2)": 8, "c": 3}, {"b": 7, "c": 3}),
        ({"b + floordiv(b, 2)": 8}, {}),
        ({"b + mod(c, d)": 8, "c": 3, "d": 0}, {"c": 3, "d": 0}),
        ({"3*b - b": 8}, {"b": 4}),
        ({"b - b": 0}, {}),
    ],
)
def test_what_sizes_determine(sizes: dict[str, int], values: dict[str, int]) -> None:
    equations = [(parse_dimension(text), size) for text, size in sizes.items()]
    assert solve(equations) == values


def test_the_first_of_several_equations_counts() -> None:
    assert solve([(parse_dimension("b"), 3), (parse_dimension("b + 1"), 5)]) == {"b": 3}
