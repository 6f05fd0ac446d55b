"""Builds a library: native code, header, weights and examples in one directory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from stablemate.compiler.codegen.object_code import assemble
from stablemate.compiler.runtime.native.thread_pool import has_threads
from stablemate.deployment.constants import laid_out
from stablemate.deployment.examples import example_texts
from stablemate.deployment.header import header_text
from stablemate.deployment.interface import Interface, identifier, values_of
from stablemate.deployment.library_text import exported_functions, library_text
from stablemate.deployment.linking import c_compiler, link
from stablemate.deployment.native_program import native_program
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.execution.executable import Executable


@dataclass(frozen=True, slots=True)
class NativeLibrary:
    """The files of a library that was built.

    Attributes:
        name: The prefix of its functions, a C identifier.
        library: The shared library.
        header: Its C header.
        weights: The constants of the program; None if the library contains them.
        examples: Programs that call it: in C, C++, Rust and Python.
    """

    name: str
    library: Path
    header: Path
    weights: Path | None
    examples: tuple[Path, ...]

    @property
    def files(self) -> tuple[Path, ...]:
        """All files."""
        weights = () if self.weights is None else (self.weights,)
        return (self.library, self.header, *weights, *self.examples)


def build_library(executable: Executable, directory: Path, name: str | None) -> NativeLibrary:
    """Builds the library of an executable.

    Args:
        executable: The function.
        directory: Takes the files; it is created if it does not exist, other files in it are kept.
        name: The prefix of the functions; by default the name of the directory. Characters that C
            does not allow become ``_``.

    Raises:
        UnsupportedError: The function needs Python at run time, the system is not Linux, or there
            is no C compiler.
        CompileError: The linker fails.
        OSError: The directory cannot be written.
    """
    program, signature, target = native_program(executable)
    if not has_threads(target.triple):
        raise UnsupportedError(f"libraries are built for Linux, but this system is {target.triple}")
    c_compiler()
    name = identifier(name or directory.resolve().name)
    constants = laid_out(program.image.constants)
    arguments, results = values_of(signature)
    weights = "" if constants.are_embedded else f"{name}.weights"
    interface = Interface(name, signature.name, arguments, results, weights)
    text = library_text(interface, program.image, constants, target.triple)
    texts = {f"{name}.h": header_text(interface), **example_texts(interface)}
    library = f"lib{name}.so"
    directory.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".stablemate-", dir=directory) as place:
        drafts = Path(place)
        objects = [*program.objects, assemble(text, target)]
        link(objects, exported_functions(name), drafts / library)
        for file, content in texts.items():
            (drafts / file).write_text(content, encoding="utf-8")
        if weights:
            (drafts / weights).write_bytes(constants.content)
        for file in (weights, library, *texts):
            if file:
                os.replace(drafts / file, directory / file)
    return NativeLibrary(
        name,
        directory / library,
        directory / f"{name}.h",
        directory / weights if weights else None,
        tuple(directory / file for file in example_texts(interface)),
    )
