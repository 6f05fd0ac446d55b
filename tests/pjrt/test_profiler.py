"""``jax.profiler`` with programs on this backend, in a process of its own.

Source: jaxlib's readers of what it writes, ``jax.profiler.ProfileData`` among them; the Trace Event
Format.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import jax
import pytest

# Four traces, each into a folder of its own.
PROGRAM = """
import sys
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from stablemate.compiler.runtime.run_trace import LaunchRecorder

function = jax.jit(lambda x: jnp.tanh(x @ x).sum(1))
x = jnp.ones((300, 300))
function(x).block_until_ready()
for folder, runs in (("three", 3), ("five", 5)):
    with jax.profiler.trace(Path(sys.argv[1], folder)):
        for _ in range(runs):
            function(x).block_until_ready()

mesh = Mesh(jax.devices(), ("i",))
y = jax.device_put(x, NamedSharding(mesh, PartitionSpec(None, "i")))
product = jax.jit(lambda y: y @ y.T)
product(y).block_until_ready()
with jax.profiler.trace(Path(sys.argv[1], "sharded")):
    product(y).block_until_ready()

with LaunchRecorder():
    try:
        jax.profiler.start_trace(Path(sys.argv[1], "second"))
        function(x).block_until_ready()
        jax.profiler.stop_trace()
    except Exception as error:
        print(error, file=sys.stderr)
print(float(function(x)[0]))
"""
pytestmark = pytest.mark.standard


class Recorded(NamedTuple):
    """What the process has written.

    Attributes:
        folder: Its files.
        output: What it has printed.
        errors: What it has printed to stderr.
    """

    folder: Path
    output: str
    errors: str

    def written(self, name: str, suffix: str) -> Path:
        """The file of a kind that a trace has written."""
        (path,) = (self.folder / name / "plugins" / "profile").glob(f"*/*{suffix}")
        return path

    def planes(self, name: str) -> dict[str, dict[str, list[Any]]]:
        """The events of a trace, by plane and line."""
        profiler: Any = jax.profiler
        profile = profiler.ProfileData.from_file(str(self.written(name, ".xplane.pb")))
        return {
            plane.name: {line.name: list(line.events) for line in plane.lines}
            for plane in profile.planes
        }


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    folder = tmp_path_factory.mktemp("traces")
    variables = {
        "JAX_PLATFORMS": "stablemate",
        "XLA_FLAGS": "--xla_force_host_platform_device_count=2",
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, folder],
        env=os.environ | variables, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Recorded(folder, done.stdout, done.stderr)


@pytest.mark.parametrize(("name", "runs"), [("three", 3), ("five", 5)])
def test_a_trace_has_a_plane_with_the_kernels_of_its_runs(
    name: str, runs: int, recorded: Recorded
) -> None:
    planes = recorded.planes(name)
    lines = planes["/device:CUSTOM:stablemate:0"]
    kernels = lines.pop("kernels")
    assert [event.name for event in kernels] == ["k1 dot_general, tanh", "k2 reduce"] * runs
    for event in kernels:
        details = dict(event.stats)
        assert details["program"] == "main"
        assert details["bytes"] > 300 * 4
    assert "<string>:11" in dict(kernels[0].stats)["operations"]
    parts = [event for events in lines.values() for event in events]
    assert {event.name for event in parts} == {event.name for event in kernels}
    for before, after in pairwise(kernels):
        assert before.end_ns <= after.start_ns


def test_kernels_and_the_calls_of_python_are_on_one_clock(recorded: Recorded) -> None:
    planes = recorded.planes("three")
    kernels = planes["/device:CUSTOM:stablemate:0"]["kernels"]
    # The line has the name of the executable, such as python3.
    ((_, calls),) = (line for line in planes["/host:CPU"].items() if line[0].startswith("python"))
    assert min(event.start_ns for event in calls) < kernels[0].start_ns
    assert kernels[-1].end_ns < max(event.end_ns for event in calls)


def test_the_trace_viewer_gets_the_kernels(recorded: Recorded) -> None:
    with gzip.open(recorded.written("three", ".trace.json.gz")) as stream:
        events = json.load(stream)["traceEvents"]
    names = {
        event["pid"]: event["args"]["name"]
        for event in events
        if event.get("name") == "process_name"
    }
    kernels = [event for event in events if event.get("name") == "k2 reduce"]
    assert {names[event["pid"]] for event in kernels} == {"/device:CUSTOM:stablemate:0"}
    assert all(event["ph"] == "X" and event["dur"] > 0 for event in kernels)


def test_devices_have_planes_and_collectives_lines(recorded: Recorded) -> None:
    planes = recorded.planes("sharded")
    for number in (0, 1):
        lines = planes[f"/device:CUSTOM:stablemate:{number}"]
        assert [event.name for event in lines["collectives"]] == ["stablehlo.all_reduce"]


def test_a_trace_during_another_one_says_why_it_has_no_kernels(recorded: Recorded) -> None:
    assert "only one is recorded at a time" in recorded.errors
    assert float(recorded.output) == 300.0  # tanh(300) is 1; the program runs as before
