"""Which line of LLVM IR each line of the assembly comes from.

The module is assembled again with a debug location on every instruction, the number of its line.
LLVM carries locations through its passes and prints them as ``.loc``. Debug locations do not change
the instructions; functions in which they differ all the same have no links.

Source: LLVM, "Source Level Debugging with LLVM"; GNU assembler, ".loc".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final

from stablemate.compiler.codegen.object_code import assembly
from stablemate.compiler.config.target import Target

DEFINITION: Final = re.compile(r'define .*?@"?([\w.$]+)"?\(.*\{$')
ASSEMBLY_HEAD: Final = re.compile(r"(?!\.L)([A-Za-z_.][\w.$]*):")
LOCATION: Final = re.compile(r"\s\.loc\s+\d+\s+(\d+)")
INSTRUCTION: Final = re.compile(r"\s[a-z]")
DEBUG_SECTION: Final = re.compile(r"\s\.section\s+\.debug")
FLAGS: Final = (
    "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!3}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, isOptimized: true, "
    'emissionKind: LineTablesOnly)\n!1 = !DIFile(filename: "kernels.ll", directory: "/")\n'
    '!2 = !DISubroutineType(types: !4)\n!3 = !{i32 2, !"Debug Info Version", i32 3}\n!4 = !{}\n'
)
FIRST: Final = 5  # the number of the first metadata node behind those


def llvm_lines_of(llvm: str, asm: str, target: Target) -> list[int | None]:
    """The line of the LLVM IR, from 0, that each line of the assembly comes from.

    Args:
        llvm: The LLVM IR of all functions.
        asm: Its assembly.
        target: The machine.
    """
    located = instructions_of(assembly(with_locations(llvm), target).splitlines())
    plain = instructions_of(asm.splitlines())
    lines: list[int | None] = [None] * len(asm.splitlines())
    for name, instructions in plain.items():
        others = located.get(name, [])
        if [text for _, text, _ in instructions] != [text for _, text, _ in others]:
            continue
        for (place, _, _), (_, _, line) in zip(instructions, others, strict=True):
            lines[place] = line
    return lines


def with_locations(llvm: str) -> str:
    """The LLVM IR with its line numbers as debug locations."""
    lines: list[str] = []
    nodes: list[str] = []
    scope = 0
    for number, line in enumerate(llvm.splitlines()):
        match = DEFINITION.match(line)
        if match:
            scope = FIRST + len(nodes)
            nodes.append(
                f'distinct !DISubprogram(name: "{match[1]}", scope: !1, file: !1, '
                f"line: {number + 1}, type: !2, unit: !0, spFlags: DISPFlagDefinition)"
            )
            line = f"{line[:-1]}!dbg !{scope} {{"
        elif line.startswith("  ") and scope:
            nodes.append(f"!DILocation(line: {number + 1}, scope: !{scope})")
            line = f"{line}, !dbg !{FIRST + len(nodes) - 1}"
        elif line == "}":
            scope = 0
        lines.append(line)
    metadata = (f"!{FIRST + i} = {node}" for i, node in enumerate(nodes))
    return "\n".join([*lines, FLAGS, *metadata])


def instructions_of(lines: Sequence[str]) -> Mapping[str, list[tuple[int, str, int | None]]]:
    """The instructions of each function: number of the line, text, and line of the LLVM IR."""
    functions: dict[str, list[tuple[int, str, int | None]]] = {}
    current: list[tuple[int, str, int | None]] = []
    location: int | None = None
    for place, line in enumerate(code_of(lines)):
        head, loc = ASSEMBLY_HEAD.match(line), LOCATION.match(line)
        if head:
            current, location = functions.setdefault(head[1], []), None
        elif loc:
            location = int(loc[1]) - 1
        elif INSTRUCTION.match(line):
            current.append((place, without_labels(line), location))
    return {
        name: [(place, text, None if at is not None and at < 0 else at) for place, text, at in rows]
        for name, rows in functions.items()
    }


def code_of(lines: Sequence[str]) -> Iterator[str]:
    """The lines before the debug information."""
    return takewhile(lambda line: not DEBUG_SECTION.match(line), lines)


def without_labels(line: str) -> str:
    """An instruction without the numbers of local labels, which differ."""
    return re.sub(r"\.L\w+", ".L", line.partition("#")[0]).strip()
