"""Locations: the Python stack of a node of a graph."""

from __future__ import annotations

import re
from typing import Final

from stablemate.ir.locations import (
    UNKNOWN,
    CallSiteLocation,
    FileLocation,
    Location,
    NameLocation,
)

FRAME: Final = re.compile(r'^\s*File "(?P<file>[^"\n]+)", line (?P<line>\d+), in ', re.MULTILINE)


def location_of(name: str, stack_trace: str | None) -> Location:
    """The location of a node: its name, and the calls that led to it, the innermost first.

    Args:
        name: Its name in the graph.
        stack_trace: The stack as Python prints it, the innermost call last.
    """
    frames = [
        FileLocation(frame["file"], int(frame["line"]))
        for frame in FRAME.finditer(stack_trace or "")
    ]
    location: Location = frames[0] if frames else UNKNOWN
    for frame in frames[1:]:
        location = CallSiteLocation(frame, location)
    return NameLocation(name, location)
