"""An operation with sizes that are open: unknown, within a bound or not."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from tests.properties.generation.choices import Choices
from tests.properties.parity.specimens import Specimen

# A ranked tensor of static sizes, its element type with what stands in its own brackets.
STATIC: Final = re.compile(r"tensor<((?:\d+x)+)([^<>,]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>)?)>")


def opened(choices: Choices, specimen: Specimen) -> Specimen:
    """Some sizes of operands unknown or bounded; those of results all unknown, or some of them."""
    scope = {
        name: text if name in specimen.constants else with_open_sizes(choices, text)
        for name, text in specimen.scope.items()
    }
    if choices.chance(70):
        results = [STATIC.sub(all_unknown, text) for text in specimen.results]
    else:
        results = [with_open_sizes(choices, text) for text in specimen.results]
    types = [scope[name] for name in specimen.operands]
    return replace(specimen, scope=scope, types=types, results=results)


def with_open_sizes(choices: Choices, text: str) -> str:
    """A type with some of its sizes unknown, bounded near what they were, or other ones."""
    return STATIC.sub(lambda match: open_type(choices, match), text)


def open_type(choices: Choices, match: re.Match[str]) -> str:
    """One tensor type."""
    sizes: list[str] = []
    bounds: list[str] = []
    for size in match[1].split("x")[:-1]:
        bound, kind = "?", choices.below(20)
        if kind < 4:
            size = "?"
        elif kind < 8:
            bound = str(max(0, int(size) + choices.of((0, 0, 1, 2, -1))))
            size = "?"
        elif kind == 8:
            size = choices.of("012")
        sizes.append(size)
        bounds.append(bound)
    any_result = any(bound != "?" for bound in bounds)
    encoding = f", #stablehlo.bounds<{', '.join(bounds)}>" if any_result else ""
    return f"tensor<{''.join(f'{size}x' for size in sizes)}{match[2]}{encoding}>"


def all_unknown(match: re.Match[str]) -> str:
    """One tensor type, nothing of its sizes known."""
    return f"tensor<{'?x' * match[1].count('x')}{match[2]}>"
