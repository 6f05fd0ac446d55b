"""Programs that were compiled before, which are read only if more is asked of them than to run.

A run from the disk cache needs the digest of what a program is read from, and the types of its
functions. The disk cache keeps these types: under a key of the bytes of the file and of how they
are read, with the digests of the files beside a model of ONNX.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from weakref import finalize

from stablemate.api.program import Program, UnreadProgram
from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import FileError, StablemateError
from stablemate.diagnostics.limits import Limits
from stablemate.diagnostics.source import Source
from stablemate.dialects.func import FuncOp
from stablemate.execution.signature import declared_signature
from stablemate.formats.mlir.parser import module_text, parse_module
from stablemate.formats.recognition import Content, Input
from stablemate.formats.source_digest import digest_of, digest_of_file, read_and_digest
from stablemate.ir import core
from stablemate.ir.core import Block, Operation, Region

LEAST_BYTES: Final = 1 << 16  # of a program that is found sooner than it is read; but of ONNX
HELD_BYTES: Final = 1 << 24  # of which more are read again from their file
FORGOTTEN_BYTES: Final = 1 << 26  # of which more are dropped when they are compiled
READ_AS: Final = ("mlir", "bytecode", "artifact", "onnx")


class Digests(NamedTuple):
    """What a program is read from.

    Attributes:
        content: The digest of its bytes.
        how: What else the program depends on: how they are read.
    """

    content: bytes
    how: Sequence[object]

    def of_program(self, files: Sequence[bytes], known: str) -> bytes:
        """Identifies a program.

        Args:
            files: The digests of other files whose content is part of it.
            known: What was known of its inputs.
        """
        return digest_of([self.content, *files], *self.how, known)


@dataclass(frozen=True, slots=True)
class ProgramRecord:
    """The entry of a program in the disk cache.

    Attributes:
        digest: Identifies the program.
        known: What was known of its inputs.
        files: The names of further files, in the folder of the first one.
        format: The format that it was read from.
        version: The version of the module when it had been read.
        declarations: Its functions without their bodies, as text.
    """

    digest: str
    known: str
    files: list[str]
    format: str
    version: int
    declarations: str


def key_of_reading(digests: Digests, limits: Limits, sizes: Mapping[str, int]) -> str:
    """The key of a program in the disk cache, by its bytes and how they are read."""
    from stablemate.compiler.config.disk_cache import key_of  # of programs that may be there

    return key_of("program", digests.content, repr((digests.how, sorted(sizes.items()), limits)))


def is_worth_keeping(content: Content, read_as: str) -> bool:
    """Whether it may take longer to read a program than to find it in the disk cache."""
    return read_as in READ_AS and (read_as == "onnx" or len(content) >= LEAST_BYTES)


def find_program(
    key: str, input_: Input, digests: Digests, limits: Limits, load: Callable[[Input], Program]
) -> UnreadProgram | None:
    """A program that the disk cache knows; None if it does not.

    Args:
        key: Its key.
        input_: What it is read from.
        digests: The digests of this.
        limits: The limits of reading.
        load: Reads it.
    """
    from stablemate.compiler.config.disk_cache import cache  # of programs that may be there

    record = cache().load(key, lambda content: ProgramRecord(**json.loads(content)))
    if record is None:
        return None
    try:
        files = [digest_of_file_beside(input_.path, name) for name in record.files]
        read_again = content_again(input_, digests.content)
        name = input_.name
    except (OSError, ValueError):
        return None
    digest = digests.of_program(files, record.known)
    if digest.hex() != record.digest:
        return None
    declarations = parse_module(Source(record.declarations, name), limits)
    read = reading_again(load, read_again, digest, name)
    return UnreadProgram(declarations, digest, record.format, record.version, read)


def reading_again(
    load: Callable[[Input], Program], read: Callable[[], Input], digest: bytes, name: str
) -> Callable[[], Program]:
    """A function that reads a program again.

    Args:
        load: Reads it from an input.
        read: Reads the input.
        digest: What identifies the program.
        name: What messages call it.
    """

    def program_again() -> Program:
        program = load(read())
        if program.source_digest != digest:
            raise changed(name)
        return program

    return program_again


def digest_of_file_beside(beside: Path | None, name: str) -> bytes:
    """The digest of a file in the folder of another one.

    Raises:
        OSError: It cannot be read.
        ValueError: There is no such folder, or it is no regular file.
    """
    if beside is None:
        raise ValueError("no folder")
    path = beside.parent / name
    if not stat.S_ISREG(path.stat().st_mode):
        raise ValueError(f"{path} is no regular file")
    with path.open("rb") as file:
        return digest_of_file(file)


def content_again(input_: Input, digest: bytes) -> Callable[[], Input]:
    """A function that returns an input once more; the bytes of a large file are not kept for it.

    The file stays open, so that it may be renamed, replaced or removed, where systems allow it.

    Raises:
        OSError: The file cannot be opened.
    """
    if input_.path is None or len(input_.content) <= HELD_BYTES or os.name != "posix":
        return lambda: input_
    name, path = input_.name, input_.path
    # A pipe in its place, of size 0, is opened without a writer.
    file = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")

    def read() -> Input:
        try:
            content, found = read_and_digest(file)
        except OSError as error:  # it is shorter
            raise changed(name) from error
        if found != digest:
            raise changed(name)
        return Input(memoryview(content), name, path, found)

    finalize(read, file.close)
    return read


def large_content_again(input_: Input) -> Callable[[], Input] | None:
    """A function that reads a large file again; None if its bytes are better kept."""
    if len(input_.content) <= FORGOTTEN_BYTES or input_.path is None or os.name != "posix":
        return None
    try:
        return content_again(input_, input_.digest)
    except OSError:
        return None


def changed(name: str) -> FileError:
    """The error of a file that is read again."""
    return FileError(f"{name} has changed since it was loaded: load it again")


def keep_program(
    key: str, program: Program, digest: bytes, known: str, files: Sequence[str]
) -> None:
    """Keeps in the disk cache what a run needs of a program.

    Args:
        key: Its key.
        program: The program, as it was read.
        digest: Identifies it.
        known: What was known of its inputs.
        files: The names of further files, in the folder of the first one.
    """
    from stablemate.compiler.config.disk_cache import cache  # of compiled programs

    store = cache()
    if store.path(key).exists():
        return
    declarations = declarations_of(program.ir)
    text = module_text(declarations)
    try:
        again = parse_module(Source(text, "<declarations>"))
    except StablemateError:  # what a declaration alone cannot say
        return
    if signatures(again) == signatures(declarations):
        record = ProgramRecord(
            digest.hex(), known, [*files], program.format, program.ir.version, text
        )
        fields: dict[str, Any] = {n: getattr(record, n) for n in ProgramRecord.__slots__}
        store.put(key, json.dumps(fields).encode())


def signatures(module: core.Module) -> list[object]:
    """The types of the functions of a module, and what it says of itself."""
    functions = [f for f in module.body.operations if isinstance(f, FuncOp)]
    described = [(f.sym_visibility, declared_signature(f)) for f in functions]
    return [described, module.operation.attributes, module.operation.discardable]


def declarations_of(module: core.Module) -> core.Module:
    """The functions of a module without their bodies."""
    body = Block(())
    for operation in module.body.operations:
        if isinstance(operation, FuncOp):
            body.append(with_region(operation, Region([])))
    return core.Module(with_region(module.operation, Region([body])))


def with_region(operation: Operation, region: Region) -> Operation:
    """A copy of an operation with another region."""
    copy = operation.clone((), operation.location, None)
    copy.regions = (region,)
    region.parent = copy
    return copy
