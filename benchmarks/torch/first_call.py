"""The first call of a model in this process: seconds of processors, all and those of stablemate.

python -m benchmarks.torch.first_call MODEL inductor|stablemate
"""

from __future__ import annotations

import os
import sys
from typing import Any

import torch

from benchmarks.torch.models import MODELS


def seconds() -> float:
    """Processor time of this process and of its children that have ended."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def compiled(model: Any, compiler: str, spent: list[float]) -> Any:
    """A model under torch.compile; what stablemate does is added to the seconds spent."""
    if compiler == "inductor":
        return torch.compile(model)
    begun = seconds()
    from stablemate.bridges.torch import backend

    spent.append(seconds() - begun)
    compile_graph = backend.compile_graph

    def timed(*arguments: Any, **options: Any) -> Any:
        begun = seconds()
        graph = compile_graph(*arguments, **options)
        spent.append(seconds() - begun)
        return graph

    backend.compile_graph = timed
    return torch.compile(model, backend=backend.stablemate)


def main() -> None:
    """Prints both numbers."""
    name, compiler = sys.argv[1:]
    torch.manual_seed(0)
    model, inputs = MODELS[name].create().eval(), MODELS[name].inputs(1)
    spent: list[float] = []
    begun = seconds()
    with torch.no_grad():
        compiled(model, compiler, spent)(*inputs)
    print(seconds() - begun, sum(spent))


if __name__ == "__main__":
    main()
