"""How many results are how far off: errors of many numbers at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import numpy as np

from stablemate.numerics.elements import Array
from tools.accuracy.functions import GAMMA
from tools.accuracy.measure import Format

# The ends of the bins, in units in the last place; behind the last one, and what is wrong.
ENDS: Final = (0.5, 0.6, 0.75, 1.0, 1.5, 2.0, 3.0, 8.0)
BINS: Final = len(ENDS) + 2
KEPT: Final = 4  # of the worst operands
ROUNDING: Final = 1e-6  # of the reference: a result as near as two floats can be is rounded right


def errors(results: Array, exact: Array, form: Format) -> Array:
    """How many units in the last place results are off; infinite if they are wrong.

    Wrong are a NaN for a number, a number for a NaN, a number for a pole, a zero of the other sign.

    Args:
        results: What was computed, in any format.
        exact: What is right, in a wider one.
        form: The format of the results.
    """
    wide = exact.dtype.type
    with np.errstate(all="ignore"):
        astype_result = results.astype(wide)
        distance = np.abs(astype_result - exact)
        is_plain = form.has_infinity and np.isfinite(distance.sum())
        if not is_plain or not astype_result.all() or not exact.all():
            return errors_of_any(astype_result, exact, form)
    return np.asarray(distance / units(exact, form))


def errors_of_any(given: Array, exact: Array, form: Format) -> Array:
    """As ``errors``, of zeros, infinities and NaN too."""
    wide = exact.dtype.type
    if not form.is_signed:  # nothing is negative or zero; what is too small is either
        small = 2.0**form.lowest
        either = np.where(np.isnan(given), np.nan, small)
        exact = np.where(exact >= small, exact, np.where(exact > 0, either, np.nan))
    beyond = wide(2.0) ** int(np.frexp(form.largest)[1]) if form.has_infinity else form.largest
    right = np.clip(exact, -beyond, beyond)
    nearest = np.where(np.isinf(given), beyond, right)
    off = np.abs(np.clip(given, -beyond, beyond) - right) / units(nearest, form)
    no_number, none_due = np.isnan(given), np.isnan(exact)
    wrong = no_number != none_due
    if form.has_infinity:
        wrong |= np.isinf(exact) & np.isfinite(given)
    elif form.has_nan:
        wrong &= ~(no_number & (np.abs(exact) > form.largest))
    else:
        wrong &= ~none_due
    if form.has_negative_zero:
        wrong |= (given == 0) & (exact == 0) & (np.signbit(given) != np.signbit(exact))
    off[no_number | none_due] = 0
    off[wrong] = np.inf
    return np.asarray(off)


def errors_of_function(
    name: str, results: Array, exact: Array, operands: Sequence[Array], form: Format
) -> Array:
    """As ``errors``; of lgamma and digamma below zero in units of 1 at least."""
    off = errors(results, exact, form)
    if name in GAMMA:
        with np.errstate(invalid="ignore"):
            small = (operands[0] < 0) & (np.abs(exact) < 1) & np.isfinite(off)
        off[small] *= units(exact[small], form) * exact.dtype.type(2.0) ** (form.digits - 1)
    return off


def units(exact: Array, form: Format) -> Array:
    """The unit in the last place of numbers."""
    wide = exact.dtype.type
    if exact.dtype == np.float64:
        power = (exact.view(np.int64) & 0x7FF0_0000_0000_0000).view(np.float64)
        unit = power * 2.0 ** (1 - form.digits)
    else:
        unit = np.ldexp(wide(1), np.frexp(exact)[1] - form.digits)
    most = 2.0 ** (int(np.frexp(form.largest)[1]) - form.digits)
    return np.asarray(np.clip(unit, wide(2.0) ** form.lowest, most))


def bits_of(number: Array) -> list[int]:
    """The bits of a number, as integers of at most 64."""
    view_result: list[int] = number.view(f"u{min(number.dtype.itemsize, 8)}").tolist()
    return view_result


@dataclass
class Histogram:
    """How far off results are.

    Attributes:
        counts: How many are within each end of a bin, but not within the one before; then those
            behind the last, then those that are wrong.
        worst: The largest errors, each with the operands as integers of their bits.
    """

    counts: list[int] = field(default_factory=lambda: [0] * BINS)
    worst: list[tuple[float, list[int]]] = field(default_factory=list[tuple[float, list[int]]])

    def add(self, off: Array, operands: Sequence[Array]) -> None:
        """Counts results.

        Args:
            off: Their errors.
            operands: Of what.
        """
        ends = np.array(ENDS[1:])
        seen = off[off > ENDS[0] + ROUNDING].astype(np.float64)
        self.counts[0] += off.size - seen.size
        bins = 1 + np.searchsorted(ends, seen)
        bins[np.isinf(seen)] = BINS - 1
        for i, count in enumerate(np.bincount(bins, minlength=BINS).tolist()):
            self.counts[i] += count
        least = self.worst[-1][0] if len(self.worst) == KEPT else 0.0
        if not off.size or float(off.max()) <= least:
            return
        for i in np.argpartition(-off, min(KEPT, off.size - 1))[:KEPT].tolist():
            bits = [bit for x in operands for bit in bits_of(x[i : i + 1])]
            self.worst.append((float(off[i]), bits))
        self.worst = sorted(self.worst, key=lambda item: -item[0])[:KEPT]

    @property
    def total(self) -> int:
        """How many results there are."""
        return sum(self.counts)

    @property
    def wrong(self) -> int:
        """How many are wrong."""
        return self.counts[-1]

    @property
    def largest(self) -> float:
        """The largest error."""
        return self.worst[0][0] if self.worst else 0.0

    def joined(self, other: Histogram) -> Histogram:
        """What both count, together."""
        counts = [a + b for a, b in zip(self.counts, other.counts, strict=True)]
        worst = sorted([*self.worst, *other.worst], key=lambda item: -item[0])[:KEPT]
        return Histogram(counts, worst)

    def document(self) -> Mapping[str, Any]:
        """As values of JSON."""
        return asdict(self)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Histogram:
        """From values of JSON."""
        worst = [(float(error), list(bits)) for error, bits in document["worst"]]
        return cls(list(document["counts"]), worst)
