"""A job that fails: ``mpiexec -n N python -m tests.execution.failing_job HOW``; rank 1 fails."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.execution.backends.mpi import ranks
from stablemate.execution.faults.rank_monitor import STOPPED

PROGRAM: Final = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[IDS]> : tensor<1xNxi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @unlucky(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_gather"(%1) <{
    all_gather_dim = 0 : i64, replica_groups = dense<[IDS]> : tensor<1xNxi64>
  }> : (tensor<4xf32>) -> tensor<Mxf32>
  %3 = stablehlo.slice %2 [0:4] : (tensor<Mxf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}"""


def killed() -> None:
    """The rank is killed."""
    os.kill(os.getpid(), signal.SIGKILL)


def stopped() -> None:
    """The rank is stopped, and continued when it has been named."""
    call = f"sleep {STOPPED + 4}; kill -CONT {os.getpid()}"
    subprocess.Popen(["/bin/sh", "-c", call], start_new_session=True)
    os.kill(os.getpid(), signal.SIGSTOP)


def raises() -> None:
    """Something raises an exception that nobody expects."""
    raise RuntimeError("bad luck")


def refuses() -> None:
    """An operation cannot go on."""
    raise sm.EvaluationError("no luck today")


def leaves() -> None:
    """The program comes to its end early."""
    sys.exit(0)


INSIDE: Final[dict[str, Callable[[], None]]] = {
    refuse.__name__: refuse for refuse in (killed, stopped, raises, refuses)
}
BEFORE: Final[dict[str, Callable[[], None]]] = {
    "killed early": killed,
    "stopped early": stopped,
    "raises early": raises,
    "leaves": leaves,
}


def main() -> None:
    """Runs the program until rank 1 fails."""
    how, n = sys.argv[1], ranks().size
    is_unlucky = ranks().rank == 1

    @sm.custom_call("unlucky")
    def unlucky(operands: Any, call: Any) -> Any:
        if is_unlucky and how in INSIDE:
            INSIDE[how]()
        return operands[0]

    if is_unlucky and how in BEFORE:
        BEFORE[how]()
    ids = str(list(range(n)))
    text = PROGRAM.replace("IDS", ids).replace("xNx", f"x{n}x").replace("xM", f"x{4 * n}")
    text = text.replace("tensor<Mx", f"tensor<{4 * n}x")
    module = sm.load(text)
    module.verify()
    backend = sys.argv[2] if len(sys.argv) > 2 else "cpu"
    sm.run_grid(module, (np.ones(4, np.float32),), replicas=n, carrier="mpi", backend=backend)
    print("no end")


if __name__ == "__main__":
    main()
