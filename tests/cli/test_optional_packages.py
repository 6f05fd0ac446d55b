"""What needs an optional package that is not installed."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Invoke


@pytest.mark.parametrize("verb", ["compare --against=xla", "bisect --backend=xla"])
def test_xla_without_jaxlib_is_misuse_and_no_finding(
    verb: str, stablemate: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        return None

    monkeypatch.setattr("stablemate.bridges.xla.find_spec", missing)
    name, option = verb.split()
    result = stablemate(name, "examples/mlp.mlir", option, "--input=random:0")
    assert result.exit_code == 2
    assert "XLA needs jaxlib" in result.output
