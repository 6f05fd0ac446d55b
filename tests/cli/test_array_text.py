"""Arrays as text."""

from contextlib import suppress
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stablemate.cli.input.array_literals import parse_value, type_of, value_text
from stablemate.diagnostics.errors import ArgumentError, ArgumentTypeError, ArgumentValueError
from stablemate.ir.types import TensorType, tensor
from stablemate.numerics.elements import (
    BF16,
    COMPLEX64,
    COMPLEX128,
    F16,
    F32,
    F64,
    FLOAT_STORAGE,
    I8,
    SIMPLE_ELEMENTS,
    UI8,
    ElementType,
    FloatType,
    IntegerType,
    QuantizedType,
    StorageError,
)


def stores(element: ElementType) -> bool:
    try:
        return bool(element.dtype.itemsize)
    except StorageError:
        return False


ELEMENTS = [
    simple_element
    for simple_element in (*SIMPLE_ELEMENTS.values(), COMPLEX64, COMPLEX128)
    if stores(simple_element)
]
NARROW_FLOATS = [FloatType(name) for name in FLOAT_STORAGE if name not in ("f64", "f32")]


def bits_of(array: Any) -> bytes:
    return np.ascontiguousarray(array).tobytes()


@pytest.mark.parametrize(
    ("text", "shape", "elements"),
    [
        ("2x3xf32=[1 2 3][4 5 6]", (2, 3), [1, 2, 3, 4, 5, 6]),
        ("2x3xf32=[[1 2 3][4 5 6]]", (2, 3), [1, 2, 3, 4, 5, 6]),
        ("2x3xf32=[[1, 2, 3], [4, 5, 6]]", (2, 3), [1, 2, 3, 4, 5, 6]),
        ("2x3xf32=1 2 3 4 5 6", (2, 3), [1, 2, 3, 4, 5, 6]),
        ("tensor<2x3xf32>=1,2,3,4,5,6", (2, 3), [1, 2, 3, 4, 5, 6]),
        ("2x1x2xf32=[[1 2]][[3 4]]", (2, 1, 2), [1, 2, 3, 4]),
        ("2x3xf32=1.5", (2, 3), [1.5] * 6),
        ("2x3xf32", (2, 3), [0] * 6),
        ("2x3xf32=", (2, 3), [0] * 6),
        ("3xf32=1 2 3", (3,), [1, 2, 3]),
        ("3xf32=[1 2 3]", (3,), [1, 2, 3]),
        ("1x3xf32=[1 2 3]", (1, 3), [1, 2, 3]),
        ("1xf32=7", (1,), [7]),
        ("f32=3", (), [3]),
        ("f32", (), [0]),
        ("?xf32=[1 2 3]", (3,), [1, 2, 3]),
        ("?xf32=1", (1,), [1]),
        ("?x2xf32=[1 2][3 4][5 6]", (3, 2), [1, 2, 3, 4, 5, 6]),
        ("?x?xf32=[1 2 3]", (1, 3), [1, 2, 3]),
        ("?xf32=[]", (0,), []),
        ("?x3xf32=[]", (0, 3), []),
        ("0x3xf32=", (0, 3), []),
        ("2x0xf32=[][]", (2, 0), []),
    ],
)
def test_forms_of_a_value(text: str, shape: tuple[int, ...], elements: list[float]) -> None:
    array = parse_value(text)
    assert array.dtype == np.float32
    assert array.shape == shape
    assert array.reshape(-1).tolist() == elements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f64=0.1", 0.1),
        ("f64=-1e-3", -0.001),
        ("f64=+.5", 0.5),
        ("f64=5.", 5.0),
        ("f64=0x1.8p1", 3.0),
        ("f64=-0x.8", -0.5),
        ("f64=inf", np.inf),
        ("f64=-Infinity", -np.inf),
        ("f64=0x7FF0000000000000", np.inf),
        ("f32=0x3F800000", 1.0),
        ("bf16=0x3F80", 1.0),
        ("f8E4M3FN=448", 448.0),
        ("f4E2M1FN=-6", -6.0),
        ("f8E8M0FNU=0.5", 0.5),
        ("i1=true", True),
        ("i1=0", False),
        ("i4=-8", -8),
        ("ui2=3", 3),
        ("i8=0xFF", -1),
        ("ui64=18446744073709551615", (1 << 64) - 1),
        ("i64=-9223372036854775808", -(1 << 63)),
        ("si16=-5", -5),
        ("index=7", 7),
        ("complex<f32>=(1,-2)", 1 - 2j),
        ("complex<f64>=( 1e3 , 0x1p-1 )", 1000 + 0.5j),
        ("complex<f64>=1.5", 1.5 + 0j),
    ],
)
def test_numbers(text: str, expected: object) -> None:
    assert parse_value(text).item() == expected


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize("element", [F16, BF16, F32, F64], ids=str)
def test_nan_keeps_its_sign(element: FloatType, sign: str) -> None:
    array = parse_value(f"{element}={sign}nan")
    assert np.isnan(array)
    assert np.signbit(array) == bool(sign)


def test_a_decimal_number_is_rounded_once() -> None:
    # 1 + 2^-24 + 2^-60 rounds up to the next f32; rounded to f64 first it would be a tie, to 1.
    text = "1.000000059604644775390625867361737988403547205962240695953369140625"
    assert parse_value(f"f32={text}").item() == np.nextafter(np.float32(1), np.float32(2))
    assert parse_value(f"f32={text[:-30]}").item() == np.nextafter(np.float32(1), np.float32(2))
    assert parse_value("f32=1.000000059604644775390625").item() == 1.0  # the tie itself


def test_the_expected_type_may_be_left_out() -> None:
    expected = tensor(F32, 2, 2)
    assert parse_value("[1 2][3 4]", expected).tolist() == [[1, 2], [3, 4]]
    assert parse_value("=[1 2][3 4]", expected).tolist() == [[1, 2], [3, 4]]
    assert parse_value("7", expected).tolist() == [[7, 7], [7, 7]]
    assert parse_value("?x2xf32=[1 2][3 4]", expected).shape == (2, 2)


def test_a_quantized_value_is_what_it_stores() -> None:
    quantized = QuantizedType(I8, F32, (0.5,), (0,), -128, 127)
    assert parse_value("2xi8=[-1 5]", tensor(quantized, 2)).tolist() == [-1, 5]
    assert value_text(np.array([-1, 5], np.int8), quantized) == "2xi8=-1 5"


def test_signedness_is_a_matter_of_the_program() -> None:
    assert parse_value("2xsi8=[-1 5]", tensor(I8, 2)).dtype == np.int8
    with pytest.raises(ArgumentTypeError):
        parse_value("2xui8=[1 5]", tensor(I8, 2))
    assert parse_value("2xui8=[255 5]", tensor(UI8, 2)).tolist() == [255, 5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "2x3xf32=[1 2 3][4 5]",
            "v:1:16: error: expected a list of shape 3 like before, not a list of shape 2\n"
            " 1 | 2x3xf32=[1 2 3][4 5]\n"
            "   |                ^^^^^",
        ),
        (
            "2xf32=[1 x]",
            "v:1:10: error: expected a number for f32, not 'x'\n 1 | 2xf32=[1 x]\n   |          ^",
        ),
        (
            "2x2xf23=1",
            "v:1:5: error: expected an element type, not 'f23'\n"
            " 1 | 2x2xf23=1\n"
            "   |     ^^^\n"
            "note: did you mean f32?",
        ),
        (
            "two=1",
            "v:1:1: error: expected an element type, not 'two'\n 1 | two=1\n   | ^^^",
        ),
        ("2x=1", "v:1:1: error: expected a type such as 2x3xf32\n 1 | 2x=1\n   | ^^"),
        (
            "2xf32=[1 2",
            "v:1:7: error: expected ']' at the end of this list\n 1 | 2xf32=[1 2\n   |       ^^^^",
        ),
        (
            "2xf32=1 2]",
            "v:1:10: error: this bracket closes no list\n 1 | 2xf32=1 2]\n   |          ^",
        ),
        (
            "f32=(1",
            "v:1:5: error: expected a number or a list\n 1 | f32=(1\n   |     ^",
        ),
    ],
)
def test_bad_syntax_is_pointed_at(text: str, message: str) -> None:
    with pytest.raises(ArgumentValueError) as caught:
        parse_value(text, name="v")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3xf32=1 2", "expected 3 numbers for 3xf32, not 2"),
        ("3xf32=[1]", "expected 3 numbers for 3xf32, not 1"),
        ("f32=1 2", "expected 1 number for f32, not 2"),
        ("2x3xf32=[1 2][3 4][5 6]", "expected numbers for 2x3xf32, not a list of shape 3x2"),
        ("?x2xf32=[1 2 3]", "expected numbers for ?x2xf32, not a list of shape 1x3"),
        ("?xf32", "the shape of ?xf32 is not known"),
        ("2xf32=[1 [2]]", "expected a number like before, not a list of shape 1"),
        ("i8=128", "128 is out of range for i8: -128 to 127"),
        ("i8=-129", "-129 is out of range for i8: -128 to 127"),
        ("i8=0x100", "0x100 is out of range for i8: -128 to 127"),
        ("ui8=-1", "-1 is out of range for ui8: 0 to 255"),
        ("i1=2", "2 is out of range for i1: 0 to 1"),
        ("i32=1.0", "expected an integer for i32, not '1.0'"),
        ("i32=true", "expected an integer for i32, not 'true'"),
        ("i1=yes", "expected true or false for i1, not 'yes'"),
        ("f32=true", "expected a number for f32, not 'true'"),
        ("f32=1_0", "expected a number for f32, not '1_0'"),
        ("f16=65520", "65520 is out of range for f16"),
        ("f8E4M3FN=inf", "inf is out of range for f8E4M3FN"),
        ("f8E4M3FN=1e9", "1e9 is out of range for f8E4M3FN"),
        ("f4E2M1FN=nan", "f4E2M1FN has no nan"),
        ("f8E5M2FNUZ=-nan", "f8E5M2FNUZ has no -nan"),
        ("f8E8M0FNU=-1", "-1 is out of range for f8E8M0FNU"),
        ("bf16=0x12345", "bf16 has 16 bits, not as many as this"),
        ("complex<f32>=(1,2,3)", "expected (real, imaginary)"),
        ("tf32=1", "expected an element type, not 'tf32'"),
        ("f32=[3]", "expected numbers for f32, not a list of shape 1x1"),
        ("99999999999999999xf32", "an array has 1000000000 bytes at most, not 399999999999999996"),
        ("99999999999999999xf32=1", "an array has 1000000000 bytes at most"),
        ("x".join(["1"] * 65) + "xf32=1", "no array has so many dimensions or elements"),
        (
            "99999999999999999x99999999999999999x0xf32",
            "no array has so many dimensions or elements",
        ),
        ("1xf32=" + "[" * 100, "lists are nested 64 deep at most"),
    ],
)
def test_bad_values_are_refused(text: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_value(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "type_text"),
    [
        ("2x2xf64=1", "2x2xf64"),
        ("2x3xf32=1", "2x3xf32"),
        ("4xf32=1", "4xf32"),
        ("?x?x?xf32=1", "?x?x?xf32"),
        ("2x2xf64", "2x2xf64"),
    ],
)
def test_another_type_than_expected_is_refused(text: str, type_text: str) -> None:
    with pytest.raises(ArgumentTypeError) as caught:
        parse_value(text, tensor(F32, 2, 2), name="v", what="argument 0")
    expected = f"v:1:1: error: argument 0 is tensor<2x2xf32>, but {type_text} was given"
    assert str(caught.value).startswith(expected)


def test_a_value_without_any_type_is_refused() -> None:
    with pytest.raises(ArgumentTypeError, match="this value needs a type: write 2x3xf32=1"):
        parse_value("1")


@pytest.mark.parametrize(
    ("array", "element", "text"),
    [
        (np.arange(6, dtype=np.float32).reshape(2, 3), F32, "2x3xf32=[0 1 2][3 4 5]"),
        (np.arange(4, dtype=np.float32).reshape(2, 1, 2), F32, "2x1x2xf32=[[0 1]][[2 3]]"),
        (np.array([0.1, -0.0, 1e22, np.nan], np.float64), F64, "4xf64=0.1 -0 1e+22 nan"),
        (np.array(0.1, np.float32), F32, "f32=0.1"),
        (np.array([0.1, 65504], np.float16), F16, "2xf16=0.1 6.55e+04"),
        (np.array([0.1, -np.inf], ml_dtypes.bfloat16), BF16, "2xbf16=0.1 -inf"),
        (np.array([True, False]), IntegerType(1), "2xi1=true false"),
        (np.array([1 - 2j], np.complex64), COMPLEX64, "1xcomplex<f32>=(1,-2)"),
        (np.array([0x7FC00001], np.uint32).view(np.float32), F32, "1xf32=0x7FC00001"),
        (np.array([0xFFC00000], np.uint32).view(np.float32), F32, "1xf32=-nan"),
        (np.empty((0, 3), np.float32), F32, "0x3xf32="),
        (np.empty((2, 0), np.float32), F32, "2x0xf32="),
    ],
)
def test_text_of_an_array(array: Any, element: ElementType, text: str) -> None:
    assert value_text(array, element) == text


def test_a_large_array_is_summarized() -> None:
    array = np.arange(1200, dtype=np.float32).reshape(40, 30)
    array[0, 0] = np.nan
    assert value_text(array, F32) == (
        "40x30xf32=nan 1 2 3 4 ... (1200 elements, minimum 1, maximum 1199, mean 600, "
        "standard deviation 346.121, 1 nan)"
    )
    assert value_text(array, F32, limit=None).count(" ") == 40 * 29


@pytest.mark.parametrize("element", ELEMENTS, ids=str)
def test_every_element_type_can_be_summarized(element: ElementType) -> None:
    assert "1001 elements" in value_text(np.zeros(1001, element.dtype), element)


@pytest.mark.parametrize("element", NARROW_FLOATS, ids=str)
def test_every_narrow_float_reads_back_bit_for_bit(element: FloatType) -> None:
    storage = np.uint16 if element.dtype.itemsize == 2 else np.uint8
    patterns = np.arange(1 << element.bits, dtype=storage).view(element.dtype)
    back = parse_value(value_text(patterns, element, limit=None))
    assert bits_of(back) == bits_of(patterns)


@pytest.mark.parametrize("element", ELEMENTS, ids=str)
@given(data=st.binary(min_size=16, max_size=64))
def test_what_is_printed_reads_back_bit_for_bit(element: ElementType, data: bytes) -> None:
    usable = data[: len(data) // 16 * 16]
    match element:
        case IntegerType(is_boolean=True):
            array = np.frombuffer(usable, np.uint8) > 127
        case IntegerType(width=2 | 4):
            array = np.frombuffer(usable, np.int8).astype(element.dtype)
        case FloatType():
            raw = np.frombuffer(usable, f"u{element.dtype.itemsize}")
            mask = (1 << element.bits) - 1
            array = (raw & raw.dtype.type(mask)).view(element.dtype)
        case _:
            array = np.frombuffer(usable, element.dtype)
    shape = (2, array.size // 2) if array.size % 2 == 0 else array.shape
    array = array.reshape(shape)
    assert bits_of(parse_value(value_text(array, element))) == bits_of(array)
    assert parse_value(value_text(array, element)).shape == shape


@given(
    text=st.text(alphabet="0123456789?x[](),.=-+ abefinptu<>@:_é\n", max_size=30),
    head=st.sampled_from(["", "2xf32=", "?xi8=", "i1=", "complex<f32>=", "2x?xf64=", "f32=0x"]),
    expected=st.sampled_from([None, tensor(F32, 2), TensorType((-1, 2), I8), tensor(COMPLEX64)]),
)
def test_no_text_surprises(text: str, head: str, expected: TensorType | None) -> None:
    with suppress(ArgumentError):
        parse_value(head + text, expected)


@pytest.mark.parametrize("text", ["2x3", "xf32", "2x3xf32x", "2 x f32", "", "f32f32", "-1xf32"])
def test_what_is_no_type(text: str) -> None:
    assert type_of(text) is None
