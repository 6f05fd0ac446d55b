"""All errors of a text that cannot be read, as the language server finds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ParseError
from stablemate.diagnostics.source import Source, Span
from stablemate.formats.recognition import detect_format

MOST: Final = 500  # errors of a text


def parse_errors(error: ParseError) -> Sequence[Diagnostic]:
    """All errors of the text in which one was found, in the order of the text.

    Args:
        error: The first error.
    """
    span = error.diagnostics[0].span
    if span is None or span.source.binary or detect_format(span.source.text) != "mlir":
        return error.diagnostics
    # Here and not above: most texts can be read, and the server's reader is not needed.
    from stablemate.lsp.programs.mlir_program import MlirProgram

    program = MlirProgram(span.source.text)
    found = [relocate(item, span.source) for item in islice(program.diagnostics(), MOST)]
    found.sort(key=place_in_text)
    once = {(place_in_text(item), item.message): item for item in found}
    return list(once.values()) or error.diagnostics


def place_in_text(diagnostic: Diagnostic) -> int:
    """Returns the offset at which a diagnostic begins, by which diagnostics are sorted."""
    return diagnostic.span.start if diagnostic.span else 0


def relocate(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    """A diagnostic whose places are in a source with the same text."""
    notes = tuple(relocate(note, source) for note in diagnostic.notes)
    span = diagnostic.span
    if span is None:
        return replace(diagnostic, notes=notes)
    return replace(diagnostic, span=Span(source, span.start, span.end), notes=notes)
