"""Grows every part of every operation, and lists what takes time or memory out of proportion.

``python -m tests.fuzzing.growth`` measures everything, which takes days; ``--seed`` and
``--seconds`` take a sample, ``--operation``, ``--part`` and ``--stage`` select by pattern (``*``
stands for anything). ``--stages 6`` draws six stages for each program, so that a sample has more
programs: one at 1 MB takes a minute in all stages. The exit code is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase

from tests.fuzzing.child_process import forked
from tests.fuzzing.growth.measuring import MEGABYTE, findings_of
from tests.fuzzing.growth.parts import Growth, growths
from tests.fuzzing.growth.stages import STAGES, Stage, Subject
from tests.fuzzing.growth.templates import templates


def main() -> int:
    """Measures what the command line asks for."""
    arguments = parser().parse_args()
    if arguments.list:
        print(*STAGES, sep="\n")
        return 0
    warnings.simplefilter("ignore")  # what conversions lose
    warm(arguments)
    start, found, programs, measured = time.monotonic(), 0, 0, 0
    chance = random.Random(arguments.seed)
    for operation, growth in selected(arguments):
        if arguments.seconds and time.monotonic() - start > arguments.seconds:
            break
        stages = drawn(arguments, chance)
        found += examined(operation, growth, stages, arguments)
        programs += 1
        measured += len(stages)
    seconds = time.monotonic() - start
    print(f"{programs} programs, {measured} stages, {found} findings, {seconds:.0f} s")
    return 1 if found else 0


def warm(arguments: argparse.Namespace) -> None:
    """Imports what the stages need, once for all processes, and freezes it."""
    texts = [
        templates()[name].text() for name in ("stablehlo.add", "stablehlo.reduce", "func.call")
    ]
    for subject in [Subject("stablehlo.add", text) for text in texts]:
        for stage in chosen(arguments).values():
            with suppress(Exception):
                stage(subject)
    gc.freeze()


def chosen(arguments: argparse.Namespace) -> dict[str, Stage]:
    """The stages that the command line asks for."""
    return {name: stage for name, stage in STAGES.items() if fnmatchcase(name, arguments.stage)}


def drawn(arguments: argparse.Namespace, chance: random.Random) -> dict[str, Stage]:
    """The stages of one program, in the order of the table."""
    stages = chosen(arguments)
    number = arguments.stages or len(stages)
    names = set(chance.sample(list(stages), min(number, len(stages))))
    return {name: stage for name, stage in stages.items() if name in names}


def parser() -> argparse.ArgumentParser:
    """The command line."""
    result = argparse.ArgumentParser(prog="python -m tests.fuzzing.growth")
    result.add_argument("--operation", default="*", help="operations, such as 'stablehlo.*'")
    result.add_argument("--part", default="*", help="parts, such as 'dimensions*'")
    result.add_argument("--stage", default="*", help="stages, such as 'opt *'; see --list")
    result.add_argument("--stages", type=int, help="so many stages for each program, by chance")
    result.add_argument("--sizes", default="0.25,0.5,1", help="megabytes, smallest first")
    result.add_argument(
        "--seed", type=int, help="the order is random, and begins with each operation once"
    )
    result.add_argument("--seconds", type=float, default=0.0, help="how long to go on")
    result.add_argument("--valid", action="store_true", help="only programs that stay valid")
    result.add_argument("--list", action="store_true", help="list the stages")
    result.add_argument("--verbose", action="store_true", help="print the programs too")
    return result


def selected(arguments: argparse.Namespace) -> Iterator[tuple[str, Growth]]:
    """The programs: in order, or one of each operation in turn, by chance."""
    made = {
        name: template
        for name, template in templates().items()
        if fnmatchcase(name, arguments.operation)
    }
    names = list(made)
    if arguments.seed is None:
        for name in names:
            yield from (
                (name, growth) for growth in fitting(growths(made[name], arguments.part), arguments)
            )
        return
    chance, waiting = random.Random(arguments.seed), dict[str, list[Growth]]()
    while names:
        chance.shuffle(names)
        for name in list(names):
            if name not in waiting:
                waiting[name] = list(fitting(growths(made[name], arguments.part), arguments))
                chance.shuffle(waiting[name])
            if not waiting[name]:
                names.remove(name)
                continue
            yield name, waiting[name].pop()


def fitting(grown: Iterator[Growth], arguments: argparse.Namespace) -> Iterator[Growth]:
    """The growths of which the programs are valid, if the command line asks for those."""
    for growth in grown:
        if growth.valid or not arguments.valid:
            yield growth


def examined(
    operation: str, growth: Growth, stages: Mapping[str, Stage], arguments: argparse.Namespace
) -> int:
    """Measures one program in a process of its own, and prints what it finds; how much that is."""
    sizes = [int(float(part) * MEGABYTE) for part in arguments.sizes.split(",")]
    sys.stdout.flush()
    child = forked()
    if not child:
        start = time.monotonic()
        found = findings_of(operation, growth, stages, sizes)
        if arguments.verbose:
            validity = "valid" if growth.valid else "invalid"
            took = f"{time.monotonic() - start:.1f} s: {', '.join(stages)}"
            print(f"{operation} {growth.part} ({validity}) {took}")
        print(*found, sep="\n", end="\n" if found else "", flush=True)
        os._exit(min(len(found), 100))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
