"""Generated calls of linear algebra: residuals, XLA's results, matrices that are not finite.

    python -m tests.compiler.linear_algebra_campaign --cases 1000 --seed 0

Every routine is called for matrices of all types, of sizes from 0 on, in batches of 0 to 100,000:
normal, singular, indefinite, graded, tiny and huge ones; once, in a loop, and for a number of
matrices that is not known when it is compiled, which must have the same bits. What the results
must satisfy is computed in the widest type. Statuses, and which matrices have finite results, are
compared with XLA's. Then one matrix of the batch gets a number that is not finite, and all others
must keep their bits.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter

from tests.compiler.linear_algebra.cases import generated_case
from tests.compiler.linear_algebra.comparison import findings
from tests.compiler.linear_algebra.routines import ROUTINES
from tests.oracle.client import Oracle


def main() -> None:
    """Runs cases and prints what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--routines", default=",".join(ROUTINES))
    parser.add_argument("--no-xla", action="store_true", help="compare nothing with XLA")
    options = parser.parse_args()
    begun, wrong, done = time.perf_counter(), 0, Counter[str]()
    oracle = None if options.no_xla else Oracle()
    for number in range(options.first, options.first + options.cases):
        if time.perf_counter() - begun > options.seconds:
            break
        case = generated_case(f"{options.seed}:{number}", options.routines.split(","))
        reported = findings(case, oracle)
        done[case.name] += 1
        wrong += bool(reported)
        for line in reported:
            print(f"{number}: {case}: {line}", flush=True)
    counts = ", ".join(f"{name} {count}" for name, count in sorted(done.items()))
    print(f"{sum(done.values())} cases ({counts}), {wrong} findings")
    if oracle is not None:
        oracle.close()


if __name__ == "__main__":
    main()
