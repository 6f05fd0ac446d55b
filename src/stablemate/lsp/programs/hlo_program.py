"""The program behind an HLO text: after an edit, only the lines that it changes are read."""

from __future__ import annotations

from collections.abc import Iterator

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.source import Source
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.lsp.programs.edited_program import EditedProgram
from stablemate.lsp.programs.hlo_lines import Computations, HloLine, LineReader, LineVerifier
from stablemate.lsp.programs.slices import OutOfTime, TimeSlice
from stablemate.xla.module import HloInstruction, HloModule
from stablemate.xla.shape import Shape


class HloDocument(EditedProgram):
    """A program and what is wrong with it.

    Attributes:
        module: The module; None if the text is broken.
    """

    def __init__(self, text: str = "") -> None:
        self.lines: dict[str, HloLine] = {}
        self.computations: Computations = {}
        self.shapes: dict[str, Shape] = {}
        self.processes = (1, 1)
        self.replace_text(text)
        self.finish()

    def replace_text(self, text: str) -> None:
        """Discards everything that was read from the last text."""
        self.source = Source(text)
        self.slices = 0
        self.is_done = False
        self.module: HloModule | None = None
        self.findings: list[Diagnostic] = []

    def advance(self, seconds: float | None) -> bool:
        """Reads and verifies for some time, or to the end.

        Returns:
            Whether all is done.
        """
        if self.is_done:
            return True
        time = TimeSlice(seconds, self.slices)
        self.slices += 1
        try:
            with without_garbage_collection():
                self.read(time)
        except OutOfTime:
            return False
        self.is_done = True
        return True

    def read(self, time: TimeSlice) -> None:
        """Reads and verifies the text; lines that are known are taken over."""
        reader = None
        try:
            reader = LineReader(self.source, self.lines, self.shapes, time, self.computations)
            module = reader.any_module()
        except StablemateError as error:
            self.findings = list(error.diagnostics)
            self.keep(reader)
            return
        except OutOfTime:
            self.keep(reader)
            raise
        self.lines, self.computations = reader.used, reader.used_computations
        processes = (module.replica_count, module.num_partitions)
        known = reader.taken_over
        if processes != self.processes:  # collectives depend on them
            self.processes, known = processes, set[str]()
            for line in self.lines.values():
                line.is_sound = False
            for computation in self.computations.values():
                computation.is_sound = False
        verifier = LineVerifier(module, reader.line_of, time, known)
        self.findings = list(verifier.findings())
        self.module = module
        for computation in self.computations.values():
            computation.is_sound = computation.computation.name not in verifier.unsound

    def keep(self, reader: LineReader | None) -> None:
        """Keeps what was read of a text that is broken, or not read to its end."""
        if reader is not None:
            self.lines.update(reader.used)
            self.computations.update(reader.used_computations)

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yields the errors and warnings of the last complete reading."""
        return iter(self.findings)

    def instructions(self) -> Iterator[HloInstruction]:
        """All instructions of a text that can be read."""
        for computation in self.module.computations if self.module else ():
            yield from computation.instructions
