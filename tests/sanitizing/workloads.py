"""What is run in a process with a sanitizer: examples, programs, grids, callers; wrong ones too."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zlib import crc32

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.runtime.native import thread_pool as pool
from tests.compiler.codegen import test_bounds_checks as broken
from tests.compiler.linear_algebra_programs import SIZES, SMALL_SIZES, seeded_programs
from tests.compiler.runtime.test_guard_pages import Wrong
from tests.compiler.sort_programs import seeded_sorts
from tests.compiler.test_examples import FILES, loaded
from tests.compiler.variants import Variant
from tests.execution.campaign import difference
from tests.programs.program import load_program, programs
from tests.properties.attention.small_tiles import run_guarded
from tests.properties.generation.choices import Seeded
from tests.properties.generation.modules import module_of, whole
from tests.properties.generation.native import computed
from tests.properties.generation.programs import generate
from tests.properties.networks.programs import Network
from tests.sanitizing.pjrt_calls import pjrt

Work = Iterator[tuple[str, Callable[[], object]]]  # what each is called, and how it is run
VARIANTS: Final = (Variant(fuse=True), Variant(fuse=False))
CALLED: Final = ("elementwise", "lstm", "sort")
CALLERS: Final = 8
CALLS: Final = 20
MOST_BYTES: Final = 1 << 22  # of the arguments of a program: more takes minutes
MOST_PROCESSES: Final = 8


@dataclass(frozen=True)
class ProgramSeeds:
    """Which programs are drawn.

    Attributes:
        seed: What they follow from.
        first: The number of the first.
        count: How many there are.
    """

    seed: str
    first: int
    count: int

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """The number of each, and what it follows from."""
        for number in range(self.first, self.first + self.count):
            yield number, f"{self.seed}:{number}"


def examples(_: ProgramSeeds) -> Work:
    """Every example of every operation; it checks its own results."""
    variants = cycle(VARIANTS)
    for file in FILES:
        for name, function in loaded(file).functions.items():
            if function.is_public:
                yield f"{file} @{name}", partial(run, next(variants), loaded(file), name, ())


def whole_programs(_: ProgramSeeds) -> Work:
    """The benchmark programs, as far as they are small."""
    for name in programs():
        text, arguments = load_program(name)
        if sum(argument.nbytes for argument in arguments) <= MOST_BYTES:
            for variant in VARIANTS:
                yield f"{name} {variant}", partial(run, variant, sm.load(text), None, arguments)


def generated(seeds: ProgramSeeds) -> Work:
    """Programs of any operations: again, in guarded memory, and with one thread."""
    for number, seed in seeds:
        piece = whole(generate(Seeded(seed), prefix=f"g{number}"), f"p{number}")
        variant = VARIANTS[number % len(VARIANTS)]
        text = str(module_of([piece]))
        yield f"program {number}", partial(computed, text, piece.arguments, variant, False)


def networks(seeds: ProgramSeeds) -> Work:
    """Networks of prepared weights, narrow types and layouts."""
    for number, _ in seeds:
        network = Network(crc32(seeds.seed.encode()), number)
        module = sm.load(network.text(constants=True))
        yield f"network {number}", partial(run_simplified, module, network.arguments[:1])


def attention(seeds: ProgramSeeds) -> Work:
    """Attention in tiles, and its gradients; another process lowers them, which has JAX."""
    with TemporaryDirectory() as directory:
        file = Path(directory) / "programs"
        numbers = f"--seed={crc32(seeds.seed.encode())}", f"--first={seeds.first}"
        command = (sys.executable, "-m", "tests.properties.attention.campaign", *numbers)
        environment = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        # JAX loads our plugin, whose code no sanitizer looks at: it is not for this process.
        environment["STABLEMATE_CACHE_DIR"] = str(Path(directory) / "cache")
        subprocess.run(
            [*command, f"--programs={seeds.count}", f"--save={file}"], env=environment, check=True
        )
        for name, text, arguments in pickle.loads(file.read_bytes()):
            yield f"attention {name}", partial(run_guarded, text, arguments)


def linear_algebra(sizes: Sequence[int], seeds: ProgramSeeds) -> Work:
    """Calls of routines of linear algebra; LAPACK itself has no sanitizer in it."""
    for name, text, arguments in seeded_programs(seeds.seed, seeds.first, seeds.count, sizes):
        yield name, partial(computed, text, arguments, VARIANTS[0], False)


def sorts(seeds: ProgramSeeds) -> Work:
    """Sorts of keys and what follows them: of every type, and of lengths around each limit."""
    for name, program in seeded_sorts(seeds.seed, seeds.first, seeds.count):
        variant = VARIANTS[program.stable]
        yield name, partial(computed, program.text, program.arguments, variant, False)


def grids(seeds: ProgramSeeds) -> Work:
    """Programs of several collective operations, on grids."""
    for number, seed in seeds:
        yield f"grid {number}", partial(meet, seed)


def callers(_: ProgramSeeds) -> Work:
    """Programs that many threads call at the same time, while they compile."""
    for name in CALLED:
        yield f"callers of {name}", partial(call_at_once, name)


def weakened(seeds: ProgramSeeds) -> Work:
    """The same, where threads do not wait to see what others have written."""
    text = re.sub(r"\b(acquire|release|acq_rel|seq_cst)\b", "monotonic", pool.TEXT)
    setattr(pool, "TEXT", text)  # noqa: B010
    yield from callers(seeds)


def outside(_: ProgramSeeds) -> Work:
    """A program that loads what is behind its argument."""
    body = broken.loop(broken.N, broken.copied(broken.STEP, broken.STEP + 1))
    yield "a load behind an argument", lambda: Wrong(broken.launching(body))(broken.VALUES)


RIGHT: Final[Mapping[str, Callable[[ProgramSeeds], Work]]] = {
    "examples": examples,
    "programs": whole_programs,
    "generated": generated,
    "networks": networks,
    "attention": attention,
    "linear-algebra": partial(linear_algebra, SIZES),
    "small-matrices": partial(linear_algebra, SMALL_SIZES),
    "sorts": sorts,
    "grids": grids,
    "callers": callers,
    "pjrt": pjrt,
}
WRONG: Final[Mapping[str, Callable[[ProgramSeeds], Work]]] = {
    "weakened": weakened,
    "outside": outside,
}


def run(variant: Variant, module: sm.Module, name: str | None, arguments: Sequence[Any]) -> None:
    """Runs a program twice, the second time in the memory that the first run has left."""
    executable: Any = variant.compiled(module, name)
    if isinstance(executable, CompiledExecutable):
        for _ in range(2):
            executable.run(arguments)


def run_simplified(module: sm.Module, arguments: Sequence[Any]) -> None:
    """Runs a program as users do, whose constants are prepared; twice, as ``run``."""
    executable: Any = sm.compile(module)
    for _ in range(2):
        executable.run(arguments)


def meet(seed: str) -> None:
    """Runs a program on its grid.

    Raises:
        AssertionError: Native code gives other results than the interpreter.
    """
    wrong = difference(seed, MOST_PROCESSES, None, Counter())
    assert not wrong, wrong


def call_at_once(name: str) -> None:
    """Calls an executable from many threads, each of which compiles one of its own as well."""
    text, arguments = load_program(name)
    shared = VARIANTS[0].compiled(sm.load(text))

    def call() -> None:
        own = VARIANTS[0].compiled(sm.load(text))
        for _ in range(CALLS):
            shared.run(arguments)
            own.run(arguments)

    threads = [threading.Thread(target=call) for _ in range(CALLERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
