"""Checks programs, and prints their diagnostics for people and for machines."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import click

from stablemate.analysis.quantities import format_count
from stablemate.cli.exit_codes import INVALID
from stablemate.cli.input.dump_files import CheckedFile, files_to_check
from stablemate.cli.options import color_for
from stablemate.cli.output.progress import progress
from stablemate.cli.verbs.inspect.parse_errors import parse_errors
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.codes import cited_codes, code_of
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentError, FileError, ParseError, VerifyError
from stablemate.diagnostics.progress import with_progress

UNREADABLE: Final = 2


@dataclass(frozen=True, slots=True)
class ReportedDiagnostic:
    """A diagnostic of a file.

    Attributes:
        file: The file.
        diagnostic: What is wrong.
        unreadable: Whether it is the file rather than what it holds.
        stage: The code of what no rule names.
    """

    file: str
    diagnostic: Diagnostic
    unreadable: bool = False
    stage: str = VerifyError.stage

    @property
    def is_error(self) -> bool:
        """Whether the program is invalid."""
        return self.diagnostic.severity == "error"

    @property
    def code(self) -> str:
        """The code that ``stablemate explain`` explains."""
        return code_of(self.diagnostic.rule, self.stage)


def run_check(
    files: Sequence[str],
    output_format: str,
    entry: str | None,
    layout: str | None,
    *,
    strict: bool,
    quiet: bool,
) -> int:
    """Checks programs and prints their diagnostics; returns the exit code."""
    findings: list[ReportedDiagnostic] = []
    checked, skipped = files_to_check(files)
    for line in () if quiet else skipped.lines():
        click.echo(line, err=True)
    with progress("checking") as display:
        for file in with_progress(checked, "file"):
            file_findings = list(findings_in(file, entry, layout))
            if strict:
                file_findings = [as_error(finding) for finding in file_findings]
            findings += file_findings
            if output_format not in DOCUMENTS:
                with display.aside():
                    print_findings(file_findings, output_format)
    if output_format in DOCUMENTS:
        click.echo(json.dumps(DOCUMENTS[output_format](findings), indent=2))
    if not quiet:
        if output_format == "text":
            for code in cited_codes(finding.diagnostic.rule for finding in findings):
                click.echo(f"see: stablemate explain {code}", err=True)
        click.echo(summary_text(checked, findings, skipped.number), err=True)
    if any(finding.is_error and not finding.unreadable for finding in findings):
        return INVALID
    return UNREADABLE if any(finding.unreadable for finding in findings) else 0


def as_error(finding: ReportedDiagnostic) -> ReportedDiagnostic:
    """A finding whose warning is an error."""
    if finding.diagnostic.severity == "note":
        return finding
    return replace(finding, diagnostic=replace(finding.diagnostic, severity="error"))


def findings_in(
    file: CheckedFile, entry: str | None, layout: str | None
) -> Iterator[ReportedDiagnostic]:
    """The diagnostics of one file."""
    name = file.name
    try:
        program = file.load(entry, layout)
        diagnostics = [*program.diagnostics(), *program.notes()]
    except (ArgumentError, FileError) as error:
        yield from (
            ReportedDiagnostic(name, diagnostic, unreadable=True, stage=error.stage)
            for diagnostic in error.diagnostics
        )
    except ParseError as error:
        yield from (
            ReportedDiagnostic(name, diagnostic, stage=error.stage)
            for diagnostic in parse_errors(error)
        )
    else:
        yield from (ReportedDiagnostic(name, diagnostic) for diagnostic in diagnostics)


def summary_text(
    files: Sequence[CheckedFile], findings: Sequence[ReportedDiagnostic], skipped: int
) -> str:
    """The number of files, of valid and invalid ones, of errors and warnings."""
    unreadable = {finding.file for finding in findings if finding.unreadable}
    invalid = {finding.file for finding in findings if finding.is_error} - unreadable
    number = len({file.name for file in files})
    errors = sum(finding.is_error and not finding.unreadable for finding in findings)
    warnings = sum(finding.diagnostic.severity == "warning" for finding in findings)
    parts = [f"{number - len(invalid) - len(unreadable)} valid"]
    if invalid:
        parts.append(f"{len(invalid)} invalid with {format_count(errors, 'error')}")
    if unreadable:
        parts.append(f"{len(unreadable)} unreadable")
    if skipped:
        parts.append(f"{skipped} without a program")
    if warnings:
        parts.append(format_count(warnings, "warning"))
    return f"{format_count(number + skipped, 'file')}: {', '.join(parts)}"


def print_findings(findings: Sequence[ReportedDiagnostic], output_format: str) -> None:
    """Prints findings for people or for a workflow."""
    color = color_for(sys.stdout)
    for finding in findings:
        if output_format == "github":
            click.echo(annotation(finding))
        else:
            click.echo(place_of(finding) + finding.diagnostic.render(color=color), color=color)


def place_of(finding: ReportedDiagnostic) -> str:
    """The prefix of a finding whose diagnostic does not name its file."""
    says = finding.diagnostic.message.startswith((f"{finding.file}: ", "<stdin>: "))
    return "" if finding.diagnostic.span or finding.unreadable or says else f"{finding.file}: "


def annotation(finding: ReportedDiagnostic) -> str:
    """A workflow command of GitHub.

    Source: GitHub Actions, "Workflow commands", setting an error or a warning message.
    """
    diagnostic = finding.diagnostic
    properties = {"file": finding.file}
    if diagnostic.span and not diagnostic.span.source.binary:
        line, column = diagnostic.span.line, diagnostic.span.column
        properties |= {"line": str(line), "col": str(column)}
    if diagnostic.rule:
        properties["title"] = diagnostic.rule
    values = ", ".join(f"{name} = {value}" for name, value in diagnostic.values.items())
    notes = (f"note: {note.message}" for note in diagnostic.notes)
    more = [f"see: stablemate explain {finding.code}"] if diagnostic.rule else []
    message = "\n".join([diagnostic.message + (f" ({values})" if values else ""), *notes, *more])
    fields = ",".join(f"{name}={escape_command(value, ':,')}" for name, value in properties.items())
    command = "notice" if diagnostic.severity == "note" else diagnostic.severity
    return f"::{command} {fields}::{escape_command(message)}"


def escape_command(text: str, more: str = "") -> str:
    """Text with the characters escaped that workflow commands give a meaning."""
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def finding_json(finding: ReportedDiagnostic) -> dict[str, object]:
    """A finding as an object; unknown lines and columns are null."""
    entry = diagnostic_json(finding.diagnostic, finding.diagnostic.severity, finding.file)
    return {**entry, "code": finding.code}


def findings_json(findings: Sequence[ReportedDiagnostic]) -> list[dict[str, object]]:
    """Findings as a list of objects."""
    return [finding_json(finding) for finding in findings]


def findings_sarif(findings: Sequence[ReportedDiagnostic]) -> dict[str, object]:
    """Findings as a SARIF log."""
    from stablemate.cli.verbs.inspect.sarif import sarif_log

    return sarif_log([(finding.file, finding.code, finding.diagnostic) for finding in findings])


def diagnostic_json(diagnostic: Diagnostic, severity: str, file: str) -> dict[str, object]:
    """A diagnostic as an object."""
    span = diagnostic.span
    is_text = span is not None and not span.source.binary
    return {
        "file": file,
        "line": span.line if span and is_text else None,
        "column": span.column if span and is_text else None,
        "severity": severity,
        "rule": diagnostic.rule,
        "message": diagnostic.message,
        "values": {name: str(value) for name, value in diagnostic.values.items()},
        "notes": [diagnostic_json(note, "note", file) for note in diagnostic.notes],
    }


# The formats that are one document for all files.
DOCUMENTS: Final[Mapping[str, Callable[[Sequence[ReportedDiagnostic]], object]]] = {
    "json": findings_json,
    "sarif": findings_sarif,
}
