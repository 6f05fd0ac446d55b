"""``stablemate emit``: stages as text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

import stablemate as sm
from stablemate.cli.verbs.transform.emit import STAGES
from stablemate.compiler.pipeline import EMITTERS

Invoke = Callable[..., Result]

PROGRAM = """
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = chlo.square %x : tensor<8xf32> -> tensor<8xf32>
  %1 = stablehlo.add %0, %x : tensor<8xf32>
  return %1 : tensor<8xf32>
}
"""
OPEN_FACTOR = """
func.func @main(%x: tensor<?x4x4xbf16>) -> tensor<?x4x4xbf16> {
  %r = stablehlo.cholesky %x, lower = true : tensor<?x4x4xbf16>
  return %r : tensor<?x4x4xbf16>
}"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text(PROGRAM)
    return path


def test_the_stages_are_those_of_the_compiler() -> None:
    assert tuple(EMITTERS) == STAGES


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_is_printed(stage: str, program: Path, stablemate: Invoke) -> None:
    done = stablemate("emit", program, stage)
    assert (done.exit_code, done.stderr) == (0, "")
    assert (
        done.stdout == sm.compile(sm.load(program), backend="cpu").emit(stage).rstrip("\n") + "\n"
    )


def test_the_module_has_the_operations_that_are_compiled(program: Path, stablemate: Invoke) -> None:
    module = sm.load(stablemate("emit", program, "module").stdout)
    names = [operation.name for operation in module.operation.walk()]
    assert names == [
        "builtin.module",
        "func.func",
        "stablehlo.multiply",
        "stablehlo.add",
        "func.return",
    ]


def test_stages_of_a_program_with_open_sizes_name_them(tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / "open.mlir"
    path.write_text(PROGRAM.replace("8x", "?x"))
    done = stablemate("emit", path, "plan")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("# n0: size 0 of argument 0")


def test_a_program_that_is_not_compiled_has_no_stages(tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / "open.mlir"
    path.write_text(OPEN_FACTOR)
    done = stablemate("emit", path, "plan")
    assert done.exit_code != 0
    assert "compiled when it is called" in done.stderr


def test_what_jax_exported_has_stages(tmp_path: Path, stablemate: Invoke) -> None:
    import jax
    import jax.numpy as jnp
    from jax import export

    exported = export.export(jax.jit(jnp.tanh), platforms=("cpu",))
    path = tmp_path / "a.jax_export"
    path.write_bytes(exported(jax.ShapeDtypeStruct((8,), jnp.float32)).serialize())
    done = stablemate("emit", path, "module")
    assert done.exit_code == 0, done.output
    assert "stablehlo.tanh" in done.stdout


def test_a_page_shows_all_stages(program: Path, tmp_path: Path, stablemate: Invoke) -> None:
    page = tmp_path / "stages.html"
    done = stablemate("emit", program, "--html", "-o", page)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert page.read_text("utf-8") == stablemate("emit", program, "--html").stdout
    data = re.search(r'id="program">(.*?)</script>', page.read_text("utf-8"))
    assert data is not None
    document = json.loads(data[1])
    assert [stage["name"] for stage in document["stages"]] == list(STAGES)
    assert document["title"] == "program.mlir"


def test_a_stage_is_written_to_a_file(program: Path, tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / "plan.txt"
    assert stablemate("emit", program, "plan", "-o", path).stdout == ""
    assert path.read_text() == stablemate("emit", program, "plan").stdout


def test_a_stage_or_the_page(program: Path, tmp_path: Path, stablemate: Invoke) -> None:
    both = stablemate("emit", program, "plan", "--html")
    assert both.exit_code == 2
    assert "--html shows all stages: it takes none" in both.stderr
    neither = stablemate("emit", program)
    assert neither.exit_code == 2
    assert "a stage is missing, or --html" in neither.stderr
    nowhere = stablemate("emit", program, "--html", "-o", tmp_path / "missing" / "page.html")
    assert nowhere.exit_code == 2
    assert "cannot write" in nowhere.stderr
