"""Dump folders as users look at them: ``load_dump``."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.file_errors import path_name, printable_name
from stablemate.dumps.file_kinds import (
    PASS_PROGRAM,
    PROGRAM,
    SAVED_TENSORS,
    STAGE,
    TORCH_REPORT,
    FileKind,
)
from stablemate.dumps.folder import DumpFile, files_in
from stablemate.dumps.modules import DumpModule, modules_of
from stablemate.dumps.torch_xla import CompilationReport, SavedGraph, report_of, saved_graphs

LOGGED: Final = re.compile(
    r"Finished XLA compilation of (\S{1,200}) in (\d{1,9}(?:\.\d{1,12})?(?:e-?\d{1,3})?) s"
)
HOW: Final = (
    "XLA writes dumps with XLA_FLAGS=--xla_dump_to=DIR, JAX with JAX_DUMP_IR_TO=DIR, PyTorch/XLA "
    "with XLA_SAVE_TENSORS_FILE=DIR/FILE, IREE with --dump-compilation-phases-to=DIR"
)


@dataclass(frozen=True)
class Dump:
    """A dump folder.

    Attributes:
        folder: Its path.
        modules: The modules in it, by folder, producer and number.
        others: The files that belong to no module.
    """

    folder: Path
    modules: Sequence[DumpModule]
    others: Sequence[DumpFile]

    @property
    def files(self) -> Iterator[DumpFile]:
        """Yields the files of all modules, then those of no module."""
        for module in self.modules:
            yield from module.files
        yield from self.others

    @property
    def programs(self) -> Iterator[DumpFile]:
        """The files that hold a program."""
        return (file for file in self.files if file.name.kind in (PROGRAM, PASS_PROGRAM))

    @property
    def skipped(self) -> Counter[FileKind]:
        """How many files hold no program, by their kind."""
        kinds = (file.name.kind for file in self.files)
        return Counter(kind for kind in kinds if kind not in (PROGRAM, PASS_PROGRAM))

    @property
    def producers(self) -> list[str]:
        """Who wrote it: ``XLA on GPU (sm_9.0)``, ``JAX``."""
        names = [module.producer for module in self.modules]
        names += [file.name.producer for file in self.others]
        known = sorted({name for name in names if name})
        devices = sorted({device for module in self.modules if (device := device_of(module))})
        return [f"{name} for {', '.join(devices)}" if name == "XLA" and devices else name
                for name in known]  # fmt: skip

    def module(self, what: str) -> DumpModule:
        """The module of a number or name; of several with one name the one with most bytes.

        Raises:
            ArgumentValueError: There is none.
        """
        found = [module for module in self.modules if what in module.labels]
        if not found:
            names = dict.fromkeys(module.title for module in self.modules)
            shown = ", ".join([*names][:10]) + (", ..." if len(names) > 10 else "")
            raise ArgumentValueError(f"no module of {self.folder} is called {what!r}: {shown}")
        return max(found, key=lambda module: module.bytes)

    @property
    def saved_graphs(self) -> Iterator[tuple[DumpFile, SavedGraph]]:
        """The graphs that PyTorch/XLA saved.

        Raises:
            FileError: A file cannot be read.
            ParseError: It is damaged.
        """
        for file in self.others:
            if file.name.kind == SAVED_TENSORS:
                yield from ((file, graph) for graph in saved_graphs(file.text(), file.relative))

    @property
    def torch_reports(self) -> Iterator[tuple[DumpFile, CompilationReport]]:
        """The reports of PyTorch/XLA.

        Raises:
            FileError: A file cannot be read.
        """
        for file in self.others:
            if file.name.kind == TORCH_REPORT:
                yield file, report_of(file.text())

    @property
    def logged_seconds(self) -> dict[str, list[float]]:
        """The compile times that logs of JAX (``jax_log_compiles``) state, by module.

        Raises:
            FileError: A log cannot be read.
        """
        times: dict[str, list[float]] = {}
        for file in self.others:
            if file.name.kind.name == "log":
                for found in LOGGED.finditer(file.text()):
                    name = re.sub(r"[^\w.-]", "_", found[1]).rstrip("_")
                    times.setdefault(name, []).append(float(found[2]))
        return times


def load_dump(folder: str | os.PathLike[str]) -> Dump:
    """Reads what a compiler dumped.

    ::

        dump = sm.load_dump("/tmp/xla")
        print([module.name for module in dump.modules])

    Recognized are the files of XLA (``--xla_dump_to``) for CPU, GPU and TPU, of JAX
    (``jax_dump_ir_to``), PyTorch/XLA (``XLA_SAVE_TENSORS_FILE``, ``PT_XLA_DEBUG_FILE``) and IREE
    (``--dump-compilation-phases-to``), and programs under other names. Programs are read when they
    are asked for.

    Args:
        folder: The folder. Links that lead out of it are not followed.

    Raises:
        FileError: It cannot be read.
        LimitError: It has too many files or levels.
        ArgumentValueError: It is no folder, or holds nothing of a compiler and no program.
    """
    path = Path(path_name(folder))
    if path.exists() and not path.is_dir():
        raise ArgumentValueError(f"a dump is a folder, but {printable_name(str(path))} is a file")
    files = list(files_in(path))
    modules = modules_of(files)
    used = {id(file) for module in modules for file in module.files}
    others = [file for file in files if id(file) not in used]
    if not modules and not any(file.name.producer for file in others):
        raise ArgumentValueError(
            Diagnostic(
                f"{printable_name(str(path))} holds no program and no file of a compiler",
                notes=(Diagnostic(HOW, severity="note"),),
            )
        )
    return Dump(path, modules, others)


def device_of(module: DumpModule) -> str:
    """The device that a module was compiled for: ``CPU``, ``GPU (sm_9.0)``; empty if unknown."""
    for stage in module.stages:
        found = STAGE.fullmatch(stage.name)
        if found is not None and found["device"]:
            architecture, _, device = found["device"].rpartition("_")
            return device.upper() + (f" ({architecture})" if architecture else "")
    return "TPU" if any(stage.name == "after_codegen" for stage in module.stages) else ""
