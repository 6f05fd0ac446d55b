"""Folders of ONNX's test data: ``input_0.pb``, ``input_1.pb``, ..., ``output_0.pb``, ...

Source: ONNX, onnx.backend.test, test data sets.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from stablemate.diagnostics.errors import ArgumentValueError


def with_test_data(texts: Sequence[str], kind: str) -> list[str]:
    """Values of options, of which ``@FOLDER`` becomes the files of a folder in their order.

    Args:
        texts: The values.
        kind: ``input`` or ``output``.

    Raises:
        ArgumentValueError: A folder has no such files.
    """
    return [part for text in texts for part in files_of(text, kind)]


def files_of(text: str, kind: str) -> list[str]:
    """The files that a value of an option names, each with ``@``; the value itself if none."""
    folder = Path(text[1:])
    if not text.startswith("@") or len(text) == 1 or not folder.is_dir():
        return [text]
    pattern = re.compile(rf"{kind}_(\d{{1,9}})\.pb")
    numbers = sorted(int(m[1]) for path in folder.iterdir() if (m := pattern.fullmatch(path.name)))
    if not numbers:
        raise ArgumentValueError(f"{folder} has no files {kind}_0.pb, {kind}_1.pb, ...")
    return [f"@{folder / f'{kind}_{number}.pb'}" for number in numbers]
