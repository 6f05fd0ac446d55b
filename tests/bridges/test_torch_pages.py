"""The pages about PyTorch run as they stand, where PyTorch is installed."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.documentation.snippets import ROOT, Page, blocks_of, set_up

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

pytestmark = pytest.mark.filterwarnings("ignore")
HERE = "needs PyTorch"  # why the tests of the other pages do not run a block


@pytest.mark.standard
@pytest.mark.parametrize("name", ["torch.md", "torch-tutorial.md"])
def test_a_page_runs_as_it_stands(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torch._dynamo.reset()
    set_up(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    page = Page(name, tmp_path)
    for block in blocks_of((ROOT / "docs" / name).read_text()):
        page.run(replace(block, skipped="") if block.skipped == HERE else block)
    assert page.ran
