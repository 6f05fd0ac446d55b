"""Operations, types and attributes of dialects that nobody registered."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import stablemate as sm
from tests.oracle.client import Oracle, OracleRejected

PROGRAM: Final = """
module @m attributes {torch.debug_module_name = "Net", mhlo.num_partitions = 1 : i32, "a-b.c" = #foo.bar<x, [1], {a->b}>} {
  "ml_program.global"() <{is_mutable, sym_name = "g", type = tensor<2xf32>, value = dense<1.0> : tensor<2xf32>}> {iree.abi = "x"} : () -> () loc("m.py":1:1)
  func.func @main(%a: tensor<2xf32> {torch.bound = !torch.vtensor<[2],f32>, jax.donor = true} loc("a")) -> (tensor<2xf32> {jax.result_info = "r"}) attributes {iree.reflection = {a = 1 : i32}} {
    %0 = "torch.aten.relu"(%a) : (tensor<2xf32>) -> !torch.vtensor<[2],f32>
    %1:2 = "foo.two"(%0, %a) <{p = #foo.attr<"str", <a>>, q}> ({
    ^bb0(%x: tensor<2xf32>, %y: !foo.bar):
      %5 = stablehlo.add %x, %a : tensor<2xf32>
      "foo.br"(%5)[^bb2] : (tensor<2xf32>) -> ()
    ^bb1:
      "foo.use"(%c) : (tensor<2xi32>) -> ()
    ^bb2:
      %c = "foo.c"() {value = dense<[1,2]> : tensor<2xi32>} : () -> tensor<2xi32>
      "foo.br"()[^bb1] : () -> ()
    }, {
    }) {k = 1 : i8, "weird key" = unit} : (!torch.vtensor<[2],f32>, tensor<2xf32>) -> (tensor<2xf32>, !foo<bar baz>) loc("x.py":1:2)
    return %1#0 : tensor<2xf32>
  }
}
"""

# Programs that MLIR accepts with -allow-unregistered-dialect.
ACCEPTED: Final = (
    PROGRAM,
    '"a.b"() : () -> ()',
    '"a b.c d"() : () -> ()',
    '"a.b\\22c"() : () -> ()',
    '"a.b"() <5 : i32> : () -> ()',
    '"a.b"() <{}> : () -> ()',
    '"a.b"() <[{x = 1 : i8}]> {x = 2 : i8} : () -> ()',
    '"a.b"() ({}, {^bb0: }) : () -> ()',
    '"a.b"() {v = #foo.f, x = #foo<bar>, y = #foo<bar<x>>, z = #foo<"bar">, t = !foo<bar>, u = !foo.bar< x ,y>} : () -> ()',
    '"a.b"() {v = #foo.a<b>, x = #foo.a<"<">, z = #foo<a<[b]>>, t = #foo<a->b>} : () -> ()',
    '"a.b"() ({ %0 = "x.y"(%1) : (i32) -> i32 %1 = "x.y"(%0) : (i32) -> i32 }) : () -> ()',
    '%0:2 = "x.y"(%1#1) : (i32) -> (i32, i8) %1:2 = "x.y"(%0#0) : (i32) -> (i8, i32)',
    '"a.b"() ({ func.func @g() { return } }) : () -> ()',
    'func.func @f(%a: !foo.bar<1>, %b: tensor<2x!foo.bar>) -> !foo.bar<1> { return %a : !foo.bar<1> }',
    'func.func @f() { "a.b"()[^bb1] : () -> () ^bb1: return }',
    'func.func @g(%a: i32) -> i32 { return %a : i32 } func.func @h(%a: i32) -> i32 { %f = func.constant @g : (i32) -> i32 %0 = func.call_indirect %f(%a) : (i32) -> i32 return %0 : i32 }',
    'func.func @g() { return } func.func @h() { %f = "func.constant"() <{value = @g}> {x.y = 1 : i8} : () -> (() -> ()) "func.call_indirect"(%f) : (() -> ()) -> () return }',
    '#x = #foo.b<1> !y = !foo.c<1> "a.b"() {x = #x, y = !y, z = tensor<2xf32, #x>} : () -> !y',
)  # fmt: skip

# What MLIR rejects even then.
REJECTED: Final = (
    '"stablehlo.unknown"() : () -> ()',
    '"func.unknown"() : () -> ()',
    '"builtin.unknown"() : () -> ()',
    'a.b %0',
    '"a.b"(%0) : (i32) -> ()',
    '"a.b"() ({ ^bb0: "x.y"() : () -> () ^bb1: }) : () -> ()',
    '"a.b"() ({ ^bb0: "x.y"()[^bb0] : () -> () }) : () -> ()',
    '"a.b"() ({ "x.y"()[^bb1] : () -> () "x.z"() : () -> () ^bb1: "x.y"() : () -> () }) : () -> ()',
    '"a.b"() ({ ^bb0: "x.y"()[^bb1] : () -> () ^bb1: "x.y"(%a) : (i1) -> () ^bb2: %a = "x.y"() : () -> i1 }) : () -> ()',
    '%0 = "x.y"(%1) : (i32) -> i32 %1 = "x.y"(%0) : (i32) -> i8',
    '"a.b"() {sym_name = "x"} : () -> () "a.b"() <{sym_name = "x"}> : () -> ()',
    'func.func @f() { func.func @g() { return } return }',
    '"a.b"() ({ func.return }) : () -> ()',
)  # fmt: skip


@pytest.mark.parametrize("text", ACCEPTED)
def test_texts_and_bytecode_are_upstreams(text: str, oracle: Oracle) -> None:
    text = oracle.unregistered(text)[2]  # with locations
    pretty, generic, located, bytecode = oracle.unregistered(text)
    module = sm.load(text)
    module.verify()
    assert module.to_text() == pretty
    assert module.to_text(generic=True) == generic
    assert module.to_text(debug_info=True) == located
    assert sm.load(bytecode).to_text(debug_info=True) == located
    assert sm.load(bytecode).to_bytecode() == bytecode
    assert oracle.unregistered(module.to_bytecode())[2] == located


@pytest.mark.parametrize("text", REJECTED)
def test_upstream_rejects_it_too(text: str, oracle: Oracle) -> None:
    with pytest.raises(OracleRejected):
        oracle.unregistered(text)
    with pytest.raises(sm.StablemateError):
        sm.load(f"{text}\n").verify()


def test_unregistered_operations_are_warnings_and_errors_if_strict() -> None:
    module = sm.load('"a.b"() ({\n  "c.d"() : () -> ()\n}) : () -> ()\n')
    assert [(d.severity, d.message) for d in module.diagnostics()] == [
        ("warning", "no dialect defines a.b: it is neither verified nor executed"),
        ("warning", "no dialect defines c.d: it is neither verified nor executed"),
    ]
    with pytest.raises(sm.VerifyError, match=r"no dialect defines c\.d"):
        module.verify(strict=True)


def test_registered_operations_around_them_are_verified() -> None:
    text = """
    func.func @f(%a: tensor<2xf32>) {
      "foo.region"() ({
        %0 = "stablehlo.add"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
      }) : () -> ()
      return
    }"""
    with pytest.raises(sm.VerifyError, match=r"stablehlo\.add"):
        sm.load(text).verify()


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_running_names_the_first_one_with_its_place(backend: str) -> None:
    module = sm.load("""
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = "foo.one"(%a) : (tensor<2xf32>) -> tensor<2xf32>
      %1 = "foo.two"(%0) : (tensor<2xf32>) -> tensor<2xf32>
      return %1 : tensor<2xf32>
    }
    func.func @double(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.add %a, %a : tensor<2xf32>
      return %0 : tensor<2xf32>
    }""")
    ones = np.ones(2, np.float32)
    with pytest.raises(sm.UnsupportedError, match=r":3:12: error: no dialect defines foo.one"):
        module.run(ones, backend=backend)
    assert module.run(ones, backend=backend, entry="double").tolist() == [2, 2]


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_running_names_the_outer_one_before_those_inside(backend: str) -> None:
    module = sm.load("""
    func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = "foo.outer"(%a) ({
        "foo.yield"() : () -> ()
      }) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }""")
    with pytest.raises(sm.UnsupportedError, match=r":3:12: error: no dialect defines foo.outer"):
        module.run(np.ones(2, np.float32), backend=backend)


def test_properties_of_a_writer_with_definitions_are_rejected_with_the_reason(
    oracle: Oracle,
) -> None:
    data = oracle.bytecode(
        "func.func @f(%a: tensor<f32>) {\n"
        '  %0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}>'
        " : (tensor<f32>) -> tensor<f32>\n  return\n}"
    )
    with pytest.raises(sm.ParseError, match="have the form that its definition gives them"):
        sm.load(data.replace(b"stablehlo\0", b"stablehla\0"))


def test_a_property_of_a_writer_with_definitions_is_read_as_by_mlir(oracle: Oracle) -> None:
    data = oracle.bytecode(
        '%0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>'
    )
    text = sm.load(data.replace(b"stablehlo\0", b"stablehla\0")).to_text()
    assert '"stablehla.constant"() <dense<1> : tensor<i32>> : () -> tensor<i32>' in text
