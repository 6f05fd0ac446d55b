"""Diagnostics: what is wrong, where, by which rule, and how that is displayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Literal, TypeAlias

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.source import Span
from stablemate.diagnostics.styles import RESET, STYLES, html_of
from stablemate.diagnostics.visible import one_line, visible

MAXIMUM_EXCERPT: Final = 120  # characters of a source line shown around the carets

Severity: TypeAlias = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error, warning or note about an input.

    Attributes:
        message: What was expected, in the words of the specification.
        rule: The name of the rule, e.g. ``stablehlo.concatenate C4``; empty without a named rule.
        span: The part of the source that breaks it, if it came from a source.
        values: The actual values that the message is about.
        notes: Further remarks, e.g. a suggestion or the place of a definition.
        severity: ``error``, or ``warning`` where the specification forbids what upstream accepts.
    """

    message: str
    rule: str = ""
    span: Span | None = None
    values: Mapping[str, object] = field(default_factory=dict[str, object])
    notes: tuple[Diagnostic, ...] = ()
    severity: Severity = "error"

    def __str__(self) -> str:
        return self.render()

    def _repr_html_(self) -> str:
        return html_of(self.render(color=True))

    def render(self, *, color: bool = False, severity: Severity | None = None) -> str:
        """The diagnostic as text: a line, then the source line with carets, then the notes.

        Args:
            color: Whether to use the escape sequences of a terminal.
            severity: What the line says instead of the severity of the diagnostic.
        """
        severity = severity or self.severity

        def apply_style(text: str, style: str) -> str:
            return f"{STYLES[style]}{text}{RESET}" if color else text

        place = f"{apply_style(f'{one_line(str(self.span))}:', 'bold')} " if self.span else ""
        rule = f"{self.rule}: " if self.rule else ""
        lines = [
            f"{place}{apply_style(f'{severity}:', severity)} {visible(f'{rule}{self.message}')}"
        ]
        values = one_line(", ".join(f"{name} = {value}" for name, value in self.values.items()))
        if self.span and not self.span.source.binary:
            number, excerpt, padding, width = excerpt_of(self.span)
            carets = padding + apply_style("^" * width, "caret")
            lines += [
                f" {number} | {visible(excerpt)}",
                f" {' ' * len(str(number))} | {carets} {values}".rstrip(),
            ]
        elif values:
            lines.append(f"  {values}")
        lines += [note.render(color=color, severity="note") for note in self.notes]
        return "\n".join(lines)


def excerpt_of(span: Span) -> tuple[int, str, str, int]:
    """Line number, text of that line (cut when long), what goes before the carets, their number."""
    line, column = span.source.line_and_column(span.start)
    text = span.source.line_text(line)
    first = column - 1
    width = max(1, min(span.end - span.start, len(text) - first))
    head = tail = ""
    if len(text) > MAXIMUM_EXCERPT:
        start = max(0, min(first - MAXIMUM_EXCERPT // 3, len(text) - MAXIMUM_EXCERPT))
        end = start + MAXIMUM_EXCERPT
        head, tail = "..." * (start > 0), "..." * (end < len(text))
        width = min(width, end - first)
        text, first = text[start:end], first - start
    padding = "".join("\t" if c == "\t" else " " for c in visible(head + text[:first]))
    return line, head + text + tail, padding, max(width, 1)
