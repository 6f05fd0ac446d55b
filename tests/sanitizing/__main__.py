"""Native code with a sanitizer in it: ``python -m tests.sanitizing thread``."""

from __future__ import annotations

import sys

from tests.sanitizing.instrumented_process import parsed
from tests.sanitizing.sanitizers import lacking, run


def main() -> int:
    """Runs what the command line asks for, in a process of its own."""
    kind = parsed().kind
    why = lacking(kind)
    if why:
        print(why, file=sys.stderr)
        return 2
    outcome = run(kind, sys.argv[1:])
    print(outcome.output, *outcome.reports, f"{len(outcome.reports)} reports", sep="\n")
    if not outcome.is_whole:
        print(outcome.errors, file=sys.stderr)
    return 0 if outcome.is_whole and not outcome.reports else 1


if __name__ == "__main__":
    sys.exit(main())
