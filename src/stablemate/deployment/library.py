"""Builds a library: native code, header, weights and examples in one directory."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from stablemate.compiler.codegen.object_code import assemble
from stablemate.compiler.config.target import Target
from stablemate.compiler.runtime.native.thread_pool import has_threads
from stablemate.deferred_dataclasses import dataclass
from stablemate.deployment.archive import archive
from stablemate.deployment.batches import join_programs
from stablemate.deployment.c_compiler import c_compiler, link
from stablemate.deployment.constants import ConstantPool, laid_out
from stablemate.deployment.examples import example_texts
from stablemate.deployment.header import header_text
from stablemate.deployment.interface import LibraryInterface, identifier, library_interface
from stablemate.deployment.native_program import native_programs, without_adapters
from stablemate.deployment.processors import baseline
from stablemate.deployment.runtime.library_text import (
    exported_functions,
    interface_module,
    step_loop_module,
)
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.diagnostics.file_errors import file_errors
from stablemate.execution.executable import Executable


@dataclass(frozen=True, slots=True)
class NativeLibrary:
    """The files of a library that was built.

    Attributes:
        name: The prefix of its functions, a C identifier.
        library: The shared or static library.
        header: Its C header.
        weights: The constants of the program; None if the library contains them.
        examples: Programs that call it: in C, C++, Rust, and Python if the library is shared.
    """

    name: str
    library: Path
    header: Path
    weights: Path | None
    examples: tuple[Path, ...]

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of the library: shared object, header, weights and examples."""
        weights = () if self.weights is None else (self.weights,)
        return (self.library, self.header, *weights, *self.examples)


def build_library(
    executable: Executable, directory: Path, name: str | None, *, static: bool = False,
    most_batch: int | None = None,
) -> NativeLibrary:  # fmt: skip
    """Builds the library of an executable, for the machine that it was compiled for.

    Args:
        executable: The function.
        directory: Takes the files; it is created if it does not exist, other files in it are kept.
        name: The prefix of the functions; by default the name of the directory. Characters that C
            does not allow become ``_``.
        static: Whether the library is static. A static library needs no C compiler.
        most_batch: The largest batch of a function with open sizes; None: the bound of its types.

    Raises:
        ArgumentValueError: The batch does not go with the types.
        UnsupportedError: The function needs Python at run time, the system is not Linux, or there
            is no C compiler.
        CompileError: The linker fails.
        FileError: The directory cannot be written.
    """
    programs = native_programs(executable, most_batch)
    target = programs[-1].target
    refuse_other_systems(target)
    compiler = [] if static else c_compiler(target)
    with file_errors("write", str(directory)):
        name = identifier(name or directory.resolve().name)
    constants = laid_out([program.image.constants for program in programs])
    weights = "" if constants.are_embedded else f"{name}.weights"
    objects, images = join_programs(programs)
    interface = library_interface(
        name, without_adapters(executable).signature, images,
        [program.labels for program in programs], [program.signature for program in programs],
        weights,
    )  # fmt: skip
    objects += own_objects(interface, constants, target)
    examples = example_texts(interface, target, static=static)
    texts = {f"{name}.h": header_text(interface), **examples}
    library = f"lib{name}.a" if static else f"lib{name}.so"
    with file_errors("write", str(directory)):
        directory.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".stablemate-", dir=directory) as place:
            drafts = Path(place)
            if static:
                content = archive(objects, exported_functions(interface), name)
                (drafts / library).write_bytes(content)
            else:
                link(compiler, objects, exported_functions(interface), drafts / library)
            for file, text in texts.items():
                (drafts / file).write_text(text, encoding="utf-8")
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
        tuple(directory / file for file in examples),
    )


def refuse_other_systems(target: Target) -> None:
    """Rejects systems whose threads and files the code of libraries does not know.

    Raises:
        UnsupportedError: The target is not Linux on x86-64 or AArch64.
    """
    if not has_threads(target.triple):
        raise UnsupportedError(
            f"libraries are built for Linux, but this system is {target.triple}; --target="
            "x86_64-linux-gnu or aarch64-linux-gnu builds one for Linux"
        )


def own_objects(
    interface: LibraryInterface, constants: ConstantPool, target: Target
) -> list[bytes]:
    """The objects of a library besides those of its programs."""
    text = interface_module(interface, constants, target)
    return [
        assemble(text, baseline(target.triple)),
        assemble(step_loop_module(target.triple), target),
    ]
