"""A profile as tables: one row a group of kernels or operations."""

from __future__ import annotations

from typing import Final

from stablemate.analysis.profile_groups import OTHERS, ProfileGroup, groups_of
from stablemate.analysis.profile_rows import Measurement
from stablemate.analysis.quantities import format_count, time_text
from stablemate.analysis.tables import TextTable
from stablemate.compiler.runtime.machine_peaks import Peaks

GIGA: Final = 1e9
NUMBERS: Final = ("ms", "share", "count", "GB/s", "GFLOP/s", "roof")
SHARED: Final = "times of operations in one kernel are parts of its time, by how much work they are"
NO_SCOPES: Final = (
    "the program names no scopes: jax.named_scope, modules of Flax or PyTorch and locations in the "
    "text do"
)


def tables_of(
    profile: Measurement, listed: int | None = None, by: str = "kernel"
) -> list[TextTable]:
    """The tables: groups, then what a run takes.

    Args:
        profile: The profile.
        listed: How many groups are listed; all without it.
        by: What is grouped, as for ``groups_of``.
    """
    groups = groups_of(profile, by)
    shown = groups[:listed]
    rows = [group_cells(group, profile.seconds, profile.peaks, by) for group in shown]
    notes: list[str] = []
    if len(groups) > len(shown):
        rest = sum(group.seconds for group in groups[len(shown) :])
        share = share_text(rest, profile.seconds)
        notes.append(f"and {len(groups) - len(shown)} more: {time_text(rest)}, {share}")
    if by != "kernel" and any(len(row.operations) > 1 for row in profile.rows):
        notes.append(SHARED)
    if by in ("layer", "module") and all(group.label == OTHERS for group in groups if group.names):
        notes.append(NO_SCOPES)
    return [TextTable("", columns_of(by), rows, notes), TextTable("", notes=summary(profile))]


def columns_of(by: str) -> tuple[str, ...]:
    """The columns of a table of groups."""
    return (*NUMBERS, f"{by} ", *(() if by == "operation" else ("computes ",)), "source ")


def summary(profile: Measurement) -> list[str]:
    """The text below the tables."""
    peaks = profile.peaks
    memory, floats = peaks.bytes_per_second / GIGA, peaks.flops_per_second / GIGA
    total, parts = time_text(profile.run_seconds), time_text(profile.seconds)
    threads = format_count(peaks.threads, "thread")
    return [
        f"A run takes {total}, its parts one by one {parts}.",
        f"With {threads} this machine moves at most {memory:.3g} GB/s to and from memory and does "
        f"at most {floats:.3g} GFLOP/s on 32-bit floats.",
    ]


def group_cells(group: ProfileGroup, total: float, peaks: Peaks, by: str) -> tuple[str, ...]:
    """The row of a group."""
    roof = group.roof_share(peaks)
    seconds = group.seconds or 1.0
    return (
        f"{group.seconds * 1e3:.4f}",
        share_text(group.seconds, total),
        f"{group.executions:g}",
        f"{group.bytes / seconds / GIGA:.1f}" if group.bytes else "",
        f"{group.flops / seconds / GIGA:.1f}" if group.flops else "",
        "" if roof is None else f"{roof:.0%}",
        group.title,
        *(() if by == "operation" else (group.computes,)),
        group.place,
    )


def share_text(part: float, total: float) -> str:
    """The part of a whole."""
    return f"{part / total if total else 0.0:.1%}"
