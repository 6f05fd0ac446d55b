"""The class of ONNX Runtime that programs use, on stablemate.

Source: ONNX Runtime, Python API.
"""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any, Final

import numpy as np

from stablemate.api.backends import DEFAULT_BACKEND
from stablemate.api.known_programs import large_content_again
from stablemate.api.onnx_models import OnnxPrograms, with_initializers, with_sizes
from stablemate.atomic_files import write_atomically
from stablemate.diagnostics.errors import ArgumentTypeError, ArgumentValueError, StablemateError
from stablemate.diagnostics.limits import DEFAULT_LIMITS, limits_of_machine
from stablemate.formats.recognition import Input, bytes_of, read_input
from stablemate.frontends.onnx import onnx_package
from stablemate.frontends.onnx.importer import reject_malformed
from stablemate.frontends.onnx.model import Model
from stablemate.onnx.binding import IOBinding
from stablemate.onnx.options import RunOptions, SessionOptions
from stablemate.onnx.runtime import PROVIDERS, RANDOMNESS
from stablemate.onnx.values import ModelMetadata, NodeArg, OrtValue, node_arg

Callback = Callable[[list[Any], Any, str], None]

NO_VERSION: Final = (1 << 63) - 1  # of a model that states none


class InferenceSession:
    """A model, loaded to be run; the methods of ONNX Runtime's class.

    A tensor that a run computes may be as large as the memory of the machine, not only as
    ``Limits.tensor_bytes`` says. A model of more than 64 MB is dropped when it is compiled, and
    its file is read again if more is asked: that is a ``FileError`` if it was changed in place.
    """

    def __init__(
        self, path_or_bytes: str | os.PathLike[str] | bytes,
        sess_options: SessionOptions | None = None, providers: Sequence[object] | None = None,
        provider_options: object = None, *, backend: str = DEFAULT_BACKEND, **others: object,
    ) -> None:  # fmt: skip
        """Loads a model.

        Args:
            path_or_bytes: The path of the file, or its bytes.
            sess_options: Options.
            providers: What runs the model, in order; there is only the processor, and a warning
                says so if it is not among them.
            provider_options: Has no effect.
            backend: What runs it, as for ``sm.compile``.
            **others: Have no effect, as ``disabled_optimizers``.

        Raises:
            StablemateError: The file cannot be read, is damaged, or has unknown operators.
        """
        options = sess_options or SessionOptions()
        self.options = options
        self.set_providers(providers)
        input_ = read_input(path_or_bytes, None, DEFAULT_LIMITS)
        folder = None if isinstance(path_or_bytes, bytes) else Path(path_or_bytes).parent
        sizes, denoted = dict(options.sizes), dict(options.sizes_by_denotation)
        replaced = {name: value.numpy() for name, value in options.initializers.items()}

        def read(input_: Input) -> Model:
            content = bytes_of(input_, "onnx")
            model = onnx_package.read_model(content, input_.name, folder)
            model = replace(model, content=input_.digest)
            return with_initializers(with_sizes(model, sizes, denoted), replaced)

        model = read(input_)
        reject_malformed(model)
        if options.optimized_model_filepath:
            content = bytes_of(input_, "onnx")
            write_atomically(options.optimized_model_filepath, lambda stream: stream.write(content))
        threads = options.intra_op_num_threads or None
        again = large_content_again(input_)
        read_again = None if again is None else lambda: read(again())
        self.programs = OnnxPrograms(model, backend, threads, limits_of_machine(), read_again)
        self.started = time.perf_counter()
        self.started_ns = time.perf_counter_ns()
        self.recorded: list[tuple[float, float]] = []  # starts and durations of runs
        self.last_feeds: Mapping[str, object] | None = None

    @property
    def model(self) -> Model:
        """The model that is run, as it was read; a large one is read again."""
        return self.programs.model

    @property
    def input_names(self) -> list[str]:
        """The names of what a run takes."""
        return [value.name for value in self.programs.outline.graph.inputs]

    @property
    def output_names(self) -> list[str]:
        """The names of what a run gives."""
        return [value.name for value in self.programs.outline.graph.outputs]

    def get_inputs(self) -> list[NodeArg]:
        """The name, the shape and the type of each input that a run needs."""
        return [node_arg(value) for value in self.programs.inputs]

    def get_outputs(self) -> list[NodeArg]:
        """The name, the shape and the type of each output."""
        return [node_arg(value) for value in self.programs.outline.graph.outputs]

    def get_overridable_initializers(self) -> list[NodeArg]:
        """The initializers that are inputs: a run may be given other values for them."""
        graph = self.programs.outline.graph
        return [node_arg(value) for value in graph.inputs if value.name in graph.initializers]

    def get_modelmeta(self) -> ModelMetadata:
        """The metadata of the model."""
        model = self.programs.outline
        version = NO_VERSION if model.model_version is None else model.model_version
        return ModelMetadata(
            model.producer_name, model.graph.name, model.domain, model.description,
            model.graph.description, version, dict(model.metadata),
        )  # fmt: skip

    def get_providers(self) -> list[str]:
        """The execution providers: that of the processor alone."""
        return list(PROVIDERS)

    def get_provider_options(self) -> dict[str, dict[str, str]]:
        """The options of each execution provider: none."""
        return {name: {} for name in PROVIDERS}

    def set_providers(
        self, providers: Sequence[Any] | None = None, provider_options: Any = None
    ) -> None:
        """Takes the names of execution providers, some of them with options.

        Only the processor runs models: a warning says so if it is not among them.
        """
        names = [item if isinstance(item, str) else item[0] for item in providers or PROVIDERS]
        if not {*PROVIDERS} & {*names}:
            warnings.warn(f"{PROVIDERS[0]} runs the model instead of {names}", stacklevel=3)

    def enable_fallback(self) -> None:
        """Has no effect: there is nothing to fall back to."""

    def disable_fallback(self) -> None:
        """Has no effect: there is nothing to fall back to."""

    def get_session_options(self) -> SessionOptions:
        """The options with which the session was created."""
        return self.options

    def run(
        self, output_names: Sequence[str] | None, input_feed: Mapping[str, object],
        run_options: RunOptions | None = None,
    ) -> list[Any]:  # fmt: skip
        """The outputs of the model.

        Args:
            output_names: Which ones; by default all.
            input_feed: The inputs by name.
            run_options: Has no effect.

        Raises:
            ArgumentError: An input or output is unknown, or does not fit.
        """
        names = self.output_names
        unknown = [name for name in output_names or () if name not in names]
        if unknown:
            raise ArgumentValueError(f"the model has no outputs {unknown}; it has {names}")
        if not hasattr(input_feed, "items"):
            kind, inputs = type(input_feed).__name__, [value.name for value in self.get_inputs()]
            raise ArgumentTypeError(
                f"inputs are given by name, as a dictionary with {inputs}, not as {kind}"
            )
        arrays = {k: v.array if isinstance(v, OrtValue) else v for k, v in input_feed.items()}
        start = time.perf_counter()
        outputs = self.programs.run(arrays, seed=RANDOMNESS.seed())
        if self.options.enable_profiling:
            self.recorded.append((start, time.perf_counter() - start))
            self.last_feeds = arrays
        if not output_names:
            return outputs
        return [outputs[names.index(name)] for name in output_names]

    def run_with_ort_values(
        self, output_names: Sequence[str] | None, input_dict_ort_values: Mapping[str, OrtValue],
        run_options: RunOptions | None = None,
    ) -> list[OrtValue]:  # fmt: skip
        """The outputs of the model as values; see ``run``."""
        outputs = self.run(output_names, input_dict_ort_values, run_options)
        return [OrtValue(output) for output in outputs]

    def run_with_ortvaluevector(
        self, run_options: RunOptions | None, feed_names: Sequence[str],
        feeds: Sequence[OrtValue], fetch_names: Sequence[str], fetches: list[OrtValue],
        fetch_devices: object = None,
    ) -> None:  # fmt: skip
        """Runs the model on values in the order of names, and appends outputs to a list."""
        given = dict(zip(feed_names, feeds, strict=True))
        fetches += self.run_with_ort_values(fetch_names, given, run_options)

    def get_tuning_results(self) -> list[object]:
        """None: the compiler tunes nothing that a session could keep."""
        return []

    def set_tuning_results(self, results: object, *, error_on_invalid: bool = False) -> None:
        """Does nothing: no kernel here is chosen by measured times."""

    def run_async(
        self, output_names: Sequence[str] | None, input_feed: Mapping[str, object],
        callback: Callback, user_data: object, run_options: RunOptions | None = None,
    ) -> None:  # fmt: skip
        """Runs the model in a thread.

        Args:
            output_names: Which outputs are wanted; by default all.
            input_feed: The inputs by name.
            callback: It is called in that thread with the outputs, ``user_data`` and the message of
                an error, which is empty if there is none.
            user_data: What the callback is given.
            run_options: Has no effect.
        """

        def work() -> None:
            try:
                outputs, message = self.run(output_names, input_feed, run_options), ""
            except StablemateError as error:
                outputs, message = [], str(error)
            callback(outputs, user_data, message)

        Thread(target=work, name="run_async").start()

    def get_profiling_start_time_ns(self) -> int:
        """When the session began, on the clock of ``time.perf_counter_ns``."""
        return self.started_ns

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
        path = f"{self.options.profile_file_prefix}_{stamp}.json"
        Path(path).write_text(json.dumps(events))
        self.recorded.clear()
        return path

    def io_binding(self) -> IOBinding:
        """A binding of inputs and outputs."""
        return IOBinding(self)

    def run_with_iobinding(self, iobinding: IOBinding, run_options: object = None) -> None:
        """Runs the model on bound inputs."""
        iobinding.outputs = self.run(list(iobinding.targets) or None, iobinding.inputs)
        for target, output in zip(iobinding.targets.values(), iobinding.outputs, strict=False):
            if target is not None:
                np.copyto(target, output)


def trace_event(
    name: str, category: str, start: float, seconds: float, **arguments: str
) -> dict[str, object]:
    """A complete event of the trace format of Chrome, in microseconds."""
    return {
        "cat": category, "pid": os.getpid(), "tid": 0, "ts": round(start * 1e6),
        "dur": round(seconds * 1e6), "ph": "X", "name": name, "args": arguments,
    }  # fmt: skip
