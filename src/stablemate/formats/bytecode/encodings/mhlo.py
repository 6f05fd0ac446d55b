"""Encodes MHLO, whose attributes and types are kept as text.

Most of its attributes have the fields of attributes of StableHLO, and are encoded like these; the
others are written as text.

Source: MHLO dialect, its bytecode encodings.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import StablemateError
from stablemate.dialects.mhlo.types import AsyncBundleType
from stablemate.formats.bytecode.encodings.stablehlo import STABLEHLO
from stablemate.formats.bytecode.entry_access import EntryReader, EntryWriter
from stablemate.formats.bytecode.rows import (
    F64,
    SVARINT,
    SVARINTS,
    TYPES,
    DialectEncoding,
    EntryFormat,
    constant,
    custom_row,
    row,
)
from stablemate.formats.mlir.parser import parse_attribute
from stablemate.ir.attributes import OpaqueAttribute
from stablemate.ir.types import Attribute, OpaqueType

MAXIMUM_CACHED: Final = 256  # texts that are kept: memory against reading again
ALIAS: Final = re.compile(
    r"#mhlo\.result_alias<(?:tuple_indices = \[([\d, -]*)\], )?"
    r"result_index = \[([\d, -]+)\](, must_alias)?>"
)
ACCURACY: Final = re.compile(
    r"#mhlo\.result_accuracy<(?:atol = ([^,>]+), )?(?:rtol = ([^,>]+), )?(?:ulps = (-?\d+), )?"
    r"mode = (#mhlo\.result_accuracy_mode<\w+>)>"
)


@dataclass(frozen=True)
class AttributeCounterpart:
    """A kind of MHLO's attributes, and the one of StableHLO that has its fields.

    Attributes:
        kind: Its number.
        stablehlo_kind: The number of the other one.
        before: The text before its fields.
        stablehlo_before: The same of the other one.
        after: The text after its fields.
        stablehlo_after: The same of the other one.
    """

    kind: int
    stablehlo_kind: int
    before: str
    stablehlo_before: str
    after: str = ">"
    stablehlo_after: str = ">"

    def row(self) -> EntryFormat:
        """Returns how such attributes are encoded."""
        template = STABLEHLO.attribute_kinds[self.stablehlo_kind]

        def read(reader: EntryReader) -> OpaqueAttribute:
            text = str(template.read(reader))
            fields = text.removeprefix(self.stablehlo_before).removesuffix(self.stablehlo_after)
            return OpaqueAttribute(f"{self.before}{fields}{self.after}")

        def write(writer: EntryWriter, value: OpaqueAttribute) -> None:
            template.write(writer, self.value(value))

        def has_fields(value: OpaqueAttribute) -> bool:
            return value.text.startswith(self.before) and self.value(value) is not None

        return custom_row(self.kind, OpaqueAttribute, read, write).when(has_fields)

    def value(self, attribute: OpaqueAttribute) -> Attribute | None:
        """Returns the attribute of StableHLO with these fields, if its reader takes them."""
        fields = attribute.text.removeprefix(self.before).removesuffix(self.after)
        return parsed(f"{self.stablehlo_before}{fields}{self.stablehlo_after}")


@lru_cache(MAXIMUM_CACHED)
def parsed(text: str) -> Attribute | None:
    """Returns the attribute that a text holds, if it holds one."""
    try:
        return parse_attribute(text)
    except StablemateError:
        return None


def plain(kind: int, name: str) -> AttributeCounterpart:
    """A kind with the number and the text of StableHLO's."""
    return AttributeCounterpart(kind, kind, f"#mhlo{name}", f"#stablehlo{name}")


COUNTERPARTS: Final = (
    plain(1, ".channel_handle<"),
    plain(2, "<comparison_direction "),
    plain(3, "<comparison_type "),
    plain(4, ".conv<"),
    plain(5, ".dot<"),
    plain(6, "<fft_type "),
    plain(7, ".gather<"),
    plain(8, "<precision "),
    AttributeCounterpart(9, 9, "#mhlo.rng_algorithm<", "#stablehlo<rng_algorithm "),
    AttributeCounterpart(10, 10, "#mhlo.rng_distribution<", "#stablehlo<rng_distribution "),
    plain(11, ".scatter<"),
    plain(12, "<transpose "),
    AttributeCounterpart(13, 13, "#mhlo.type_extensions<bounds = [", "#stablehlo.bounds<", "]>"),
    AttributeCounterpart(16, 14, "#mhlo.output_operand_alias<", "#stablehlo.output_operand_alias<"),
    AttributeCounterpart(17, 16, "#mhlo.result_accuracy_mode<", "#stablehlo.result_accuracy_mode<"),
)


def numbers(text: str | None) -> tuple[int, ...]:
    """Returns the numbers in a text."""
    return tuple(map(int, text.split(","))) if text else ()


def read_alias(reader: EntryReader) -> OpaqueAttribute:
    """Reads an alias of a result: indices in the argument, the result, whether it must be one."""
    inside, result = SVARINTS.read(reader), SVARINT.read(reader)
    index = ", ".join(map(str, (result, *SVARINTS.read(reader))))
    tuple_indices = f"tuple_indices = [{', '.join(map(str, inside))}], " if inside else ""
    must = ", must_alias" if reader.varint() else ""
    return OpaqueAttribute(f"#mhlo.result_alias<{tuple_indices}result_index = [{index}]{must}>")


def write_alias(writer: EntryWriter, value: OpaqueAttribute) -> None:
    """Writes the indices in the argument, the result, and whether it must be an alias."""
    match = ALIAS.fullmatch(value.text)
    assert match is not None
    result, *inside = numbers(match[2])
    SVARINTS.write(writer, numbers(match[1]))
    SVARINT.write(writer, result)
    SVARINTS.write(writer, tuple(inside))
    writer.varint(int(match[3] is not None))


def members(kind: int, name: str, *words: str) -> EntryFormat:
    """Declares a kind that numbers words."""
    texts = [f"#mhlo<{name} {word}>" for word in words]

    def read(reader: EntryReader) -> OpaqueAttribute:
        number = reader.varint()
        if number >= len(texts):
            reader.reject(f"no {name} has number {number}")
        return OpaqueAttribute(texts[number])

    def write(writer: EntryWriter, value: OpaqueAttribute) -> None:
        writer.varint(texts.index(value.text))

    return custom_row(kind, OpaqueAttribute, read, write).when(lambda a: a.text in texts)


def read_accuracy(reader: EntryReader) -> OpaqueAttribute:
    """Reads tolerances and the mode, an attribute of its own."""
    atol, rtol, ulps = F64.read(reader), F64.read(reader), SVARINT.read(reader)
    mode = reader.attribute()
    template = parsed(
        f"#stablehlo.result_accuracy<atol = {atol:e}, rtol = {rtol:e}, ulps = {ulps}, "
        f"mode = {str(mode).replace('#mhlo', '#stablehlo')}>"
    )
    if template is None:
        reader.reject(f"{mode} is not a mode")
    return OpaqueAttribute(str(template).replace("#stablehlo", "#mhlo"))


def write_accuracy(writer: EntryWriter, value: OpaqueAttribute) -> None:
    """Writes the bounds and the mode."""
    match = ACCURACY.fullmatch(value.text)
    assert match is not None
    F64.write(writer, float(match[1] or 0))
    F64.write(writer, float(match[2] or 0))
    SVARINT.write(writer, int(match[3] or 0))
    writer.attribute(OpaqueAttribute(match[4]))


def matches(pattern: re.Pattern[str]) -> Callable[[OpaqueAttribute], bool]:
    """A condition of a row: whether the text of an attribute has a form."""
    return lambda attribute: pattern.fullmatch(attribute.text) is not None


MHLO: Final = DialectEncoding(
    "mhlo",
    (
        custom_row(0, OpaqueAttribute, read_alias, write_alias).when(matches(ALIAS)),
        *(counterpart.row() for counterpart in COUNTERPARTS),
        members(14, "kind", "sharding"),
        members(15, "fusion_kind", "kLoop", "kInput", "kOutput", "kCustom"),
        custom_row(18, OpaqueAttribute, read_accuracy, write_accuracy).when(matches(ACCURACY)),
    ),
    (
        constant(0, OpaqueType("!mhlo.token")),
        row(1, AsyncBundleType, types=TYPES),
    ),
)
