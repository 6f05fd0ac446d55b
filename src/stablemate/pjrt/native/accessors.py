"""Accessors: LLVM functions that read and write a field of a record or an argument structure.

``@get.buffer.bytes(ptr)`` reads a field as a number, ``@ptr.buffer.data(ptr)`` as a pointer, and
``@set.buffer.bytes(ptr, i64)`` and ``@put.buffer.data(ptr, ptr)`` write it. All are inlined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stablemate.pjrt.interface.structures import BY_NAME, STRUCTURE
from stablemate.pjrt.native.records import RECORDS

USED: Final = re.compile(r"@(get|ptr|set|put)\.(\w+)\.(\w+)\(")
BODIES: Final = {
    "get": """define internal i64 @get.{name}(ptr %record) #8 {{
  %at = getelementptr i8, ptr %record, i64 {offset}
  %narrow = load {type}, ptr %at
  %value = {widen}
  ret i64 %value
}}""",
    "ptr": """define internal ptr @ptr.{name}(ptr %record) #8 {{
  %at = getelementptr i8, ptr %record, i64 {offset}
  %value = load ptr, ptr %at
  ret ptr %value
}}""",
    "set": """define internal void @set.{name}(ptr %record, i64 %value) #8 {{
  %narrow = {narrow}
  %at = getelementptr i8, ptr %record, i64 {offset}
  store {type} %narrow, ptr %at
  ret void
}}""",
    "put": """define internal void @put.{name}(ptr %record, ptr %value) #8 {{
  %at = getelementptr i8, ptr %record, i64 {offset}
  store ptr %value, ptr %at
  ret void
}}""",
}


def accessors(text: str) -> Iterator[str]:
    """The accessors that a text calls."""
    for kind, record, field in sorted(set(USED.findall(text))):
        offset, bits = place(record, field)
        is_word = bits == 64
        yield BODIES[kind].format(
            name=f"{record}.{field}",
            offset=offset,
            type=f"i{bits}",
            widen="add i64 %narrow, 0" if is_word else f"zext i{bits} %narrow to i64",
            narrow="add i64 %value, 0" if is_word else f"trunc i64 %value to i{bits}",
        )


def place(record: str, field: str) -> tuple[int, int]:
    """Where a field is, in bytes, and how many bits it has."""
    if record in RECORDS:
        return 8 * RECORDS[record].index(field), 64
    structure = BY_NAME[record].arguments if record in BY_NAME else STRUCTURE[record]
    member = getattr(structure, field)
    return member.offset, 8 * member.size
