"""Random sorts in native code that checks every access, and in memory between guard pages.

python -m tests.compiler.sort_campaign --programs 1000 --seed N
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import Final

from tests.compiler.child_processes import Failure, Fault
from tests.compiler.sort_programs import sort_program
from tests.compiler.variants import Variant
from tests.properties.generation.native import child, computed

MACHINES: Final = ("", "", "avx2", "sse2")


def difference(seed: str, number: int) -> str:
    """What a program does wrong in one variant; empty if nothing."""
    program = sort_program(f"{seed}:{number}")
    machine = MACHINES[number % len(MACHINES)]
    machine = machine if Variant(machine=machine).runs else ""
    variant = Variant(number % 3 != 0, 2, machine, check=number % 2 == 0)
    try:
        how, results = child().ask(computed, program.text, program.arguments, variant, False)
    except (Fault, Failure) as error:
        return f"{program.name} {variant}: {error}"
    return program.difference(results) if results else f"{program.name}: not compiled: {how}"


def main() -> int:
    """Runs the campaign; prints each difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="0")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for number in range(options.first, options.first + options.programs):
        found = difference(options.seed, number)
        counts["different" if found else "equal"] += 1
        if found:
            print(f"{number}: {found}", flush=True)
    print(dict(counts))
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
