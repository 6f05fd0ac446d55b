"""The class of ONNX Runtime that programs use, on stablemate.

Source: ONNX Runtime, Python API.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.onnx_models import OnnxPrograms
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError
from stablemate.diagnostics.limits import DEFAULT_LIMITS
from stablemate.formats.recognition import bytes_of, read_input
from stablemate.frontends.onnx import onnx_package
from stablemate.frontends.onnx.element_types import DATA_TYPES
from stablemate.frontends.onnx.importer import reject_unknown
from stablemate.frontends.onnx.model import Model, ValueInfo, ValueType
from stablemate.numerics.elements import Array

PROVIDERS: Final = ("CPUExecutionProvider",)


def get_available_providers() -> list[str]:
    """The execution providers: the processor alone."""
    return list(PROVIDERS)


def get_device() -> str:
    """What runs models: ``CPU``."""
    return "CPU"


@dataclass
class SessionOptions:
    """Options of a session; those that do not apply here are taken and have no effect.

    Attributes:
        intra_op_num_threads: How many threads a run may use; 0 are as many as there are.
        inter_op_num_threads: Has no effect.
        graph_optimization_level: Has no effect.
        execution_mode: Has no effect.
        enable_profiling: Whether runs are recorded; ``end_profiling`` writes them to a file.
        profile_file_prefix: What the name of that file begins with.
        log_severity_level: Has no effect.
        entries: What ``add_session_config_entry`` was given.
    """

    intra_op_num_threads: int = 0
    inter_op_num_threads: int = 0
    graph_optimization_level: Any = None
    execution_mode: Any = None
    enable_profiling: bool = False
    profile_file_prefix: str = "onnxruntime_profile_"
    log_severity_level: int = 2
    entries: dict[str, str] = field(default_factory=dict[str, str])

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Notes an entry of the configuration."""
        self.entries[key] = value


@dataclass
class RunOptions:
    """Options of a run, which have no effect here."""

    log_severity_level: int = 2
    only_execute_path_to_fetches: bool = False


@dataclass(frozen=True, slots=True)
class NodeArg:
    """An input or output of a model.

    Attributes:
        name: Its name.
        type: Its type, ``tensor(float)``.
        shape: Its sizes: numbers, names, None where nothing is known.
    """

    name: str
    type: str
    shape: list[int | str | None]


class OrtValue:
    """An array of a session's inputs and outputs."""

    def __init__(self, array: Array) -> None:
        self.array = array

    @staticmethod
    def ortvalue_from_numpy(array: Any, device: str = "cpu", device_id: int = 0) -> OrtValue:
        """The value of an array."""
        return OrtValue(np.asarray(array))

    def numpy(self) -> Array:
        """The array."""
        return self.array

    def shape(self) -> list[int]:
        """The sizes."""
        return list(self.array.shape)

    def device_name(self) -> str:
        """``cpu``."""
        return "cpu"


class InferenceSession:
    """A model, loaded to be run; the methods of ONNX Runtime's class."""

    def __init__(
        self, path_or_bytes: str | os.PathLike[str] | bytes,
        sess_options: SessionOptions | None = None, providers: Sequence[Any] | None = None,
        provider_options: Any = None, *, backend: str = DEFAULT_BACKEND,
    ) -> None:  # fmt: skip
        """Loads a model.

        Args:
            path_or_bytes: The path of the file, or its bytes.
            sess_options: Options.
            providers: Has no effect: the processor runs the model.
            provider_options: Has no effect.
            backend: What runs it, as for ``sm.compile``.

        Raises:
            StablemateError: The file cannot be read, is damaged, or has unknown operators.
        """
        options = sess_options or SessionOptions()
        self.options = options
        input_ = read_input(path_or_bytes, None, DEFAULT_LIMITS)
        folder = None if isinstance(path_or_bytes, bytes) else Path(path_or_bytes).parent
        model = onnx_package.read_model(bytes_of(input_, "onnx"), input_.name, folder)
        reject_unknown(model)
        self.programs = OnnxPrograms(model, backend, options.intra_op_num_threads or None)
        self.started = time.perf_counter()
        self.recorded: list[tuple[float, float]] = []  # starts and durations of runs
        self.last_feeds: Mapping[str, Any] | None = None

    @property
    def model(self) -> Model:
        """The model."""
        return self.programs.model

    def get_inputs(self) -> list[NodeArg]:
        """The inputs."""
        return [node_arg(value) for value in self.programs.inputs]

    def get_outputs(self) -> list[NodeArg]:
        """The outputs."""
        return [node_arg(value) for value in self.model.graph.outputs]

    def get_providers(self) -> list[str]:
        """The execution providers."""
        return list(PROVIDERS)

    def get_session_options(self) -> SessionOptions:
        """The options."""
        return self.options

    def run(
        self, output_names: Sequence[str] | None, input_feed: Mapping[str, Any],
        run_options: Any = None,
    ) -> list[Any]:  # fmt: skip
        """The outputs of the model.

        Args:
            output_names: Which ones; by default all.
            input_feed: The inputs by name.
            run_options: Has no effect.

        Raises:
            ArgumentError: An input or output is unknown, or does not fit.
        """
        arrays = {k: v.array if isinstance(v, OrtValue) else v for k, v in input_feed.items()}
        start = time.perf_counter()
        outputs = self.programs.run(arrays)
        if self.options.enable_profiling:
            self.recorded.append((start, time.perf_counter() - start))
            self.last_feeds = arrays
        names = [value.name for value in self.model.graph.outputs]
        if output_names is None:
            return outputs
        unknown = [name for name in output_names if name not in names]
        if unknown:
            raise ArgumentValueError(f"the model has no outputs {unknown}; it has {names}")
        return [outputs[names.index(name)] for name in output_names]

    def end_profiling(self) -> str:
        """Writes what runs took as trace events, with the kernels of the last one; its path.

        The kernels are measured in a further run. ``chrome://tracing`` and Perfetto show the file.
        """
        events = [
            trace_event("model_run", "Session", start - self.started, seconds)
            for start, seconds in self.recorded
        ]
        if self.last_feeds is not None:
            place = time.perf_counter() - self.started
            for row in self.programs.profile(self.last_feeds).rows:
                name = row.operations[-1].name if row.operations else row.what
                events.append(trace_event(name, "Node", place, row.seconds, kernel=row.what))
                place += row.seconds
        stamp = time.strftime("%Y-%m-%d_%H-%M-%S")
        path = f"{self.options.profile_file_prefix}{stamp}.json"
        Path(path).write_text(json.dumps(events))
        self.recorded.clear()
        return path

    def io_binding(self) -> IOBinding:
        """A binding of inputs and outputs."""
        return IOBinding(self)

    def run_with_iobinding(self, iobinding: IOBinding, run_options: Any = None) -> None:
        """Runs the model on bound inputs."""
        iobinding.outputs = self.run(list(iobinding.targets) or None, iobinding.inputs)
        for target, output in zip(iobinding.targets.values(), iobinding.outputs, strict=False):
            if target is not None:
                np.copyto(target, output)


class IOBinding:
    """Inputs and outputs of runs, bound to arrays."""

    def __init__(self, session: InferenceSession) -> None:
        self.session = session
        self.inputs: dict[str, Array] = {}
        self.targets: dict[str, Array | None] = {}
        self.outputs: list[Any] = []

    def bind_cpu_input(self, name: str, array: Any) -> None:
        """Binds an input to an array."""
        self.inputs[name] = np.asarray(array)

    def bind_ortvalue_input(self, name: str, value: OrtValue) -> None:
        """Binds an input to a value."""
        self.inputs[name] = value.array

    def bind_output(self, name: str, device_type: str = "cpu", **_: Any) -> None:
        """Binds an output to an array that the run makes.

        Raises:
            ArgumentTypeError: It is on another device.
        """
        if device_type != "cpu":
            raise ArgumentTypeError(f"outputs are on the cpu, not on {device_type}")
        self.targets[name] = None

    def bind_ortvalue_output(self, name: str, value: OrtValue) -> None:
        """Binds an output to a value, into which a run writes."""
        self.targets[name] = value.array

    def get_outputs(self) -> list[OrtValue]:
        """The outputs of the last run."""
        return [OrtValue(output) for output in self.outputs]

    def copy_outputs_to_cpu(self) -> list[Any]:
        """The outputs of the last run, as arrays."""
        return list(self.outputs)

    def clear_binding_inputs(self) -> None:
        """Binds no inputs."""
        self.inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Binds no outputs."""
        self.targets.clear()


def trace_event(
    name: str, category: str, start: float, seconds: float, **arguments: str
) -> dict[str, Any]:
    """A complete event of the trace format of Chrome, in microseconds."""
    return {
        "cat": category, "pid": os.getpid(), "tid": 0, "ts": round(start * 1e6),
        "dur": round(seconds * 1e6), "ph": "X", "name": name, "args": arguments,
    }  # fmt: skip


def node_arg(value: ValueInfo) -> NodeArg:
    """An input or output as ONNX Runtime describes it."""
    return NodeArg(value.name, type_text(value.type), list(value.type.shape or ()))


def type_text(known: ValueType) -> str:
    """A type as ONNX Runtime writes it: ``tensor(float)``, ``seq(tensor(float))``."""
    name, _ = DATA_TYPES.get(known.data_type, ("undefined", None))
    if known.item is None:
        return f"tensor({name})"
    if known.kind == "map":
        return f"map({name},{type_text(known.item)})"
    prefix = "seq" if known.kind == "sequence" else "optional"
    return f"{prefix}({type_text(known.item)})"
