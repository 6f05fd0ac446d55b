"""The modules of a dump folder: their programs by stage, and the other files about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.dumps.file_kinds import (
    LLVM,
    OBJECT,
    PASS_PROGRAM,
    PROGRAM,
    PTX,
    FileKind,
)
from stablemate.dumps.folder import DumpFile

# The order of stages that are between no two passes.
STAGE_RANKS: Final = {"StableHLO": 0, "input": 0, "before_optimizations": 1}
LATE_STAGES: Final = (
    "after_optimizations_before_buffer_assignment",
    "after_optimizations",
    "after_optimizations_after_buffer_assignment",
    "after_codegen",
)
PASSES: Final = 2  # the rank of programs between passes
# Of several files with one program, the first in this order is read.
PREFERRED_ENDINGS: Final = (".txt", ".mlir", ".hlo", ".txt.gz", ".hlo.pb", ".pb", ".hlo.pb.gz", "")
UNSAFE: Final = re.compile(r"[^\w.-]")  # characters that JAX replaces in some names of files
CODE: Final = (LLVM, OBJECT, PTX)

Rank = tuple[int, int]  # of a stage among those of its module


@dataclass(frozen=True, slots=True)
class DumpStage:
    """A program of a module.

    Attributes:
        name: ``before_optimizations``, ``after layout-assignment``, ``cpu_after_optimizations``.
        file: The file that holds it.
        rank: Its place in the order of stages.
    """

    name: str
    file: DumpFile
    rank: Rank


@dataclass(frozen=True, slots=True)
class DumpModule:
    """A module that was compiled.

    Attributes:
        folder: The folder of its files inside the dump; empty for the dump itself.
        producer: ``XLA``, ``JAX``, ``PyTorch/XLA`` or ``IREE``; empty where nothing says it.
        number: Its number; None if its files have none.
        name: Its name.
        files: All its files.
        stages: Its programs in the order of the stages.
    """

    folder: str
    producer: str
    number: int | None
    name: str
    files: Sequence[DumpFile]
    stages: Sequence[DumpStage] = field(default=())

    @property
    def title(self) -> str:
        """``8 jit_step``: its number and name."""
        place = f"{self.folder}/" if self.folder else ""
        number = "" if self.number is None else f"{self.number} "
        return f"{place}{number}{self.name or '(no name)'}"

    @property
    def labels(self) -> tuple[str, ...]:
        """Its accepted names: its title, its name, its number, as in the names of its files."""
        if self.number is None:
            return self.title, self.name
        file_name = f"module_{self.number:04}"
        full_name = f"{file_name}.{self.name}"
        return self.title, self.name, str(self.number), file_name, full_name

    @property
    def bytes(self) -> int:
        """The size of its files."""
        return sum(file.size for file in self.files)

    @property
    def unoptimized(self) -> DumpStage | None:
        """The program before the compiler's passes; StableHLO if that is all there is."""
        known = [stage for stage in self.stages if stage.rank[0] < PASSES]
        return known[-1] if known else None

    @property
    def optimized(self) -> DumpStage | None:
        """The program after all passes; None if there is none."""
        known = [stage for stage in self.stages if stage.rank[0] > PASSES]
        return known[-1] if known else None

    @property
    def final(self) -> DumpStage | None:
        """The last program there is."""
        return self.stages[-1] if self.stages else None

    def files_of(self, *kinds: FileKind) -> list[DumpFile]:
        """Its files of some kinds."""
        return [file for file in self.files if file.name.kind in kinds]

    @property
    def compile_seconds(self) -> float | None:
        """How long it took to compile, by the times at which its files were written.

        None where the program before the passes is not there, or was not written first, as in a
        folder that was copied.
        """
        first, last = self.unoptimized, self.optimized
        if first is None or last is None or first.name == "StableHLO":
            return None
        ends = [last.file.modified, *(file.modified for file in self.files_of(*CODE))]
        passes = [stage.file.modified for stage in self.stages if stage.rank[0] == PASSES]
        seconds = max(ends) - first.file.modified
        in_order = first.file.modified <= min([last.file.modified, *passes])
        return seconds if in_order and seconds > 0 else None


def modules_of(files: Iterable[DumpFile]) -> list[DumpModule]:
    """The modules that files are about; files that are about none are left out."""
    known = list(files)
    names = module_names(known)
    groups: dict[tuple[str, str, int | None, str], list[DumpFile]] = {}
    for file in known:
        key = module_key(file, names)
        if key is not None:
            groups.setdefault(key, []).append(file)
    modules = [
        DumpModule(folder, producer, number, name, members, stages_of(members))
        for (folder, producer, number, name), members in groups.items()
    ]
    return list(join_modules(sorted(modules, key=module_order)))


def module_order(module: DumpModule) -> tuple[str, str, int, str]:
    """The place of a module in lists."""
    return module.folder, module.producer, module.number or 0, module.name


def module_names(files: Iterable[DumpFile]) -> dict[tuple[str, int], str]:
    """The names of XLA's modules by their folders and numbers, as most of their files say."""
    counts: dict[tuple[str, int], Counter[str]] = {}
    for file in files:
        name = file.name
        if name.producer == "XLA" and name.module and name.number is not None:
            counts.setdefault((home_of(file), name.number), Counter())[name.module] += 1
    return {key: counter.most_common(1)[0][0] for key, counter in counts.items()}


def home_of(file: DumpFile) -> str:
    """The folder of a module; its own folder, which XLA names as the module, does not count."""
    folder = file.relative.rpartition("/")[0]
    if folder.rpartition("/")[2].startswith("module_"):
        return folder.rpartition("/")[0]
    return folder


def module_key(
    file: DumpFile, names: dict[tuple[str, int], str]
) -> tuple[str, str, int | None, str] | None:
    """The key of the module that a file belongs to; None if it belongs to none."""
    name, home = file.name, home_of(file)
    if name.number is not None and name.producer == "XLA":
        module = names.get((home, name.number), "")
        return home, "XLA", name.number, module or name.module or name.rest.partition(".")[0]
    if name.producer in ("JAX", "IREE"):
        plain = UNSAFE.sub("_", name.module.removeprefix("jit_")).rstrip("_")
        return home, name.producer, name.number, plain
    if name.kind == PROGRAM:
        return home, "", None, file.relative.rpartition("/")[2]
    return None


def stages_of(files: Iterable[DumpFile]) -> list[DumpStage]:
    """The programs among the files of a module, each stage once, in order."""
    stages: dict[Rank, DumpStage] = {}
    for file in sorted(files, key=preference):
        if file.name.kind in (PROGRAM, PASS_PROGRAM):
            rank = rank_of(file)
            stages.setdefault(rank, DumpStage(file.name.stage or "program", file, rank))
    return [stages[rank] for rank in sorted(stages)]


def preference(file: DumpFile) -> int:
    """Which file is read of several with one program."""
    return next(i for i, end in enumerate(PREFERRED_ENDINGS) if file.relative.endswith(end))


def rank_of(file: DumpFile) -> Rank:
    """The place of a program in the order of stages."""
    name = file.name
    if name.kind == PASS_PROGRAM:
        return PASSES, name.order or 0
    for number, late in enumerate(LATE_STAGES):
        if name.stage.endswith(late):
            return PASSES + 1, number
    return STAGE_RANKS.get(name.stage, 0), 0


def join_modules(modules: Sequence[DumpModule]) -> Iterator[DumpModule]:
    """Modules in order; one whose files have two numbers, as some compilers write them, is one.

    The program before the passes has one number then, that after them another.
    """
    waiting: dict[tuple[str, str], DumpModule] = {}
    for module in modules:
        key = module.folder, module.name
        begun = waiting.get(key)
        if begun is not None and module.unoptimized is None and module.optimized is not None:
            files = [*begun.files, *module.files]
            waiting[key] = DumpModule(
                begun.folder, begun.producer, begun.number, begun.name, files, stages_of(files)
            )
            yield waiting.pop(key)
            continue
        if begun is not None:
            yield waiting.pop(key)
        if module.producer == "XLA" and module.unoptimized and module.optimized is None:
            waiting[key] = module
        else:
            yield module
    yield from waiting.values()
