"""The program behind an HLO text."""

from __future__ import annotations

from collections.abc import Iterator

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.source import Source
from stablemate.formats.hlo.text.reader import read_text
from stablemate.xla.module import HloInstruction, HloModule
from stablemate.xla.verifier import verify


class HloProgram:
    """A program and what is wrong with it.

    Attributes:
        source: The text that it belongs to.
        module: The module; None if the text is broken.
    """

    def __init__(self, text: str) -> None:
        self.source = Source("")
        self.module: HloModule | None = None
        self.findings: list[Diagnostic] = []
        self.update(text)

    def update(self, text: str) -> None:
        """Makes this the program of another text."""
        if text == self.source.text:
            return
        self.source = Source(text)
        try:
            self.module = read_text(self.source, elided=True)
            self.findings = verify(self.module)
        except StablemateError as error:
            self.module, self.findings = None, list(error.diagnostics)

    def diagnostics(self) -> Iterator[Diagnostic]:
        """All that is wrong."""
        return iter(self.findings)

    def instructions(self) -> Iterator[HloInstruction]:
        """All instructions of a text that can be read."""
        for computation in self.module.computations if self.module else ():
            yield from computation.instructions
