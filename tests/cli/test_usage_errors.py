"""What people get wrong at the command line, and what they are told: no traceback, ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
DOUBLE = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
# Command lines in a directory with these files, the exit code, and what the message says.
FILES = {
    "m.mlir": DOUBLE,
    "bad.mlir": DOUBLE.replace("add %x, %x :", "concatenate %x, dim = 1 : (tensor<3xf32>) ->"),
}
MISTAKES = (
    ("run ", 2, "the name of a program is empty"),
    ("run m.mlir --threads=x", 2, "'x' is not a valid whole number"),
    ("run m.mlir --atol=x", 2, "'x' is not a valid number"),
    ("run m.mlir --grid=1000000x1", 2, "at most 999999 replicas"),
    ("run m.mlir m.mlir --input=1", 2, "(%arg0) of main in process (0,1) is missing"),
    ("profile bad.mlir", 3, "stablehlo.concatenate C4"),
    ("opt m.mlir --foo", 2, "stablemate opt --list-passes lists them"),
    ("opt m.mlir --list-pases", 2, "No such option '--list-pases'"),
    ("opt m.mlir --cs", 2, "did you mean cse?"),
    ("opt m.mlir --cse --print-after=inline", 2, "cannot print after inline: the passes are cse"),
    ("opt m.mlir --stablehlo-refine-arguments=types=foo", 2, "types cannot be 'foo': expected a"),
    ("refine m.mlir --types=tensor<f32>,tensor<f32>", 2, "expected 1, not 2"),
    ("trace m.mlir --input=1 --line=3-2", 2, "'3-2' holds no line"),
    ("trace m.mlir --input=1 --save=bad.mlir", 2, "cannot write bad.mlir: bad.mlir is a file"),
    ("trace m.mlir --input=1 --save=bad.mlir/x", 2, "bad.mlir is a file"),
    ("trace m.mlir --input=1 --save=no/x.npz", 2, "there is no directory"),
    ("trace m.mlir --input=1 --op=sub", 0, "nothing passed --op='sub'; there are stablehlo.add in"),
    ("compare missing.json missing.json", 2, "cannot read missing.json: no such file"),
    ("compare . .", 2, ". is a folder with 2 programs"),
    ("dbg m.mlir --input=1 --backend=cpu", 2, "No such option '--backend'"),
    ("reduce m.mlir --check=false --match=(", 2, "--match '(' is no expression"),
    ("reduce m.mlir --check=no-such-tool", 2, "the shell cannot run the command"),
    ("reduce m.mlir --check=true", 0, "the command exits with 0"),
    ("explain dot_general C99", 2, "stablehlo.dot_general has no rule 'C99'"),
    ("explain f32[2,3", 2, "<shape>:1:8"),
    ("check -", 3, "error: <stdin>: expected a program"),
    ("view m.mlir --overlay=cost", 0, "overlays color the page"),
)  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the files, which is the current one."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("line", "code", "message"), MISTAKES, ids=lambda item: str(item)[:60])
@pytest.mark.usefixtures("here")
def test_mistakes_are_answered(line: str, code: int, message: str, stablemate: Invoke) -> None:
    done = stablemate(*line.split(" "))
    assert done.exit_code == code, done.output
    assert message in done.output
    assert "Traceback" not in done.output
    assert "internal error" not in done.output


@pytest.mark.usefixtures("here")
def test_passes_need_not_be_verified(stablemate: Invoke) -> None:
    refused = stablemate("opt", "bad.mlir", "--inline", "--generic")
    assert refused.exit_code == 3
    done = stablemate("opt", "bad.mlir", "--inline", "--no-verify-each", "--generic")
    assert done.exit_code == 0, done.output
    assert "stablehlo.concatenate" in done.stdout


@pytest.mark.usefixtures("here")
def test_a_proto_is_called_by_its_file(stablemate: Invoke) -> None:
    assert stablemate("convert", "m.mlir", "m.pb").exit_code == 0
    assert stablemate("info", "m.pb").stdout.startswith("m.pb: hlo_proto, ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full disk at hand")
@pytest.mark.parametrize("verb", ["run m.mlir --input=1", "convert m.mlir -", "info m.mlir"])
def test_a_full_disk_is_an_error(verb: str, here: Path) -> None:
    done = shell(f"{verb} > /dev/full", here)
    assert done.returncode == 4, done
    assert "no space left on device" in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes stdin")
def test_a_closed_stdin_is_an_empty_one(here: Path) -> None:
    done = shell("run - --input=1 <&-", here)
    assert done.returncode == 3, done
    assert "found an empty text" in done.stderr
    done = shell("dbg m.mlir --input=1 <&-", here)
    assert done.returncode == 0, done


def shell(line: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """What a command does that a shell starts."""
    return subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m stablemate {line}'],
        cwd=directory, env=ENVIRONMENT, capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
