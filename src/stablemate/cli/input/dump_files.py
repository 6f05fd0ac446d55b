"""The files that a command line names, one by one or by folders, which may be dumps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import stablemate as sm
from stablemate.analysis.quantities import format_count
from stablemate.cli.input.programs import load_program, with_entry
from stablemate.cli.options import STDIN, elided_choice
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    LimitError,
    ParseError,
    UnsupportedError,
)
from stablemate.diagnostics.file_errors import reason
from stablemate.dumps.file_kinds import PASS_PROGRAM, PROGRAM, UNKNOWN, FileName, file_name_of

if TYPE_CHECKING:
    from stablemate.dumps.folder import DumpFile

HEAD_BYTES: Final = 1 << 12  # in which a mark of a program is looked for; large files are not read
PROGRAM_MARKS: Final = (b"HloModule", b"stablehlo.", b"func.func")


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that should hold a program.

    Attributes:
        name: How the user finds it.
        file: The file of a dump; None if it was named itself.
        failure: Why it cannot be read at all; None if it can be tried.
    """

    name: str
    file: DumpFile | None = None
    failure: ArgumentValueError | None = None

    def load(self, entry: str | None, layout: str | None) -> sm.Module:
        """The program.

        Raises:
            ArgumentError: The file cannot be read, or is no HLO where an entry is asked for.
            FileError: It cannot be read.
            ParseError: It holds no program.
        """
        if self.failure is not None:
            raise self.failure
        if self.file is None:
            return load_program(self.name, entry=entry, layout=layout)
        try:
            module = sm.load(self.file.read(), name=self.name, elided=elided_choice())
        except (LimitError, UnsupportedError) as error:
            raise ParseError(error.diagnostics) from error
        if entry is None and layout is None:
            return module
        return with_entry(module, self.name, entry, layout)


@dataclass(slots=True)
class SkippedFiles:
    """Files without a program.

    Attributes:
        named: Those that were named, with what they are, and of which module.
        folders: How many there are of each kind, by the folder that was named.
    """

    named: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    folders: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])

    @property
    def number(self) -> int:
        """Counts the files that were skipped, named or in folders."""
        return len(self.named) + sum(counter.total() for counter in self.folders.values())

    def lines(self) -> Iterator[str]:
        """Reports the files: a line for each kind that was named, and for each folder."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for name, kind, owner in self.named:
            groups.setdefault(kind, []).append((name, owner))
        for kind, ((name, owner), *others) in groups.items():
            if others:
                yield f"{name} and {len(others)} more: {kind}: not programs, skipped"
            else:
                of_what = f" of {owner}" if owner else ""
                yield f"{name}: {kind}{of_what}: not a program, skipped"
        counts = sum(self.folders.values(), Counter[str]())
        if counts:
            kinds = ", ".join(f"{kind} ({number})" for kind, number in counts.most_common())
            name, *more = (name for name, counter in self.folders.items() if counter)
            folders = f"{name} and {format_count(len(more), 'more folder')}" if more else name
            yield f"{folders}: not programs, skipped: {kinds}"


def files_to_check(names: Sequence[str]) -> tuple[list[CheckedFile], SkippedFiles]:
    """The files that hold a program, or should, among those that were named and in folders."""
    checked: list[CheckedFile] = []
    skipped = SkippedFiles()
    for name in dict.fromkeys(names):
        if is_folder(name):
            checked += files_of_folder(name, skipped)
        elif is_no_program(name):
            found = file_name_of(Path(name).name)
            skipped.named.append((name, found.kind.title, owner_of(found)))
        else:
            checked.append(CheckedFile(name))
    return checked, skipped


def is_folder(name: str) -> bool:
    """Whether what a command line names is a folder, such as a dump."""
    return name not in ("", STDIN) and Path(name).is_dir()


def files_of_folder(name: str, skipped: SkippedFiles) -> list[CheckedFile]:
    """The programs in a folder; what it holds besides is counted."""
    # Here and not above: a file that is named itself needs no reader of dumps.
    from stablemate.dumps.dump import load_dump

    try:
        dump = load_dump(name)
    except (sm.FileError, sm.LimitError) as error:
        return [CheckedFile(name, failure=ArgumentValueError(error.diagnostics))]
    except ArgumentValueError as error:
        return [CheckedFile(name, failure=error)]
    skipped.folders[name] = Counter()
    for kind, number in dump.skipped.items():
        skipped.folders[name][kind.title] += number
    files = sorted(dump.programs, key=lambda file: file.relative)
    return [CheckedFile(str(Path(name) / file.relative), file) for file in files]


def is_no_program(name: str) -> bool:
    """Whether the name of a file says that it holds no program, and its beginning agrees."""
    path = Path(name)
    found = file_name_of(path.name)
    if name == STDIN or found.kind in (PROGRAM, PASS_PROGRAM, UNKNOWN) or not path.is_file():
        return False
    return bool(found.producer) or not holds_program(path)


def owner_of(name: FileName) -> str:
    """``module_0001``: the module that a file is about; empty if its name does not say."""
    if name.producer == "XLA" and name.number is not None:
        return f"module_{name.number:04}"
    return name.module


def holds_program(path: Path) -> bool:
    """Whether a file begins like a program, whatever its name says."""
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        raise ArgumentValueError(f"cannot read {path}: {reason(error)}") from error
    return any(mark in head for mark in PROGRAM_MARKS)
