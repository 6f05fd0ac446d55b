"""The meaning of PyTorch's errors while it reads an exported program, as sentences about a file."""

from __future__ import annotations

import re
from typing import Final

# A class of the schema whose fields are not all there.
LACKING: Final = re.compile(r"(\w+)\.__init__\(\) missing \d+ required positional arguments?: (.+)")
# A call of an operator that is not there, or not with such arguments; the rest lists the call.
CALL: Final = re.compile(r"Failed deserializing node Node\(target='(?:torch\.ops\.)?([^']+)'")
VAGUE: Final = "We ran into an error when deserializing"  # the reason has been logged
# Errors of code that expects another structure; their texts are about that code.
STRUCTURAL: Final = (AttributeError, TypeError, IndexError, AssertionError)
LONGEST: Final = 300  # of what PyTorch says itself


def reading_fault(error: BaseException) -> str:
    """The fault of a file for which PyTorch raises an error, in words about the file."""
    text = first_line(error)
    lacking, call = LACKING.fullmatch(text), CALL.match(text)
    if lacking is not None:
        return f"its {lacking[1]} has no {lacking[2]}"
    if call is not None:
        return (
            f"it calls {call[1]}, and this version has no such operator with such arguments; "
            "import the library that registers it, if it is none of PyTorch's"
        )
    if isinstance(error, KeyError):
        return f"it refers to {text}, which is not known"
    if isinstance(error, STRUCTURAL) or text.startswith(VAGUE) or " " not in text:
        return "its members do not have the structure that this version reads"
    return text[:LONGEST]


def first_line(error: BaseException) -> str:
    """The first line of what an error says, or its kind."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
