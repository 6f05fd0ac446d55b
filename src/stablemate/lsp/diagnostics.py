"""Diagnostics: rule, formula and values of what is wrong."""

from __future__ import annotations

from itertools import islice

from lsprotocol import types

from stablemate.diagnostics.codes import code_of
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.lsp.documents import Document
from stablemate.lsp.positions import Positions

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
MOST = 500  # diagnostics of one text


def diagnostics_of(document: Document) -> list[types.Diagnostic]:
    """Finds the diagnostics of a text."""
    _ = document.program
    return diagnostics_so_far(document)


def diagnostics_so_far(document: Document) -> list[types.Diagnostic]:
    """Finds the diagnostics of a text, as far as it is read."""
    positions = document.snapshot.positions
    diagnostics = islice(document.begun().diagnostics(), MOST)
    return [diagnostic_of(one, positions, document.uri) for one in diagnostics]


def diagnostic_of(diagnostic: Diagnostic, positions: Positions, uri: str) -> types.Diagnostic:
    """A diagnostic as the protocol has it."""
    span = diagnostic.span
    place = positions.range(span.start, span.end) if span else positions.range(0, 0)
    return types.Diagnostic(
        range=place,
        message=message_of(diagnostic),
        severity=SEVERITIES[diagnostic.severity],
        code=code_of(diagnostic.rule, "parse"),
        source="stablemate",
        related_information=[
            types.DiagnosticRelatedInformation(
                types.Location(uri, positions.range(note.span.start, note.span.end)), note.message
            )
            for note in diagnostic.notes
            if note.span
        ]
        or None,
    )


def message_of(diagnostic: Diagnostic) -> str:
    """Rule and formula, then the values, then the notes."""
    head = f"{diagnostic.rule}: {diagnostic.message}" if diagnostic.rule else diagnostic.message
    values = ", ".join(f"{name} = {value}" for name, value in diagnostic.values.items())
    notes = [f"note: {note.message}" for note in diagnostic.notes]
    return "\n".join([head, *([values] if values else []), *notes])
