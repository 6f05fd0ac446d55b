"""Locations: the Python stack of a node of a graph, without what lies inside PyTorch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.frontends.torch import pytorch
from stablemate.ir.locations import (
    UNKNOWN,
    CallSiteLocation,
    FileLocation,
    Location,
    NameLocation,
)

Node = Any  # torch.fx.Node
# A call in a stack as Python prints it, with the line of the program below it.
FRAME: Final = re.compile(
    r'^[ \t]*File "(?P<file>[^"\n]+)", line (?P<line>\d+), in [^\n]*(?:\n(?![ \t]*File ")[^\n]*)?',
    re.MULTILINE,
)
PATH: Final = re.compile(r"\w+(?:\.\w+)*")


@dataclass(frozen=True, slots=True)
class Frame:
    """A call in the stack of a node.

    Attributes:
        file: The file of the caller.
        line: Its line.
        text: What Python prints of it.
    """

    file: str
    line: int
    text: str


def location_of(node: Node) -> Location:
    """The location of a node: its name, and the calls that led to it, the innermost first.

    The name begins with the path of the module that it belongs to, ``encoder.layers.0/addmm``.
    """
    location: Location = UNKNOWN
    for frame in frames_of(node):
        place = FileLocation(frame.file, frame.line)
        location = place if location == UNKNOWN else CallSiteLocation(place, location)
    path = module_path(node)
    return NameLocation(f"{path}/{node.name}" if path else node.name, location)


def user_line(node: Node) -> str:
    """The innermost line of the user's program that a node stands for; empty if none is known."""
    frames = frames_of(node)
    return frames[-1].text if frames else ""


def frames_of(node: Node) -> list[Frame]:
    """The calls that led to a node, the innermost last.

    Calls inside PyTorch are left out, unless there are no others.
    """
    frames = list(all_frames(node.meta.get("stack_trace") or ""))
    inside = pytorch.package_folder()
    return [frame for frame in frames if not frame.file.startswith(inside)] or frames


def all_frames(stack_trace: str) -> Iterator[Frame]:
    """The calls of a stack as Python prints it."""
    for match in FRAME.finditer(stack_trace):
        yield Frame(match["file"], int(match["line"]), f"  {match[0].strip()}")


def module_path(node: Node) -> str:
    """The path of the module whose ``forward`` a node belongs to; empty of the model itself."""
    stack: Mapping[str, tuple[str, object]] = node.meta.get("nn_module_stack", {})
    paths = [path for path, _ in stack.values()]
    return paths[-1] if paths and PATH.fullmatch(paths[-1]) else ""
