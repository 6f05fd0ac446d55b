"""Programs in the forms in which they are exported become programs of Shardy, and run."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.execution.signature import is_tuple
from tests.sharded import annotated
from tests.sharded.programs import NAMES, exported

FORMS: Final = ("gspmd", "round_trip")
DIVERGENT: Final = "divergent_results"  # each process keeps what it has
UNREADABLE: Final = {("sort", "round_trip")}  # has an operation of the dialect mhlo

X: Final = np.array([1, -2, 3, 4], np.float32)
GSPMD: Final = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
  %2 = stablehlo.negate %1 : tensor<2xf32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
"""  # noqa: E501 a program
SHARDY: Final = """\
module {
  sdy.mesh @mesh = <["axis_0"=2]>
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"axis_0"}]>] out_shardings=[<@mesh, [{"axis_0"}]>] manual_axes={"axis_0"} (%arg1: tensor<2xf32>) {
      %1 = stablehlo.negate %arg1 : tensor<2xf32>
      sdy.return %1 : tensor<2xf32>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""  # noqa: E501 a program


def imported(text: str) -> str:
    """The program in Shardy's form, as text."""
    return sm.Module(sm.load(text).shardy).to_text()


def leaves(results: Any) -> tuple[Any, ...]:
    """The results as a tuple."""
    return results if is_tuple(results) else (results,)


def check(ours: Any, theirs: Any, tolerance: float) -> None:
    """Compares results with those of JAX."""
    for own, other in zip(leaves(ours), theirs, strict=True):
        assert (own.shape, own.dtype) == (other.shape, other.dtype)
        wide = np.result_type(other.dtype, np.float64) if other.dtype.kind in "fc" else np.float64
        np.testing.assert_allclose(
            own.astype(wide), other.astype(wide), rtol=tolerance, atol=tolerance
        )


@pytest.mark.full
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
def test_programs_of_shard_map_compute_what_jax_computes(name: str, form: str) -> None:
    program = exported()[name]
    module = sm.load(program.forms[form])
    sm.Module(module.shardy).verify()
    check(sm.run(module, *program.inputs), program.results, 1e-6)
    grid = sm.run_grid(module, tuple(program.inputs), partitions=program.devices)
    for results in grid[:1] if name == DIVERGENT else grid:
        check(results, program.results, 1e-6)


@pytest.mark.full
@pytest.mark.parametrize("form", FORMS)
def test_programs_with_shardings_compute_what_jax_computes(form: str) -> None:
    for name, program in annotated.exported().items():
        if program.forms and (name, form) not in UNREADABLE:
            module = sm.load(program.forms[form])
            (results,) = sm.run_grid(
                module, tuple(program.inputs), 1, annotated.DEVICES, whole=True, partition=True
            )
            check(results, program.results, 2e-4)  # sums over devices are taken in another order


def test_shards_are_negated() -> None:
    assert imported(GSPMD) == SHARDY
    np.testing.assert_array_equal(sm.run(GSPMD, X), -X)
    for result in sm.run_grid(GSPMD, (X,), partitions=2):
        np.testing.assert_array_equal(result, -X)
    (whole,) = sm.run_grid(GSPMD, (X,), partitions=2, partition=True, whole=True)
    np.testing.assert_array_equal(whole, -X)
    assert sm.cost(sm.load(GSPMD)).functions["main"].flops == 2
