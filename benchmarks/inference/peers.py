"""The runtimes: each takes the files of a model, or the model itself, and returns what runs it.

PyTorch is imported only by those that need it, so that others do not take its memory.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import stablemate as sm

Run = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A model of a batch, exported to a folder.

    Attributes:
        name: The name of the model.
        batch: The batch.
        folder: The folder of its files.
        threads: The threads of a run.
        is_quantized: Whether the model in ONNX is quantized to 8 bits; then there is no other.
    """

    name: str
    batch: int
    folder: Path
    threads: int
    is_quantized: bool = False

    @property
    def onnx(self) -> Path:
        """The model as ONNX."""
        return self.folder / "model.onnx"

    @property
    def stablehlo(self) -> Path:
        """The model as StableHLO, in bytecode."""
        return self.folder / "model.mlirbc"

    @property
    def is_complete(self) -> bool:
        """Whether all its files have been written; the inputs are the last ones."""
        return (self.folder / "inputs.npz").exists()

    @property
    def arrays(self) -> list[Any]:
        """Its inputs as arrays."""
        with np.load(self.folder / "inputs.npz") as stored:
            return [stored[name] for name in stored.files]


def onnx_runtime(case: Case) -> Run:
    """ONNX Runtime on the file."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = case.threads
    session = onnxruntime.InferenceSession(case.onnx, options)
    names = [argument.name for argument in session.get_inputs()]
    feeds = dict(zip(names, case.arrays, strict=True))
    return lambda: session.run(None, feeds)[0]


def openvino(case: Case) -> Run:
    """OpenVINO on the file, in f32."""
    import openvino as runtime

    options = {
        "INFERENCE_NUM_THREADS": case.threads,
        "INFERENCE_PRECISION_HINT": "f32",
        "PERFORMANCE_HINT": "LATENCY",
    }
    request = runtime.Core().compile_model(case.onnx, "CPU", options).create_infer_request()
    arrays = case.arrays
    return lambda: request.infer(arrays)[0]


def xla(case: Case) -> Run:
    """XLA:CPU in jaxlib on the StableHLO file."""
    import jax
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jaxlib.mlir import ir

    device = jax.devices("cpu")[0]
    with mlir.make_ir_context():
        module = ir.Module.parse(case.stablehlo.read_bytes())
        devices, options = xla_client.DeviceList((device,)), xla_client.CompileOptions()
        executable = device.client.compile_and_load(module, devices, options)
    arrays = [jax.device_put(array, device) for array in case.arrays]
    return lambda: executable.execute(arrays)[0].block_until_ready()


def from_torch(case: Case) -> Run:
    """This package on the StableHLO file that ``from_torch`` wrote."""
    executable, arrays = sm.compile(sm.load(case.stablehlo)), case.arrays
    return lambda: executable(*arrays)


def from_onnx(case: Case) -> Run:
    """This package on the file of ONNX."""
    executable, arrays = sm.compile(sm.load(case.onnx)), case.arrays
    return lambda: executable(*arrays)


def inductor(case: Case) -> Run:
    """PyTorch's own compiler."""
    return by_torch_compile(case, "inductor")


def under_torch_compile(case: Case) -> Run:
    """This package under ``torch.compile``."""
    return by_torch_compile(case, "stablemate")


def by_torch_compile(case: Case, backend: str) -> Run:
    """The model under ``torch.compile``, with weights that do not change."""
    from benchmarks.inference.torch_compile import compiled

    return compiled(case.name, case.batch, backend)


PEERS: Final[Mapping[str, Callable[[Case], Run]]] = {
    "ONNX Runtime": onnx_runtime,
    "OpenVINO": openvino,
    "inductor": inductor,
    "XLA": xla,
    "torch.compile": under_torch_compile,
    "from_torch": from_torch,
    "from_onnx": from_onnx,
}
OURS: Final = ("torch.compile", "from_torch", "from_onnx")
OF_ONNX: Final = ("ONNX Runtime", "OpenVINO", "from_onnx")  # those that read files of ONNX
MODULES: Final = {
    "ONNX Runtime": "onnxruntime", "OpenVINO": "openvino", "XLA": "jaxlib", "from_onnx": "onnx",
}  # fmt: skip


def installed() -> list[str]:
    """The peers whose packages are installed."""
    return [name for name in PEERS if importlib.util.find_spec(MODULES.get(name, "torch"))]
