"""The order in which upstream finds errors, so that the first one is the same.

Its parser finds attributes of a kind that an operation cannot have, when it has read the operation.
An operation is checked before the operations inside it. Then come the ends of its blocks, the
operations inside whose regions are isolated from above, each with all that it holds, and rules
about the regions as a whole. A module checks last whether symbols are unique, and after that the
rules of operations that refer to symbols.

Source: MLIR, its verifier; ``SymbolTable``, ``SymbolUserOpInterface``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.source import Span
from stablemate.ir.attributes import SymbolAttribute
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of, is_size_list
from stablemate.ir.traits import Trait

TERMINATED: Final = "ends with a terminator"
# Rules about regions as a whole, and what is inferred from them.
AFTER_REGIONS: Final = re.compile(
    r"stablehlo\.(case|if)( C\d+)?|stablehlo\.async_start C\d+|sdy\.manual_computation body"
    r"|shape\.assuming results"
)
OF_A_TYPE: Final = re.compile(r"\w+ is an? ")  # how messages about types of values begin
UNIQUE_SYMBOLS: Final = "builtin.module symbols"
# Rules of operations that refer to symbols.
OF_SYMBOLS: Final = re.compile(
    r"func\.call (callee|type)"
    r"|func\.constant value"
    r"|sdy\.(?!mesh|propagation_barrier|sharding_group)\w+ (?!body|type|[CI]\d)\w+"
    r"|sdy\.manual_computation body"
    r"|stablehlo\.composite C\d"
)
# Rules with the labels of these that are checked with the operation.
NOT_OF_SYMBOLS: Final = frozenset(
    (
        "The body ends with sdy.return",
        "The operand is divided over the same mesh",
        "The sharding of the operand is stated",
    )
)
NAMED_AXES: Final = "replica_groups name axes of a mesh that is defined"
# The part of an operation in generic form that holds its properties.
PROPERTIES: Final = "properties"
# The part of an operation in declared form that begins its attributes.
DICTIONARY: Final = "dictionary"

Place = tuple[int, int, int]


@dataclass
class Visits:
    """When the verifier comes to one operation.

    Attributes:
        first: Before the operations inside.
        ends: At the ends of its blocks.
        last: After the operations inside.
    """

    first: int
    ends: int = 0
    last: int = 0


def order_findings(
    top: Operation, found: Iterable[tuple[Operation, Diagnostic]]
) -> list[Diagnostic]:
    """The findings of an operation and those inside it, in upstream's order."""
    found = [(operation, at_dictionary(operation, finding)) for operation, finding in found]
    if len(found) < 2:
        return [finding for _, finding in found]
    visits = visits_of(top)
    places = [place_of(operation, finding, visits) for operation, finding in found]
    order = sorted(range(len(found)), key=places.__getitem__)
    return [found[i][1] for i in order]


def at_dictionary(operation: Operation, finding: Diagnostic) -> Diagnostic:
    """The finding about an attribute of a wrong kind whose dictionary begins on a later line.

    MLIR's parser reports it there if the form follows from a definition; a note points at the
    operation.
    """
    part, whole = (operation.parts or {}).get(DICTIONARY), operation.span
    if part is None or whole is None or not is_found_by_parser(operation, finding):
        return finding
    place = Span(whole.source, *part)
    if place.line == whole.line:
        return finding
    note = Diagnostic(f"the operation {operation.name} is here", span=whole)
    return replace(finding, span=place, notes=(note, *finding.notes))


def place_of(operation: Operation, finding: Diagnostic, visits: dict[Operation, Visits]) -> Place:
    """When a finding of an operation is found."""
    if is_found_by_parser(operation, finding):
        return 0, 0, end_in_text(operation)
    own, message = visits[operation], finding.message
    is_structural = message.startswith("expected")
    if finding.rule == UNIQUE_SYMBOLS:
        return own.last, 0, 0
    if is_of_symbols(operation, finding):
        return (own if is_structural else table_of(operation, visits)).last, 1, own.first
    if has_implicit_terminator(operation) or is_structural:
        return own.first, 0, 0
    if message.endswith(TERMINATED):
        return own.ends, 0, 0
    is_of_regions = AFTER_REGIONS.fullmatch(finding.rule) and not OF_A_TYPE.match(message)
    return (own.last if is_of_regions else own.first), 0, 0


def has_implicit_terminator(operation: Operation) -> bool:
    """Whether the terminators of an operation's regions are looked for before what is inside."""
    return Trait.IMPLICIT_TERMINATOR in definition_of(operation).traits


def is_found_by_parser(operation: Operation, finding: Diagnostic) -> bool:
    """Whether a finding is that an attribute in a text is of a kind that cannot be here.

    The properties of the generic form are an exception as long as MLIR can store the attribute.
    """
    if not operation.parts or "operation" not in operation.parts or finding.severity != "error":
        return False
    name, definition = finding.message.partition(" ")[0], definition_of(operation)
    field, attribute = definition.attributes.get(name), operation.attributes.get(name)
    if attribute is None or finding.values.get(name) is not attribute:
        return False
    if name in definition.size_lists:
        return not is_size_list(attribute, definition.size_lists[name])
    if field is None:
        return False
    if PROPERTIES in operation.parts:
        return not field.kind.stores(attribute)
    return not field.kind.accepts(attribute)


def end_in_text(operation: Operation) -> int:
    """Where the text of an operation ends."""
    return (operation.parts or {})["operation"][1]


def is_of_symbols(operation: Operation, finding: Diagnostic) -> bool:
    """Whether a finding is one of a module about an operation that refers to symbols."""
    if finding.message == NAMED_AXES:
        groups = operation.attributes.get("replica_groups")
        return isinstance(getattr(groups, "mesh", None), SymbolAttribute)
    is_rule = OF_SYMBOLS.fullmatch(finding.rule) is not None
    return is_rule and finding.message not in NOT_OF_SYMBOLS


def table_of(operation: Operation, visits: dict[Operation, Visits]) -> Visits:
    """The visits of the module around an operation, or of the outermost operation around it."""
    visited, parent = visits[operation], operation.parent_operation()
    while parent is not None and parent in visits:
        visited = visits[parent]
        if definition_of(parent).symbols:
            break
        parent = parent.parent_operation()
    return visited


def visits_of(top: Operation) -> dict[Operation, Visits]:
    """The visits of an operation and of those inside it."""
    visits: dict[Operation, Visits] = {}
    pending: list[tuple[Operation, str]] = [(top, "first")]
    for number in range(1, 1 << 62):
        if not pending:
            break
        operation, stage = pending.pop()
        if stage == "ends":
            visits[operation].ends = number
        elif stage == "last":
            visits[operation].last = number
        else:
            visits[operation] = Visits(number)
            inside = [*inner_operations(operation)]
            isolated = [inner for inner in inside if is_isolated(inner)]
            others = [inner for inner in inside if not is_isolated(inner)]
            pending.append((operation, "last"))
            pending += [(inner, "first") for inner in reversed(isolated)]
            pending.append((operation, "ends"))
            pending += [(inner, "first") for inner in reversed(others)]
    return visits


def inner_operations(operation: Operation) -> Iterator[Operation]:
    """The operations of the blocks of an operation, without those inside these."""
    for region in operation.regions:
        for block in region.blocks:
            yield from block.operations


def is_isolated(operation: Operation) -> bool:
    """Whether an operation has regions that see no value from outside."""
    return bool(operation.regions) and operation.definition.isolated
