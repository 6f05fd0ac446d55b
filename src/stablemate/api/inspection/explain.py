"""Explanations: ``sm.explain``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

import numpy as np

from stablemate.analysis.explain.examples import Example, examples_of
from stablemate.analysis.explain.page import Explanation, PageSection
from stablemate.analysis.explain.subjects import explanation_of
from stablemate.api.loading import load
from stablemate.execution.streams import Streams

EXAMPLE: Final = "Example"
RESULT: Final = "Result"


def explain(what: str) -> Explanation:
    """Explains an operation, rule, error code, attribute, type or shape.

    ::

        sm.explain("dot_general"), sm.explain("stablehlo.concatenate/C4")
        sm.explain("precision_config"), sm.explain("f8E4M3FN")

    The page of an operation or of one of its rules has an example, and what it gives when the
    interpreter runs it.

    Args:
        what: An operation with or without its dialect, an opcode of HLO, a method of XlaBuilder; a
            rule such as ``dot_general C12``; the code of a diagnostic; an attribute; a type; a
            shape of XLA.

    Raises:
        ArgumentValueError: There is no such page; the message names near ones.
    """
    page = explanation_of(what)
    if page.kind not in ("operation", "rule"):
        return page
    name = page.subject.partition("/")[0]
    example = examples_of(name.partition(".")[0]).get(name)
    if example is None:
        return page
    return replace(page, sections=(*page.sections, *run_example(example)))


def run_example(example: Example) -> Sequence[PageSection]:
    """The example with its results, computed by the interpreter."""
    results = results_of(example)
    shown = [PageSection(EXAMPLE, text=example.text, verbatim=True)]
    if results:
        texts = [array_text(result) for result in results]
        shown.append(PageSection(RESULT, text="\n".join(texts), verbatim=True))
    return shown


def results_of(example: Example) -> tuple[object, ...]:
    """The results of an example: an array or None for each result of its entry.

    Raises:
        StablemateError: The example fails; a test runs all of them.
    """
    module = load(example.text, name=f"example of {example.name}")
    with TemporaryDirectory() as probes:
        output = module.run(backend="interpreter", probe_dir=probes, streams=Streams())
    if isinstance(output, tuple):
        return tuple(cast("Sequence[Any]", output))
    return (output,) if module.entry().signature.results else ()


def array_text(value: object) -> str:
    """A result, as people read it: its type, then its elements."""
    if value is None:
        return "a token"
    array = np.asarray(value)
    shape = "x".join([*map(str, array.shape), array.dtype.name])
    with np.printoptions(precision=6, suppress=True, threshold=64):
        elements = str(array).replace("\n", " ")
    return f"{shape} = {' '.join(elements.split())}"
