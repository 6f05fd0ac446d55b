"""Malformed text: an error that names the place and what was expected."""

from __future__ import annotations

from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle

HEAD: Final = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  "
TAIL: Final = "\n  return %a : tensor<2xf32>\n}"

GENERIC: Final = (
    'note: an operation without a definition here is read in the generic form, "dialect.name"(...), '
    "which -mlir-print-op-generic of MLIR's tools prints"
)
# What stands in a function's body, where the error is, what it says.
BODIES: Final = [
    ("%0 = stablehlo.ad %a, %a : tensor<2xf32>", "2:8", "unknown operation 'stablehlo.ad'"),
    ("%0 = hlo.add %a, %a : tensor<2xf32>", "2:8", "no dialect is called 'hlo'"),
    ("%0 = stablehlo.add %a, %b : tensor<2xf32>", "2:26", "no value is called %b here"),
    ("%0 = stablehlo.add %a : tensor<2xf32>", "2:25", "expected ',', found ':'"),
    ("%0 = stablehlo.add %a, %a : tensor<3xf32>", "2:22", "%a has type tensor<2xf32>, not tensor<3xf32>"),
    ("%0 = stablehlo.add %a, %a : tensor<2xf23>", "2:40", "expected a type, found 'f23'"),
    ("%0 = stablehlo.add %a, %a", "2:28", "expected ':', found 'return'"),
    ("%0, %1 = stablehlo.add %a, %a : tensor<2xf32>", "2:3", "stablehlo.add has 1 results, but 2 names are given"),
    ("%a = stablehlo.add %a, %a : tensor<2xf32>", "2:3", "the name %a is in use already"),
    ("%0 = stablehlo.add %a, %a : tensor<2xf32> }", "3:3", "expected an operation such as stablehlo.add, found 'return'"),
    ("%0 = stablehlo.constant dense<nan> : tensor<f32>", "2:33", "'nan' is not a literal"),
    ("%0 = stablehlo.constant dense<1> : tensor<f32>", "2:33", "expected a floating-point literal for f32"),
    ("%0 = stablehlo.constant dense<1.0> : tensor<i32>", "2:33", "expected an integer literal for i32"),
    ("%0 = stablehlo.constant dense<256> : tensor<ui8>", "2:33", "256 is out of range for ui8"),
    ("%0 = stablehlo.constant dense<[1.0]> : tensor<2xf32>", "2:32", "the literal has shape [1], its type [2]"),
    ("%0 = stablehlo.constant dense<[[1.0], [1.0, 2.0]]> : tensor<2x1xf32>", "2:33", "the lists of this literal have different shapes"),
    ("%0 = stablehlo.constant dense<1.0> : tensor<?xf32>", "2:32", "a literal needs a static shape"),
    ('%0 = stablehlo.constant dense<"0x00"> : tensor<2xf32>', "2:36", "1 bytes of data do not fill tensor<2xf32>"),
    ('%0 = stablehlo.constant dense<"0xZZ"> : tensor<2xf32>', "2:36", "expected an even number of hexadecimal digits"),
    ('%0 = stablehlo.custom_call @"unfinished(%a) : (tensor<2xf32>) -> tensor<2xf32>', "2:30", "this string is not terminated on its line"),
    ("%0 = stablehlo.add %a, %a {x = 1, x = 2} : tensor<2xf32>", "2:37", "attribute 'x' occurs twice"),
    ("%0 = stablehlo.transpose %a, dim = [0] : (tensor<2xf32>) -> tensor<2xf32>", "2:32", "expected 'dims', found 'dim'"),
    ("%0 = stablehlo.compare QE, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>", "2:26", "expected a comparison direction, one of EQ, NE, GE, GT, LE, LT"),
    ("%0 = stablehlo.sort %a : tensor<2xf32>", "2:8", "stablehlo.sort is written in the generic form only"),
    ('%0 = "stablehlo.add"(%a, %a) : (tensor<2xf32>) -> tensor<2xf32>', "2:34", "2 operands, but 1 types"),
    ("%0 = stablehlo.add %a, %a : tensor<99999999999999999999999xf32>", "2:38", "this dimension size does not fit into 64 bits"),
    ("%0 = stablehlo.add %a, %a : tensor<2xf32> loc(#nowhere)", "2:49", "no location is called '#nowhere'"),
    ("%0 = stablehlo.add %a, %a {k = #other} : tensor<2xf32>", "2:34", "no attribute alias is called '#other'"),
    ("%0 = stablehlo.reduce(%a init: %a) applies add across dimensions = [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>", "2:46", "'add' is not a commutative operation of two values"),
    ("%0 = stablehlo.while(%i = %a %j = %a) : tensor<2xf32>", "2:32", "expected ',' or ')', found '%j'"),
    ("; %0", "2:3", "unexpected character ';'"),
    ("%", "2:3", "expected a name of a value after '%'"),
    ("%0 = stablehlo.add %a#1, %a : tensor<2xf32>", "2:22", "no value is called %a#1 here"),
]  # fmt: skip

TEXTS: Final = [
    ("hello world {", "1:1", "expected an operation such as stablehlo.add, found 'hello'"),
    ("module {", "1:9", "expected '}', which closes this region"),
    ("#a = 1\n#a = 2", "2:1", "'#a' is defined already"),
    ("!t = i32\nfunc.func private @f(!u)", "2:22", "no type alias is called '!u'"),
    ("func.func private @f(\n", "1:22", "expected a type, found the end of the text"),
    ('sdy.mesh @m = <["x"=9223372036854775808]>', "1:21", "this integer does not fit into 64 bits"),
    (
        "module attributes {k.v = affine_map<(i) -> (j)>} {}",
        "1:45",
        "no dimension or symbol is called 'j'",
    ),
    ("module attributes {k.v = affine_map<(i) -> i>} {}", "1:44", "expected '(', found 'i'"),
    ("module attributes {k.v = affine_map<(i) -> ()()>} {}", "1:46", "expected '>', found '('"),
    (
        "module attributes {k.v = affine_map<(i) -> (i +)>} {}",
        "1:48",
        "expected an affine expression, found ')'",
    ),
    ("module attributes {k.v = affine_map<(i, i) -> (i)>} {}", "1:41", "'i' is not a new name"),
    (
        "module attributes {k.v = affine_map<(i, j) -> (i * j)>} {}",
        "1:36",
        "one factor of a product has no dimensions",
    ),
    (
        "module attributes {k.v = affine_map<(i, j) -> (i mod j)>} {}",
        "1:36",
        "the right operand of mod has no dimensions",
    ),
    (
        "module attributes {k.v = affine_map<() -> (9999999999999999999)>} {}",
        "1:44",
        "this integer does not fit into 64 bits",
    ),
    (
        f"module attributes {{k.v = affine_map<() -> ({'(' * 10000})>}} {{}}",
        "1:36",
        "this expression is nested too deeply",
    ),
    (
        f"module attributes {{k.v = affine_map<() -> ({'-' * 10000}1)>}} {{}}",
        "1:36",
        "this expression is nested too deeply",
    ),
    (
        "module attributes {k.v = affine_set<(i) : (i + 1)>} {}",
        "1:49",
        "expected '>=', '<=' or '==', found ')'",
    ),
    (
        "module attributes {k.v = #arith.fastmath<>} {}",
        "1:41",
        "expected a flag; 'none' says that there are none",
    ),
    ("module attributes {k.v = strided<[x]>} {}", "1:35", "expected an integer, found 'x'"),
    ('module { "builtin.module"() ({}', "1:32", "expected ',' or ')', found the end of the text"),
]


@pytest.mark.parametrize(("body", "place", "message"), BODIES)
def test_malformed_operation(body: str, place: str, message: str) -> None:
    with pytest.raises(sm.ParseError) as caught:
        sm.load(HEAD + body + TAIL)
    first = caught.value.diagnostics[0]
    assert f"{first.span.line}:{first.span.column}" == place  # type: ignore[union-attr]
    assert message in first.message


@pytest.mark.parametrize(("text", "place", "message"), TEXTS)
def test_malformed_text(text: str, place: str, message: str) -> None:
    with pytest.raises(sm.ParseError) as caught:
        sm.parse(text)
    first = caught.value.diagnostics[0]
    assert f"{first.span.line}:{first.span.column}" == place  # type: ignore[union-attr]
    assert message in first.message


@pytest.mark.parametrize("opening", ["module {", "tuple<", "[", "((", "{a = "])
def test_deep_nesting_is_refused(opening: str) -> None:
    prefix = "" if opening == "module {" else "module attributes {a.b = "
    with pytest.raises(sm.StablemateError, match=r"nested deeper|expected"):
        sm.load(prefix + opening * 100_000)


def test_every_truncation_of_a_program_is_refused() -> None:
    text = HEAD + "%0 = stablehlo.constant dense<[1.0, -2.5]> : tensor<2xf32> loc(unknown)" + TAIL
    for end in range(1, len(text) - 1):
        with pytest.raises(sm.StablemateError):
            sm.parse(text[:end] + "\n").verify()


def test_suggestions_name_what_is_near() -> None:
    with pytest.raises(sm.ParseError) as caught:
        sm.load(HEAD + "%0 = stablehlo.tranpose %a, dims = [0] : tensor<2xf32>" + TAIL)
    assert [note.message for note in caught.value.diagnostics[0].notes] == [
        "did you mean 'stablehlo.transpose'?"
    ]


def test_what_breaks_the_rules_is_printed_in_the_generic_form() -> None:
    text = """func.func @f(%a: i32) {
  %0 = "arith.addi"(%a, %a) <{overflowFlags = 1 : i32}> : (i32, i32) -> i32
  return
}
"""
    assert '"arith.addi"(%arg0, %arg0) <{overflowFlags = 1 : i32}>' in sm.parse(text).to_text()


def test_what_is_missing_at_the_end_of_a_line_is_reported_there(oracle: Oracle) -> None:
    """Blank lines and comments between are skipped, as by MLIR's parser."""
    texts = (
        "func.func @f() {\n  1 = stablehlo.iota\n}\n",
        "func.func @f() {\n  %0 // the result\n\n  // more\n  stablehlo.iota\n}\n",
        "func.func @f() {\n  %0 = stablehlo.abs\n}\n",
    )
    for text in texts:
        with pytest.raises(sm.ParseError) as caught:
            sm.parse(text)
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.span is not None
        place = diagnostic.span.line, diagnostic.span.column
        assert place == oracle.diagnostics(text)[0][1:]


# Operations on several lines: a part of a wrong type, a wrong attribute, a wrong element type.
SEVERAL_LINES: Final = [
    "%0 = stablehlo.abs %a\n    : (tensor<2xf32>)\n    -> tensor<3xf32>",
    '%0 = "stablehlo.iota"() <{\n    iota_dimension = "x"\n  }> : () -> tensor<2xf32>',
    '%0 = "stablehlo.custom_call"(%a) <{call_target_name = "x"}>\n    : (tensor<2xf32>)'
    "\n    -> tensor<2x!quant.uniform<i8:f32, -0.5>>",
]


@pytest.mark.parametrize("body", SEVERAL_LINES)
def test_the_operation_and_its_wrong_part_are_shown(body: str, oracle: Oracle) -> None:
    with pytest.raises(sm.StablemateError) as caught:
        sm.load(HEAD + body + TAIL).verify()
    (diagnostic,) = caught.value.diagnostics
    (note,) = diagnostic.notes
    assert diagnostic.span is not None
    assert note.span is not None
    assert note.span.line != diagnostic.span.line
    assert 2 in (note.span.line, diagnostic.span.line)  # that of the operation
    assert diagnostic.span.line == oracle.diagnostics(HEAD + body + TAIL)[0][1]


def test_a_missing_terminator_is_reported_at_the_last_operation(oracle: Oracle) -> None:
    text = (
        HEAD + "%0 = stablehlo.abs %a : tensor<2xf32>\n  %1 = stablehlo.abs %0 : tensor<2xf32>\n}"
    )
    with pytest.raises(sm.VerifyError) as caught:
        sm.parse(text).verify()
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.line == oracle.diagnostics(text)[0][1] == 3
    assert [note.span.line for note in diagnostic.notes if note.span] == [1]


@pytest.mark.parametrize(
    ("text", "line", "operation"),
    [
        (
            """func.func @main() -> tensor<2xi32> {
  %0 = "stablehlo.constant"() <{
    value = dense<[1, 2, 3]> : tensor<2xi32>
  }> : () -> tensor<2xi32>
  return %0 : tensor<2xi32>
}""",
            3,
            "stablehlo.constant",
        ),
        (
            """func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = "stablehlo.abs"(%a)

    : (tensor<2xi32>) -> tensor<2x!quant.uniform<i8:f32, 0.0:300>>
  return %a : tensor<2xi32>
}""",
            4,
            "stablehlo.abs",
        ),
    ],
    ids=["attribute", "type"],
)
def test_what_holds_a_wrong_type_or_attribute_is_a_note(
    text: str, line: int, operation: str
) -> None:
    with pytest.raises(sm.ParseError) as caught:
        sm.parse(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.line == line
    (note,) = diagnostic.notes
    assert note.message == f"the operation {operation} is here"
    assert note.span is not None
    assert note.span.line == 2


@pytest.mark.parametrize(
    ("body", "is_open"),
    [
        ("memref.alloca_scope {\n  }", True),
        ("memref.dma_start %a[%i], %b[%i], %n, %t[%i] : memref<4xf32>", True),
        ("%0 = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<4xf32>) -> f32", True),
        ("%0 = tensor.gather %a[%i] gather_dims([0]) : (tensor<2xf32>) -> tensor<2xf32>", True),
        ("%0 = linalg.matmul ins(%a : tensor<2xf32>) -> tensor<2xf32>", True),
        ("%0 = stablehlo.ad %a, %a : tensor<2xf32>", False),
    ],
)
def test_syntax_of_operations_without_a_definition_leads_to_the_generic_form(
    body: str, is_open: bool
) -> None:
    with pytest.raises(sm.ParseError) as error:
        sm.load(HEAD + body + TAIL)
    assert (GENERIC in str(error.value)) == is_open


HELD = (
    '"stablehlo.compare"(%a, %a) <{\n  comparison_direction = #stablehlo<comparison_direction XX>}>'
    " : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
    "stablehlo.convert %a : (tensor<2xf32>) ->\n  tensor<2xg32>",
    "stablehlo.convert %a : (tensor<2xf32>) ->\n  tensor<2xtensor<f32>>",
    '"stablehlo.dot_general"(%a, %a) <{\n  dot_dimension_numbers = #stablehlo.dot<contracting = [0]>'
    "}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>",
    "stablehlo.exponential %a {\n  result_accuracy = #stablehlo.result_accuracy<ulps = -1,"
    " mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>",
    "stablehlo.uniform_quantize %a : (tensor<2xf32>)\n  -> tensor<2x!quant.uniform<i8:f32, -0.5>>",
    'stablehlo.abs %a {sdy.sharding =\n  #sdy.sharding<mesh<["x"=2, "x"=2]>, [{}]>} : tensor<2xf32>',
    "stablehlo.custom_call @g(%a) : (tensor<2xf32>) ->\n  tensor<2xf32, #stablehlo.bounds<3>>",
    '"stablehlo.iota"() <{iota_dimension =\n  1 : : i32}> : () -> tensor<2xf32>',
    "stablehlo.constant\n  dense<[1.0, [2.0]]> : tensor<2xf32>",
)


@pytest.mark.parametrize("operation", HELD)
def test_the_operation_that_holds_a_wrong_attribute_or_type_is_in_a_note(operation: str) -> None:
    text = f"func.func @f(%a: tensor<2xf32>) {{\n  %0 = {operation}\n  return\n}}\n"
    with pytest.raises(sm.ParseError) as caught:
        sm.parse(text)
    first = caught.value.diagnostics[0]
    assert first.span is not None
    assert first.span.line == 3
    notes = [note for note in first.notes if note.message.startswith("the operation ")]
    assert [note.span.line for note in notes if note.span] == [2]
