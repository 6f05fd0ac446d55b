"""Runs on a time line."""

import threading
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.analysis.timeline.document import trace_document
from stablemate.analysis.timeline.events import events_of
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.runtime import run_trace
from stablemate.compiler.runtime.native.kernel_log import CAPACITY
from stablemate.compiler.runtime.run_trace import LaunchRecorder
from stablemate.compiler.step_labels import COLLECTIVES, KERNELS, REQUESTS, TRANSFERS
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.ir.grid import Grid
from tests.trace_format import check_trace
from tests.traced_programs import PRODUCT, REDUCED

# How often the loop turns depends on its values; the host is asked for random numbers.
COUNTED = """func.func @main(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %most = stablehlo.constant dense<100000.0> : tensor<f32>
  %size = stablehlo.constant dense<4> : tensor<1xi64>
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
  %1 = stablehlo.rng %zero, %one, %size, distribution = UNIFORM
    : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<4xf32>
}"""


def recorded(run: Callable[[], Any]) -> list[Any]:
    """The events of a second run."""
    run()
    with LaunchRecorder() as trace:
        run()
    events = events_of(trace)
    check_trace(trace_document(events))
    return events


def test_each_thread_shows_the_iterations_of_a_kernel_that_it_ran() -> None:
    executable = sm.compile(sm.parse(PRODUCT))
    events = recorded(lambda: executable(np.ones((512, 512), np.float32)))
    (launch,) = [e for e in events if e.track == KERNELS and e.name == "k1 dot_general"]
    parts = [e for e in events if e.track != KERNELS and e.name == launch.name]
    assert launch.details["operations"] == ["stablehlo.dot_general:2"]
    assert launch.details["threads"] == len({part.track for part in parts})
    iterations = sorted(
        tuple(map(int, str(part.details["iterations"]).split(" to "))) for part in parts
    )
    assert iterations[0][0] == 0
    assert all(one[1] == other[0] for one, other in pairwise(iterations))
    assert launch.started == min(part.started for part in parts)
    assert launch.stopped == max(part.stopped for part in parts)


def test_every_turn_of_a_loop_has_its_kernels_and_requests_are_shown() -> None:
    executable = sm.compile(sm.parse(COUNTED))
    x = np.ones((64, 64), np.float32)
    events = recorded(lambda: executable(x))
    own = Counter((event.track, event.name) for event in events)
    turns = [n for (track, name), n in own.items() if track == KERNELS and "reverse" in name]
    assert sum(turns) == 5  # 2^12 elements: 2^12 to 2^16 are less than 10^5, and 2^17 is not
    assert own[REQUESTS, "stablehlo.rng"] == 1
    np.testing.assert_array_equal(executable(x)[0], 32 * x)


def test_copies_of_whole_values_are_transfers() -> None:
    """A value that is an argument and a result is copied."""
    executable = sm.compile(
        sm.parse("""func.func @main(%x: tensor<4096xf32>, %p: tensor<i1>)
        -> tensor<4096xf32> {
      %0 = "stablehlo.if"(%p) ({
        stablehlo.return %x : tensor<4096xf32>
      }, {
        %n = stablehlo.negate %x : tensor<4096xf32>
        stablehlo.return %n : tensor<4096xf32>
      }) : (tensor<i1>) -> tensor<4096xf32>
      return %0 : tensor<4096xf32>
    }""")
    )
    x = np.arange(4096, dtype=np.float32)
    events = recorded(lambda: executable(x, np.True_))
    assert [event.details["bytes"] for event in events if event.track == TRANSFERS] == [4 * 4096]
    np.testing.assert_array_equal(executable(x, np.True_), x)


def test_processes_of_a_grid_are_processes_of_one_clock() -> None:
    executable = sm.compile(sm.parse(REDUCED))
    x = np.ones((256, 256), np.float32)
    events = recorded(lambda: executable.run_grid((x,), Grid(2, 1)))
    assert {event.process_id for event in events} == {(0, 0), (1, 0)}
    for process in (0, 1):
        own = {e.name: e for e in events if e.process == process and e.track == e.category}
        product, reduced = own["k1 dot_general"], own["k2 reduce"]
        exchange = own["stablehlo.all_reduce"]
        assert exchange.category == COLLECTIVES
        # After the products of both, and before the sums of both.
        assert all(
            event.stopped <= exchange.stopped <= other.started
            for event, other in [(product, reduced)]
        )


def test_without_a_trace_the_steps_are_as_they_were() -> None:
    executable = sm.compile(sm.parse(COUNTED))
    x = np.ones((64, 64), np.float32)
    executable(x)
    assert isinstance(executable, CompiledExecutable)
    (instance,) = executable.idle
    before = instance.words.copy()
    with LaunchRecorder():
        assert (instance.words != before).any()
    kinds = slice(None, 8 * instance.image.steps, 8)
    np.testing.assert_array_equal(instance.words[kinds], before[kinds])
    assert instance.request_log is None


def test_a_program_that_is_compiled_for_many_sizes_is_recorded() -> None:
    module = sm.parse("""func.func @main(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
      %0 = stablehlo.sine %x : tensor<?x8xf32>
      return %0 : tensor<?x8xf32>
    }""")
    executable = sm.compile(module)
    with LaunchRecorder() as trace:
        for size in (3, 5, 1000, 7):
            executable(np.ones((size, 8), np.float32))
    launches = [event for event in events_of(trace) if event.track == KERNELS]
    assert len(launches) == 4


def test_threads_that_call_while_traces_begin_and_end_get_the_same_results() -> None:
    executable = sm.compile(sm.parse(COUNTED), threads=1)
    x = np.ones((64, 64), np.float32)
    expected = executable(x)[0].copy()
    failures: list[object] = []
    ended = threading.Event()

    def call() -> None:
        while not ended.is_set():
            if not np.array_equal(executable(x)[0], expected):
                failures.append(1)

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(100):
        with LaunchRecorder() as trace:
            executable(x)
        assert len(events_of(trace)) >= 6
    ended.set()
    for thread in threads:
        thread.join()
    assert not failures


def test_only_one_trace_is_recorded_at_a_time() -> None:
    with LaunchRecorder(), pytest.raises(UnsupportedError, match="already records a trace"):
        LaunchRecorder().start()
    with LaunchRecorder() as trace:
        pass
    assert events_of(trace) == []


def test_events_that_are_too_many_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    log = run_trace.kernel_log()
    executable = sm.compile(sm.parse(COUNTED))
    monkeypatch.setattr(run_trace, "KEPT_ENTRIES", 3)
    log.words[CAPACITY] = 3
    try:
        with LaunchRecorder() as trace:
            executable(np.ones((64, 64), np.float32))
    finally:
        log.words[CAPACITY] = log.rows.shape[0]
    assert trace.dropped > 0
    document = trace_document(events_of(trace), dropped=trace.dropped)
    assert document["otherData"]["dropped_events"] == trace.dropped  # type: ignore[index]
    assert len(trace.entries) == 3
