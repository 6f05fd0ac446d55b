"""Errors in a file, with the section and the byte offset at which they were found."""

from __future__ import annotations

from typing import NoReturn

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import LimitError, ParseError
from stablemate.diagnostics.limits import Limits
from stablemate.diagnostics.source import Source, Span


@dataclass(frozen=True, slots=True)
class FileOrigin:
    """The file that is being read: its name in messages, and the limits of reading it."""

    source: Source
    limits: Limits

    def span(self, offset: int) -> Span:
        """The place of a byte."""
        return Span(self.source, offset, offset)

    def reject(self, section: str, offset: int, message: str, *notes: str) -> NoReturn:
        """Raises a ParseError.

        Raises:
            ParseError: Always.
        """
        raise ParseError(self.diagnostic(section, offset, message, *notes))

    def exceed(self, section: str, offset: int, message: str) -> NoReturn:
        """Raises a LimitError that names the limit.

        Raises:
            LimitError: Always.
        """
        raise LimitError(self.diagnostic(section, offset, message))

    def diagnostic(self, section: str, offset: int, message: str, *notes: str) -> Diagnostic:
        """Returns the diagnostic for a byte of a section."""
        remarks = tuple(Diagnostic(note) for note in notes)
        return Diagnostic(f"{section}: {message}", span=self.span(offset), notes=remarks)
