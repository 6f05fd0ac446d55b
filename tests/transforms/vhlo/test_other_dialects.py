"""Operations of other dialects in artifacts: what upstream writes, and what it rejects."""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from tests.oracle.client import Oracle
from tests.properties.artifact_bytes import Bytes
from tests.properties.cast_chains import cast_chain
from tests.properties.generation.choices import Seeded

VERSIONS: Final = ("0.9.0", "1.11.0", "1.17.0")
FUNCTION: Final = "func.func @f(%c: i1, %x: tensor<f32>) -> tensor<f32> {{\n{}\n}}"
COMPLEX: Final = (
    "func.func @f(%x: f32, %y: f32) {{\n"
    "%a = complex.create %x, %y : complex<f32>\n{}\n"
    "%u = complex.abs %b : complex<f32>\nreturn\n}}"
)
CASTS: Final = "builtin.unrealized_conversion_cast"


def body(*lines: str) -> str:
    """A function with these lines."""
    return FUNCTION.format("\n".join(lines))


def complex_body(*lines: str) -> str:
    """A function that computes ``%b`` from ``%a`` by these lines."""
    return COMPLEX.format("\n".join(lines))


WRITTEN: Final = {
    "branches without values": body(
        "cf.cond_br %c, ^bb1, ^bb2",
        "^bb1:\nreturn %x : tensor<f32>",
        "^bb2:\n%0 = stablehlo.abs %x : tensor<f32>\nreturn %0 : tensor<f32>",
    ),
    "values handed over in a region of another dialect": body(
        "%0 = scf.execute_region -> tensor<f32> {",
        "cf.br ^bb1(%x : tensor<f32>)",
        "^bb1(%y: tensor<f32>):\nscf.yield %y : tensor<f32>\n}",
        "return %0 : tensor<f32>",
    ),
    "StableHLO that nothing reaches": body(
        "return %x : tensor<f32>",
        "^bb1:\n%0 = stablehlo.constant dense<1.0> : tensor<f32>\ncf.br ^bb1",
    ),
    "a value that nothing reached takes": body(
        "return %x : tensor<f32>",
        "^bb1:\n%0 = stablehlo.abs %x : tensor<f32>\ncf.br ^bb1",
    ),
    "a cast and its reverse": body(
        f"%0 = {CASTS} %x : tensor<f32> to f32",
        f"%1 = {CASTS} %0 : f32 to tensor<f32>",
        "%2 = stablehlo.abs %1 : tensor<f32>\nreturn %2 : tensor<f32>",
    ),
    "casts of a cast": body(
        f"%0 = {CASTS} %x : tensor<f32> to f32",
        f"%1:2 = {CASTS} %0 : f32 to f32, index",
        f"%2 = {CASTS} %1#0 : f32 to tensor<f32>",
        "%3 = stablehlo.add %2, %x : tensor<f32>\nreturn %3 : tensor<f32>",
    ),
    "casts over several types back to the first one": body(
        f"%0 = {CASTS} %x : tensor<f32> to f32",
        f"%1 = {CASTS} %0 : f32 to index",
        f"%2 = {CASTS} %1 : index to tensor<f32>",
        f"%3 = {CASTS} %0 : f32 to tensor<f32>",
        "%4 = stablehlo.add %2, %x : tensor<f32>\n%5 = stablehlo.add %3, %4 : tensor<f32>",
        "return %5 : tensor<f32>",
    ),
    "a cast that changes nothing, of a value that is used, too": body(
        f"%0 = {CASTS} %c : i1 to i1",
        "%1 = arith.ori %0, %c : i1\n%2 = arith.ori %0, %1 : i1",
        "%3 = scf.execute_region -> i1 {\n%4 = arith.andi %0, %2 : i1\nscf.yield %4 : i1\n}",
        "return %x : tensor<f32>",
    ),
    "two casts of one value to the same type": body(
        f"%0 = {CASTS} %x : tensor<f32> to tensor<i32>",
        f"%1 = {CASTS} %0 : tensor<i32> to tensor<i32>",
        "%2 = stablehlo.add %1, %0 : tensor<i32>\nreturn %x : tensor<f32>",
    ),
    "a cast of the same value twice": body(
        f"%0 = {CASTS} %x : tensor<f32> to f32",
        "%1 = arith.addf %0, %0 : f32",
        f"%2:2 = {CASTS} %1, %1 : f32, f32 to f32, f32",
        "%3 = arith.addf %2#0, %2#1 : f32\n%4 = arith.addf %2#1, %2#0 : f32",
        "return %x : tensor<f32>",
    ),
    "parts of a complex number": complex_body(
        "%0 = complex.re %a : complex<f32>",
        "%1 = complex.im %a : complex<f32>",
        "%b = complex.create %0, %1 : complex<f32>",
    ),
    "a conjugate twice": complex_body(
        "%0 = complex.conj %a : complex<f32>", "%b = complex.conj %0 : complex<f32>"
    ),
    "the exponential of a logarithm": complex_body(
        "%0 = complex.log %a : complex<f32>", "%b = complex.exp %0 : complex<f32>"
    ),
    "a sum with zero, and a product with one": complex_body(
        "%z = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>",
        "%o = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>",
        "%0 = complex.add %a, %z : complex<f32>\n%b = complex.mul %0, %o : complex<f32>",
    ),
    "a sum without one of its terms": complex_body(
        "%0 = complex.create %y, %x : complex<f32>",
        "%1 = complex.add %0, %a : complex<f32>\n%b = complex.sub %1, %a : complex<f32>",
    ),
}
REJECTED: Final = {
    "a function as a value": (
        "func.func @g() {\nreturn\n}\nfunc.func @f() {\n%0 = func.constant @g : () -> ()\nreturn\n}"
    ),
    "a branch that hands over a value": body(
        "cf.br ^bb1(%x : tensor<f32>)", "^bb1(%y: tensor<f32>):\nreturn %y : tensor<f32>"
    ),
    "a buffer that is handed over": body(
        "%0 = memref.alloc() : memref<2xf32>",
        "cf.br ^bb1(%0 : memref<2xf32>)",
        "^bb1(%y: memref<2xf32>):\nreturn %x : tensor<f32>",
    ),
    "a return that nothing reaches": body(
        "return %x : tensor<f32>", "^bb1:\nreturn %x : tensor<f32>"
    ),
    "a scan": (
        "func.func @f(%x: tensor<3xf32>, %y: tensor<f32>) {\n"
        '%0:2 = "chlo.scan"(%x, %y) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, '
        "resultSegmentSizes = array<i32: 1, 1>}> ({\n"
        "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
        "stablehlo.return %a, %b : tensor<f32>, tensor<f32>\n"
        "}) : (tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<f32>)\nreturn\n}"
    ),
    "programs by name": (
        "func.func private @g() {\nreturn\n}\nfunc.func @f() {\n"
        '"interpreter.run_parallel"() <{programs = [[@g]]}> : () -> ()\nreturn\n}'
    ),
    "an edge at an argument": (
        "func.func @f(%x: tensor<8x8xf32>) {\n"
        "%0 = sdy.func_data_flow_edge %x : tensor<8x8xf32>\nreturn\n}"
    ),
}


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN.keys())
def test_bytes_are_upstreams(text: str, oracle: Oracle) -> None:
    outcomes: Counter[str] = Counter()
    for mixed in (False, True):
        campaign = Bytes(oracle, mixed=mixed)
        campaign.compare(text, VERSIONS)
        assert [str(difference) for difference in campaign.differences] == []
        outcomes += campaign.outcomes
    assert outcomes["same bytes"] >= len(VERSIONS)


@pytest.mark.standard
def test_chains_of_casts_have_upstreams_bytes(oracle: Oracle) -> None:
    campaign = Bytes(oracle, mixed=True)
    for number in range(60):
        campaign.compare(cast_chain(Seeded(f"casts:{number}")), ("1.17.0",))
    assert [str(difference) for difference in campaign.differences] == []
    assert campaign.outcomes["same bytes"] == 60


@pytest.mark.parametrize("text", REJECTED.values(), ids=REJECTED.keys())
def test_what_upstream_cannot_write_is_rejected(text: str, oracle: Oracle) -> None:
    for mixed in (False, True):
        campaign = Bytes(oracle, mixed=mixed)
        campaign.compare(text, VERSIONS)
        assert campaign.outcomes == {"no artifact of either": len(VERSIONS)}
