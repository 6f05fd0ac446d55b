"""How long a page of 10,000 operations takes to write, and to answer.

``python -m benchmarks.view`` prints the table of ``benchmarks/results/view.md``. The programs are
a training step of a transformer, as JAX writes it, and a chain of operations without any scopes.
Writing is one process from its start to its end. An answer is the time from the release of the
mouse button to the frame that shows what the click did.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter
from typing import Any, Final

import stablemate as sm

LAYERS: Final = 30
WIDTH: Final = 64
FLAT: Final = 10_000
CLICKS: Final = 15
FLAGS: Final = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
# Notes when a click ends and when the second frame behind it begins: then the first is shown.
WATCH: Final = """() => {
  window.answers = [];
  const ended = () => {
    const from = performance.now();
    const shown = () => answers.push(performance.now() - from);
    requestAnimationFrame(() => requestAnimationFrame(shown));
  };
  for (const event of ["pointerup", "keydown"]) addEventListener(event, ended, true);
}"""
PLACE: Final = """id => {
  const { canvas } = stablemate;
  stablemate.center(id);
  const { x, y, w, h } = canvas.rect(id);
  const at = canvas.element.getBoundingClientRect();
  const { camera } = canvas;
  return [at.left + (x + w / 2 - camera.x) * camera.scale, at.top + (y + h / 2 - camera.y) * camera.scale];
}"""  # noqa: E501 a line of JavaScript


def transformer(layers: int = LAYERS) -> str:
    """A training step of a transformer, with locations."""
    import jax
    import jax.numpy as jnp

    def normalized(x: Any, scale: Any) -> Any:
        mean = x.mean(-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True)) * scale

    def heads(x: Any) -> Any:
        return x.reshape(*x.shape[:2], 4, -1).transpose(0, 2, 1, 3)

    def layer(x: Any, p: Any) -> Any:
        with jax.named_scope("attention"):
            q, k, v = map(heads, jnp.split(normalized(x, p["g1"]) @ p["qkv"], 3, -1))
            mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1])))
            scores = jnp.where(mask == 0, -1e9, q @ k.swapaxes(-1, -2) / jnp.sqrt(WIDTH / 4.0))
            mixed = (jax.nn.softmax(scores, -1) @ v).transpose(0, 2, 1, 3).reshape(x.shape)
            x = x + mixed @ p["o"]
        with jax.named_scope("mlp"):
            return x + jax.nn.gelu(normalized(x, p["g2"]) @ p["w1"]) @ p["w2"]

    def loss(layers: Any, x: Any) -> Any:
        for i, p in enumerate(layers):
            with jax.named_scope(f"layer{i}"):
                x = layer(x, p)
        return (x**2).mean()

    def step(layers: Any, x: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(layers, x)
        with jax.named_scope("update"):
            return value, jax.tree.map(lambda a, b: a - 1e-3 * b, layers, gradient)

    def shape(*sizes: int) -> Any:
        return jax.ShapeDtypeStruct(sizes, jnp.float32)

    wide = 4 * WIDTH
    parameters = {
        "g1": shape(WIDTH), "qkv": shape(WIDTH, 3 * WIDTH), "o": shape(WIDTH, WIDTH),
        "g2": shape(WIDTH), "w1": shape(WIDTH, wide), "w2": shape(wide, WIDTH),
    }  # fmt: skip
    lowered = jax.jit(step).lower([parameters] * layers, shape(2, 16, WIDTH))
    return str(lowered.as_text(debug_info=True))


def chain() -> str:
    """Operations in a row, without locations."""
    lines = "\n".join(
        f"  %v{i + 1} = stablehlo.add %v{i}, %v{max(0, i - 7)} : tensor<8xf32>" for i in range(FLAT)
    )
    return (
        f"func.func @main(%v0: tensor<8xf32>) -> tensor<8xf32> {{\n{lines}\n"
        f"  return %v{FLAT} : tensor<8xf32>\n}}\n"
    )


def seconds_to_write(path: Path, target: Path, runs: int) -> float:
    """How long the command takes of the processor, as a whole."""
    times: list[float] = []
    for _ in range(runs):
        start = processor_seconds()
        command = [sys.executable, "-m", "stablemate", "view", str(path), "-o", str(target)]
        subprocess.run(command, check=True, capture_output=True)
        times.append(processor_seconds() - start)
    return median(times)


def processor_seconds() -> float:
    """What children of this process that have ended took of the processor."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def answers(page: Any, act: Callable[[int], None], boxes: list[int]) -> float:
    """Milliseconds until a page has answered, the median over some boxes."""
    page.evaluate("answers.length = 0")
    for i, box in enumerate(boxes):
        act(box)
        page.wait_for_function("count => answers.length >= count", arg=i + 1)
    value: list[float] = page.evaluate("answers")
    return median(value)


def measured(browser: Any, path: Path) -> Iterator[float]:
    """What the page of a file takes: to open, then to answer clicks and searches."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    start = perf_counter()
    page.goto(path.as_uri())
    page.wait_for_function("window.stablemate && stablemate.canvas.took !== undefined")
    yield (perf_counter() - start) * 1e3
    page.evaluate(WATCH)
    groups: list[int] = page.evaluate(
        "() => stablemate.model.inside(0).filter(id => stablemate.model.kind(id) === 'scope'"
        " && stablemate.canvas.rect(id))"
    )
    operations: list[int] = page.evaluate(
        "() => stablemate.model.inside(0).filter(id => stablemate.model.kind(id) === 'op')"
    )
    step = max(1, len(operations) // CLICKS)

    def click(box: int) -> None:
        page.mouse.click(*page.evaluate(PLACE, box))

    def go(box: int) -> None:
        page.evaluate("id => stablemate.go(id)", box)
        click(box)

    yield answers(page, click, groups[:CLICKS]) if groups else float("nan")
    yield answers(page, go, operations[::step][:CLICKS])
    page.locator("#query").focus()
    yield answers(page, lambda _: page.keyboard.press("d"), [0] * 5)
    page.close()


def main() -> None:
    """Prints the table."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print("| program | operations | page, MB | write, s | open, ms | unfold, ms | select, ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=list(FLAGS)
        )
        for name, text in (("transformer, a training step", transformer()), ("chain", chain())):
            path, target = Path(directory, f"{name}.mlir"), Path(directory, f"{name}.html")
            path.write_text(text)
            written = seconds_to_write(path, target, options.runs)
            count = sum(1 for _ in sm.load(path).operation.walk())
            size = target.stat().st_size / 1e6
            opened, unfolded, chosen, _ = measured(browser, target)
            shown = "-" if unfolded != unfolded else f"{unfolded:.0f}"
            print(
                f"| {name} | {count:,} | {size:.1f} | {written:.2f} | {opened:.0f} | {shown} "
                f"| {chosen:.0f} |"
            )
        browser.close()


if __name__ == "__main__":
    main()
