"""In a process with a sanitizer's library: programs whose native code it looks at.

``python -m tests.sanitizing`` starts it. Launches are cut into as many chunks as they have
iterations, so that small programs are work for several threads too.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any, Final

import llvmlite.binding as llvm
import numpy as np

import stablemate as sm
from stablemate.compiler.compiled import CompiledExecutable
from stablemate.compiler.llvm import loading, objects, pool
from stablemate.compiler.llvm.target import Target
from tests.compiler import test_checking as broken
from tests.compiler.test_examples import FILES, OWN_CHOICES, loaded
from tests.compiler.test_guarding import Wrong
from tests.compiler.variants import Variant
from tests.execution.campaign import difference
from tests.programs.program import load_program, programs
from tests.properties.generation.choices import Seeded
from tests.properties.generation.modules import module_of, whole
from tests.properties.generation.native import CUT, computed
from tests.properties.generation.programs import generate
from tests.sanitizing.tools import NAMED, SANITIZERS, opt

Work = Iterator[tuple[str, Callable[[], object]]]  # what it is, and how it is done
CALLERS: Final = 8
CALLS: Final = 20
MOST_BYTES: Final = 1 << 22  # of the arguments of a program: more takes a tool minutes
VARIANTS: Final = (Variant(True, 2), Variant(False, 2))


def instrument(kind: str) -> None:
    """Has LLVM change all native code from now on, and lets it call the sanitizer."""
    sanitizer = SANITIZERS[kind]
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}

    def parsed(text: str, target: Target) -> Any:
        done = subprocess.run(
            [str(opt()), "-S", *sanitizer.passes],
            input=objects.completed(text, target, f" {sanitizer.attribute}"),
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return llvm.parse_assembly(done.stdout, llvm.create_context())

    def loaded_by_llvm(content: Sequence[bytes], names: Sequence[str]) -> loading.Loaded:
        library = llvm.JITLibraryBuilder().add_current_process()
        for each in content:
            library.add_object_img(each)
        for name in names:
            library.export_symbol(name)
        tracker = library.link(loading.linker(), f"sanitized-{next(loading.NUMBERS)}")
        return loading.Loaded({name: tracker[name] for name in names}, tracker)

    objects.parsed = parsed
    loading.linked = lambda objects: None  # LLVM links, since the sanitizer is elsewhere
    loading.loaded_by_llvm = loaded_by_llvm


# ---- what is run


def examples(_: argparse.Namespace) -> Work:
    """Every example of every operation; it checks its own results."""
    variants = cycle(VARIANTS)
    for file in FILES:
        for name, function in loaded(file).functions.items():
            if function.is_public and (file, name) not in OWN_CHOICES:
                yield f"{file} @{name}", lambda: run(next(variants), loaded(file), name, ())


def whole_programs(_: argparse.Namespace) -> Work:
    """The benchmark programs in their small sizes."""
    for name in programs():
        text, arguments = load_program(name)
        if sum(each.nbytes for each in arguments) <= MOST_BYTES:
            for variant in VARIANTS:
                yield f"{name} {variant}", lambda: run(variant, sm.load(text), None, arguments)


def generated(options: argparse.Namespace) -> Work:
    """Programs drawn at random, several times each, in guarded memory too."""
    for number in range(options.first, options.first + options.programs):
        program = generate(Seeded(f"{options.seed}:{number}"), "", prefix=f"g{number}")
        piece = whole(program, f"p{number}")
        text, variant = str(module_of([piece])), VARIANTS[number % len(VARIANTS)]
        yield f"program {number}", lambda: computed(text, piece.arguments, variant, False)


def grids(options: argparse.Namespace) -> Work:
    """Programs of several collective operations drawn at random, on grids."""
    for number in range(options.first, options.first + options.programs):
        seed = f"{options.seed}:{number}"
        yield f"grid {number}", lambda: agreed(difference(seed, 8, None, Counter()))


def callers(_: argparse.Namespace) -> Work:
    """Programs that many threads call at the same time, and compile."""
    for name in ("elementwise", "lstm", "sort"):
        yield f"callers of {name}", lambda: called_at_once(name)


WORKS: Final = {
    "examples": examples,
    "programs": whole_programs,
    "generated": generated,
    "grids": grids,
    "callers": callers,
}


def run(variant: Variant, module: sm.Module, name: str | None, arguments: Sequence[Any]) -> None:
    """Runs a program twice, the second time in the memory that the first run has left."""
    executable: Any = variant.compiled(module, name)
    if not isinstance(executable, CompiledExecutable):
        return
    for _ in range(2):
        executable.run(arguments)


def agreed(wrong: str) -> None:
    """Checks that a grid gives what it must."""
    assert not wrong, wrong


def called_at_once(name: str) -> None:
    """Calls an executable from many threads, each of which compiles one of its own as well."""
    text, arguments = load_program(name)
    shared = VARIANTS[0].compiled(sm.load(text))

    def call() -> None:
        own = VARIANTS[0].compiled(sm.load(text))
        for _ in range(CALLS):
            shared.run(arguments)
            own.run(arguments)

    threads = [threading.Thread(target=call) for _ in range(CALLERS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


# ---- what is wrong on purpose: the tools must say so


def weakened(options: argparse.Namespace) -> Work:
    """Threads that do not wait to see what others have written."""
    text = re.sub(r"\b(acquire|release|acq_rel|seq_cst)\b", "monotonic", pool.TEXT)
    setattr(pool, "TEXT", text)  # noqa: B010
    yield from callers(options)


def outside(_: argparse.Namespace) -> Work:
    """A load behind an argument."""
    body = broken.each(broken.N, broken.copied(broken.STEP, broken.STEP + 1))
    yield "outside", lambda: Wrong(broken.launching(body))(broken.VALUES.copy())


WRONG: Final = {"weakened": weakened, "outside": outside}


def main() -> int:
    """Does what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.sanitizing.inside")
    parser.add_argument("kind")
    parser.add_argument("works", nargs="+", choices=[*WORKS, *WRONG])
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=int, default=1, help="one of so many is run")
    parser.add_argument("--seconds", type=float, default=600.0, help="for each kind of work")
    options = parser.parse_args()
    instrument(options.kind)
    for module, name, value in CUT:
        setattr(module, name, value)
    for work in options.works:
        print(f"{work}: {done({**WORKS, **WRONG}[work](options), options)}", flush=True)
    return 0


def done(work: Work, options: argparse.Namespace) -> int:
    """How many programs were run: as many as time allows."""
    end, number = time.monotonic() + options.seconds, 0
    for number, (name, run) in enumerate(islice(work, 0, None, options.share)):
        if time.monotonic() > end:
            return number
        print(f"{NAMED}{name}", file=sys.stderr, flush=True)
        run()
    return number + 1


if __name__ == "__main__":
    sys.exit(main())
