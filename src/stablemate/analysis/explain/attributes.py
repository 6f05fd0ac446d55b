"""Pages of attributes: what they mean, and which operations have them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Final, cast

from stablemate.analysis.explain.attribute_glossary import FIELDS, MEANINGS
from stablemate.analysis.explain.examples import examples_of
from stablemate.analysis.explain.operations import SPECIFICATION, attribute
from stablemate.analysis.explain.page import DescriptionRow, Explanation, PageSection
from stablemate.dialects.chlo import attributes as chlo
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo import attributes as stablehlo
from stablemate.dialects.stablehlo import result_accuracy
from stablemate.ir.definition import AttributeField, definition_of
from stablemate.ir.kinds import EnumKind

MODULES: Final = (stablehlo, result_accuracy, chlo)
# Under which names structured attributes stand, and the word of the kind where others do too.
WHERE: Final = {
    "chlo.ragged_dot": ("ragged_dot_dimension_numbers",),
    "stablehlo.channel_handle": ("channel_handle",),
    "stablehlo.conv": ("dimension_numbers", "convolution"),
    "stablehlo.dot": ("dot_dimension_numbers",),
    "stablehlo.dot_algorithm": ("algorithm",),
    "stablehlo.gather": ("dimension_numbers", "gather"),
    "stablehlo.output_operand_alias": ("output_operand_aliases",),
    "stablehlo.replica_group_mesh_axes": ("replica_groups",),
    "stablehlo.result_accuracy": ("result_accuracy",),
    "stablehlo.scatter": ("scatter_dimension_numbers",),
}
STRUCTS: Final = {
    "stablehlo.channel_handle": "How messages of different operations are told apart.",
    "stablehlo.dot": "Which dimensions of a dot_general are batched and which are summed over.",
    "stablehlo.gather": "Which dimensions of a gather play which part.",
    "stablehlo.scatter": "Which dimensions of a scatter play which part.",
    "stablehlo.conv": "Which dimensions of a convolution are batch, features and space.",
    "stablehlo.dot_algorithm": "The exact arithmetic of a dot_general.",
    "stablehlo.output_operand_alias": "A result of a custom call that shares an operand's memory.",
    "stablehlo.result_accuracy": "How exact the result of a function must be.",
    "stablehlo.mesh_axis": "An axis of a mesh of devices.",
    "stablehlo.mesh": "Devices in a grid, by whose axes replica groups are named.",
    "stablehlo.sub_axis_info": "A part of an axis of a mesh.",
    "stablehlo.axis_ref": "An axis of a mesh, or a part of it.",
    "stablehlo.replica_group_mesh_axes": "Replica groups by the axes of a mesh.",
    "complex.number": "A complex number with its type, as chlo.constant_like takes it.",
    "chlo.ragged_dot": "Which dimensions of a ragged_dot are batched, summed over and grouped.",
}


def field_page(name: str) -> Explanation | None:
    """The page of an attribute by its name on operations; None if none has it."""
    users = list(operations_with_attribute(name))
    if not users:
        return None
    rows = tuple(DescriptionRow(operation, attribute(field).text) for operation, field in users)
    kinds = [field.kind for _, field in users]
    sections = [PageSection("On operations", rows), *values_of(kinds)]
    related = tuple(f"#{syntax}" for syntax in structs_of(name))
    return Explanation(
        name, "attribute", MEANINGS[name], tuple(sections), related, f"{SPECIFICATION}#attributes"
    )


def operations_with_attribute(name: str) -> Iterator[tuple[str, AttributeField[object]]]:
    """The operations with an attribute of this name."""
    for operation, cls in OPERATIONS.items():
        field = definition_of(cls).attributes.get(name)
        if field is not None and not operation.startswith("vhlo."):
            yield operation, field


def values_of(kinds: Sequence[object]) -> Iterator[PageSection]:
    """The values of an attribute that is one of a few words."""
    for kind in kinds:
        members = members_of(getattr(kind, "item", kind))
        if members:
            yield PageSection("Values", tuple(DescriptionRow(member, "") for member in members))
            return


def members_of(kind: object) -> Mapping[str, Enum]:
    """The words of an enumeration; none of anything else."""
    if not isinstance(kind, EnumKind):
        return {}
    return cast("EnumKind[Enum]", kind).members


def structs_of(name: str) -> Iterator[str]:
    """The structured attributes of a name."""
    yield from (struct for struct, names in WHERE.items() if name in names)


@cache
def structs() -> dict[str, type]:
    """The structured attributes by their names in text."""
    by_syntax: dict[str, type] = {}
    for module in MODULES:
        for value in vars(module).values():
            syntax = getattr(value, "SYNTAX", None)
            if isinstance(value, type) and is_dataclass(value) and isinstance(syntax, str):
                by_syntax[syntax] = value
    return by_syntax


def struct_page(name: str) -> Explanation | None:
    """The page of a structured attribute, such as ``stablehlo.gather``; None if there is none."""
    cls = structs().get(name)
    if cls is None:
        return None
    words = FIELDS[name]
    rows = tuple(DescriptionRow(field.name, words.get(field.name, "")) for field in fields(cls))
    sections = [PageSection("Fields", rows)]
    written = next(written_in_examples(name), "")
    if written:
        sections.append(PageSection("For example", text=written, verbatim=True))
    field, *word = WHERE.get(name, ("",))
    users = tuple(
        operation
        for operation, candidate in operations_with_attribute(field)
        if all(word_of in candidate.kind.description for word_of in word)
    )
    return Explanation(
        f"#{name}", "attribute", STRUCTS[name], tuple(sections), users[:8],
        f"{SPECIFICATION}#attributes",
    )  # fmt: skip


def written_in_examples(name: str) -> Iterator[str]:
    """How an attribute is written in examples."""
    pattern = re.compile(rf"#{re.escape(name)}<[^<>]*(?:<[^<>]*>[^<>]*)*>")
    for example in examples_of(name.partition(".")[0]).values():
        yield from pattern.findall(example.text)


def enum_page(name: str) -> Explanation | None:
    """The page of an enumeration, such as ``stablehlo.comparison_direction``; None if none."""
    for module in MODULES:
        for value in vars(module).values():
            members = members_of(value)
            if members and value.description.replace(" ", ".") == name:
                rows = tuple(DescriptionRow(member, "") for member in members)
                cls = type(next(iter(members.values())))
                text = (cls.__doc__ or "").replace("``", "`").strip()
                return Explanation(
                    f"#{name}", "attribute", text, (PageSection("Values", rows),), (),
                    f"{SPECIFICATION}#attributes",
                )  # fmt: skip
    return None


def names() -> list[str]:
    """The names of all attributes."""
    return [*MEANINGS, *(f"#{struct}" for struct in structs())]
