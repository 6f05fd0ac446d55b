"""Functions of ONNX Runtime's module.

Source: ONNX Runtime, Python API.
"""

from __future__ import annotations

from typing import Final

import numpy as np

import stablemate

PROVIDERS: Final = ("CPUExecutionProvider",)


class SessionSeeds:
    """Where the random numbers of sessions come from."""

    def __init__(self) -> None:
        self.generator = np.random.default_rng()

    def seed(self) -> int:
        """The seed of the next run."""
        return int(self.generator.integers(1 << 62))


RANDOMNESS: Final = SessionSeeds()


def get_available_providers() -> list[str]:
    """The execution providers: the processor alone."""
    return list(PROVIDERS)


def get_all_providers() -> list[str]:
    """The execution providers that there could be: the processor alone."""
    return list(PROVIDERS)


def get_device() -> str:
    """The device that runs models: ``CPU``."""
    return "CPU"


def get_version_string() -> str:
    """The version of this package, which stands for that of ONNX Runtime."""
    return stablemate.__version__


def get_build_info() -> str:
    """The runtime that runs models, and its version."""
    return f"stablemate {stablemate.__version__}"


def set_default_logger_severity(severity: int) -> None:
    """Has no effect: nothing is logged."""


def set_default_logger_verbosity(verbosity: int) -> None:
    """Has no effect: nothing is logged."""


def enable_telemetry_events() -> None:
    """Has no effect: nothing is sent."""


def disable_telemetry_events() -> None:
    """Has no effect: nothing is sent."""


def set_seed(seed: int) -> None:
    """Makes the random numbers of all later runs those that follow from a seed."""
    RANDOMNESS.generator = np.random.default_rng(seed)


def preload_dlls(**_: object) -> None:
    """Has no effect: there are no libraries of devices."""


def print_debug_info() -> None:
    """Prints the package and its version."""
    print(get_build_info())


def set_global_thread_pool_sizes(intra_op: int, inter_op: int) -> None:
    """Has no effect: each session has its threads."""
