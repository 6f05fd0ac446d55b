"""What can grow in an operation: from its definition, and from what every operation has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from itertools import chain, combinations, islice, pairwise, product
from typing import Any, Final

from stablemate.dialects.registry import READABLE
from stablemate.ir.definition import (
    OperationDefinition,
    VariadicOperand,
    VariadicResult,
    definition_of,
)
from tests.fuzzing.growth.templates import Template, is_valid_text
from tests.fuzzing.growth.tree import BlockTree, OperationTree, Value, copied

Build = Callable[[int], str]
Change = Callable[[Template, int], None]

FEW: Final = 3  # so much is added to see whether a program stays valid
PROBES: Final = (16, 32)  # so much is added to measure the bytes of an item
TRIED: Final = 600  # ways of growing that are tried for one part
KEPT: Final = 3  # ways of one part that stay valid and are measured
CONVOLUTION: Final = "#stablehlo.conv<"
SEGMENTS: Final = "operandSegmentSizes"

# What new dimensions say in the lists that an attribute holds for each dimension: a number, the
# dimension itself, or the number of the spatial dimension. Dimensions are named by subsets of them.
FILLS: Final[Mapping[str, str]] = {
    "window_strides": "1", "window_dimensions": "1", "base_dilations": "1", "strides": "1",
    "window_dilations": "1", "lhs_dilation": "1", "rhs_dilation": "1", "limit_indices": "1",
    "slice_sizes": "1", "result": "1", "start_indices": "0", "padding": "0",
    "edge_padding_low": "0", "edge_padding_high": "0", "interior_padding": "0",
    "window_reversal": "false", "static_sizes": "1",
    "static_offsets": "0", "static_strides": "1", "static_low": "0", "static_high": "0",
}  # fmt: skip
LIST: Final = re.compile(
    r"(?<=\[)[^\[\]<>]*(?=\])|(?<=array<i64: )[^>]*(?=>)|(?<=array<i1: )[^>]*(?=>)"
)
MATRIX: Final = re.compile(r"dense<0> : tensor<(\d+)x2xi64>")
# The tensor whose dimensions a list counts, if it is not the first operand.
TENSORS: Final[Mapping[str, str]] = {
    "rhs_batching_dimensions": "second", "rhs_contracting_dimensions": "second",
    "rhs_group_dimensions": "second", "start_indices_batching_dims": "second",
    "scatter_indices_batching_dims": "second", "offset_dims": "result",
    "update_window_dims": "last", "broadcast_dimensions": "result",
}  # fmt: skip
SIZES: Final = re.compile(r"(?<=[<x])\d+x")
SHAPED: Final = re.compile(r"((?:tensor|tensor_v1|memref)<)((?:\d+x)*)(?=[!a-z])")


@dataclass(frozen=True, slots=True)
class Growth:
    """A way in which a program grows.

    Attributes:
        part: What grows.
        build: The program with so many more items.
    """

    part: str
    build: Build

    @property
    def valid(self) -> bool:
        """Whether the program stays valid."""
        return is_valid_text(self.build(FEW))

    def of_size(self, size: int) -> str:
        """The program of about so many bytes."""
        few, many = (len(self.build(count)) for count in PROBES)
        each = max(1.0, (many - few) / (PROBES[1] - PROBES[0]))
        text = self.build(max(1, int((size - few) / each)))
        return self.build(max(1, int((size - few) / each * size / len(text))))


def growths(template: Template, wanted: str = "*") -> Iterator[Growth]:
    """All ways in which the program of an operation grows, whose names fit a pattern."""
    head = wanted.partition("*")[0]
    for name, group in GROUPS.items():
        if name.startswith(head) or head.startswith(name):
            yield from (grown for grown in group(template) if fnmatchcase(grown.part, wanted))


def growth(template: Template, part: str, change: Change) -> Growth:
    """The growth that a change of the tree makes."""

    def build(count: int) -> str:
        grown = template.copy()
        change(grown, count)
        return grown.text()

    return Growth(part, build)


def first_valid(
    template: Template, part: str, changes: Iterator[Change], kept: int = 1
) -> Iterator[Growth]:
    """The first changes after which a program is valid, or else the very first."""
    number, fallback = 0, None
    for change in changes:
        grown = growth(template, f"{part}/{number}" if number else part, change)
        fallback = fallback or grown
        if grown.valid:
            number += 1
            yield grown
        if number == kept:
            return
    if number == 0 and fallback is not None:
        yield fallback


# ---- operands and results, with the arguments and returned values of regions


def operand_growths(template: Template) -> Iterator[Growth]:
    """Each variadic group of operands, once with one value and once with values of their own."""
    definition = definition_of(READABLE[template.name])
    groups = [field for field in definition.operands if isinstance(field, VariadicOperand)]
    for field in groups or [None]:
        name = f"operands {field.name}" if field is not None else "operands"
        position = field.position if field is not None else len(definition.operands)
        for label, distinct in ((name, False), (f"{name}, distinct", True)):
            yield from first_valid(template, label, operand_changes(definition, position, distinct))


def operand_changes(
    definition: OperationDefinition, position: int, distinct: bool
) -> Iterator[Change]:
    """Ways to add operands to a group: alone, or with others, results, arguments of regions."""
    others = [field.position for field in definition.operands if field.arity == "variadic"]
    alone = [position]
    for groups, results, arguments, returned, loose in product(
        (alone, sorted({*alone, *others})), (0, 1), (0, 1, 2), (0, 1, 2), (False, True)
    ):

        def change(
            grown: Template, count: int, groups: list[int] = groups, results: int = results,
            arguments: int = arguments, returned: int = returned, loose: bool = loose,
        ) -> None:  # fmt: skip
            add_operands(grown, definition, groups, count, distinct)
            add_results(grown, count * results)
            add_in_regions(grown, count * arguments, count * (returned > 0), returned == 2)
            for value in grown.subject.results if loose else ():
                value.type = SIZES.sub("?x", value.type)

        yield change


def add_operands(
    grown: Template, definition: OperationDefinition, groups: list[int], count: int, distinct: bool
) -> None:
    """Adds operands at the end of groups."""
    subject = grown.subject
    ends = {group: end_of_group(subject, definition, group) for group in groups}
    for group in reversed(groups):
        end = ends[group]
        last = subject.operands[end - 1] if end else grown_argument(grown)
        added = [Value(last.type) for _ in range(count)] if distinct else [last] * count
        if distinct:
            grown.body.arguments += added
        subject.operands[end:end] = added
        if SEGMENTS in subject.attributes and group < len(definition.operands):
            numbers = sizes_of(subject.attributes[SEGMENTS])
            numbers[group] += count
            subject.attributes[SEGMENTS] = f"array<i32: {', '.join(map(str, numbers))}>"


def grown_argument(grown: Template) -> Value:
    """Some value of a function."""
    if not grown.body.arguments:
        grown.body.arguments.append(Value("tensor<f32>"))
    return grown.body.arguments[0]


def sizes_of(text: str) -> list[int]:
    """The numbers of an array."""
    return [int(number) for number in re.findall(r"-?\d+", text.partition(":")[2])]


def end_of_group(subject: OperationTree, definition: OperationDefinition, group: int) -> int:
    """The number of operands up to the end of a group."""
    if SEGMENTS in subject.attributes:
        return sum(sizes_of(subject.attributes[SEGMENTS])[: group + 1])
    following = sum(field.arity == "one" for field in definition.operands[group + 1 :])
    groups = [field.position for field in definition.operands if field.arity == "variadic"]
    if len(groups) > 1 and group in groups:  # groups of one size
        singles = len(definition.operands) - len(groups)
        share = (len(subject.operands) - singles) // len(groups)
        return group - groups.index(group) + share * (groups.index(group) + 1)
    return len(subject.operands) - following


def add_results(grown: Template, count: int) -> None:
    """Adds results of the type of the last one; they are returned, if the others are."""
    subject, ending = grown.subject, grown.body.operations[-1]
    last = subject.results[-1].type if subject.results else "tensor<f32>"
    added = [Value(last) for _ in range(count)]
    is_returned = subject.results and subject.results[-1] in ending.operands
    subject.results += added
    if is_returned and ending is not subject:
        ending.operands += added


def add_in_regions(grown: Template, arguments: int, returned: int, in_last: bool = False) -> None:
    """Adds arguments to the regions, and operands to what ends them (or the last)."""
    for region in grown.subject.regions:
        if region and (region[0].arguments or not arguments):
            entry, ending = region[0], region[-1].operations[-1]
            last = entry.arguments[-1].type if entry.arguments else ""
            entry.arguments += [Value(last) for _ in range(arguments)]
            if ending.operands and (not in_last or region is grown.subject.regions[-1]):
                ending.operands += ending.operands[-1:] * returned


def result_growths(template: Template) -> Iterator[Growth]:
    """Results alone, where an operation may have any number."""
    definition = definition_of(READABLE[template.name])

    def change(grown: Template, count: int) -> None:
        add_results(grown, count)

    def both(grown: Template, count: int) -> None:
        add_results(grown, count)
        add_in_regions(grown, 0, count)

    if any(isinstance(field, VariadicResult) for field in definition.results):
        yield from first_valid(template, "results", iter((change, both)))


# ---- dimensions


def rank_growths(template: Template) -> Iterator[Growth]:
    """Dimensions of size 1, in some of the types and with the lists that say something of them."""
    subject = template.subject
    if not any(SHAPED.search(value.type) for value in (*subject.operands, *subject.results)):
        return
    yield from first_valid(template, "dimensions", rank_changes(template), KEPT)


def rank_changes(template: Template) -> Iterator[Change]:
    """Ways to add dimensions, those that change the most first."""
    subject = template.subject
    shaped = [i for i, value in enumerate(subject.operands) if SHAPED.search(value.type)]
    results = [i for i, value in enumerate(subject.results) if SHAPED.search(value.type)]
    subsets = product(largest_first(shaped), largest_first(results), largest_first(places(subject)))
    for operands, outcomes, named in islice(subsets, TRIED):
        if not operands and not outcomes:
            continue

        def change(
            grown: Template, count: int, operands: tuple[int, ...] = operands,
            outcomes: tuple[int, ...] = outcomes,
            named: tuple[tuple[str, int], ...] = named,
        ) -> None:  # fmt: skip
            add_dimensions(grown, count, operands, outcomes, named)

        yield change
    types = {value.type for value in (*subject.operands, *subject.results)}
    for chosen in largest_first([text for text in sorted(types) if SHAPED.search(text)])[:-1]:

        def by_type(grown: Template, count: int, chosen: tuple[str, ...] = chosen) -> None:
            add_everywhere(grown, count, chosen)

        yield by_type


def add_everywhere(grown: Template, count: int, types: tuple[str, ...]) -> None:
    """Adds dimensions to all values of some types in a function."""
    first = ranks_of(grown.subject)
    for operation in grown.function.walk():
        values = [*operation.results, *(v for block in operation.blocks() for v in block.arguments)]
        for value in values:
            if value.type in types:
                value.type = with_dimensions(value.type, count)
        if any(text in operation.attributes.get("value", "") for text in types):
            operation.attributes["value"] = with_dimensions(operation.attributes["value"], count)
    for name, text in grown.subject.attributes.items():
        grown.subject.attributes[name] = with_entries(name, text, count, first, ())


def largest_first(items: list[Any]) -> list[tuple[Any, ...]]:
    """The subsets of items, the largest first."""
    sizes = range(len(items), -1, -1)
    return list(chain.from_iterable(combinations(items, size) for size in sizes))


def places(subject: OperationTree) -> list[tuple[str, int]]:
    """The lists that name dimensions: the attribute, and which of its lists."""
    return [
        (name, number)
        for name, text in subject.attributes.items()
        if name != SEGMENTS and name not in FILLS and not text.startswith(CONVOLUTION)
        for number, _ in enumerate(LIST.finditer(text))
    ]


def add_dimensions(
    grown: Template, count: int, operands: tuple[int, ...], results: tuple[int, ...],
    named: tuple[tuple[str, int], ...],
) -> None:  # fmt: skip
    """Adds dimensions to some types, and what lists say of them."""
    subject = grown.subject
    first = ranks_of(subject)
    changed = {subject.operands[i] for i in operands} | {subject.results[i] for i in results}
    for value in changed:
        value.type = with_dimensions(value.type, count)
    for name, text in subject.attributes.items():
        subject.attributes[name] = with_entries(name, text, count, first, named)


def ranks_of(subject: OperationTree) -> Mapping[str, int]:
    """The ranks of the tensors that lists of dimensions speak of."""
    operands = [rank_of(value.type) for value in subject.operands] or [0]
    results = [rank_of(value.type) for value in subject.results] or operands
    return {"": operands[0], "second": operands[min(1, len(operands) - 1)], "result": results[0],
            "last": operands[-1]}  # fmt: skip


def rank_of(type_text: str) -> int:
    """The number of dimensions in the text of a type."""
    match = SHAPED.search(type_text)
    return match[2].count("x") if match else 0


def with_dimensions(type_text: str, count: int) -> str:
    """A type with so many dimensions of size 1 at the end."""
    return SHAPED.sub(lambda match: match[0] + "1x" * count, type_text, count=1)


def with_entries(
    name: str, text: str, count: int, first: Mapping[str, int], named: tuple[tuple[str, int], ...]
) -> str:
    """An attribute with entries for new dimensions in its lists."""
    fill = "spatial" if text.startswith(CONVOLUTION) else FILLS.get(name)
    if matrix := MATRIX.fullmatch(text):
        return f"dense<0> : tensor<{int(matrix[1]) + count}x2xi64>" if fill else text
    if text.startswith("dense<") and ": tensor<" in text and "[" not in text:
        return with_dimensions(text, count)
    if fill is None and not any(place[0] == name for place in named):
        return text
    pieces: list[str] = []
    end = 0
    for number, match in enumerate(LIST.finditer(text)):
        pieces.append(text[end : match.start()])
        own = re.findall(r"(\w+) = \[$", text[: match.start()]) or [name]
        start = first[TENSORS.get(own[0], "")]
        start = match[0].count(",") - 1 if fill == "spatial" else start
        numbered = fill == "spatial" or fill is None
        is_grown = fill is not None or (name, number) in named
        added = [str(start + i) if numbered else str(fill) for i in range(count)]
        pieces.append(", ".join([*filter(None, [match[0]]), *(added if is_grown else [])]))
        end = match.end()
    return "".join([*pieces, text[end:]])


# ---- attributes


def attribute_growths(template: Template) -> Iterator[Growth]:
    """Each list, string and dictionary in each attribute, alone."""
    for name, text in template.subject.attributes.items():
        for number, _ in enumerate(LIST.finditer(text)):
            for label, distinct in (("", False), (", distinct", True)):
                yield growth(
                    template, f"attribute {name}[{number}]{label}", listed(name, number, distinct)
                )
        if text.startswith('"'):
            yield growth(template, f"attribute {name}", long_string(name))
        if text.startswith("{"):
            yield growth(template, f"attribute {name}", long_dictionary(name))


def listed(name: str, number: int, distinct: bool) -> Change:
    """More items in one list of an attribute: its last one, or with numbers that go on."""

    def change(grown: Template, count: int) -> None:
        text = grown.subject.attributes[name]
        match = list(LIST.finditer(text))[number]
        last = match[0].rpartition(", ")[2] or "0"
        items = [next_item(last, i) for i in range(1, count + 1)] if distinct else [last] * count
        whole = ", ".join([*filter(None, [match[0]]), *items])
        grown.subject.attributes[name] = text[: match.start()] + whole + text[match.end() :]

    return change


def next_item(text: str, step: int) -> str:
    """An item with a larger number, or with a number where it is a name."""
    head, digits, tail = re.fullmatch(r"(.*?)(\d*)(\D*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    return f"{head}{int(digits or 0) + step}{tail}" if digits else f"{head}{tail}"


def long_string(name: str) -> Change:
    """A longer string."""

    def change(grown: Template, count: int) -> None:
        text = grown.subject.attributes[name]
        grown.subject.attributes[name] = f'{text[:-1]}{"x" * count}"'

    return change


def long_dictionary(name: str) -> Change:
    """More entries of a dictionary."""

    def change(grown: Template, count: int) -> None:
        inner = grown.subject.attributes[name][1:-1]
        entries = [*filter(None, [inner]), *(f"more_{i} = {i} : i64" for i in range(count))]
        grown.subject.attributes[name] = f"{{{', '.join(entries)}}}"

    return change


# ---- regions


def region_growths(template: Template) -> Iterator[Growth]:
    """Regions, their blocks, arguments and operations, and the operation inside itself."""
    for number, region in enumerate(template.subject.regions):
        if number == len(template.subject.regions) - 1:
            yield growth(template, "regions", more_regions)
        if region and region[-1].operations:
            label = f"region {number}"
            yield growth(template, f"{label}, blocks", more_blocks(number))
            yield growth(template, f"{label}, arguments", more_arguments(number))
            yield growth(template, f"{label}, operations", more_operations(number))
            yield growth(template, f"{label}, nested", nested(number))


def jumps(grown: Template, count: int) -> None:
    """Blocks each of which jumps to the next one; the last one to where the operation jumps."""
    subject = grown.subject
    last = subject.successors[0]
    added = [BlockTree([Value(value.type) for value in last.arguments]) for _ in range(count)]
    for block, following in pairwise([*added, last]):
        jump = copied(subject)
        jump.successors[0] = following
        block.operations.append(jump)
    subject.successors[0] = added[0]
    grown.function.regions[0] += added


def more_regions(grown: Template, count: int) -> None:
    """The last region again and again."""
    subject = grown.subject
    for _ in range(count):
        subject.regions.append(copied(subject).regions[-1])


def more_blocks(number: int) -> Change:
    """Blocks at the end of a region, each with what ends the last one."""

    def change(grown: Template, count: int) -> None:
        region = grown.subject.regions[number]
        ending = region[-1].operations[-1]
        region += [BlockTree([], [copied(ending)]) for _ in range(count)]

    return change


def more_arguments(number: int) -> Change:
    """Arguments of a region."""

    def change(grown: Template, count: int) -> None:
        arguments = grown.subject.regions[number][0].arguments
        last = arguments[-1].type if arguments else "tensor<f32>"
        arguments += [Value(last) for _ in range(count)]

    return change


def more_operations(number: int) -> Change:
    """The first operation of a region again and again."""

    def change(grown: Template, count: int) -> None:
        operations = grown.subject.regions[number][0].operations
        first, at = operations[0], 0 if len(operations) == 1 else 1
        if at:
            operations[at:at] = [copied(first) for _ in range(count)]
        else:
            added = [
                OperationTree(
                    "stablehlo.constant",
                    [],
                    [Value("tensor<f32>")],
                    {"value": "dense<0.0> : tensor<f32>"},
                )
                for _ in range(count)
            ]
            operations[0:0] = added

    return change


def nested(number: int) -> Change:
    """The operation in its own region, again and again."""

    def change(grown: Template, count: int) -> None:
        inner, original = grown.subject, copied(grown.subject)
        for _ in range(count):
            added = copied(original)
            inner.regions[number][0].operations.insert(0, added)
            inner = added

    return change


# ---- what every operation has


def discardable(grown: Template, count: int) -> None:
    """Attributes that nobody declares."""
    grown.subject.discardable.update((f"more.a{i}", f"{i} : i64") for i in range(count))


def discardable_list(grown: Template, count: int) -> None:
    """One attribute that nobody declares, with many items."""
    grown.subject.discardable["more.a"] = f"[{', '.join(f'{i} : i64' for i in range(count))}]"


def copies(grown: Template, count: int) -> list[OperationTree]:
    """The operation again and again, with the same operands."""
    if grown.subject is grown.function:
        return []
    operations = grown.siblings
    at = operations.index(grown.subject)
    added = [copied(grown.subject) for _ in range(count)]
    for number, item in enumerate(added):
        if "sym_name" in item.attributes:
            item.attributes["sym_name"] = f'"copy_{number}"'
    operations[at:at] = added
    return added


def open_sizes(grown: Template, count: int) -> None:
    """Copies of the operation on tensors whose sizes are not known."""
    for value in (*grown.body.arguments, *grown.subject.results):
        value.type = SIZES.sub("?x", value.type)
    copies(grown, count)


def unknown_names(grown: Template, count: int) -> None:
    """Copies of the operation, each of whose operands nothing defines."""
    for item in copies(grown, count):
        item.operands = [Value(value.type) for value in item.operands]


def sequence(grown: Template, count: int) -> None:
    """Each operation takes the result of the one before, where the types allow it."""
    last = grown.subject
    if last is grown.function:
        return
    operations = grown.siblings
    at = operations.index(last)
    added: list[OperationTree] = []
    for _ in range(count):
        item = copied(grown.subject)
        types = {result.type: result for result in last.results}
        item.operands = [types.get(value.type, value) for value in item.operands]
        added.append(item)
        last = item
    operations[at + 1 : at + 1] = added


def uses(grown: Template, count: int) -> None:
    """One value that one operation returns again and again."""
    ending = grown.body.operations[-1]
    value = grown.subject.results[0] if grown.subject.results else grown_argument(grown)
    if ending is not grown.subject:
        ending.operands += [value] * count


def locations(grown: Template, count: int) -> None:
    """Operations each with a place of its own."""
    for number, item in enumerate(copies(grown, count)):
        item.location = f'"place {number}"("file.py":{number}:1)'


# ---- programs


def many_names(template: Template, count: int) -> str:
    """Values with names of 200 characters."""
    grown = template.copy()
    copies(grown, count)
    return grown.text(stem="a_long_name_" * 16)


def functions(template: Template, count: int) -> str:
    """The function again and again, under other names."""
    return template.text(renamed(template, f"main_{i}") for i in range(count))


def renamed(template: Template, name: str) -> OperationTree:
    """The function under another name."""
    function = copied(template.function)
    old = function.attributes["sym_name"]
    function.attributes["sym_name"] = old.replace("main", name, 1) if "main" in old else f'"{name}"'
    return function


def call_chain(template: Template, count: int) -> str:
    """Functions each of which holds the operation and calls the next one."""
    first = template.copy()
    callees = [renamed(template, f"main_{i}") for i in range(count)]
    for callee in callees:  # public ones would stay, each with all that it calls
        is_of_vhlo = callee.name.startswith("vhlo.")
        visibility = '#vhlo.string_v1<"private">' if is_of_vhlo else '"private"'
        callee.attributes["sym_visibility"] = visibility
    for caller, callee in pairwise([first.function, *callees]):
        add_call(caller, callee)
    return first.text(callees)


def add_call(function: OperationTree, callee: OperationTree) -> None:
    """Adds a call at the end of a function."""
    body = function.regions[0][0]
    results = [Value(value.type) for value in callee.regions[0][-1].operations[-1].operands]
    symbol = f"@{callee.attributes['sym_name'].strip(chr(34))}"
    call = OperationTree("func.call", list(body.arguments), results, {"callee": symbol})
    body.operations.insert(len(body.operations) - 1, call)


def with_aliases(template: Template, count: int) -> str:
    """Operations each with an attribute that has an alias."""
    lines = [f"#a{i} = [{i} : i64]" for i in range(count)]
    grown = template.copy()
    for number, item in enumerate(copies(grown, count)):
        item.discardable["more.a"] = f"#a{number}"
    return "\n".join([*lines, grown.text()])


def with_alias_chain(template: Template, count: int) -> str:
    """Aliases each of which uses the one before, and an attribute that uses the last one."""
    lines = ["#a0 = [0 : i64]", *(f"#a{i} = [#a{i - 1}]" for i in range(1, count))]
    grown = template.copy()
    grown.subject.discardable["more.a"] = f"#a{count - 1}"
    return "\n".join([*lines, grown.text()])


def with_location_aliases(template: Template, count: int) -> str:
    """Operations each with a location that has an alias, as JAX writes them."""
    lines = [f'#loc{i} = loc("place {i}"("file.py":{i}:1))' for i in range(count)]
    grown = template.copy()
    for number, item in enumerate(copies(grown, count)):
        item.location = f"#loc{number}"
    return "\n".join([grown.text(), *lines]) + "\n"


# ---- the table


def changed(part: str, change: Change) -> Callable[[Template], Iterator[Growth]]:
    """The group of one change."""
    return lambda template: iter((growth(template, part, change),))


def built(
    part: str, build: Callable[[Template, int], str]
) -> Callable[[Template], Iterator[Growth]]:
    """The group of one way to build programs."""
    return lambda template: iter((Growth(part, partial(build, template)),))


def jump_growths(template: Template) -> Iterator[Growth]:
    """A chain of blocks, for operations that jump."""
    if template.subject.successors:
        yield growth(template, "jumps", jumps)


# The groups of parts, by what their names begin with.
GROUPS: Final[Mapping[str, Callable[[Template], Iterator[Growth]]]] = {
    "operands": operand_growths,
    "results": result_growths,
    "dimensions": rank_growths,
    "attribute ": attribute_growths,
    "region": region_growths,
    "jumps": jump_growths,
    "discardable attributes": changed("discardable attributes", discardable),
    "discardable list": changed("discardable list", discardable_list),
    "copies": changed("copies", copies),
    "open sizes": changed("open sizes", open_sizes),
    "unknown names": changed("unknown names", unknown_names),
    "sequence": changed("sequence", sequence),
    "uses": changed("uses", uses),
    "locations": changed("locations", locations),
    "long names": built("long names", lambda template, count: template.text(stem="x" * count)),
    "many names": built("many names", many_names),
    "functions": built("functions", functions),
    "call depth": built("call depth", call_chain),
    "aliases of attributes": built("aliases of attributes", with_aliases),
    "chain of aliases": built("chain of aliases", with_alias_chain),
    "aliases of locations": built("aliases of locations", with_location_aliases),
}
