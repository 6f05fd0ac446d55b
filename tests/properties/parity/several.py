"""Modules with several errors, some in nested regions: which one is reported first, and where."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from tests.properties.generation.choices import Choices, Seeded
from tests.properties.parity.bodies import ATTRIBUTES, TYPES, over_lines, with_wrong_token
from tests.properties.parity.changes import changed
from tests.properties.parity.malformed import malformed
from tests.properties.parity.specimens import specimens
from tests.properties.parity.texts import TOKEN

REGIONS: Final = (
    (
        '  %nested = "stablehlo.if"(%condition) ({\n',
        '    "stablehlo.return"(%condition) : (tensor<i1>) -> ()\n  }, {\n'
        '    "stablehlo.return"(%condition) : (tensor<i1>) -> ()\n'
        "  }) : (tensor<i1>) -> tensor<i1>\n",
    ),
    (
        '  %nested = "stablehlo.while"(%condition) ({\n  ^bb0(%c: tensor<i1>):\n'
        '    "stablehlo.return"(%c) : (tensor<i1>) -> ()\n  }, {\n  ^bb0(%d: tensor<i1>):\n',
        '    "stablehlo.return"(%d) : (tensor<i1>) -> ()\n  }) : (tensor<i1>) -> tensor<i1>\n',
    ),
    (
        '  %nested = "stablehlo.reduce"(%condition, %condition) <{dimensions = array<i64>}> ({\n'
        "  ^bb0(%c: tensor<i1>, %d: tensor<i1>):\n",
        '    "stablehlo.return"(%d) : (tensor<i1>) -> ()\n'
        "  }) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n",
    ),
)


@cache
def names() -> tuple[str, ...]:
    """The operations."""
    return tuple(specimens())


def with_an_error(choices: Choices) -> str:
    """A function that holds an operation with one part changed, or malformed in one way."""
    specimen = choices.of(specimens()[choices.of(names())])
    if choices.below(2):
        return changed(choices, specimen).text()
    return choices.of([*malformed(specimen)])


def nested(choices: Choices, text: str) -> str:
    """What a function holds, in a region of an operation."""
    head, opening, body = text.partition(") {\n")
    body, closing, rest = body.partition("  return\n}\n")
    if not opening or not closing or "@specimen(" not in head:
        return text
    before, after = choices.of(REGIONS)
    comma = "" if head.endswith("(") else ", "
    head = f"{head}{comma}%condition: tensor<i1>"
    return f"{head}{opening}{before}{body}{after}{closing}{rest}"


def with_wrong_attribute(choices: Choices, text: str) -> str:
    """A function with an attribute or a type that is malformed."""
    tokens = with_wrong_token(choices, TOKEN.findall(choices.of(ATTRIBUTES)))
    types = with_wrong_token(choices, TOKEN.findall(choices.of(TYPES)))
    if choices.below(2):
        return text.replace(
            ") {\n", f") attributes {{k.v = {over_lines(choices, tokens)}}} {{\n", 1
        )
    return text.replace("@specimen(", f"@specimen(%wrong: {over_lines(choices, types)},\n", 1)


def several_errors(seed: int) -> Iterator[str]:
    """Modules with up to three errors, without end."""
    number = 0
    while True:
        draw = Seeded(f"several:{seed}:{number}")
        functions: list[str] = []
        for index in range(draw.integer(1, 3)):
            text = with_an_error(draw)
            if draw.below(2) or index == 0:
                text = nested(draw, text)
            if draw.below(4) == 0:
                text = with_wrong_attribute(draw, text)
            functions.append(text.replace("@specimen(", f"@specimen_{index}("))
        yield "".join(functions)
        number += 1
