"""Compares models that exporters write with ONNX Runtime, on the same file.

::

    python -m tools.onnx_models --names resnet18 bert --cases "dynamo static" --verbose
    python -m tools.onnx_models --log models.jsonl
    python -m tools.onnx_models --table docs/onnx-models.md --from models.jsonl

Models of PyTorch's libraries, with random weights, are exported by ``torch.onnx`` by both of its
ways, with known sizes and with a batch that varies; models of scikit-learn by skl2onnx. Each model
is run in a child process. The exit code is 1 if anything differs or fails.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import multiprocessing
import os
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
import torch

from stablemate.cli.output.progress import progress
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.progress import counted
from stablemate.onnx import InferenceSession
from tools.torch_zoo.rows import LIBRARIES, Model, split

CASES: Final = ("dynamo static", "dynamo dynamic", "torchscript static", "torchscript dynamic")
SKLEARN: Final = "scikit-learn"
BATCH: Final = 2
OTHER_BATCH: Final = 3
TOLERANCE: Final = 2e-4  # of the largest element of an output
FAULTS: Final = ("differs", "failed", "crashed", "timeout")
Feeds = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case.

    Attributes:
        library: Where the model is from.
        model: Its name.
        case: How it was exported.
        verdict: ``passed``, one of ``FAULTS``, ``export`` if the exporter fails, ``runtime`` if
            ONNX Runtime does.
        difference: The largest difference, as a part of the largest element.
        message: What failed.
        seconds: How long it took.
    """

    library: str
    model: str
    case: str
    verdict: str
    difference: float = 0.0
    message: str = ""
    seconds: float = 0.0


class ExportError(Exception):
    """The exporter does not write the model."""


def exported(row: Model, case: str) -> tuple[bytes, list[Feeds]]:
    """A model as the exporter writes it, and inputs for it.

    Raises:
        ExportError: The exporter fails.
    """
    way, sizes = case.split()
    try:
        torch.manual_seed(0)
        model = without_cache(row.make().eval())
        positional, keywords = split(row.inputs(BATCH))
        content = export(model, positional, keywords, way, varies=sizes == "dynamic")
    except Exception as error:
        raise ExportError(f"{type(error).__name__}: {short(error)}") from error
    names = [value.name for value in onnxruntime.InferenceSession(content).get_inputs()]
    batches = (BATCH, OTHER_BATCH) if sizes == "dynamic" else (BATCH,)
    return content, [feeds_of(row, batch, names) for batch in batches]


def without_cache(model: Any) -> Any:
    """A model that returns tuples, without a cache of keys and values, if it can have one."""
    config = getattr(model, "config", None)
    for part in (config, getattr(config, "text_config", None)):
        if part is not None:
            part.use_cache = False
    return model


def export(
    model: torch.nn.Module, positional: tuple[Any, ...], keywords: dict[str, Any], way: str, *,
    varies: bool,
) -> bytes:  # fmt: skip
    """A model as the exporter writes it."""
    content = io.BytesIO()
    if way == "dynamo":
        sizes: Any = None
        if varies:
            sizes = tuple([batched(value, torch.export.Dim.AUTO) for value in positional])
            named = {k: batched(v, torch.export.Dim.AUTO) for k, v in keywords.items()}
            sizes = sizes if positional else named
        program = torch.onnx.export(
            model, positional, kwargs=keywords, dynamo=True, verbose=False,
            dynamic_shapes=sizes,
        )  # fmt: skip
        assert program is not None
        return bytes(program.model_proto.SerializeToString())
    names = [f"input_{i}" for i in range(len(positional))] + list(keywords)
    axes = {name: {0: "batch"} for name in names} if varies else None
    with torch.no_grad():
        torch.onnx.export(
            model, (*positional, keywords) if keywords else positional, content, dynamo=False,
            input_names=names, dynamic_axes=axes, opset_version=17,
        )  # fmt: skip
    return content.getvalue()


def batched(value: Any, size: Any) -> Any:
    """Which dimensions of an input vary."""
    return {0: size} if isinstance(value, torch.Tensor) else None


def feeds_of(row: Model, batch: int, names: Sequence[str]) -> Feeds:
    """Inputs of a model by the names that the exporter gave them."""
    torch.manual_seed(batch)
    positional, keywords = split(row.inputs(batch))
    tensors = [value.numpy() for value in positional if isinstance(value, torch.Tensor)]
    rest = [name for name in names if name not in keywords]
    return {
        **dict(zip(rest, tensors, strict=False)),
        **{name: keywords[name].numpy() for name in names if name in keywords},
    }


def sklearn_models() -> dict[str, Callable[[], tuple[bytes, list[Feeds]]]]:
    """Models of scikit-learn, fitted to random numbers."""
    return import_module("tools.onnx_sklearn").models()  # type: ignore[no-any-return]


def outcome_of(library: str, name: str, case: str, make: Callable[[], Any]) -> Outcome:
    """Exports a model and runs it here and in ONNX Runtime."""
    begin = time.perf_counter()

    def outcome(verdict: str, difference: float = 0.0, message: str = "") -> Outcome:
        seconds = round(time.perf_counter() - begin, 2)
        return Outcome(library, name, case, verdict, difference, message, seconds)

    try:
        content, feeds = make()
    except ExportError as error:
        return outcome("export", message=str(error))
    try:
        peer = onnxruntime.InferenceSession(content)
        expected = [peer.run(None, feed) for feed in feeds]
    except Exception as error:
        return outcome("runtime", message=short(error))
    try:
        session = InferenceSession(content)
        results = [session.run(None, feed) for feed in feeds]
    except StablemateError as error:
        return outcome("failed", message=short(error))
    except Exception as error:
        traceback.print_exc()
        return outcome("failed", message=f"{type(error).__name__}: {short(error)}")
    pairs = [
        pair
        for wanted, found in zip(expected, results, strict=True)
        for pair in zip(wanted, found, strict=True)
    ]
    largest = max(difference(*pair) for pair in pairs)
    return outcome("passed" if largest <= TOLERANCE else "differs", largest)


def difference(expected: Any, result: Any) -> float:
    """The largest difference, as a part of the largest element; infinite for other shapes."""
    if isinstance(expected, list):
        pairs = zip(expected, result, strict=True)
        return max((difference(*pair) for pair in pairs), default=0.0)
    if isinstance(expected, dict):
        if expected.keys() != result.keys():
            return math.inf
        return max(difference(np.array(v), np.array(result[k])) for k, v in expected.items())
    one, other = np.asarray(expected), np.asarray(result)
    if one.shape != other.shape:
        return math.inf
    if one.dtype.kind in "OUS" or not one.size:
        return 0.0 if one.tolist() == other.tolist() else math.inf
    one, other = one.astype(np.float64), other.astype(np.float64)
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    gap = np.where(same, 0, np.abs(one - other))
    scale = max(float(np.max(np.abs(np.where(np.isfinite(one), one, 0)))), 1e-6)
    return float(np.nan_to_num(np.max(gap) / scale, nan=math.inf))


def short(error: Exception) -> str:
    """The first part of an error."""
    return " ".join(str(error).split())[:240]


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
        if library == SKLEARN:
            for name, make in sklearn_models().items():
                if not arguments.names or name in arguments.names:
                    blank = Outcome(library, name, "skl2onnx", "")
                    yield blank, bound(library, name, "skl2onnx", make)
            continue
        rows: list[Model] = import_module(f"tools.torch_zoo.{library}_models").models()
        for row in rows:
            if arguments.names and row.name not in arguments.names:
                continue
            for case in arguments.cases:
                blank = Outcome(library, row.name, case, "")
                yield blank, bound(library, row.name, case, bound_export(row, case))


def bound(library: str, name: str, case: str, make: Callable[[], Any]) -> Callable[[], Outcome]:
    """The work of a case."""
    return lambda: outcome_of(library, name, case, make)


def bound_export(row: Model, case: str) -> Callable[[], Any]:
    """The export of a case."""
    return lambda: exported(row, case)


# ---- the page


def page(outcomes: Sequence[Outcome]) -> str:
    """The page of outcomes."""
    lines = [
        "# Models of ONNX",
        "",
        "Models with random weights, exported and run by ONNX Runtime "
        f"{onnxruntime.__version__} and by `stablemate.onnx.InferenceSession` on the same file. "
        "Those count that the exporter writes and ONNX Runtime runs. `python -m tools.onnx_models` "
        "runs the cases, `python -m tools.onnx_folder` those of a folder (optimum's, of small "
        "configurations, written by `optimum-cli export onnx`); `--table` writes this page from "
        "their logs.",
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
    libraries = (*LIBRARIES, SKLEARN)
    parser.add_argument("--library", nargs="*", choices=libraries, default=libraries)
    parser.add_argument("--cases", nargs="*", choices=CASES, default=CASES)
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
    torch.set_num_threads(1)
    logged = read_log([arguments.log]) if arguments.resume else []
    done = {(o.library, o.model, o.case) for o in logged}
    counts: Counter[str] = Counter()
    with open(arguments.log or os.devnull, "a") as log, progress("comparing"):
        for blank, work in counted([*work_of(arguments)], "case"):
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
