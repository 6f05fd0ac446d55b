"""Dumps of compiled programs: the options of XLA that name a directory and its files.

Source: XLA, debug options: ``xla_dump_to``, ``xla_dump_hlo_as_text``, ``xla_dump_hlo_as_proto``.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Final

from stablemate.api.module import HloModule
from stablemate.deferred_dataclasses import dataclass

DIRECTORY: Final = "xla_dump_to"
AS_TEXT, AS_PROTO = "xla_dump_hlo_as_text", "xla_dump_hlo_as_proto"
EFFECTIVE: Final = frozenset({DIRECTORY, AS_TEXT, AS_PROTO})
STAGE: Final = "cpu_after_optimizations"
NUMBERS: Final = count(1)  # of the programs that this process has dumped


@dataclass(frozen=True, slots=True)
class ProgramDumps:
    """Where compiled programs are written.

    Attributes:
        directory: The directory; None if nothing is written.
        as_text: Whether HLO's text is written.
        as_proto: Whether HLO's proto is written.
    """

    directory: str | None = None
    as_text: bool = False
    as_proto: bool = False

    @staticmethod
    def of_options(options: Mapping[str, str | int]) -> ProgramDumps:
        """The dumps that options ask for; text if they name no format."""
        directory = options.get(DIRECTORY)
        as_text, as_proto = (is_set(options.get(name)) for name in (AS_TEXT, AS_PROTO))
        named = str(directory) if directory else None
        return ProgramDumps(named, as_text or not as_proto, as_proto)

    def write(self, program: HloModule) -> None:
        """Writes the program of one device.

        Raises:
            OSError: The directory cannot be written.
        """
        assert self.directory is not None
        directory = Path(self.directory)
        directory.mkdir(parents=True, exist_ok=True)
        stem = f"module_{next(NUMBERS):04}.{program.name}.{STAGE}"
        if self.as_text:
            (directory / f"{stem}.txt").write_text(program.to_text(), encoding="utf-8")
        if self.as_proto:
            (directory / f"{stem}.hlo.pb").write_bytes(program.to_proto())


def is_set(value: str | int | None) -> bool:
    """Whether an option is true, as a number or as a text."""
    return value in (1, "1", "true", "True")
