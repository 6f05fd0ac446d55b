"""The program behind an HLO text: after an edit, only the lines that it changes are read."""

from __future__ import annotations

from collections.abc import Iterator

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.source import Source
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.lsp.programs.hlo_lines import Line, LineReader, LineVerifier
from stablemate.xla.module import HloInstruction, HloModule
from stablemate.xla.shape import Shape


class HloProgram:
    """A program and what is wrong with it.

    Attributes:
        source: The text that it belongs to.
        module: The module; None if the text is broken.
    """

    def __init__(self, text: str) -> None:
        self.source = Source("")
        self.lines: dict[str, Line] = {}
        self.shapes: dict[str, Shape] = {}
        self.processes = (1, 1)
        self.module: HloModule | None = None
        self.findings: list[Diagnostic] = []
        self.update(text)

    def update(self, text: str) -> None:
        """Makes this the program of another text."""
        if text == self.source.text:
            return
        self.source = Source(text)
        with without_garbage_collection():
            self.read()

    def read(self) -> None:
        """Reads and verifies the text; lines that are known are taken over."""
        reader = None
        try:
            reader = LineReader(self.source, self.lines, self.shapes)
            self.module = reader.any_module()
        except StablemateError as error:
            self.module, self.findings = None, list(error.diagnostics)
            self.lines.update(reader.used if reader else {})
            return
        self.lines = reader.used
        processes = (self.module.replica_count, self.module.num_partitions)
        if processes != self.processes:  # collectives depend on them
            self.processes = processes
            for line in self.lines.values():
                line.is_sound = False
        self.findings = list(LineVerifier(self.module, reader.line_of).findings())

    def diagnostics(self) -> Iterator[Diagnostic]:
        """All that is wrong."""
        return iter(self.findings)

    def instructions(self) -> Iterator[HloInstruction]:
        """All instructions of a text that can be read."""
        for computation in self.module.computations if self.module else ():
            yield from computation.instructions
