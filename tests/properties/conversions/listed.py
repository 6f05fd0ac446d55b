"""Differences from jaxlib that are deliberate, and forms that say the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

Key = tuple[str, str]
Facts = Mapping[Key, str]
Known = Callable[[Key, str, str, Facts], str]
ABSENT: Final = "(none)"
OF_LOCATIONS: Final = frozenset({"op_type", "op_name", "source", "frames"})
# The end of a place in a file.
COLUMN: Final = re.compile(r":\d+-\(.*\)")
COUNT: Final = re.compile(r"\.\d+$")
END: Final = re.compile(r"-\((\d*, \d*|None)\)")


def to_hlo(key: Key, ours: str, theirs: str, facts: Facts) -> str:
    """Why a fact of HLO is not that of jaxlib; empty if that is not known."""
    tag, field = key
    opcode = facts.get((tag, "opcode"), "")
    if theirs == ABSENT and opcode == "parameter" and field in OF_LOCATIONS:
        return "jaxlib keeps the names of parameters only"
    if theirs == ABSENT and field == "frames":
        return "jaxlib has no frames of places without functions"
    if field == "cross_program_prefetches" and "offset=0" in theirs:
        return "jaxlib loses the offset"
    if field in ("layout", "entry_layout") and "{0,1}" in theirs:
        return "jaxlib gives transpositions layouts, which spread"
    if field == "entry_layout" and "{0,1}" in ours:
        return "layout modes are layouts of the border"
    if field == "source" and theirs.startswith("-:"):
        return "jaxlib gives what has no location its place in the text"
    return ""


def to_stablehlo(key: Key, ours: str, theirs: str, facts: Facts) -> str:
    """Why a fact of StableHLO is not that of jaxlib; empty if that is not known."""
    tag, field = key
    if theirs == ABSENT and field in ("mhlo.num_replicas", "mhlo.num_partitions"):
        return "protocol buffers have no counts"
    if field in OF_LOCATIONS:
        return of_location(tag, field, ours, theirs, facts)
    if field == "jax.buffer_donor" and theirs == ABSENT:
        return "jaxlib loses buffer donors"
    if field == "own channel_handle" and theirs == ours.replace("type = 1", "type = 0"):
        return "jaxlib writes no type of channels"
    if theirs == ABSENT and field in ("xla_shape", "result_layout"):
        return "jaxlib loses layouts of some instructions"
    if field == "xla_shape" and ours == ABSENT and "{0," not in theirs:
        return "jaxlib writes the shapes of tuples"
    if facts.get((tag, "operation")) == "stablehlo.dot_general" and field != "mhlo.sharding":
        return "jaxlib writes dot"
    return ""


def of_location(tag: str, field: str, ours: str, theirs: str, facts: Facts) -> str:
    """Why a field of a location is not that of jaxlib."""
    if theirs == ABSENT and field == "op_type":
        return "jaxlib loses types of operations"
    if (tag, "op_name") not in facts:
        return "jaxlib's location is the name of the instruction"
    if field == "op_name" and COUNT.sub("", ours) == COUNT.sub("", theirs):
        return "names are counted"
    if END.sub("", ours) == END.sub("", theirs):
        return "jaxlib loses the ends of places"
    if field == "source" and COLUMN.sub(":0-", ours) == COLUMN.sub(":0-", theirs):
        return "jaxlib loses columns"
    if theirs == ABSENT and field == "source" and (tag, "frames") in facts:
        return "jaxlib loses the file beside a stack"
    return ""


def renamed(key: Key, before: str, after: str, facts: Facts) -> str:
    """Why a fact is another one after a round trip; empty if that is not known."""
    if key[1] == "opcode" and before in ("fusion", "parameter"):
        return "a fusion is inlined"
    if facts.get((key[0], "opcode")) == "copy" and key[1] in ("opcode", "layout"):
        return "a copy is its operand"
    if key[1] == "source" and after == ABSENT and before in facts.get((key[0], "frames"), ""):
        return "the place is that of the innermost frame"
    if key[1] == "source" and before.replace("-(0, 0)", "") == END.sub("", after):
        return "a place without an end ends where it begins"
    if key[1] == "replica_groups" and before == "[2,2]<=[4]" and after == "{{0,1},{2,3}}":
        return "groups are listed"
    if key[1] == "mhlo.layout_mode":
        says_nothing = before == '"default"'
        return "a layout mode that says nothing" if says_nothing else "layouts of the border"
    if key[1] == "tf.aliasing_output":
        return "the module states aliases"
    return ""


# The names of fields in warnings.
FIELDS: Final = {
    "entry_layout": "entry_computation_layout",
    **dict.fromkeys(("op_type", "op_name", "source", "frames"), "metadata"),
}


# Operations of MHLO that are written in StableHLO here.
OF_MHLO: Final = ("mhlo.fusion", "mhlo.async_")
# What a warning names if the tag of an operation is gone.
TAGS: Final = frozenset({"frontend_attributes", "mhlo.frontend_attributes", "the body"})


def is_named(key: Key, named: Collection[str]) -> bool:
    """Whether a warning names a fact."""
    field = FIELDS.get(key[1], key[1].rstrip(" 0123456789"))
    return any(field == what or what.startswith(f"{field} ") for what in named)
