"""Open texts, each with what is known of it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from stablemate.diagnostics.source import Source
from stablemate.fork_safety import cached_property
from stablemate.formats.recognition import detect_format
from stablemate.lsp.names import TextNames
from stablemate.lsp.positions import Positions
from stablemate.lsp.programs.hlo_program import HloDocument
from stablemate.lsp.programs.mlir_program import MlirProgram
from stablemate.lsp.tokens import Language

Program = MlirProgram | HloDocument
SUFFIXES = {"hlo": "hlo", "mlir": "mlir", "stablehlo": "mlir"}


class Snapshot:
    """One version of a text.

    Attributes:
        text: The text.
        language: Its language.
        positions: Offsets and positions.
    """

    def __init__(self, text: str, language: Language) -> None:
        self.text = text
        self.language: Language = language
        self.positions = Positions(Source(text))

    @cached_property
    def names(self) -> TextNames:
        """The definitions and uses of names in this text."""
        return TextNames(self.text, self.language)


class Document:
    """A text that changes.

    Attributes:
        uri: Its address.
        snapshot: Its newest version.
    """

    def __init__(self, uri: str, text: str) -> None:
        self.uri = uri
        self.snapshot = Snapshot(text, language_of(uri, text))
        self._program: Program | None = None

    def change(self, text: str) -> None:
        """Takes a new snapshot, if the text differs from the last one."""
        if text != self.snapshot.text:
            self.snapshot = Snapshot(text, language_of(self.uri, text))

    @property
    def program(self) -> Program:
        """The program of the newest version, read to its end."""
        program = self.begun()
        with self.forgetting_errors():
            program.finish()
        return program

    def advance(self, seconds: float) -> bool:
        """Reads the newest version for some time.

        Returns:
            Whether it is read to its end.
        """
        program = self.begun()
        with self.forgetting_errors():
            return program.advance(seconds)

    def begun(self) -> Program:
        """The program of the newest version, as far as it is read."""
        wanted = MlirProgram if self.snapshot.language == "mlir" else HloDocument
        if not isinstance(self._program, wanted):
            self._program = wanted()
        self._program.begin(self.snapshot.text)
        return self._program

    @contextmanager
    def forgetting_errors(self) -> Generator[None]:
        """Forgets a program whose reading fails, so that the next version is read as a whole."""
        try:
            yield
        except Exception:
            self._program = None
            raise


def language_of(uri: str, text: str) -> Language:
    """The language of a text: by the name of its file, or else by its beginning."""
    suffix = SUFFIXES.get(uri.rpartition(".")[2].lower())
    by_content = "hlo" if detect_format(text) == "hlo" else "mlir"
    return "hlo" if (suffix or by_content) == "hlo" else "mlir"
