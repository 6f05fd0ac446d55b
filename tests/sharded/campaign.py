"""Compares generated programs of shard_map and shardings, in all forms, with XLA on eight devices.

``python -m tests.sharded.campaign --programs 200 --seed 0``; ``--first I --programs 1`` repeats
one program, ``--native`` compiles programs.
"""

import argparse
import json
import sys
from collections import Counter

from tests.sharded.generated import differences, generated

BATCH = 20  # programs of one child process


def main() -> int:
    """Prints differences and counts; 1 if there is a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--native", action="store_true")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    last = options.first + options.programs
    for first in range(options.first, last, BATCH):
        batch = generated(options.seed, first, min(BATCH, last - first))
        for number, program in batch.items():
            if isinstance(program, str):
                counts["not made by JAX"] += 1
                continue
            counts["programs"] += 1
            counts["forms"] += len(program.forms)
            for where, what in differences(program, native=options.native):
                counts[what.split(":")[0]] += 1
                if not what.startswith("unsupported"):
                    print(f"program {number}, {where}: {what}", flush=True)
    print(json.dumps({"seed": options.seed, **counts}))
    return int(any(counts[kind] for kind in ("differs", "error", "lost")))


if __name__ == "__main__":
    sys.exit(main())
