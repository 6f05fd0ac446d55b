"""Machines: what a process computes, moves and combines in a second."""

from __future__ import annotations

from typing import Final

from stablemate.analysis.quantities import ARITHMETIC, BANDWIDTHS, positive, quantity
from stablemate.compiler.executable import runtime
from stablemate.compiler.runtime.machine_peaks import peaks
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError

SYNTAX: Final = "ARITHMETIC:BANDWIDTH, such as 100:20 (GFLOP/s and GB/s) or 300TFLOP/s:2TB/s"
STREAMS: Final = 3  # combining reads two arrays and writes one


@dataclass(frozen=True, slots=True)
class ProcessorPeaks:
    """The peak rates of the processor of each process.

    Attributes:
        flops_per_second: Arithmetic.
        bytes_per_second: What it reads from memory and writes to it.
    """

    flops_per_second: float
    bytes_per_second: float

    @property
    def fold_bytes_per_second(self) -> float:
        """How many bytes it combines with as many others; one over gamma."""
        return self.bytes_per_second / STREAMS

    def seconds(self, flops: float, size: float) -> float:
        """How long so much arithmetic on so many bytes takes at least: the roofline.

        Source: S. Williams, A. Waterman, D. Patterson, Roofline, 2009.
        """
        return max(flops / self.flops_per_second, size / self.bytes_per_second)


def machine(text: str) -> ProcessorPeaks:
    """The machine that a text describes.

    Raises:
        ArgumentValueError: It describes none.
    """
    arithmetic, colon, bandwidth = text.partition(":")
    if not colon:
        raise ArgumentValueError(f"{text.strip()!r} is no machine: {SYNTAX}")
    return ProcessorPeaks(
        positive(quantity(arithmetic, ARITHMETIC, "arithmetic", "GFLOP/s"), arithmetic),
        positive(quantity(bandwidth, BANDWIDTHS, "a bandwidth", "GB/s"), bandwidth),
    )


def machine_of(description: str | ProcessorPeaks | None, *, needed: bool) -> ProcessorPeaks | None:
    """The machine that is stated; this one as it was measured, if it is needed."""
    if isinstance(description, str):
        return machine(description)
    if description is None and needed:
        peak_rates = peaks(runtime().pool.size)
        return ProcessorPeaks(peak_rates.flops_per_second, peak_rates.bytes_per_second)
    return description
