"""What needs PyTorch itself: files of a model, and models under ``torch.compile``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

import stablemate as sm
from benchmarks.inference.models import create, inputs
from benchmarks.inference.peers import Case
from benchmarks.inference.quantization import quantize
from stablemate.bridges.torch.backend import stablemate


def export(case: Case) -> None:
    """Writes the files of a model: ONNX, StableHLO if it is not quantized, and its inputs."""
    model, example = create(case.name), inputs(case.name, case.batch)
    case.folder.mkdir(parents=True, exist_ok=True)
    write_onnx(model, example, case)
    arrays = {f"{number:03}": tensor.numpy() for number, tensor in enumerate(example)}
    if case.is_quantized:
        quantize(case.onnx, [*arrays.values()])
    else:
        sm.from_torch(model, *example).save(case.stablehlo)
    np.savez(case.folder / "inputs.npz", **arrays)


def write_onnx(model: Any, example: tuple[Any, ...], case: Case) -> None:
    """Writes ONNX by PyTorch's older exporter, which takes a tenth of the time where it can."""
    try:
        torch.onnx.export(model, example, case.onnx, dynamo=False, verbose=False)
    except Exception:  # whatever it meets; each operator that it lacks has an error of its own
        torch.onnx.export(model, example, case.onnx, dynamo=True, verbose=False)


def compiled(name: str, batch: int, backend: str) -> Callable[[], Any]:
    """A call of a model under ``torch.compile`` with freezing."""
    chosen: Any = stablemate if backend == "stablemate" else backend
    model = torch.compile(create(name), backend=chosen, options={"freezing": True})
    example = inputs(name, batch)

    def run() -> Any:
        with torch.no_grad():
            return model(*example).numpy()

    return run
