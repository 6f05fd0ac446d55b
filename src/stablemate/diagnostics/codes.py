"""Codes of diagnostics: stable names that ``stablemate explain`` explains.

A rule of an operation is ``stablehlo.concatenate/C4``, one of a type or a constant
``quantized-element-type/C10``, a limit ``limits.nesting``. A diagnostic without a rule has the code
of the stage that rejects the input: ``parse``, ``run``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

LABELED: Final = re.compile(r"(.+?) ([CI]\d+)")
SPACES: Final = re.compile(r"\s+")
TARGET: Final = "target"  # of a custom call, whatever it is called
MAXIMUM_CITED: Final = 3  # codes that one error cites


def code_of(rule: str, stage: str = "") -> str:
    """The code of a rule, as diagnostics cite it; the stage if there is no rule."""
    if not rule:
        return stage
    head, _, label = rule.partition(" ")
    if "." in head:
        return f"{head}/{slug(label)}" if label else head
    labeled = LABELED.fullmatch(rule)
    return f"{slug(labeled[1])}/{labeled[2]}" if labeled else slug(rule)


def cited_codes(rules: Iterable[str]) -> tuple[str, ...]:
    """The codes of the first few rules that have a name, each once."""
    return tuple(dict.fromkeys(code_of(rule) for rule in rules if rule))[:MAXIMUM_CITED]


def slug(text: str) -> str:
    """Words with hyphens between them."""
    return TARGET if text.startswith("@") else SPACES.sub("-", text)
