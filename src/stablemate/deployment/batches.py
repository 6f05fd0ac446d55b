"""Puts the programs of a library together: one for each batch, which share code and constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from stablemate.compiler.program.image import ProgramImage
from stablemate.deployment.archive import defined_names, rename_symbols
from stablemate.deployment.native_program import NativeProgram

PREFIX: Final = "batch"


def join_programs(programs: Sequence[NativeProgram]) -> tuple[list[bytes], list[ProgramImage]]:
    """The objects of all programs, each once, and the images that call their functions.

    Programs that were compiled for each batch have kernels of the same names: from the second one
    on, such a name gets a prefix.
    """
    changes: dict[Sequence[bytes], Mapping[bytes, bytes]] = {}  # of names, for kernels of a program
    objects: list[bytes] = []
    taken: set[bytes] = set()
    images: list[ProgramImage] = []
    for number, program in enumerate(programs, 1):
        kernels = tuple(program.kernels)
        if kernels not in changes:
            names = {name for content in kernels for name in defined_names(content)}
            prefix = f"{PREFIX}{number}__".encode()
            changes[kernels] = {name: prefix + name for name in names & taken}
            taken |= names
            objects += [rename_symbols(content, changes[kernels]) for content in kernels]
        changed = {old.decode(): new.decode() for old, new in changes[kernels].items()}
        functions = [changed.get(name, name) for name in program.image.functions]
        images.append(replace(program.image, functions=functions))
    routines = dict.fromkeys(content for program in programs for content in program.routines)
    return [*objects, *routines], images
