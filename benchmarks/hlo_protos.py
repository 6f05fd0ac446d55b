"""Time reading and writing HLO protocol buffers, beside jaxlib.

    python -m benchmarks.hlo_protos [--instructions 50000] [--bytes 100000000] [--rounds 5]

The program is one computation of so many instructions with metadata; the constant is one literal of
so many bytes. Times are milliseconds of the processor, medians of rounds in which both take turns.
"""

import argparse
import pathlib
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from jaxlib import _hlo

from stablemate.formats.hlo.proto import read_proto, write_proto
from stablemate.xla.layout import Layout
from stablemate.xla.literal import Literal
from stablemate.xla.module import HloComputation, HloInstruction, HloModule
from stablemate.xla.primitive_types import F32
from stablemate.xla.shape import Shape
from stablemate.xla.values import Metadata

COLUMNS: Final = ("case", "file bytes", "read ms", "write ms", "jaxlib read ms", "jaxlib write ms")
OPCODES: Final = ("add", "multiply", "maximum", "transpose", "dot", "tanh")
DOT: Final = {"lhs_contracting_dims": (1,), "rhs_contracting_dims": (0,)}


def program(instructions: int) -> HloModule:
    """A computation of so many instructions on matrices."""
    shape = Shape(F32, (64, 64), layout=Layout.row_major(2))
    collected = [HloInstruction("v0", "parameter", shape, (), {"parameter_number": 0})]
    for i in range(1, instructions):
        opcode, last, other = OPCODES[i % 6], f"v{i - 1}", f"v{max(0, i - 17)}"
        operands = (last,) if opcode in ("transpose", "tanh") else (last, other)
        attributes: dict[str, Any] = {
            "metadata": Metadata("op", f"jit(f)/main/op{i}", "model.py", i % 500)
        }
        attributes |= {"dot": DOT, "transpose": {"dimensions": (1, 0)}}.get(opcode, {})
        collected.append(HloInstruction(f"v{i}", opcode, shape, operands, attributes))
    return HloModule(
        "program", (HloComputation("main", tuple(collected), collected[-1].name),), "main"
    )


def constant(size: int) -> HloModule:
    """A constant of so many bytes."""
    shape = Shape(F32, (size // 4,), layout=Layout.row_major(1))
    literal = Literal(shape, np.arange(size // 4, dtype=np.float32))
    hlo_instruction = HloInstruction("c", "constant", shape, (), {"literal": literal})
    return HloModule("constant", (HloComputation("main", (hlo_instruction,), "c"),), "main")


def milliseconds(function: Callable[[], object]) -> float:
    """Time of the processor that a call takes."""
    start = time.process_time()
    function()
    return (time.process_time() - start) * 1e3


def measured(name: str, module: HloModule, rounds: int) -> list[str]:
    """A row of the table."""
    data = write_proto(module)
    theirs = _hlo.HloModule.from_serialized_hlo_module_proto(data)
    calls: tuple[Callable[[], object], ...] = (
        lambda: read_proto(data),
        lambda: write_proto(module),
        lambda: _hlo.HloModule.from_serialized_hlo_module_proto(data),
        theirs.as_serialized_hlo_module_proto,
    )
    times = [[milliseconds(call) for call in calls] for _ in range(rounds)]
    medians = (statistics.median(column) for column in zip(*times, strict=True))
    return [name, str(len(data)), *(f"{median:.0f}" for median in medians)]


def main() -> None:
    """Prints the table, or writes it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instructions", type=int, default=50_000)
    parser.add_argument("--bytes", type=int, default=100_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--md", type=pathlib.Path)
    options = parser.parse_args()
    rows = [
        measured(
            f"{options.instructions} instructions", program(options.instructions), options.rounds
        ),
        measured("one constant", constant(options.bytes), options.rounds),
    ]
    lines = [f"| {' | '.join(row)} |" for row in (list(COLUMNS), ["---"] * len(COLUMNS), *rows)]
    text = "\n".join(lines)
    print(text)
    if options.md:
        note = "Taken on 2 cores that other work kept busy; milliseconds of the processor."
        options.md.write_text(f"# HLO protocol buffers\n\n{note}\n\n{text}\n")


if __name__ == "__main__":
    main()
