"""What Sphinx is told: to write the reference before it reads, and how programs are colored."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any, Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.nodes import find_pending_xref_condition

from stablemate.lexers.hlo import HloLexer
from stablemate.lexers.mlir import MlirLexer
from tools.site import models, reference

MAGICS: Final = {"stablehlo": "mlir", "hlo": "hlo"}


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_lexer("mlir", MlirLexer)
    app.add_lexer("hlo", HloLexer)
    app.connect("builder-inited", lambda _: reference.write())
    app.connect("build-finished", write_models)
    app.connect("doctree-read", lambda _, page: leave_builtins(page))
    app.connect("doctree-read", lambda _, page: color_programs(page))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_models(app: Sphinx, failure: Exception | None) -> None:
    """Writes the graphs of the models, which the page of models frames."""
    if failure is None and app.builder.format == "html":
        models.write(Path(app.outdir))


def color_programs(page: nodes.document) -> None:
    """Cells of notebooks that are programs are colored as what their magic names."""
    for block in page.findall(nodes.literal_block):
        for magic, language in MAGICS.items():
            if block.astext().startswith(f"%%{magic}"):
                block["language"] = language


def leave_builtins(page: nodes.document) -> None:
    """``type`` in a signature is Python's; Sphinx would take it for an attribute of that name."""
    for text in list(page.findall(addnodes.pending_xref)):
        if text.get("refdomain") == "py" and hasattr(builtins, text["reftarget"]):
            text.replace_self((find_pending_xref_condition(text, "*") or text).children)
