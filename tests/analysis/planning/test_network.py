"""Networks: what texts describe, and how groups lie in levels."""

import pytest

import stablemate as sm
from stablemate.analysis.planning.machine import ProcessorPeaks, machine
from stablemate.analysis.planning.network import Network, NetworkLevel, network

NESTED = network("4@1us:8GB/s,16@2us:4GB/s,5us:1GB/s")


def test_a_level_is_latency_and_bandwidth() -> None:
    assert network("5us:2GB/s") == Network((NetworkLevel(5e-6, 2e9),))
    assert network("1.5ms : 8Gbit/s") == Network((NetworkLevel(1.5e-3, 1e9),))
    assert network("0s:1MiB/s").levels[0] == NetworkLevel(0.0, 2.0**20)


def test_levels_have_sizes() -> None:
    assert network("8@1us:10GB/s,128@5us:2GB/s") == Network(
        (NetworkLevel(1e-6, 10e9, 8), NetworkLevel(5e-6, 2e9, 128))
    )
    assert str(NESTED.levels[0]) == "4@1us:8GB/s"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no level of a network: [SIZE@]LATENCY:BANDWIDTH, such as"),
        ("5us", "'5us' is no level of a network"),
        ("5:2GB/s", "a latency is a number with one of the units s, ms, us, ns, but is '5'"),
        ("5us:2GB", "a bandwidth is a number with one of the units B/s, kB/s"),
        ("5us:0GB/s", "'0GB/s' is nothing at all: it must be more than 0"),
        ("-1us:1GB/s", "a latency is a number"),
        ("x@5us:2GB/s", "the size of a level is a number of processes, but is 'x'"),
        ("1us:1GB/s,5us:2GB/s", "only the last level joins all processes: give 1us:1GB/s a size"),
        ("8@1us:1GB/s,12@5us:2GB/s", "a level of 12 processes is not made of whole levels of 8"),
        ("8@1us:1GB/s,4@5us:2GB/s", "a level of 4 processes is not made of whole levels of 8"),
    ],
)
def test_what_is_no_network_is_said(text: str, message: str) -> None:
    with pytest.raises(sm.ArgumentError) as error:
        network(text)
    assert message in str(error.value)


def test_a_network_must_join_all_processes() -> None:
    small = network("8@1us:1GB/s")
    small.check(8)
    with pytest.raises(sm.ArgumentError, match="joins 8 processes, but the grid has 9: add a lev"):
        small.check(9)
    NESTED.check(10**6)


@pytest.mark.parametrize(
    ("members", "shape"),
    [
        ([5], ()),
        ([0, 1, 2, 3], (4,)),
        ([1, 3], (2,)),
        (range(16), (4, 4)),
        (range(64), (4, 4, 4)),
        ([0, 4, 8, 12], (1, 4)),
        ([0, 16], (1, 1, 2)),
        ([0, 1, 16, 17], (2, 1, 2)),
        ([0, 1, 4], (1, 3)),  # two of one node, one of another: as if all were apart
        ([0, 1, 2, 3, 4, 5, 16], (1, 1, 7)),
        ([17, 0, 16, 1], (2, 1, 2)),
    ],
)
def test_groups_lie_in_levels(members: list[int], shape: tuple[int, ...]) -> None:
    assert NESTED.shape(members) == shape


def test_a_machine_is_arithmetic_and_bandwidth() -> None:
    assert machine("100:20") == ProcessorPeaks(1e11, 2e10)
    assert machine("300TFLOP/s:2TB/s") == ProcessorPeaks(3e14, 2e12)
    assert machine("1:3").fold_bytes_per_second == 1e9
    assert machine("1:1").seconds(flops=2e9, size=1e9) == 2.0
    assert machine("1:1").seconds(flops=1e9, size=3e9) == 3.0
    for text, message in (("100", "'100' is no machine: ARITHMETIC:BANDWIDTH"), ("1:x", "is 'x'")):
        with pytest.raises(sm.ArgumentError, match=message):
            machine(text)
