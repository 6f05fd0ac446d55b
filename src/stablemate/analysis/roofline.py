"""Rooflines: how fast kernels compute, beside what memory and arithmetic allow.

Across: arithmetic for each byte that is moved. Up: arithmetic a second. The roof is bandwidth times
that, until it is all that the machine computes. A transcendental function counts as one operation.

Source: S. Williams, A. Waterman, D. Patterson, Roofline: an insightful visual performance model,
2009.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain
from typing import Final

from stablemate.analysis.profile_rows import Measurement
from stablemate.compiler.runtime.machine_peaks import Peaks
from stablemate.deferred_dataclasses import dataclass

GIGA: Final = 1e9
LETTERS: Final = "123456789abcdefghijklmnopqrstuvwxyz"  # marks of the points, in text
# Of the picture, in pixels.
WIDTH: Final = 720
HEIGHT: Final = 440
LEFT: Final = 70
RIGHT: Final = 20
TOP: Final = 40
BOTTOM: Final = 60
RADIUS: Final = (4.0, 12.0)  # of the points with the least and the greatest part of the time


@dataclass(frozen=True, slots=True)
class RooflinePoint:
    """A kernel.

    Attributes:
        name: Its name, and the last operation that it computes.
        intensity: Arithmetic for each byte.
        rate: Arithmetic a second.
        share: Its part of the time.
    """

    name: str
    intensity: float
    rate: float
    share: float


@dataclass(frozen=True, slots=True)
class Roofline:
    """Kernels under a roof.

    Attributes:
        points: The kernels that compute and move something, those that take longest first.
        peaks: The roof.
        left_out: The part of the time that the others take.
    """

    points: Sequence[RooflinePoint]
    peaks: Peaks
    left_out: float

    def roof(self, intensity: float) -> float:
        """The most arithmetic a second."""
        return min(intensity * self.peaks.bytes_per_second, self.peaks.flops_per_second)

    @property
    def ridge(self) -> float:
        """The arithmetic for each byte from which memory is no limit."""
        return self.peaks.flops_per_second / self.peaks.bytes_per_second

    @property
    def across(self) -> tuple[float, float]:
        """The least and greatest arithmetic for each byte that are shown: powers of ten."""
        return decades([self.ridge, *(point.intensity for point in self.points)])

    @property
    def up(self) -> tuple[float, float]:
        """The least and greatest arithmetic a second that are shown: powers of ten."""
        low, high = self.across
        roofs = (self.roof(low * 10), self.roof(high))
        return decades([*roofs, *(point.rate for point in self.points)])

    def text(self, width: int = 72, height: int = 16, listed: int | None = None) -> str:
        """The picture for a terminal: ``width`` by ``height`` characters and a legend.

        Args:
            width: Characters across.
            height: Lines.
            listed: How many kernels are marked and named; all, as far as there are marks.
        """
        return "\n".join(text_lines(self, width, height, listed))

    def svg(self) -> str:
        """The picture as a document of its own."""
        return "\n".join(svg_lines(self))


def roofline_of(profile: Measurement) -> Roofline:
    """The roofline of a profile."""
    total_seconds = profile.seconds or 1.0
    points = [
        RooflinePoint(
            f"{row.what} {row.operations[-1]}" if row.operations else row.what,
            (row.flops + row.transcendentals) / row.bytes,
            (row.flops + row.transcendentals) / row.seconds,
            row.seconds / total_seconds,
        )
        for row in profile.rows
        if row.bytes and row.seconds and row.flops + row.transcendentals
    ]
    return Roofline(points, profile.peaks, 1.0 - sum(point.share for point in points))


def decades(values: Sequence[float]) -> tuple[float, float]:
    """The powers of ten around positive numbers."""
    low = math.floor(math.log10(min(values)))
    high = math.ceil(math.log10(max(values)))
    return 10.0**low, 10.0 ** max(high, low + 1)


def position(value: float, bounds: tuple[float, float]) -> float:
    """Where a number is between two others, from 0 to 1, by its logarithm."""
    low, high = map(math.log10, bounds)
    return (math.log10(value) - low) / (high - low)


def powers(bounds: tuple[float, float]) -> Iterator[float]:
    """The powers of ten from one to another."""
    low, high = (round(math.log10(bound)) for bound in bounds)
    yield from (10.0**exponent for exponent in range(low, high + 1))


# ---- text


def text_lines(
    roofline: Roofline, width: int, height: int, listed: int | None = None
) -> Iterator[str]:
    """The lines of the picture for a terminal."""
    across, up = roofline.across, roofline.up
    cells = [[" "] * width for _ in range(height)]
    low, high = across
    for column in range(width):
        intensity = low * (high / low) ** (column / (width - 1))
        roof = roofline.roof(intensity)
        row = round(position(roof, up) * (height - 1))
        if 0 <= row < height:
            cells[row][column] = "-" if intensity >= roofline.ridge else "/"
    marked = list(zip(LETTERS, roofline.points[:listed], strict=False))
    for mark, point in reversed(marked):
        column = round(position(point.intensity, across) * (width - 1))
        cells[round(position(point.rate, up) * (height - 1))][column] = mark
    labels = {round(position(power, up) * (height - 1)): power / GIGA for power in powers(up)}
    yield "GFLOP/s"
    for row in reversed(range(height)):
        label = f"{labels[row]:g}" if row in labels else ""
        yield f"{label:>9} |{''.join(cells[row])}".rstrip()
    yield f"{'':>9} +{'-' * width}"
    axis = [" "] * (width + 8)
    for power in powers(across):
        column = round(position(power, across) * (width - 1))
        axis[column : column + len(f"{power:g}")] = f"{power:g}"
    yield f"{'':>11}{''.join(axis)}".rstrip() + "  FLOP/byte"
    for mark, point in marked:
        roof = point.rate / roofline.roof(point.intensity)
        yield f"  {mark}  {point.share:6.1%} of the time, {roof:6.1%} of the roof  {point.name}"
    if any(point.rate > roofline.roof(point.intensity) for _, point in marked):
        yield "     more than the roof: what lies in caches need not come from memory"
    if roofline.left_out > 0.0005:
        yield f"     {roofline.left_out:6.1%} of the time in what computes nothing"


# ---- SVG


def svg_lines(roofline: Roofline) -> Iterator[str]:
    """The lines of the picture as SVG."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">'
    )
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    peaks = roofline.peaks
    memory, floats = peaks.bytes_per_second / GIGA, peaks.flops_per_second / GIGA
    title = f"{memory:.3g} GB/s, {floats:.3g} GFLOP/s, {peaks.threads} threads"
    yield f'<text x="{LEFT}" y="20" font-size="14">{escape(title)}</text>'
    yield from chain(axes(roofline), [roof_line(roofline)], circles(roofline))
    yield "</svg>"


def x_of(roofline: Roofline, intensity: float) -> float:
    """Where in the picture arithmetic for each byte is."""
    return LEFT + position(intensity, roofline.across) * (WIDTH - LEFT - RIGHT)


def y_of(roofline: Roofline, rate: float) -> float:
    """Where in the picture arithmetic a second is."""
    return HEIGHT - BOTTOM - position(rate, roofline.up) * (HEIGHT - TOP - BOTTOM)


def axes(roofline: Roofline) -> Iterator[str]:
    """Lines at the powers of ten, with their numbers."""
    bottom, grid = HEIGHT - BOTTOM, 'stroke="#dddddd"'
    for power in powers(roofline.across):
        x = x_of(roofline, power)
        yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" {grid}/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{power:g}</text>'
    for power in powers(roofline.up):
        y = y_of(roofline, power)
        yield f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" {grid}/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{power / GIGA:g}</text>'
    yield f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 14}" text-anchor="end">FLOP/byte</text>'
    yield f'<text x="14" y="{TOP - 8}">GFLOP/s</text>'


def roof_line(roofline: Roofline) -> str:
    """Draws the roof: bandwidth times intensity, up to the peak of arithmetic."""
    low, high = roofline.across
    corners = [
        (x_of(roofline, intensity), y_of(roofline, max(roofline.roof(intensity), roofline.up[0])))
        for intensity in (max(low, roofline.up[0] / roofline.peaks.bytes_per_second),
                     min(max(roofline.ridge, low), high), high)
    ]  # fmt: skip
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    return f'<polyline points="{points}" fill="none" stroke="#333333" stroke-width="2"/>'


def circles(roofline: Roofline) -> Iterator[str]:
    """The kernels; the longer they take, the larger."""
    least, greatest = RADIUS
    for mark, point in enumerate(roofline.points, 1):
        radius = least + (greatest - least) * math.sqrt(min(point.share, 1.0))
        x, y = x_of(roofline, point.intensity), y_of(roofline, point.rate)
        part = point.rate / roofline.roof(point.intensity)
        title = f"{point.name}: {point.rate / GIGA:.3g} GFLOP/s, {part:.1%} of the roof"
        title = escape(f"{title}, {point.share:.1%} of the time")
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="#2a6fbb" '
            f'fill-opacity="0.6"><title>{title}</title></circle>'
        )
        yield (
            f'<text x="{x:.1f}" y="{y - radius - 2:.1f}" text-anchor="middle" '
            f'font-size="10">{mark}</text>'
        )
