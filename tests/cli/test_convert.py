"""``stablemate convert``: every pair of formats, versions, and what is refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from click.testing import Result

import stablemate as sm

Invoke = Callable[..., Result]

CONTAINERS: Final = Path(__file__).parent.parent / "formats/jax_export/containers/0.10.2"
PROGRAM: Final = """\
module @net {
  func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %cst = stablehlo.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00], \
[4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
    %0 = stablehlo.add %arg0, %cst : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
"""
TAN: Final = """\
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.tan %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


@pytest.fixture
def net(program: Callable[[str], Path]) -> Path:
    return program(PROGRAM)


def facts(path: Path, stablemate: Invoke) -> dict[str, object]:
    """What info says of a file."""
    document: dict[str, object] = json.loads(stablemate("info", path, "--format=json").stdout)
    return document


@pytest.mark.parametrize("ending", ["mlir", "txt", "mlirbc", "stablehlo", "vhlo", "MLIRBC"])
def test_to_a_format_and_back(ending: str, net: Path, tmp_path: Path, stablemate: Invoke) -> None:
    there, back = tmp_path / f"there.{ending}", tmp_path / "back.mlir"
    for source, target in ((net, there), (there, back)):
        done = stablemate("convert", source, target)
        assert (done.exit_code, done.output) == (0, "")
    assert back.read_text() == PROGRAM


def test_a_conversion_to_the_same_format_changes_no_byte(
    net: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    for ending, options in (("mlirbc", []), ("stablehlo", ["--target=1.9.0"])):
        first, second = tmp_path / f"first.{ending}", tmp_path / f"second.{ending}"
        stablemate("convert", net, first, *options)
        stablemate("convert", first, second)
        assert second.read_bytes() == first.read_bytes()


@pytest.mark.parametrize(
    ("target", "version", "container"),
    [
        ("1.9.0", "1.9.0", 6),
        ("4 weeks", "1.18.0", 6),
        ("12 weeks", "1.16.2", 6),
        ("max", "0.9.0", 0),
        ("newest", "1.20.0", 6),
    ],
)
def test_the_target_of_an_artifact(
    target: str, version: str, container: int, net: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    out = tmp_path / "out.stablehlo"
    assert stablemate("convert", net, out, "--target", target).exit_code == 0
    facts_result = facts(out, stablemate)
    assert (facts_result["format"], facts_result["stablehlo_version"]) == ("artifact", version)
    assert facts_result["bytecode_version"] == container


@pytest.mark.parametrize("version", range(7))
def test_the_version_of_bytecode(
    version: int, net: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    out = tmp_path / "out.mlirbc"
    assert stablemate("convert", net, out, f"--bytecode-version={version}").exit_code == 0
    assert facts(out, stablemate)["bytecode_version"] == version


def test_an_artifact_becomes_bytecode_that_is_none(
    net: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    artifact, out = tmp_path / "a.stablehlo", tmp_path / "out.mlirbc"
    stablemate("convert", net, artifact)
    stablemate("convert", artifact, out)
    facts_result = facts(out, stablemate)
    assert (facts_result["format"], facts_result["producer"]) == ("bytecode", "stablemate")
    assert facts_result["stablehlo_version"] is None


def test_an_artifact_as_it_was_written(net: Path, tmp_path: Path, stablemate: Invoke) -> None:
    artifact = tmp_path / "a.stablehlo"
    stablemate("convert", net, artifact)
    text = stablemate("convert", artifact, "-", "--vhlo").stdout
    assert '"vhlo.add_v1"' in text
    again = stablemate("convert", artifact, "-", "--vhlo", "--to=bytecode").stdout_bytes
    assert again == artifact.read_bytes()


def test_pipes(net: Path, stablemate: Invoke) -> None:
    assert stablemate("convert", "-", "-", stdin=PROGRAM).stdout == PROGRAM
    generic = stablemate("convert", net, "-", "--to=generic").stdout
    assert '"stablehlo.add"(' in generic
    bytecode = stablemate("convert", net, "-", "--bytecode-version=3").stdout_bytes
    assert bytecode[:5] == b"ML\xefR\x07"  # the number 3 as bytecode writes it
    artifact = stablemate("convert", "-", "-", "--target=1.9.0", stdin=bytecode).stdout_bytes
    assert b"StableHLO_v1.9.0" in artifact[:40]
    assert stablemate("convert", "-", "-", stdin=artifact).stdout == PROGRAM


def test_locations_stay_when_asked_for(program: Callable[[str], Path], stablemate: Invoke) -> None:
    path = program(
        'func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  return %a : tensor<f32> loc("x")\n}\n'
    )
    bytecode = stablemate("convert", path, "-", "--to=bytecode").stdout_bytes
    assert "loc(" not in stablemate("convert", "-", "-", stdin=bytecode).stdout
    assert 'loc("x")' in stablemate("convert", "-", "-", "--debug-info", stdin=bytecode).stdout


# ---- containers of jax.export


@pytest.mark.parametrize("path", sorted(CONTAINERS.iterdir()), ids=lambda path: path.stem)
def test_a_container_keeps_its_bytes_and_gives_its_program(
    path: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    same, text, artifact = (tmp_path / f"out.{name}" for name in ("jax_export", "mlir", "vhlo"))
    assert stablemate("convert", path, same).exit_code == 0
    assert same.read_bytes() == path.read_bytes()
    assert stablemate("convert", path, text).exit_code == 0
    assert stablemate("convert", path, artifact, "--mixed").exit_code == 0
    assert facts(artifact, stablemate)["stablehlo_version"] == "1.15.0"  # as in the container
    assert sm.load(artifact).to_text() == sm.load(text).to_text()


def test_only_a_container_becomes_one(net: Path, tmp_path: Path, stablemate: Invoke) -> None:
    done = stablemate("convert", net, tmp_path / "out.jax_export")
    assert done.exit_code == 2
    assert "only a program that was read from jax.export" in done.stderr
    assert not (tmp_path / "out.jax_export").exists()


# ---- what is refused


def test_what_a_version_lacks(
    program: Callable[[str], Path], tmp_path: Path, stablemate: Invoke
) -> None:
    path, out = program(TAN), tmp_path / "out.stablehlo"
    done = stablemate("convert", path, out, "--target=1.0.0")
    assert done.exit_code == 4
    assert (
        "2:8: error: stablehlo.tan: StableHLO 1.0.0 cannot express this; 1.4.0 can" in done.stderr
    )
    assert "note: write StableHLO 1.4.0 or later" in done.stderr
    assert "note: --expand writes it in operations that the target knows" in done.stderr
    assert not out.exists()
    assert stablemate("convert", path, out, "--target=1.0.0", "--expand").exit_code == 0
    assert "stablehlo.tan" not in sm.load(out).to_text()


def test_locations_of_the_text(tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n"
    )
    plain = stablemate("convert", path, "-", "--to=text", "--debug-info")
    assert "f.mlir" not in plain.stdout
    done = stablemate("convert", path, "-", "--to=text", "--debug-info", "--text-locations")
    assert done.exit_code == 0
    assert f'loc("{path}":2:3)' in done.stdout


def test_shardings_need_a_mixed_artifact(tmp_path: Path, stablemate: Invoke) -> None:
    out = tmp_path / "out.stablehlo"
    done = stablemate("convert", CONTAINERS / "sharded.bin", out)
    assert done.exit_code == 4
    assert "sdy.sharding" in done.stderr
    assert "note: --mixed keeps operations of other dialects and their attributes" in done.stderr
    assert stablemate("convert", CONTAINERS / "sharded.bin", out, "--mixed").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["out.bc"], ".bc may be either of them: say --to=bytecode or --to=artifact"),
        (["out"], "what is out?"),
        (["out.mlir", "--target=1.9.0"], "--target is for artifact, but text is to be written"),
        (["out.stablehlo", "--bytecode-version=3"], "--bytecode-version is for bytecode"),
        (["out.mlirbc", "--debug-info"], "--debug-info is for text or generic"),
        (["out.mlirbc", "--bytecode-version=7"], "7 is not in the range"),
        (["out.stablehlo", "--target=2.0.0"], "the newest version known here is 1.20.0"),
        (["out.stablehlo", "--target=0.8.0"], "artifacts begin with version 0.9.0"),
        (["out.stablehlo", "--target=soon"], "expected a version such as 1.9.0, or 'newest'"),
        (["no/such/out.mlir"], "cannot write no/such/out.mlir"),
    ],
    ids=" ".join,
)
def test_wrong_usage(
    arguments: list[str],
    message: str,
    net: Path,
    stablemate: Invoke,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(net.parent)
    done = stablemate("convert", net, *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert sorted(net.parent.iterdir()) == [net]


def test_a_failure_leaves_the_old_file(
    net: Path, program: Callable[..., Path], tmp_path: Path, stablemate: Invoke
) -> None:
    out = tmp_path / "out.stablehlo"
    stablemate("convert", net, out)
    before = out.read_bytes()
    broken = program("func.func @main() -> tensor<f32> {\n  return\n}\n", "broken.mlir")
    assert stablemate("convert", broken, out).exit_code == 3
    assert stablemate("convert", program(TAN, "tan.mlir"), out, "--target=1.0.0").exit_code == 4
    assert out.read_bytes() == before
    assert not list(tmp_path.glob(".*.tmp"))


@pytest.mark.parametrize("ending", ["mlirbc", "stablehlo"])
def test_in_place(ending: str, net: Path, tmp_path: Path, stablemate: Invoke) -> None:
    path = tmp_path / f"model.{ending}"
    stablemate("convert", net, path)
    assert stablemate("convert", path, path, "--to=text").exit_code == 0
    assert path.read_text() == PROGRAM


# ---- damaged input, in every format


@pytest.mark.parametrize(
    ("ending", "named"),
    [
        ("mlirbc", "was read as MLIR bytecode"),
        ("stablehlo", "was read as a portable artifact, written by StableHLO_v1.16.2"),
        ("bin", "was read as a container of jax.export"),
    ],
)
@pytest.mark.parametrize("verb", ["convert", "info", "fmt", "check", "run", "refine"])
def test_a_truncated_file_is_refused_by_its_format(
    ending: str, named: str, verb: str, net: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    path = tmp_path / f"model.{ending}"
    if ending == "bin":
        path.write_bytes((CONTAINERS / "tree.bin").read_bytes())
    else:
        stablemate("convert", net, path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    out = [tmp_path / "out.mlir"] if verb == "convert" else []
    done = stablemate(verb, path, *out)
    assert done.exit_code == 3
    assert named in done.output
    assert str(path) in done.output


@pytest.mark.parametrize("ending", ["mlir", "mlirbc", "stablehlo"])
def test_every_verb_takes_every_format(
    ending: str, net: Path, tmp_path: Path, stablemate: Invoke
) -> None:
    path = tmp_path / f"model.{ending}"
    stablemate("convert", net, path, *(["--to=text"] if ending == "mlir" else []))
    assert stablemate("fmt", path).stdout == PROGRAM
    assert stablemate("refine", path).stdout == PROGRAM
    assert stablemate("check", path).exit_code == 0
    assert stablemate("run", path, "--input=1").stdout == "2x3xf32=[2 3 4][5 6 7]\n"


def test_the_format_can_be_stated(net: Path, tmp_path: Path, stablemate: Invoke) -> None:
    assert stablemate("convert", net, tmp_path / "a.mlirbc", "--from=mlir").exit_code == 0
    done = stablemate("convert", net, tmp_path / "b.mlirbc", "--from=jax_export")
    assert done.exit_code == 3
    assert "was read as a container of jax.export" in done.stderr
    done = stablemate("convert", tmp_path / "a.mlirbc", "-", "--from=mlir")
    assert done.exit_code == 3
    assert "is not text" in done.stderr
