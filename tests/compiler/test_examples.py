"""Every static example of every operation, compiled: it checks its own results.

What cannot be compiled is run by the interpreter, which ``tests/ops`` does.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import stablemate as sm
from tests.ops import test_ops

# The specification leaves the order of a reduction open: these say which one the interpreter takes.
OWN_CHOICES = {("choices.mlir", "reduce_order"), ("choices.mlir", "reduce_window_order")}
FILES = sorted({file for file, _ in test_ops.examples()})


@pytest.mark.parametrize("file", FILES)
def test_compiled_examples_give_their_values(file: str) -> None:
    module = sm.load(Path(test_ops.DIRECTORY) / file)
    wrong: list[str] = []
    for name, function in module.functions.items():
        if not function.is_public or (file, name) in OWN_CHOICES:
            continue
        executable = sm.compile(module, backend="cpu", entry=name)
        if executable.fallback is None:
            try:
                executable()
            except sm.StablemateError as error:
                wrong.append(f"@{name}: {error}")
    assert not wrong, "\n".join(wrong)
