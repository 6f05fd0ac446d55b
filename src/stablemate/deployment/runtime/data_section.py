"""The data of a library, in LLVM IR: its program image, and what it tells about itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Final

import numpy as np

from stablemate.compiler.library_calls.names import PREFIX
from stablemate.compiler.program.image import ProgramImage
from stablemate.deployment.constants import ConstantPool
from stablemate.deployment.interface import CValue, LibraryInterface
from stablemate.numerics.elements import Array

VALUE_BYTES: Final = 48  # of a described value, as the header declares it


def data_text(interface: LibraryInterface, image: ProgramImage, constants: ConstantPool) -> str:
    """The definitions of all data that the functions of the library refer to."""
    words = image.words.copy()
    relocated = image.constant_relocations
    words[relocated] = np.array([*constants.offsets, 0], np.int64)[words[relocated]]
    embedded = constants.content if constants.are_embedded else constants.header
    return "\n".join([
        blob("image", words.tobytes()),
        blob("constants", embedded),
        blob("word_relocations", longs(image.word_relocations)),
        blob("arena_relocations", longs(image.arena_relocations)),
        blob("constant_relocations", longs(relocated)),
        blob("function_relocations", longs(image.function_relocations)),
        blob("operand_relocations", longs(image.operand_relocations)),
        blob("operand_numbers", longs(image.operand_numbers)),
        functions_text(image.functions),
        values_text(interface.values),
        blob("weights_name", text_bytes(interface.weights)),
    ])  # fmt: skip


def functions_text(functions: Sequence[str]) -> str:
    """The table of the functions that the program calls, which are in other objects."""
    names = [name.removeprefix(PREFIX) for name in functions]
    declared = "".join(f"declare void @{name}(ptr, i64, i64)\n" for name in names)
    items = ", ".join([*(f"ptr @{name}" for name in names), "ptr null"])
    return f"{declared}@functions = internal constant [{len(names) + 1} x ptr] [{items}]"


def values_text(values: Sequence[CValue]) -> str:
    """The tables of arguments and results, and of what messages call them."""
    numbers = count()
    blobs: list[str] = []

    def stored(content: bytes) -> str:
        name = f"described.{next(numbers)}"
        blobs.append(blob(name, content))
        return f"ptr @{name}"

    rows = [
        f"%value {{ {stored(text_bytes(value.name))}, {stored(text_bytes(value.element_type))}, "
        f"i64 {len(value.shape)}, {stored(longs(value.shape))}, i64 {value.bytes}, "
        f"i64 {value.alignment} }}"
        for value in values
    ]
    rows.append("%value zeroinitializer")
    labels = [*(stored(text_bytes(value.label)) for value in values), "ptr null"]
    return "\n".join([
        "%value = type { ptr, ptr, i64, ptr, i64, i64 }",
        *blobs,
        f"@values = internal constant [{len(rows)} x %value] [{', '.join(rows)}]",
        f"@labels = internal constant [{len(labels)} x ptr] [{', '.join(labels)}]",
    ])  # fmt: skip


def blob(name: str, content: bytes) -> str:
    """Bytes that are read only, aligned to a cache line."""
    content = content or b"\0"
    text = "\\" + content.hex("\\")
    return f'@{name} = internal constant [{len(content)} x i8] c"{text}", align 64'


def longs(numbers: Array | Sequence[int]) -> bytes:
    """Numbers as words of 64 bits."""
    return np.asarray(numbers, np.int64).tobytes()


def text_bytes(text: str) -> bytes:
    """A text as C has it."""
    return text.encode("utf-8", "surrogateescape").replace(b"\0", b"?") + b"\0"
