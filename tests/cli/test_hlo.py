"""The command line on HLO: run, check, info, fmt, convert, explain, profile."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from click.testing import Result

import stablemate as sm

Invoke = Callable[..., Result]

TRANSPOSED: Final = """\
HloModule transposed, entry_computation_layout={(f32[2,3]{0,1})->f32[2,3]{0,1}}

double {
  p = f32[2,3]{1,0} parameter(0)
  ROOT twice = f32[2,3]{1,0} add(p, p), metadata={op_name="twice"}
}

ENTRY main {
  x = f32[2,3]{1,0} parameter(0)
  c = f32[2,3]{1,0} call(x), to_apply=double
  ROOT y = f32[2,3]{1,0} add(c, x)
}
"""


@pytest.fixture
def file(program: Callable[..., Path]) -> Path:
    return program(TRANSPOSED, "program.hlo")


def test_run_prints_the_results(file: Path, stablemate: Invoke) -> None:
    done = stablemate("run", file, "--input=2x3xf32=[1 2 3][4 5 6]")
    assert done.exit_code == 0, done.output
    assert "[3 6 9][12 15 18]" in done.stdout


def test_run_of_another_computation(file: Path, stablemate: Invoke) -> None:
    done = stablemate("run", file, "--entry=double", "--input=2x3xf32=[1 2 3][4 5 6]")
    assert "[2 4 6][8 10 12]" in done.stdout
    done = stablemate("run", file, "--entry=triple", "--input=2")
    assert done.exit_code == 2
    assert "no computation is called 'triple'" in done.stderr


def test_raw_files_are_buffers_in_the_layout(
    file: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    x = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    raw, out = tmp_path / "x.bin", tmp_path / "y.bin"
    raw.write_bytes(x.tobytes(order="F"))
    done = stablemate("run", file, f"--input=@{raw}", f"--output=@{out}")
    assert done.exit_code == 0, done.output
    assert out.read_bytes() == (3 * x).tobytes(order="F")
    rows = "--layout=(f32[2,3]{1,0})->f32[2,3]{1,0}"
    raw.write_bytes(x.tobytes())
    assert stablemate("run", file, rows, f"--input=@{raw}", f"--output=@{out}").exit_code == 0
    assert out.read_bytes() == (3 * x).tobytes()


def test_layouts_of_other_shapes_are_refused(file: Path, stablemate: Invoke) -> None:
    done = stablemate("run", file, "--layout=(f32[2,4])->f32[2,3]", "--input=2")
    assert done.exit_code == 2
    done = stablemate("run", file, "--layout=(f32[2,4]", "--input=2")
    assert done.exit_code == 2
    assert "expected" in done.stderr


def test_layouts_are_for_hlo(add: Path, stablemate: Invoke) -> None:
    done = stablemate("fmt", add, "--layout=(f32[2,3])->f32[2,3]")
    assert done.exit_code == 2
    assert "--layout is for HLO" in done.stderr


def test_check_names_line_and_rule(program: Callable[..., Path], stablemate: Invoke) -> None:
    wrong = program(TRANSPOSED.replace("ROOT y = f32[2,3]", "ROOT y = f32[3,2]"), "wrong.hlo")
    done = stablemate("check", wrong, "--format=json")
    assert done.exit_code == 3
    document = json.loads(done.stdout)
    assert document[0]["line"] == 11
    assert document[0]["rule"]


def test_check_accepts_a_valid_module(file: Path, stablemate: Invoke) -> None:
    done = stablemate("check", file)
    assert (done.exit_code, done.stdout) == (0, "")


def test_info_tells_layouts_and_opcodes(file: Path, stablemate: Invoke) -> None:
    text = stablemate("info", file).stdout
    assert "entry computation layout = (f32[2,3]{0,1})->f32[2,3]{0,1}" in text
    assert "2  add" in text
    facts = json.loads(stablemate("info", file, "--format=json").stdout)
    assert facts["format"] == "hlo"
    assert facts["operations"] == {"add": 2, "parameter": 2, "call": 1}


def test_fmt_is_a_fixed_point(file: Path, stablemate: Invoke) -> None:
    assert stablemate("fmt", file, "-i", "--debug-info").exit_code == 0
    text = file.read_text()
    assert "metadata=" in text
    assert stablemate("fmt", file, "--check", "--debug-info").exit_code == 0
    assert stablemate("fmt", file, "--check").exit_code == 1
    assert "metadata=" not in stablemate("fmt", file).stdout


def test_convert_goes_round_through_every_format(
    file: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    source = file
    for name in ("a.pb", "b.hlo", "c.mlir", "d.hlo", "e.mlirbc", "f.pb", "g.stablehlo", "h.hlo"):
        target = tmp_path / name
        done = stablemate("convert", source, target)
        assert (done.exit_code, done.output) == (0, ""), name
        source = target
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(sm.load(source).run(x), 3 * x)


def test_explain_names_each_part(stablemate: Invoke) -> None:
    done = stablemate("explain", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}")
    assert done.exit_code == 0
    for part in ("bf16", "T(8,128)", "(2,1)", "VMEM"):
        assert part in done.stdout
    assert stablemate("explain", "f32[2,").exit_code == 2  # an argument, not a program
    page = json.loads(stablemate("explain", "f32[2]{0}", "--format=json").stdout)
    assert page["sections"][0]["rows"][0]["name"] == "f32"


def test_profile_and_emit_take_hlo(file: Path, stablemate: Invoke) -> None:
    assert stablemate("profile", file, "--random-seed=0").exit_code == 0
    assert "add" in stablemate("emit", file, "module").stdout
