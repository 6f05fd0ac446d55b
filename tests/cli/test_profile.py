"""``stablemate profile``: the table and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import Result

import stablemate as sm
from tests.cli.terminal import in_terminal

Invoke = Callable[..., Result]


# Programs have enough elements for a clock that ticks once a microsecond to see that it takes time.
@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.mlir"
    path.write_text("""
func.func @main(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  %0 = stablehlo.add %x, %x : tensor<65536xf32>
  return %0 : tensor<65536xf32>
}
""")
    return path


def test_the_table_has_a_row_a_kernel(program: Path, stablemate: Invoke) -> None:
    done = stablemate("profile", program, "--input=1", "--threads=1", "--runs=1")
    assert done.exit_code == 0, done.output
    head, row, _, first, second, _, *picture = done.stdout.splitlines()
    names = ["ms", "share", "count", "GB/s", "GFLOP/s", "roof", "kernel", "computes", "source"]
    assert head.split() == names
    assert row.split()[-4:] == ["k1", "add", "line", "3"]
    assert first.startswith("A run takes ")
    assert second.startswith("With 1 thread this machine moves at most ")
    assert picture[0] == "GFLOP/s"
    assert picture[-1].endswith("of the roof  k1 stablehlo.add:3") or "caches" in picture[-1]


def test_json_has_everything(program: Path, stablemate: Invoke) -> None:
    done = stablemate("profile", program, "--random-seed=0", "--format=json", "--runs=2")
    document = json.loads(done.stdout)
    (row,) = document["rows"]
    assert document["runs"] == 2
    source = {"name": "stablehlo.add", "line": 3, "file": "", "place": "", "scope": []}
    assert row["operations"] == [source]
    (operation,) = document["operations"]
    assert operation["operation"] == source
    assert operation["alone"]
    assert operation["seconds"] == row["seconds"]
    assert (row["turns"], row["bytes"], row["flops"]) == (1, 524_288, 65_536)
    assert document["peaks"].keys() == {"threads", "bytes_per_second", "flops_per_second"}


def test_a_missing_argument_is_said(program: Path, stablemate: Invoke) -> None:
    done = stablemate("profile", program)
    assert done.exit_code == 2
    assert "argument 0" in done.stderr


SHARED = """
func.func @main(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  %0 = stablehlo.add %x, %x : tensor<65536xf32>
  %1 = stablehlo.tanh %0 : tensor<65536xf32>
  return %1 : tensor<65536xf32>
}
"""


def test_operations_that_share_a_kernel_have_parts_of_it(
    tmp_path: Path, stablemate: Invoke
) -> None:
    path = tmp_path / "shared.mlir"
    path.write_text(SHARED)
    options = (path, "--input=1", "--runs=1", "--list=1", "--group=line")
    lines = stablemate("profile", *options).stdout.splitlines()
    names = ["ms", "share", "count", "GB/s", "GFLOP/s", "roof", "line", "computes", "source"]
    assert lines[0].split() == names
    assert lines[1].split()[-4:] == ["stablehlo.tanh:4", "tanh", "line", "4"]
    assert lines[2].startswith("and 1 more: ")
    assert lines[3] == (
        "times of operations in one kernel are parts of its time, by how much work they are"
    )


# The last product has COLUMNS columns: with few of them it takes less time than the others.
LAYERS = """
func.func @main(%x: tensor<256x256xf32>, %w: tensor<256xCOLUMNSxf32>) -> tensor<256xCOLUMNSxf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> loc(#l0)
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0]
    : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> loc(#l1)
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0]
    : (tensor<256x256xf32>, tensor<256xCOLUMNSxf32>) -> tensor<256xCOLUMNSxf32> loc(#l2)
  return %2 : tensor<256xCOLUMNSxf32>
}
#l0 = loc("jit(f)/transpose(jvp(h_0))/dot_general"("net.py":7:3))
#l1 = loc("jit(f)/h_1/dot_general"("net.py":7:3))
#l2 = loc("jit(f)/head/dot_general"("net.py":9:3))
"""


@pytest.mark.parametrize(
    ("group", "rows"),
    [
        ("kernel", ["2 x k2 dot_general net.py:", "k1 dot_general net.py:"]),
        ("layer", ["2 x h_* dot_general net.py:7:3", "head dot_general net.py:9:3"]),
        ("module", ["h_0 dot_general net.py:7:3", "h_1 dot_general net.py:7:3",
                    "head dot_general net.py:9:3"]),
        ("line", ["net.py:7 dot_general net.py:7:3", "net.py:9 dot_general net.py:9:3"]),
        ("operation", ["stablehlo.dot_general net.py:7:3 and 1 other"]),
    ],
)  # fmt: skip
def test_groups(group: str, rows: list[str], tmp_path: Path, stablemate: Invoke) -> None:
    """Kernels of equal code, scopes that differ in numbers, lines of the user's source."""
    path = tmp_path / "layers.mlir"
    path.write_text(LAYERS.replace("COLUMNS", "256" if group == "kernel" else "16"))
    done = stablemate("profile", path, "--random-seed=0", "--runs=5", f"--group={group}")
    assert done.exit_code == 0, done.output
    table = done.stdout.partition("\n\n")[0].splitlines()[1:]
    shown = [" ".join(line.split()[6:]) for line in table]
    if group == "kernel":  # which of two equal kernels takes longer is not known
        shown = [line[: line.index(":") + 1] for line in shown]
    assert sorted(shown) == sorted(rows)


def test_a_program_without_scopes_says_so(program: Path, stablemate: Invoke) -> None:
    done = stablemate("profile", program, "--input=1", "--runs=1", "--group=layer")
    assert "\nthe program names no scopes: jax.named_scope, modules of Flax" in done.stdout


def test_the_roofline_is_a_picture_by_itself(
    program: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    picture = tmp_path / "roofline.svg"
    done = stablemate("profile", program, "--input=1", "--runs=1", f"--output={picture}")
    assert done.exit_code == 0, done.output
    root = ElementTree.parse(picture).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "http" not in picture.read_text().replace("http://www.w3.org/2000/svg", "")
    titles = [item.text or "" for item in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == 1
    assert titles[0].startswith("k1 stablehlo.add:3: ")


def test_a_picture_that_cannot_be_written_is_refused_first(
    program: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    done = stablemate("profile", program, "--input=1", f"--output={tmp_path / 'no' / 'a.svg'}")
    assert done.exit_code == 2
    assert "there is no directory" in done.stderr


def test_every_format_has_a_profile(program: Path, tmp_path: Path, stablemate: Invoke) -> None:
    module = sm.load(program)
    (tmp_path / "a.mlirbc").write_bytes(module.to_bytecode())
    (tmp_path / "a.vhlo").write_bytes(module.to_artifact())
    (tmp_path / "a.hlo").write_text(module.to_hlo().to_text())
    (tmp_path / "a.pb").write_bytes(module.to_hlo().to_proto())
    for name in ("a.mlirbc", "a.vhlo", "a.hlo", "a.pb"):
        done = stablemate("profile", tmp_path / name, "--input=1", "--runs=1", "--format=json")
        assert done.exit_code == 0, done.output
        (row,) = json.loads(done.stdout)["rows"]
        (operation,) = row["operations"]
        assert operation["name"] == "stablehlo.add"
        assert (operation["line"] is None) == (name != "a.hlo"), name
        assert (row["flops"], row["bytes"]) == (65_536, 524_288)


def test_what_jax_exported_has_a_profile(tmp_path: Path, stablemate: Invoke) -> None:
    import jax
    import jax.numpy as jnp
    from jax import export

    exported = export.export(jax.jit(lambda x: jnp.tanh(x) + 1), platforms=("cpu",))
    path = tmp_path / "a.jax_export"
    path.write_bytes(exported(jax.ShapeDtypeStruct((8,), jnp.float32)).serialize())
    done = stablemate("profile", path, "--random-seed=0", "--runs=1", "--format=json")
    assert done.exit_code == 0, done.output
    (row,) = json.loads(done.stdout)["rows"]
    names = [operation["name"] for operation in row["operations"]]
    assert "stablehlo.tanh" in names
    # places are those of the Python program, which is this file
    assert all(Path(__file__).name in operation["file"] for operation in row["operations"])


@pytest.mark.standard
def test_a_terminal_shows_names_in_bold_unless_it_is_not_to(program: Path) -> None:
    command = ("profile", str(program), "--input=1", "--runs=1")
    code, colored = in_terminal(*command)
    assert code == 0
    assert "\x1b[1m" in colored
    _, bare = in_terminal(*command, environment={"NO_COLOR": "1"})
    assert "\x1b[1m" not in bare  # a spinner may have moved the cursor
    assert "GFLOP/s" in bare
