"""Summarizes a program as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from stablemate.analysis.contents import BytecodeHeader, Calls, Contents, FunctionEntry, Readers
from stablemate.analysis.cost import Cost, is_sized
from stablemate.analysis.grids import CollectivesByGroup, ExpectedGrid
from stablemate.analysis.quantities import format_count, number_text, size_text
from stablemate.execution.signature import Argument, Signature
from stablemate.formats.jax_export.exported import Exported

SHOWN_GROUPS: Final = 8  # more are left out
SHOWN_PROCESSES: Final = 8  # of a group
SHOWN_FUNCTIONS: Final = 10  # the rest is counted: what a screen shows
SHOWN_OPERATIONS: Final = 20  # kinds of operations
SIGNATURE: Final = 160  # characters of a signature, or of an attribute
SCHEMA: Final = 1  # of the JSON; advances when a field changes its meaning or goes away


# ---- text


def contents_text(contents: Contents, listed: int) -> str:
    """The summary as text, with the largest constants."""
    errors = contents.errors
    validity = f"{format_count(errors, 'error')}: see stablemate check" if errors else "valid"
    calls = contents.custom_calls
    lines = [
        f"{contents.source}: {contents.format}, {size_text(contents.bytes)}, {validity}",
        *container_lines(contents.container),
        *readers_lines(contents.readers),
        f"module {contents.name or '(no name)'}",
        *(f"  {name} = {cut_text(value)}" for name, value in contents.attributes.items()),
        *(exported_lines(contents.exported) if contents.exported else []),
        *(["", contents.format] if contents.facts else []),
        *(f"  {name}: {cut_text(fact)}" for name, fact in contents.facts.items()),
        *(grid_lines(contents.grid) if contents.grid else []),
        *functions_section(contents.functions),
        *cost_lines(contents.functions),
        *operations_section(contents.operations),
        *section("custom calls", call_lines(calls), sum(call.number for call in calls)),
        *constants_section(contents, listed),
    ]
    return "\n".join(lines)


def grid_lines(expected: ExpectedGrid) -> list[str]:
    """The grid that a program is written for."""
    grid, kind = expected.grid, f", {expected.kind}" if expected.kind else ""
    size = f"{grid.num_replicas}x{grid.num_partitions}"
    return [
        f"grid {size} ({format_count(grid.num_replicas, 'replica')} of "
        f"{format_count(grid.num_partitions, 'partition')}){kind}: run --grid={size}",
        *(f"  mesh @{name} {axes_text(axes)}" for name, axes in expected.meshes.items()),
        *(f"  {meetings_text(meeting)}" for meeting in expected.meetings),
    ]


def axes_text(axes: Mapping[str, int]) -> str:
    """``"x"=2, "y"=4``."""
    return ", ".join(f'"{name}"={size}' for name, size in axes.items())


def meetings_text(meetings: CollectivesByGroup) -> str:
    """``2 all_reduce in 2 groups of 4: [0, 1, 2, 3] [4, 5, 6, 7]``."""
    name = meetings.operation.partition(".")[2]
    if not meetings.groups:
        return f"{meetings.number} {name} in groups that are not made for this grid"
    sizes = sorted({len(group) for group in meetings.groups})
    size = " or ".join(map(str, sizes))
    shown = " ".join(map(group_text, meetings.groups[:SHOWN_GROUPS]))
    more = " ..." if len(meetings.groups) > SHOWN_GROUPS else ""
    number = format_count(len(meetings.groups), "group")
    return f"{meetings.number} {name} in {number} of {size}: {shown}{more}"


def group_text(group: Sequence[int]) -> str:
    """``[0, 1, 2, 3]``; of a large group only the first and the last process."""
    if len(group) <= SHOWN_PROCESSES:
        return str(list(group))
    first = ", ".join(map(str, group[: SHOWN_PROCESSES - 2]))
    return f"[{first}, ..., {group[-1]}]"


def container_lines(container: BytecodeHeader | None) -> list[str]:
    """The producer and version of bytecode, on one line."""
    if container is None:
        return []
    producer = container.producer or "nobody"
    return [f"bytecode of version {container.bytecode_version}, written by {producer}"]


def readers_lines(readers: Readers | None) -> list[str]:
    """The oldest versions that can read the program, on one line."""
    if readers is None:
        return []
    line = f" in line {readers.line}" if readers.line else ""
    if readers.version is None:
        return [f"no portable artifact can hold it: {readers.operation}{line}: {readers.reason}"]
    because = f": {readers.operation}{line}: {readers.reason}" if readers.operation else ""
    return [f"readable as an artifact since StableHLO {readers.version}{because}"]


def exported_lines(exported: Exported) -> list[str]:
    """The calling convention of a `jax.export` container."""
    dropped = (n for i, n in enumerate(exported.argument_names) if i not in exported.kept)
    facts = {
        "function": str(exported),
        "sizes": ", ".join(exported.symbols),
        "calling convention": str(exported.calling_convention_version),
        "platforms": ", ".join(exported.platforms),
        "devices": str(exported.devices),
        "dropped arguments": ", ".join(dropped),
        "ordered effects": ", ".join(exported.ordered_effects),
        "unordered effects": ", ".join(exported.unordered_effects),
        "disabled checks": ", ".join(exported.disabled_checks),
        "gradient": "yes" if exported.vjp else "",
    }
    return ["", "jax.export", *(f"  {name}: {fact}" for name, fact in facts.items() if fact)]


def section(title: str, lines: Iterable[str], number: int | None = None) -> list[str]:
    """A title with a number and the lines below it; nothing if there are none."""
    indented = [f"  {line}" for line in lines]
    if not indented:
        return []
    return ["", f"{title} ({len(indented) if number is None else number})", *indented]


def functions_section(functions: Sequence[FunctionEntry]) -> list[str]:
    """The public functions and the first private ones."""
    ordered = list(functions)
    if len(functions) > SHOWN_FUNCTIONS:
        ordered.sort(key=lambda function: not function.is_public)
    shown = ordered[:SHOWN_FUNCTIONS]
    lines = [*map(function_text, shown), *rest_lines(ordered[SHOWN_FUNCTIONS:])]
    return section("functions", lines, len(functions))


def rest_lines(functions: Sequence[FunctionEntry]) -> list[str]:
    """How many functions are not shown."""
    if not functions:
        return []
    private = sum(not function.is_public for function in functions)
    kind = "private" if private == len(functions) else ""
    return [" ".join(filter(None, ("and", str(len(functions)), "more", kind)))]


def operations_section(operations: Mapping[str, int]) -> list[str]:
    """Lists the most frequent operations with their counts."""
    total = sum(operations.values())
    shown = dict(list(operations.items())[:SHOWN_OPERATIONS])
    lines = count_lines(shown)
    if len(operations) > len(shown):
        rest = total - sum(shown.values())
        lines.append(f"and {rest} of {len(operations) - len(shown)} other kinds")
    return section("operations", lines, total)


def function_text(function: FunctionEntry) -> str:
    """A function on one line; of a long signature the first arguments and results."""
    signature = function.signature
    argument_size = bytes_text(function.argument_bytes, signature.arguments)
    result_bytes = bytes_text(function.result_bytes, signature.results)
    visibility = "public" if function.is_public else "private"
    shown = signature_text(signature)
    return f"{visibility} {shown}, {argument_size} in, {result_bytes} out"


def signature_text(signature: Signature) -> str:
    """A signature as a program writes it, cut where it is long."""
    whole = str(signature)
    if len(whole) <= SIGNATURE:
        return whole
    arguments = cut_list([str(argument) for argument in signature.arguments], "arguments")
    results = cut_list([str(result.type) for result in signature.results], "results")
    return f"{signature.name}({arguments}) -> ({results})"


def cut_list(items: Sequence[str], noun: str) -> str:
    """The first items of a list, and how many there are of them."""
    shown: list[str] = []
    for item in items:
        if shown and sum(map(len, shown)) + len(item) > SIGNATURE // 3:
            break
        shown.append(cut_text(item))
    if len(shown) == len(items):
        return ", ".join(items)
    return f"{', '.join(shown)}, ... {len(items)} {noun}"


def cut_text(text: str) -> str:
    """A text, cut where it is longer than a line."""
    return text if len(text) <= SIGNATURE else f"{text[: SIGNATURE - 3]}..."


def bytes_text(sized_bytes: int, values: Sequence[Argument]) -> str:
    """The bytes of values, some of whose sizes may be unknown."""
    if all(is_sized(value.type) for value in values):
        return size_text(sized_bytes)
    return f"{size_text(sized_bytes)} and unknown sizes" if sized_bytes else "unknown sizes"


def cost_lines(functions: Sequence[FunctionEntry]) -> list[str]:
    """The cost of a call of each public function, by the formulas of its operations."""
    lines = [
        line
        for function in functions
        if function.is_public and function.cost
        for line in cost_text(function.signature.name, function.cost)
    ]
    return ["", "estimated cost of a call", *lines] if lines else []


def cost_text(name: str, cost: Cost) -> Iterator[str]:
    """The cost of a call of a function, and what is not counted."""
    parts = [number_text(cost.flops, "flop")]
    if cost.transcendentals:
        parts.append(f"{number_text(cost.transcendentals)} transcendental")
    parts.append(f"{size_text(cost.bytes)} read and written")
    yield f"  {name}: {', '.join(parts)}"
    for left_out, why in (
        (cost.unsized, "not counted, sizes known only at run time"),
        (cost.opaque, "not counted, no formula"),
    ):
        if left_out:
            yield f"    {why}: {', '.join(f'{n} {cause}' for cause, n in left_out.items())}"
    if cost.open_loops:
        yield f"    counted as one iteration, the number is open: {cost.open_loops} stablehlo.while"


def count_lines(counted: Mapping[str, int]) -> list[str]:
    """Formats counts and names in two aligned columns."""
    width = max((len(str(number)) for number in counted.values()), default=0)
    return [f"{number:>{width}}  {name}" for name, number in counted.items()]


def call_lines(calls: Sequence[Calls]) -> list[str]:
    """Formats the counts and targets of custom calls."""
    return count_lines(
        {f"{call.target}, API version {call.api_version}": call.number for call in calls}
    )


def constants_section(contents: Contents, listed: int) -> list[str]:
    """Lists the largest constants with their sizes and types."""
    constants = contents.constants
    if not constants:
        return []
    shown = constants[:listed]
    width = max((len(size_text(constant.bytes)) for constant in shown), default=0)
    lines = [
        f"  {size_text(constant.bytes):>{width}}  {constant.type}"
        + (f", line {constant.line}" if constant.line else "")
        for constant in shown
    ]
    if len(constants) > len(shown):
        lines.append(f"  and {len(constants) - len(shown)} more")
    return ["", f"constants ({len(constants)}, {size_text(contents.constant_bytes)})", *lines]


# ---- JSON


def contents_json(contents: Contents, listed: int) -> dict[str, object]:
    """The summary as an object, with the largest constants; unknown values are null."""
    container, exported = contents.container, contents.exported
    return {
        "schema": SCHEMA,
        "file": contents.source,
        "format": contents.format,
        "bytes": contents.bytes,
        "errors": contents.errors,
        "bytecode_version": container.bytecode_version if container else None,
        "producer": container.producer if container else None,
        "stablehlo_version": container.stablehlo_version if container else None,
        "minimum_version": readers_json(contents.readers) if contents.readers else None,
        "name": contents.name,
        "attributes": dict(contents.attributes),
        "exported": exported_json(exported) if exported else None,
        "facts": dict(contents.facts),
        "grid": grid_json(contents.grid) if contents.grid else None,
        "functions": [function_json(function) for function in contents.functions],
        "operations": dict(contents.operations),
        "custom_calls": [
            {
                "target": custom_call.target,
                "api_version": custom_call.api_version,
                "number": custom_call.number,
            }
            for custom_call in contents.custom_calls
        ],
        "constants": {
            "number": len(contents.constants),
            "bytes": contents.constant_bytes,
            "largest": [
                {"type": constant.type, "bytes": constant.bytes, "line": constant.line}
                for constant in contents.constants[:listed]
            ],
        },
    }


def grid_json(expected: ExpectedGrid) -> dict[str, object]:
    """The grid that a program is written for, as an object."""
    return {
        "replicas": expected.grid.num_replicas,
        "partitions": expected.grid.num_partitions,
        "kind": expected.kind or None,
        "meshes": {name: dict(axes) for name, axes in expected.meshes.items()},
        "collectives": [
            {
                "operation": meeting.operation,
                "number": meeting.number,
                "groups": [list(group) for group in meeting.groups],
            }
            for meeting in expected.meetings
        ],
    }


def readers_json(readers: Readers) -> dict[str, object]:
    """The oldest readers as an object; the version is null if there are none."""
    return {
        "version": readers.version,
        "operation": readers.operation or None,
        "line": readers.line,
        "reason": readers.reason or None,
    }


def exported_json(exported: Exported) -> dict[str, object]:
    """The calling convention of a `jax.export` container, as an object."""
    leaves = zip(exported.argument_names, exported.in_values, strict=True)
    results = zip(exported.result_names, exported.out_values, strict=True)
    return {
        "function": exported.function_name,
        "arguments": [
            {"name": name, "type": str(value), "used": i in exported.kept}
            for i, (name, value) in enumerate(leaves)
        ],
        "results": [{"name": name, "type": str(value)} for name, value in results],
        "sizes": exported.symbols,
        "calling_convention": exported.calling_convention_version,
        "platforms": list(exported.platforms),
        "devices": exported.devices,
        "ordered_effects": list(exported.ordered_effects),
        "unordered_effects": list(exported.unordered_effects),
        "disabled_checks": list(exported.disabled_checks),
        "gradient": exported.vjp is not None,
    }


def function_json(function: FunctionEntry) -> dict[str, object]:
    """A function as an object."""
    signature = function.signature
    return {
        "name": function.name,
        "public": function.is_public,
        "arguments": [argument_json(argument) for argument in signature.arguments],
        "results": [argument_json(result) for result in signature.results],
        "unknown_sizes": not all(
            is_sized(argument.type) for argument in (*signature.arguments, *signature.results)
        ),
        "argument_bytes": function.argument_bytes,
        "result_bytes": function.result_bytes,
        "cost": cost_json(function.cost) if function.cost else None,
    }


def argument_json(argument: Argument) -> dict[str, object]:
    """An argument or result as an object."""
    attributes = {name: str(value) for name, value in argument.attributes.items()}
    return {"name": argument.name, "type": str(argument.type), "attributes": attributes}


def cost_json(cost: Cost) -> dict[str, object]:
    """The cost of a call, as an object."""
    return {
        "flops": cost.flops,
        "transcendentals": cost.transcendentals,
        "bytes": cost.bytes,
        "not_counted": {"unknown_size": dict(cost.unsized), "no_formula": dict(cost.opaque)},
        "loops_counted_once": cost.open_loops,
    }
