"""``stablemate diff`` and ``stablemate fingerprint``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Invoke = Callable[..., Result]


def test_no_difference(add: Path, stablemate: Invoke) -> None:
    done = stablemate("diff", add, add)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")


def test_a_difference(add: Path, program: Callable[[str, str], Path], stablemate: Invoke) -> None:
    other = program(add.read_text().replace("stablehlo.add", "stablehlo.power"), "other.mlir")
    done = stablemate("diff", add, other)
    assert done.exit_code == 1
    assert done.stdout == (
        f"--- {add}\n"
        f"+++ {other}\n"
        "1 changed\n"
        "main (1 -> 1)\n"
        "  ~      2 -> 2  %0 = stablehlo.power %a, %b : tensor<2x3xf32>\n"
        "                   operation: stablehlo.add -> stablehlo.power\n"
    )
    assert "\x1b[33m" in stablemate("diff", add, other, "--color=always").stdout
    done = stablemate("diff", add, other, "--quiet")
    assert (done.exit_code, done.stdout) == (1, "")
    done = stablemate("diff", add, other, "--format=json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["equal"] is False


def test_files_of_every_format_are_named(
    add: Path, program: Callable[[str, str], Path], tmp_path: Path, stablemate: Invoke
) -> None:
    text = program(add.read_text().replace("stablehlo.add", "stablehlo.power"), "other.mlir")
    for name in ("a.mlirbc", "a.stablehlo", "a.hlo", "a.pb"):
        path = tmp_path / name
        assert stablemate("convert", text, path).exit_code == 0
        for a, b in ((add, path), (path, add)):
            lines = stablemate("diff", a, b).stdout.splitlines()
            assert lines[:2] == [f"--- {a}", f"+++ {b}"]


def test_formats_do_not_count(add: Path, tmp_path: Path, stablemate: Invoke) -> None:
    paths = [tmp_path / name for name in ("a.mlirbc", "a.stablehlo", "a.hlo")]
    for path in paths:
        assert stablemate("convert", add, path).exit_code == 0
        assert stablemate("diff", add, path).exit_code == 0
    done = stablemate("fingerprint", add, *paths)
    digests = [line.split("  ")[0] for line in done.stdout.splitlines()]
    assert digests[0] == digests[1] == digests[2] != digests[3]


def test_fingerprints(add: Path, stablemate: Invoke) -> None:
    done = stablemate("fingerprint", add)
    digest, name = done.stdout.rstrip("\n").split("  ")
    assert (len(digest), name) == (32, str(add))
    functions = stablemate("fingerprint", add, "--functions").stdout
    assert functions.endswith(f"  {add}:main\n")
    (stored,) = json.loads(stablemate("fingerprint", add, "--format=json").stdout)
    assert stored["program"] == digest
    assert stored["functions"]["main"] == functions[:32]
    other = json.loads(
        stablemate("fingerprint", add, "--format=json", "--ignore=constants").stdout
    )[0]
    assert (other["program"], other["ignored"]) == (digest, ["constants"])


def test_files_that_are_no_programs(add: Path, tmp_path: Path, stablemate: Invoke) -> None:
    broken = tmp_path / "broken.mlir"
    broken.write_text("func.func @main(\n")
    assert stablemate("diff", add, broken).exit_code == 3
    assert stablemate("fingerprint", broken).exit_code == 3
    assert stablemate("diff", add, tmp_path / "absent").exit_code == 2


def test_a_long_difference_begins_with_a_summary(
    program: Callable[..., Path], stablemate: Invoke
) -> None:
    """What was removed and inserted is counted by operation, and by function."""

    def text(bodies: list[str]) -> str:
        head = "(%x: tensor<4xf32>) -> tensor<4xf32>"
        return "\n".join(
            f"func.func @f{i}{head} {{\n{body}\n  return %r : tensor<4xf32>\n}}"
            for i, body in enumerate(bodies)
        )

    a = program(text(["  %a = stablehlo.tanh %x : tensor<4xf32>\n"
                      "  %b = stablehlo.sine %a : tensor<4xf32>\n"
                      "  %r = stablehlo.sine %b : tensor<4xf32>"] * 2), "a.mlir")  # fmt: skip
    b = program(text(["  %r = stablehlo.tanh %x : tensor<4xf32>"] * 2), "b.mlir")
    lines = stablemate("diff", a, b).stdout.splitlines()
    assert lines[:5] == [
        f"--- {a}",
        f"+++ {b}",
        "4 removed, 2 changed",
        "  removed: 4 stablehlo.sine",
        "  changed: 2 func.return",
    ]
    assert lines[5] == "  in 2 functions: f0 (3), f1 (3)"
