"""Libraries for other processors and systems, run by QEMU; what a processor lacks is an error."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from tests.deployment.native_libraries import SECONDS, needs_cc
from tests.deployment.test_libraries import PROGRAMS, TEXTS, arguments_of

ARM: Final = "aarch64-linux-gnu"
ARM_CC: Final = f"{ARM}-gcc"
ARM_ROOT: Final = "/usr/aarch64-linux-gnu"  # where Debian has its C library
ADD: Final = """
func.func @main(%x: tensor<100xf32>, %y: tensor<100xf32>) -> tensor<100xf32> {
  %0 = stablehlo.add %x, %y : tensor<100xf32>
  return %0 : tensor<100xf32>
}
"""
needs_arm = pytest.mark.skipif(
    shutil.which(ARM_CC) is None or shutil.which("qemu-aarch64") is None,
    reason=f"there is no {ARM_CC} or no qemu-aarch64",
)
needs_x86_emulator = pytest.mark.skipif(
    shutil.which("qemu-x86_64") is None, reason="there is no qemu-x86_64"
)
# Programs of integers, comparisons, data movement and single operations of floats: they have the
# bits of the interpreter on every machine. Others have errors of sums and functions.
EXACT: Final = ("argtopk", "histogram", "sort", "stencil")
OTHERS: Final = sorted({path.stem for path in PROGRAMS.glob("*.mlir")} - set(EXACT))
BFLOAT16: Final = "gpt_bf16"  # whose results have 8 binary digits


def emulated(
    library: sm.NativeLibrary, compiler: str, emulator: Sequence[str], arguments: Sequence[Any]
) -> subprocess.CompletedProcess[str]:
    """Compiles the example in C and runs it in the directory of the library."""
    place = library.library.parent
    program = place / "program"
    options = [f"-L{place}", f"-l{library.name}", f"-Wl,-rpath,{place}"]
    subprocess.run(
        [compiler, "-O1", str(library.examples[0]), "-o", str(program), *options],
        check=True, timeout=SECONDS,
    )  # fmt: skip
    files = [f"argument{number}.bin" for number in range(len(arguments))]
    for file, argument in zip(files, arguments, strict=True):
        (place / file).write_bytes(np.ascontiguousarray(argument).tobytes())
    return subprocess.run(
        [*emulator, str(program), *files], cwd=place, capture_output=True, text=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip


def results_on_arm(
    module: sm.Module, directory: Path, arguments: Sequence[Any], cpu: str | None = None
) -> list[bytes]:
    """The bytes of the results of a library for 64-bit Arm."""
    library = sm.build(module, directory / "model", target=ARM, cpu=cpu)
    done = emulated(library, ARM_CC, ["qemu-aarch64", "-L", ARM_ROOT], arguments)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    return [(directory / f"model/result{i}.bin").read_bytes() for i in range(len(lines))]


@needs_arm
@pytest.mark.parametrize(
    "name", ["sort", *(pytest.param(n, marks=pytest.mark.standard) for n in EXACT if n != "sort")]
)
def test_exact_programs_have_the_bits_of_the_interpreter_on_arm(name: str, tmp_path: Path) -> None:
    module = sm.load(PROGRAMS / f"{name}.mlir")
    arguments = arguments_of(module)
    expected = sm.compile(module, backend="interpreter").run(arguments)
    results = results_on_arm(module, tmp_path, arguments)
    assert results == [np.ascontiguousarray(result).tobytes() for result in expected]


@pytest.mark.standard
@needs_arm
@pytest.mark.parametrize("name", OTHERS)
def test_other_programs_are_close_to_the_interpreter_on_arm(name: str, tmp_path: Path) -> None:
    """Largest errors in parts of the largest value: of 8 bits for bfloat16, else of 24."""
    module = sm.load(PROGRAMS / f"{name}.mlir")
    arguments = arguments_of(module)
    expected = sm.compile(module, backend="interpreter").run(arguments)
    results = results_on_arm(module, tmp_path, arguments)
    tolerance = 16 * 2.0**-8 if name == BFLOAT16 else 64 * 2.0**-24
    for content, value in zip(results, expected, strict=True):
        array = np.asarray(value)
        result = np.frombuffer(content, array.dtype).reshape(array.shape)
        if array.dtype.kind in "iub":
            assert (result == array).all()
            continue
        scale = np.abs(array.astype(np.float64)).max(initial=0)
        error = np.abs(result.astype(np.float64) - array.astype(np.float64)).max(initial=0)
        assert error <= tolerance * scale


@needs_arm
@pytest.mark.parametrize("cpu", [None, "neoverse-v1"])
def test_element_types_on_arm(cpu: str | None, tmp_path: Path) -> None:
    """Half of a float, 4 bits, complex, and truth values; Armv8.6 has instructions for bfloat16."""
    module = sm.load(TEXTS["element_types"])
    arguments = arguments_of(module)
    expected = sm.compile(module, backend="interpreter").run(arguments)
    library = sm.build(module, tmp_path / "model", target=ARM, cpu=cpu)
    done = emulated(library, ARM_CC, ["qemu-aarch64", "-cpu", "max", "-L", ARM_ROOT], arguments)
    assert done.returncode == 0, done.stderr
    for number, value in enumerate(expected):
        content = (tmp_path / f"model/result{number}.bin").read_bytes()
        assert content == np.ascontiguousarray(value).tobytes(), number


def product_of_bytes(lhs: str, rhs: str) -> str:
    """A product of matrices of bytes."""
    a, b = f"tensor<30x64x{lhs}>", f"tensor<64x45x{rhs}>"
    c = "tensor<30x45xui32>" if lhs.startswith("u") and rhs.startswith("u") else "tensor<30x45xi32>"
    return (
        f"func.func @main(%a: {a}, %b: {b}) -> {c} {{\n  %0 = stablehlo.dot_general %a, %b, "
        f"contracting_dims = [1] x [0] : ({a}, {b}) -> {c}\n  return %0 : {c}\n}}\n"
    )


def disassembled(library: sm.NativeLibrary) -> str:
    """The instructions of a library."""
    command = [f"{ARM}-objdump", "-d", str(library.library)]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, timeout=SECONDS
    ).stdout


@needs_arm
def test_quantized_products_of_unsigned_and_signed_bytes_on_arm(tmp_path: Path) -> None:
    """Armv8.6 has them; a quotient in the middle of two whole numbers may become either."""
    a, b, c = (
        f"tensor<{shape}x!quant.uniform<{element}>>"
        for shape, element in (
            ("33x64", "u8:f32, 0.05:3"), ("64x40", "i8:f32, 0.01"), ("33x40", "u8:f32, 0.4:100"),
        )
    )  # fmt: skip
    text = (
        f"func.func @main(%a: {a}, %b: {b}) -> {c} {{\n  %0 = stablehlo.dot_general %a, %b, "
        f"contracting_dims = [1] x [0] : ({a}, {b}) -> {c}\n  return %0 : {c}\n}}\n"
    )
    random = np.random.default_rng(0)
    arguments = [
        random.integers(0, 256, (33, 64)).astype(np.uint8),
        random.integers(-128, 128, (64, 40)).astype(np.int8),
    ]
    library = sm.build(text, tmp_path / "model", target=ARM, cpu="neoverse-v1")
    assert "usdot" in disassembled(library)
    done = emulated(library, ARM_CC, ["qemu-aarch64", "-cpu", "max", "-L", ARM_ROOT], arguments)
    assert done.returncode == 0, done.stderr
    expected: Any = sm.run(sm.load(text), *arguments, backend="interpreter")
    results = np.frombuffer((tmp_path / "model/result0.bin").read_bytes(), np.uint8)
    difference = np.abs(results.reshape(33, 40).astype(int) - np.asarray(expected).astype(int))
    assert len(np.unique(expected)) > 50
    assert difference.max() <= 1
    assert np.count_nonzero(difference) <= 2


@needs_arm
@pytest.mark.parametrize(
    ("cpu", "lhs", "rhs", "instruction"),
    [
        ("neoverse-n1", "i8", "i8", "sdot"), ("neoverse-n1", "ui8", "ui8", "udot"),
        ("neoverse-v1", "i8", "i8", "sdot"),
    ],
)  # fmt: skip
def test_products_of_bytes_on_arm(
    cpu: str, lhs: str, rhs: str, instruction: str, tmp_path: Path
) -> None:
    """Armv8.2 has products of four bytes."""
    module = sm.load(product_of_bytes(lhs, rhs))
    arguments = arguments_of(module)
    expected = sm.compile(module, backend="interpreter").run(arguments)
    library = sm.build(module, tmp_path / "model", target=ARM, cpu=cpu)
    assert instruction in disassembled(library)
    done = emulated(library, ARM_CC, ["qemu-aarch64", "-cpu", "max", "-L", ARM_ROOT], arguments)
    assert done.returncode == 0, done.stderr
    content = (tmp_path / "model/result0.bin").read_bytes()
    assert content == np.ascontiguousarray(expected[0]).tobytes()


@pytest.mark.standard
@needs_arm
def test_threads_on_arm(tmp_path: Path) -> None:
    """Products of small integers are exact, whoever sums them."""
    module = sm.load(TEXTS["parallel"].replace("stablehlo.tanh", "stablehlo.negate"))
    generator = np.random.default_rng(1)
    x = generator.integers(-4, 5, (600, 700)).astype(np.float32)
    y = generator.integers(-4, 5, (700, 500)).astype(np.float32)
    results = results_on_arm(module, tmp_path, [x, y])
    assert results == [(-(x @ y)).tobytes()]


@needs_arm
def test_an_arm_processor_without_a_feature_is_an_error(tmp_path: Path) -> None:
    library = sm.build(ADD, tmp_path / "model", target=ARM, cpu="neoverse-n1")
    emulator = ["qemu-aarch64", "-cpu", "cortex-a53", "-L", ARM_ROOT]
    done = emulated(library, ARM_CC, emulator, [])
    assert (done.returncode, done.stderr) == (
        1, "this processor lacks lse, which this library was built to use: neoverse-n1\n",
    )  # fmt: skip


@needs_cc
@needs_x86_emulator
@pytest.mark.parametrize(
    ("cpu", "lacking"), [("x86-64", ""), ("x86-64-v2", ""), ("x86-64-v3", "avx"),
                         ("sapphirerapids", "avx")],
)  # fmt: skip
def test_an_x86_processor_without_a_feature_is_an_error(
    cpu: str, lacking: str, tmp_path: Path
) -> None:
    """Nehalem has SSE 4.2 but not AVX: the second level of x86-64."""
    library = sm.build(ADD, tmp_path / "model", target="x86_64-linux-gnu", cpu=cpu)
    x, y = np.arange(100, dtype=np.float32), np.full(100, 0.5, np.float32)
    done = emulated(library, "cc", ["qemu-x86_64", "-cpu", "Nehalem"], [x, y])
    if lacking:
        message = f"this processor lacks {lacking}, which this library was built to use: {cpu}\n"
        assert (done.returncode, done.stderr) == (1, message)
    else:
        assert (done.returncode, done.stderr) == (0, "")
        assert (tmp_path / "model/result0.bin").read_bytes() == (x + y).tobytes()
