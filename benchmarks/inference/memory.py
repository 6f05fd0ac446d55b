"""The memory of a model in each way to run it: after some runs, and the most until then.

python -m benchmarks.inference.memory --models "resnet50" "bert-base, 128 tokens"

Each way runs in two new processes, whose caches are empty at first. MB of a process without its
program, which are those of Python, NumPy and PyTorch, are measured before and subtracted. A file
that is mapped counts where its pages are in memory; they are shared with other processes.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np

import stablemate as sm
from benchmarks.inference.peers import PEERS, Case, Run

RUNS: Final = 3
STATUS: Final = Path("/proc/self/status")
TORCH: Final = ("pt2", "from_torch", "torch.compile")  # ways that import PyTorch


def session(case: Case) -> Run:
    """The file of ONNX by the class of ONNX Runtime's interface."""
    from stablemate.onnx import InferenceSession

    runs, arrays = InferenceSession(case.onnx), case.arrays
    names = [argument.name for argument in runs.get_inputs()]
    feeds = dict(zip(names, arrays, strict=True))
    return lambda: runs.run(None, feeds)[0]


def pt2(case: Case) -> Run:
    """The file that ``torch.export.save`` wrote."""
    executable, arrays = sm.compile(sm.load(case.folder / "model.pt2")), case.arrays
    return lambda: executable(*arrays)


def live(case: Case) -> Run:
    """The module of PyTorch, which the caller holds."""
    from benchmarks.inference.models import create, inputs

    model = create(case.name)
    program = sm.from_torch(model, *inputs(case.name, case.batch))
    executable, arrays = sm.compile(program), case.arrays
    return lambda: (executable(*arrays), model)[0]


def frozen(case: Case) -> Run:
    """The program whose weights are arguments that do not change; they are read from the file."""
    from stablemate.api.onnx_models import OnnxModule

    module = sm.load(case.onnx)
    assert isinstance(module, OnnxModule)
    given = module.with_weights_as_arguments()
    names = [argument.name for argument in given.entry().own_signature.arguments]
    weights = {f"%{name}": np.array(array) for name, array in given.weights.items()}
    count = len(names) - len(weights)
    values = [*case.arrays, *weights.values()]
    executable = sm.compile(given, frozen=range(count, len(names)))
    return lambda: executable(*values)


WAYS: Final[Mapping[str, Callable[[Case], Run]]] = {
    "ONNX Runtime": PEERS["ONNX Runtime"],
    "OpenVINO": PEERS["OpenVINO"],
    "stablehlo": PEERS["from_torch"],
    "onnx": PEERS["from_onnx"],
    "session": session,
    "pt2": pt2,
    "from_torch": live,
    "torch.compile": PEERS["torch.compile"],
    "frozen": frozen,
}


def megabytes(field: str) -> float:
    """A field of the state of this process in MB."""
    return int(STATUS.read_text().partition(f"{field}:")[2].split()[0]) / 1024


def measure(way: str, case: Case) -> dict[str, float]:
    """The memory before, the most until the first result, and the memory after some runs."""
    if way in TORCH:
        import torch  # whose memory is not that of the program

        torch.set_num_threads(case.threads)
        if way != "pt2":
            import_module("benchmarks.inference.torch_compile")
    gc.collect()
    before = megabytes("VmRSS")
    run = WAYS[way](case)
    run()
    first = megabytes("VmHWM")
    for _ in range(RUNS):
        run()
    gc.collect()
    return {
        "before": before, "peak": first, "steady": megabytes("VmRSS"),
        "own": megabytes("RssAnon"), "mapped": megabytes("RssFile"),
    }  # fmt: skip


def in_new_processes(way: str, case: Case) -> list[dict[str, float]]:
    """The memory of a way with empty caches, and with filled ones."""
    with tempfile.TemporaryDirectory() as caches:
        environment = os.environ | {"STABLEMATE_CACHE_DIR": caches}
        arguments = [way, case.name, str(case.batch), str(case.folder), str(case.threads)]
        command = [sys.executable, "-m", "benchmarks.inference.memory", "--measure", *arguments]
        return [
            json.loads(
                subprocess.run(
                    command, env=environment, check=True, capture_output=True, text=True
                ).stdout.splitlines()[-1]
            )
            for _ in range(2)
        ]


def complete(case: Case) -> None:
    """Writes the files of a model that are missing."""
    if case.is_complete and (case.folder / "model.pt2").exists():
        return
    import torch

    from benchmarks.inference.models import create, inputs
    from benchmarks.inference.torch_compile import export

    if not case.is_complete:
        export(case)
    model, example = create(case.name), inputs(case.name, case.batch)
    torch.export.save(torch.export.export(model, example), case.folder / "model.pt2")


def row(way: str, rows: list[dict[str, float]]) -> str:
    """A row of the table: empty caches, filled ones."""
    cells: list[str] = []
    for found in rows:
        peak, steady = (found[name] - found["before"] for name in ("peak", "steady"))
        cells += [f"{peak:.0f}", f"{steady:.0f} ({found['own']:.0f} + {found['mapped']:.0f})"]
    return f"| {way} | {rows[0]['before']:.0f} | {' | '.join(cells)} |"


def main() -> None:
    """Prints the tables."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="*", default=["resnet50"])
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, required=False)
    parser.add_argument(
        "--measure", nargs=5, metavar=("WAY", "MODEL", "BATCH", "FOLDER", "THREADS")
    )
    options = parser.parse_args()
    if options.measure:
        way, name, batch, folder, threads = options.measure
        print(json.dumps(measure(way, Case(name, int(batch), Path(folder), int(threads)))))
        return
    from benchmarks.inference.__main__ import file_megabytes, file_name

    with tempfile.TemporaryDirectory() as temporary:
        for name in options.models:
            folder = (options.folder or Path(temporary)) / f"{file_name(name)}_1"
            case = Case(name, 1, folder, options.threads)
            complete(case)
            print(f"\n{name}: {file_megabytes(case):.0f} MB of weights\n")
            print("| way | before | peak, empty | steady (own + mapped) | peak, filled | steady |")
            print("| --- | --- | --- | --- | --- | --- |")
            for way in options.ways:
                print(row(way, in_new_processes(way, case)), flush=True)


if __name__ == "__main__":
    main()
