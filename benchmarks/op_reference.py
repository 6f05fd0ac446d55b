"""The process that times single operations in the upstream interpreter.

Started by ``ops.py`` from the root of the repository:

    python -m benchmarks.op_reference

Reads lines ``NUMBER ELEMENTS`` from stdin (the number of a case), and answers each with the seconds
of the fastest of up to three runs. A case that the interpreter cannot run ends the process, or is
answered with ``null``.
"""

import json
import os
import sys
import time
from typing import Final

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from benchmarks.op_cases import CASES
from tests.oracle import answers

ENOUGH: Final = 0.5  # seconds after which no further run is made


def seconds(number: int, n: int) -> float:
    """The time of a case on about so many elements."""
    case = CASES[number]
    work = case.make(n)
    context = answers.new_context()
    module = answers.parse(work.text(case.operation), context)
    with context, ir.Location.unknown():
        answers.legalize_chlo(module)
        arguments = [answers.attribute(array) for array in work.arguments]
        times: list[float] = []
        while len(times) < 3 and sum(times) < ENOUGH:
            start = time.perf_counter()
            stablehlo.eval_module(module, arguments)
            times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Answers until stdin ends."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print must not mix in
    for line in sys.stdin:
        number, n = map(int, line.split())
        try:
            seconds_result = seconds(number, n)
        except (answers.Rejected, answers.Cannot, ValueError, TypeError):
            seconds_result = None
        print(json.dumps(seconds_result), file=replies, flush=True)


if __name__ == "__main__":
    main()
