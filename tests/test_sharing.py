"""Whole arrays on a grid: cut for programs with shardings, put together from what devices give."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm

X: Final = np.arange(24, dtype=np.float32).reshape(4, 6)
GLOBAL: Final = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<6x4xf32>, tensor<6xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0]
    : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  return %0, %1 : tensor<6x4xf32>, tensor<6xf32>
}"""
# As XLA writes a program behind its partitioner: pieces, and how the whole is divided.
DUMP: Final = """HloModule jit_f, entry_computation_layout={(f32[2,3]{1,0})->f32[2,3]{1,0}}, \
num_partitions=4

ENTRY %main (p: f32[2,3]) -> f32[2,3] {
  %p = f32[2,3]{1,0} parameter(0), sharding={devices=[2,2]<=[4]}
  ROOT %add = f32[2,3]{1,0} add(%p, %p)
}
"""


def test_whole_arrays_need_no_number_of_devices() -> None:
    ((transposed, total),) = sm.run_grid(GLOBAL, (X,), whole=True)
    np.testing.assert_array_equal(transposed, X.T)
    np.testing.assert_array_equal(total, X.sum(0))


def test_processes_compute_on_their_pieces() -> None:
    per_process = sm.run_grid(GLOBAL, (X,), partitions=4)
    for device, (transposed, total) in enumerate(per_process):
        row, column = divmod(device, 2)
        piece = X[row * 2 : row * 2 + 2, column * 3 : column * 3 + 3]
        np.testing.assert_array_equal(transposed, piece.T)
        np.testing.assert_array_equal(total, X.sum(0)[column * 3 : column * 3 + 3])


@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
def test_results_are_put_together_for_each_replica(backend: str) -> None:
    per_process = sm.run_grid(GLOBAL, (X,), replicas=2, partitions=4, whole=True, backend=backend)
    assert len(per_process) == 2
    for transposed, total in per_process:
        np.testing.assert_array_equal(transposed, X.T)
        np.testing.assert_array_equal(total, X.sum(0))


def test_replicas_have_arguments_of_their_own() -> None:
    entries = [(X,)] * 4 + [(X + 1,)] * 4
    first, second = sm.run_grid(GLOBAL, entries, replicas=2, partitions=4, whole=True)
    np.testing.assert_array_equal(first[1], X.sum(0))
    np.testing.assert_array_equal(second[1], X.sum(0) + 4)


def test_pieces_are_taken_as_they_are() -> None:
    pieces = [X[r : r + 2, c : c + 3] for r in (0, 2) for c in (0, 3)]
    (value,) = sm.run_grid(GLOBAL, pieces, partitions=4, whole=True)
    np.testing.assert_array_equal(value[0], X.T)


def test_other_shapes_are_refused_by_the_signature_of_a_piece() -> None:
    with pytest.raises(sm.ArgumentError, match=r"is tensor<2x3xf32>, but tensor<4x3xf32>"):
        sm.run_grid(GLOBAL, (X[:, :3],), partitions=4)


def test_a_program_may_run_as_a_whole_in_each_process() -> None:
    for transposed, _ in sm.run_grid(GLOBAL, (X,), partitions=4, partition=False):
        np.testing.assert_array_equal(transposed, X.T)
    for transposed, _ in sm.run_grid(GLOBAL, (X,), partitions=2):  # the mesh has four devices
        np.testing.assert_array_equal(transposed, X.T)
    with pytest.raises(sm.ArgumentError, match="the devices of the mesh are the partitions"):
        sm.run_grid(GLOBAL, (X,), partitions=2, partition=True)


def test_the_program_of_one_device_can_be_had_and_says_what_it_is() -> None:
    module = sm.load(GLOBAL).partition()
    assert [str(argument.type) for argument in module.entry().signature.arguments] == [
        "tensor<2x3xf32>"
    ]
    for text in (str(module), module.to_hlo().to_text()):
        per_process = sm.run_grid(text, (X,))  # the number of partitions is stated
        np.testing.assert_array_equal(per_process[1][0], X[:2, 3:].T)
    (per_process,) = sm.run_grid(str(module), (X,), whole=True)
    np.testing.assert_array_equal(per_process[0], X.T)


def test_a_dump_of_xla_takes_whole_arrays_and_pieces() -> None:
    for arguments in ((X,), [X[r : r + 2, c : c + 3] for r in (0, 2) for c in (0, 3)]):
        per_process: list[Any] = sm.run_grid(DUMP, arguments)
        np.testing.assert_array_equal(per_process[2], X[2:, :3] * 2)


def test_whole_results_need_a_sharding() -> None:
    with pytest.raises(sm.UnsupportedError, match="result 0 has no sharding"):
        sm.run_grid(DUMP, (X,), whole=True)
    text = "func.func @main(%a: tensor<4x6xf32>) -> tensor<4x6xf32> { return %a : tensor<4x6xf32> }"
    with pytest.raises(sm.ArgumentError, match="the results have no shardings"):
        sm.run_grid(text, (X,), partitions=2, whole=True)
