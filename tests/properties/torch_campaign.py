"""The command line of campaigns that compare generated programs of PyTorch with PyTorch."""

from __future__ import annotations

import argparse
import warnings
from collections import Counter
from collections.abc import Callable, Collection

import torch


def run_campaign(
    module: str, comparison: Callable[[int, int], tuple[str, str]], faults: Collection[str]
) -> int:
    """Compares generated programs; returns 1 if some differ.

    Args:
        module: The module that is the command.
        comparison: What came of the program of a seed and a number, its kind before a colon, empty
            if it is the same; and the program as it is printed beside, empty if it is not.
        faults: The kinds that are faults.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--programs", type=int, default=200)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    counts: Counter[str] = Counter()
    for number in range(arguments.first, arguments.first + arguments.programs):
        text, program = comparison(arguments.seed, number)
        counts[text.split(":")[0] or "same"] += 1
        if program:
            print(f"{number} {text}\n{program}", flush=True)
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return int(any(counts[name] for name in faults))
