"""Text of shapes and layouts. What XLA prints and refuses was asked of jaxlib 0.10.2."""

from __future__ import annotations

import pickle

import pytest

from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.diagnostics.limits import Limits
from stablemate.diagnostics.source import Source
from stablemate.xla.layout import COMBINED, Layout, SplitConfig
from stablemate.xla.primitive_types import BF16, F32, U16, U32
from stablemate.xla.shape import TOKEN_SHAPE, UNBOUNDED, Shape, buffer_of, shape_at

SAME = (
    *("f32[2,3]{0,1:T(2,2)}", "f32[]", "f32[]{:S(5)}", "()", "token[]", "opaque[]"),
    *("b(f32[4,2]{0,1})", "f32[<=5,3]{1,0}", "f32[?,3]{1,0}", "f32[2]{0:T()}", "f32[2]{0:T(*)}"),
    *("f32[2]{0:S(-1)}", "f32[2]{0:M(8)}", "f32[2]{0:#(u16)*(u32)}", "f32[2]{0:#(s16)}"),
    *("f32[2]{0:SC(0:1,2)(1:3)}", "f32[2]{0:SC(0:)}", "f32[2,3]{1,1}", "f32[<=0]{0}"),
    *("f32[2]{0:T(2)(3)L(4)#(u8)*(u8)E(4)S(1)SC(0:1)M(4)}", "f8e4m3b11fnuz[2]{0}", "s1[3]{0}"),
    *("bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}", "f32[9223372036854775807]{0}"),
    *("((f32[2]{0}, (s32[], pred[3,4]{0,1})), token[])", "(b(s4[3]{0:E(4)}), f32[?,<=4]{1,0})"),
    "(f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[], f32[1]{0})",
)
NORMALIZED = {
    "f32[2,3]": "f32[2,3]{1,0}",
    "f32 /*x*/ [ 2 , /*y*/ 3 ] { 0 , 1 : T ( 2 , 2 ) }": "f32[2,3]{0,1:T(2,2)}",
    "(f32[2],s32[ ] // rest\n)": "(f32[2]{0}, s32[])",
    "f32[2] /* a ) */ {0}": "f32[2]{0}",
    "(f32[2] /* a ) */ , f32[3])": "(f32[2]{0}, f32[3]{0})",
    "b (f32[2])": "b(f32[2]{0})",
    "f32[2]{0:}": "f32[2]{0}",
    "f32[2]{0:L(1)}": "f32[2]{0}",
    "f32[2]{0:E(0)S(0)M(0)}": "f32[2]{0}",
    "f32[2]{0:D(D+~)T(2)}": "f32[2]{0:T(2)}",
    "f32[2]{0:D()}": "f32[2]{0}",
    "f32[02]": "f32[2]{0}",
    "f32[4]{ 0: T(1) (2)}": "f32[4]{0:T(1)(2)}",
}
REFUSED = {
    "": "1:1: error: expected a shape, found the end of the text",
    "F32[2]": "1:1: error: expected a shape, found `F32`",
    "tuple[]": "1:1: error: expected a shape, found `tuple`",
    "token": "1:6: error: expected `[`, found the end of the text",
    "token[2]": "1:7: error: expected `]`, found `2`",
    "opaque[]{:S(1)}": "1:9: error: expected the end of the text, found `{`",
    "f32[]{}": "1:6: error: expected the end of the text, found `{`",
    "f32[4]{}": "1:7: error: expected the end of the text, found `{`",
    "f32[2,]": "1:7: error: expected an integer, found `]`",
    "f32[< =5]": "1:5: error: expected an integer, found `<`",
    "f32[<=?]": "1:7: error: expected an integer, found `?`",
    "f32[-1]": f"1:5: error: expected an integer from 0 to {(1 << 63) - 1}, found `-1`",
    "f32[2x3]": "1:6: error: expected `,` or `]`, found `x3`",
    "f32[2,3]{1}": "1:9: error: expected a layout of 2 dimensions, found one of 1",
    "f32[2]{0:T(2)T(3)}": "1:14: error: expected `}`, found `T`",
    "f32[2]{0:S(1)E(4)}": "1:14: error: expected `}`, found `E`",
    "f32[2]{0:T(0)}": f"1:12: error: expected an integer from 1 to {(1 << 63) - 1}, found `0`",
    "f32[2]{0:L(0)}": f"1:12: error: expected an integer from 1 to {(1 << 63) - 1}, found `0`",
    "f32[2]{0:#(f32)}": "1:12: error: expected an integer type, found `f32`",
    "f32[2]{0:SC()}": "1:13: error: expected an integer, found `)`",
    "f32[2]{0:D(X)}": "1:12: error: expected `D` or `C` or `S` or `H`, found `X`",
    "f32[2]{0:P(f32[2])}": "1:10: error: only sparse arrays have a physical shape, found `P`",
    "(f32[2]{0},)": "1:12: error: expected a shape, found `)`",
    "(f32[2]){0}": "1:9: error: expected the end of the text, found `{`",
    "b(token[])": "1:3: error: expected the shape of an array, found `token`",
    "b((f32[2]))": "1:3: error: expected the shape of an array, found `(`",
}


@pytest.mark.parametrize("text", SAME)
def test_text_as_xla_prints_it_comes_back(text: str) -> None:
    shape = Shape(text)
    assert str(shape) == text
    assert Shape(str(shape)) == shape
    assert repr(shape) == f"Shape('{text}')"
    assert pickle.loads(pickle.dumps(shape)) == shape


@pytest.mark.parametrize("text", NORMALIZED)
def test_other_text_is_printed_as_xla_does(text: str) -> None:
    assert str(Shape(text)) == NORMALIZED[text]


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_shape_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        Shape(text)
    assert caught.value.render().splitlines()[0] == f"<shape>:{REFUSED[text]}"


def test_the_parts_of_a_shape() -> None:
    shape = Shape("bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}")
    layout = Layout((3, 2, 0, 1), ((8, 128), (2, 1)), memory_space=1)
    assert shape == Shape(BF16, (8, 1, 1280, 16384), layout=layout)
    assert shape.to_text(layouts=False) == "bf16[8,1,1280,16384]"
    dynamic = Shape("f32[<=5,?,3]")
    assert dynamic.dimensions == (5, UNBOUNDED, 3)
    assert dynamic.dynamic == (True, True, False)
    nested = Shape("(f32[2]{0}, (token[], b(f32[])))")
    buffer = buffer_of(Shape(F32, layout=Layout(())))
    expected = [Shape("f32[2]"), TOKEN_SHAPE, buffer]
    assert [leaf for _, leaf in nested.leaves()] == expected
    assert nested.to_text(layouts=False) == "(f32[2], (token[], b(f32[])))"


def test_layouts_have_text_of_their_own() -> None:
    text = "{1,0:T(*,128)L(512)#(u16)*(u32)E(4)S(5)SC(1:2,3)M(8)}"
    layout = Layout(text)
    fields = Layout(
        *((1, 0), ((COMBINED, 128),), 512, U16, U32, 4, 5),
        splits=(SplitConfig(1, (2, 3)),),
        dynamic_prefix_bytes=8,
    )
    assert layout == fields
    assert str(layout) == text
    assert Layout("{}") == Layout.row_major(0)
    assert Layout("{2,1,0}").is_default
    assert not Layout("{0,1}").is_default
    with pytest.raises(ParseError, match="expected `}`, found the end of the text"):
        Layout("{1,0")


def test_shapes_are_read_out_of_a_larger_text() -> None:
    text = (
        "a = f32[2]{0} add(/*c*/ (s32[], /*index=5*/f32[3]) b), -> f32[4] {\n  f32[5]/**/{0:S(1)}"
    )
    source = Source(text)

    def at(offset: int) -> tuple[str, str]:
        shape, end = shape_at(source, offset)
        return str(shape), text[end : end + 3]

    assert at(4) == ("f32[2]{0}", " ad")
    assert at(text.index("/*c")) == ("(s32[], f32[3]{0})", " b)")
    assert at(text.index("f32[4]")) == ("f32[4]{0}", " {\n")
    assert at(text.index("f32[5]")) == ("f32[5]{0:S(1)}", "")
    with pytest.raises(ParseError) as caught:
        shape_at(Source("x = (f32[2], f33[4]) add", "a.hlo"), 4)
    assert (
        caught.value.render().splitlines()[0] == "a.hlo:1:14: error: expected a shape, found `f33`"
    )


def test_nesting_has_a_limit() -> None:
    deep = Source("(" * 150 + ")" * 150)
    with pytest.raises(LimitError, match="nested too deeply"):
        shape_at(deep, 0)
    shape, end = shape_at(deep, 0, Limits(nesting=200))
    assert (str(shape), end) == (deep.text, 300)
