"""Time reading, verifying and writing HLO text and protocol buffers, beside XLA's own.

    python -m benchmarks.hlo [--instructions 50000] [--rounds 5] [--md FILE]

The text is one computation of so many instructions of eight kinds, each with metadata of its own;
``constants`` is one array of a million numbers. Times are seconds of the processor, medians of
rounds in which all take turns. XLA reads and prints text through jaxlib; it has no verifier there.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from jaxlib import _hlo

from stablemate.formats.hlo.proto.reader import read_proto
from stablemate.formats.hlo.proto.writer import write_proto
from stablemate.formats.hlo.text.reader import read_text
from stablemate.formats.hlo.text.writer import write_text
from stablemate.xla.verifier import verify

COLUMNS: Final = ("case", "bytes", "what", "stablemate s", "xla s")
STEPS: Final = (
    "add(%{last}, %p)",
    "dot(%{last}, %p), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}",
    "broadcast(%q), dimensions={{1}}",
    "tanh(%{last})",
    "multiply(%{last}, %p), sharding={{devices=[2,1]<=[2]}}",
    'custom-call(%{last}), custom_call_target="f", backend_config={{"a":{i}}}',
    "transpose(%{last}), dimensions={{1,0}}",
    "select(%m, %{last}, %p)",
)


def program(instructions: int) -> str:
    """The text of a module of so many instructions."""
    shape = "f32[64,64]{1,0}"
    lines = [
        "HloModule big",
        "",
        "ENTRY %main (p: f32[64,64], q: f32[64], m: pred[64,64]) -> f32[64,64] {",
        f"  %p = {shape} parameter(0)",
        "  %q = f32[64]{0} parameter(1)",
        "  %m = pred[64,64]{1,0} parameter(2)",
    ]
    last = "p"
    for i in range(instructions):
        step = STEPS[i % len(STEPS)].format(last=last, i=i)
        opcode = step.partition("(")[0]
        metadata = (
            f'metadata={{op_name="jit(main)/layer_{i % 97}/{opcode}.{i}" '
            f'source_file="model.py" source_line={i % 900 + 1}}}'
        )
        last = f"{opcode}.{i}"
        head, comma, tail = step.partition(", backend_config")
        root = "ROOT " if i == instructions - 1 else ""
        lines.append(f"  {root}%{last} = {shape} {head}, {metadata}{comma}{tail}")
    return "\n".join([*lines, "}", "", ""])


def constants(count: int) -> str:
    """The text of a module that is one constant."""
    numbers = np.random.default_rng(0).normal(size=count).astype(np.float32)
    listed = ", ".join(f"{number:.9g}" for number in numbers.tolist())
    return f"ENTRY %e {{ ROOT %c = f32[{count}]{{0}} constant({{{listed}}}) }}"


def xla_print(module: Any) -> str:
    """The text of a module of jaxlib, all constants written out."""
    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    return module.to_string(options)


def seconds(call: Callable[[], Any]) -> float:
    """The time that a call takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


def rows(case: str, text: str, rounds: int) -> list[tuple[str, ...]]:
    """The rows of one text."""
    ours, theirs = read_text(text), _hlo.hlo_module_from_text(text)
    data = theirs.as_serialized_hlo_module_proto()
    calls: list[tuple[str, int, Callable[[], Any], Callable[[], Any] | None]] = [
        ("read text", len(text), lambda: read_text(text), lambda: _hlo.hlo_module_from_text(text)),
        ("verify", len(text), lambda: verify(ours), None),
        ("write text", len(text), lambda: write_text(ours), lambda: xla_print(theirs)),
        (
            "read proto",
            len(data),
            lambda: read_proto(data),
            lambda: _hlo.HloModule.from_serialized_hlo_module_proto(data),
        ),
        (
            "write proto",
            len(data),
            lambda: write_proto(ours),
            theirs.as_serialized_hlo_module_proto,
        ),
    ]
    collected = []
    for what, size, own, other in calls:
        times = [(seconds(own), seconds(other) if other else 0.0) for _ in range(rounds)]
        own_time, other_time = (statistics.median(time) for time in zip(*times, strict=True))
        shown = f"{other_time:.2f}" if other else ""
        collected.append((case, str(size), what, f"{own_time:.2f}", shown))
    return collected


def main() -> None:
    """Prints the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--instructions", type=int, default=50_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--md", type=pathlib.Path)
    arguments = options.parse_args()
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + " --- |" * len(COLUMNS)]
    print("\n".join(lines))
    cases = {
        f"{arguments.instructions} instructions": program(arguments.instructions),
        "constants": constants(1_000_000),
    }
    for case, text in cases.items():
        for row in rows(case, text, arguments.rounds):
            lines.append(f"| {' | '.join(row)} |")
            print(lines[-1], flush=True)
    if arguments.md:
        arguments.md.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
