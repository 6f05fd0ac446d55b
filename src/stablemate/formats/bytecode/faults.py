"""What is wrong with a file, with the section and the byte offset where it was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.diagnostics.limits import Limits
from stablemate.diagnostics.source import Source, Span


@dataclass(frozen=True, slots=True)
class Origin:
    """The file that is being read: what messages call it, and what reading it may cost."""

    source: Source
    limits: Limits

    def span(self, offset: int) -> Span:
        """The place of a byte."""
        return Span(self.source, offset, offset)

    def refuse(self, section: str, offset: int, message: str, *notes: str) -> NoReturn:
        """Says what is wrong.

        Raises:
            ParseError: Always.
        """
        raise ParseError(self.diagnostic(section, offset, message, *notes))

    def exceed(self, section: str, offset: int, message: str) -> NoReturn:
        """Says which limit the file exceeds.

        Raises:
            LimitError: Always.
        """
        raise LimitError(self.diagnostic(section, offset, message))

    def diagnostic(self, section: str, offset: int, message: str, *notes: str) -> Diagnostic:
        """The finding at a byte of a section."""
        remarks = tuple(Diagnostic(note) for note in notes)
        return Diagnostic(f"{section}: {message}", span=self.span(offset), notes=remarks)
