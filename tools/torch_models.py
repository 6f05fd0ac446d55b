"""Compares models of PyTorch's libraries, with random weights, with PyTorch.

    python -m tools.torch_models --list --library timm
    python -m tools.torch_models --names resnet18 bert --train --verbose
    python -m tools.torch_models --log models.jsonl
    python -m tools.torch_models --guess --names dpt vivit
    python -m tools.torch_models --table docs/torch-models.md --from models.jsonl

Each model runs forward and for one training step, with known sizes and with a batch that varies,
by ``torch.compile`` and by ``torch.export``. Each is run in a child process with limits of time and
memory. The exit code is 1 if anything differs or fails.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

import torch

from stablemate.cli.output.progress import progress
from stablemate.diagnostics.progress import with_progress
from tools.torch_zoo.campaign import Limits, outcomes, warm_up
from tools.torch_zoo.cases import Outcome, cases_of
from tools.torch_zoo.page import page, read_page
from tools.torch_zoo.rows import LIBRARIES, Model

GUESSED: Final = "tools.torch_zoo.guessed_models"
FAULTS: Final = ("differs", "failed", "crashed", "timeout")


def chosen_models(libraries: Sequence[str], names: Sequence[str] | None) -> list[Model]:
    """The models that were asked for."""
    modules = [import_module(f"tools.torch_zoo.{library}_models") for library in libraries]
    rows: list[Model] = [row for module in modules for row in module.models()]
    return [row for row in rows if not names or row.name in names]


def guessed_models(names: Sequence[str] | None) -> list[Model]:
    """The kinds of transformers without a row, or those that were asked for."""
    known = {row.name for row in chosen_models(["transformers"], None)}
    rows: list[Model] = import_module(GUESSED).models()
    return [row for row in rows if (row.name in names if names else row.name not in known)]


def chosen_cases(row: Model, arguments: argparse.Namespace) -> list[str]:
    """The cases of a model that were asked for."""
    cases = cases_of(row)
    if arguments.cases:
        return [case for case in cases if case in arguments.cases]
    if arguments.route:
        cases = [case for case in cases if arguments.route in case]
    if arguments.static != arguments.dynamic:
        cases = [case for case in cases if ("dynamic" in case) == arguments.dynamic]
    if arguments.train:
        cases = [case for case in cases if "train" in case]
    return cases


def run(arguments: argparse.Namespace) -> Iterator[Outcome]:
    """Runs all that was asked for."""
    limits = Limits(arguments.seconds, arguments.gigabytes, arguments.backend, arguments.verbose)
    choose = guessed_models if arguments.guess else partial(chosen_models, arguments.library)
    rows = choose(arguments.names)
    logged = read_log([arguments.log]) if arguments.resume else []
    done = {(outcome.library, outcome.model, outcome.case) for outcome in logged}
    warm_up(limits)
    for row in with_progress(rows[arguments.first :: arguments.every], "model"):
        cases = chosen_cases(row, arguments)
        rest = [case for case in cases if (row.library, row.name, case) not in done]
        yield from outcomes(row, rest, limits)


def report(outcome: Outcome) -> None:
    """Prints an outcome."""
    print(
        f"{outcome.library:12} {outcome.model:36} {outcome.case:24} {outcome.verdict:8} "
        f"{outcome.ratio:8.3f} {outcome.seconds:6.1f} s {outcome.message}", flush=True,
    )  # fmt: skip


def read_log(paths: Sequence[str]) -> list[Outcome]:
    """The outcomes of logs; a later one of the same case replaces an earlier one."""
    lines = [line for path in paths for line in Path(path).read_text().splitlines()]
    latest = [Outcome(**json.loads(line)) for line in lines]
    return list({(o.library, o.model, o.case): o for o in latest}.values())


def main() -> int:
    """Runs the comparison, or writes the page of earlier ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="list models")
    parser.add_argument("--names", nargs="*")
    parser.add_argument(
        "--guess", action="store_true", help="other kinds of transformers, with guessed inputs"
    )
    parser.add_argument("--library", nargs="*", choices=LIBRARIES, default=LIBRARIES)
    parser.add_argument("--cases", nargs="*", help="cases by name")
    parser.add_argument("--route", choices=("compile", "export", "generate"))
    parser.add_argument("--static", action="store_true")
    parser.add_argument("--dynamic", action="store_true")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--backend", choices=("cpu", "interpreter"), default="cpu")
    parser.add_argument("--seconds", type=float, default=300, help="of processor time for a case")
    parser.add_argument("--gigabytes", type=float, default=8, help="for a model")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--log", help="a file to which lines of JSON are appended")
    parser.add_argument("--resume", action="store_true", help="leave out what the log has")
    parser.add_argument("--table", help="add logs to this page")
    parser.add_argument("--from", nargs="*", dest="logs", default=[], help="logs for the page")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    # Else the program would be interpreted, and be right.
    warnings.filterwarnings("error", message="an error of the compiler")
    if arguments.list:
        for row in chosen_models(arguments.library, arguments.names):
            print(row.library, row.name, ", ".join(cases_of(row)), row.settings or "")
        return 0
    if arguments.table:
        table = Path(arguments.table)
        earlier = read_page(table.read_text()) if table.exists() else None
        table.write_text(page(read_log(arguments.logs), earlier))
        return 0
    torch.set_num_threads(1)
    counts: Counter[str] = Counter()
    with open(arguments.log or os.devnull, "a") as log, progress("comparing"):
        for outcome in run(arguments):
            counts[outcome.verdict] += 1
            report(outcome)
            if outcome.verdict != "unknown":
                print(json.dumps(asdict(outcome)), file=log, flush=True)
    print(dict(counts))
    return int(any(counts[verdict] for verdict in FAULTS))


if __name__ == "__main__":
    sys.exit(main())
