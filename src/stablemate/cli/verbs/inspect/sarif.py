"""Diagnostics as SARIF, which code scanning services and editors read.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote

import stablemate
from stablemate.analysis.explain.page import Explanation
from stablemate.analysis.explain.subjects import explanation_of
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentError
from stablemate.diagnostics.source import Span

VERSION: Final = "2.1.0"
SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
STDIN_NAME: Final = "stdin"


def sarif_log(findings: Sequence[tuple[str, str, Diagnostic]]) -> dict[str, object]:
    """A log with one run.

    Args:
        findings: The file, the code and the diagnostic of each finding.
    """
    codes = list(dict.fromkeys(code for _, code, _ in findings))
    driver = {
        "name": "stablemate",
        "semanticVersion": semantic_version(stablemate.__version__),
        "version": stablemate.__version__,
        "rules": [rule(code) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [
            result(file, code, codes.index(code), diagnostic) for file, code, diagnostic in findings
        ],
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def semantic_version(version: str) -> str:
    """The release of a Python version, which is a semantic version."""
    release = [part for part in version.split("+")[0].split(".")[:3] if part.isdecimal()]
    return ".".join([*release, "0", "0"][:3])


def rule(code: str) -> dict[str, object]:
    """A rule (3.49): its code, its formula or what it means, and the command that explains it."""
    help_text = f"stablemate explain {code}"
    page = explanation(code)
    text = f"Rule {code}." if page is None else page.summary
    entry: dict[str, object] = {
        "id": code,
        "shortDescription": {"text": text},
        "help": {"text": f"{text}\n{help_text}", "markdown": f"{text}\n\n`{help_text}`"},
    }
    return entry | ({"helpUri": page.source} if page is not None and page.source else {})


def explanation(code: str) -> Explanation | None:
    """The page of a code; None if there is none."""
    try:
        return explanation_of(code)
    except ArgumentError:
        return None


def result(file: str, code: str, index: int, diagnostic: Diagnostic) -> dict[str, object]:
    """A result (3.27)."""
    values = ", ".join(f"{name} = {value}" for name, value in diagnostic.values.items())
    message = f"{diagnostic.message} ({values})" if values else diagnostic.message
    entry: dict[str, object] = {
        "ruleId": code,
        "ruleIndex": index,
        "level": diagnostic.severity,
        "message": {"text": message},
        "locations": [location(file, diagnostic.span)],
    }
    related = [
        location(file, note.span) | {"id": number, "message": {"text": note.message}}
        for number, note in enumerate(diagnostic.notes)
    ]
    return entry | ({"relatedLocations": related} if related else {})


def location(file: str, span: Span | None) -> dict[str, object]:
    """A location (3.28): lines and columns of text, bytes of a binary file."""
    place: dict[str, object] = {"artifactLocation": {"uri": uri_of(file)}}
    if span is not None:
        place["region"] = region(span)
    return {"physicalLocation": place}


def region(span: Span) -> dict[str, int]:
    """A region (3.30), whose end is the character after the last."""
    if span.source.binary:
        return {"byteOffset": span.start, "byteLength": max(0, span.end - span.start)}
    line, column = span.source.line_and_column(span.start)
    end_line, end_column = span.source.line_and_column(max(span.start, span.end))
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def uri_of(file: str) -> str:
    """The address of a file (3.4): relative as it was given, or absolute."""
    if file == "-":
        return STDIN_NAME
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
