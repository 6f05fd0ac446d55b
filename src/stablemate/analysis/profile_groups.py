"""Groups of a profile: kernels of equal code, layers, modules, lines, operations.

A kernel that several operations share is divided among them by how much work each of them is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import field
from typing import Final

from stablemate.analysis.profile_rows import Measurement, ProfileRow, SourceOperation
from stablemate.analysis.quantities import format_count
from stablemate.compiler.runtime.machine_peaks import Peaks
from stablemate.deferred_dataclasses import dataclass

WRAPPED: Final = re.compile(r"[\w.<>-]+\((.*)\)", re.DOTALL)  # transpose(jvp(h_0))
FUNCTION: Final = re.compile(r"p?jit\(.*\)", re.DOTALL)
NUMBER: Final = re.compile(r"\d+")
NAMES: Final = 3  # operations that a group names
OTHERS: Final = "(no scope)"


@dataclass(slots=True)
class ProfileGroup:
    """Parts of a profile that belong together.

    Attributes:
        label: What they have in common: a kernel, a layer, a place in the source.
        seconds: How long they take in a run of the program.
        executions: The executions of their kernels.
        bytes: What they read and write.
        flops: Their arithmetic.
        transcendentals: Their transcendental functions of one element.
        members: The items of equal structure in it: launches of a kernel, scopes.
        names: How much work each operation is, by its name.
        places: How much work is done at each place of the source.
    """

    label: str
    seconds: float = 0.0
    executions: float = 0.0
    bytes: float = 0.0
    flops: float = 0.0
    transcendentals: float = 0.0
    members: set[Hashable] = field(default_factory=set[Hashable])
    names: dict[str, float] = field(default_factory=lambda: defaultdict[str, float](float))
    places: dict[str, float] = field(default_factory=lambda: defaultdict[str, float](float))

    @property
    def title(self) -> str:
        """``12 x k7``: what it is, and how many there are of equal structure."""
        return f"{len(self.members)} x {self.label}" if len(self.members) > 1 else self.label

    @property
    def computes(self) -> str:
        """The operations that are most of its work: ``dot_general, add, 5 others``."""
        names = sorted(self.names, key=lambda name: -self.names[name])
        shown = names[:NAMES]
        if rest := len(names) - len(shown):
            shown.append(format_count(rest, "other"))
        return ", ".join(shown)

    @property
    def place(self) -> str:
        """The place of the source at which most of its work is done, and how many others."""
        if not self.places:
            return ""
        place = max(self.places, key=lambda place: self.places[place])
        rest = len(self.places) - 1
        return f"{place} and {format_count(rest, 'other')}" if rest else place

    def roof_share(self, peaks: Peaks) -> float | None:
        """How much it reaches of what the machine can do; None if that is not known.

        Arithmetic beside the roofline; of what only moves data the bandwidth.
        """
        if not self.seconds or not self.bytes:
            return None
        work = self.flops + self.transcendentals
        if not work:
            return self.bytes / self.seconds / peaks.bytes_per_second
        roof = min(work / self.bytes * peaks.bytes_per_second, peaks.flops_per_second)
        return work / self.seconds / roof

    def add(self, row: ProfileRow, part: float, member: Hashable, *, is_new: bool = True) -> None:
        """Adds a part of a row, which may have parts in the group already."""
        self.seconds += row.seconds * part
        self.executions += row.executions if is_new else 0.0
        self.bytes += row.bytes * part
        self.flops += row.flops * part
        self.transcendentals += row.transcendentals * part
        self.members.add(member)


def groups_of(profile: Measurement, by: str = "kernel") -> list[ProfileGroup]:
    """The groups of a profile, those that take longest first.

    Args:
        profile: The profile.
        by: ``kernel`` (kernels of equal code), or a key of ``KEYS``.
    """
    groups = by_kernel(profile) if by == "kernel" else by_operation(profile, KEYS[by])
    return sorted(groups, key=lambda group: -group.seconds)


def by_kernel(profile: Measurement) -> Iterator[ProfileGroup]:
    """The kernels, those of equal code together."""
    groups: dict[str, ProfileGroup] = {}
    for number, row in enumerate(profile.rows):
        group = groups.setdefault(row.what, ProfileGroup(row.what.rpartition(", ")[2]))
        group.add(row, 1.0, number)
        weighted = weighted_operations(row)
        for operation, weight in weighted:
            group.names[short_name(operation)] += weight
        if weighted:
            main, _ = max(weighted, key=lambda pair: pair[1])
            group.places[place_of(main)] += row.seconds
    yield from groups.values()


def by_operation(
    profile: Measurement, key: Callable[[SourceOperation], tuple[str, Hashable]]
) -> Iterator[ProfileGroup]:
    """Operations by what they have in common.

    Args:
        profile: The profile.
        key: The label of an operation, and which item of the group it belongs to.
    """
    groups: dict[str, ProfileGroup] = {}
    for row in profile.rows:
        weighted = weighted_operations(row)
        whole = sum(weight for _, weight in weighted) or 1.0
        if not weighted:
            groups.setdefault(row.what, ProfileGroup(row.what)).add(row, 1.0, row.what)
        seen: set[str] = set()
        for operation, weight in weighted:
            label, member = key(operation)
            group = groups.setdefault(label, ProfileGroup(label))
            group.add(row, weight / whole, member, is_new=label not in seen)
            seen.add(label)
            group.names[short_name(operation)] += weight
            group.places[place_of(operation)] += row.seconds * weight / whole
    yield from groups.values()


def weighted_operations(row: ProfileRow) -> list[tuple[SourceOperation, float]]:
    """The operations of a row with how much work each is; equal parts where that is not known."""
    weights = row.weights or [1.0] * len(row.operations)
    return list(zip(row.operations, weights, strict=True))


def short_name(operation: SourceOperation) -> str:
    """The name of an operation without its dialect."""
    return operation.name.rpartition(".")[2]


def place_of(operation: SourceOperation) -> str:
    """Where an operation is in the user's source, or in the text of the program."""
    if operation.place or operation.file:
        return short_path(operation.place or operation.file)
    return f"line {operation.line}" if operation.line is not None else ""


def short_path(place: str) -> str:
    """``layers/mlp.py:12:4``: a place without the folders above its own."""
    path, colon, rest = place.partition(":")
    return "/".join(path.split("/")[-2:]) + colon + rest


def module_of(operation: SourceOperation) -> str:
    """The scopes around an operation, without functions and transformations."""
    names = (unwrap(scope) for scope in operation.scope)
    return "/".join(name for name in names if name)


def unwrap(scope: str) -> str:
    """``h_0`` of ``transpose(jvp(h_0))``; nothing of ``jit(step)``."""
    if FUNCTION.fullmatch(scope):
        return ""
    while found := WRAPPED.fullmatch(scope):
        scope = found[1]
    return scope


def layer_key(operation: SourceOperation) -> tuple[str, Hashable]:
    """The layer of an operation: its module with a star for each number."""
    module = module_of(operation)
    return NUMBER.sub("*", module) or OTHERS, module


def module_key(operation: SourceOperation) -> tuple[str, Hashable]:
    """The module of an operation."""
    return module_of(operation) or OTHERS, None


def line_key(operation: SourceOperation) -> tuple[str, Hashable]:
    """The line of an operation in the user's source; without one its line in the text."""
    if operation.place or operation.file:
        path, line, *_ = [*place_of(operation).split(":"), ""]
        return f"{path}:{line}" if line else path, None
    return str(operation), None


def operation_key(operation: SourceOperation) -> tuple[str, Hashable]:
    """The name of an operation."""
    return operation.name, None


KEYS: Final[dict[str, Callable[[SourceOperation], tuple[str, Hashable]]]] = {
    "layer": layer_key,
    "module": module_key,
    "line": line_key,
    "operation": operation_key,
}
GROUPINGS: Final = ("kernel", *KEYS)
