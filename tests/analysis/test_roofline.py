"""Rooflines: where points stand, by hand."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from stablemate.analysis.profile import Profile
from stablemate.analysis.profile_rows import ProfileRow, SourceOperation
from stablemate.analysis.roofline import Roofline, decades, position, roofline_of
from stablemate.compiler.runtime.machine_peaks import Peaks

PEAKS = Peaks(threads=2, bytes_per_second=10e9, flops_per_second=100e9)
ADD = SourceOperation("stablehlo.add", 3)
DOT = SourceOperation("stablehlo.dot_general", 4)


def row(
    name: str, operation: SourceOperation, seconds: float, size: float, flops: float
) -> ProfileRow:
    return ProfileRow("kernel", name, [operation], 1, seconds, size, flops, 0.0, [1.0])


# half a byte for each addition, at half the bandwidth; a product at a tenth of the arithmetic
ROWS = [
    row("k1", ADD, 0.75, 3.75e9, 7.5e9),
    row("k2", DOT, 0.2, 2e7, 2e9),
    ProfileRow("copy", "copies", (), 1, 0.05, 1e6),
]
PROFILE = Profile(ROWS, 1, 1.0, PEAKS)


@pytest.fixture
def roofline() -> Roofline:
    return roofline_of(PROFILE)


def test_points_are_arithmetic_by_bytes_and_by_time(roofline: Roofline) -> None:
    first, second = roofline.points
    assert (first.name, first.intensity, first.rate) == ("k1 stablehlo.add:3", 2.0, 10e9)
    assert (second.intensity, second.rate, second.share) == (100.0, 10e9, 0.2)
    assert roofline.left_out == pytest.approx(0.05)


def test_the_roof_is_bandwidth_and_then_arithmetic(roofline: Roofline) -> None:
    assert roofline.ridge == 10.0
    assert [roofline.roof(item) for item in (1.0, 10.0, 1000.0)] == [10e9, 100e9, 100e9]


def test_scales_go_from_power_to_power() -> None:
    assert decades([0.3, 20.0]) == (0.1, 100.0)
    assert decades([1.0]) == (1.0, 10.0)
    assert [position(item, (1.0, 100.0)) for item in (1.0, 10.0, 100.0)] == [0.0, 0.5, 1.0]


def test_the_text_shows_the_points_where_they_are(roofline: Roofline) -> None:
    assert roofline.across == (1.0, 100.0)
    assert roofline.up == (10e9, 100e9)
    lines = roofline.text(width=41, height=5).splitlines()
    # 1 to 100 over 41 columns: 2 is in column 0.15 * 40; both at the lowest rate
    assert lines[0] == "GFLOP/s"
    # the ridge is column 20; the highest of 5 lines begins at 7/8 of the way up to it
    assert lines[1] == "      100 |" + " " * 18 + "/" * 2 + "-" * 21
    assert lines[5][11 + 6] == "1"
    assert lines[5][11 + 40] == "2"
    assert lines[6] == "          +" + "-" * 41
    assert lines[7].split() == ["1", "10", "100", "FLOP/byte"]
    assert lines[8] == "  1   75.0% of the time,  50.0% of the roof  k1 stablehlo.add:3"
    assert lines[9] == "  2   20.0% of the time,  10.0% of the roof  k2 stablehlo.dot_general:4"
    assert lines[10] == "       5.0% of the time in what computes nothing"


def test_the_picture_shows_the_points_where_they_are(roofline: Roofline) -> None:
    root = ElementTree.fromstring(roofline.svg())
    space = {"s": "http://www.w3.org/2000/svg"}
    circles = root.findall("s:circle", space)
    left, right, bottom = 70, 720 - 20, 440 - 60
    assert len(circles) == 2
    assert float(circles[1].get("cx", "0")) == right
    assert {float(circle.get("cy", "0")) for circle in circles} == {bottom}
    (roof,) = root.findall("s:polyline", space)
    corners = [tuple(map(float, part.split(","))) for part in roof.get("points", "").split()]
    assert corners == [(left, bottom), ((left + right) / 2, 40), (right, 40)]


def test_operations_share_the_time_of_their_kernels_by_their_work() -> None:
    shared = ProfileRow("kernel", "k1", [ADD, DOT], 2, 0.4, 1.0, 1.0, 0.0, [1.0, 3.0])
    own = ProfileRow("kernel", "k2", [DOT], 5, 0.1, 1.0, 1.0, 0.0, [7.0])
    first, second = Profile([shared, own], 1, 0.5, PEAKS).operations
    assert (first.operation, second.operation) == (DOT, ADD)
    assert (first.seconds, second.seconds) == pytest.approx((0.4, 0.1))
    assert (first.executions, first.kernels, first.alone) == (5, "k1, k2", False)


def test_a_notebook_shows_tables_and_the_picture() -> None:
    page = PROFILE._repr_html_()
    assert page.count("<table>") == 1
    assert "stablehlo.dot_general:4" in page
    assert page.endswith("</svg>")
