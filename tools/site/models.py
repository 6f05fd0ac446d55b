"""Five models as interactive graphs: the page ``reference/models``, and the pages it frames.

``docs/models`` has their programs as bytecode, with the names of layers as locations.
``python -m tools.site.export_models`` writes these; it needs Flax.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Final

from stablemate.cli import main as stablemate
from tools.spec_labels import ROOT

HOME: Final = ROOT / "docs" / "models"
PAGES: Final = "models"  # the directory of the site


@dataclass(frozen=True, slots=True)
class Model:
    """A model of the page.

    Attributes:
        title: Its name.
        text: What to look at.
    """

    title: str
    text: str


# By file name.
MODELS: Final[dict[str, Model]] = {
    "gpt2": Model(
        "GPT-2 (124 million parameters)",
        "Twelve blocks of attention and a perceptron. Open a block: the products of queries and "
        "keys are batched over heads, and the mask compares two `iota`.",
    ),
    "resnet50": Model(
        "ResNet-50",
        "Four stages of bottleneck blocks. The overlay of the arithmetic shows that convolutions "
        "of 3x3 windows dominate.",
    ),
    "vit": Model(
        "Vision transformer (ViT-B/16)",
        "One convolution cuts the image into patches; everything after it is a transformer.",
    ),
    "unet": Model(
        "Training step of a U-Net",
        "The encoder halves the image, the decoder doubles it, and skip connections join them. "
        "The gradient mirrors both: transposed convolutions become strided ones.",
    ),
    "lstm": Model(
        "LSTM",
        "A scan over time is a `while`: its body is the cell, and the state is what it carries.",
    ),
}


def files() -> Iterator[tuple[str, str]]:
    """The page that frames all models."""
    yield "models.md", "\n".join(lines())


def lines() -> Iterator[str]:
    """The lines of the page."""
    yield from ("# Models as graphs", "")
    yield "Each frame is the page that `stablemate view --overlay=cost` writes. Boxes are "
    yield "functions, layers and regions; click on one to open it. The colors are arithmetic and "
    yield "memory traffic. [Pages of programs](../explorer.md) describes the overlays."
    for name, model in MODELS.items():
        page = f"../{PAGES}/{name}.html"
        yield from ("", f"## {model.title}", "", model.text, "")
        yield (
            f'<iframe title="{model.title}" src="{page}" sandbox="allow-scripts" loading="lazy" '
            'width="100%" height="560" style="border: 1px solid #8884"></iframe>'
        )
        yield from ("", f'<a href="{page}" target="_blank">Open it in a tab of its own.</a>')
    yield ""


def write(site: Path) -> int:
    """Writes the pages of the models into a built site.

    Returns:
        How many there are.
    """
    (site / PAGES).mkdir(exist_ok=True)
    for name in MODELS:
        program, page = HOME / f"{name}.mlir.bc", site / PAGES / f"{name}.html"
        words = ["view", str(program), f"--output={page}", "--overlay=cost"]
        with redirect_stderr(StringIO()):  # it reports the size of each page
            stablemate(words, standalone_mode=False)
    return len(MODELS)
