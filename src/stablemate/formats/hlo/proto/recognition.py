"""Recognizes HLO messages: a module, or one of the messages that wrap it.

A module begins with its name, which is text; a wrapper holds the module, or another wrapper, in
field 1.

Source: XLA, ``hlo.proto``.
"""

from __future__ import annotations

from itertools import islice
from typing import Final

from stablemate.formats.hlo.proto.wire import LENGTH_DELIMITED, WireError, fields

NAME: Final = 1
INNER: Final = 1
COMPUTATIONS: Final = 3
INSTRUCTIONS: Final = 2
MAXIMUM_WRAPPERS: Final = 2  # HloSnapshot holds HloProto, which holds HloModuleProto
MAXIMUM_LEADING_FIELDS: Final = 8  # fields of a computation before its first instruction, at most


def is_hlo_proto(data: bytes | memoryview[int]) -> bool:
    """Whether bytes are an HLO module as a protocol buffer, or a wrapper of one.

    Reads the outermost fields only.
    """
    try:
        inner = module_bytes(memoryview(data))
        return any(is_computation(number, kind, content) for number, kind, content in fields(inner))
    except WireError:
        return False


def module_bytes(data: memoryview[int]) -> memoryview[int]:
    """Returns the bytes of the module: all bytes, or those inside one or two wrappers.

    Raises:
        BadWireError: The bytes are no message.
    """
    for _ in range(MAXIMUM_WRAPPERS):
        number, kind, content = next(fields(data), (0, 0, data))
        if number != INNER or kind != LENGTH_DELIMITED or is_name(content):
            break
        data = content
    return data


def is_name(content: memoryview[int]) -> bool:
    """Whether bytes can be the name of a module.

    A message starts with the tag of its first field.
    """
    return not content or content[0] >= ord(" ")


def is_computation(number: int, kind: int, content: memoryview[int]) -> bool:
    """Whether a field of a module is a computation: one with instructions."""
    if number != COMPUTATIONS or kind != LENGTH_DELIMITED:
        return False
    inside = islice(fields(content), MAXIMUM_LEADING_FIELDS)
    return any(field[0] == INSTRUCTIONS and field[1] == LENGTH_DELIMITED for field in inside)
