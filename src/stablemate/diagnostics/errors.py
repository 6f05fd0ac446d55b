"""StablemateError and its subclasses, one per stage that can reject an input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from stablemate.diagnostics.codes import cited_codes, code_of
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.source import Span
from stablemate.diagnostics.styles import html_of


class StablemateError(Exception):
    """Base of the errors that stablemate raises; the reasons are diagnostics.

    Attributes:
        stage: The code of diagnostics without a rule.
        diagnostics: What is wrong.
    """

    stage: ClassVar[str] = "error"

    def __init__(
        self, diagnostics: str | Diagnostic | Sequence[Diagnostic], span: Span | None = None
    ) -> None:
        self.diagnostics: tuple[Diagnostic, ...]
        match diagnostics:
            case str():
                self.diagnostics = (Diagnostic(diagnostics, span=span),)
            case Diagnostic():
                self.diagnostics = (diagnostics,)
            case _:
                self.diagnostics = tuple(diagnostics)
        super().__init__(self.render())
        for code in cited_codes(diagnostic.rule for diagnostic in self.diagnostics):
            self.add_note(f'see: stablemate.explain("{code}")')

    @property
    def codes(self) -> tuple[str, ...]:
        """The code of each diagnostic, for ``stablemate.explain``."""
        return tuple(code_of(diagnostic.rule, self.stage) for diagnostic in self.diagnostics)

    def about(self, diagnostics: str | Diagnostic | Sequence[Diagnostic]) -> Self:
        """The same error with other diagnostics: further attributes are kept."""
        other = type(self)(diagnostics)
        own = {"diagnostics", "__notes__"}
        other.__dict__.update({k: v for k, v in self.__dict__.items() if k not in own})
        return other

    def render(self, *, color: bool = False) -> str:
        """All diagnostics, one below the other."""
        return "\n".join(diagnostic.render(color=color) for diagnostic in self.diagnostics)

    def _repr_html_(self) -> str:
        return html_of(self.render(color=True))

    def __str__(self) -> str:
        text = self.render()
        return text.removeprefix("error: ") if len(self.diagnostics) == 1 else text

    def __reduce__(self) -> tuple[type[StablemateError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)


class ParseError(StablemateError):
    """The input is not a program in any format that can be read."""

    stage: ClassVar[str] = "parse"


class VerifyError(StablemateError):
    """The program breaks a rule of the specification."""

    stage: ClassVar[str] = "verify"


class ConversionWarning(UserWarning):
    """A program says something that the target of a conversion has no place for.

    Attributes:
        diagnostic: What it is, and where.
    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.render())
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type[ConversionWarning], tuple[Diagnostic]]:
        return type(self), (self.diagnostic,)


class EvaluationError(StablemateError):
    """The program is valid, but its values break a rule while it runs."""

    stage: ClassVar[str] = "run"


class UnsupportedError(StablemateError):
    """The program is valid, but this executor or format does not support it."""

    stage: ClassVar[str] = "unsupported"


class CompileError(StablemateError):
    """The compiler could not generate correct native code for a valid program."""

    stage: ClassVar[str] = "compile"


class ArgumentError(StablemateError):
    """The caller passed arguments that do not match the program's."""

    stage: ClassVar[str] = "argument"


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument is missing, unexpected, or has another element type."""


class ArgumentValueError(ArgumentError, ValueError):
    """An argument has another shape, or a value that is not allowed."""


class FileError(ArgumentError, OSError):
    """A file that the caller named cannot be read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """There is no file of the name that the caller gave."""


class LimitError(StablemateError):
    """The input needs more memory, depth or iterations than the limits allow."""

    stage: ClassVar[str] = "limit"


class DeadlockError(EvaluationError):
    """Processes of a grid wait for one another."""

    stage: ClassVar[str] = "deadlock"
