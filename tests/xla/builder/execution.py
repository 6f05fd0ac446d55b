"""Builds, prints, reads back, runs here and in XLA."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stablemate.api.module import Module
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.diagnostics.source import Source
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import PrintOptions, write_text
from stablemate.formats.mlir.parser import parse_attribute
from stablemate.xla.builder.builder import ModuleBuilder
from stablemate.xla.module import HloModule
from stablemate.xla.translate.to_stablehlo.metadata import Spelling
from stablemate.xla.translate.to_stablehlo.module import to_stablehlo
from stablemate.xla.verifier import verify
from tests.oracle.client import Oracle

Arrays = Sequence[Any]


def text_of(module: HloModule) -> str:
    """The text, which reads back as the module."""
    text = write_text(module)
    assert read_text(Source(text), DEFAULT_LIMITS) == module
    return text


def same_for_xla(oracle: Oracle, builder: ModuleBuilder) -> str:
    """The text, which XLA reads, and prints as we do."""
    text = text_of(builder.tree())
    assert oracle.hlo_text(text) == write_text(builder.tree(), PrintOptions(reread=True))
    return text


def here(module: HloModule, *arguments: Any) -> list[Any]:
    """What the interpreter gives."""
    translated = to_stablehlo(module, spelling=Spelling(None, parse_attribute))
    result = Module(translated).run(*arguments, backend="interpreter")
    return list(result) if isinstance(result, tuple) else [result]


def agree(
    oracle: Oracle,
    builder: ModuleBuilder | HloModule,
    *arguments: Any,
    tolerance: float = 0.0,
    expected: Any = None,
) -> list[Any]:
    """The results here, which are those of XLA on the printed text."""
    module = builder if isinstance(builder, HloModule) else builder.tree()
    text = text_of(module)
    assert verify(module) == []
    ours, theirs = here(module, *arguments), oracle.hlo_run(text, *arguments)
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.dtype == other.dtype
        assert mine.shape == other.shape
        if mine.dtype.kind == "V":  # NumPy does not know which of these are not numbers
            mine, other = mine.astype(np.float64), other.astype(np.float64)
        if tolerance:
            np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance)
        else:
            np.testing.assert_array_equal(mine, other)
    if expected is not None:
        assert [array.tolist() for array in ours] == expected
    return ours


def value(builder: ModuleBuilder, *arguments: Any) -> Any:
    """The one result of a builder's program, as nested lists."""
    (result,) = here(builder.tree(), *arguments)
    return result.tolist()
