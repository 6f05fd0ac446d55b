"""Writes docs/conformance.md: every operation with its types, rules, tests and how it is computed.

    python -m tools.conformance [--check]

It is made from the operations' classes, the files of ``tests/ops``, ``docs/spec_labels.json`` (see
``tools/spec_labels.py``), and what ``docs/conformance.toml`` says in words.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.core import Operation
from stablemate.ir.definition import definition_of
from stablemate.ir.kinds import TypeConstraint
from stablemate.ir.types import TOKEN, FutureType, MemRefType, TensorType, TupleType, Type
from stablemate.numerics.elements import (
    BOOLEAN,
    COMPLEX64,
    F32,
    I8,
    I32,
    INDEX,
    UI32,
    ElementType,
    QuantizedType,
)
from tools.coverage import (
    Section,
    checks,
    checks_of,
    holes,
    in_order,
    is_computed_by,
    sections,
    test_files,
    unnumbered,
)
from tools.spec_labels import ROOT, number

PAGE: Final = ROOT / "docs" / "conformance.md"
WORDS: Final = ROOT / "docs" / "conformance.toml"

PER_TENSOR: Final = QuantizedType(I8, F32, (1.0,), (0,), -128, 127)
PER_AXIS: Final = QuantizedType(I8, F32, (1.0, 1.0), (0, 0), -128, 127, 0)
ELEMENTS: Final[dict[str, ElementType]] = {
    "b": BOOLEAN,
    "i": I32,
    "u": UI32,
    "f": F32,
    "c": COMPLEX64,
    "q": PER_TENSOR,
    "a": PER_AXIS,
    "x": INDEX,
}
SHAPES: Final = ((), (2,), (2, 2))
OTHERS: Final[dict[str, Type]] = {
    "token": TOKEN,
    "tuple": TupleType((TensorType((2,), F32),)),
    "buffer": MemRefType((2,), F32),
    "future": FutureType((TensorType((2,), F32),)),
}

HEAD: Final = """\
# Conformance

Which rules of the StableHLO specification are checked, which tests show this, and where the
outcome differs from other implementations. `python -m tools.conformance` writes this page; a test
keeps it up to date.

The specification numbers inputs (I1, ...) and constraints (C1, ...) of {operations} operations
and {others} other subjects: {labels} labels. Each is checked, and a test that names the label rejects
a program that violates it, except for the {exceptions} labels below. [Choices](choices.md) covers
what the specification leaves open.

## Operations of StableHLO

*Types* are the possible element types of operands, and of results where they differ:
**b**oolean, **i**nteger and **u**nsigned, **f**loat, **c**omplex, **q**uantized per tensor,
quantized per **a**xis, inde**x**; tokens, tuples, buffers and futures by name. *Rules* are the
labels that the verifier checks, then the rules without a number. Operations without a section in
the specification have numbers of stablemate's own. *Tests* are examples with expected values, and
programs that are rejected. *Values* shows how results are computed: by `evaluate` (the formula in
NumPy), by a `request` that the executor answers (collectives, communication), by a `call` of
another function, by `decomposition` into other operations, or not at all (`structure`).

"""


def page() -> str:
    """The whole page."""
    words = tomllib.loads(WORDS.read_text())
    sections_read = sections()
    of_operations = [item for item in sections_read.values() if item.subject in OPERATIONS]
    head = HEAD.format(
        operations=len(of_operations),
        others=len(sections_read) - len(of_operations),
        labels=sum(len(item.labels) for item in sections_read.values()),
        exceptions=len(words["exception"]),
    )
    parts = [
        head + operations_of("stablehlo"),
        subjects(item for item in sections_read.values() if item.subject not in OPERATIONS),
        other_dialects(),
        exceptions(words["exception"]),
        undefined(sections_read.values()),
        *differences(words),
    ]
    return "\n".join(parts)


# ---- tables


def table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def operations_of(dialect: str) -> str:
    """The operations of one dialect."""
    names = sorted(name for name in OPERATIONS if name.partition(".")[0] == dialect)
    head = ("Operation", "Types", "Rules", "Tests", "Values")
    return table(head, (operation_row(OPERATIONS[name]) for name in names))


def operation_row(operation: type[Operation]) -> Sequence[str]:
    """One operation."""
    name = operation.definition.name
    return (
        f"`{name.partition('.')[2]}`",
        types_of(operation),
        rules_of(operation),
        tests_of(name),
        is_computed_by(operation),
    )


def types_of(operation: type[Operation]) -> str:
    """The codes of what operands may be, and results if that differs."""
    definition = definition_of(operation)
    operands = [codes(field.types) for field in definition.operands]
    results = [codes(field.types) for field in definition.results]
    operand_types = "; ".join(dict.fromkeys(operands))
    value = "; ".join(dict.fromkeys(result for result in results if result not in operands))
    return f"{operand_types} -> {value}".strip() if value else operand_types


def codes(types: TypeConstraint[Any]) -> str:
    """What a field may be, in letters."""
    tensors = "".join(
        letter
        for letter, element in ELEMENTS.items()
        if any(types.accepts(TensorType(shape, element)) for shape in SHAPES)
    )
    others = [name for name, other in OTHERS.items() if types.accepts(other)]
    return " ".join([tensors] * bool(tensors) + others) or types.description


def rules_of(operation: type[Operation]) -> str:
    """The labels that are checked, in ranges; then the names of rules without a number."""
    section = sections().get(operation.definition.name.removeprefix("stablehlo."))
    labels = checks(section) if section else checks_of(operation)
    numbered = ranges([label for label in labels if label[1:].isdigit()])
    names = dict.fromkeys(rule.label for rule in unnumbered(operation))
    return ", ".join([*numbered, *(f"*{name}*" for name in names)])


def ranges(labels: Sequence[str]) -> list[str]:
    """I1, C1-C3 for I1, C1, C2, C3."""
    runs: list[list[str]] = []
    for label in in_order(list(labels)):
        last = runs[-1][-1] if runs else ""
        if last and last[0] == label[0] and number(label) == number(last) + 1:
            runs[-1].append(label)
        else:
            runs.append([label])
    return [run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]


def tests_of(name: str) -> str:
    """Links to the files that test an operation."""
    files = test_files()
    links = [f"[{file}](../tests/ops/{file}.mlir)" for file in files.examples_of(name)]
    refused = files.refusals_of(name)
    links += [f"[rejected](../tests/ops/{file}.invalid.mlir)" for file in refused]
    return ", ".join(links)


def subjects(sections: Iterator[Section]) -> str:
    """Rules that belong to no operation."""
    rows = (
        (entry.name, ", ".join(ranges(entry.labels)), subject_tests(entry), subject_place(entry))
        for entry in sections
    )
    head = ("Subject", "Rules", "Tests", "Checked by")
    return f"## Types and constants\n\n{table(head, rows)}"


def subject_tests(section: Section) -> str:
    """Links to the files that break the rules."""
    files = test_files().refusals_of(section.subject)
    return ", ".join(f"[rejected](../tests/ops/{file}.invalid.mlir)" for file in files)


def subject_place(section: Section) -> str:
    """Who checks the rules."""
    (place,) = {*checks(section).values()}
    return {
        "type rule": "the reader; the verifier for types that were not read from text",
        "reader": "the reader",
    }[place]


def other_dialects() -> str:
    """The operations that are not StableHLO's."""
    dialects = sorted({name.partition(".")[0] for name in OPERATIONS} - {"stablehlo"})
    tables = [f"### {dialect}\n\n{operations_of(dialect)}" for dialect in dialects]
    return "## Other dialects\n\n" + "\n".join(tables)


# ---- words


def exceptions(entries: Sequence[Mapping[str, str]]) -> str:
    """Labels that no refused program tests."""
    rows = ((f"`{entry['rule']}`", entry["reason"], f"`{entry['test']}`") for entry in entries)
    return f"## Labels without a rejected program\n\n{table(('Label', 'Reason', 'Test'), rows)}"


def undefined(sections: Iterator[Section] | Any) -> str:
    """Labels that the tables of the text cite and that it does not define."""
    rows = (
        (f"`{entry.name}`", ", ".join(entry.undefined)) for entry in sections if entry.undefined
    )
    head = "## Labels that the specification cites and never defines\n\n"
    return head + table(("Operation", "Labels"), rows)


DIFFERENCES: Final = (
    (
        "warning",
        "Accepted with a warning, forbidden by the specification",
        "jaxlib's verifier accepts these programs; the specification does not allow them. They load, "
        "print and convert; `check --strict` and `verify(strict=True)` report them as errors. They "
        "run where the meaning of the operation is plain.",
        {"where": "Where", "here": "Here", "there": "jaxlib", "why": "Reason"},
    ),
    (
        "class",
        "Programs with warnings that upstream executes",
        "Programs were compared with XLA and the upstream interpreter, in the interpreter and in "
        "native code. *Upstream* counts those that one of the two executes, *before* and *now* "
        "those that run here with its value, before and after operations of these classes were given values. "
        "`python -m tests.properties.parity.warned_values` compares more.",
        {
            "where": "Class",
            "programs": "Programs",
            "upstream": "Upstream",
            "before": "Before",
            "now": "Now",
            "note": "Remarks",
        },
    ),
    (
        "stricter",
        "Rejected here, accepted by jaxlib",
        "jaxlib's verifier accepts these programs; the specification does not allow them, and most "
        "of them have no meaning.",
        {"where": "Where", "here": "Here", "there": "jaxlib", "why": "Reason"},
    ),
    (
        "looser",
        "Accepted here, rejected by jaxlib",
        "",
        {"where": "Where", "here": "Here", "there": "jaxlib", "why": "Reason"},
    ),
    (
        "letter",
        "Deviations from the text of the specification",
        "At these points the text contradicts itself or cannot be implemented.",
        {"where": "Where", "text": "Specification", "here": "Here"},
    ),
    (
        "value",
        "Results that differ from XLA's",
        "On the CPU, where the specification defines the result.",
        {"where": "Where", "xla": "XLA", "here": "Here", "why": "Reason"},
    ),
    (
        "example",
        "Corrected examples of the specification",
        "",
        {"where": "Operation", "text": "Specification", "right": "Correct"},
    ),
)


def differences(words: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterator[str]:
    """The tables of differences."""
    for key, title, sentence, columns in DIFFERENCES:
        rows = ([str(entry[column]) for column in columns] for entry in words[key])
        text = f"{sentence}\n\n" if sentence else ""
        yield f"## {title}\n\n{text}{table(list(columns.values()), rows)}"


def exception_rules() -> dict[tuple[str, str], str]:
    """The tests of labels that are exceptions, by subject and label."""
    entries = tomllib.loads(WORDS.read_text())["exception"]
    split = ((entry["rule"].rpartition(" "), entry["test"]) for entry in entries)
    return {(subject, label): test for (subject, _, label), test in split}


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if it differs")
    options = parser.parse_args()
    missing = list(holes(exception_rules()))
    if missing:
        sys.stderr.write(textwrap.indent("\n".join(missing), "hole: ") + "\n")
    text = page()
    if options.check:
        return int(text != PAGE.read_text() or bool(missing))
    PAGE.write_text(text)
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
