"""Reads the attributes of arith.

Source: MLIR arith dialect; spelled as upstream prints them.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from stablemate.dialects.arith.attributes import FastMathAttribute, OverflowAttribute, flags_of
from stablemate.formats.mlir.attribute_reader import AttributeReader, DialectAttributeReader

FlagsAttribute: TypeAlias = FastMathAttribute | OverflowAttribute


def flags_reader(cls: type[FastMathAttribute] | type[OverflowAttribute]) -> DialectAttributeReader:
    """Returns a reader of ``<flag, flag>``, with at least one flag."""
    names = {name: name for name in cls.members.__members__}

    def read(reader: AttributeReader) -> FlagsAttribute:
        if reader.followed_by(">"):
            reader.error("expected a flag; 'none' says that there are none")
        flags: Any = flags_of(
            cls.members, reader.read_enclosed("<", lambda: reader.member(names, "a flag"))
        )
        return cls(flags)

    return read


ATTRIBUTES: Final[dict[str, DialectAttributeReader]] = {
    "#arith.fastmath": flags_reader(FastMathAttribute),
    "#arith.overflow": flags_reader(OverflowAttribute),
}
