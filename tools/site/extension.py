"""What Sphinx is told: to write the reference before it reads, and how programs are coloured."""

from __future__ import annotations

import builtins
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.nodes import find_pending_xref_condition

from stablemate.lexers.hlo import HloLexer
from stablemate.lexers.mlir import MlirLexer
from tools.site import reference


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_lexer("mlir", MlirLexer)
    app.add_lexer("hlo", HloLexer)
    app.connect("builder-inited", lambda _: reference.write())
    app.connect("doctree-read", lambda _, page: leave_builtins(page))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def leave_builtins(page: nodes.document) -> None:
    """``type`` in a signature is Python's; Sphinx would take it for an attribute of that name."""
    for text in list(page.findall(addnodes.pending_xref)):
        if text.get("refdomain") == "py" and hasattr(builtins, text["reftarget"]):
            text.replace_self((find_pending_xref_condition(text, "*") or text).children)
