"""Errors are on the line where jaxlib reports them; ``parity.places`` compares any number."""

from __future__ import annotations

from itertools import islice

import pytest

import stablemate as sm
from tests.oracle.client import Oracle
from tests.properties.parity.bodies import malformed_bodies
from tests.properties.parity.comparison import Parity
from tests.properties.parity.places import (
    WRONG,
    Places,
    attributes_of_other_kinds,
    changed_operations,
    first_error,
    malformed_operations,
    rejected_texts,
    texts_with_another_token,
)
from tests.properties.parity.several import several_errors


@pytest.mark.standard
def test_rejected_programs_have_their_error_on_jaxlibs_line(oracle: Oracle) -> None:
    campaign = Places(oracle)
    campaign.compare([*rejected_texts()])
    assert [d.text for d in campaign.differences if d.is_on_another_line] == []
    assert campaign.outcomes["same place"] > 700


@pytest.mark.standard
def test_of_two_errors_the_first_one_is_on_jaxlibs_line(oracle: Oracle) -> None:
    """A module checks last what refers to symbols; jaxlib may report what it accepts if alone."""
    campaign = Places(oracle)
    texts = [f"{text.rstrip()}\n{WRONG}" for text in rejected_texts() if "@" in text]
    campaign.compare(texts)
    elsewhere = [d.text for d in campaign.differences if d.is_on_another_line]
    assert len(elsewhere) <= 4, "\n".join(elsewhere)
    assert campaign.outcomes["same place"] > 600


ISOLATED = """func.func @f(%x: tensor<3xf32>) {
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%y: tensor<3xf32>):
    %1 = "stablehlo.abs"(%y) : (tensor<3xf32>) -> tensor<3xf64>
    "stablehlo.return"(%1) : (tensor<3xf64>) -> ()
  }) : (tensor<3xf32>) -> RESULT
  %2 = "stablehlo.abs"(%x) : (tensor<3xf32>) -> OTHER
END}
"""


@pytest.mark.parametrize(
    ("result", "other", "end", "line"),
    [
        ("!stablehlo.future<tensor<3xf64>>", "tensor<3xf32>", "  return\n", 4),
        ("!stablehlo.future<tensor<3xf64>>", "tensor<3xf64>", "  return\n", 7),
        ("!stablehlo.future<tensor<3xf64>>", "tensor<3xf32>", "", 7),
        ("tensor<3xf64>", "tensor<3xf32>", "  return\n", 2),
    ],
)
def test_isolated_regions_are_checked_after_the_rest_of_the_function(
    result: str, other: str, end: str, line: int, oracle: Oracle
) -> None:
    text = ISOLATED.replace("RESULT", result).replace("OTHER", other).replace("END", end)
    (theirs,) = oracle.places([text])
    ours = first_error(text)
    assert theirs is not None
    assert ours is not None
    assert (ours[1], theirs[1]) == (line, line)


@pytest.mark.standard
def test_changed_operations_have_their_error_on_jaxlibs_line(oracle: Oracle) -> None:
    """Types of dialects that nobody knows are warnings here and errors there, at another place."""
    campaign = Places(oracle)
    campaign.compare([t for t in changed_operations(0, 2) if "!foo.bar" not in t])
    assert [d.text for d in campaign.differences if d.is_on_another_line] == []


@pytest.mark.standard
def test_malformed_operations_have_their_error_on_jaxlibs_line(oracle: Oracle) -> None:
    """But for three of 2,629, two of them here: two rules are broken, and another one is first."""
    campaign = Places(oracle)
    campaign.compare([*malformed_operations(1)][::3])
    elsewhere = [d.text for d in campaign.differences if d.is_on_another_line]
    assert len(elsewhere) <= 2, "\n".join(elsewhere)
    assert campaign.outcomes["same place"] > 500


@pytest.mark.standard
def test_attributes_of_other_kinds_have_their_error_on_jaxlibs_line(oracle: Oracle) -> None:
    campaign = Places(oracle)
    campaign.compare([*attributes_of_other_kinds()])
    assert [d.text for d in campaign.differences if d.is_on_another_line] == []
    assert campaign.outcomes.total() > 1700


@pytest.mark.standard
def test_texts_with_another_token_have_their_error_on_jaxlibs_line(oracle: Oracle) -> None:
    """But for one in a hundred of those that both reject: what is checked first differs."""
    campaign = Places(oracle)
    campaign.compare([*islice(texts_with_another_token(0), 600)])
    elsewhere = [d.text for d in campaign.differences if d.is_on_another_line]
    assert len(elsewhere) <= 2, "\n".join(elsewhere)
    assert campaign.outcomes["same place"] > 200


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("func.func @f() {\n  return\n  i32\n}", (2, 9)),  # types are no names of operations
        ("func.func @f() {\n  return\n  ...\n}", (2, 9)),  # a token
        ("func.func @f(%a: i32,\n  i32) {\n  return\n}", (2, 3)),  # of which some have names
        (
            'func.func @f(%a: tensor<i32>) {\n  %0 = "stablehlo.abs"(%a) :\n'
            "  tensor<i32>\n  return\n}",
            (3, 3),
        ),
        (
            "func.func @f(%x: tensor<4xf32>) {\n  %0 = stablehlo.fft %x, type = RFFT,\n"
            "    = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>\n  return\n}",
            (3, 5),
        ),
        ("func.func @f() {\n  %0 = stablehlo.constant dense<1> :\n    i32\n  return\n}", None),
        (  # symbols are compared after the operations inside
            'func.func @f(%x: tensor<2xf32>) {\n  %0 = "stablehlo.abs"(%x)'
            " : (tensor<2xf32>) -> tensor<3xf32>\n  return\n}\nfunc.func @f() {\n  return\n}",
            None,
        ),
        (  # as is the end of a region, but for operations that look for it first
            'func.func @f(%x: tensor<i32>) {\n  %0 = "stablehlo.all_reduce"(%x) <{replica_groups'
            " = dense<0> : tensor<1x1xi64>}> ({\n  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
            "    %1 = stablehlo.add %a, %b : tensor<i32>\n"
            "  }) : (tensor<i32>) -> tensor<i32>\n  return\n}",
            None,
        ),
    ],
)
def test_tokens_in_a_wrong_place(text: str, place: tuple[int, int] | None, oracle: Oracle) -> None:
    ours, theirs = first_error(text), oracle.places([text])[0]
    assert ours is not None
    assert theirs is not None
    assert ours[1] == theirs[1]
    assert place in (None, ours[1:])


ABS = '%0 = "stablehlo.abs"(%VALUE) : (tensor<2xf32>) -> tensor<SIZExf32>'
WRONG_KINDS = (
    '%1 = "stablehlo.iota"() <{iota_dimension = "a"}> : () -> tensor<2xf32>',
    '%1 = "stablehlo.iota"() {iota_dimension = 1 : i32} : () -> tensor<2xf32>',
    "%1 = stablehlo.iota dim = 0 {iota_dimension = 1 : i32} : tensor<2xf32>",
    '%1 = "stablehlo.exponential"(%a) {result_accuracy = 1 : i32}'
    " : (tensor<2xf32>) -> tensor<2xf32>",
    '%1 = "stablehlo.exponential"(%a) <{result_accuracy = #stablehlo.result_accuracy<atol = -1.0,'
    " mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>",
    '%1 = "stablehlo.custom_call"(%a) {call_target_name = "f", output_operand_aliases = 1}'
    " : (tensor<2xf32>) -> tensor<2xf32>",
)
STORED = '%1 = "stablehlo.iota"() <{iota_dimension = 0 : i32}> : () -> tensor<2xf32>'
LATER = (
    '%1 = "stablehlo.abs"(%b) : (tensor<3xf32>) -> tensor<3xf32>',
    '%b = "stablehlo.abs"(%x) : (tensor<3xf32>) -> tensor<3xf32>',
    "%1 = stablehlo.abs %a : tensor<2xf64>",
    "%1 = stablehlo.frobnicate %a : tensor<2xf64>",
)


def place_of_first_of_two(first: str, second: str, oracle: Oracle) -> tuple[int, int]:
    """The lines of our error and of jaxlib's, of two lines 2 and 3 in a function."""
    text = (
        f"func.func @f(%a: tensor<2xf32>, %x: tensor<3xf32>) {{\n  {first}\n  {second}\n"
        "  return\n}\n"
    )
    ours, theirs = first_error(text), oracle.places([text])[0]
    assert ours is not None
    assert theirs is not None
    return ours[1], theirs[1]


@pytest.mark.parametrize("second", WRONG_KINDS)
def test_attributes_of_a_wrong_kind_come_before_other_errors(second: str, oracle: Oracle) -> None:
    """MLIR's parser finds them, and its verifier comes after it."""
    wrong_type = ABS.replace("VALUE", "a").replace("SIZE", "3")
    assert place_of_first_of_two(wrong_type, second, oracle) == (3, 3)


@pytest.mark.parametrize("second", WRONG_KINDS[:4])
def test_attributes_of_a_wrong_kind_come_before_values_without_a_definition(
    second: str, oracle: Oracle
) -> None:
    undefined = ABS.replace("VALUE", "b").replace("SIZE", "2")
    assert place_of_first_of_two(undefined, second, oracle) == (3, 3)


def test_what_a_property_can_store_is_left_to_the_verifier(oracle: Oracle) -> None:
    wrong_type = ABS.replace("VALUE", "a").replace("SIZE", "3")
    assert place_of_first_of_two(wrong_type, STORED, oracle) == (2, 2)


@pytest.mark.parametrize("second", LATER)
def test_values_without_a_definition_come_after_other_errors_of_the_text(
    second: str, oracle: Oracle
) -> None:
    """Uses with two types, definitions of another type, and what cannot be read."""
    undefined = ABS.replace("VALUE", "b").replace("SIZE", "2")
    assert place_of_first_of_two(undefined, second, oracle) == (3, 3)


YIELD = """func.func @f(%s: !shape.shape, %b: tensor<3xf32>) {
  %z = shape.const_size 1
  %0 = "shape.reduce"(%s, %z) ({
  ^bb0(%i: index, %d: !shape.size, %c: !shape.size):
    %1 = "stablehlo.abs"(%b) : (tensor<3xf32>) -> tensor<SIZExf32>
    "shape.yield"(%i) : (index) -> ()
  }) : (!shape.shape, !shape.size) -> !shape.size
  return
}
"""
ASSUMING = """func.func @f(%w: !shape.witness, %b: tensor<3xf32>) {
  %0 = shape.assuming %w -> (tensor<2xf32>) {
    %1 = "stablehlo.abs"(%b) : (tensor<3xf32>) -> tensor<SIZExf32>
    shape.assuming_yield %b : tensor<3xf32>
  }
  return
}
"""


@pytest.mark.parametrize(
    ("text", "size", "line"), [(YIELD, 3, 6), (YIELD, 4, 5), (ASSUMING, 3, 2), (ASSUMING, 4, 3)]
)
def test_what_regions_return_is_checked_after_the_operations_inside(
    text: str, size: int, line: int, oracle: Oracle
) -> None:
    text = text.replace("SIZE", str(size))
    ours, theirs = first_error(text), oracle.places([text])[0]
    assert ours is not None
    assert theirs is not None
    assert (ours[1], theirs[1]) == (line, line)


ACCURATE = """func.func @f(%a: tensor<2xf32>) {
  %0 = OPERATION
    result_accuracy = #stablehlo.result_accuracy<atol = ATOL, rtol = 0.0,
      ulps = ULPS, mode = #stablehlo.result_accuracy_mode<MODE>>
    } TYPES
  return
}
"""


@pytest.mark.parametrize(
    ("operation", "types"),
    [
        ('"stablehlo.exponential"(%a) <{', "> : (tensor<2xf32>) -> tensor<2xf32>"),
        ('"stablehlo.exponential"(%a) {', ": (tensor<2xf32>) -> tensor<2xf32>"),
        ("stablehlo.exponential %a {", ": tensor<2xf32>"),
    ],
)
@pytest.mark.parametrize(
    ("atol", "ulps", "mode"),
    [("-1.0", "0", "TOLERANCE"), ("0.0", "-1", "TOLERANCE"), ("1.0", "0", "HIGHEST")],
)
def test_tolerances_are_reported_after_their_attribute(
    operation: str, types: str, atol: str, ulps: str, mode: str, oracle: Oracle
) -> None:
    text = ACCURATE.replace("OPERATION", operation).replace("} TYPES", f"}}{types}")
    text = text.replace("ATOL", atol).replace("ULPS", ulps).replace("MODE", mode)
    ours, theirs = first_error(text), oracle.places([text])[0]
    assert ours is not None
    assert theirs is not None
    assert ours[1:] == theirs[1:] == (5, 5)


OF_ALIASES = (
    *("atol = -1.0, mode = MODE<TOLERANCE>", "ulps = true, mode = MODE<TOLERANCE>"),
    *("rtol = 1.0, mode = MODE<HIGHEST>", "ulps = 1\n, mode = MODE<HIGHER>"),
    *("ulps = -\n0.5, mode = MODE<TOLERANCE>", "ulps = 1.0, mode = MODE<TOLERANCE>"),
    *("atol = 1.0\n", "atol = 1.0, mode = 3", "mode = MODE<TOLERANCE>, atol =\n1.0"),
)
BEHIND_ALIASES = """#a = #stablehlo.result_accuracy<BODY>
func.func @f(%a: tensor<2xf32>) {
  %0 = "stablehlo.abs"(%a) : (tensor<2xf32>) -> tensor<3xf32>
  %1 = stablehlo.exponential %a {result_accuracy = #a} : tensor<2xf32>
  return
}
"""


@pytest.mark.parametrize("body", OF_ALIASES)
def test_errors_of_aliases_are_in_their_definition(body: str, oracle: Oracle) -> None:
    mode = "#stablehlo.result_accuracy_mode"
    text = BEHIND_ALIASES.replace("BODY", body.replace("MODE", mode))
    ours, theirs = first_error(text), oracle.places([text])[0]
    assert ours is not None
    assert theirs is not None
    assert ours[1] == theirs[1] < 4


@pytest.mark.parametrize(
    "attribute",
    [
        *("#stablehlo.gather<offset_dims = [\n1>", "#stablehlo<precision\nHIGHEST]>"),
        *('#sdy.mesh<["x"=2, "y"=\n(4]>', "!quant.uniform<i8:f32, \n{0.5:1, 0.5>"),
        *("#foo.bar<(\n1>", '#sdy.sharding<@m, [{\n"x",\n]>', "!foo.bar<{\n1>"),
        *("#stablehlo.channel_handle<handle = 1, typ\n=\n1>", "#stablehlo.conv<[b, 0,\nf, b]x"),
        *("#stablehlo.channel_handle<handle = 1\n>", "#stablehlo.axis_ref<sub_axis_info = (1)2\n>"),
    ],
)
def test_bodies_of_attributes_and_types_are_rejected_where_jaxlib_does(
    attribute: str, oracle: Oracle
) -> None:
    """MLIR looks for the end of the brackets before it reads what is inside."""
    text = f"func.func private @f() attributes {{k.v =\n{attribute}\n}}\n"
    ours, theirs = first_error(text), oracle.places([text])[0]
    assert ours is not None
    assert theirs is not None
    assert ours[1] == theirs[1]


@pytest.mark.standard
def test_malformed_bodies_have_their_error_on_jaxlibs_line(oracle: Oracle) -> None:
    """Of 12,000 texts 0.3 % differ: tokens that MLIR's lexer has no rule for, unknown dialects."""
    campaign = Places(oracle)
    campaign.compare([*islice(malformed_bodies(0), 600)])
    elsewhere = [d.text for d in campaign.differences if d.is_on_another_line]
    assert len(elsewhere) <= 2, "\n".join(elsewhere)
    assert campaign.outcomes["same place"] > 300


@pytest.mark.standard
def test_of_several_errors_the_first_one_is_on_jaxlibs_line(oracle: Oracle) -> None:
    """Two of three that differ name a dialect that nobody knows, which is accepted here."""
    campaign = Places(oracle)
    campaign.compare([t for t in islice(several_errors(0), 300) if "!foo.bar" not in t])
    elsewhere = [d.text for d in campaign.differences if d.is_on_another_line]
    assert len(elsewhere) <= 5, "\n".join(elsewhere)
    assert campaign.outcomes["same place"] > 120


MESHES = (
    *('<["x"=2,\n"x"=2]>', '<["x"=0]>', '<["x"=2], device_ids=[0]>', "<[], device_ids=[0, 1]>"),
    *('<["x"=2], device_ids=[1, -1]>', '<["x"=2], device_ids=[0,\n2]>'),
)


@pytest.mark.parametrize("mesh", MESHES)
@pytest.mark.parametrize(
    "text",
    [
        "func.func private @f() attributes {k.v = #sdy.meshMESH}\n",
        "#m = #sdy.meshMESH\nfunc.func private @f() attributes {k.v = #m}\n",
        "func.func private @f(tensor<2xf32> {sdy.sharding =\n #sdy.sharding<meshMESH, [{}]>})\n",
        '"sdy.mesh"() <{mesh =\n #sdy.meshMESH, sym_name = "m"}> : () -> ()\n',
    ],
)
def test_meshes_are_checked_where_they_are_read(text: str, mesh: str, oracle: Oracle) -> None:
    text = text.replace("MESH", mesh)
    ours, theirs = first_error(text), oracle.places([text])[0]
    assert ours is not None
    assert theirs is not None
    assert ours[1] == theirs[1]


def test_attributes_of_a_wrong_kind_are_reported_at_their_dictionary(oracle: Oracle) -> None:
    text = (
        "func.func @f(%a: tensor<2xf32>) {\n  %0 = stablehlo.exponential %a\n"
        "    {result_accuracy =\n 1 : i32} : tensor<2xf32>\n  return\n}\n"
    )
    ours, theirs = first_error(text), oracle.places([text])[0]
    assert ours is not None
    assert theirs is not None
    assert ours[1:] == theirs[1:] == (3, 5)


@pytest.mark.parametrize(
    "attribute",
    [
        *("#stablehlo.channel_handle<handle = true, type = false>", "#stablehlo.bounds<false, ?>"),
        *(
            "!quant.uniform<i8<false:7>:f32, 0.5:true>",
            '#sdy<all_to_all_param_list[{"x"}: false->1]>',
        ),
    ],
)
def test_words_are_integers_of_one_bit_for_dialects(attribute: str, oracle: Oracle) -> None:
    """They are printed as -1 and 0."""
    text = f"func.func private @f() attributes {{k.v = {attribute}}}\n"
    assert sm.load(text).to_text() == oracle.print(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("!quant.uniform<i8:f32,\n-0.5>", 2),
        ("!quant.uniform<i8:f32,\n0.0\n:1>", 3),
        ("!quant.uniform<i8:f32,\n1>", 2),
        ("!quant.uniform<i8:f32:\n0, {0.5,\n-0.5}>", 3),
        ("!quant.uniform<i8:f32:0, {-0.5\n,\n0.5}>", 2),
        ("!quant.uniform<i8<0:\n300>:f32, 0.5>", 2),
        ("!quant.uniform<i8<\n-300:\n300>:f32, 0.5>", 2),
        ("!quant.any<i8<0:\n300>>", 2),
    ],
)
def test_numbers_of_quantized_types_are_reported_where_they_are(
    text: str, line: int, oracle: Oracle
) -> None:
    text = f"func.func @f(%a: tensor<2x{text}>) {{\n  return\n}}\n"
    ours, theirs = first_error(text), oracle.places([text])[0]
    assert ours is not None
    assert theirs is not None
    assert (ours[1], theirs[1]) == (line, line)


SIZED = {
    "chlo.scan": (
        'func.func @f(%a: tensor<3xi32>, %i: tensor<i32>) {\n  %0:2 = "chlo.scan"(%a, %i)PROPERTIES'
        ' ({\n  ^bb0(%x: tensor<i32>, %y: tensor<i32>):\n    "stablehlo.return"(%x, %y) :'
        " (tensor<i32>, tensor<i32>) -> ()\n  })DICTIONARY : (tensor<3xi32>, tensor<i32>) ->"
        " (tensor<3xi32>, tensor<i32>)\n  return\n}\n",
        "dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = SIZES",
    ),
    "chlo.scan without results": (
        'func.func @f(%a: tensor<3xi32>) {\n  "chlo.scan"(%a)PROPERTIES ({\n'
        '  ^bb0(%x: tensor<i32>):\n    "stablehlo.return"() : () -> ()\n'
        "  })DICTIONARY : (tensor<3xi32>) -> ()\n  return\n}\n",
        "dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 0>, resultSegmentSizes = SIZES",
    ),
    "memref.alloc": (
        'func.func @f(%i: index) {\n  %0 = "memref.alloc"(%i)PROPERTIESDICTIONARY :'
        " (index) -> memref<?xi32>\n  return\n}\n",
        "operandSegmentSizes = SIZES",
    ),
    "memref.alloc without operands": (
        'func.func @f() {\n  %0 = "memref.alloc"()PROPERTIESDICTIONARY :'
        " () -> memref<3xi32>\n  return\n}\n",
        "operandSegmentSizes = SIZES",
    ),
    "memref.alloc, its own form": (
        "func.func @f(%i: index) {\n  %0 = memref.alloc(%i)\n    DICTIONARY : memref<?xi32>\n"
        "  return\n}\n",
        "operandSegmentSizes = SIZES",
    ),
}
SIZES = (
    *("array<i32: 1, 1>", "array<i32: 1, 0>", "array<i32: 0, 0>", "array<i32: 2, -1>"),
    *("array<i64: 1, 1>", "array<i64: 1, 0>", "array<i8: 1, 1>", "array<i1: true, true>"),
    *("array<i32>", "array<i64>", "array<i32: 1>", "array<i32: 1, 0, 0>", "array<i32: 1, 1, 0>"),
    *("dense<1> : tensor<2xi32>", "[1, 1]", "1 : i32", '"a"', "unit", "{}", "i32", "@f"),
)
# An operation whose types differ, which the verifier finds, and an error that the parser finds.
BEFORE = """func.func @w(%a: tensor<2xf32>) {
  %0 = "stablehlo.abs"(%a) : (tensor<2xf32>) -> tensor<3xf32>
  return
}
"""
BEHIND = "func.func @g(%a: tensor<2xf32>) {\n  %0 = stablehlo.frobnicate %a\n  return\n}\n"


@pytest.mark.parametrize("kind", SIZED)
def test_lists_of_sizes_are_rejected_where_jaxlib_does(kind: str, oracle: Oracle) -> None:
    """A list of another form is an error of the parser in properties, and zeros after them."""
    text, attributes = SIZED[kind]
    texts: list[str] = []
    for sizes in SIZES:
        own = attributes.replace("SIZES", sizes)
        stored = text.replace("PROPERTIES", f" <{{{own}}}>").replace("DICTIONARY", "")
        trailing = text.replace("PROPERTIES", "").replace("DICTIONARY", f" {{{own}}}")
        forms = (stored, trailing) if "PROPERTIES" in text else (trailing,)
        texts += [f"{a}{form}{b}" for form in forms for a in ("", BEFORE) for b in ("", BEHIND)]
    for source, theirs in zip(texts, oracle.places(texts), strict=True):
        ours = first_error(source)
        assert (ours and ours[1]) == (theirs and theirs[1]), source


@pytest.mark.parametrize("kind", SIZED)
def test_lists_of_sizes_are_printed_as_jaxlib_does(kind: str, oracle: Oracle) -> None:
    text, attributes = SIZED[kind]
    own = [attributes.replace("SIZES", sizes) for sizes in SIZES]
    parity = Parity(oracle)
    parity.compare([text.replace("PROPERTIES", "").replace("DICTIONARY", f" {{{o}}}") for o in own])
    assert [str(difference) for difference in parity.differences] == []
