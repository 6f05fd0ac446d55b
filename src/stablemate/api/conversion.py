"""The formats that are written, by the endings of files, and their options."""

from __future__ import annotations

from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.diagnostics.file_errors import printable_name

# The format that the end of a file name says.
ENDINGS: Final = {
    ".mlir": "text",
    ".hlo.txt": "hlo",
    ".txt": "text",
    ".mlirbc": "bytecode",
    ".stablehlo": "artifact",
    ".vhlo": "artifact",
    ".jax_export": "jax_export",
    ".jax_exported": "jax_export",
    ".hlo": "hlo",
    ".pb": "hlo_proto",
}
FORMATS: Final = ("text", "generic", "bytecode", "artifact", "jax_export", "hlo", "hlo_proto")
DEFAULT_TARGET: Final = "12 weeks"
# The formats that an option is for.
OPTION_FORMATS: Final = {
    "target": ("artifact",),
    "mixed": ("artifact",),
    "expand": ("artifact",),
    "bytecode_version": ("bytecode",),
    "debug_info": ("text", "generic"),
}


@dataclass(frozen=True, slots=True)
class ConversionRequest:
    """The format to write, with its options.

    Attributes:
        to: The format.
        target: The version of StableHLO that an artifact is for; None for that of the input.
        bytecode_version: The version of the bytecode container; None for the newest.
        mixed: Whether an artifact keeps other dialects as they are.
        expand: Whether an artifact says what the target lacks in older operations.
        debug_info: Whether text has locations.
        strict: Whether it is an error if the format has no place for something.
    """

    to: str
    target: str | None = None
    bytecode_version: int | None = None
    mixed: bool = False
    expand: bool = False
    debug_info: bool = False
    strict: bool = False

    def misplaced_option(self) -> str | None:
        """The first option that is for other formats; None if there is none."""
        for name, formats in OPTION_FORMATS.items():
            value = getattr(self, name)
            if value is not None and value is not False and self.to not in formats:
                return name
        return None

    def require_own_options(self) -> None:
        """Rejects an option that is for other formats.

        Raises:
            ArgumentValueError: There is one.
        """
        if option := self.misplaced_option():
            formats = " or ".join(OPTION_FORMATS[option])
            raise ArgumentValueError(f"{option} is for {formats}, but {self.to} is to be written")


def stated_format(format: str | None, name: str) -> str:
    """The format of a file: the one that is given, or that of the ending of its name.

    Raises:
        ArgumentValueError: There is no such format, or the ending is that of none.
    """
    chosen = format_of_name(name) if format is None else format
    if chosen is None:
        message = f"the ending of {printable_name(name)} says no format"
        note = f"format= says one: {', '.join(FORMATS)}; endings that do are {endings_text()}"
        raise ArgumentValueError(Diagnostic(message, notes=(Diagnostic(note),)))
    if chosen not in FORMATS:
        message = f"no format is called {chosen!r}; known: {', '.join(FORMATS)}"
        raise ArgumentValueError(message)
    return chosen


def format_of_name(name: str) -> str | None:
    """The format that the ending of a file name says; None if it says none."""
    lowered = name.lower()
    return next((named for end, named in ENDINGS.items() if lowered.endswith(end)), None)


def endings_text() -> str:
    """The endings with the formats that they say, for messages."""
    return ", ".join(f"{ending} ({named})" for ending, named in ENDINGS.items())
