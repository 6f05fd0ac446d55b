"""Native code with a sanitizer in it: ``python -m tests.sanitizing thread``.

``thread`` is LLVM's ThreadSanitizer, ``address`` its AddressSanitizer. Prints how many programs were run and what was reported; the exit code is 1 if there was
anything, or if the process ended before it was done.
"""

from __future__ import annotations

import argparse
import sys

from tests.sanitizing.tools import SANITIZERS, lacking, run

PRINTED = 1000  # reports


def main() -> int:
    """Runs the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.sanitizing", epilog=EPILOG)
    parser.add_argument("kind", choices=[*SANITIZERS])
    parser.add_argument("works", nargs="*", default=ALL, help="what is run")
    known, rest = parser.parse_known_args()
    why = lacking(known.kind)
    if why:
        print(why, file=sys.stderr)
        return 2
    outcome = run(known.kind, [*known.works, *rest])
    print(outcome.output, end="")
    for report in outcome.reports[:PRINTED]:
        print(report)
    print(f"{len(outcome.reports)} reports")
    if outcome.code:
        print(outcome.errors[-4000:], file=sys.stderr)
    return 1 if outcome.reports or outcome.code else 0


EPILOG = "Options that are not listed are those of tests.sanitizing.inside: --seed, --programs, ..."
ALL = ("examples", "programs", "generated", "grids", "callers")

if __name__ == "__main__":
    sys.exit(main())
