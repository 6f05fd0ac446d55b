"""Literals beside XLA's own reading and printing."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.formats.hlo.proto.writer import write_proto
from stablemate.formats.hlo.text.literals import literal_text
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import write_text
from stablemate.xla.literal import Literal
from stablemate.xla.primitive_types import ARRAY_TYPES, F32, PrimitiveType
from stablemate.xla.shape import Shape
from tests.oracle.client import Oracle, OracleRejected

NEGATIVE_ZERO = re.compile(r"-0\.0(?=[,)} ])")
FLOATS = (
    *("inf", "-inf", "nan", "-nan", "nan(0x1)", "-nan(0x3)", "0", "-0", "-0.0", "1.", "1e5", "448"),
    *("464", "57344", "65519.99", "65520", "1.0014648437500001", "3.4028235e38", "3.4028236e38"),
)


def program(shape: str, literal: str) -> str:
    return f"ENTRY e {{ ROOT r = {shape} constant({literal}) }}"


def literal_of(text: str, *, elided: bool = True) -> Literal:
    value: Literal = read_text(text, elided=elided).entry_computation.result.attributes["literal"]
    return value


@st.composite
def number(draw: st.DrawFn, element_type: PrimitiveType) -> str:
    if element_type.family == "pred":
        return draw(st.sampled_from(("true", "false", "1", "0", "2", "-1")))
    if element_type.is_integral:
        bits = element_type.bits
        bounds = (-(1 << bits - 1) - 1, -(1 << bits - 1), (1 << bits - 1) - 1, (1 << bits) - 1)
        return str(
            draw(st.sampled_from((0, 1, -1, *bounds)) | st.integers(-(1 << bits), 1 << bits))
        )
    decimal = st.floats(allow_nan=False, allow_infinity=False).map(repr)
    scaled = st.builds("{:.{}g}".format, st.floats(-600, 600), st.integers(1, 17))
    return draw(st.sampled_from(FLOATS) | scaled | st.integers(-1000, 1000).map(str) | decimal)


@st.composite
def literals(draw: st.DrawFn) -> tuple[str, str]:
    element_type = draw(st.sampled_from(ARRAY_TYPES))
    dimensions = draw(st.lists(st.integers(0, 3), max_size=5))

    def nested(rest: list[int]) -> str:
        if rest:
            separator = draw(st.sampled_from((", ", ",", " ", " , ", ",,")))
            size = max(rest[0] + draw(st.sampled_from((0,) * 30 + (1, -1))), 0)
            tail = draw(st.sampled_from(("", " ", ",")))
            return f"{{{separator.join(nested(rest[1:]) for _ in range(size))}{tail}}}"
        if element_type.family != "complex":
            return draw(number(element_type))
        real, imaginary = (draw(number(ARRAY_TYPES[18])) for _ in range(2))
        # XLA makes both parts of a number with a NaN in the first that NaN, and drops payloads.
        real = "0.5" if "nan" in real else real
        imaginary = "nan" if "(" in imaginary else imaginary
        return f"({real}, {imaginary})"

    return f"{element_type}[{','.join(map(str, dimensions))}]", nested(dimensions)


@pytest.mark.standard
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=literals())
def test_literals_are_what_xla_makes_of_them(case: tuple[str, str], oracle: Oracle) -> None:
    text = program(*case)
    try:
        printed = oracle.hlo_text(text)
    except OracleRejected:
        with pytest.raises(ParseError):
            read_text(text)
        return
    try:
        module = read_text(text)
    except ParseError as error:
        # What XLA takes for another value: a NaN of a type without one, integers beyond s64.
        assert re.search(r"is out of range for (f4e2m1fn|f6|s64)", str(error))  # noqa: PT017
        return
    written = write_text(module)
    assert as_xla_prints(written) == printed
    assert read_text(written) == module


def as_xla_prints(text: str) -> str:
    """Our text of a module as XLA prints it.

    XLA reads the same numbers; the digits that it prints for the smallest f8e8m0fnu are those of
    another.
    """
    return NEGATIVE_ZERO.sub("-0", text).replace("5.8774717541114375e-39", "5.9e-39")


@pytest.mark.parametrize("element_type", ARRAY_TYPES, ids=str)
def test_all_values_of_narrow_types_survive(element_type: PrimitiveType, oracle: Oracle) -> None:
    """All bit patterns of types of up to sixteen bits, except that some have one NaN only."""
    if element_type.bits > 16 or element_type.element is None or element_type.name == "pred":
        return
    size = element_type.dtype.itemsize
    bits = np.arange(1 << element_type.bits, dtype=f"u{size}")
    if element_type.family == "signed" and element_type.bits < 8:
        values: Any = (np.arange(1 << element_type.bits) - (1 << element_type.bits - 1)).astype(
            element_type.dtype
        )
    else:
        values = bits.view(element_type.dtype)
    module = read_text(program(f"{element_type}[{len(bits)}]", f"{{{', '.join('1' * len(bits))}}}"))
    instruction = module.entry_computation.result
    literal = Literal(instruction.attributes["literal"].shape, values)
    instruction.attributes["literal"] = literal  # type: ignore[index]
    text = write_text(module)
    again = literal_of(text)
    assert again.array is not None
    same = again.bits() == literal.bits()
    one_nan = element_type.name in ("f8e4m3fn",)
    assert same or (one_nan and np.array_equal(again.array, values, equal_nan=True))
    assert oracle.hlo_text(text) == as_xla_prints(text)


@pytest.mark.parametrize(
    ("shape", "literal"),
    [
        ("(f32[2], s32[])", "( {1, 2}, 3 )"),
        ("(f32[2], s32[])", "({1,2} 3)"),
        ("((f32[2], s32[]), pred[])", "(({1, 2}, 3), true)"),
        ("()", "()"),
        ("f32[1]", "1"),
        ("f32[2,1,1,1,3]", "{{{{{1,2,3}}}},{{{{2,3,4}}}}}"),
        ("f32[<=3]", "{1,2,3}"),
        ("f32[2,2]{0,1}", "{{1,2},{3,4}}"),
    ],
)
def test_tuples_and_shapes(shape: str, literal: str, oracle: Oracle) -> None:
    text = program(shape, literal)
    assert write_text(read_text(text)) == oracle.hlo_text(text)


def test_negative_zero_is_written_with_a_point() -> None:
    text = write_text(read_text(program("f32[3]", "{-0.0, -0, 0}")))
    assert "constant({-0.0, 0, 0})" in text


def test_a_literal_of_many_rows_without_elements_has_no_text() -> None:
    array = np.zeros((1 << 31, 0), np.float32)
    with pytest.raises(LimitError) as raised:
        literal_text(Literal(Shape(F32, array.shape), array))
    assert str(raised.value) == (
        "the text of a literal without elements has more than 4194304 rows, 2147483648: "
        "write a protocol buffer"
    )


def test_elided_constants_are_kept_when_asked_for() -> None:
    text = program("(f32[2,3], s32[20])", "( {...}, {...} )")
    assert literal_of(text, elided=True).is_elided
    assert "constant(( {...}, {...} ))" in write_text(read_text(text, elided=True))
    assert literal_of(program("(f32[20])", "{...}"), elided=True).is_elided


ELEMENT_BITS = """HloModule m
ENTRY e {
  a = s4[2]{0:E(4)} constant({1, 2})
  b = (s4[2]{0:T(4)E(4)S(1)}, s32[]) constant(({1, 2}, 5))
  c = s4[2]{0:E(4)} negate(a)
  d = s4[2]{0:E(4)} custom-call(c), custom_call_target="f", literal=s4[2]{0:E(4)} {1, 2}
  ROOT t = (s4[2], (s4[2], s32[]), s4[2]) tuple(a, b, d)
}"""


def test_literals_have_no_bits_of_an_element(oracle: Oracle) -> None:
    module = read_text(ELEMENT_BITS)
    text = write_text(module)
    assert oracle.hlo_text(ELEMENT_BITS) == text
    assert oracle.hlo_text(write_proto(module)) == text
