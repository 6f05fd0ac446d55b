"""Which results may be written over an argument."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.plan.plan import CopySlot

N = "tensor<4096xf32>"
S = "tensor<64x64xf32>"
BODIES: dict[str, tuple[str, str, str, list[tuple[int, int]]]] = {
    # body, type of the arguments %a and %b, results; then the pairs (argument, result)
    "elementwise": (f"%0 = stablehlo.add %a, %b : {N}", N, "%0", [(0, 0), (1, 0)]),
    "unchanged": ("", N, "%b, %a", [(0, 1), (1, 0), (1, 1)]),
    "read again": (
        f"%0 = stablehlo.add %a, %a : {N}\n %1 = stablehlo.multiply %a, %b : {N}",
        N, "%0, %1", [(0, 1), (1, 1)],
    ),
    "reversed": (f"%0 = stablehlo.reverse %a, dims = [0] : {N}", N, "%0", [(1, 0)]),
    "transposed": (
        f"%0 = stablehlo.transpose %a, dims = [1, 0] : ({S}) -> {S}\n"
        f" %1 = stablehlo.add %0, %a : {S}", S, "%1", [(1, 0)],
    ),
    "product": (
        f"%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ({S}, {S}) -> {S}",
        S, "%0", [],
    ),
    "read by a later product": (
        f"%0 = stablehlo.negate %a : {S}\n"
        f" %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : ({S}, {S}) -> {S}",
        S, "%0, %1", [(0, 0), (0, 1)],
    ),
    # every iteration writes the result, and reads %b
    "loop": (
        f"%z = stablehlo.constant dense<0> : tensor<i32>\n"
        f" %r:2 = stablehlo.while(%i = %z, %s = %a) : tensor<i32>, {N} cond {{\n"
        "   %n = stablehlo.constant dense<100> : tensor<i32>\n"
        "   %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "   stablehlo.return %p : tensor<i1>\n"
        " } do {\n"
        "   %o = stablehlo.constant dense<1> : tensor<i32>\n"
        "   %j = stablehlo.add %i, %o : tensor<i32>\n"
        f"   %t = stablehlo.add %s, %b : {N}\n"
        f"   stablehlo.return %j, %t : tensor<i32>, {N}\n"
        " }", N, "%r#1", [(0, 0)],
    ),
}  # fmt: skip


def executable(name: str, type: str | None = None) -> CompiledExecutable:
    body, own_type, results, _ = BODIES[name]
    types = ", ".join([own_type] * (results.count(",") + 1))
    text = (
        f"func.func @main(%a: {own_type}, %b: {own_type}) -> ({types}) {{\n {body}\n"
        f" return {results} : {types}\n}}"
    )
    text = text.replace(own_type, type or own_type)
    return CompiledExecutable(sm.load(text).executable("main", backend="interpreter"))  # type: ignore[arg-type]


def pairs(compiled: CompiledExecutable) -> list[tuple[int, int]]:
    return sorted(compiled.instance().image.reusable_pairs)


@pytest.mark.parametrize("name", BODIES)
def test_pairs(name: str) -> None:
    expected = BODIES[name][3]
    assert pairs(executable(name)) == expected


@pytest.mark.parametrize("name", BODIES)
def test_results_written_over_arguments_are_the_same(name: str) -> None:
    compiled = executable(name)
    instance = compiled.instance()
    shape = (4096,) if BODIES[name][1] == N else (64, 64)
    values = np.random.default_rng(0).standard_normal((2, *shape), np.float32)
    expected = compiled.run([*values])
    for argument, result in pairs(compiled):
        arguments = [value.copy() for value in values]
        results = [np.empty(shape, np.float32) for _ in expected]
        results[result] = arguments[argument]
        instance.write_arguments(arguments)
        instance.write_addresses(instance.result_rows, results)
        instance.run(arguments, results)
        np.testing.assert_array_equal(results[result], expected[result])


def test_vectors_that_overlap_store_twice() -> None:
    assert pairs(executable("elementwise", "tensor<4099xf32>")) == []


def test_small_results() -> None:
    for type_ in ("tensor<64xf32>", "tensor<f32>"):
        assert pairs(executable("elementwise", type_)) == [(0, 0), (1, 0)]


def test_updates_of_arguments_copy_by_a_step() -> None:
    # It copies nothing where the memory is the same, which a kernel would.
    text = """func.func @main(%a: tensor<64x64xf32>, %u: tensor<1x64xf32>, %i: tensor<i32>)
      -> tensor<64x64xf32> {
      %0 = stablehlo.dynamic_update_slice %a, %u, %i, %i
        : (tensor<64x64xf32>, tensor<1x64xf32>, tensor<i32>, tensor<i32>) -> tensor<64x64xf32>
      return %0 : tensor<64x64xf32>
    }"""
    compiled = CompiledExecutable(sm.load(text).executable("main", backend="interpreter"))  # type: ignore[arg-type]
    assert pairs(compiled) == [(0, 0)]
    copies = [step for step in compiled.plan.steps if isinstance(step, CopySlot)]
    assert [(step.source.origin, step.target.origin) for step in copies] == [("argument", "result")]
