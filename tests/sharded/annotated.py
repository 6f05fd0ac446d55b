"""The exported programs with shardings; a child process with eight devices makes them."""

import os
import pathlib
import pickle
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

ROOT: Final = pathlib.Path(__file__).resolve().parents[2]
DEVICES: Final = 8


@dataclass(frozen=True)
class Annotated:
    """A program of global tensors that are divided over eight devices.

    Attributes:
        text: The program.
        inputs: What it is called with.
        results: What JAX gives for them.
        forms: The program in other forms in which it is exported: ``gspmd``, ``round_trip``.
    """

    text: str
    inputs: list[Any]
    results: list[Any]
    forms: dict[str, str]


@cache
def exported() -> dict[str, Annotated]:
    """All programs by name."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_"))}
    devices = {
        "XLA_FLAGS": f"--xla_force_host_platform_device_count={DEVICES}",
        "JAX_PLATFORMS": "cpu",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    child = subprocess.run(
        [sys.executable, "-m", "tests.sharded.annotated_export"],
        cwd=ROOT,
        env=environment | devices,
        capture_output=True,
        check=False,
    )
    assert child.returncode == 0, child.stderr.decode(errors="replace")
    return {name: Annotated(*load) for name, load in pickle.loads(child.stdout).items()}
