"""``STABLEMATE_TRACE``: native libraries write which thread ran which kernel when."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from tests.deployment.native_libraries import OPTIONS, SECONDS, compiled, needs_cc
from tests.trace_format import check_trace

pytestmark = [
    pytest.mark.standard,
    pytest.mark.skipif(sys.platform != "linux", reason="libraries are built for Linux"),
    needs_cc,
]
PRODUCT = """func.func @main(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = stablehlo.tanh %0 : tensor<512x512xf32>
  return %1 : tensor<512x512xf32>
}"""
# Launches, copies and a loop whose turns depend on values: with x = 1, the sum of 2^12 elements is
# doubled five times until it is not less than 10^5.
LOOP = """func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %most = stablehlo.constant dense<100000.0> : tensor<f32>
  %0 = stablehlo.while(%v = %x) : tensor<64x64xf32>
    cond {
      %s = stablehlo.reduce(%v init: %zero) applies stablehlo.add across dimensions = [0, 1]
        : (tensor<64x64xf32>, tensor<f32>) -> tensor<f32>
      %p = stablehlo.compare LT, %s, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %w = stablehlo.reverse %v, dims = [0] : tensor<64x64xf32>
      %y = stablehlo.add %w, %v : tensor<64x64xf32>
      stablehlo.return %y : tensor<64x64xf32>
    }
  return %0 : tensor<64x64xf32>
}"""
# Calls the library, with more threads than there may be processors.
CALLER = """
#include "work.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static float x[512 * 512], y[512 * 512];

int main(int count, char **words) {
  const void *arguments[] = {x};
  void *results[] = {y};
  for (int i = 0; i < 512 * 512; i++) x[i] = 1.0f / 512;
  work_instance *instance = work_create(NULL, 3);
  if (!instance) {
    puts(work_error());
    return 1;
  }
  for (int i = 0; i < atoi(words[1]); i++)
    if (work_call(instance, arguments, results)) return 2;
  if (count > 2 && !strcmp(words[2], "fork")) {
    if (fork() == 0) return work_call(instance, arguments, results);
    wait(NULL);
  }
  if (count > 2 && !strcmp(words[2], "kill")) raise(SIGKILL);
  if (count > 2 && !strcmp(words[2], "destroy")) work_destroy(instance);
  if (count > 2 && !strcmp(words[2], "destroy")) raise(SIGKILL);
  printf("%.9g", y[0]);
  return 0;
}
"""


def run(command: list[str | Path], folder: Path, trace: str) -> subprocess.CompletedProcess[str]:
    """Runs a program in an environment without any Python, with a trace."""
    return subprocess.run(
        [str(word) for word in command], cwd=folder, timeout=SECONDS, check=False,
        env={"PATH": os.defpath, "STABLEMATE_TRACE": trace}, capture_output=True, text=True,
    )  # fmt: skip


def slices(path: Path) -> list[Any]:
    """The kernels and copies of a trace."""
    document = json.loads(path.read_text())
    check_trace(document, has_threads=False)
    return [event for event in document["traceEvents"] if event["ph"] == "X"]


@pytest.fixture(scope="module")
def caller(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program in C that calls the library of PRODUCT."""
    folder = tmp_path_factory.mktemp("caller")
    library = sm.build(sm.parse(PRODUCT), folder, name="work")
    (folder / "caller.c").write_text(CALLER)
    return compiled(folder / "caller.c", library)


def test_each_call_is_in_the_trace_with_the_threads_that_ran_it(
    caller: Path, tmp_path: Path
) -> None:
    done = run([caller, "3"], tmp_path, "t.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert float(done.stdout) == pytest.approx(np.tanh(1 / 512), rel=1e-5)
    events = slices(tmp_path / "t.json")
    assert len({event["pid"] for event in events}) == 1
    assert {event["cat"] for event in events} == {"kernels"}
    product = [e for e in events if e["name"] == "k1 dot_general, tanh"]
    covered = Counter[int]()
    for event in product:
        first, end = map(int, event["args"]["iterations"].split(" to "))
        covered.update(range(first, end))
        assert event["args"]["bytes"] >= 2 * 4 * 512 * 512
    assert all(count % 3 == 0 for count in covered.values())  # every iteration in each call


def test_without_the_variable_nothing_is_written(caller: Path, tmp_path: Path) -> None:
    done = run([caller, "1"], tmp_path, "")
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "calls"),
    [(["2", "fork"], 2), (["2", "destroy"], 2), (["0"], 0)],
    ids=["fork", "destroy", "none"],
)
def test_the_file_has_the_calls_of_the_process_that_created_the_instance(
    options: list[str], calls: int, caller: Path, tmp_path: Path
) -> None:
    run([caller, *options], tmp_path, "t.json")
    run([caller, "1"], tmp_path, "one.json")
    one, all_calls = (
        Counter((event["name"], event["args"]["iterations"]) for event in slices(tmp_path / name))
        for name in ("one.json", "t.json")
    )
    assert all_calls == Counter({key: calls * count for key, count in one.items() if calls})
    (tmp_path / "one.json").unlink()
    assert [path.name for path in tmp_path.iterdir()] == ["t.json"]


def test_a_process_that_is_killed_leaves_no_half_of_a_file(caller: Path, tmp_path: Path) -> None:
    done = run([caller, "1", "kill"], tmp_path, "t.json")
    assert done.returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []


def test_a_folder_gets_a_file_of_each_process(caller: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert run([caller, "1"], tmp_path, str(tmp_path)).returncode == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 2
    for name in names:
        assert name.startswith("work.")
        (pid,) = {event["pid"] for event in slices(tmp_path / name)}
        assert name == f"work.{pid}.json"


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        (
            "no/t.json",
            "cannot write the trace that STABLEMATE_TRACE names, no/t.json: No such file or "
            "directory",
        ),
        (
            "/dev/null",
            "the trace that STABLEMATE_TRACE names, /dev/null, is no regular file",
        ),
        (
            "x" * 5000,
            f"the name of the trace that STABLEMATE_TRACE names is too long: {'x' * 200}",
        ),
    ],
    ids=["no-folder", "device", "long"],
)
def test_a_trace_that_cannot_be_written_is_an_error_of_create(
    trace: str, message: str, caller: Path, tmp_path: Path
) -> None:
    done = run([caller, "1"], tmp_path, trace)
    assert (done.returncode, done.stdout.strip()) == (1, message)


def test_a_link_stays_a_link(caller: Path, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text("old")
    (tmp_path / "link.json").symlink_to("t.json")
    assert run([caller, "1"], tmp_path, "link.json").returncode == 0
    assert (tmp_path / "link.json").is_symlink()
    assert slices(tmp_path / "t.json")


def test_turns_of_loops_are_counted_by_the_loader_in_python(tmp_path: Path) -> None:
    library = sm.build(sm.parse(LOOP), tmp_path / "loop")
    np.ones((64, 64), np.float32).tofile(tmp_path / "x.bin")
    script = next(path for path in library.examples if path.suffix == ".py")
    done = run([sys.executable, script, "x.bin"], tmp_path, "t.json")
    assert done.returncode == 0, done.stderr
    names = Counter(event["name"] for event in slices(tmp_path / "t.json"))
    assert sum(count for name, count in names.items() if "reverse" in name) == 5
    result = np.fromfile(tmp_path / "result0.bin", np.float32)
    np.testing.assert_array_equal(result, np.full(64 * 64, 32, np.float32))


def test_static_libraries_of_one_program_have_files_of_their_own(tmp_path: Path) -> None:
    """Each has its own trace, although both define the same names."""
    places: list[str] = []
    for name in ("one", "two"):
        sm.build(sm.parse(LOOP), tmp_path / name, static=True)
        places.append(f"-I{tmp_path / name}")
    (tmp_path / "both.c").write_text("""
#include "one.h"
#include "two.h"
static float x[64 * 64], y[64 * 64];
int main(void) {
  const void *arguments[] = {x};
  void *results[] = {y};
  for (int i = 0; i < 64 * 64; i++) x[i] = 1;
  one_instance *one = one_create(0, 1);
  two_instance *two = two_create(0, 1);
  return one_call(one, arguments, results) || two_call(two, arguments, results);
}
""")
    archives = [tmp_path / name / f"lib{name}.a" for name in ("one", "two")]
    command: list[str | Path] = [
        "cc",
        "both.c",
        *archives,
        *OPTIONS,
        *places,
        "-o",
        "both",
        "-lpthread",
    ]
    subprocess.run(list(map(str, command)), cwd=tmp_path, check=True, timeout=SECONDS)
    (tmp_path / "traces").mkdir()
    assert run([tmp_path / "both"], tmp_path, "traces").returncode == 0
    files = sorted((tmp_path / "traces").iterdir())
    assert [path.name.partition(".")[0] for path in files] == ["one", "two"]
    assert len(slices(files[0])) == len(slices(files[1])) > 0
