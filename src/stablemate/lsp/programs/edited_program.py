"""A program behind a text that is edited: it is read again after each edit, as far as needed."""

from __future__ import annotations

from abc import ABC, abstractmethod

from stablemate.diagnostics.source import Source


class EditedProgram(ABC):
    """A program and what is wrong with it.

    Attributes:
        source: The text that it belongs to.
    """

    source: Source

    def update(self, text: str) -> None:
        """Makes this the program of another text."""
        self.begin(text)
        self.finish()

    def begin(self, text: str) -> None:
        """Makes this the program of another text, which is not read yet."""
        if text != self.source.text:
            self.replace_text(text)

    def finish(self) -> None:
        """Reads and verifies the text to its end."""
        self.advance(None)

    @abstractmethod
    def replace_text(self, text: str) -> None:
        """Discards everything that was read from the last text."""

    @abstractmethod
    def advance(self, seconds: float | None) -> bool:
        """Reads and verifies for some time, or to the end.

        Returns:
            Whether all is done.
        """
