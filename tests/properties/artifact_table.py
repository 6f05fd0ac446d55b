"""Writes docs/artifacts.md: bytes of portable artifacts by operation, beside upstream's.

    python -m tests.properties.artifact_table [--programs 4] [--minutes 5 --state FILE]

For each operation, some programs of ``tests/ops`` that hold it are written for every version that
the oracle knows, by both serializers, and compared. What an artifact holds, upstream's printer
says: each program counts for all operations, types and attributes of VHLO in it. One artifact of
each program, of another version each time, is read by both, and the texts are compared.
"""

from __future__ import annotations

import argparse
import pickle
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

import stablemate as sm
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.vhlo.dialect import REVISIONS
from stablemate.dialects.vhlo.versions import Version
from stablemate.formats.mlir.dialects import vhlo_attributes, vhlo_types
from tests.oracle.client import Oracle, OracleError
from tests.properties.artifact_bytes import NEWEST, VERSIONS, first_difference
from tests.properties.parity.comparison import NEWER
from tests.properties.parity.specimens import specimens

PAGE: Final = Path(__file__).parents[2] / "docs" / "artifacts.md"
CANDIDATES: Final = 40  # programs of an operation among which those to write are chosen
DIALECTS: Final = ("stablehlo", "func")
OPERATION: Final = re.compile(r'"vhlo\.\w+_v\d+"')
PART: Final = re.compile(r"[!#]vhlo(?:\.|<)\w+_v\d+")
ELEMENT_TYPES: Final = (
    *("i1", "i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64"),
    *("index", "bf16", "f16", "f32", "f64", "tf32", "f8E3M4", "f8E4M3", "f8E4M3FN", "f8E5M2"),
    *("f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN"),
    *("f6E3M2FN", "complex<f32>", "!quant.uniform<i8:f32, 0.5:1>"),
    "!quant.uniform<u8:f32:0, {0.5:1, 0.25:2}>",
)
OTHER_TYPES: Final = (
    *("!stablehlo.token", "!shape.witness", "none", "tuple<tensor<f32>, tuple<>>", "tensor<*xf32>"),
    *(
        "tensor<?x2xf32, #stablehlo.bounds<4, ?>>",
        "memref<2xf32>",
        "!stablehlo.future<tensor<f32>>",
    ),
)
VALUES: Final = (
    *("true", "1 : i8", "1.5 : f32", '"a"', "[1 : i32, 2.0 : f64]", "{a = 1 : i8, b = true}"),
    *("i32", "dense<[1, 2]> : tensor<2xi32>", "tensor<2xf32>", "(i32) -> f32"),
)
GROUPS: Final = """func.func @f(%a: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups =
    #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [<name = "x", size = 4>]>,
    axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}>
    : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
# Attributes that operations hold, by what their text begins with.
OF_OPERATIONS: Final = (
    *("#stablehlo.output_operand_alias", "#stablehlo.mesh<", "(1)2", "#stablehlo.result_accuracy"),
    *("mesh = @", "#stablehlo.replica_group_mesh_axes"),
)
# Operations that an artifact cannot hold, or upstream does not know.
EXCEPTIONS: Final = {
    "stablehlo.collective_reduce": "newer than jaxlib 0.10.2",
    "func.call_indirect": "VHLO has no such operation",
    "func.constant": "VHLO has no such operation",
}


@dataclass
class Row:
    """What was compared of one operation, type or attribute.

    Attributes:
        programs: The programs that hold it.
        outcomes: Artifacts by outcome.
        versions: The versions for which both wrote one.
        revisions: Its revisions in them.
    """

    programs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])
    versions: set[str] = field(default_factory=set[str])
    revisions: set[int] = field(default_factory=set[int])

    def note(self, version: str, outcome: str, revisions: Iterable[int]) -> None:
        """Counts one artifact."""
        self.outcomes[outcome] += 1
        if outcome in ("equal", "differ"):
            self.versions.add(version)
            self.revisions.update(revisions)

    def cells(self) -> list[str]:
        """The cells of its row."""
        both = self.outcomes["equal"] + self.outcomes["differ"]
        return [
            *map(str, (self.programs, self.outcomes.total(), both)),
            *(str(self.outcomes[name]) for name in OUTCOMES),
            span_of(self.versions),
        ]


OUTCOMES: Final = ("equal", "differ", "only here", "only upstream", "neither")
WRONG: Final = ("differ", "only here", "only upstream")


def span_of(versions: set[str]) -> str:
    """The versions as a range, or as ranges."""
    ranges: list[list[str]] = []
    for index, version in enumerate(VERSIONS):
        if version not in versions:
            continue
        if ranges and VERSIONS[index - 1] == ranges[-1][-1]:
            ranges[-1].append(version)
        else:
            ranges.append([version])
    return ", ".join(f"{r[0]} to {r[-1]}" if len(r) > 1 else r[0] for r in ranges)


@cache
def texts_of(name: str) -> tuple[str, ...]:
    """Valid programs with an operation, those for the oldest versions first."""
    found: dict[str, Version] = {}
    for specimen in specimens().get(name, ()):
        text = specimen.text()
        try:
            module = sm.load(text)
            module.verify()
            version = Version(*map(int, module.minimum_version().split(".")))
        except sm.StablemateError:
            continue
        if not NEWER.search(text):
            found[module.to_text(generic=True, debug_info=True)] = version
        if len(found) == CANDIDATES:
            break
    return tuple(sorted(found, key=lambda text: found[text]))


def programs(count: int) -> Iterator[str]:
    """The programs: so many of each operation of StableHLO, and one for each type and attribute."""
    for name in OPERATIONS:
        if name.startswith("stablehlo."):
            texts = texts_of(name)
            yield from texts[:: max(1, -(-len(texts) // count))]
            for attribute in OF_OPERATIONS:
                yield from [text for text in texts if attribute in text][:1]
    yield from map(exact_text, written_programs())


def exact_text(text: str) -> str:
    """The generic text of a program with its locations, so that both read the same ones."""
    return sm.load(text).to_text(generic=True, debug_info=True)


def written_programs() -> Iterator[str]:
    """Functions with each type, with each value as an attribute, and with a call."""
    for element in ELEMENT_TYPES:
        yield f"func.func @f(%a: tensor<2x{element}>) {{\n  return\n}}\n"
    for other in OTHER_TYPES:
        yield f"func.func @f(%a: {other}) {{\n  return\n}}\n"
    for value in VALUES:
        yield f"func.func @f() attributes {{k.v = {value}}} {{\n  return\n}}\n"
    yield GROUPS
    yield (
        "func.func private @g(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  return %a : tensor<2xf32>\n}\nfunc.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}\n"
    )


class Table:
    """Compares artifacts, and counts them by what they hold.

    Attributes:
        oracle: Upstream's serializer, printer and reader.
        rows: What was compared, by name.
        total: What was compared at all.
        read: How often each outcome of reading occurred.
        differences: Descriptions of what differs.
        number: How many programs were compared.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.rows: dict[str, Row] = {}
        self.total = Row()
        self.read: Counter[str] = Counter()
        self.differences: list[str] = []
        self.number = 0

    def store(self, path: Path) -> None:
        """Writes what was compared so far."""
        state = self.rows, self.total, self.read, self.differences, self.number
        path.write_bytes(pickle.dumps(state))

    def restore(self, path: Path) -> None:
        """Reads what another run compared."""
        state = pickle.loads(path.read_bytes())
        self.rows, self.total, self.read, self.differences, self.number = state

    def compare(self, text: str) -> None:
        """Compares the artifacts of one program for all versions."""
        try:
            theirs = self.oracle.artifacts(text, VERSIONS, False)
        except OracleError:
            return
        ours = [artifact_of(text, version) for version in VERSIONS]
        held = [self.parts_of(item) for item in theirs]
        named = operations_in(text)
        whole = named.union(*(named_parts(parts) for parts in held))
        self.total.programs += 1
        for name in whole:
            self.row(name).programs += 1
        for version, parts, mine, other in zip(VERSIONS, held, ours, theirs, strict=True):
            outcome = outcome_of(mine, other)
            self.total.note(version, outcome, ())
            for name in named | named_parts(parts) if parts else whole:
                self.row(name).note(version, outcome, revisions_in(parts, name))
            if outcome in WRONG:
                where = f"{outcome} ({version}): {described(mine, other)}"
                self.differences.append(f"{where}\n{text}")
        self.compare_reading([item for item in ours if isinstance(item, bytes)])

    def parts_of(self, artifact: bytes | str) -> frozenset[str]:
        """What an artifact holds, by upstream's printer."""
        if isinstance(artifact, str):
            return frozenset()
        text = self.oracle.print(artifact, generic=True)
        return frozenset(PART.findall(text)) | frozenset(OPERATION.findall(text))

    def row(self, name: str) -> Row:
        """The row of an operation, a type or an attribute."""
        return self.rows.setdefault(name, Row())

    def compare_reading(self, artifacts: Sequence[bytes]) -> None:
        """Reads one of our artifacts of a program with both readers, and compares the texts."""
        if not artifacts:
            return
        artifact = artifacts[self.number * 7 % len(artifacts)]
        theirs = self.oracle.read_bytes(artifact)
        is_equal = sm.load(artifact).to_text() == theirs
        self.read["equal" if is_equal else "differ"] += 1
        if not is_equal:
            self.differences.append(f"read otherwise:\n{sm.load(artifact).to_text()}\n{theirs}")


def artifact_of(text: str, version: str) -> bytes | str:
    """Our artifact, or why there is none."""
    try:
        return sm.load(text).to_artifact(version)
    except UnsupportedError as error:
        return str(error)


def outcome_of(ours: bytes | str, theirs: bytes | str) -> str:
    """How two artifacts compare."""
    if isinstance(ours, bytes) and isinstance(theirs, bytes):
        return "equal" if ours == theirs else "differ"
    if isinstance(ours, bytes):
        return "only here"
    return "only upstream" if isinstance(theirs, bytes) else "neither"


def described(ours: bytes | str, theirs: bytes | str) -> str:
    """Where two artifacts differ, or why one is missing."""
    if isinstance(ours, bytes) and isinstance(theirs, bytes):
        return first_difference(ours, theirs)
    return str(theirs if isinstance(ours, bytes) else ours).partition("\n")[0]


def named_parts(parts: Iterable[str]) -> frozenset[str]:
    """The types and attributes among the parts of an artifact."""
    return frozenset(part for part in parts if not part.startswith('"'))


@cache
def operations_in(text: str) -> frozenset[str]:
    """The operations of StableHLO and of functions in a program."""
    names = {operation.name for operation in sm.load(text).operation.walk()}
    return frozenset(name for name in names if name.partition(".")[0] in DIALECTS)


def revisions_in(parts: Iterable[str], name: str) -> list[int]:
    """The revisions of an operation in an artifact."""
    start = f'"vhlo.{name.partition(".")[2]}_v'
    return [int(part[len(start) : -1]) for part in parts if part.startswith(start)]


def operations() -> list[str]:
    """The operations of StableHLO and of functions."""
    return [name for name in OPERATIONS if name.partition(".")[0] in DIALECTS]


def types_and_attributes() -> list[str]:
    """The types and attributes of VHLO, without members of enumerations."""
    enumerations = [f"#vhlo<{mnemonic}" for mnemonic in vhlo_attributes.ENUMERATIONS]
    return [*vhlo_types.TYPES, *(n for n in vhlo_attributes.ATTRIBUTES if "." in n), *enumerations]


def expected_versions(name: str) -> set[str]:
    """The versions that have an operation."""
    since = REVISIONS[name.partition(".")[2]][0].revision.since
    return {version for version in VERSIONS if Version(*map(int, version.split("."))) >= since}


# ---- the page

HEAD: Final = """# Artifacts by operation

Portable artifacts that both serializers write of one program, for each version that jaxlib 0.10.2
knows: {versions}. `python -m tests.properties.artifact_table` writes this
page; a test keeps it complete. The programs are examples and valid parts of rejected programs of
`tests/ops`, at most {count} of each operation, and functions with each type and attribute. A
program counts in the row of everything that it holds; types and attributes are what upstream's
printer shows of the artifact.

| {columns} |
|---|---|---|---|---|---|---|---|
| {totals} |

Of each program one artifact, of changing versions, was read by both, and the texts compared:
{equal} are equal, {differ} differ.

Neither writes an artifact for a version that lacks an operation, a type or an attribute of the
program. Operations of other dialects stand in artifacts only if they are `mixed`;
[Formats](formats.md) lists what was compared of them.
"""
COUNTS: Final = (
    "programs | artifacts | written by both | equal | differ | only here | only upstream"
    " | neither writes"
)
COLUMNS: Final = f"{COUNTS} | versions"


def page(table: Table, count: int) -> str:
    """The text of the page."""
    total = table.total
    both = total.outcomes["equal"] + total.outcomes["differ"]
    sizes = [total.programs, total.outcomes.total(), both]
    cells = [*map(str, sizes), *(str(total.outcomes[name]) for name in OUTCOMES)]
    lines = [
        HEAD.format(
            versions=f"{VERSIONS[0]} to {NEWEST}, {len(VERSIONS)} of them",
            count=count,
            columns=COUNTS,
            totals=" | ".join(cells),
            equal=table.read["equal"],
            differ=table.read["differ"],
        )
    ]
    lines += ["## Operations", "", f"| operation | revisions | {COLUMNS} |", f"|{'---|' * 11}"]
    lines += [operation_line(table, name) for name in operations()]
    lines += ["", "## Types and attributes of VHLO", ""]
    lines += [f"| type or attribute | {COLUMNS} |", f"|{'---|' * 10}"]
    for name in types_and_attributes():
        row = table.rows.get(name, Row())
        lines.append(f"| `{shown(name)}` | {' | '.join(row.cells())} |")
    return "\n".join(lines) + "\n"


def operation_line(table: Table, name: str) -> str:
    """The line of an operation."""
    row = table.rows.get(name, Row())
    if name in EXCEPTIONS:
        return f"| `{name}` |  | {' | '.join([*row.cells()[:-1], EXCEPTIONS[name]])} |"
    revisions = ", ".join(f"v{revision}" for revision in sorted(row.revisions))
    return f"| `{name}` | {revisions} | {' | '.join(row.cells())} |"


def shown(name: str) -> str:
    """The name of a type or an attribute, with the brackets of an enumeration closed."""
    return f"{name}>" if "<" in name else name


def missing(table: Table) -> Iterator[str]:
    """Operations, types and attributes without an artifact of both in a version that has them."""
    for name in operations():
        if name not in EXCEPTIONS:
            lacking = expected_versions(name) - table.rows.get(name, Row()).versions
            if lacking:
                yield f"{name}: {span_of(lacking)}"
    yield from (n for n in types_and_attributes() if not table.rows.get(n, Row()).versions)


def main() -> int:
    """Compares, and writes the page when all programs are compared."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.artifact_table")
    parser.add_argument("--programs", type=int, default=4, help="programs of each operation")
    parser.add_argument("--minutes", type=float, default=600.0, help="the most time to take")
    parser.add_argument("--state", type=Path, help="where to go on in another run")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    texts = [*dict.fromkeys(programs(arguments.programs))]
    with Oracle() as oracle:
        table = Table(oracle)
        if arguments.state is not None and arguments.state.exists():
            table.restore(arguments.state)
        while table.number < len(texts) and time.monotonic() < end:
            table.compare(texts[table.number])
            table.number += 1
    if table.number < len(texts) and arguments.state is not None:
        table.store(arguments.state)
        print(f"{table.number} of {len(texts)} programs", file=sys.stderr)
        return 0
    PAGE.write_text(page(table, arguments.programs))
    print(*table.differences[:20], sep="\n\n")
    print(*missing(table), sep="\n", file=sys.stderr)
    return 1 if table.differences else 0


if __name__ == "__main__":
    sys.exit(main())
