"""What of the specification is checked, and what is tested: read from classes and test files."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import stablemate as sm
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.collectives import Collective
from stablemate.interpreter.prepare import CALLS
from stablemate.ir.core import Operation
from stablemate.ir.definition import Constraint, Op, RequestOp, definition_of
from stablemate.ir.type_rules import TYPE_RULES
from stablemate.transforms.chlo_legalize_to_stablehlo import PATTERNS as CHLO_PATTERNS
from tools.spec_labels import LABELS, ROOT, number

CASES: Final = ROOT / "tests" / "ops"
INVALID: Final = ".invalid.mlir"
SEPARATOR: Final = re.compile(r"^// -----[ ]*\n", re.MULTILINE)
EXPECTED: Final = re.compile(r"^// error@\d+:\d+: (.+?):(?: |$)", re.MULTILINE)
TITLE: Final = re.compile(r"// ([\w-]+?)_([ci]\d+)\b|// ([a-z -]+?) (C\d+)\b")
SYMBOL: Final = re.compile(r"@(\w+)")
LABEL: Final = re.compile(r"\b[IC]\d+\b")


@dataclass(frozen=True)
class Section:
    """A section of the specification, as ``docs/spec_labels.json`` has it.

    Attributes:
        name: The operation, or what the rules are about.
        subject: What diagnostics call it.
        inputs: Name of each input by its label.
        constraints: Labels of the constraints.
        undefined: Labels that are cited and never defined.
    """

    name: str
    subject: str
    inputs: Mapping[str, str]
    constraints: tuple[str, ...]
    undefined: tuple[str, ...]

    @property
    def labels(self) -> list[str]:
        """All labels that it defines."""
        return [*self.inputs, *self.constraints]


@cache
def sections() -> dict[str, Section]:
    """The sections by name."""
    by_key: dict[str, Section] = {}
    for name, row in json.loads(LABELS.read_text()).items():
        of_operation = f"stablehlo.{name}" in OPERATIONS
        subject = f"stablehlo.{name}" if of_operation else name.lower().removesuffix("s")
        by_key[name] = Section(
            name, subject, row["inputs"], tuple(row["constraints"]), tuple(row["undefined"])
        )
    return by_key


# ---- checks


def checks(section: Section) -> dict[str, str]:
    """Where each label of a section is checked: ``constraint``, ``operand lhs`` and so on."""
    operation = OPERATIONS.get(section.subject)
    if operation is not None:
        return {**parts_of_attributes(section, operation), **checks_of(operation)}
    rules = (rule for type_rule in TYPE_RULES.values() for rule in type_rule)
    labels = [rule.label for rule in rules if rule.label.startswith(f"{section.subject} ")]
    if labels:
        return {label.rpartition(" ")[2]: "type rule" for label in labels}
    return dict.fromkeys(section.labels, "reader")  # of constants, which are text


def checks_of(operation: type[Operation]) -> dict[str, str]:
    """The labels that an operation's class checks, and how."""
    definition = definition_of(operation)
    by_key = {f.label: f"operand {f.name}" for f in definition.operands}
    by_key |= {f.label: f"attribute {f.name}" for f in definition.attributes.values()}
    by_key |= {f.label: f"region {f.name}" for f in definition.regions}
    by_key |= dict.fromkeys(LABEL.findall(inference(operation)), "inferred type")
    for result in definition.results:
        by_key |= {result.element_type: f"result {result.name}", result.shape: "inferred type"}
    by_key |= {constraint.label: "constraint" for constraint in definition.constraints}
    if issubclass(operation, Collective):
        by_key.setdefault(operation.size_rule, "run")
    by_key.pop("", None)
    return by_key


def inference(operation: type[Operation]) -> str:
    """What the documentation of ``infer`` says."""
    method = vars(operation).get("infer") or getattr(operation, "infer", None)
    return inspect.getdoc(method) or "" if method else ""


def parts_of_attributes(section: Section, operation: type[Operation]) -> dict[str, str]:
    """Labels of parts of an attribute: it has the label of the first of them."""
    definition = definition_of(operation)
    whole = {f.label: f.name for f in definition.attributes.values()}
    others = {f.label for f in (*definition.operands, *definition.regions)}
    by_key: dict[str, str] = {}
    current = ""
    for label, name in section.inputs.items():
        if label in whole or label in others:
            current = whole.get(label, "")
        elif current:
            by_key[label] = f"attribute {current}, {name}"
    return by_key


def unnumbered(operation: type[Operation]) -> list[Constraint]:
    """Rules of an operation that have names instead of numbers."""
    rules = definition_of(operation).constraints
    return [rule for rule in rules if not LABEL.match(rule.label)]


def is_computed_by(operation: type[Operation]) -> str:
    """How values of an operation come about."""
    name = operation.definition.name
    if name in CALLS or name == "stablehlo.custom_call":
        return "call"
    if name in CHLO_PATTERNS:
        return "decomposition"
    if issubclass(operation, RequestOp):
        return "request"
    if issubclass(operation, Op) and operation.evaluate is not Op.evaluate:
        return "evaluate"
    return "structure"


# ---- tests


@dataclass
class TestFiles:
    """What the files of ``tests/ops`` hold.

    Attributes:
        labels: (subject, label) of every case that is refused by that rule, or named for it.
        refused: Files with cases that break a rule of a subject.
        mentions: Number of functions in a file that use an operation.
    """

    labels: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    refused: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    mentions: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])

    def examples_of(self, name: str) -> list[str]:
        """The file of an operation, or the one of its dialect that uses it most."""
        files = self.mentions.get(name, Counter[str]())
        dialect, _, suffix = name.partition(".")
        own = suffix if dialect == "stablehlo" else f"{dialect}_{suffix.removeprefix('_')}"
        related = [file for file in files if file.startswith(f"{dialect}")] or list(files)
        return [own] if own in files else sorted(related, key=lambda f: (-files[f], f))[:1]

    def refusals_of(self, subject: str) -> list[str]:
        """The file with cases that break rules of a subject: its own, or all."""
        files = self.refused.get(subject, set[str]())
        own = subject.removeprefix("stablehlo.")
        return [own] if own in files else sorted(files)


@cache
def test_files() -> TestFiles:
    """What the files of ``tests/ops`` hold."""
    test_files = TestFiles()
    for path in sorted(CASES.glob("*.mlir")):
        if path.name.endswith(INVALID):
            for case in cases_of(path):
                read_case(path.name.removesuffix(INVALID), case, test_files)
        else:
            read_examples(path, test_files)
    return test_files


def cases_of(path: Path) -> list[str]:
    """The programs of one file of invalid ones."""
    return [case.lstrip("\n") for case in SEPARATOR.split(path.read_text()) if case.strip()]


def refused_programs() -> Iterator[str]:
    """All programs that are refused."""
    for path in sorted(CASES.glob(f"*{INVALID}")):
        yield from cases_of(path)


def read_case(file: str, text: str, files: TestFiles) -> None:
    """Adds the rules that one invalid program breaks."""
    for rule in EXPECTED.findall(text):
        subject, _, label = rule.rpartition(" ")
        if LABEL.fullmatch(label):
            files.labels.add((subject, label))
        else:
            subject = rule.partition(" ")[0]
        files.refused.setdefault(subject, set()).add(file)
    if title := TITLE.match(text):
        operation, its_label, subject, label = title.groups()
        rule = (f"stablehlo.{operation}", its_label.upper()) if operation else (subject, label)
        files.labels.add(rule)
        files.refused.setdefault(rule[0], set()).add(file)


def read_examples(path: Path, files: TestFiles) -> None:
    """Adds the operations that the public functions of a file use, in what they call too."""
    functions = {name: function.operation for name, function in sm.load(path).functions.items()}
    uses = {name: {operation.name for operation in f.walk()} for name, f in functions.items()}
    calls = {name: set(called(f)) & functions.keys() for name, f in functions.items()}
    for name, function in functions.items():
        if function.sym_visibility in (None, "public"):
            for operation in set[str]().union(*(uses[call] for call in reached(name, calls))):
                files.mentions.setdefault(operation, Counter[str]())[path.stem] += 1


def called(function: Operation) -> Iterator[str]:
    """The symbols that the operations of a function name."""
    for operation in function.walk():
        for attribute in operation.attributes.values():
            yield from SYMBOL.findall(str(attribute))


def reached(start: str, calls: Mapping[str, set[str]]) -> set[str]:
    """A function and all that it calls."""
    value, pending = {start}, [start]
    while pending:
        new = calls[pending.pop()] - value
        value |= new
        pending += new
    return value


# ---- what is missing


def holes(exceptions: Mapping[tuple[str, str], Any]) -> Iterator[str]:
    """What has no check or no failing test, and is no exception."""
    tested = test_files().labels
    for section in sections().values():
        checked = checks(section)
        for label in section.labels:
            rule = (section.subject, label)
            if rule in exceptions:
                continue
            if label not in checked:
                yield f"{section.subject} {label} is not checked"
            if rule not in tested:
                yield f"{section.subject} {label} has no failing test"


def in_order(labels: Iterator[str] | list[str]) -> list[str]:
    """Labels by kind and number."""
    return sorted({*labels}, key=lambda label: (label[0] != "I", number(label)))
