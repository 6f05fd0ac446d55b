"""The difference of two dumps, module by module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from stablemate.analysis.quantities import format_count
from stablemate.analysis.structure.changes import Diff
from stablemate.analysis.tables import TextTable
from stablemate.api.inspection.structure import diff
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import StablemateError
from stablemate.dumps.dump import Dump
from stablemate.dumps.modules import DumpModule, DumpStage
from stablemate.dumps.programs import program_of

COLUMNS: Final = ("module ", "before the passes ", "after the passes ")
EQUAL: Final = "equal"


@dataclass(frozen=True, slots=True)
class StageDifference:
    """The difference of one stage of a module in two dumps.

    Attributes:
        difference: By structure; None if one of them could not be read or both lack it.
        text: It in a few words, for people: ``equal``, ``2 removed, 3 changed``.
    """

    difference: Diff | None
    text: str

    @property
    def is_equal(self) -> bool:
        """Whether there is no difference."""
        return self.text in (EQUAL, "")


@dataclass(frozen=True, slots=True)
class ModuleDifference:
    """The difference of a module in two dumps.

    Attributes:
        name: Its name.
        a: The module in the first dump; None if it is in the second one alone.
        b: The module in the second dump.
        unoptimized: The difference of the programs before the passes.
        optimized: The difference of the programs after them.
    """

    name: str
    a: DumpModule | None
    b: DumpModule | None
    unoptimized: StageDifference
    optimized: StageDifference

    @property
    def is_equal(self) -> bool:
        """Whether there is no difference."""
        both = self.a is not None and self.b is not None
        return both and self.unoptimized.is_equal and self.optimized.is_equal


@dataclass(frozen=True, slots=True)
class DumpDifference:
    """The difference of two dumps; false if there is none.

    Attributes:
        a: The first dump.
        b: The second dump.
        modules: The modules of both, those of the first one first.
    """

    a: Dump
    b: Dump
    modules: Sequence[ModuleDifference]

    def __bool__(self) -> bool:
        return not all(module.is_equal for module in self.modules)

    def tables(self, listed: int) -> Iterator[TextTable]:
        """The difference as tables.

        Args:
            listed: How many modules are shown at most.
        """
        different = [module for module in self.modules if not module.is_equal]
        equal = len(self.modules) - len(different)
        yield TextTable(
            f"{self.a.folder} and {self.b.folder}: {format_count(equal, 'module')} equal, "
            f"{len(different)} different"
        )
        rows = [
            [module_title(module), module.unoptimized.text, module.optimized.text]
            for module in different[:listed]
        ]
        more = len(different) - len(rows)
        if rows:
            yield TextTable("", COLUMNS, rows, [f"and {more} more"] if more else [])

    def to_json(self) -> dict[str, object]:
        """The difference as an object."""
        return {
            "schema": 1,
            "equal": not self,
            "a": str(self.a.folder),
            "b": str(self.b.folder),
            "modules": [
                {
                    "name": module.name,
                    "a": None if module.a is None else module.a.number,
                    "b": None if module.b is None else module.b.number,
                    "equal": module.is_equal,
                    "before": module.unoptimized.text or None,
                    "after": module.optimized.text or None,
                }
                for module in self.modules
            ],
        }


def module_title(module: ModuleDifference) -> str:
    """``8 -> 9 jit_step``: a module in both dumps."""
    if module.a is not None and module.b is not None:
        same = module.a.number == module.b.number
        return module.a.title if same else f"{module.a.number} -> {module.b.title}"
    only = module.a or module.b
    assert only is not None
    return f"{only.title}: only in the {'first' if module.b is None else 'second'} dump"


def dump_difference(
    a: Dump, b: Dump, report: Callable[[str], object] = lambda text: None
) -> DumpDifference:
    """The difference of two dumps: modules of one name are paired in their order.

    Args:
        a: The first dump.
        b: The second dump.
        report: Told which module is compared.
    """
    waiting: dict[str, list[DumpModule]] = {}
    for module in reversed(b.modules):
        waiting.setdefault(module.name, []).append(module)
    modules: list[ModuleDifference] = []
    for module in a.modules:
        report(module.title)
        partners = waiting.get(module.name)
        modules.append(module_difference(module, partners.pop() if partners else None))
    rest = [module for modules_of_name in waiting.values() for module in modules_of_name]
    modules += [module_difference(None, module) for module in reversed(rest)]
    return DumpDifference(a, b, modules)


def module_difference(a: DumpModule | None, b: DumpModule | None) -> ModuleDifference:
    """The difference of a module in two dumps."""
    either = a or b
    assert either is not None
    if a is None or b is None:
        missing = StageDifference(None, "")
        return ModuleDifference(either.name, a, b, missing, missing)
    return ModuleDifference(
        a.name,
        a,
        b,
        stage_difference(a.unoptimized, b.unoptimized),
        stage_difference(a.optimized, b.optimized),
    )


def stage_difference(a: DumpStage | None, b: DumpStage | None) -> StageDifference:
    """The difference of two programs."""
    if a is None and b is None:
        return StageDifference(None, "")
    if a is None or b is None:
        return StageDifference(None, f"only in the {'first' if b is None else 'second'} dump")
    try:
        if a.file.read() == b.file.read():
            return StageDifference(None, EQUAL)
        difference = diff(program_of(a), program_of(b))
    except StablemateError as error:
        return StageDifference(None, error.diagnostics[0].message)
    return StageDifference(difference, difference.summary() if difference else EQUAL)
