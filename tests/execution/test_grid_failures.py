"""What goes wrong on a grid ends with who waits where, and the line of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.execution.custom_calls.registry import REGISTERED

BACKENDS: Final = ("interpreter", "cpu")
SUM: Final = """({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<f32>) -> tensor<f32>"""
TWO: Final = [np.float32(1), np.float32(2)]


def all_reduce(groups: str = "[[0, 1]]") -> str:
    """The operation, on ``%x``."""
    return f'"stablehlo.all_reduce"(%x) <{{replica_groups = dense<{groups}> : tensor<1x2xi64>}}>'


def branches(first: str, second: str) -> str:
    """A program in which the replicas do different things."""
    return f"""func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %i = stablehlo.replica_id : tensor<ui32>
  %p = stablehlo.convert %i : (tensor<ui32>) -> tensor<i1>
  %0 = "stablehlo.if"(%p) ({{
    %r = {second}
    stablehlo.return %r : tensor<f32>
  }}, {{
    %r = {first}
    stablehlo.return %r : tensor<f32>
  }}) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}}"""


def message(text: str, arguments: Sequence[Any], backend: str, error: Any) -> str:
    """What the error of a run of two replicas says."""
    with pytest.raises(error) as caught:
        sm.run_grid(text, list(arguments), 2, backend=backend)
    return str(caught.value)


@pytest.mark.parametrize("backend", BACKENDS)
def test_different_operations(backend: str) -> None:
    pairs = "<{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}>"
    permute = f'"stablehlo.collective_permute"(%x) {pairs} : (tensor<f32>) -> tensor<f32>'
    text = branches(f"{all_reduce()} {SUM}", permute)
    assert message(text, TWO, backend, sm.DeadlockError).splitlines() == [
        "<text>:8:10: error: no process can go on",
        f" 8 |     %r = {all_reduce()} ({{",
        "   |          ^^^^^^^^^^^^^^^^^^^^^^",
        "note: (0,0) waits at all_reduce (<text>:8:10) for (1,0)",
        "note: (1,0) waits at collective_permute (<text>:5:10) for (0,0)",
    ]


@pytest.mark.parametrize("backend", BACKENDS)
def test_different_groups(backend: str) -> None:
    text = branches(f"{all_reduce()} {SUM}", f"{all_reduce('[[1, 0]]')} {SUM}")
    assert message(text, TWO, backend, sm.DeadlockError).splitlines()[-2:] == [
        "note: (0,0) waits at all_reduce (<text>:12:10) for (1,0)",
        "note: (1,0) waits at all_reduce (<text>:5:10) for (0,0)",
    ]


LOOP: Final = f"""func.func @main(%first: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %x = %first) : tensor<i32>, tensor<f32>
  cond {{
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = {all_reduce()} {SUM}
    stablehlo.return %2, %3 : tensor<i32>, tensor<f32>
  }}
  return %0#1 : tensor<f32>
}}"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_different_counts(backend: str) -> None:
    arguments = [(np.float32(1), np.int32(3)), (np.float32(1), np.int32(2))]
    assert message(LOOP, arguments, backend, sm.DeadlockError).splitlines() == [
        "<text>:10:10: error: no process can go on",
        f" 10 |     %3 = {all_reduce()} ({{",
        "    |          ^^^^^^^^^^^^^^^^^^^^^^",
        "note: (0,0) waits at all_reduce (<text>:10:10) for (1,0)",
        "note: (1,0) has ended",
    ]


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_missing_sender(backend: str) -> None:
    text = """func.func @main() -> tensor<f32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = "stablehlo.recv"(%t) <{
    channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>,
    source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %0#0 : tensor<f32>
}"""
    assert message(text, [(), ()], backend, sm.DeadlockError).splitlines() == [
        "<text>:3:10: error: no process can go on",
        ' 3 |   %0:2 = "stablehlo.recv"(%t) <{',
        "   |          ^^^^^^^^^^^^^^^^",
        "note: (0,0) has ended",
        "note: (1,0) waits at recv (<text>:3:10) for channel 5 from (0,0)",
    ]


@pytest.mark.parametrize("backend", BACKENDS)
def test_different_shapes(backend: str) -> None:
    text = """func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.all_gather"(%x) <{
    all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>
  }> : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
    arguments = [np.zeros(2, np.float32), np.zeros(3, np.float32)]
    value = "stablehlo.all_gather: the operands have the same shapes in all processes of a group"
    assert message(text, arguments, backend, sm.EvaluationError).splitlines() == [
        f"<text>:2:8: error: {value}",
        ' 2 |   %0 = "stablehlo.all_gather"(%x) <{',
        "   |        ^^^^^^^^^^^^^^^^^^^^^^ (0,0) = [(2,)], (1,0) = [(3,)]",
        "note: in process (0,0)",
    ]


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_exception_of_one_process(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(REGISTERED, "fails_for_two", raising=False)  # and behind the test

    @sm.custom_call("fails_for_two")
    def fails_for_two(operands: Any, call: Any) -> Any:
        if operands[0] == 2:
            raise ZeroDivisionError("nothing to divide by")
        return operands[0]

    call = "stablehlo.custom_call @fails_for_two(%y) : (tensor<f32>) -> tensor<f32>"
    text = f"""func.func @main(%y: tensor<f32>) -> tensor<f32> {{
  %x = {call}
  %1 = {all_reduce()} {SUM}
  return %1 : tensor<f32>
}}"""
    with pytest.raises(sm.EvaluationError) as caught:
        sm.run_grid(text, TWO, 2, backend=backend)
    cause = "the target raised ZeroDivisionError: nothing to divide by"
    assert str(caught.value).splitlines() == [
        f"<text>:2:8: error: stablehlo.custom_call @fails_for_two: {cause}",
        f" 2 |   %x = {call}",
        "   |        ^^^^^^^^^^^^^^^^^^^^^",
        "note: in process (1,0)",
    ]
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
