"""The benchmark programs: their text, and arguments drawn from the seed stored beside it.

``NAME.json`` holds ``{"seed": ..., "args": [...]}``; a record of ``args`` holds the shape and dtype
of one argument and how it is filled. ``benchmarks/export_models.py`` writes both files.
"""

import json
import pathlib
from typing import Any, Final, Literal, NotRequired, TypedDict

import ml_dtypes  # noqa: F401  (makes bfloat16 a dtype name)
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

DIRECTORY: Final = pathlib.Path(__file__).parent


class Record(TypedDict):
    """One argument: normal values of a standard deviation, or integers below a bound."""

    shape: list[int]
    dtype: str
    fill: Literal["normal", "randint"]
    scale: NotRequired[float]
    bound: NotRequired[int]


class Header(TypedDict):
    """What ``NAME.json`` holds."""

    seed: int
    args: list[Record]


def programs(directory: pathlib.Path = DIRECTORY) -> list[str]:
    """Names of the programs in ``directory``, sorted."""
    return sorted(path.stem for path in directory.glob("*.mlir"))


def load_program(name: str, directory: pathlib.Path = DIRECTORY) -> tuple[str, list[Array]]:
    """Text of a program, and arguments that are the same whenever they are drawn."""
    text = (directory / f"{name}.mlir").read_text()
    header: Header = json.loads((directory / f"{name}.json").read_text())
    generator = np.random.default_rng(header["seed"])
    return text, [fill(record, generator) for record in header["args"]]


def fill(record: Record, generator: np.random.Generator) -> Array:
    """The argument that one record describes; advances ``generator``."""
    shape, dtype = tuple(record["shape"]), np.dtype(record["dtype"])
    match record["fill"]:
        case "randint":
            return generator.integers(0, record["bound"], shape, dtype=np.int64).astype(dtype)
        case "normal":
            values = generator.standard_normal(shape, dtype=np.float32)
            return (values * record["scale"]).astype(dtype)
