"""MPMD, Shardy's dialect of programs on several meshes: upstream's readers and verifiers judge."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import stablemate as sm
from tests.oracle.client import Oracle

T: Final = "tensor<12x16xf32>"
HEAD: Final = f"""!m1 = !mpmd.mesh_tensor<"m1", {T}>
!m2 = !mpmd.mesh_tensor<"m2", {T}>
!m3 = !mpmd.mesh_tensor<"m3", {T}>
!s1 = !mpmd.mesh_tensor<"m1", {T}, sharding=<@mesh, [{{"x"}}, {{?}}]>>
sdy.mesh @mesh = <["x"=2, "y"=4]>
"""
ARGUMENTS: Final = f"%a: {T}, %m: !m1, %n: !m2, %o: !m3, %s: !s1"
TOPOLOGY: Final = 'topology = #mpmd.topology<<"m1" : <["x"=2, "y"=4]>>, <"m2" : <["x"=2, "y"=4]>>>'
CALLEE: Final = (
    f"func.func private @f(%a: {T}) -> {T} attributes "
    f'{{mesh_shape = #sdy.mesh<["x"=2, "y"=4]>}} {{ return %a : {T} }}\n'
)
WRONG_MESH: Final = CALLEE.replace('"x"=2', '"x"=3')
NO_MESH: Final = CALLEE.replace("mesh_shape", "other")
BODY: Final = f"(%x: {T}) {{\nmpmd.return %x : {T}\n}}"
LOOP: Final = f"(%x: {T}, %i: tensor<ui32>) {{\nmpmd.return %x : {T}\n}}"
IN: Final = 'in_shardings=[<@mesh, [{"x"}, {?}]>]'
OUT: Final = "out_shardings=[<@mesh, [{}, {}]>]"

VALID: Final = (
    f'%0 = mpmd.assign {{origin = "f"}} %a : ({T}) -> !m1',
    f"%0 = mpmd.assign {{y = 1}} %a : ({T}) -> !m2",
    f'%0 = mpmd.unassign {{origin = "f"}} %m : (!m1) -> {T}',
    "%0 = mpmd.transfer {y = 1} %m : (!m1) -> !m2",
    "%0 = mpmd.transfer %s : (!s1) -> !m1",
    f"%0 = mpmd.broadcast {{y = 1}} %a : {T}",
    *(
        f"%0 = mpmd.reduce<{name}> {{y = 1}} %a, %a : ({T}, {T}) -> {T}"
        for name in ("add", "max", "min", "mul", "or", "and")
    ),
    f'%0 = "mpmd.reduce"(%a) : ({T}) -> {T}',
    f'%0 = mpmd.named_tensor %a name="t" {{y = 1}} : {T}',
    f'%0 = mpmd.named_computation<"f"(1)> (%a) {{y = 1}} {BODY} : ({T}) -> {T}',
    'mpmd.named_computation<"f"> () () {\nmpmd.return\n} : () -> ()',
    f'%0 = mpmd.fragment<mesh="m1", origin=["f"(1), "g"], stage=3> (%m) {BODY} : (!m1) -> !m1',
    f'%0 = mpmd.fragment<mesh="m1", origin=[], {IN}, {OUT}> (%s) {{y = 1}} {BODY} : (!s1) -> !m1',
    f'%0 = mpmd.fragment<mesh="m1", origin=[], {OUT}> (%m) {BODY} : (!m1) -> !s1',
    '%0 = mpmd.fragment_call<mesh="m1", origin=["f"(2)]> @f(%s) {y = 2} : (!s1) -> !m1',
    f"%0 = mpmd.call @f(%a) {{call_counter = 0 : ui32}} : ({T}) -> {T}",
    f"%0 = mpmd.for (%a) {{iterations = 10 : ui32, unroll_factor = 2 : ui32}} {LOOP} : {T}",
    "%0 = mpmd.for (%m) {iterations = 2 : ui32} "
    "(%x: !m1, %i: tensor<ui32>) {\nmpmd.return {y = 1} %x : !m1\n} : !m1",
    f'%0 = "a.b"() : () -> !mpmd.mesh_tensor<"m1", {T}, memory_kind="pinned_host">',
    f'%0 = "a.b"() : () -> !mpmd.mesh_tensor<"m1", {T}, sharding=#sdy.sharding<@mesh, [{{}}]>, '
    'memory_kind="device">',
    '%0 = "a.b"() {x = #mpmd.named_mesh<"m" : #sdy.mesh<["x"=2]>>} : () -> i32',
    '%0 = "a.b"() {x = #mpmd.topology<#mpmd.named_mesh<"m" : <["x"=2], device_ids=[1, 0]>>>} '
    ": () -> i32",
    '%0 = "a.b"() {x = [#mpmd.user_origin<"f"(0)>, #mpmd.user_origin<"f"(1)>]} : () -> i32',
)
# An operation, and words of the error.
INVALID: Final = (
    (f"%0 = mpmd.assign %a : ({T}) -> !m3", "mpmd.assign mesh"),
    (f"%0 = mpmd.assign %a : ({T}) -> !s1", "mpmd.assign sharding"),
    (f'%0 = mpmd.assign %a : ({T}) -> !mpmd.mesh_tensor<"m1", tensor<f32>>', "mpmd.assign type"),
    (f"%0 = mpmd.unassign %s : (!s1) -> {T}", "mpmd.unassign sharding"),
    ("%0 = mpmd.unassign %m : (!m1) -> tensor<f32>", "mpmd.unassign type"),
    ("%0 = mpmd.transfer %m : (!m1) -> !m3", "mpmd.transfer mesh"),
    (
        '%0 = mpmd.transfer %m : (!m1) -> !mpmd.mesh_tensor<"m2", tensor<f32>>',
        "mpmd.transfer type",
    ),
    (f'%0 = "mpmd.transfer"(%a) : ({T}) -> !m2', "mpmd.transfer"),
    (f'%0 = "mpmd.broadcast"(%a) : ({T}) -> tensor<f32>', "mpmd.broadcast type"),
    (f"%0 = mpmd.reduce<none> %a, %a : ({T}, {T}) -> {T}", "mpmd.reduce number"),
    (f'%0 = "mpmd.reduce"() {{reduction = #mpmd.reduction<add>}} : () -> {T}', "mpmd.reduce"),
    (f'%0 = "mpmd.named_tensor"(%a) : ({T}) -> {T}', "mpmd.named_tensor"),
    (f'%0 = mpmd.named_computation<"f"> (%a, %a) {BODY} : ({T}, {T}) -> {T}', "arguments"),
    (f'%0 = mpmd.named_computation<"f"> (%a) {BODY} : ({T}) -> tensor<f32>', "results"),
    (f'%0 = mpmd.named_computation<"f"> (%m) {BODY} : (!m1) -> {T}', "named_computation"),
    (f'%0 = mpmd.fragment<mesh="m9", origin=[]> (%m) {BODY} : (!m1) -> !m1', "mesh_name"),
    (f'%0 = mpmd.fragment<mesh="m2", origin=[]> (%m) {BODY} : (!m1) -> !m1', "mesh_name"),
    (f'%0 = mpmd.fragment<mesh="m1", origin=[]> (%m, %m) {BODY} : (!m1, !m1) -> !m1', "arguments"),
    (f'%0 = mpmd.fragment<mesh="m1", origin=[]> (%m) {BODY} : (!m1) -> (!m1, !m1)', "results"),
    ('%0 = mpmd.fragment_call<mesh="m1", origin=[]> @nobody(%s) : (!s1) -> !m1', "callee"),
    ('%0 = mpmd.fragment_call<mesh="m2", origin=[]> @f(%s) : (!s1) -> !m1', "mesh_name"),
    ('%0 = mpmd.fragment_call<mesh="m1", origin=[]> @f(%s, %s) : (!s1, !s1) -> !m1', "type"),
    (f"%0 = mpmd.call @f(%a) : ({T}) -> tensor<f32>", "mpmd.call results"),
    (
        f"%0 = mpmd.for (%a) {{iterations = 10 : ui32, unroll_factor = 3 : ui32}} {LOOP} : {T}",
        "mpmd.for iterations",
    ),
    (f"%0 = mpmd.for (%a) {{iterations = 0 : ui32}} {LOOP} : {T}", "mpmd.for iterations"),
    (f"%0 = mpmd.for (%a) {{iterations = 2 : i32}} {LOOP} : {T}", "mpmd.for"),
    (f"%0 = mpmd.for (%a) {{iterations = 2 : ui32}} {BODY} : {T}", "mpmd.for types"),
    ('%0 = "a.b"() : () -> !mpmd.mesh_tensor<"m1", f32>', "expected a tensor type, found f32"),
    ('%0 = "a.b"() : () -> !mpmd.other', "'!mpmd.other' is not a type of its dialect"),
    ('%0 = "a.b"() {x = #mpmd.topology<>} : () -> i32', "expected '<', found '>'"),
    ('%0 = "a.b"() {x = #mpmd.other} : () -> i32', "unknown attribute '#mpmd.other'"),
    (f'%0 = "mpmd.other"(%a) : ({T}) -> {T}', "unknown operation 'mpmd.other'"),
)


def program(operation: str, more: str = CALLEE, attributes: str = TOPOLOGY) -> str:
    """A function with an operation of MPMD."""
    head = f"func.func @main({ARGUMENTS}) attributes {{{attributes}}} {{"
    return f"{HEAD}{head}\n{operation}\nreturn\n}}\n{more}"


@pytest.mark.parametrize("operation", VALID)
def test_programs_are_read_and_written_as_upstream_does(operation: str, oracle: Oracle) -> None:
    text = program(operation)
    pretty, generic, _, bytecode = oracle.unregistered(text)
    module = sm.load(text)
    assert [d for d in module.diagnostics() if "no dialect defines a.b" not in d.message] == []
    assert (module.to_text(), module.to_text(generic=True)) == (pretty, generic)
    for form in (pretty, generic, bytecode, module.to_bytecode()):
        assert sm.load(form).to_text() == pretty


@pytest.mark.parametrize(("operation", "words"), INVALID)
def test_what_upstream_rejects_is_rejected(operation: str, words: str, oracle: Oracle) -> None:
    text = program(operation)
    assert oracle.diagnostics(text)
    assert words in rejection(text)


@pytest.mark.parametrize("more", [WRONG_MESH, NO_MESH])
def test_fragments_are_functions_of_the_mesh(more: str, oracle: Oracle) -> None:
    text = program('%0 = mpmd.fragment_call<mesh="m1", origin=[]> @f(%s) : (!s1) -> !m1', more)
    assert oracle.diagnostics(text)
    assert "mesh_shape" in rejection(text)


def test_meshes_are_those_of_the_topology(oracle: Oracle) -> None:
    text = program("%0 = mpmd.transfer %m : (!m1) -> !m2", attributes="")
    assert oracle.diagnostics(text)
    assert rejection(text) == (
        "a.mlir:7:6: error: mpmd.transfer topology: "
        "The function has the attribute topology, #mpmd.topology\n"
        " 7 | %0 = mpmd.transfer %m : (!m1) -> !m2\n"
        "   |      ^^^^^^^^^^^^^"
    )


def rejection(text: str) -> str:
    """The first error of a program."""
    try:
        found = sm.load(text, name="a.mlir").diagnostics()
    except sm.ParseError as error:
        return str(error)
    return next(str(diagnostic) for diagnostic in found if diagnostic.severity == "error")


def test_calls_of_other_operands_are_a_warning(oracle: Oracle) -> None:
    """Upstream does not compare them."""
    text = program(f"%0 = mpmd.call @f(%a, %a) : ({T}, {T}) -> {T}")
    assert oracle.diagnostics(text) == []
    (warning,) = sm.load(text).diagnostics()
    assert (warning.severity, warning.rule) == ("warning", "mpmd.call operands")


def test_programs_are_viewed_and_not_executed() -> None:
    module = sm.load(program(VALID[3].replace("{y = 1} ", "")))
    assert "mpmd.transfer" in str(module.graph())
    module = sm.load(f"func.func @main(%a: {T}) {{\n{VALID[5]}\nreturn\n}}", name="a.mlir")
    with pytest.raises(sm.UnsupportedError) as caught:
        module.run(np.zeros((12, 16), np.float32))
    assert "mpmd.broadcast cannot be executed: lower it to StableHLO first" in str(caught.value)
