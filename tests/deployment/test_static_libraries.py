"""Static libraries are made without a C compiler, and several of them fit into one program."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from tests.deployment.native_libraries import (
    SECONDS,
    check_examples,
    compiled,
    digit_classifier,
    needs_cc,
    output,
    write_both,
)

BINARY: Final = """
func.func @main(%a: tensor<9xf32>, %b: tensor<9xf32>) -> tensor<9xf32> {{
  %0 = stablehlo.{operation} %a, %b : tensor<9xf32>
  return %0 : tensor<9xf32>
}}
"""


def test_a_static_library_needs_no_c_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    library = sm.build(BINARY.format(operation="add"), tmp_path / "plus", static=True)
    assert library.library.name == "libplus.a"
    assert library.library.read_bytes().startswith(b"!<arch>\n")
    names = [path.name for path in library.examples]
    assert names == ["example.c", "example.cpp", "example.rs", "Cargo.toml", "build.rs"]


@needs_cc
def test_two_static_libraries_in_one_program(tmp_path: Path) -> None:
    """Both contain kernels, a step loop and a thread pool of the same names."""
    libraries = [
        sm.build(BINARY.format(operation=operation), tmp_path / operation, static=True)
        for operation in ("add", "subtract")
    ]
    source = write_both(tmp_path)
    assert output([compiled(source, *libraries)], tmp_path) == "8 2\n"


@needs_cc
@pytest.mark.skipif(shutil.which("nm") is None, reason="there is no nm")
def test_only_the_functions_of_the_header_are_exported(tmp_path: Path) -> None:
    """Also from a shared library that contains the static one."""
    library = sm.build(BINARY.format(operation="add"), tmp_path / "plus", static=True)
    shared = tmp_path / "shared.so"
    command = ["cc", "-shared", "-o", shared, "-Wl,--whole-archive", library.library]
    command += ["-Wl,--no-whole-archive", "-lpthread", "-ldl"]
    subprocess.run(command, check=True, timeout=SECONDS)
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", shared], capture_output=True, text=True, check=True
    )
    names = listed.stdout.split()[2::3]
    assert "plus_call" in names
    assert all(name.startswith("plus_") and "__" not in name for name in names)


@pytest.mark.standard
@needs_cc
def test_every_example_finds_the_weights_beside_the_program(tmp_path: Path) -> None:
    """However the program is found: by a path, through PATH, or linked without shared libraries."""
    module, arguments = digit_classifier()
    library = sm.build(module, tmp_path / "mlp", static=True)
    place = library.library.parent
    commands: dict[str, list[str | Path]] = {
        "C": [place / "c.out"],
        "PATH": ["env", f"PATH={place}", "c.out"],
        "C, static": [place / "static.out"],
    }
    link = [library.library, "-lpthread", "-ldl", "-lm"]
    output(["cc", library.examples[0], "-o", place / "c.out", *link], tmp_path)
    output(["cc", "-static", library.examples[0], "-o", place / "static.out", *link], tmp_path)
    if shutil.which("c++"):
        output(["c++", library.examples[1], "-o", place / "cpp.out", *link], tmp_path)
        commands["C++"] = [place / "cpp.out"]
    if rustc := shutil.which("rustc"):
        program = place / "rust.out"
        output([rustc, library.examples[2], "-o", program, "-L", place], tmp_path)
        commands["Rust"] = [program]
    if cargo := shutil.which("cargo"):
        command = [cargo, "build", "--offline", "--manifest-path", place / "Cargo.toml"]
        subprocess.run(command, check=True, timeout=SECONDS, capture_output=True)
        commands["Cargo"] = [place / "target/debug/example"]
    check_examples(commands, tmp_path, module, arguments)
