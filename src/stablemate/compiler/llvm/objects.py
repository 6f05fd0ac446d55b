"""LLVM text to objects, and objects into the process."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from stablemate.compiler.llvm.target import Target, initialise

if TYPE_CHECKING:
    from llvmlite.binding import LLJIT, ResourceTracker

NUMBERS: Final = itertools.count()


def assembled(text: str, target: Target) -> bytes:
    """The object of a module of LLVM text; no passes run but those of the code generator."""
    import llvmlite.binding as llvm

    machine = target.machine()
    attributes = (
        f'attributes #0 = {{ nounwind "target-cpu"="{target.cpu}" '
        f'"target-features"="{target.features}" "prefer-vector-width"="512" }}\n'
    )
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n'
    module = llvm.parse_assembly(head + text + attributes, llvm.create_context())
    return bytes(machine.emit_object(module))


class Loaded:
    """An object in the process; its code lives as long as this does.

    Attributes:
        addresses: Where its functions are, by name.
    """

    def __init__(self, tracker: ResourceTracker, names: Sequence[str]) -> None:
        self.tracker = tracker
        self.addresses: Mapping[str, int] = {name: tracker[name] for name in names}


@lru_cache(maxsize=1)
def linker() -> LLJIT:
    """What puts objects into the process."""
    import llvmlite.binding as llvm

    initialise()
    return llvm.create_lljit_compiler(use_jit_link=False, suppress_errors=False)


def load(objects: Sequence[bytes], names: Sequence[str]) -> Loaded:
    """Puts objects into the process.

    Args:
        objects: They need no symbols but one another's.
        names: The functions that are called from outside.
    """
    import llvmlite.binding as llvm

    library = llvm.JITLibraryBuilder()
    for each in objects:
        library.add_object_img(each)
    for name in names:
        library.export_symbol(name)
    return Loaded(library.link(linker(), f"stablemate-{next(NUMBERS)}"), names)
