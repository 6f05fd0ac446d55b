"""Time reading and writing bytecode, beside jaxlib's reader and writer.

    python -m benchmarks.bytecode [--operations 20000] [--bytes 1000000000] [--rounds 5] [--md FILE]

The program is one function of so many operations with locations and literals; the constants are
one literal, and one resource, of so many bytes in a file. Times are milliseconds of the processor,
medians for the program and the best of two for the constants; jaxlib's with the time to read the
file into memory, since it takes bytes. ``copied`` is how much more memory of its own the process
holds when the constant has been loaded; the pages of the file are not.
"""

import argparse
import io
import pathlib
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir as upstream
from jaxlib.mlir.dialects import stablehlo

import stablemate as sm
from stablemate.formats.bytecode.writer import bytecode_buffers
from stablemate.ir.attributes import DenseElementsAttribute
from stablemate.ir.core import Module, Resource
from stablemate.ir.types import TensorType

COLUMNS: Final = ("case", "file bytes", "read ms", "write ms", "jaxlib read ms", "jaxlib write ms",
                  "copied MB")  # fmt: skip
ALIGNMENT: Final = 64


def program(operations: int) -> str:
    """The text of a function of so many operations."""
    lines = ["func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {"]
    last = "%a"
    for i in range(operations - 1):
        match i % 10:
            case 3:
                body = f"stablehlo.constant dense<{i}.0> : tensor<4x4xf32>"
            case 6:
                body = f"stablehlo.reverse {last}, dims = [1] : tensor<4x4xf32>"
            case _:
                body = f"stablehlo.add {last}, %a : tensor<4x4xf32>"
        lines.append(f'  %v{i} = {body} loc("op"("model.py":{i}:{i % 50}))')
        last = f"%v{i}"
    return "\n".join([*lines, f"  return {last} : tensor<4x4xf32>", "}"])


def constants(size: int) -> Iterator[tuple[str, Module]]:
    """Modules with one constant of so many bytes."""
    numbers = np.arange(size // 4, dtype=np.int32).view(np.float32)
    tensor = f"tensor<{numbers.size}xf32>"
    for name, literal in (("literal", "dense<0.0>"), ("resource", "dense_resource<data>")):
        text = (
            f"func.func @main() -> {tensor} {{\n"
            f"  %0 = stablehlo.constant {literal} : {tensor}\n  return %0 : {tensor}\n}}"
        )
        module = sm.load(text).ir
        if name == "literal":
            first_match = next(o for o in module.operation.walk() if o.name == "stablehlo.constant")
            literal_type = first_match.results[0].type
            assert isinstance(literal_type, TensorType)
            first_match.attributes["value"] = DenseElementsAttribute(literal_type, numbers)
        else:
            module.resources["data"] = Resource(numbers.view(np.uint8), ALIGNMENT)
        yield name, module


def milliseconds(call: Callable[[], Any]) -> float:
    """How long a call keeps the processor."""
    start = time.process_time()
    call()
    return 1000 * (time.process_time() - start)


def median(call: Callable[[], Any], rounds: int) -> float:
    """The median of several calls."""
    return statistics.median(milliseconds(call) for _ in range(rounds))


def parsed(data: bytes) -> upstream.Module:
    """The module as jaxlib reads it."""
    context = jax_mlir.make_ir_context()
    stablehlo.register_dialect(context)
    with context:
        return upstream.Module.parse(data)


def written(module: upstream.Module) -> bytes:
    """The module as jaxlib writes it."""
    out = io.BytesIO()
    module.operation.write_bytecode(out)
    return out.getvalue()


def own_bytes() -> int:
    """The memory of its own that the process holds, mapped files aside."""
    status = pathlib.Path("/proc/self/status").read_text()
    return 1024 * int(status.partition("RssAnon:")[2].split()[0])


def program_row(operations: int, rounds: int) -> list[str]:
    """The times for a program."""
    module = sm.load(program(operations))
    data = module.to_bytecode()
    theirs = parsed(data)
    times = (
        median(lambda: sm.load(data), rounds),
        median(module.to_bytecode, rounds),
        median(lambda: parsed(data), rounds),
        median(lambda: written(theirs), rounds),
    )
    return [f"{operations} operations", str(len(data)), *(f"{t:.0f}" for t in times), "-"]


def constant_row(name: str, path: pathlib.Path, write: float) -> list[str]:
    """The times for a constant in a file."""
    before = own_bytes()
    kept = sm.load(path)
    copied = own_bytes() - before
    del kept
    read = min(milliseconds(lambda: sm.load(path)) for _ in range(2))
    try:
        theirs = f"{min(milliseconds(lambda: parsed(path.read_bytes())) for _ in range(2)):.0f}"
    except upstream.MLIRError:  # wants the bytes aligned in memory, which Python does not promise
        theirs = "refused"
    size = path.stat().st_size
    return [name, str(size), f"{read:.1f}", f"{write:.0f}", theirs, "-", f"{copied / 1e6:.0f}"]


def rows(operations: int, size: int, rounds: int) -> Iterator[list[str]]:
    """All rows; constants come first, while the process is small."""
    with tempfile.TemporaryDirectory() as folder:
        for name, module in constants(size):
            path = pathlib.Path(folder) / f"{name}.mlirbc"

            def write(path: pathlib.Path = path, module: Module = module) -> None:
                with path.open("wb") as file:
                    file.writelines(bytecode_buffers(module))

            milliseconds_to_write = milliseconds(write)
            del module
            yield constant_row(f"{name} of {size / 1e9:g} GB", path, milliseconds_to_write)
    yield program_row(operations, rounds)


def main() -> None:
    """Prints the table, and writes it to a file if asked to."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--operations", type=int, default=20_000)
    options.add_argument("--bytes", type=int, default=1_000_000_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--md", type=pathlib.Path)
    arguments = options.parse_args()
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + " --- |" * len(COLUMNS)]
    print("\n".join(lines))
    for row in rows(arguments.operations, arguments.bytes, arguments.rounds):
        lines.append(f"| {' | '.join(row)} |")
        print(lines[-1], flush=True)
    if arguments.md:
        arguments.md.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
