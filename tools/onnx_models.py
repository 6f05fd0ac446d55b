"""Compares models that exporters write with ONNX Runtime, on the same file.

::

    python -m tools.onnx_models --names resnet18 bert --cases "dynamo static" --verbose
    python -m tools.onnx_models --log models.jsonl
    python -m tools.onnx_models --library keras optimum --log models.jsonl
    python -m tools.onnx_models --table docs/onnx-models.md --from models.jsonl

Models of PyTorch's libraries, with random weights, are exported by ``torch.onnx`` by both of its
ways, with known sizes and with a batch that varies; models of scikit-learn by skl2onnx, of LightGBM
and XGBoost by onnxmltools, of Keras by its own export and by tf2onnx, of transformers by optimum. A
library that is not installed is left out: PyTorch, TensorFlow and optimum rarely fit into one
environment, and logs are joined. Each model is run in a child process. The exit code is 1 if
anything differs or fails.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

import onnxruntime

from stablemate.cli.output.progress import progress
from stablemate.diagnostics.progress import with_progress
from tools.onnx_cases import Make, Outcome, outcome_of

TORCH: Final = ("torchvision", "timm", "transformers", "diffusers", "tutorials")
# The module that has the function ``models`` of each other library.
MODULES: Final[Mapping[str, str]] = {
    "scikit-learn": "tools.onnx_sklearn",
    "boosting": "tools.onnx_boosting",
    "keras": "tools.onnx_keras",
    "optimum": "tools.onnx_optimum",
}
LIBRARIES: Final = (*TORCH, *MODULES)
FAULTS: Final = ("differs", "failed", "crashed", "timeout")


def models(library: str) -> Mapping[str, Mapping[str, Make]]:
    """What makes each case of the models of a library; none if it is not installed."""
    try:
        if library in TORCH:
            found = import_module("tools.onnx_torch").models(library)
        else:
            found = import_module(MODULES[library]).models()
    except ModuleNotFoundError as error:
        print(f"{library} is left out: {error}", file=sys.stderr)
        return {}
    named: Mapping[str, Mapping[str, Make]] = found
    return named


# ---- children


def in_child(work: Callable[[], Outcome], seconds: float, blank: Outcome) -> Outcome:
    """The outcome of a case that runs in a process of its own."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def run() -> None:
        sender.send(asdict(work()))

    child = context.Process(target=run)
    child.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            return Outcome(blank.library, blank.model, blank.case, "timeout")
        return Outcome(**receiver.recv())
    except EOFError:
        return Outcome(blank.library, blank.model, blank.case, "crashed")
    finally:
        child.kill()
        child.join()


def work_of(arguments: argparse.Namespace) -> Iterator[tuple[Outcome, Callable[[], Outcome]]]:
    """The cases that were asked for."""
    for library in arguments.library:
        for name, makes in models(library).items():
            if arguments.names and name not in arguments.names:
                continue
            for case, make in makes.items():
                if not arguments.cases or case in arguments.cases:
                    work = partial(outcome_of, library, name, case, make)
                    yield Outcome(library, name, case, ""), work


# ---- the page


def page(outcomes: Sequence[Outcome]) -> str:
    """The page of outcomes."""
    lines = [
        "# Models of ONNX",
        "",
        "Models with random weights, exported and run by ONNX Runtime "
        f"{onnxruntime.__version__} and by `stablemate.onnx.InferenceSession` on the same file. "
        "Those count that the exporter writes and ONNX Runtime runs. `python -m tools.onnx_models` "
        "runs the cases, `--table` writes this page from its logs. Models of Keras are those of "
        "`keras.applications` and networks of its layers, with a batch that varies; optimum's are "
        "small configurations of transformers; boosted trees are those of LightGBM and XGBoost. "
        "Logs of environments are joined: rows of PyTorch's libraries, Keras and optimum are of "
        "older runs than those of scikit-learn and boosted trees.",
        "",
        "| export | passed | of |",
        "|---|---|---|",
    ]
    counted = [o for o in outcomes if o.verdict not in ("export", "runtime")]
    for case in dict.fromkeys(o.case for o in counted):
        rows = [o for o in counted if o.case == case]
        lines.append(f"| {case} | {sum(o.verdict == 'passed' for o in rows)} | {len(rows)} |")
    lines += ["", "| library | model | exports that pass | others |", "|---|---|---|---|"]
    for library, model in dict.fromkeys((o.library, o.model) for o in counted):
        rows = [o for o in counted if (o.library, o.model) == (library, model)]
        passed = ", ".join(o.case for o in rows if o.verdict == "passed")
        others = "; ".join(reason(o) for o in rows if o.verdict != "passed")
        lines.append(f"| {library} | {model} | {passed} | {others} |")
    return "\n".join([*lines, ""])


def reason(outcome: Outcome) -> str:
    """Why a case does not pass."""
    text = outcome.message or f"{outcome.difference:.1e}"
    return f"{outcome.case}: {outcome.verdict}, {text}".replace("|", "\\|")


def read_log(paths: Sequence[str]) -> list[Outcome]:
    """The outcomes of logs; a later one of the same case replaces an earlier one."""
    lines = [line for path in paths for line in Path(path).read_text().splitlines()]
    latest = [Outcome(**json.loads(line)) for line in lines]
    return list({(o.library, o.model, o.case): o for o in latest}.values())


def main() -> int:
    """Runs the comparison, or writes the page of earlier ones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--names", nargs="*")
    parser.add_argument("--library", nargs="*", choices=LIBRARIES, default=LIBRARIES)
    parser.add_argument("--cases", nargs="*", help="the exports, as the page calls them")
    parser.add_argument("--seconds", type=float, default=300, help="for a case")
    parser.add_argument("--log", help="a file to which lines of JSON are appended")
    parser.add_argument("--resume", action="store_true", help="leave out what the log has")
    parser.add_argument("--table", help="write this page from logs")
    parser.add_argument("--from", nargs="*", dest="logs", default=[], help="logs for the page")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.table:
        Path(arguments.table).write_text(page(read_log(arguments.logs)))
        return 0
    logged = read_log([arguments.log]) if arguments.resume else []
    done = {(o.library, o.model, o.case) for o in logged}
    counts: Counter[str] = Counter()
    with open(arguments.log or os.devnull, "a") as log, progress("comparing"):
        for blank, work in with_progress([*work_of(arguments)], "case"):
            if (blank.library, blank.model, blank.case) in done:
                continue
            outcome = in_child(work, arguments.seconds, blank)
            counts[outcome.verdict] += 1
            print(json.dumps(asdict(outcome)), file=log, flush=True)
            if arguments.verbose or outcome.verdict in FAULTS:
                print(
                    f"{outcome.library} {outcome.model}, {outcome.case}: {outcome.verdict} "
                    f"{outcome.difference:.1e} {outcome.seconds} s {outcome.message}", flush=True,
                )  # fmt: skip
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return int(any(counts[fault] for fault in FAULTS))


if __name__ == "__main__":
    sys.exit(main())
