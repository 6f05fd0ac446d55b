"""``convert`` warns of what a format has no place for; ``diff`` reports it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from click.testing import Result

Invoke = Callable[..., Result]
PROTO: Final = """\
module attributes {
    mhlo.is_dynamic = true, mhlo.use_auto_spmd_partitioning = true, mhlo.num_partitions = 4 : i32,
    mhlo.cross_program_prefetches = [
      #mhlo.cross_program_prefetch<parameter = 0, indices = [], offset = 4>],
    mhlo.spmd_output_sharding = "{replicated}",
    mhlo.spmd_parameters_shardings = ["{devices=[4]<=[4]}"]} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
"""


def test_fields_that_only_protocol_buffers_hold_are_kept_there(
    program: Callable[[str], Path], tmp_path: Path, stablemate: Invoke
) -> None:
    path, proto, back = program(PROTO), tmp_path / "a.pb", tmp_path / "b.mlir"
    done = stablemate("convert", path, proto)
    assert (done.exit_code, done.stderr) == (
        0,
        f"{path}:7:3: warning: the protocol buffer of HLO has no place for num_partitions of the "
        "module: it is left out\n 7 |   func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
        "   |   ^^^^^^^^^ value = 4\n",
    )
    assert stablemate("convert", proto, back).stderr == ""
    text = back.read_text()
    for note in (
        *("mhlo.is_dynamic = true", "mhlo.use_auto_spmd_partitioning = true"),
        "#mhlo.cross_program_prefetch<parameter = 0, indices = [], offset = 4>",
        'mhlo.spmd_output_sharding = "{replicated}"',
        'mhlo.spmd_parameters_shardings = ["{devices=[4]<=[4]}"]',
    ):
        assert note in text
    done = stablemate("convert", path, tmp_path / "a.hlo")
    assert done.stderr.count("warning: HLO text has no place for") == 5
    assert stablemate("convert", "--strict", path, tmp_path / "c.hlo").exit_code == 4
    assert not (tmp_path / "c.hlo").exists()


def test_diff_reports_what_is_lost(
    program: Callable[[str, str], Path], tmp_path: Path, stablemate: Invoke
) -> None:
    text = """module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> tensor<4xf32> {
    %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
      : tensor<4xf32> loc("n")
    %1 = stablehlo.abs %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
"""
    path, hlo = program(text, "a.mlir"), tmp_path / "a.hlo"
    assert stablemate("convert", path, hlo).stderr == ""
    assert stablemate("diff", path, hlo).stdout == ""
    note = 'frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{\\"x\\"}]>"}'
    assert note in hlo.read_text()
    hlo.write_text(hlo.read_text().replace(f", {note}", ""))
    done = stablemate("diff", path, hlo)
    assert done.exit_code == 1
    assert "argument 0: mhlo.frontend_attributes: {xla.sdy.sharding = " in done.stdout
    other = program(text.replace('"n"', '"m"'), "b.mlir")
    assert stablemate("diff", path, other).exit_code == 0
    done = stablemate("diff", "--debug-info", path, other)
    assert done.exit_code == 1
    assert 'location: "n" -> "m"' in done.stdout
