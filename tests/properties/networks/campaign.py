"""Generated networks in native code, compared with the interpreter.

``python -m tests.properties.networks.campaign --programs 200 --seed 1`` generates networks of
convolutions: with branches that are added, residuals, batch norms, activations of bytes, gathers,
and products of narrow weights, in ``f64``, ``f32``, ``bf16``, ``f16`` and bytes. The bits must be
the same where launches on constants run in each call, and where every access to memory is checked.
Results are compared with those of the interpreter: their error, relative to the same network in
``f64``, may be several times as large. So are those where weights are arguments or frozen arguments
(small constants are written into kernels, which may round once less), the batch is computed for a
few images at a time, convolutions that are added stay several, values have the layouts of the
program, and of processors without tile registers, of which some add pairs of ``bf16`` fast.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final
from unittest.mock import patch

import numpy as np

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import Target, host
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.rewrites.batches import segments
from tests.machines import MACHINES
from tests.properties.generation.tolerances import differs
from tests.properties.networks.programs import Network
from tests.properties.networks.steps import LARGEST

Ways = Callable[[], Any]  # runs a network in a way

TIMES: Final = 8  # as large as the error of the interpreter
NEAR_BYTES: Final = 1 << 12  # of caches as small for programs as real ones for models
# Of the largest number, always admitted: a few roundings of the type of a network.
FLOOR: Final = {"f64": 2.0**-46, "f32": 2.0**-17, "f16": 2.0**-7, "bf16": 2.0**-4}
BYTES_FLOOR: Final = 2.0**-3  # sums beside the middle of two bytes fall to either, again and again


def machines() -> dict[str, Target]:
    """Processors whose code this one runs: without tile registers, and with fast pairs."""
    target = host()
    if not target.triple.startswith("x86_64") or not target.has("avx512f"):
        return {}
    flat = replace(target, features=target.features.replace("+amx-", "-amx-"))
    avx2 = replace(MACHINES["avx2"], triple=target.triple)
    return {"no tiles": flat, "pairs": replace(flat, cpu="znver4"), "avx2": avx2}


def executable(text: str, target: Target | None = None, **options: Any) -> CompiledExecutable:
    """The native code of a program, under options."""
    interpreted: Any = sm.compile(sm.load(text), backend="interpreter")
    return CompiledExecutable(interpreted, target, options=CompileOptions(**options))


def arrays(results: Any) -> list[Any]:
    """The arrays that a call returns."""
    several: list[Any] = [*results] if isinstance(results, tuple | list) else [results]
    return [np.array(item) for item in several]


def error_of(results: Sequence[Any], wanted: Sequence[Any]) -> float:
    """The largest error, relative to the largest number of a result; NaN where one is missing."""
    errors: list[float] = [0.0]
    for one, other in zip(results, wanted, strict=True):
        wide, exact = one.astype(np.float64), other.astype(np.float64)
        is_equal = (wide == exact) | (np.isnan(wide) & np.isnan(exact))
        magnitude = np.abs(exact[np.isfinite(exact)]).max(initial=1e-30)
        errors.append(float(np.abs(wide - exact)[~is_equal].max(initial=0) / magnitude))
    return float(np.max(errors))


def difference(network: Network, *, least: bool = False) -> str:
    """What differs; empty if nothing does.

    Args:
        network: The network.
        least: Whether it runs in one more way of each kind, not in a few.
    """
    text, open_text = network.text(constants=True), network.text(constants=False)
    arguments, module = network.arguments, sm.load(open_text)
    image, frozen = arguments[:1], [*range(1, len(arguments))]

    def of(text: str = text, **options: Any) -> Ways:
        return lambda: executable(text, **options).run(arguments if text is open_text else image)

    def of_frozen(*, check: bool) -> Ways:
        return lambda: sm.compile(module, frozen=frozen, check=check).run(arguments)

    random = np.random.default_rng((network.seed, network.number, 2))
    ours = arrays(of()())
    alike = {
        "checked": of(check=True),
        "not prepared": of(prepare=False),
    }
    for name in random.permutation([*alike])[: 1 if least else 2]:
        if any(differs(a, b).any() for a, b in zip(ours, arrays(alike[name]()), strict=True)):
            return f"{name}: other bits"
    interpreted = arrays(module.run(*arguments, backend="interpreter"))
    if network.is_quantized:
        wanted, limit = interpreted, BYTES_FLOOR
    else:
        wide_text, wide_arguments = network.wide
        wanted = arrays(sm.load(wide_text).run(*wide_arguments, backend="interpreter"))
        limit = max(TIMES * error_of(interpreted, wanted), FLOOR[network.element])
    ways = {
        "arguments": of(open_text),
        "frozen": of_frozen(check=False),
        "frozen, checked": of_frozen(check=True),
        "not merged": of(merge=False),
        "own layouts": of(layouts=False),
        "by images": of(near_bytes=NEAR_BYTES),
        "not simplified": of(simplify=False),
        "not fused": of(fuse=False),
        **{name: of(target=target) for name, target in machines().items()},
    }
    names = random.permutation([*ways])[: 1 if least else 3]
    with patch.object(segments, "LEAST_SAVED", -LARGEST):
        results = {"constants": ours, **{name: arrays(ways[name]()) for name in names}}
    for name, values in results.items():
        error = error_of(values, wanted)
        if not error <= limit:
            return f"{name}: error {error:.2e}, admitted {limit:.2e}"
    return ""


def main() -> int:
    """Compares, and prints what differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.properties.networks.campaign")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first network")
    parser.add_argument("--seconds", type=float, default=1e9, help="after which none begins")
    given = parser.parse_args()
    end = time.monotonic() + given.seconds
    count = found = 0
    steps: Counter[str] = Counter()
    for number in range(given.first, given.first + given.programs):
        if time.monotonic() > end:
            break
        network = Network(given.seed, number)
        steps.update([network.element, *network.steps])
        count += 1
        try:
            detail = difference(network)
        except Exception as error:
            detail = f"{type(error).__name__}: {error}"
        if detail:
            found += 1
            print(number, network.element, detail, network.steps, flush=True)
    print(f"{count} networks, {found} differ; {dict(sorted(steps.items()))}")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
