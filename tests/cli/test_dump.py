"""stablemate dump, and other verbs given a folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.dumps.folders import CALLED, MLIR, REPORT, SAVED, write, xla_dump

Invoke = Callable[..., Result]


@pytest.fixture
def dump(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A dump of XLA whose files are equally old, beside which commands run."""
    monkeypatch.chdir(tmp_path)
    folder = xla_dump(Path("dump"))
    for path in folder.rglob("*.*"):
        os.utime(path, (1000, 1000))
    return folder


def test_dump(stablemate: Invoke, dump: Path) -> None:
    result = stablemate("dump", dump)
    assert result.exit_code == 0
    assert result.output == OVERVIEW + "\n" + MODULE


OVERVIEW = """\
dump: XLA for CPU: 1 module, 13 files, 2.9 KiB

module   programs    files  operations    FLOP  read and written  buffers
3 jit_f         5  2.9 KiB          10  1.09 k           1.4 KiB  1.1 KiB

no programs: compiler options (2), LLVM IR (2), buffer assignment (1), live ranges of values (1), \
report of the use of memory (1), object file (1)
"""
MODULE = """\
3 jit_f

before_optimizations -> cpu_after_optimizations
  instructions 4 -> 6, kernels 4 -> 3
  fused: 3 instructions in 1 fusion (1 kLoop)
  added: 1 copy, 1 fusion
  layouts: 1 instruction with another layout: dot f32[8,4]{1,0} -> f32[8,4]{0,1}

memory by buffer: 1.1 KiB: parameters 768 bytes, temporaries 192 bytes, results 128 bytes
    bytes  value               shape           in
512 bytes  x                   f32[8,16]{1,0}  parameters, allocation 0
256 bytes  w                   f32[16,4]{1,0}  parameters, allocation 1
128 bytes  copy                f32[8,4]{1,0}   results, allocation 2
128 bytes  dot                 f32[8,4]{0,1}   temporaries, allocation 4 at 64
 64 bytes  maximum_add_fusion  f32[4,4]{0,1}   temporaries, allocation 4

most expensive kernels
  FLOP  read and written  count  kernel              computes               source
1.02 k         896 bytes      1  dot                 stablehlo.dot_general
    64         256 bytes      1  maximum_add_fusion  4 fused
     0         256 bytes      1  copy                copy

code: LLVM IR (2, 34 bytes); object file (1, 4 bytes)
"""


def test_one_module(stablemate: Invoke, dump: Path) -> None:
    assert stablemate("dump", dump, "--module=jit_f").output == MODULE
    result = stablemate("dump", dump, "--module=jit_g")
    assert result.exit_code == 2
    assert result.output == "error: no module of dump is called 'jit_g': 3 jit_f\n"


def test_stages(stablemate: Invoke, dump: Path) -> None:
    result = stablemate("dump", dump, "--module=3", "--from=1", "--to=cpu", "--list=0")
    assert result.output.startswith(
        "3 jit_f\n\n1 after fusion -> cpu_after_optimizations\n  instructions 6 -> 6, "
        "kernels 3 -> 3\n  fused: 3 instructions in 1 fusion (1 kLoop)\n"
    )


def test_json(stablemate: Invoke, dump: Path) -> None:
    document = json.loads(stablemate("dump", dump, "--format=json").output)
    (module,) = document["modules"]
    assert (module["name"], module["flops"], module["bytes_moved"]) == ("jit_f", 1088, 1408)
    assert document["module"]["changes"]["opcodes"] == {"copy": 1, "fusion": 1}
    assert document["module"]["buffers"]["by_kind"] == {
        "parameters": 768, "temporaries": 192, "results": 128,
    }  # fmt: skip


def test_a_damaged_program_exits_with_3(stablemate: Invoke, dump: Path) -> None:
    path = dump / "module_0003.jit_f.cpu_after_optimizations.txt"
    path.write_text(CALLED.replace("maximum(p, zeros.1)", "maximum(p, zeros.1"))
    result = stablemate("dump", dump)
    assert result.exit_code == 3
    assert "\n3 jit_f: expected ',' or ')', found 'ROOT'\n" in result.output


def test_pytorch_xla(stablemate: Invoke, tmp_path: Path) -> None:
    folder = write(tmp_path / "dump", {"graphs.0": SAVED, "debug.txt": REPORT})
    assert stablemate("dump", folder).output == (
        f"{folder}: PyTorch/XLA: 0 modules, 2 files, 1.1 KiB\n\n"
        "1 graph of PyTorch/XLA, 1 distinct\n"
        "operations  graph                     hash    source\n"
        "         3  ScheduleSyncTensorsGraph  c0ffee  me/train.py:48\n\n"
        "debug.txt: 1 execution\n"
        "1 compilation because of: mark_step in parallel loader at step end\n"
        "Graph input size: 1.548000 GB\n"
        "Intermediate tensor size: 12.124478 GB\n"
        "2 compilations took 65.2 s\n\n"
        "no programs: compilation report of PyTorch/XLA (1), graphs that PyTorch/XLA saved (1)\n"
    )


# ---- other verbs


def test_check_of_a_folder(stablemate: Invoke, dump: Path) -> None:
    result = stablemate("check", dump)
    assert result.exit_code == 0
    assert result.output == (
        "dump: not programs, skipped: compiler options (2), LLVM IR (2), buffer assignment (1), "
        "live ranges of values (1), report of the use of memory (1), object file (1)\n"
        "13 files: 5 valid, 8 without a program\n"
    )


def test_check_of_its_files(stablemate: Invoke, dump: Path) -> None:
    result = stablemate("check", *sorted(dump.iterdir()))
    assert result.exit_code == 0
    head = "dump/module_0003.jit_f"
    assert result.output == (
        f"{head}.cpu_after_optimizations-buffer-assignment.txt: buffer assignment of module_0003: "
        "not a program, skipped\n"
        f"{head}.cpu_after_optimizations-live-range.txt: live ranges of values of module_0003: "
        "not a program, skipped\n"
        f"{head}.cpu_after_optimizations-memory-usage-report.txt: report of the use of memory of "
        "module_0003: not a program, skipped\n"
        f"{head}.debug_options: compiler options of module_0003: not a program, skipped\n"
        f"{head}.fusion_kernel_module.ir-no-opt.ll and 1 more: LLVM IR: not programs, skipped\n"
        f"{head}.obj-file.fusion_kernel_module.o: object file of module_0003: not a program, "
        "skipped\n"
        f"{head}: not programs, skipped: compiler options (1)\n"
        "13 files: 5 valid, 8 without a program\n"
    )


def test_check_of_a_file_that_says_the_wrong_kind(stablemate: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "program.log"
    path.write_text(MLIR)
    assert stablemate("check", path).output == "1 file: 1 valid\n"


def test_check_of_a_folder_without_programs(stablemate: Invoke, tmp_path: Path) -> None:
    result = stablemate("check", write(tmp_path / "empty", {"notes.txt": "hello\n"}))
    assert result.exit_code == 2
    assert result.output.startswith(
        f"error: {tmp_path}/empty holds no program and no file of a compiler\n"
    )


def test_info_and_cost_of_a_folder(stablemate: Invoke, dump: Path) -> None:
    for verb in ("info", "cost"):
        assert stablemate(verb, dump).output == OVERVIEW


def test_a_folder_with_one_program_stands_for_it(stablemate: Invoke, dump: Path) -> None:
    result = stablemate("fmt", dump)
    assert result.exit_code == 0
    assert result.output.startswith("HloModule jit_f, ")
    write(dump, {"module_0005.jit_g.before_optimizations.txt": CALLED})
    result = stablemate("run", dump)
    assert result.exit_code == 2
    assert result.output == (
        "error: dump is a folder with 2 programs\n"
        "note: name one of them:\n"
        "  dump/module_0003.jit_f.before_optimizations.txt\n"
        "  dump/module_0005.jit_g.before_optimizations.txt\n"
    )


def test_diff_of_folders(stablemate: Invoke, dump: Path) -> None:
    other = xla_dump(Path("other"))
    assert stablemate("diff", dump, other).output == "dump and other: 1 module equal, 0 different\n"
    path = other / "module_0003.jit_f.cpu_after_optimizations.txt"
    path.write_text(CALLED.replace("maximum(", "minimum("))
    write(other, {"module_0005.jit_g.before_optimizations.txt": CALLED})
    result = stablemate("diff", dump, other)
    assert result.exit_code == 1
    assert result.output == (
        "dump and other: 0 modules equal, 2 different\n\n"
        "module                            before the passes  after the passes\n"
        "3 jit_f                           equal              1 changed\n"
        "5 jit_g: only in the second dump\n"
    )


def test_view_of_a_folder(stablemate: Invoke, dump: Path) -> None:
    """The page allows its own script and style, and those of the programs in it, alone."""
    assert stablemate("view", dump).output == OVERVIEW
    done = stablemate("view", dump, "-o", "dump.html")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.startswith("dump.html: 1 module, ")
    page = Path("dump.html").read_text()
    data = re.search(r'<script type="application/json" id="program">(.*?)</script>', page)
    assert data is not None
    document = json.loads(data[1])
    (module,) = document["modules"]
    assert module["title"] == "3 jit_f"
    assert [item["name"] for item in module["programs"]] == [
        "before_optimizations", "cpu_after_optimizations",
    ]  # fmt: skip
    titles = [table["title"] for table in module["tables"]]
    assert titles[0] == "before_optimizations -> cpu_after_optimizations"
    assert "most expensive kernels" in titles
    graph = json.loads(module["programs"][0]["data"])
    assert graph["title"] == "jit_f"
    assert document["shell"].count(document["placeholder"]) == 1
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    inner = re.search(r'Content-Security-Policy" content="([^"]*)"', document["shell"])
    assert inner is not None
    for source in re.findall(r"'sha256-[^']*'", inner[1]):
        assert source in policy[1]


def test_view_refuses_what_a_folder_cannot_have(stablemate: Invoke, dump: Path) -> None:
    for options, message in (
        (["--overlay=cost"], "--overlay colors a program, but a folder is named"),
        (["--format=text", "-o", "x.txt"], "-o writes the page of a dump: --format=html"),
        (["--format=model-explorer"], "a dump has no form 'model-explorer': html, text or json"),
    ):
        result = stablemate("view", dump, *options)
        assert (result.exit_code, result.output) == (2, f"error: {message}\n")


def test_compare_of_folders_compares_their_programs(stablemate: Invoke, dump: Path) -> None:
    other = xla_dump(Path("other"))
    result = stablemate("compare", dump, other, "--random-seed=0", "--results-only")
    assert result.exit_code == 0, result.output
    assert result.output.endswith("\n\nThey match.\n")
