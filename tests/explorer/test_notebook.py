"""Programs in a notebook: what a kernel sends to its front end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from nbclient import NotebookClient
from nbformat import v4

import stablemate as sm
from tests.explorer.programs import SCOPES


@pytest.mark.filterwarnings("default")  # those of the kernel's libraries are theirs
def test_modules_and_views_show_themselves(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(SCOPES)
    sources = [
        f"import stablemate as sm; m = sm.load({str(path)!r})",
        "m",
        "sm.view(m, overlays=[sm.Overlay('t', 's', 'time', {3: 1.0})])",
        "sm.view(m).save('page.html').stat().st_size",
    ]
    notebook: Any = v4.new_notebook(cells=[v4.new_code_cell(source) for source in sources])
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}})
    source = str(Path(sm.__file__).parent.parent)
    client.execute(env=os.environ | {"PYTHONPATH": source})
    outputs = [[output["data"] for output in cell["outputs"]] for cell in notebook["cells"]]
    assert outputs[0] == []
    module = sm.load(path)
    assert outputs[1] == [{"text/html": module._repr_html_(), "text/plain": repr(module)}]
    ((view,),) = [outputs[2]]
    assert view["text/plain"] == "<stablemate.View scopes: 18 operations>"
    assert view["text/html"].startswith('<iframe title="scopes" sandbox="allow-scripts" srcdoc="')
    assert (tmp_path / "page.html").read_text("utf-8") == sm.view(module).html
