"""What processes read from the host and write to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from queue import Queue, SimpleQueue
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from stablemate.api.backends import BACKENDS

CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 7, type = TYPE>"
# Reads two records, writes their sum together with the first, and gives the sum.
SUMS = """
func.func @main() -> tensor<2xf32> {
  %t = stablehlo.create_token : !stablehlo.token
  %a:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %b:2 = "stablehlo.infeed"(%a#1) : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  %s = stablehlo.add %a#0, %b#0 : tensor<2xf32>
  %o = "stablehlo.outfeed"(%s, %a#0, %b#1)
    : (tensor<2xf32>, tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return %s : tensor<2xf32>
}"""
# Sends to the host, and gives what the host answers.
ASKS_THE_HOST = f"""
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>) {{
  %t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%x, %t) <{{{CHANNEL.replace("TYPE", "2")}, is_host_transfer = true}}>
    : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %r:3 = "stablehlo.recv"(%s) <{{{CHANNEL.replace("TYPE", "3")}, is_host_transfer = true}}>
    : (!stablehlo.token) -> (tensor<2xf32>, tensor<i32>, !stablehlo.token)
  return %r#0, %r#1 : tensor<2xf32>, tensor<i32>
}}"""
READS_TWICE = """
func.func @main() -> (tensor<f32>, tensor<f32>) {
  %t = stablehlo.create_token : !stablehlo.token
  %a:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %o = "stablehlo.outfeed"(%a#0, %a#1) : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %b:2 = "stablehlo.infeed"(%o) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %a#0, %b#0 : tensor<f32>, tensor<f32>
}"""

HOST_SEND, HOST_RECV = (
    f"<{{channel_handle = #stablehlo.channel_handle<handle = 5, type = {kind}>, "
    "is_host_transfer = true}>"
    for kind in (2, 3)
)
SENDS = f"""
func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%x, %t) {HOST_SEND} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return %x : tensor<f32>
}}"""
RECEIVES = f"""
func.func @main() -> tensor<f32> {{
  %t = stablehlo.create_token : !stablehlo.token
  %r:2 = "stablehlo.recv"(%t) {HOST_RECV} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %r#0 : tensor<f32>
}}"""
# Sends two values to the host, then receives two on the same channel.
ECHOES = f"""
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {{
  %t = stablehlo.create_token : !stablehlo.token
  %s = "stablehlo.send"(%x, %t) {HOST_SEND} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %u = "stablehlo.send"(%y, %s) {HOST_SEND} : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  %a:2 = "stablehlo.recv"(%u) {HOST_RECV} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  %b:2 = "stablehlo.recv"(%a#1) {HOST_RECV} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %a#0, %b#0 : tensor<f32>, tensor<f32>
}}"""


def queue_of(queue: Any, *records: Any) -> Any:
    """A queue that holds these records."""
    for record in records:
        queue.put(record)
    return queue


def test_each_process_has_streams_of_its_own() -> None:
    streams = sm.Streams(infeed=[[[1, 2], [3, 4]], [np.float32([5, 6]), (np.float32([7, 8]),)]])
    results = sm.run_grid(SUMS, (), 2, streams=streams)
    assert [result.tolist() for result in results] == [[4, 6], [12, 14]]
    ((written,), (other,)) = streams.outfeed
    assert [array.tolist() for array in written] == [[4, 6], [1, 2]]
    assert [array.tolist() for array in other] == [[12, 14], [5, 6]]


@pytest.mark.parametrize(
    "source",
    [
        [1.0, 2.0],
        (item for item in (1.0, 2.0)),
        deque([1.0, 2.0]),
        queue_of(Queue(), 1.0, 2.0),
        queue_of(SimpleQueue(), 1.0, 2.0),
        iter(queue_of(Queue(), 1.0, 2.0).get, None),
    ],
    ids=["list", "generator", "deque", "Queue", "SimpleQueue", "get"],
)
def test_sources_are_iterables_or_queues(source: Any) -> None:
    assert sm.run(READS_TWICE, streams=sm.Streams(infeed=[source])) == (1, 2)


def test_sinks_may_be_queues() -> None:
    sink: Queue[Any] = Queue()
    streams = sm.Streams(infeed=[[1.0, 2.0]], outfeed=[sink])
    sm.run(READS_TWICE, streams=streams)
    assert sink.get_nowait() == 1
    assert sink.empty()


def test_the_host_may_answer_while_the_program_runs() -> None:
    def doubled() -> Iterator[float]:
        yield 5.0
        yield 2 * float(streams.outfeed[0][-1])

    streams = sm.Streams(infeed=[doubled()])
    assert sm.run(READS_TWICE, streams=streams) == (5, 10)


def test_records_are_copies() -> None:
    buffer = np.zeros((), np.float32)

    def counted() -> Iterator[Any]:
        for number in (1, 2):
            buffer[...] = number
            yield buffer

    streams = sm.Streams(infeed=[counted()])
    first, second = sm.run(READS_TWICE, streams=streams)
    assert (first, second) == (1, 2)
    streams.outfeed[0][0][...] = 9
    assert first == 1


def test_channels_to_and_from_the_host() -> None:
    records = [[([10, 20], 0)], [([30, 40], 1)]]
    streams = sm.Streams(to_device={7: records})
    results = sm.run_grid(
        ASKS_THE_HOST, [np.float32([1, 2]), np.float32([3, 4])], partitions=2, streams=streams
    )
    assert [(x.tolist(), int(n)) for x, n in results] == [([10, 20], 0), ([30, 40], 1)]
    assert [[x.tolist() for x in sent] for sent in streams.from_device[7]] == [[[1, 2]], [[3, 4]]]


def test_a_stream_that_is_at_its_end_is_an_error_there() -> None:
    with pytest.raises(sm.EvaluationError, match=r"<text>:5:\d+.*the infeed of \(1,0\) is at its"):
        sm.run_grid(SUMS, (), 2, streams=sm.Streams(infeed=[[[1, 2], [3, 4]], [[1, 2]]]))
    with pytest.raises(sm.EvaluationError, match=r"the infeed of \(0,0\) is at its end"):
        sm.run(SUMS)
    streams = sm.Streams(to_device={7: [[]]})
    with pytest.raises(sm.EvaluationError, match=r"channel 7 from the host .* is at its end"):
        sm.run(ASKS_THE_HOST, np.array([1, 2], np.float32), streams=streams)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_host_returns_what_it_receives_in_order(backend: str) -> None:
    first, second = sm.load(ECHOES).run(np.float32(1), np.float32(2), backend=backend)
    assert (first, second) == (1, 2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_processes_meet_in_the_host(backend: str) -> None:
    programs = [sm.load(RECEIVES), sm.load(SENDS)]  # the receiver runs first, and waits
    received, sent = sm.run_grid(programs, [(), (np.float32(5),)], 1, 2, backend=backend)
    assert (received, sent) == (5, 5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_programs_within_a_program_meet_in_the_host(backend: str) -> None:
    functions = [
        text.replace("func.func @main", f"func.func private @{name}")
        for text, name in ((RECEIVES, "receives"), (SENDS, "sends"))
    ]
    main = """
func.func @main(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %r:2 = "interpreter.run_parallel"(%x) <{programs = [[@receives, @sends]]}>
    : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}"""
    received, sent = sm.load("".join([*functions, main])).run(np.float32(5), backend=backend)
    assert (received, sent) == (5, 5)


def test_streams_take_precedence_over_what_was_sent() -> None:
    streams = sm.Streams(to_device={5: [[8.0, 9.0]]})
    assert sm.run(ECHOES, np.float32(1), np.float32(2), streams=streams) == (8, 9)
    assert streams.from_device[5] == [[1, 2]]


def test_what_the_host_returns_must_fit() -> None:
    with pytest.raises(sm.EvaluationError, match="records of 1 arrays, but 2 are expected"):
        sm.run(ASKS_THE_HOST, np.array([1, 2], np.float32))


def test_a_receive_without_a_send_to_the_host_waits_for_it() -> None:
    message = r"recv \(<text>:4:\d+\) for a send to the host on channel 5, or Streams.to_device"
    with pytest.raises(sm.DeadlockError, match=message):
        sm.run(RECEIVES)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ([1, 2, 3], r"array 0 of the infeed of \(0,0\) is tensor<2xf32>, but tensor<3xf32>"),
        (np.float64([1, 2]), r"is tensor<2xf32>, but tensor<2xf64> was given"),
        (([1, 2], [3, 4]), "has records of 2 arrays, but 1 are expected"),
        (None, "is tensor<2xf32>"),
    ],
)
def test_a_record_must_fit(record: Any, message: str) -> None:
    with pytest.raises(sm.EvaluationError, match=message):
        sm.run(SUMS, streams=sm.Streams(infeed=[[record]]))


def test_there_is_a_stream_for_each_process() -> None:
    with pytest.raises(sm.ArgumentError, match="infeed has 1 entries, but there are 2 processes"):
        sm.run_grid(SUMS, (), 2, streams=sm.Streams(infeed=[[[1, 2]]]))
    with pytest.raises(sm.ArgumentError, match=r"to_device\[7\] has 1 entries"):
        sm.run_grid(SUMS, (), 2, streams=sm.Streams(to_device={7: [[]]}))
    with pytest.raises(sm.ArgumentError, match=r"infeed\[0\] is no iterable, but a int"):
        sm.run(SUMS, streams=sm.Streams(infeed=[3]))  # type: ignore[list-item] on purpose


def test_a_failure_of_the_host_is_the_hosts() -> None:
    def broken() -> Iterator[Any]:
        yield [1, 2]
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        sm.run(SUMS, streams=sm.Streams(infeed=[broken()]))


def test_programs_within_a_program_have_its_streams() -> None:
    text = (
        SUMS.replace("func.func @main", "func.func private @sums")
        + """
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %r:2 = "interpreter.run_parallel"() <{programs = [[@sums, @sums]]}>
    : () -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}"""
    )
    streams = sm.Streams(infeed=[[[1, 1], [2, 2], [3, 3], [4, 4]]])
    first, second = sm.run(text, streams=streams)
    assert (first.tolist(), second.tolist()) == ([3, 3], [7, 7])
    assert len(streams.outfeed[0]) == 2
