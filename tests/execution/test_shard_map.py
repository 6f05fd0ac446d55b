"""Programs of shard_map compute what JAX computes with them on as many devices."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.execution.signature import is_tuple
from tests.sharded.programs import NAMES, exported
from tests.sharded.ranks import all_bits

# XLA orders sums and computes exp and tanh in its own way.
ROUNDED: Final = ("ring_attention", "pipeline")
# Where the results of devices differ that should not, each process keeps what it has.
DIVERGENT: Final = "divergent_results"


def check(name: str, results: Any) -> None:
    """Compares results with those of JAX."""
    value = results if is_tuple(results) else (results,)
    tolerance = 1e-6 if name.startswith(ROUNDED) else 0
    for ours, theirs in zip(value, exported()[name].results, strict=True):
        assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
        wide = np.result_type(theirs.dtype, np.float64) if theirs.dtype.kind in "fc" else np.float64
        np.testing.assert_allclose(
            ours.astype(wide), theirs.astype(wide), rtol=tolerance, atol=tolerance
        )


@pytest.mark.standard
@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
@pytest.mark.parametrize("name", NAMES)
def test_devices_compute_what_they_do_in_jax(name: str, backend: str) -> None:
    """A process for each device, and one that stands for all of them, which has the same bits."""
    program = exported()[name]
    whole = sm.run(program.text, *program.inputs, backend=backend)
    check(name, whole)
    inputs, devices = tuple(program.inputs), program.devices
    results = sm.run_grid(program.text, inputs, partitions=devices, backend=backend)
    assert len(results) == devices
    for result in results[:1] if name == DIVERGENT else results:
        assert all_bits(result) == all_bits(whole)


@pytest.mark.standard
def test_copies_that_differ_are_those_of_the_first_device() -> None:
    """XLA keeps them all, and JAX shows the first."""
    program = exported()[DIVERGENT]
    check(DIVERGENT, sm.run(program.text, *program.inputs))
    (x,) = program.inputs
    for i, result in enumerate(sm.run_grid(program.text, tuple(program.inputs), partitions=8)):
        np.testing.assert_array_equal(result, x[i : i + 1] * 2 + i)


@pytest.mark.standard
def test_the_list_of_programs_is_complete() -> None:
    assert set(exported()) == set(NAMES)


MANUAL: Final = """
sdy.mesh @mesh = <["x"=2, "y"=2]{devices}>
func.func @main(%a: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xui32>) {{
  %0:2 = sdy.manual_computation(%a)
      in_shardings=[<@mesh, [{{"x", "y"}}]>]
      out_shardings=[<@mesh, [{{"x", "y"}}]>, <@mesh, [{{"x", "y"}}]>]
      manual_axes={{"x", "y"}} (%b: tensor<1xi32>) {{
    {body}
    %i = stablehlo.partition_id : tensor<ui32>
    %k = stablehlo.reshape %i : (tensor<ui32>) -> tensor<1xui32>
    sdy.return %b, %k : tensor<1xi32>, tensor<1xui32>
  }} : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xui32>)
  return %0#0, %0#1 : tensor<4xi32>, tensor<4xui32>
}}"""
X: Final = np.array([1, 2, 3, 4], np.int32)


def test_devices_of_a_mesh_may_have_any_order() -> None:
    """A device is the process whose partition_id is its number: Shardy dialect, mesh."""
    text = MANUAL.format(devices=", device_ids=[2, 0, 3, 1]", body="")
    for same, ids in (sm.run(text, X), *sm.run_grid(text, (X,), partitions=4)):
        np.testing.assert_array_equal(same, X)
        np.testing.assert_array_equal(ids, [2, 0, 3, 1])


def test_each_replica_may_stand_for_all_devices() -> None:
    text = MANUAL.format(devices="", body="")
    for same, ids in sm.run_grid(text, (X,), replicas=2):
        np.testing.assert_array_equal(same, X)
        np.testing.assert_array_equal(ids, range(4))


OPEN: Final = """
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<?xi32>) -> tensor<?xi32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>]
      manual_axes={"x"} (%b: tensor<?xi32>) {
    %1 = stablehlo.add %b, %b : tensor<?xi32>
    BODY
  } : (tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}"""
UNEVEN: Final = """%p = stablehlo.partition_id : tensor<ui32>
    %i = stablehlo.reshape %p : (tensor<ui32>) -> tensor<1xui32>
    %one = stablehlo.constant dense<1> : tensor<1xui32>
    %end = stablehlo.add %i, %one : tensor<1xui32>
    %zero = stablehlo.constant dense<0> : tensor<1xui32>
    %2 = stablehlo.real_dynamic_slice %1, %zero, %end, %one
      : (tensor<?xi32>, tensor<1xui32>, tensor<1xui32>, tensor<1xui32>) -> tensor<?xi32>
    sdy.return %2 : tensor<?xi32>"""


@pytest.mark.parametrize("partitions", [1, 2])
def test_sizes_may_be_known_only_at_run_time(partitions: int) -> None:
    text = OPEN.replace("BODY", "sdy.return %1 : tensor<?xi32>")
    for result in sm.run_grid(text, (X,), partitions=partitions):
        np.testing.assert_array_equal(result, X * 2)
    with pytest.raises(sm.EvaluationError, match="divide the sizes of the dimensions evenly"):
        sm.run_grid(text, (X[:3],), partitions=partitions)


@pytest.mark.parametrize("partitions", [1, 2])
def test_pieces_must_have_one_shape(partitions: int) -> None:
    with pytest.raises(sm.EvaluationError, match="the same") as caught:
        sm.run_grid(OPEN.replace("BODY", UNEVEN), (X,), partitions=partitions)
    assert caught.value.diagnostics[0].rule.startswith("sdy.manual_computation")


def test_a_grid_of_another_size_is_refused() -> None:
    with pytest.raises(sm.EvaluationError, match="the devices are the partitions") as caught:
        sm.run_grid(MANUAL.format(devices="", body=""), (X,), partitions=8)
    assert caught.value.diagnostics[0].values == {"mesh": 4, "partitions": 8}


def test_a_deadlock_among_devices_names_them() -> None:
    body = """%c1 = stablehlo.constant dense<2> : tensor<i32>
    %s = stablehlo.reshape %b : (tensor<1xi32>) -> tensor<i32>
    %p = stablehlo.compare LT, %s, %c1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = "stablehlo.if"(%p) ({
      %g = "stablehlo.all_gather"(%b) <{all_gather_dim = 0 : i64, channel_handle =
        #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups =
        dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}>
        : (tensor<1xi32>) -> tensor<4xi32>
      stablehlo.return %g : tensor<4xi32>
    }, {
      %g = stablehlo.constant dense<0> : tensor<4xi32>
      stablehlo.return %g : tensor<4xi32>
    }) : (tensor<i1>) -> tensor<4xi32>"""
    with pytest.raises(sm.DeadlockError) as caught:
        sm.run(MANUAL.format(devices="", body=body), X)
    notes = [note.message for note in caught.value.diagnostics[0].notes]
    assert notes[0].startswith("(0,0) waits at all_gather")
    assert notes[1:4] == ["(0,1) has ended", "(0,2) has ended", "(0,3) has ended"]
