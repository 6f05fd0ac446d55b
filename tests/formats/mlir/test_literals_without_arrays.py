"""Numbers and literals of types that NumPy has none for, read, printed and written as by jaxlib."""

from __future__ import annotations

from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle

ATTRIBUTES: Final = (
    "131071 : i17", "-5 : si17", "340282366920938463463374607431768211455 : i128", "0 : i0",
    "-1 : si1", "1.5 : f80", "-0.0 : f80", "0.1 : f80", "0.1 : f128", "0.1 : tf32",
    "3.5e38 : tf32", "1.0e-40 : tf32", "1.0e308 : f80", "1.0e-308 : f128", "1234567.0 : f128",
    "1.0e22 : f80", "1.0e400 : f128", "-1.0e400 : f80",
    "0x3FFF0000000000000000 : f80",  # without the leading bit: a NaN
    "0x00008000000000000000 : f80",  # with a leading bit that its exponent does not need
    "0x00000000000000000001 : f80", "0x7FFEFFFFFFFFFFFFFFFF : f80", "0x7FFF8000000000000000 : f80",
    "0x4000921FB54442D18469898CC51701B8 : f128", "0x00000000000000000000000000000001 : f128",
    "0x7FFF8000000000000000000000000000 : f128", "0x00001 : tf32", "0x3FC00 : tf32",
    "dense<1> : tensor<4xi17>", "dense<[[1, 2], [3, -4]]> : tensor<2x2xi17>",
    "dense<[1, 131071]> : tensor<2xui17>", 'dense<"0x010000FFFF01"> : tensor<2xi17>',
    'dense<"0x010000"> : tensor<2xi17>', "dense<> : tensor<0xi17>", "dense<1> : tensor<0xi17>",
    "dense<[1, -1]> : tensor<2xi128>", "dense<[0, -1]> : tensor<2xi1024>",
    "dense<0> : tensor<2xi0>", 'dense<"0x"> : tensor<2xi0>', "dense<[1, 0]> : tensor<2xui1>",
    "dense<[0, -1]> : tensor<2xsi1>", "dense<[1, -2]> : tensor<2xi3>",
    f"dense<{list(range(101))}> : tensor<101xi24>", "dense<[1.5, 0.1]> : tensor<2xf80>",
    "dense<[1.5, 0x7FFF8000000000000000]> : tensor<2xf80>",
    'dense<"0x00000000000000C0FF3F"> : tensor<2xf80>', "dense<[1.5, 0.1]> : tensor<2xf128>",
    "dense<[1.5, 0.1]> : tensor<2xtf32>", "dense<(1, 2)> : tensor<2xcomplex<i32>>",
    "dense<[(1, 2), (3, -4)]> : tensor<2xcomplex<i4>>",
    "dense<[(true, false), (false, false)]> : tensor<2xcomplex<i1>>",
    "dense<(1.0, 2.0)> : tensor<2xcomplex<f16>>", "dense<(1.0, 0x7F)> : tensor<2xcomplex<f8E5M2>>",
    'dense<"0x01020304"> : tensor<2xcomplex<f8E5M2>>', "dense<> : tensor<0xcomplex<i32>>",
    "dense<(1.0, 2.0)> : tensor<2xcomplex<tf32>>", "dense<5> : vector<[4]xi17>",
    "array<i24: 1, -2>", "array<i128: 1, -2>", "array<f80: 1.5, 0.1>", "array<f80>",
    "array<si1: true>", "array<bf16: 0x7FC1>", "array<f32: 0x7F800001, 1.0>",
    "sparse<[[0]], [1]> : tensor<2xi17>", "sparse<[[0]], [1.5]> : tensor<2xtf32>",
    'dense<["a", "b"]> : tensor<2x!stablehlo.token>', "dense_resource<k> : vector<2xi8>",
    "dense_resource<k> : memref<?xi17>",
    # Strings of types without numbers, which may look like data.
    'dense<"0x"> : tensor<2xvector<2xf32>>', 'dense<"0xZ\\22"> : tensor<0x!quant.any<i8:f32>>',
    'dense<"0x0000803F"> : tensor<2x!quant.uniform<i8:f32, 0.5>>',
    'dense<["a", "0x"]> : tensor<2x!quant.uniform<i8:f32:{0:1}, {0.5, 0.25}>>',
    'dense<["a", "a"]> : tensor<2x!quant.any<i8:f32>>', 'dense<"a"> : tensor<!quant.any<i8:f32>>',
    "dense<> : tensor<0x!quant.uniform<i8:f32, 0.5>>", 'dense<("a", "b")> : tensor<2x!shape.size>',
    'sparse<[[0]], ["a"]> : tensor<2x!shape.size>', 'sparse<[[0], [1]], "0x0102"> : tensor<2xi8>',
    "sparse<> : tensor<2x!quant.any<i8:f32>>",
    # No zero and no sign: MLIR sets the highest bit for a minus.
    "dense<[-2.0, -3.0, 0.0, -0.0, -4.0e-39, -1.0e-39, 1.0e39, 0.142]> : tensor<8xf8E8M0FNU>",
)  # fmt: skip
# Numbers in pairs for elements that are not complex: the first ones are used.
PAIRS: Final = (
    "dense<(1, 2)> : tensor<2xi32>", "dense<[(1, 2), (3, 4)]> : tensor<2xi17>",
    "dense<[3, (1, 2)]> : tensor<2xi8>", "dense<(1.0, 1.0)> : tensor<3xf32>",
    "dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xf80>", "sparse<[(0, 0)], [1.0]> : tensor<2xf32>",
    "sparse<[(0, 1)], 2> : tensor<3xi8>", "sparse<[[(0, 1)]], 2> : tensor<3xi8>",
    "sparse<(0, 1), 2> : tensor<3x3xi8>", 'dense<["a", ("b", "c")]> : tensor<2x!shape.size>',
)  # fmt: skip
REJECTED: Final = (
    "131072 : i17", "1 : i0", "1 : f80", "0xFFFFF : tf32", "0x1FFFF8000000000000000 : f80",
    "dense<[1, 131072]> : tensor<2xi17>", "dense<[1, -1]> : tensor<2xui17>",
    'dense<"0x0100"> : tensor<2xi17>', 'dense<"0x00"> : tensor<2xi0>',
    "dense<1> : tensor<2xcomplex<i32>>", "dense<(1, 2.0)> : tensor<2xcomplex<i32>>",
    "array<i17: 1>", "array<tf32: 1.5>", "array<si1: 1>", 'dense<["a", 1]> : tensor<2x!shape.size>',
    'sparse<"0x0000000000000000", 1> : tensor<2xi8>', 'sparse<[[0]], "0x0102"> : tensor<2xi8>',
    'loc("f":-1:2)', 'loc("f":1:2 to :4294967296)',
)  # fmt: skip


def module_with(attribute: str) -> str:
    """A module that holds an attribute, with all locations."""
    function = f"func.func private @f() attributes {{k.v = {attribute}}}"
    return f'module {{ {function} loc("a":1:1) }} loc("a":1:1)\n'


def without_producer(bytecode: bytes) -> bytes:
    """Bytecode after the name of the library that wrote it."""
    return bytecode[bytecode.index(b"\0", 5) :]


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_texts_and_bytes_are_upstreams(attribute: str, oracle: Oracle) -> None:
    text = module_with(attribute)
    module = sm.load(text)
    assert module.diagnostics() == []
    (reading,) = oracle.readings([text])
    assert reading is not None
    refused, pretty, generic = reading
    assert (refused, module.to_text(), module.to_text(generic=True)) == ("", pretty, generic)
    (encoded,) = oracle.encoded([(text, 6, "1.9.0")])
    assert encoded is not None
    bytecode, artifact, _, _ = encoded
    assert without_producer(module.to_bytecode(6)) == without_producer(bytecode)
    again = sm.load(bytecode)
    assert again.to_text() == pretty
    assert sm.diff(again, module).equal
    if artifact:
        assert module.to_artifact("1.9.0") == artifact
        assert sm.load(artifact).to_text() == pretty


@pytest.mark.parametrize("attribute", PAIRS)
def test_pairs_are_read_as_upstream_reads_them(attribute: str, oracle: Oracle) -> None:
    text = module_with(attribute)
    (reading,) = oracle.readings([text])
    assert reading is not None
    assert ("", sm.load(text).to_text()) == reading[:2]


@pytest.mark.parametrize("attribute", REJECTED)
def test_numbers_outside_their_type_are_rejected(attribute: str, oracle: Oracle) -> None:
    text = module_with(attribute)
    assert oracle.diagnostics(text)
    with pytest.raises(sm.ParseError, match=r"^<text>:1:\d+: error: "):
        sm.load(text)


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_what_computes_with_such_a_literal_names_its_type(backend: str) -> None:
    text = """
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = arith.constant dense<1.5> : tensor<2xf80>
      %1 = "foo.bar"(%0) : (tensor<2xf80>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    """
    with pytest.raises(sm.UnsupportedError, match="no array holds elements of type f80"):
        sm.run(text, [1.0, 2.0], backend=backend)


def test_literals_that_differ_in_one_bit_differ() -> None:
    one, other = (sm.load(module_with(f"dense<[1, {n}]> : tensor<2xi17>")) for n in (2, 3))
    assert not sm.diff(one, other).equal
    assert one.to_bytecode() != other.to_bytecode()


def test_artifacts_with_arithmetic_on_such_numbers_are_upstreams(oracle: Oracle) -> None:
    exact = sm.load("""
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = arith.constant 5 : i17
      %1 = arith.addi %0, %0 : i17
      %2 = arith.constant 1.5 : f80
      %3 = arith.addf %2, %2 : f80
      %4 = arith.constant dense<1> : tensor<2xi17>
      %5 = arith.muli %4, %4 : tensor<2xi17>
      %6 = arith.constant dense<(1, 2)> : tensor<2xcomplex<i32>>
      return %x : tensor<2xf32>
    }
    """).to_text(generic=True, debug_info=True)
    (expected,) = oracle.artifacts(exact, ["1.17.0"], mixed=True)
    assert sm.load(exact).to_artifact("1.17.0", mixed=True) == expected


def test_a_pass_that_has_no_constant_for_such_a_number_names_its_type() -> None:
    module = sm.load(
        "func.func @f() -> i17 {\n  %0 = arith.constant 5 : i17\n  return %0 : i17\n}\n"
    )
    with pytest.raises(sm.UnsupportedError, match=r"no constant of StableHLO .* type i17"):
        sm.opt(module, ["shape-legalize-to-stablehlo"])
