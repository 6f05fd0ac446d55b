"""Types and attributes of MHLO in bytecode, and types of other dialects in artifacts."""

from __future__ import annotations

from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle

MHLO: Final = (
    "!mhlo.token", "!mhlo.async_bundle<tensor<2xf32>, tuple<!mhlo.token, f32>>",
    "tensor<2x!mhlo.token>", "#mhlo<comparison_direction EQ>", "#mhlo<comparison_type FLOAT>",
    "#mhlo<fft_type RFFT>", "#mhlo<precision HIGH>", "#mhlo<transpose ADJOINT>",
    "#mhlo<kind sharding>", "#mhlo<fusion_kind kLoop>", "#mhlo<fusion_kind kCustom>",
    "#mhlo<dequantize_mode MIN_COMBINED>", "#mhlo.rng_algorithm<THREE_FRY>",
    "#mhlo.rng_distribution<NORMAL>", "#mhlo.channel_handle<handle = 1, type = 2>",
    "#mhlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>",
    "#mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>",
    "#mhlo.gather<offset_dims = [0], index_vector_dim = 1>",
    "#mhlo.scatter<update_window_dims = [0], index_vector_dim = 1>",
    "tensor<?x2xf32, #mhlo.type_extensions<bounds = [4, ?]>>",
    "#mhlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, "
    "operand_tuple_indices = []>",
    "#mhlo.result_alias<tuple_indices = [1, 2], result_index = [0, 3, 4], must_alias>",
    "#mhlo.result_alias<result_index = [2]>",
    "#mhlo.result_accuracy<ulps = 10, mode = #mhlo.result_accuracy_mode<TOLERANCE>>",
    "#mhlo.result_accuracy<atol = 1.000000e-01, rtol = 5.000000e-01, ulps = 3, "
    "mode = #mhlo.result_accuracy_mode<TOLERANCE>>",
    "#mhlo.cross_program_prefetch<parameter = 0, indices = [0], offset = 1>",
)  # fmt: skip
KEPT: Final = (
    "!shape.shape", "!shape.size", "!shape.value_shape", "!mhlo.token", "!quant.any<i8>",
    "tuple<!shape.size>", "tensor<2x!quant.calibrated<f32<-1.0:1.0>>>",
)  # fmt: skip


def after_producer(bytecode: bytes) -> bytes:
    """Bytecode after the name of the library that wrote it."""
    return bytecode[bytecode.index(b"\0", 5) :]


@pytest.mark.parametrize("attribute", MHLO)
def test_attributes_are_encoded_as_upstream_does(attribute: str, oracle: Oracle) -> None:
    function = f"func.func private @f() attributes {{k.v = {attribute}}}"
    text = f'module {{ {function} loc("a":1:1) }} loc("a":1:1)\n'
    module = sm.load(text)
    for version in (2, 6):
        (encoded,) = oracle.encoded([(text, version, "1.9.0")])
        assert encoded is not None
        assert after_producer(module.to_bytecode(version)) == after_producer(encoded[0])
        assert sm.load(encoded[0]).to_text() == oracle.print(text)


@pytest.mark.parametrize("version", ["1.9.0", "1.17.0"])
@pytest.mark.parametrize("argument", KEPT)
def test_artifacts_keep_types_that_upstream_keeps(
    argument: str, version: str, oracle: Oracle
) -> None:
    function = f'func.func private @f({argument} loc("a":1:1))'
    text = f'module {{ {function} loc("a":1:1) }} loc("a":1:1)\n'
    (encoded,) = oracle.encoded([(text, 6, version)])
    assert encoded is not None
    artifact = encoded[1]
    assert sm.load(text).to_artifact(version) == artifact
    assert sm.load(artifact).to_text() == oracle.print(text)
