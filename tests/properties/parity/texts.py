"""Texts with a token or a byte changed: what a reader must refuse, or may just take."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from tests.properties.generation.choices import Choices
from tests.properties.parity.comparison import read
from tests.properties.parity.specimens import corpus, specimens

TOKEN: Final = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|[%@#!^]?[\w$.]+|->|::|//[^\n]*|\s+|[^\w\s]', re.ASCII
)
FUNCTION: Final = re.compile(r"^func\.func (?:private )?@\w+\(.*?^}\n", re.MULTILINE | re.DOTALL)
CHECK: Final = re.compile(r"^ *check\..*\n", re.MULTILINE)
LONGEST: Final = 1500  # characters
STRANGE: Final = (
    *("<", ">", "(", ")", "{", "}", "[", "]", ",", ":", "=", "->", "::", "?", "*", "+", "-", "|"),
    *('"', "%", "@", "#", "!", "^", "/", "//", ";", "\\", "'", "\t", "\r\n", "é", "0x"),
    *("0", "1", "-1", "1.0", "1e5", "0x1", "00", "99999999999999999999", "x", "2x", "?x", "*x"),
    *("true", "false", "unit", "none", "loc", "dense<>", "array<i64>"),
    *("tensor<2xf32>", "f32", "i32", "index", "i0", "i16777216", "f8", "bf16", "complex<f32>"),
    *("%0", "%a", "@f", "^bb0", "#a", "!t", "attributes", "module", "func.func"),
    *("{}", "<{}>", "{a = 1}", "{-#", "#-}", "...", ".", "affine_map<() -> ()>", "strided<[1]>"),
)  # fmt: skip


@cache
def functions() -> list[str]:
    """Functions that use nothing of their module, and each operation, in the declared form."""
    collected = [CHECK.sub("", text) for item in corpus() for text in FUNCTION.findall(item)]
    collected += [read(item.text()).pretty for items in specimens().values() for item in items[:3]]
    return [text for text in dict.fromkeys(collected) if len(text) <= LONGEST and read(text).pretty]


def change_token(choices: Choices, tokens: list[str], place: int, kind: int) -> None:
    """Removes, repeats, replaces, adds or moves one of some tokens."""
    if kind == 0:
        tokens.pop(place)
    elif kind == 1:
        tokens.insert(place, tokens[place])
    elif kind == 2:
        tokens[place] = choices.of(tokens)
    elif kind == 3:
        tokens.insert(place, choices.of(STRANGE))
    elif kind == 4:
        tokens[place] = choices.of(STRANGE)
    else:
        other = choices.below(len(tokens))
        tokens[place], tokens[other] = tokens[other], tokens[place]


def with_another_token(choices: Choices, text: str) -> str:
    """A text with one token less, more, twice, in another place, or another one."""
    tokens = TOKEN.findall(text)
    place, kind = choices.below(len(tokens)), choices.below(6)
    while tokens[place].isspace():
        place = choices.below(len(tokens))
    change_token(choices, tokens, place, kind)
    return "".join(tokens)


def with_other_bytes(choices: Choices, data: bytes) -> bytes:
    """Data with a few bytes changed, put in, left out or moved."""
    changed = bytearray(data)
    for _ in range(choices.integer(1, 4)):
        place, kind = choices.below(len(changed) + 1), choices.below(5)
        if kind == 0:
            changed[place:place] = bytes([choices.below(256)])
        elif kind == 1:
            changed[place : place + choices.integer(1, 8)] = b""
        elif kind == 2:
            start = choices.below(len(changed) + 1)
            changed[place:place] = changed[start : start + choices.integer(1, 40)]
        elif kind == 3 and place < len(changed):
            changed[place] = choices.below(256)
        else:
            changed[place:place] = choices.of(STRANGE).encode()
    return bytes(changed)
