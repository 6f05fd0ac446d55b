"""Options of sessions and runs, as ONNX Runtime has them.

Source: ONNX Runtime, Python API.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from typing import NoReturn

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError, UnsupportedError
from stablemate.onnx.values import OrtValue


class Option(IntEnum):
    """A choice, written as ONNX Runtime writes it."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


class GraphOptimizationLevel(Option):
    """How much a model is rewritten; the compiler decides that here."""

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(Option):
    """Whether nodes run at the same time."""

    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class ExecutionOrder(Option):
    """In which order nodes run."""

    DEFAULT = 0
    PRIORITY_BASED = 1
    MEMORY_EFFICIENT = 2


@dataclass(slots=True)
class SessionOptions:
    """Options of a session; those that are not explained are taken and have no effect.

    Attributes:
        enable_profiling: Whether runs are recorded; ``end_profiling`` writes them to a file.
        intra_op_num_threads: How many threads a run may use; 0 are as many as there are.
        optimized_model_filepath: Where the model is written, as it is: what the compiler makes of
            it is no model of ONNX.
        profile_file_prefix: What the name of the file of recorded runs begins with.
        entries: What ``add_session_config_entry`` was given.
        sizes: What ``add_free_dimension_override_by_name`` was given.
        sizes_by_denotation: What ``add_free_dimension_override_by_denotation`` was given.
        providers: What ``add_provider`` was given.
        initializers: What ``add_initializer`` was given.
    """

    enable_cpu_mem_arena: bool = True
    enable_mem_pattern: bool = True
    enable_mem_reuse: bool = True
    enable_profiling: bool = False
    execution_mode: ExecutionMode = ExecutionMode.ORT_SEQUENTIAL
    execution_order: ExecutionOrder = ExecutionOrder.DEFAULT
    graph_optimization_level: GraphOptimizationLevel = GraphOptimizationLevel.ORT_ENABLE_ALL
    inter_op_num_threads: int = 0
    intra_op_num_threads: int = 0
    log_severity_level: int = -1
    log_verbosity_level: int = 0
    logid: str = ""
    optimized_model_filepath: str = ""
    profile_file_prefix: str = "onnxruntime_profile_"
    use_deterministic_compute: bool = False
    use_per_session_threads: bool = True
    entries: dict[str, str] = field(default_factory=dict[str, str])
    sizes: dict[str, int] = field(default_factory=dict[str, int])
    sizes_by_denotation: dict[str, int] = field(default_factory=dict[str, int])
    providers: list[str] = field(default_factory=list[str])
    initializers: dict[str, OrtValue] = field(default_factory=dict[str, OrtValue])

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Notes an entry of the configuration, which has no effect."""
        self.entries[key] = value

    def get_session_config_entry(self, key: str) -> str:
        """An entry of the configuration.

        Raises:
            ArgumentValueError: There is none with this key.
        """
        if key not in self.entries:
            raise ArgumentValueError(f"the session has no entry {key!r} in its configuration")
        return self.entries[key]

    def has_session_config_entry(self, key: str) -> bool:
        """Whether the configuration has an entry."""
        return key in self.entries

    def add_free_dimension_override_by_name(self, name: str, size: int) -> None:
        """Makes all dimensions with a name a number."""
        self.sizes[name] = size

    def add_free_dimension_override_by_denotation(self, denotation: str, size: int) -> None:
        """Makes all dimensions of inputs that denote something, as ``DATA_BATCH``, a number."""
        self.sizes_by_denotation[denotation] = size

    def add_provider(self, name: str, options: Mapping[str, str] | None = None) -> None:
        """Notes an execution provider, which has no effect: the processor runs models."""
        self.providers.append(name)

    def has_providers(self) -> bool:
        """Whether execution providers were added by ``add_provider``."""
        return bool(self.providers)

    def register_custom_ops_library(self, path: str) -> NoReturn:
        """Refuses operators that are machine code.

        Raises:
            UnsupportedError: Always.
        """
        raise UnsupportedError(f"{path}: operators of a library have no translation to StableHLO")

    def add_initializer(self, name: str, value: OrtValue) -> None:
        """Gives an initializer of the model another value."""
        self.initializers[name] = value

    def add_external_initializers(self, names: Sequence[str], values: Sequence[OrtValue]) -> None:
        """Gives initializers of the model, whose data are elsewhere, their values."""
        self.initializers |= dict(zip(names, values, strict=True))


@dataclass(slots=True)
class RunOptions:
    """Options of a run, which have no effect here."""

    log_severity_level: int = -1
    log_verbosity_level: int = 0
    logid: str = ""
    only_execute_path_to_fetches: bool = False
    terminate: bool = False
    training_mode: bool = False
    entries: dict[str, str] = field(default_factory=dict[str, str])

    def add_run_config_entry(self, key: str, value: str) -> None:
        """Notes an entry of the configuration."""
        self.entries[key] = value

    def get_run_config_entry(self, key: str) -> str:
        """An entry of the configuration; empty if there is none."""
        return self.entries.get(key, "")
