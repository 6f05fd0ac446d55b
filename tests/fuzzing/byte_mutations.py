"""Changes of bytes and of texts: what damage, malice and a typing error do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tests.properties.generation.choices import Choices
from tests.properties.parity.texts import STRANGE, TOKEN, change_token

COUNTS: Final = (1, 1, 1, 2, 2, 3, 4)  # of changes of one input
DEEPEST: Final = 300
LONGEST: Final = 1 << 16  # what changes may grow to
NUMBERS: Final = (
    *("0", "-0", "1", "-1", "2", "7", "63", "64", "65", "127", "128", "255", "256", "65536"),
    *("2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807"),
    *("-9223372036854775808", "9223372036854775808", "18446744073709551616", "1" + "0" * 30),
    *("9" * 400, "9" * 5000, "1e400", "1e-400", "1e99999999", "0x7FC00000", "0x" + "F" * 40),
    *("0.1", "-1.5e300", "nan", "inf", "-inf", "1_000", "٣", "0b1"),
)  # fmt: skip
STRINGS: Final = (
    *('""', '"\\00"', '"\\FF"', '"\\n\\t\\\\"', '"\\"', '"', '"é"', '"\u202e"', '"\x1b[31m"'),
    *('"0x"', '"0x00"', '"0xZZ"', '"0x0000803F"', '"0x04000000"', '"' + "a" * 1000 + '"', '"\\x"'),
    *('"{replicated}"', '"{devices=[2]0,1}"', '"%"', '"{}"', '"__import__"', '"\ud800"', '"\0"'),
)  # fmt: skip
HLO_WORDS: Final = (
    *("f32[]", "f32[2]{0}", "pred[]", "s32[999999999999]", "(f32[], s32[2])", "token[]", "u4[3]"),
    *("ROOT", "ENTRY", "HloModule", "%", "p", "parameter(0)", "constant({1,2})", "constant(nan)"),
    *("metadata={}", "sharding={replicated}", "to_apply=add", "dimensions={0}", "{...}"),
    *("{0,1}", "{devices=[2]<=[2]}", "channel_id=1", "calls=add", "/*index=5*/", "T(8,128)"),
    *("window={size=3x3 pad=0_0x1_1}", "dim_labels=b01f_01io->b01f", "replica_groups={{0},{1}}"),
    *("S(5)", "?", "<=4", "->", "frontend_attributes={}", "backend_config="),
)  # fmt: skip
OPENERS: Final = {"(": ")", "{": "}", "[": "]", "<": ">"}
NUMBER: Final = re.compile(r"-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)")


def changed_text(choices: Choices, text: str, others: Sequence[str]) -> str:
    """A text with a few tokens, numbers, strings or groups changed; rarely with other bytes."""
    for _ in range(choices.of(COUNTS)):
        text = choices.of(TEXT_CHANGES)(choices, text, others)[:LONGEST]
    return text


def token_changed(choices: Choices, text: str, others: Sequence[str]) -> str:
    """One token less, more, twice, elsewhere, or another one."""
    tokens = TOKEN.findall(text)
    if not tokens:
        return choices.of(STRANGE)
    place, kind = choices.below(len(tokens)), choices.below(7)
    if kind == 5:
        tokens[place] = choices.of(HLO_WORDS)
    else:
        change_token(choices, tokens, place, kind)
    return "".join(tokens)


def token_of_another(choices: Choices, text: str, others: Sequence[str]) -> str:
    """A token, or a run of tokens, of another text in the place of one."""
    tokens, donors = TOKEN.findall(text), TOKEN.findall(choices.of(others))
    place, start = choices.below(len(tokens) + 1), choices.below(len(donors) + 1)
    tokens[place : place + choices.integer(0, 3)] = donors[start : start + choices.integer(1, 12)]
    return "".join(tokens)


def number_changed(choices: Choices, text: str, others: Sequence[str]) -> str:
    """Another number in the place of one."""
    items = list(NUMBER.finditer(text))
    if not items:
        return text
    match = choices.of(items)
    return text[: match.start()] + choices.of(NUMBERS) + text[match.end() :]


def string_changed(choices: Choices, text: str, others: Sequence[str]) -> str:
    """Another string in the place of one, or of a token."""
    tokens = TOKEN.findall(text)
    strings = [i for i, token in enumerate(tokens) if token.startswith('"')]
    if not tokens:
        return text
    place = choices.of(strings) if strings else choices.below(len(tokens))
    tokens[place] = choices.of(STRINGS)
    return "".join(tokens)


def group_changed(choices: Choices, text: str, others: Sequence[str]) -> str:
    """What stands in brackets left out, emptied, repeated, or nested in itself."""
    tokens = TOKEN.findall(text)
    starts = [i for i, token in enumerate(tokens) if token in OPENERS]
    if not starts:
        return text
    start = choices.of(starts)
    end = closing(tokens, start)
    group, kind = tokens[start : end + 1], choices.below(6)
    if kind == 0:
        tokens[start : end + 1] = []
    elif kind == 1:
        tokens[start + 1 : end] = []
    elif kind == 2:
        tokens[end:end] = [", ", *group[1:-1]] * choices.of((1, 2, 40))
    elif kind == 3:
        depth = choices.of((1, 2, DEEPEST))
        tokens[start : end + 1] = [group[0]] * depth + group + [group[-1]] * depth
    elif kind == 4:
        tokens[end + 1 : end + 1] = group
    else:
        tokens[start + 1 : start + 1] = group
    return "".join(tokens)


def closing(tokens: Sequence[str], start: int) -> int:
    """The token that closes a bracket, or the last one."""
    opener, depth = tokens[start], 0
    for i in range(start, len(tokens)):
        depth += (tokens[i] == opener) - (tokens[i] == OPENERS[opener])
        if depth == 0:
            return i
    return len(tokens) - 1


def lines_changed(choices: Choices, text: str, others: Sequence[str]) -> str:
    """A line left out, repeated, moved, or taken from another text."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    place, kind = choices.below(len(lines)), choices.below(4)
    if kind == 0:
        lines.pop(place)
    elif kind == 1:
        lines[place:place] = lines[place : place + choices.integer(1, 5)] * choices.of((1, 1, 20))
    elif kind == 2:
        lines.insert(choices.below(len(lines)), lines.pop(place))
    else:
        lines.insert(place, choices.of(choices.of(others).splitlines(keepends=True) or ["\n"]))
    return "".join(lines)


def characters_changed(choices: Choices, text: str, others: Sequence[str]) -> str:
    """Bytes of the text changed as those of any file."""
    data = text.encode("utf-8", "surrogatepass")
    return changed_bytes(choices, data, ()).decode("utf-8", "replace")


TEXT_CHANGES: Final = (
    token_changed, token_changed, token_of_another, number_changed, number_changed, string_changed,
    group_changed, lines_changed, characters_changed,
)  # fmt: skip

WORDS: Final = (0, 1, 4, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


def changed_bytes(choices: Choices, data: bytes, others: Sequence[bytes]) -> bytes:
    """Data with a few bytes changed, put in, left out, moved, or taken from another file."""
    changed = bytearray(data)
    for _ in range(choices.of(COUNTS)):
        place, kind = choices.below(len(changed) + 1), choices.below(10)
        if kind == 0:
            changed[place:place] = bytes([choices.below(256)])
        elif kind == 1:
            changed[place : place + choices.integer(1, 8)] = b""
        elif kind == 2:
            start = choices.below(len(changed) + 1)
            changed[place:place] = changed[start : start + choices.integer(1, 40)]
        elif kind in (3, 4) and place < len(changed):
            changed[place] = choices.below(256)
        elif kind in (5, 6) and place < len(changed):
            changed[place] ^= 1 << choices.below(8)
        elif kind == 7:
            word = choices.of(WORDS).to_bytes(4, "little")[: choices.of((1, 2, 4))]
            changed[place : place + len(word)] = word
        elif kind == 8 and others:
            donor = choices.of(others)
            start, size = choices.below(len(donor) + 1), choices.integer(1, 60)
            changed[place : place + size] = donor[start : start + size]
        elif kind == 9 and choices.chance(30):
            del changed[place:]
    return bytes(changed)
