"""Ctrl-C at moments drawn at random, again and again in one process.

``python -m tests.reliability.interrupted --rounds 2000 --seed 1``: load, verify, compile, run,
write and a grid are interrupted after a time of up to one and a half times what they take; whatever
comes next must work as if nothing had been, and no thread, file or signal mask may be left.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import stablemate as sm
from stablemate.cli.output.output_files import write_files

SOURCE = """func.func @main(%a: tensor<64x64xf32>, %n: tensor<i32>) -> tensor<64x64xf32> {{
  %one = stablehlo.constant dense<1> : tensor<i32>
  %k = stablehlo.constant dense<-{number}.0> : tensor<64x64xf32>
  %0:2 = stablehlo.while(%x = %a, %i = %n) : tensor<64x64xf32>, tensor<i32> cond {{
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %y = stablehlo.dot %x, %a : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %z = stablehlo.tanh %y : tensor<64x64xf32>
    %c = stablehlo.custom_call @reliability_same(%z) : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %c, %j : tensor<64x64xf32>, tensor<i32>
  }}
  %1 = stablehlo.maximum %0#0, %k : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}}"""
GRID = """func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}"""
X = np.linspace(-1, 1, 4096, dtype=np.float32).reshape(64, 64)


@sm.custom_call("reliability_same")
def same(operands: Any, call: Any) -> Any:
    return operands[0]


class Work:
    """What is interrupted."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.number = 1  # tanh is above the opposite of any larger one
        self.kept = self.compiled()

    def text(self) -> str:
        self.number += 1
        return SOURCE.format(number=self.number)

    def compiled(self) -> Any:
        module = sm.load(self.text())
        module.verify()
        return sm.compile(module, backend="cpu")

    def anew(self) -> Any:
        return self.compiled()(X, np.int32(20))

    def again(self) -> Any:
        return self.kept(X, np.int32(200))[:1]

    def interpreted(self) -> Any:
        return sm.run(SOURCE.format(number=2), X, np.int32(20), backend="interpreter")

    def grid(self) -> Any:
        return sm.run_grid(sm.load(GRID), [(X,)] * 3, replicas=3)[0][0]

    def written(self) -> Any:
        content = str(sm.load(GRID)).encode()
        write_files({str(self.place / n): lambda s: s.write(content) for n in ("a", "b")})
        return [(self.place / n).read_bytes() for n in ("a", "b")]

    def jobs(self) -> dict[str, Callable[[], Any]]:
        return {
            item.__name__: item
            for item in (self.anew, self.again, self.interpreted, self.grid, self.written)
        }


def left() -> dict[str, int]:
    """What this process holds, without what the collector of garbage has not come to yet."""
    gc.collect()
    return {
        "files": len(os.listdir("/proc/self/fd")),
        "threads": len(os.listdir("/proc/self/task")),
        "python": threading.active_count(),
        "blocked": len(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
    }


def main() -> None:
    """Interrupts, and prints what was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    generator = random.Random(options.seed)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    counter: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        os.environ["STABLEMATE_CACHE_DIR"] = str(place / "cache")
        work = Work(place)
        jobs = work.jobs()
        right, times = {}, {}
        for name, job in jobs.items():
            job()
            start = time.perf_counter()
            right[name] = job()
            times[name] = time.perf_counter() - start
        before = left()
        for _ in range(options.rounds):
            name = generator.choice(list(jobs))
            try:
                signal.setitimer(signal.ITIMER_REAL, generator.uniform(1e-5, 1.5 * times[name]))
                value = jobs[name]()
                signal.setitimer(signal.ITIMER_REAL, 0)
                counter["came to its end"] += 1
            except KeyboardInterrupt:
                counter[f"interrupted {name}"] += 1
                continue
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            if not np.array_equal(value, right[name]):
                counter[f"wrong {name}"] += 1
        for name, job in jobs.items():  # and now in peace
            if not np.array_equal(job(), right[name]):
                counter[f"wrong {name}"] += 1
        after = left()
        names = [p.name for p in place.rglob("*") if p.name.startswith(".")]
        counter["drafts left"] = len(names)
        for path in (place / "cache").iterdir():
            counter["programs cached"] += path.suffix == ".program"
        for what in before:
            counter[f"{what} left"] = after[what] - before[what]
    json.dump({**counter, "seed": options.seed, "rounds": options.rounds}, sys.stdout)


if __name__ == "__main__":
    main()
