"""What Sphinx is told: to write the reference before it reads, and how MLIR is coloured."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

from tools.site import reference
from tools.site.lexer import MlirLexer


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_lexer("mlir", MlirLexer)
    app.connect("builder-inited", lambda _: reference.write())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
