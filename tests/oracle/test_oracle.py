"""Tests of the oracle itself: it tells the truth, and survives what its libraries do not."""

import ml_dtypes
import numpy as np
import pytest

from tests.oracle.client import Oracle, OracleAborted, OracleCannot, OracleRejected
from tests.oracle.elements import DTYPES, Array, read_literal

SINE = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
# From a table of sines, rounded to f32.
SINES = np.array([0.84147098, 0.90929743], np.float32)

RNG = """
func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<2xf32> {
  %shape = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""

FOREVER = """
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %x) : tensor<i32>
    cond { %true = stablehlo.constant dense<true> : tensor<i1>
           stablehlo.return %true : tensor<i1> }
    do { stablehlo.return %i : tensor<i32> }
  return %0 : tensor<i32>
}
"""

NOT_IN_XLA = {"f6E2M3FN", "f6E3M2FN"}


def reverse(tensor: str) -> str:
    return f"""
func.func @main(%x: {tensor}) -> {tensor} {{
  %0 = stablehlo.reverse %x, dims = [0] : {tensor}
  return %0 : {tensor}
}}
"""


def every_bit_pattern(element_type: str) -> Array:
    """Values of a type of one byte: all that it has, or 0 to 255 cut down to its width."""
    dtype = DTYPES[element_type]
    if dtype.kind == "b":
        return np.array([False, True, True])
    if "i" in element_type:
        width = int(element_type.lstrip("ui"))
        low = 0 if element_type.startswith("u") else -(1 << (width - 1))
        return np.arange(low, low + (1 << width)).astype(dtype)
    width = {"f4": 4, "f6": 6, "f8": 8}[element_type[:2]]
    return np.arange(1 << width, dtype=np.uint8).view(dtype)


def assert_same(actual: Array, expected: Array) -> None:
    """Same dtype, shape and values; any NaN equals any other, since XLA may quiet them."""
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    np.testing.assert_array_equal(actual.astype(wide), expected.astype(wide))


# ---- values


def test_reference_knows_the_sine(oracle: Oracle) -> None:
    (result,) = oracle.reference(SINE, np.array([1, 2], np.float32))
    np.testing.assert_array_equal(result, SINES)


def test_xla_knows_the_sine(oracle: Oracle) -> None:
    (result,) = oracle.xla(SINE, np.array([1, 2], np.float32))
    np.testing.assert_allclose(result, SINES, rtol=1e-7)  # 1 ulp: XLA has its own sine


@pytest.mark.parametrize("element_type", [t for t in DTYPES if DTYPES[t].itemsize == 1])
def test_narrow_types_pass_through_both(oracle: Oracle, element_type: str) -> None:
    values = every_bit_pattern(element_type)
    source = reverse(f"tensor<{values.size}x{element_type}>")
    assert_same(oracle.reference(source, values)[0], values[::-1])
    if element_type not in NOT_IN_XLA:
        assert_same(oracle.xla(source, values)[0], values[::-1])


@pytest.mark.parametrize("element_type", [t for t in DTYPES if DTYPES[t].itemsize > 1])
def test_wide_types_pass_through_both(oracle: Oracle, element_type: str) -> None:
    dtype = DTYPES[element_type]
    values = np.array([0, 1, 3, 100]).astype(dtype)
    if dtype.kind == "c":
        values.imag = [-1, 0.5, np.inf, 7]
    source = reverse(f"tensor<4x{element_type}>")
    assert_same(oracle.reference(source, values)[0], values[::-1])
    assert_same(oracle.xla(source, values)[0], values[::-1])


def test_f64_is_not_rounded_to_f32(oracle: Oracle) -> None:
    third = np.array([1 / 3])
    for run in (oracle.xla, oracle.reference):
        assert run(reverse("tensor<1xf64>"), third)[0].item() == 1 / 3


def test_xla_rounds_where_the_program_does(oracle: Oracle) -> None:
    source = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.convert %x : (tensor<f32>) -> tensor<bf16>
  %1 = stablehlo.convert %0 : (tensor<bf16>) -> tensor<f32>
  return %1 : tensor<f32>
}
"""
    # 257 has nine bits, bf16 keeps eight.
    assert oracle.xla(source, np.float32(257))[0].item() == 256


def test_reference_returns_bits_of_nan(oracle: Oracle) -> None:
    values = np.array([0x7FC1, 0xFF81, 0x7F80], np.uint16).view(ml_dtypes.bfloat16)
    (result,) = oracle.reference(reverse("tensor<3xbf16>"), values)
    assert result.view(np.uint16).tolist() == [0x7F80, 0xFF81, 0x7FC1]


def test_reference_takes_shapes_of_every_size(oracle: Oracle) -> None:
    for shape in [(0, 3), (1, 1), (11, 13)]:
        values = np.arange(np.prod(shape), dtype=np.int16).reshape(shape)
        tensor = f"tensor<{shape[0]}x{shape[1]}xi16>"
        assert_same(oracle.reference(reverse(tensor), values)[0], values[::-1])


def test_reference_legalizes_chlo(oracle: Oracle) -> None:
    source = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = chlo.erf %x : tensor<f32> -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    (result,) = oracle.reference(source, np.float32(1))
    np.testing.assert_allclose(result, 0.84270079, rtol=2e-7)  # a table of erf; 2 ulp


def test_reference_runs_quantized_programs_on_storage(oracle: Oracle) -> None:
    tensor = "tensor<2x!quant.uniform<i8:f32, 0.5:1>>"
    source = f"""
func.func @main(%x: {tensor}) -> {tensor} {{
  %0 = stablehlo.add %x, %x : {tensor}
  return %0 : {tensor}
}}
"""
    # 10 stands for (10 - 1) / 2 = 4.5, whose double 9 is stored as 9 * 2 + 1.
    (result,) = oracle.reference(source, np.array([10, -20], np.int8))
    assert result.tolist() == [19, -41]


def test_reference_runs_grids(oracle: Oracle) -> None:
    source = """
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@work, @work]]}
    : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}
func.func @work(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.collective_permute"(%x) {
    source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
  } : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    results = oracle.reference(source, np.float32(3), np.float32(4))
    assert [result.item() for result in results] == [4, 3]


def test_several_results_keep_their_order(oracle: Oracle) -> None:
    source = """
func.func @main(%x: tensor<f32>, %y: tensor<f32>)
    -> (tensor<f32>, tensor<complex<f32>>, tensor<f32>) {
  %0 = stablehlo.complex %x, %y : tensor<complex<f32>>
  return %y, %0, %x : tensor<f32>, tensor<complex<f32>>, tensor<f32>
}
"""
    for run in (oracle.xla, oracle.reference):
        results = run(source, np.float32(1), np.float32(2))
        assert [result.item() for result in results] == [2, 1 + 2j, 1]


# ---- refusals, aborts, timeouts


@pytest.mark.standard
def test_abort_is_reported_and_survived(oracle: Oracle) -> None:
    zero, one = np.float32(0), np.float32(1)
    with pytest.raises(OracleAborted) as caught:
        oracle.reference(RNG, zero, one)
    assert caught.value.reason == "reference: the process ended with signal SIGABRT"
    assert any("Operation stablehlo.rng is unsupported" in line for line in caught.value.stderr)
    assert oracle.reference(SINE, np.zeros(2, np.float32))[0].tolist() == [0, 0]


def test_timeout_is_reported_and_survived(oracle: Oracle) -> None:
    with pytest.raises(OracleAborted, match=r"reference: no answer within 0\.5 s"):
        oracle.reference(FOREVER, np.int32(0), timeout=0.5)
    assert oracle.reference(SINE, np.zeros(2, np.float32))[0].tolist() == [0, 0]


@pytest.mark.standard
def test_kinds_have_processes_of_their_own() -> None:
    with Oracle() as oracle:
        oracle.diagnostics(SINE)
        with pytest.raises(OracleAborted):
            oracle.reference(RNG, np.float32(0), np.float32(1))
        oracle.diagnostics(SINE)
        oracle.reference(SINE, np.zeros(2, np.float32))
        assert oracle.starts == {"mlir": 1, "reference": 2, "xla": 0, "hlo": 0}


def test_wrong_arguments_are_rejected(oracle: Oracle) -> None:
    with pytest.raises(OracleRejected, match=r"expected 'tensor<2xf32>'"):
        oracle.reference(SINE, np.zeros(3, np.float32))
    with pytest.raises(OracleRejected, match="INVALID_ARGUMENT"):
        oracle.xla(SINE, np.zeros(3, np.float32))


def test_wrong_programs_are_rejected(oracle: Oracle) -> None:
    for ask in (oracle.xla, oracle.reference, oracle.print, oracle.artifact, oracle.bytecode):
        with pytest.raises(OracleRejected, match="expected operation name in quotes"):
            ask("module {")


def test_tokens_and_strings_are_beyond_the_reference(oracle: Oracle) -> None:
    token = """
func.func @main() -> !stablehlo.token {
  %0 = stablehlo.after_all : !stablehlo.token
  return %0 : !stablehlo.token
}
"""
    with pytest.raises(OracleCannot, match=r"not !stablehlo\.token"):
        oracle.reference(token)
    with pytest.raises(OracleCannot, match="<U3"):
        oracle.reference(SINE, np.array(["abc"]))


def test_what_a_program_prints_does_not_mix_in(oracle: Oracle) -> None:
    source = """
func.func @main(%x: tensor<i32>) -> tensor<i32> {
  interpreter.print %x : tensor<i32>
  return %x : tensor<i32>
}
"""
    assert oracle.reference(source, np.int32(7))[0].item() == 7


# ---- text and bytes


def test_diagnostics_name_message_line_and_column(oracle: Oracle) -> None:
    source = """func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.sine"(%x) : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}"""
    ((message, line, column),) = oracle.diagnostics(source)
    assert message.startswith("'stablehlo.sine' op ")
    assert (line, column) == (2, 8)
    assert oracle.diagnostics(SINE) == []


def test_positions_follow_written_locations(oracle: Oracle) -> None:
    source = '"stablehlo.add"() : () -> tensor<f32> loc({})'
    written = oracle.diagnostics(source.format('"name"("model.py":3:4)'))
    assert written == [("'stablehlo.add' op expected 2 operands, but found 0", 3, 4)]
    assert oracle.diagnostics(source.format("unknown"))[0][1:] == (0, 0)


def test_printing_options(oracle: Oracle) -> None:
    assert "%0 = stablehlo.sine %arg0 : tensor<2xf32>\n" in oracle.print(SINE)
    assert '"stablehlo.sine"(%arg0)' in oracle.print(SINE, generic=True)
    assert 'loc("-":3:8)' in oracle.print(SINE, debug_info=True)
    constant = (
        "func.func @main() { %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32> return }"
    )
    assert "dense<[1, 2, 3]>" in oracle.print(constant)
    assert "dense_resource<__elided__>" in oracle.print(constant, large_elements_limit=2)


def test_bytes_read_back_as_the_same_text(oracle: Oracle) -> None:
    text = oracle.print(SINE)
    assert oracle.read_bytes(oracle.bytecode(SINE)) == text
    assert oracle.read_bytes(oracle.bytecode(SINE, version=1)) == text
    assert oracle.read_bytes(oracle.artifact(SINE, "1.0.0")) == text
    assert oracle.print(oracle.bytecode(SINE)) == text


def test_artifact_is_for_the_version_asked(oracle: Oracle) -> None:
    data = oracle.artifact(SINE, "0.9.0")
    assert data.startswith(b"ML\xefR")
    assert b"StableHLO_v0.9.0\0" in data[:32]
    assert "vhlo.sine_v1" in oracle.print(data)
    (result,) = oracle.reference(data, np.array([1, 2], np.float32))
    np.testing.assert_array_equal(result, SINES)


def test_artifact_says_why_a_version_is_too_old(oracle: Oracle) -> None:
    tan = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.tan %x : tensor<f32>
  return %0 : tensor<f32>
}
"""
    oracle.artifact(tan, "1.9.0")
    with pytest.raises(OracleRejected, match=r"failed to legalize operation 'vhlo\.tan_v2'"):
        oracle.artifact(tan, "1.0.0")
    with pytest.raises(OracleRejected):
        oracle.bytecode(SINE, version=99)


# ---- literals


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dense<2.5> : tensor<2x1xf32>", np.array([[2.5], [2.5]], np.float32)),
        ("dense<[[1, -2], [3, 4]]> : tensor<2x2xi16>", np.array([[1, -2], [3, 4]], np.int16)),
        ("dense<[true, false]> : tensor<2xi1>", np.array([True, False])),
        ("dense<> : tensor<0x3xf64>", np.zeros((0, 3))),
        ("dense<0x7F800000> : tensor<f32>", np.array(np.inf, np.float32)),
        ("dense<(1.0,-0.5)> : tensor<complex<f32>>", np.array(1 - 0.5j, np.complex64)),
        ('dense<"0x01000200"> : tensor<2xui16>', np.array([1, 2], np.uint16)),
        ('dense<"0x0F"> : tensor<2xi4>', np.array([-1, -1], ml_dtypes.int4)),
    ],
)
def test_literals_are_read(text: str, expected: Array) -> None:
    assert_same(read_literal(text), expected)


def test_what_is_no_literal_is_refused() -> None:
    with pytest.raises(ValueError, match="not a dense literal"):
        read_literal("dense<1> : vector<1xi32>")


HLO = """HloModule m

ENTRY e {
  x = f32[2]{0} parameter(0)
  y = f32[2]{0} constant({1, 2})
  ROOT z = f32[2]{0} add(x, y)
}
"""


def test_hlo_is_printed_converted_and_run(oracle: Oracle) -> None:
    text = oracle.hlo_text(HLO)
    assert "ROOT %z = f32[2]{0} add(%x, %y)" in text
    assert oracle.hlo_text(oracle.hlo_proto(HLO)) == text
    assert "HloModule m" in oracle.hlo_text(HLO, print_percent=False)
    assert "stablehlo.add" in oracle.hlo_to_stablehlo(HLO)
    assert oracle.hlo_run(HLO, np.float32([3, 4]))[0].tolist() == [4.0, 6.0]
    assert " add(" in oracle.stablehlo_to_hlo(oracle.hlo_to_stablehlo(HLO))
    assert oracle.hlo_shape("(f32[2], s32[])") == "(f32[2]{0}, s32[])"


def test_wrong_hlo_is_rejected(oracle: Oracle) -> None:
    with pytest.raises(OracleRejected, match="expects"):
        oracle.hlo_text("HloModule m\nENTRY e { x = f32[2] }")
