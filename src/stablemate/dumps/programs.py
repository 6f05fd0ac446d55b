"""The programs of the stages of a module, and what passes changed between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from stablemate.api.loading import load
from stablemate.api.module import HloModule, Module
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError, UnsupportedError
from stablemate.diagnostics.file_errors import printable_name
from stablemate.diagnostics.limits import Limits
from stablemate.dumps.file_kinds import PASS_PROGRAM
from stablemate.dumps.folder import MOST_BYTES
from stablemate.dumps.modules import PASSES, DumpModule, DumpStage
from stablemate.dumps.stage_changes import StageChanges, changes_between

LIMITS: Final = Limits(input_bytes=MOST_BYTES)
PASSES_BYTES: Final = 1 << 26  # of programs between passes that are compared without being asked


@dataclass(frozen=True, slots=True)
class PassChange:
    """The change that a pass made.

    Attributes:
        stage: The program after it.
        changes: The difference from the program before.
    """

    stage: DumpStage
    changes: StageChanges


def program_of(stage: DumpStage) -> Module:
    """The program of a stage.

    Raises:
        FileError: Its file cannot be read.
        ParseError: It is damaged.
        LimitError: It is too large.
    """
    return load(stage.file.read(), name=str(stage.file.path), limits=LIMITS)


def hlo_of(stage: DumpStage) -> HloModule:
    """The program of a stage in HLO, with places in a text.

    Raises:
        StablemateError: It cannot be read, or is no HLO.
    """
    module = program_of(stage)
    if not isinstance(module, HloModule):
        return module.to_hlo()
    if module.read_text is None:  # a protocol buffer: its kernels are found by their lines
        read = load(module.to_text().encode(), name=str(stage.file.path), limits=LIMITS)
        assert isinstance(read, HloModule)
        return read
    return module


def stage_pair(module: DumpModule, first: str | None, second: str | None) -> Sequence[DumpStage]:
    """Two stages of a module, by default the programs before and after all passes.

    Args:
        module: The module.
        first: The name of the first stage, or the number of a pass.
        second: The name of the second one.

    Returns:
        The two, or nothing if the module has no two programs of HLO.

    Raises:
        ArgumentValueError: There is no such stage.
    """
    hlo = [stage for stage in module.stages if stage.name not in ("StableHLO", "input")]
    if len(hlo) < 2 and first is None and second is None:
        return ()
    a = hlo[0] if first is None and hlo else named_stage(module, first or "")
    b = hlo[-1] if second is None and hlo else named_stage(module, second or "")
    return a, b


def named_stage(module: DumpModule, what: str) -> DumpStage:
    """A stage by its name, its number among the passes, or a part of its name that no other has.

    Raises:
        ArgumentValueError: There is none, or there are several.
    """
    exact = [stage for stage in module.stages if what in (stage.name, stage_label(stage))]
    number = (PASSES, int(what)) if what.isdecimal() and len(what) < 10 else None
    numbered = [stage for stage in module.stages if stage.rank == number]
    parts = [stage for stage in module.stages if what in stage.name]
    for found in (exact, numbered, parts):
        if len(found) == 1:
            return found[0]
    names = ", ".join(map(stage_label, parts or module.stages))
    if parts:
        raise ArgumentValueError(f"several stages of {module.title} are called {what!r}: {names}")
    raise ArgumentValueError(f"no stage of {module.title} is called {what!r}: {names}")


def stage_label(stage: DumpStage) -> str:
    """The name of a stage, with its number if it is between passes."""
    return f"{stage.rank[1]} {stage.name}" if stage.file.name.kind == PASS_PROGRAM else stage.name


def pass_changes(
    module: DumpModule, report: Callable[[str], object] = lambda text: None
) -> Iterator[PassChange]:
    """Compares the dumped programs of passes; passes that changed nothing are left out.

    Raises:
        StablemateError: A program cannot be read.
    """
    stages = [stage for stage in module.stages if stage.name not in ("StableHLO", "input")]
    before: HloModule | None = None
    content = b""
    for stage in stages:
        read = stage.file.read()
        if before is not None and read == content:
            continue
        report(stage_label(stage))
        program = load(read, name=str(stage.file.path), limits=LIMITS)
        if not isinstance(program, HloModule):
            raise UnsupportedError(f"{printable_name(str(stage.file.path))} holds no HLO")
        if before is not None and (changes := changes_between(before.tree, program.tree)):
            yield PassChange(stage, changes)
        before, content = program, read


def passes_bytes(module: DumpModule) -> int:
    """The size of the programs between the passes of a module."""
    return sum(file.size for file in module.files_of(PASS_PROGRAM))


def changes_of(
    module: DumpModule, first: str | None = None, second: str | None = None
) -> tuple[DumpStage, DumpStage, StageChanges] | None:
    """Compares two stages; None if the module has no two programs of HLO.

    Args:
        module: The module.
        first: The first stage; by default that before all passes.
        second: The second one; by default that after all passes.

    Raises:
        ArgumentValueError: There is no such stage.
        StablemateError: A program cannot be read, or is no HLO.
    """
    pair = stage_pair(module, first, second)
    if not pair:
        return None
    a, b = pair
    return a, b, changes_between(hlo_of(a).tree, hlo_of(b).tree)
