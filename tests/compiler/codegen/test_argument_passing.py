"""Calling compiled programs: what fits is not copied, what does not is copied or refused."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from tests.compiler.blocking_programs import WAITING

ADD = """func.func @main(%a: tensor<3x5xf32>, %b: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.add %a, %b : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}"""
TWO = """func.func @main(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.negate %a : tensor<4xi32>
  return %0, %a : tensor<4xi32>, tensor<4xi32>
}"""


def compiled(text: str) -> CompiledExecutable:
    """A program as native code."""
    executable = sm.compile(sm.load(text), backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    return executable


def array(seed: int = 0) -> Any:
    """What ``ADD`` takes."""
    return np.random.default_rng(seed).random((3, 5), np.float32)


def misaligned(values: Any) -> Any:
    """The array, begun at an odd address."""
    raw = np.zeros(values.nbytes + 1, np.uint8)
    view = raw[1:].view(values.dtype).reshape(values.shape)
    view[...] = values
    assert not view.flags.aligned
    return view


def frozen(values: Any) -> Any:
    """The array, which cannot be written."""
    values = values.copy()
    values.flags.writeable = False
    return values


@pytest.mark.parametrize(
    "laid_out",
    [
        np.asfortranarray,
        lambda a: np.repeat(a, 2, axis=1)[:, ::2],
        lambda a: np.ascontiguousarray(a[::-1])[::-1],
        lambda a: np.broadcast_to(a[0], a.shape),
        misaligned,
        frozen,
        lambda a: a.view(type("Own", (np.ndarray,), {})),
        lambda a: a.tolist(),
        memoryview,
    ],
    ids=[
        "fortran",
        "strided",
        "reversed",
        "broadcast",
        "odd",
        "frozen",
        "subclass",
        "list",
        "view",
    ],
)
def test_arguments_are_taken_however_they_lie_in_memory(laid_out: Any) -> None:
    executable, plain = compiled(ADD), array(1)
    argument = laid_out(array())
    expected = np.asarray(argument, np.float32) + plain
    for _ in range(2):
        np.testing.assert_array_equal(executable(argument, plain), expected)
        np.testing.assert_array_equal(executable(plain, argument), expected)


@pytest.mark.parametrize(
    "wrong",
    [
        array().astype(">f4"),
        array().astype(np.float64),
        array()[:2],
        array()[None],
        array().astype(object),
        "text",
        None,
        object(),
    ],
    ids=["byte order", "type", "shape", "rank", "objects", "text", "none", "object"],
)
def test_what_does_not_fit_is_refused_as_the_interpreter_does(wrong: Any) -> None:
    module = sm.load(ADD)
    executable = compiled(ADD)
    messages: list[str] = []
    for run in (module.run, executable):
        with pytest.raises(sm.ArgumentError) as caught:
            run(array(), wrong)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    np.testing.assert_array_equal(executable(array(), array()), array() + array())


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_number_of_arguments_is_checked(count: int) -> None:
    executable = compiled(ADD)
    for _ in range(2):
        with pytest.raises(sm.ArgumentError, match="takes 2 arguments"):
            executable(*[array()] * count)
        executable(array(), array())


def test_results_that_the_caller_holds_are_never_written_again() -> None:
    executable = compiled(ADD)
    ones = np.ones((3, 5), np.float32)
    kept = [executable(ones, ones * i) for i in range(20)]
    views = [executable(ones, ones * i)[1:] for i in range(20)]
    memory = [memoryview(executable(ones, ones * i)) for i in range(20)]
    for i in range(20):
        np.testing.assert_array_equal(kept[i], ones * (i + 1))
        np.testing.assert_array_equal(views[i], ones[1:] * (i + 1))
        np.testing.assert_array_equal(np.asarray(memory[i]), ones * (i + 1))


def test_results_that_the_caller_dropped_are_used_again() -> None:
    executable = compiled(ADD)
    addresses = set[int]()
    for i in range(10):
        result = executable(array(), array(i))
        addresses.add(result.ctypes.data)
    assert len(addresses) == 2  # one is held while the next is made


def test_a_recycled_result_that_the_caller_changed_is_as_new() -> None:
    executable = compiled(ADD)
    for change in (
        lambda a: a.setflags(write=False),
        lambda a: setattr(a, "shape", (15,)),
        lambda a: a.resize((3, 4), refcheck=False),
        lambda a: a.fill(7),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            change(executable(array(), array()))
        for _ in range(3):
            result = executable(array(), array())
            np.testing.assert_array_equal(result, array() + array())
            assert result.flags.writeable


def test_the_results_of_a_tuple_are_the_callers() -> None:
    executable = compiled(TWO)
    argument = np.arange(4, dtype=np.int32)
    first = executable(argument)
    others = [executable(argument + i) for i in range(1, 10)]
    np.testing.assert_array_equal(first[0], -argument)
    np.testing.assert_array_equal(first[1], argument)
    assert not np.shares_memory(first[1], argument)
    for i, other in enumerate(others, 1):
        np.testing.assert_array_equal(other[0], -(argument + i))


def test_a_result_may_be_the_next_argument() -> None:
    executable = compiled(ADD)
    ones = np.ones((3, 5), np.float32)
    value = ones
    for _ in range(10):
        value = executable(value, ones)
    np.testing.assert_array_equal(value, ones * 11)
    value = executable(value, value)
    np.testing.assert_array_equal(value, ones * 22)


def test_a_call_leaks_nothing() -> None:
    executable, argument = compiled(ADD), array()
    executable(argument, argument)
    before = sys.getrefcount(argument)
    for _ in range(100):
        executable(argument, argument)
    assert sys.getrefcount(argument) == before


@pytest.mark.parametrize(
    ("element", "dtype"),
    [
        ("i1", np.dtype(np.bool_)),
        ("bf16", np.dtype(ml_dtypes.bfloat16)),
        ("i4", np.dtype(ml_dtypes.int4)),
        ("complex<f32>", np.dtype(np.complex64)),
        ("ui64", np.dtype(np.uint64)),
    ],
)
@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (1, 1, 2, 1, 1, 3, 1)])
def test_every_kind_of_array_passes_through(element: str, dtype: Any, shape: Any) -> None:
    text = "x".join([*map(str, shape), element])
    executable = compiled(
        f"func.func @main(%a: tensor<{text}>) -> tensor<{text}> {{ return %a : tensor<{text}> }}"
    )
    argument = np.ones(shape, dtype)
    for _ in range(2):
        result = executable(argument)
        assert (result.dtype, result.shape) == (dtype, shape)
        np.testing.assert_array_equal(result, argument)


def test_what_is_not_compiled_runs_in_the_interpreter_and_says_why() -> None:
    executable = sm.compile(sm.load(WAITING), backend="cpu")
    assert executable.fallback is not None
    x = np.array([1, 2], np.float32)
    np.testing.assert_array_equal(executable(x), x)
    with pytest.raises(sm.UnsupportedError, match="only a compiled program has stages"):
        executable.emit("llvm")


def test_a_grid_runs_what_is_compiled() -> None:
    results = sm.run_grid(sm.load(ADD), (array(), array(1)), replicas=2, backend="cpu")
    for result in results:
        np.testing.assert_array_equal(result, array() + array(1))


def test_stages_and_memory_can_be_looked_at() -> None:
    executable = compiled("""func.func @main(%a: tensor<64x64xf32>) -> tensor<64xf32> {
      %c = stablehlo.constant dense<[0.5, 2.0]> : tensor<2xf32>
      %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %0 = stablehlo.dot_general %t, %a, contracting_dims = [1] x [0]
        : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
      return %1 : tensor<64xf32>
    }""")
    assert executable.memory.arena >= 64 * 64 * 4
    parts = {
        "module": "stablehlo.transpose",
        "fusion": "kept: ",
        "nest": "parallel serial",
        "plan": "launch ",
        "llvm": "define void @",
        "asm": "ret",
    }
    for stage, part in parts.items():
        assert part in executable.emit(stage)
    with pytest.raises(sm.ArgumentError, match="known: module, fusion, nest, plan, llvm, asm"):
        executable.emit("nothing")


def test_a_program_that_needs_too_much_memory_is_refused_with_what_takes_most() -> None:
    module = sm.load("""func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %0 = stablehlo.dot %a, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %1 = stablehlo.dot %0, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      return %1 : tensor<64x64xf32>
    }""")
    with pytest.raises(sm.LimitError) as caught:
        sm.compile(module, backend="cpu", limits=sm.Limits(arena_bytes=1000))
    message = str(caught.value)
    assert "limits.arena_bytes" in message
    assert "takes 16384 bytes" in message
    with pytest.raises(sm.LimitError, match="tensor_bytes"):
        sm.compile(module, backend="cpu", limits=sm.Limits(tensor_bytes=1000))


@pytest.mark.parametrize("error", [sm.CompileError("kernel k1: no"), KeyError("k1")])
def test_an_error_of_the_compiler_leaves_the_interpreter(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr("stablemate.compiler.pipeline.verify_plan", fail)
    module = sm.load(
        """func.func @main(%x: tensor<5xf32>) -> tensor<5xf32> {
          %0 = stablehlo.add %x, %x : tensor<5xf32>
          return %0 : tensor<5xf32>
        }"""
    )
    with pytest.warns(UserWarning, match="the program is interpreted"):
        executable = sm.compile(module)
    assert executable.fallback is not None
    assert "k1" in executable.fallback.message
    np.testing.assert_array_equal(executable(np.ones(5, np.float32)), np.full(5, 2, np.float32))
