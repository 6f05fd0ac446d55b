"""Draws the pictures of the documentation: ``python -m tools.site.pictures``.

Terminals are what commands print with colors, as SVG; the page of a program is looked at in
Chromium. They are kept in ``docs/pictures``, since their figures are those of one machine.
"""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from playwright.sync_api import sync_playwright
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI
from rich.text import Text

from tools.spec_labels import ROOT

PICTURES: Final = ROOT / "docs" / "pictures"
WIDTH: Final = 120
# By file: what is typed.
TERMINALS: Final[dict[str, str]] = {
    "check": "stablemate check examples/bad.mlir",
    "nan": "stablemate nan overflow.mlir --input='2x3xf32=[100 100 100][0 0 0]'",
    "trace": "stablemate trace examples/mlp.mlir --input=@examples/digit.npy --where='max > 5'",
}
OVERFLOW: Final = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.convert %cst_1 %x : tensor<2x3xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  %y = stablehlo.divide %e, %sums : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
"""  # noqa: E501
STAGES_LINE: Final = "#stage-module .line:has-text('stablehlo.convert %cst_1')"
FLAGS: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-lcd-text")


def main() -> None:
    """Draws all of them."""
    PICTURES.mkdir(exist_ok=True)
    for name, command in TERMINALS.items():
        (PICTURES / f"{name}.svg").write_text(terminal(command))
    page(PICTURES / "view.png", "view examples/mlp.mlir --overlay=cost", (1280, 720), "")
    page(PICTURES / "stages.png", "emit examples/mlp.mlir --html", (1000, 296), STAGES_LINE)
    for path in sorted(PICTURES.iterdir()):
        print(f"{path.stat().st_size:>8,}  {path.relative_to(ROOT)}")


def terminal(command: str) -> str:
    """What a command prints in a terminal, as SVG."""
    with TemporaryDirectory() as home:
        (Path(home) / "overflow.mlir").write_text(OVERFLOW)
        shutil.copytree(ROOT / "examples", Path(home) / "examples")
        done = subprocess.run(
            [sys.executable, "-m", *shlex.split(command), "--color=always"],
            capture_output=True, text=True, check=False, cwd=home,
            env={**os.environ, "COLUMNS": str(WIDTH), "PYTHONPATH": str(ROOT / "src")},
        )  # fmt: skip
    shown = f"{done.stdout}{done.stderr}".rstrip("\n")
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, legacy_windows=False
    )
    console.print(Text.assemble(("$ ", "green"), command))
    console.print(Text.from_ansi(shown))
    return console.export_svg(title="stablemate", theme=DIMMED_MONOKAI, font_aspect_ratio=0.6)


def page(path: Path, command: str, size: tuple[int, int], clicked: str) -> None:
    """A page in a browser.

    Args:
        path: Where the picture is written.
        command: What writes the page; ``-o`` is added.
        size: Width and height of the window in pixels.
        clicked: What is clicked in it, as a selector; empty for nothing.
    """
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with TemporaryDirectory() as home, sync_playwright() as playwright:
        html = Path(home) / "page.html"
        words = (*shlex.split(command), "-o", str(html))
        subprocess.run([sys.executable, "-m", "stablemate", *words], check=True, cwd=ROOT)
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        tab = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="light")
        tab.goto(html.as_uri())
        tab.wait_for_timeout(3000)
        if clicked:
            tab.locator(clicked).first.click()
        tab.screenshot(path=path)
        browser.close()


if __name__ == "__main__":
    main()
