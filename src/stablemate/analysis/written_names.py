"""Written names: what the text that a program was read from calls its values.

The IR keeps no names; they stand in the text, left of what makes a value. Where the text has none,
or was not read from text, the printer's names are used.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from stablemate.dialects.func import FuncOp
from stablemate.ir.core import BlockArgument, Operation, OpResult, Value
from stablemate.ir.types import Type

NAME: Final = r"%[\w$.#-]+"
LONGEST: Final = 2000  # characters of a header that are looked at
RESULTS: Final = re.compile(rf'((?:{NAME}(?::\d+)?\s*,\s*)*{NAME}(?::\d+)?)\s*=\s*"?\Z')
INSTRUCTION: Final = re.compile(r"(?:ROOT\s+)?(%?[\w.-]+)\s*=\s")
ARGUMENT: Final = re.compile(rf"({NAME})\s*:")
CARRIED: Final = re.compile(rf"({NAME})\s*=")


def printed_name(value: Value[Type], names: Callable[[Value[Type]], str]) -> str:
    """The name of a value at its uses in the printed program: ``%1#0`` of ``%1:2``."""
    name = names(value).partition(":")[0]
    if isinstance(value, OpResult) and len(value.operation.results) > 1 and "#" not in name:
        return f"{name}#{value.index}"
    return name


def written_name(value: Value[Type]) -> str | None:
    """The name of a value in the text; None if it is not known."""
    match value:
        case OpResult():
            return result_name(value.operation, value.index)
        case BlockArgument():
            return argument_name(value)
        case _:
            return None


def result_name(operation: Operation, index: int) -> str | None:
    """The name of a result in the text."""
    span = operation.span
    if span is None or span.source.binary:
        return None
    text = span.source.text
    line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
    match_ = RESULTS.search(line)
    if match_ is None:
        return instruction_name(text, span.start)
    several = len(operation.results) > 1
    position = 0
    for part in match_[1].split(","):
        name, _, count = part.strip().partition(":")
        if index < position + int(count or 1):
            return f"{name}#{index - position}" if count and several else name
        position += int(count or 1)
    return None


def instruction_name(text: str, start: int) -> str | None:
    """The name of the instruction on a line of HLO text; None if it is no HLO."""
    if not text.lstrip().startswith("HloModule"):
        return None
    first = text.rfind("\n", 0, start) + 1
    match_ = INSTRUCTION.match(text[first : first + LONGEST].lstrip())
    return None if match_ is None else match_[1]


def argument_name(argument: BlockArgument) -> str | None:
    """The name of a block argument in the text."""
    region = argument.block.parent
    owner = None if region is None else region.parent
    span = None if owner is None else owner.span
    if owner is None or region is None or span is None or span.source.binary:
        return None
    text = span.source.text[span.start : span.start + LONGEST]
    if isinstance(owner, FuncOp):
        header = text_in_brackets(text, text.find("("))
        names = ARGUMENT.findall(header)
    elif owner.name == "stablehlo.while":
        names = CARRIED.findall(text_in_brackets(text, text.find("(")))
    else:
        return None
    return names[argument.index] if len(names) == len(argument.block.arguments) else None


def text_in_brackets(text: str, start: int) -> str:
    """The text in the brackets that open at a position; empty if they do not close."""
    depth = 0
    for i in range(max(start, 0), len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return text[start + 1 : i]
    return ""
