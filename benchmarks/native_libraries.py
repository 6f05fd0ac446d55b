"""How fast programs run as native libraries, beside ``sm.compile``.

    python -m benchmarks.native_libraries [--md FILE]

The programs are all of ``tests/programs``, and a product of matrices. Both run in one process, in
turn, on the same arguments; their results must have the same bits. Microseconds, the least of 300
calls. The library is called through ctypes, whose overhead counts.
"""

import argparse
import ctypes
import math
import pathlib
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import stablemate as sm
from stablemate.ir.types import TensorType
from stablemate.numerics.elements import Array
from stablemate.numerics.random_elements import random_elements

PROGRAMS: Final = pathlib.Path(__file__).parents[1] / "tests/programs"
ROUNDS: Final = 15
CALLS: Final = 20  # in a row: workers wait actively for half a millisecond after a call
# A long program with work for all threads, in which the call itself does not count.
PRODUCT: Final = """
func.func @main(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = stablehlo.tanh %0 : tensor<512x512xf32>
  return %1 : tensor<512x512xf32>
}
"""
COLUMNS: Final = ("program", "library us", "sm.compile us", "speed of the library")


def arguments_of(executable: sm.Executable) -> list[Array]:
    """Random arguments."""
    arrays: list[Array] = []
    for seed, argument in enumerate(executable.signature.arguments):
        assert isinstance(argument.type, TensorType)
        elements = random_elements(argument.type.shape, argument.type.element_type, seed)
        arrays.append(np.ascontiguousarray(elements))
    return arrays


def library_call(
    library: sm.NativeLibrary, arguments: Sequence[Array], results: Sequence[Array]
) -> Callable[[], None]:
    """Calls a library with arguments and results that stay where they are."""
    code = ctypes.CDLL(str(library.library))
    create, call = (getattr(code, f"{library.name}_{verb}") for verb in ("create", "call"))
    create.restype, create.argtypes = ctypes.c_void_p, [ctypes.c_char_p, ctypes.c_int]
    call.argtypes = [ctypes.c_void_p] * 3
    instance = create(None, 0)
    lists = [
        (ctypes.c_void_p * (len(arrays) + 1))(*(array.ctypes.data for array in arrays))
        for arrays in (arguments, results)
    ]

    def run() -> None:
        assert call(instance, *lists) == 0

    return run


def microseconds(call: Callable[[], Any]) -> float:
    """The time of a call."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e6


def row(name: str, source: pathlib.Path | str, directory: pathlib.Path) -> str:
    """The line of a program."""
    module = sm.load(source)
    executable = sm.compile(module)
    arguments = arguments_of(executable)
    expected = executable.run(arguments)
    results = [np.empty_like(value) for value in expected]
    call = library_call(sm.build(module, directory / name), arguments, results)
    call()
    for result, value in zip(results, expected, strict=True):
        assert result.tobytes() == value.tobytes(), name
    ours = theirs = math.inf
    for _ in range(ROUNDS):
        ours = min(ours, *(microseconds(call) for _ in range(CALLS)))
        theirs = min(theirs, *(microseconds(lambda: executable(*arguments)) for _ in range(CALLS)))
    return f"| {name} | {ours:.1f} | {theirs:.1f} | {theirs / ours:.2f} |"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--md", type=pathlib.Path)
    options: Any = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as directory:
        sources = {path.stem: path for path in sorted(PROGRAMS.glob("*.mlir"))}
        rows = [
            row(name, source, pathlib.Path(directory))
            for name, source in {**sources, "product_512": PRODUCT}.items()
        ]
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + " --- |" * len(COLUMNS), *rows]
    print("\n".join(lines))
    if options.md:
        options.md.parent.mkdir(parents=True, exist_ok=True)
        head = ["# Native libraries", "", "Measured on two busy cores.", ""]
        options.md.write_text("\n".join([*head, *lines, ""]))


if __name__ == "__main__":
    main()
