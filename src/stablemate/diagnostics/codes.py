"""Codes of diagnostics: stable names by which ``stablemate explain`` finds what they mean.

A rule of an operation is ``stablehlo.concatenate/C4``, one of a type or a constant
``quantized-element-type/C10``, a limit ``limits.nesting``. What no rule names has the code of the
stage that refuses it: ``parse``, ``run``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

LABELLED: Final = re.compile(r"(.+?) ([CI]\d+)")
SPACES: Final = re.compile(r"\s+")
TARGET: Final = "target"  # of a custom call, whatever it is called
LISTED: Final = 3  # codes of one error that are named


def code_of(rule: str, stage: str = "") -> str:
    """The code of a rule, as diagnostics cite it; of no rule, the stage."""
    if not rule:
        return stage
    head, _, label = rule.partition(" ")
    if "." in head:
        return f"{head}/{slug(label)}" if label else head
    labelled = LABELLED.fullmatch(rule)
    return f"{slug(labelled[1])}/{labelled[2]}" if labelled else slug(rule)


def cited(rules: Iterable[str]) -> tuple[str, ...]:
    """The codes of the first few rules that have a name, each once."""
    return tuple(dict.fromkeys(code_of(rule) for rule in rules if rule))[:LISTED]


def slug(text: str) -> str:
    """Words with hyphens between them."""
    return TARGET if text.startswith("@") else SPACES.sub("-", text)
