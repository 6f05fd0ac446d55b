"""Generated programs of shard_map and shardings give in all forms what XLA gives."""

from __future__ import annotations

import numpy as np
import pytest

import stablemate as sm
from tests.sharded.generated import Generated, differences, generated


@pytest.mark.standard
def test_generated_programs_give_the_results_of_xla() -> None:
    programs = [
        program for program in generated(7, 0, 6).values() if isinstance(program, Generated)
    ]
    assert len(programs) > 3
    for program in programs:
        assert {"gspmd", "round_trip", "gspmd_permuted"} <= program.forms.keys()
        found = list(differences(program))
        assert [what for _, what in found if not what.startswith("unsupported")] == []


def test_a_negation_of_shards_in_the_form_of_gspmd() -> None:
    text = """
      func.func @main(%a: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
        %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]<=[2]}"}
          : (tensor<4xf32>) -> tensor<4xf32>
        %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"}
          : (tensor<4xf32>) -> tensor<2xf32>
        %2 = stablehlo.negate %1 : tensor<2xf32>
        %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"}
          : (tensor<2xf32>) -> tensor<2xf32>
        %4 = stablehlo.custom_call @SPMDShardToFullShape(%3)
          {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<4xf32>
        return %4 : tensor<4xf32>
      }"""
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(sm.run(text, x), -x)
    for result in sm.run_grid(text, (x,), partitions=2):
        np.testing.assert_array_equal(result, -x)
