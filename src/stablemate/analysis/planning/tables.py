"""The cost of a program as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from stablemate.analysis.cost import Cost
from stablemate.analysis.planning.algorithms import Traffic
from stablemate.analysis.planning.buffers import Peak, PlannedBuffer
from stablemate.analysis.planning.choice import AlgorithmCost
from stablemate.analysis.planning.collectives import CollectiveCost
from stablemate.analysis.planning.figures import CallCost, OperationCost
from stablemate.analysis.planning.symbolic_cost import CostFormulas, SymbolicSizes
from stablemate.analysis.quantities import number_text, size_text, time_text
from stablemate.analysis.tables import TextTable

UNSIZED: Final = "sizes known only at run time"
EXAMPLE_SIZE: Final = 128  # of sizes in a command that is proposed; any number would do
OURS: Final = "*"  # marks an algorithm
ORDERS: Final = {
    "program": "peak memory, operation by operation",
    "plan": "peak memory of the compiled program",
}


def tables_of(cost: CallCost, *, listed: int = 10, all_algorithms: bool = False) -> list[TextTable]:
    """The tables.

    Args:
        cost: What a program costs.
        listed: How many operations and buffers are listed.
        all_algorithms: Whether every algorithm of a collective operation is listed.
    """
    if cost.formulas is not None:
        return [formulas_table(cost, cost.formulas)]
    tables = [
        functions_table(cost, listed),
        operations_table(cost, listed),
        peak_table(cost.peak, listed),
    ]
    if isinstance(cost.plan, Peak):
        tables.append(peak_table(cost.plan, listed))
    else:
        note = f"not computed: {cost.plan.message}"
        tables.append(TextTable(ORDERS["plan"], notes=[note]))
    if cost.collectives:
        tables.append(collectives_table(cost, listed, all_algorithms=all_algorithms))
    if cost.times is not None:
        tables.append(times_table(cost))
    return tables


def functions_table(cost: CallCost, listed: int) -> TextTable:
    """The cost of a call of each function: the entry first, then by memory traffic."""
    others = sorted((function for function in cost.functions if function != cost.entry),
                    key=lambda name: -cost.functions[name].bytes)  # fmt: skip
    names = [cost.entry, *others[: max(listed - 1, 0)]]
    rows = [(*work_cells(cost.functions[name]), name) for name in names]
    notes = [note for name in names for note in open_notes(name, cost.functions[name])]
    if cost.sizes is not None:
        notes.append(f"{sizes_option(cost.sizes, {})} counts what depends on sizes of arguments")
    columns = ("FLOP", "transcendental", "read and written", "function ")
    number = f", {len(names)} of {len(others) + 1}" if len(names) <= len(others) else ""
    return TextTable(f"a call of each function{number}", columns, rows, notes)


def formulas_table(cost: CallCost, formulas: CostFormulas) -> TextTable:
    """The cost of a call, as formulas in unknown sizes."""
    numbers = (formulas.flops, formulas.transcendentals, formulas.bytes)
    names = formulas.flops.names
    notes = [f"{name} is {' and '.join(formulas.sizes.places(name))}" for name in names]
    if formulas.multiple > 1:
        notes.append(f"for sizes that are multiples of {formulas.multiple}")
    notes += open_notes(cost.entry, formulas.rest)
    example = sizes_option(formulas.sizes, formulas.known)
    notes.append(f"{example} estimates operations, memory and time for these sizes")
    columns = ("FLOP", "transcendental", "bytes read and written", "function ")
    row = (*map(str, numbers), cost.entry)
    return TextTable("a call, by the sizes of arguments", columns, [row], notes)


def sizes_option(sizes: SymbolicSizes, known: Mapping[str, int]) -> str:
    """An example of the option that gives all sizes."""
    return "--sizes=" + ",".join(f"{n}={known.get(n, EXAMPLE_SIZE)}" for n in sizes.names)


def work_cells(cost: Cost) -> tuple[str, str, str]:
    """Formats the cells for floating-point operations, transcendental functions and bytes."""
    return number_text(cost.flops), number_text(cost.transcendentals), size_text(cost.bytes)


def open_notes(name: str, cost: Cost) -> Iterator[str]:
    """The operations of a function that are not counted, with the reasons."""
    for counted, why in (
        (cost.unsized, UNSIZED),
        (cost.opaque, "no formula"),
    ):
        if counted:
            what = ", ".join(f"{n} {noun}" for noun, n in counted.items())
            yield f"{name}: not counted, {why}: {what}"
    if cost.open_loops:
        loops = f"{cost.open_loops} stablehlo.while"
        yield f"{name}: per iteration, because their number is not known: {loops}"


def operations_table(cost: CallCost, listed: int) -> TextTable:
    """The operations that take most."""
    shown = cost.operations[:listed]
    timed = cost.machine is not None
    columns = (*(("at least",) if timed else ()), "count", "FLOP", "transcendental")
    rows = [
        (
            *((time_text(row.seconds) if row.seconds else "",) if timed else ()),
            f"{row.executions}{' each' if row.open else ''}",
            *work_cells(row.cost),
            place_text(row.name, row.line, row.file),
            row.type,
        )
        for row in shown
    ]
    title = f"operations of {cost.entry}, {len(shown)} of {len(cost.operations)}"
    notes = list(rest_notes(cost.operations[listed:]))
    return TextTable(title, (*columns, "read and written", "operation ", "result "), rows, notes)


def rest_notes(rest: Sequence[OperationCost]) -> Iterator[str]:
    """The totals of the rows that are not listed, on one line."""
    if rest:
        total = sum((row.cost for row in rest), Cost())
        flops, size = number_text(total.flops, "FLOP"), size_text(total.bytes)
        yield f"and {len(rest)} more: {flops}, {size} read and written"


def place_text(name: str, line: int | None, file: str = "") -> str:
    """An operation with its line, or with the place where the producer has it."""
    return f"{name} {file}".rstrip() if line is None else f"{name}:{line}"


def made_text(source: PlannedBuffer | CollectiveCost) -> str:
    """The operation that defines a buffer, or a collective operation, with its place."""
    return place_text(source.operation, source.line, source.file)


def peak_table(peak: Peak, listed: int) -> TextTable:
    """The buffers at the peak."""
    rows = [
        (
            size_text(buffer.bytes),
            buffer.name,
            buffer.type,
            made_text(buffer),
        )
        for buffer in peak.buffers[:listed]
    ]
    at = f", at {place_text(peak.operation, peak.line)}" if peak.operation else ""
    title = f"{ORDERS[peak.order]}: {size_text(peak.bytes)}{at}"
    return TextTable(
        title, ("bytes", "name ", "type ", "made by "), rows, list(peak_notes(peak, listed))
    )


def peak_notes(peak: Peak, listed: int) -> Iterator[str]:
    """The lines below a table: rows that are not listed, and losses."""
    rest = peak.buffers[listed:]
    if rest:
        yield f"and {len(rest)} more: {size_text(sum(row.bytes for row in rest))}"
    if peak.arena is not None:
        yield f"in it an arena of {size_text(peak.arena)}"
    if peak.unsized:
        yield f"without {peak.unsized} values whose size is known only at run time"


def collectives_table(cost: CallCost, listed: int, *, all_algorithms: bool) -> TextTable:
    """The collective operations, those that take longest first."""
    grid = f"{cost.grid.num_replicas}x{cost.grid.num_partitions}"
    network = f", {','.join(map(str, cost.network.levels))}" if cost.network else ""
    title = f"collective operations on a grid of {grid}{network}"
    ordered = sorted(
        cost.collectives,
        key=lambda collective: (-collective.seconds, -collective.bytes * collective.executions),
    )
    shown, rest = ordered[:listed], ordered[listed:]
    notes = [f"and {len(rest)} more: {time_text(sum(x.seconds for x in rest))}"] if rest else []
    if cost.network is None:
        payloads = [(*payload_cells(collective), made_text(collective)) for collective in shown]
        notes = [*notes, "--network=LATENCY:BANDWIDTH adds their times"]
        return TextTable(title, ("count", "size", "groups", "operation "), payloads, notes)
    columns = (
        "total", "count", "each", "size", "groups", "rounds", "sent", "messages", "algorithm ",
        "operation ",
    )  # fmt: skip
    rows: list[tuple[str, ...]] = []
    for shown_collective in shown:
        no_algorithm = (AlgorithmCost("", Traffic(), 0.0),)  # every process for itself
        estimate = (shown_collective.estimates or no_algorithm)[: None if all_algorithms else 1]
        rows += [
            collective_cells(shown_collective, x, first=i == 0) for i, x in enumerate(estimate)
        ]
    notes.append("rounds, sent: of the process that is busiest; messages: of all in a group")
    if any(row[-2].endswith(OURS) for row in rows):
        notes.append(f"{OURS} is the algorithm that stablemate's MPI ranks use")
    if not all_algorithms:
        notes.append("--algorithms lists the others")
    return TextTable(title, columns, rows, notes)


def payload_cells(collective: CollectiveCost) -> tuple[str, str, str]:
    """How often it runs, what it moves, between whom."""
    groups = " + ".join(f"{n} x {size}" for size, n in collective.groups.items())
    suffix = " each" if collective.open else ""
    return f"{collective.executions}{suffix}", size_text(collective.bytes), groups


def collective_cells(
    collective: CollectiveCost, estimate: AlgorithmCost, *, first: bool
) -> tuple[str, ...]:
    """An algorithm of a collective operation."""
    executions, size, groups = payload_cells(collective)
    cells = (
        time_text(estimate.seconds * collective.executions),
        executions if first else "",
        time_text(estimate.seconds),
        size if first else "",
        groups if first else "",
        str(estimate.traffic.rounds),
        size_text(round(estimate.traffic.bytes)),
        number_text(estimate.traffic.messages),
        estimate.algorithm + f" {OURS}" * (estimate.algorithm == collective.carried),
    )
    asynchronous = ", overlapped" if collective.overlapped else ""
    place = made_text(collective)
    return (*cells, f"{place}{asynchronous}" if first else "")


def times_table(cost: CallCost) -> TextTable:
    """How long a call takes."""
    times, machine = cost.times, cost.machine
    assert times is not None, "asked by the caller"
    assert machine is not None, "asked by the caller"
    parts = [f"{time_text(times.compute)} computing"]
    if cost.collectives:
        parts.append(f"{time_text(times.network)} on the network")
    if any(collective.overlapped for collective in cost.collectives):
        parts.append(f"{time_text(times.overlapped)} of it at the same time")
    arithmetic = time_text(cost.cost.flops / machine.flops_per_second)
    flops, size = machine.flops_per_second / 1e9, machine.bytes_per_second / 1e9
    notes = [
        ", ".join(parts),
        f"with {flops:.4g} GFLOP/s and {size:.4g} GB/s for each process, without fusion",
        f"arithmetic alone takes {arithmetic}; fused operations move fewer bytes",
    ]
    return TextTable(f"a call of {cost.entry} takes {time_text(times.seconds)}", notes=notes)
