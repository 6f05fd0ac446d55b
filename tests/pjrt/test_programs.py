"""Programs as the client compiles them, without JAX."""

from __future__ import annotations

import warnings
from pathlib import Path

from stablemate.api.loading import load
from stablemate.pjrt.options.compile_options import PjrtCompileOptions
from stablemate.pjrt.options.xla_dumps import ProgramDumps
from stablemate.pjrt.programs import DeviceProgram

BETWEEN_ORDERS = """
sdy.mesh @permuted = <["x"=2, "y"=2], device_ids=[3, 1, 0, 2]>
sdy.mesh @usual = <["a"=2, "b"=2]>
func.func public @main(
    %a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@permuted, [{"x"}, {"y"}]>}) -> (
    tensor<4x4xf32> {jax.result_info = "result",
    sdy.sharding = #sdy.sharding<@usual, [{"a"}, {"b"}]>}) {
  return %a : tensor<4x4xf32>
}
"""


def options(partitions: int, dumps: ProgramDumps) -> PjrtCompileOptions:
    devices = [*range(partitions)]
    return PjrtCompileOptions(b"", 1, partitions, True, False, devices, dumps)


def test_text_names_devices_in_order_of_mesh() -> None:
    # jaxlib before 0.9 reads from the text of a program which device has which shard.
    program = DeviceProgram(
        BETWEEN_ORDERS.encode(), "mlir", options(4, ProgramDumps.of_options({}))
    )
    code, _ = program.optimized
    text = str(load(code))
    assert 'mhlo.spmd_parameters_shardings = ["{devices=[2,2]3,1,0,2}"]' in text
    assert 'mhlo.spmd_output_sharding = "{devices=[2,2]<=[4]}"' in text


def test_dump_gives_no_warning(tmp_path: Path) -> None:
    dumps = ProgramDumps.of_options({"xla_dump_to": str(tmp_path)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DeviceProgram(BETWEEN_ORDERS.encode(), "mlir", options(4, dumps)).dump()
    assert len([*tmp_path.iterdir()]) == 1
