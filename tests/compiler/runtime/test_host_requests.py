"""Programs that ask the world: native code between the requests, as one process or a grid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable, runtime
from stablemate.ir.grid import Grid
from tests.compiler.result_comparison import arrays

LOOP = """
module attributes {mhlo.num_replicas = 4 : i32} {
func.func @main(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<5> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<16x16xf32>
  %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<16x16xf32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %t = stablehlo.add %s, %x : tensor<16x16xf32>
    %a = "stablehlo.all_reduce"(%t) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %z = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %z : tensor<f32>
    }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>}
      : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %b = "stablehlo.collective_permute"(%a) {
      source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>
    } : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %m = stablehlo.multiply %b, %half : tensor<16x16xf32>
    %u = stablehlo.add %m, %s : tensor<16x16xf32>
    %i2 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %i2, %u : tensor<i32>, tensor<16x16xf32>
  }
  return %r#1 : tensor<16x16xf32>
}}"""
LARGE = """
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = stablehlo.iota dim = 0 : tensor<512x8xf32>
  %w = stablehlo.constant dense<"0xHEX"> : tensor<512x8xf32>
  %h = stablehlo.add %c, %w : tensor<512x8xf32>
  %d = stablehlo.dot_general %h, %x, contracting_dims = [1] x [0]
    : (tensor<512x8xf32>, tensor<8x8xf32>) -> tensor<512x8xf32>
  %g = stablehlo.dot_general %d, %d, contracting_dims = [0] x [0]
    : (tensor<512x8xf32>, tensor<512x8xf32>) -> tensor<8x8xf32>
  %a = "stablehlo.all_reduce"(%g) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %z = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) {replica_groups = dense<GROUP> : tensor<1x64xi64>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %a : tensor<8x8xf32>
}"""
IDS = """
func.func @main() -> (tensor<ui32>, tensor<ui32>) {
  %r = stablehlo.replica_id : tensor<ui32>
  %p = stablehlo.partition_id : tensor<ui32>
  %s = stablehlo.add %p, %p : tensor<ui32>
  return %r, %s : tensor<ui32>, tensor<ui32>
}"""
DRAWS = """
func.func @main() -> (tensor<5xf32>, tensor<3xi32>) {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %five = stablehlo.constant dense<5> : tensor<1xi64>
  %three = stablehlo.constant dense<3> : tensor<1xi64>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %j = stablehlo.constant dense<100> : tensor<i32>
  %r = stablehlo.rng %a, %b, %five, distribution = NORMAL
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<5xf32>
  %q = stablehlo.rng %i, %j, %three, distribution = UNIFORM
    : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<3xi32>
  return %r, %q : tensor<5xf32>, tensor<3xi32>
}"""
FEEDS = """
func.func @main() -> tensor<4xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %x, %t1 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %y = stablehlo.add %x, %x : tensor<4xf32>
  %t2 = "stablehlo.outfeed"(%y, %t1) : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %t3 = stablehlo.after_all %t1, %t2 : !stablehlo.token
  %z, %t4 = "stablehlo.infeed"(%t3) : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %w = stablehlo.multiply %y, %z : tensor<4xf32>
  return %w : tensor<4xf32>
}"""


def compiled(text: str) -> CompiledExecutable:
    """The program, which asks the world."""
    executable = sm.compile(sm.load(text), backend="cpu")
    assert isinstance(executable, CompiledExecutable), executable.fallback
    assert executable.runs_as_process
    return executable


def bits(results: Any) -> list[bytes]:
    """All bits of the results of processes."""
    return [array.tobytes() for result in results for array in arrays(result)]


def test_collectives_in_a_loop() -> None:
    inputs = [np.random.default_rng(i).standard_normal((16, 16)).astype("f") for i in range(4)]
    module = sm.load(LOOP)
    expected = bits(sm.run_grid(module, inputs, backend="interpreter"))
    assert compiled(LOOP)
    for _ in range(3):
        assert bits(sm.run_grid(module, inputs, backend="cpu")) == expected


def test_processes_share_all_but_their_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 of them are compiled once, and have one table, one code and one set of constants."""
    collected: list[Any] = []
    compilation = CompiledExecutable.compilation

    def counted(executable: CompiledExecutable) -> Any:
        collected.append(executable)
        return compilation(executable)

    monkeypatch.setattr(CompiledExecutable, "compilation", counted)
    weights = np.random.default_rng(3).standard_normal((512, 8)).astype("f")
    text = LARGE.replace("HEX", weights.tobytes().hex()).replace("GROUP", str([list(range(64))]))
    executable = compiled(text)
    inputs = [np.full((8, 8), k, np.float32) for k in range(64)]
    for _ in range(2):
        executable.run_grid(inputs, Grid(64, 1))
    assert len(collected) <= 1  # none if the disk cache had it
    assert len(executable.idle) == 64
    image = executable.program.image
    assert weights.nbytes in [constant.nbytes for constant in image.constants]
    for item in executable.idle:
        assert item.image is image
        assert item.code is executable.code
        assert item.arena.nbytes == image.arena
        assert item.words.nbytes == image.words.nbytes < weights.nbytes
    assert len({item.arena.ctypes.data for item in executable.idle}) == 64


def test_processes_know_their_place() -> None:
    assert compiled(IDS)
    per_process = sm.run_grid(sm.load(IDS), (), replicas=2, partitions=3, backend="cpu")
    places = [(int(r), int(s)) for r, s in per_process]
    assert places == [(r, 2 * p) for r in range(2) for p in range(3)]


def test_draws_are_those_of_the_seed() -> None:
    module = sm.load(DRAWS)
    for seed in (0, 7):
        arrays_read = arrays(compiled(DRAWS)(seed=seed))
        expected = arrays(module.run(backend="interpreter", seed=seed))
        assert [item.tobytes() for item in arrays_read] == [item.tobytes() for item in expected]


def test_constants_from_the_disk_cache_reach_requests() -> None:
    first, second = compiled(DRAWS), compiled(DRAWS)
    assert second.is_from_cache
    assert arrays(first(seed=1))[0].tobytes() == arrays(second(seed=1))[0].tobytes()


def test_feeds_in_order() -> None:
    records = [np.arange(4, dtype=np.float32), np.full(4, 3, np.float32)]
    streams = sm.Streams(infeed=[records])
    compiled_value = compiled(FEEDS)(streams=streams)
    assert compiled_value.tolist() == [0, 6, 12, 18]
    assert [stream.tolist() for stream in streams.outfeed[0]] == [[0, 2, 4, 6]]


def test_a_process_that_waits_for_ever_is_named() -> None:
    executable = compiled(LOOP)
    with pytest.raises(sm.StablemateError, match=r"sm\.run_grid"):
        executable(np.zeros((16, 16), np.float32))


PIECES = """
module {
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>]
      out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%p: tensor<2x6xf32>) {
    %s = stablehlo.add %p, %p : tensor<2x6xf32>
    %r = "stablehlo.all_reduce"(%s) ({
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %z = stablehlo.add %u, %v : tensor<f32>
      stablehlo.return %z : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}
      : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %q = stablehlo.multiply %r, %p : tensor<2x6xf32>
    sdy.return %q : tensor<2x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}}"""


def test_computations_on_pieces_are_native_code_too() -> None:
    x = np.random.default_rng(0).standard_normal((8, 6)).astype("f")
    executable, module = compiled(PIECES), sm.load(PIECES)
    expected = bits([module.run(x, backend="interpreter")])
    assert bits([executable(x)]) == expected
    assert bits(executable.run_grid((x,), Grid(1, 4))) == expected * 4
    (body,) = executable.bodies.values()
    assert isinstance(body, CompiledExecutable)


def test_computations_on_pieces_come_from_the_cache_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime()  # its object goes elsewhere
    monkeypatch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path))
    x = np.arange(48, dtype=np.float32).reshape(8, 6)
    collected: list[bool] = []
    for _ in range(2):
        executable = compiled(PIECES)
        executable(x)
        (body,) = executable.bodies.values()
        assert isinstance(body, CompiledExecutable)
        collected += [executable.is_from_cache, body.is_from_cache]
    assert collected == [False, False, True, True]


def test_an_error_of_the_compiler_leaves_the_interpreter_computations_on_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    executable = compiled(PIECES)
    executable.bodies.clear()
    executable.source = None  # not from the cache

    def fail(*_: Any) -> None:
        raise KeyError("k1")

    monkeypatch.setattr("stablemate.compiler.pipeline.verify_plan", fail)
    x = np.arange(48, dtype=np.float32).reshape(8, 6)
    with pytest.warns(UserWarning, match="k1.*the program is interpreted"):
        result = executable(x)
    assert bits([result]) == bits([sm.load(PIECES).run(x, backend="interpreter")])
    assert list(executable.bodies.values()) == [None]
