"""Which dots are followed in the search for gradients of attention: its time is linear."""

from __future__ import annotations

from typing import Any, Final

import pytest

import stablemate as sm
from stablemate.compiler.rewrites.attention import gradient, wide_sums
from stablemate.compiler.rewrites.attention.clusters import cluster_of

LAYERS: Final = 5
WIDTH: Final = 128
SCORES: Final = 64


def network() -> str:
    """Layers of a dot that add to one value; the exponential of another dot's result."""
    wide, narrow = f"tensor<{WIDTH}x{WIDTH}xf32>", f"tensor<{WIDTH}x{SCORES}xf32>"
    lines = [f"func.func @main(%x0: {wide}, %w: {wide}, %k: {narrow}) -> {narrow} {{"]
    for n in range(LAYERS):
        dims = "contracting_dims = [1] x [0]"
        lines.append(
            f"%d{n} = stablehlo.dot_general %x{n}, %w, {dims} : ({wide}, {wide}) -> {wide}"
        )
        lines.append(f"%x{n + 1} = stablehlo.add %x{n}, %d{n} : {wide}")
    lines.append(
        f"%s = stablehlo.dot_general %x{LAYERS}, %k, contracting_dims = [1] x [0]"
        f" : ({wide}, {narrow}) -> {narrow}"
    )
    lines += [f"%e = stablehlo.exponential %s : {narrow}", f"return %e : {narrow}", "}"]
    return "\n".join(lines)


def test_only_dots_as_large_as_an_exponential_are_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    followed: list[tuple[int, ...]] = []

    def recorded(scores: Any, *arguments: Any) -> Any:
        followed.append(scores.results[0].shape)
        return cluster_of(scores, *arguments)

    monkeypatch.setattr(gradient, "FEWEST_SCORES_OF_CLUSTERS", 1)
    for module in (gradient, wide_sums):
        monkeypatch.setattr(module, "cluster_of", recorded)
    executable: Any = sm.compile(sm.load(network()), backend="cpu")
    assert executable.inspected.graph.nodes
    assert set(followed) == {(WIDTH, SCORES)}


def test_no_dot_is_followed_that_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_called(*_: Any) -> None:
        raise AssertionError("a small dot is followed")

    for module in (gradient, wide_sums):
        monkeypatch.setattr(module, "cluster_of", not_called)
    executable: Any = sm.compile(sm.load(network()), backend="cpu")
    assert executable.inspected.graph.nodes
