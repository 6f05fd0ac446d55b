"""Types and attributes of VHLO as text: read and printed as upstream spells them."""

from __future__ import annotations

from typing import Final

import pytest

import stablemate as sm
from stablemate.diagnostics.errors import ParseError
from stablemate.dialects.vhlo.conversion import NoCounterpart, from_vhlo, to_vhlo
from stablemate.dialects.vhlo.types import PLAIN_TYPES, PlainV1Type
from stablemate.dialects.vhlo.versions import Version
from stablemate.formats.mlir.parser import parse_types
from stablemate.transforms.vhlo.legality import since
from tests.oracle.client import Oracle

F32: Final = "!vhlo.f32_v1"
TENSOR: Final = f"!vhlo.tensor_v1<2x?x{F32}>"
# Each type with the first version that has it, and what it stands for.
TYPES: Final = {
    f"!vhlo.complex_v1<{F32}>": ("0.9.0", "complex<f32>"),
    TENSOR: ("0.9.0", "tensor<2x?xf32>"),
    "!vhlo.tensor_v1<!vhlo.bool_v1>": ("0.9.0", "tensor<i1>"),
    f"!vhlo.tensor_v1<?x{F32}, #vhlo.type_extensions_v1<bounds = [16]>>": (
        "0.9.0", "tensor<?xf32, #stablehlo.bounds<16>>",
    ),
    f"!vhlo.unranked_tensor_v1<{F32}>": ("0.9.0", "tensor<*xf32>"),
    "!vhlo.buffer_v1<2x!vhlo.ui8_v1>": ("1.13.0", "memref<2xui8>"),
    "!vhlo.tuple_v1<>": ("0.9.0", "tuple<>"),
    f"!vhlo.tuple_v1<{TENSOR}, !vhlo.tensor_v1<!vhlo.i2_v1>>": (
        "1.2.0", "tuple<tensor<2x?xf32>, tensor<i2>>",
    ),
    f"!vhlo.future_v1<{TENSOR}, !vhlo.token_v1>": (
        "1.15.0", "!stablehlo.future<tensor<2x?xf32>, !stablehlo.token>",
    ),
    "!vhlo.func_v1<(()) -> ()>": ("0.9.0", "() -> ()"),
    f"!vhlo.func_v1<({TENSOR}, !vhlo.token_v1) -> {TENSOR}, !vhlo.token_v1>": (
        "0.9.0",
        "(tensor<2x?xf32>, !stablehlo.token) -> (tensor<2x?xf32>, !stablehlo.token)",
    ),
    f"!vhlo.quant_v1<!vhlo.i8_v1:{F32}, 5.000000e-01:3, -128:127, 1>": (
        "0.9.0", "!quant.uniform<i8:f32, 5.000000e-01:3>",
    ),
    f"!vhlo.quant_v1<!vhlo.ui8_v1:{F32}, 5.000000e-01:0, 0:255, 0>": (
        "0.9.0", "!quant.uniform<ui8:f32, 5.000000e-01>",
    ),
    f"!vhlo.quant_per_axis_v1<!vhlo.i8_v1:{F32}, 0, [5.000000e-01, 1.000000e-01], [0, 1], "
    "0:255, 0>": (
        "0.18.0", "!quant.uniform<u8:f32:0, {5.000000e-01,1.000000e-01:1}>",
    ),
    "!vhlo.tf31_v1": ("1.6.0", "tf32"),
    "!vhlo.none_v1": ("1.6.0", "none"),
    "!vhlo.witness_v1": ("0.9.0", "!shape.witness"),
    "!vhlo.f8E8M0FNU_v1": ("1.8.0", "f8E8M0FNU"),
}  # fmt: skip
ATTRIBUTES: Final = (
    "#vhlo.array_v1<[]>",
    "#vhlo.array_v1<[#vhlo.bool_v1<true>, 1 : i64]>",
    "#vhlo.bool_v1<false>",
    '#vhlo.dict_v1<{#vhlo.string_v1<"k"> = #vhlo.bool_v1<true>, #vhlo.bool_v1<true> = unit}>',
    "#vhlo.float_v1<1.500000e+00 : !vhlo.bf16_v1>",
    "#vhlo.float_v1<0.333333343 : !vhlo.f32_v1>",
    "#vhlo.float_v1<1.000000e-01 : !vhlo.f64_v1>",
    "#vhlo.integer_v1<-3 : i8>",
    "#vhlo.integer_v1<18446744073709551615 : ui64>",
    "#vhlo.integer_v1<3 : index>",
    '#vhlo.string_v1<"a\\0A\\22\\\\">',
    "#vhlo.tensor_v1<dense<[1, 2]> : tensor<2xi4>>",
    f"#vhlo.type_v1<{TENSOR}>",
    "#vhlo.type_extensions_v1<bounds = [16, ?]>",
    "#vhlo.output_operand_alias_v1<outputTupleIndices = [0], operandIndex = 0, "
    "operandTupleIndices = []>",
    "#vhlo.result_accuracy_v1<atol = 1.000000e-01, rtol = 0.000000e+00, ulps = 2, "
    "mode = #vhlo<result_accuracy_mode_v1 TOLERANCE>>",
    '#vhlo.axis_ref_v1<name = #vhlo.string_v1<"x">, '
    "sub_axis_info = #vhlo.sub_axis_info_v1<pre_size = 1, size = 2>>",
    '#vhlo.axis_ref_v1<name = #vhlo.string_v1<"x">>',
    '#vhlo.mesh_v1<axes = #vhlo.array_v1<[#vhlo.mesh_axis_v1<name = #vhlo.string_v1<"x">, '
    "size = 2>]>, device_ids = #vhlo.tensor_v1<dense<[0, 1]> : tensor<2xi64>>>",
    '#vhlo.replica_group_mesh_axes_v1<mesh = #vhlo.string_v1<"m">, axes = #vhlo.array_v1<[]>>',
    "#vhlo<comparison_direction_v1 LE>",
    "#vhlo<comparison_type_v1 TOTALORDER>",
    "#vhlo<api_version_v1 API_VERSION_TYPED_FFI>",
    "#vhlo<fft_type_v1 IRFFT>",
    "#vhlo<precision_v1 HIGHEST>",
    "#vhlo<rng_algorithm_v1 PHILOX>",
    "#vhlo<rng_distribution_v1 NORMAL>",
    "#vhlo<transpose_v1 ADJOINT>",
)


@pytest.mark.parametrize("text", TYPES)
def test_types(text: str) -> None:
    version, meaning = TYPES[text]
    (value,) = parse_types(text)
    assert str(value) == text
    assert since(value) == Version(*map(int, version.split(".")))
    assert str(from_vhlo(value)) == meaning
    assert to_vhlo(from_vhlo(value)) == value


@pytest.mark.parametrize("name", PLAIN_TYPES)
def test_types_without_parameters(name: str) -> None:
    plain_v1_type = PlainV1Type(name)
    assert parse_types(str(plain_v1_type)) == [plain_v1_type]
    assert to_vhlo(from_vhlo(plain_v1_type)) == plain_v1_type


@pytest.mark.parametrize("text", ["i3", "si8", "f80", "vector<2xf32>", "memref<*xf32>", "i128"])
def test_types_without_a_form(text: str) -> None:
    (value,) = parse_types(text)
    for mixed in (False, True):
        with pytest.raises(NoCounterpart):
            to_vhlo(value, mixed=mixed)


@pytest.mark.parametrize("text", ["!shape.shape", "!quant.any<i8>", "!mhlo.token", "!foo.t"])
def test_types_of_other_dialects_stay_if_upstream_knows_them(text: str) -> None:
    (value,) = parse_types(text)
    assert to_vhlo(value, mixed=True) is value
    if not text.startswith("!foo."):
        assert to_vhlo(value) is value
        return
    with pytest.raises(NoCounterpart):
        to_vhlo(value)


def with_attribute(text: str) -> str:
    """A program with an attribute."""
    return f"module attributes {{a.b = {text}}} {{\n}}\n"


@pytest.mark.parametrize("text", ATTRIBUTES)
def test_attributes(text: str) -> None:
    program = with_attribute(text)
    assert sm.load(program).to_text() == program


def test_spellings_are_upstreams(oracle: Oracle) -> None:
    readable = [text for text in TYPES if text != "!vhlo.tuple_v1<>"]  # upstream prints it only
    for text in (*ATTRIBUTES, *readable):
        program = with_attribute(text)
        assert oracle.print(program) == program


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("!vhlo.f31_v1", "'!vhlo.f31_v1' is not a type of its dialect"),
        ("!vhlo.tensor_v1<*x!vhlo.f32_v1>", "expected sizes such as 2x?x"),
        ("#vhlo.array_v2<[]>", "unknown attribute '#vhlo.array_v2'"),
        ("#vhlo.float_v1<1.0 : f32>", "expected a floating-point type of VHLO"),
        ("#vhlo.integer_v1<1 : f32>", "expected an integer type"),
        ("#vhlo.integer_v1<1 : i3>", "the type i3 has no form in portable artifacts"),
        ("#vhlo.tensor_v1<1>", "expected a dense literal"),
        ("#vhlo.sub_axis_info_v1<size = 2>", "this attribute needs 'pre_size'"),
        ("#vhlo.mesh_v1<size = 2>", "this attribute has no 'size'"),
        ("#vhlo<comparison_type_v1 NOTHING>", "expected a member, one of NOTYPE, FLOAT"),
    ],
)
def test_what_is_no_vhlo(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        sm.load(with_attribute(text))
    assert message in str(caught.value)
