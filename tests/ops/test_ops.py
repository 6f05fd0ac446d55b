"""Every operation on its examples: values for valid programs, diagnostics for invalid ones.

``<op>.mlir`` holds functions without arguments that check their own results. ``<op>.invalid.mlir``
holds cases separated by ``// -----``: a title, ``// error@line:column: rule: values``, a program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import pytest

import stablemate as sm

DIRECTORY: Final = Path(__file__).parent
SEPARATOR: Final = re.compile(r"^// -----[ ]*\n", re.MULTILINE)
EXPECTED: Final = re.compile(r"^// error@(\d+):(\d+): (.+)$", re.MULTILINE)


@lru_cache(maxsize=1)  # the examples of a file follow each other
def module_of(file: str) -> sm.Module:
    """The module with the examples of a file."""
    return sm.load(DIRECTORY / file)


@cache
def examples() -> tuple[tuple[str, str], ...]:
    """File and function of every example; private functions are what examples call."""
    files = [path.name for path in sorted(DIRECTORY.glob("*.mlir"))]
    return tuple(
        (file, name)
        for file in files
        if not file.endswith(".invalid.mlir")
        for name, function in module_of(file).functions.items()
        if function.is_public
    )


@dataclass(frozen=True)
class InvalidCase:
    """An invalid program with the expected diagnostics."""

    title: str
    text: str
    expected: list[str]


def invalid_cases() -> Iterator[InvalidCase]:
    """All cases of all files."""
    for path in sorted(DIRECTORY.glob("*.invalid.mlir")):
        for part in SEPARATOR.split(path.read_text()):
            if part.strip():
                text = part.lstrip("\n")
                title = text.partition("\n")[0].removeprefix("// ")
                expectations = [f"{m[1]}:{m[2]}: {m[3]}" for m in EXPECTED.finditer(text)]
                yield InvalidCase(f"{path.name.partition('.')[0]}:{title}", text, expectations)


def rendered(diagnostic: sm.Diagnostic) -> str:
    """``line:column: rule: values``, or the message where there are no values."""
    assert diagnostic.span is not None
    values = ", ".join(f"{name} = {value}" for name, value in diagnostic.values.items())
    rule = f"{diagnostic.rule}: " if diagnostic.rule else ""
    return f"{diagnostic.span.line}:{diagnostic.span.column}: {rule}{values or diagnostic.message}"


def diagnostics_of(text: str) -> list[str]:
    """The diagnostics of a program."""
    try:
        return [rendered(diagnostic) for diagnostic in sm.load(text).diagnostics()]
    except sm.StablemateError as error:
        return [rendered(diagnostic) for diagnostic in error.diagnostics]


@pytest.mark.parametrize(("file", "function"), examples())
def test_example_gives_its_values(file: str, function: str) -> None:
    """The function checks its results itself; `tests/compiler` runs it as native code."""
    module_of(file).run(entry=function, backend="interpreter")


@pytest.mark.parametrize("file", sorted({file for file, _ in examples()}))
def test_examples_print_and_reparse_to_the_same_module(file: str) -> None:
    """Printing is the mirror image of reading, in both forms."""
    module = sm.load(DIRECTORY / file)
    for generic in (False, True):
        text = module.to_text(generic=generic)
        again = sm.load(text)
        assert module.difference(again) == ""
        assert again.to_text(generic=generic) == text


@pytest.mark.parametrize("case", list(invalid_cases()), ids=lambda case: case.title)
def test_invalid_program_is_rejected_by_the_rule_that_it_breaks(case: InvalidCase) -> None:
    """Rule, place and values of every diagnostic."""
    assert case.expected, "the case states no error"
    assert diagnostics_of(case.text) == case.expected
