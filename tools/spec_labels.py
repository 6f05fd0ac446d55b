"""Read which labels the specification defines, section by section.

    python -m tools.spec_labels SPEC.md [--output docs/spec_labels.json]

``SPEC.md`` is ``docs/spec.md`` of openxla/stablehlo. What is kept are its labels and the names of
inputs, nothing of its text; ``docs/conformance.md`` and its test are built on that file.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
LABELS: Final = ROOT / "docs" / "spec_labels.json"

HEADING: Final = re.compile(r"^#{2,3} (.+)$")
OPERATION: Final = re.compile(r"[a-z]\w*")
SUBJECT: Final = re.compile(r"^\*\*([A-Z].+?)\*\*")  # what a paragraph is about
INPUT: Final = re.compile(r"^\| \((I\d+)\) *\| `(\w+)`")
CONSTRAINT: Final = re.compile(r"^ *\* \((C\d+)\)")
CITED: Final = re.compile(r"\(C(\d+)(?:-C?(\d+))?\)")


@dataclass
class Section:
    """What one section says of itself.

    Attributes:
        inputs: Name of each input by its label.
        constraints: Labels of the constraints, in order.
        cited: Labels that its tables cite.
    """

    inputs: dict[str, str] = field(default_factory=dict[str, str])
    constraints: list[str] = field(default_factory=list[str])
    cited: set[str] = field(default_factory=set[str])

    @property
    def undefined(self) -> list[str]:
        """Labels that are cited and never defined."""
        return sorted(self.cited - set(self.constraints), key=number)


def number(label: str) -> int:
    """The 12 of C12."""
    return int(label[1:])


def sections(lines: Iterator[str]) -> dict[str, Section]:
    """The sections that have labels: operations by name, others by what they are about."""
    by_key: dict[str, Section] = {}
    name = ""
    for line in lines:
        if heading := HEADING.match(line):
            name = heading[1]
        elif not OPERATION.fullmatch(name) and (subject := SUBJECT.match(line)):
            name = subject[1]
        section = by_key.setdefault(name, Section())
        read_labels(line, section)
    return {key: item for key, item in by_key.items() if item.inputs or item.constraints}


def read_labels(line: str, section: Section) -> None:
    """Adds what one line defines or cites."""
    if value := INPUT.match(line):
        section.inputs[value[1]] = value[2]
    if rule := CONSTRAINT.match(line):
        section.constraints.append(rule[1])
    elif line.startswith("|"):
        for first, last in CITED.findall(line):
            section.cited |= {f"C{i}" for i in range(int(first), int(last or first) + 1)}


def written(sections: dict[str, Section]) -> str:
    """The sections as the file holds them."""
    table = {
        name: {
            "inputs": section.inputs,
            "constraints": section.constraints,
            "undefined": section.undefined,
        }
        for name, section in sections.items()
    }
    rows = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in table.items())
    return "{\n" + ",\n".join(rows) + "\n}\n"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("specification", type=Path)
    parser.add_argument("--output", type=Path, default=LABELS)
    options = parser.parse_args()
    with options.specification.open(encoding="utf-8") as lines:
        options.output.write_text(written(sections(lines)))


if __name__ == "__main__":
    main()
