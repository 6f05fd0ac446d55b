"""Collectives that JAX starts in custom calls are those that its synchronous functions give."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from stablemate.transforms.decompositions.asynchronous_operations import as_synchronous

DEVICES = 4
GROUPS = "\\22replica_groups\\22: [[0, 1, 2, 3]], \\22channel_id\\22: 1"
GLOBAL = f"{GROUPS}, \\22use_global_device_ids\\22: true"
ADD = """func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
"""
SHARDS = np.arange(DEVICES * 8, dtype=np.float32).reshape(DEVICES, 8)
RING = np.roll(np.arange(DEVICES), 1)

# The target, its configuration, the shape of the result, and the value on all devices.
CASES = {
    "all-gather": (f"\\22all_gather_dimension\\22: 0, {GLOBAL}", 32, [SHARDS.ravel()] * DEVICES),
    "all-reduce": (GLOBAL, 8, [SHARDS.sum(0)] * DEVICES),
    "all-to-all": (
        f"\\22split_dimension\\22: 0, \\22concat_dimension\\22: 0, "
        f"\\22split_count\\22: 4, {GROUPS}",
        8,
        [SHARDS[:, 2 * d : 2 * d + 2].ravel() for d in range(DEVICES)],
    ),
    "collective-permute": (
        "\\22permutation\\22: [[0, 1], [1, 2], [2, 3], [3, 0]], \\22channel_id\\22: 1",
        8,
        list(SHARDS[RING]),
    ),
    "reduce-scatter": (
        f"\\22scatter_dimension\\22: 0, \\22tiled\\22: true, {GLOBAL}",
        2,
        list(SHARDS.sum(0).reshape(DEVICES, 2)),
    ),
}


def program(target: str, configuration: str, size: int) -> sm.Module:
    """A program in which a collective is started and done, as JAX 0.12 writes it."""
    called = "called_computations = [@add], " if "reduce" in target else ""
    marks = f'{{async_collective_config = "{{{configuration}}}"}}'
    return sm.parse(
        f"""module attributes {{mhlo.num_partitions = {DEVICES} : i32}} {{
{ADD if called else ""}func.func public @main(%x: tensor<8xf32>) -> tensor<{size}xf32> {{
  %0 = stablehlo.custom_call @"{target}-start"(%x) {{{called}mhlo.frontend_attributes = {marks}}}
    : (tensor<8xf32>) -> tensor<{size}xf32>
  %1 = stablehlo.custom_call @"{target}-done"(%0)
    : (tensor<{size}xf32>) -> tensor<{size}xf32>
  return %1 : tensor<{size}xf32>
}}
}}"""
    )


@pytest.mark.parametrize("target", CASES)
def test_started_collectives_give_what_the_synchronous_ones_give(target: str) -> None:
    configuration, size, expected = CASES[target]
    synchronous = sm.Module(as_synchronous(program(target, configuration, size).ir), "mlir")
    synchronous.verify()
    assert f"stablehlo.{target.replace('-', '_')}" in str(synchronous)
    assert "custom_call" not in str(synchronous)
    found = sm.run_grid(synchronous, [(shard,) for shard in SHARDS], partitions=DEVICES)
    for one, value in zip(found, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(one).ravel(), value)


def test_calls_without_a_configuration_stay() -> None:
    module = sm.parse(
        """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @"all-reduce-start"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
    )
    assert as_synchronous(module.ir) is module.ir
