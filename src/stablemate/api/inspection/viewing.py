"""Views: a program as a page to look at, alone or in a notebook."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any, Final

from stablemate.api.program import Program
from stablemate.atomic_files import write_atomically
from stablemate.diagnostics.file_errors import file_errors, path_name
from stablemate.explorer.document import document_of
from stablemate.explorer.graph import ProgramGraph
from stablemate.explorer.model_explorer import collection_of
from stablemate.explorer.outline import BoxOutline, outline_of
from stablemate.explorer.overlays import Overlay
from stablemate.explorer.page import page
from stablemate.fork_safety import cached_property

HEIGHT: Final = 640  # of a page in a notebook, in pixels


class View:
    """A program to look at.

    A notebook shows it as a page in a frame of its own, which can reach neither the notebook nor
    the network.

    Attributes:
        graph: What is shown.
        overlays: Numbers of operations that color it.
    """

    def __init__(self, graph: ProgramGraph, overlays: Iterable[Overlay] = ()) -> None:
        self.graph = graph
        self.overlays = tuple(overlays)

    @cached_property
    def document(self) -> dict[str, Any]:
        """The data of the page, as values of JSON."""
        return document_of(self.graph, self.overlays)

    @cached_property
    def html(self) -> str:
        """The page: one text that needs nothing else."""
        return page(self.document)

    @cached_property
    def outline(self) -> BoxOutline:
        """The functions, regions and scopes, and how many operations they hold."""
        return outline_of(self.document)

    def save(self, path: str | Path) -> Path:
        """Writes the page to a file; returns its path.

        Raises:
            FileError: It cannot be written.
        """
        target = Path(path_name(path))
        with file_errors("write", str(target)):
            write_atomically(target, lambda stream: stream.write(self.html.encode()))
        return target

    def to_json(self) -> str:
        """The graph with its layout as JSON, as the page has it."""
        return json.dumps(self.document, ensure_ascii=False, allow_nan=False)

    def to_model_explorer(self) -> dict[str, object]:
        """The graph as a collection of graphs of Model Explorer, overlays as its node data.

        Returns:
            ``graphs``: what its adapters give; ``node_data``: by the name of an overlay, what it
            reads as custom node data.
        """
        return collection_of(self.graph, self.overlays)

    @property
    def frame(self) -> str:
        """The page in a frame that may not look out of itself, for notebooks."""
        return (
            f'<iframe title="{escape(self.graph.title)}" sandbox="allow-scripts" '
            f'srcdoc="{escape(self.html)}" width="100%" height="{HEIGHT}" '
            'style="border: 1px solid #8884; border-radius: 8px"></iframe>'
        )

    def _repr_html_(self) -> str:
        return self.frame

    def __str__(self) -> str:
        return self.outline.text()

    def __repr__(self) -> str:
        return f"<stablemate.View {self.graph.title}: {self.document['operations']} operations>"


def view(program: Program, *, overlays: Iterable[Overlay] = ()) -> View:
    """A program to look at: in a notebook, or as a page in a file.

    ::

        sm.view(sm.load("model.mlir")).save("model.html")

    It need not be valid.

    Args:
        program: A ``Module``, or an ``HloModule``, which is shown as HLO.
        overlays: Numbers of operations to color them by, such as ``sm.Overlay("time", "s",
            "time", {17: 0.002})``; keys are places of operations in the order of the text.
    """
    return View(program.graph(), overlays)
