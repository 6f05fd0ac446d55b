"""The data of a library, in LLVM IR: its program image, and what it tells about itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from stablemate.compiler.library_calls.names import PREFIX
from stablemate.deployment.constants import ConstantPool
from stablemate.deployment.interface import CValue, LibraryInterface, LibraryProgram
from stablemate.deployment.runtime.library_layouts import type_text
from stablemate.numerics.elements import Array

IMAGE_ALIGNMENT: Final = 64  # bytes of a cache line


def data_text(interface: LibraryInterface, constants: ConstantPool) -> str:
    """The definitions of all data that the functions of the library refer to."""
    embedded = constants.content if constants.are_embedded else constants.header
    return "\n".join([
        blob("constants", embedded),
        programs_text(interface.programs, constants),
        *value_table("values", interface.values),
        *label_table(interface.values),
        blob("weights_name", text_bytes(interface.weights)),
    ])  # fmt: skip


def programs_text(programs: Sequence[LibraryProgram], constants: ConstantPool) -> str:
    """The table of the programs: their images, and what relocates these."""
    functions = {f: None for program in programs for f in program.image.functions}
    texts = [f"declare void @{name.removeprefix(PREFIX)}(ptr, i64, i64)" for name in functions]
    rows: list[str] = []
    for number, program in enumerate(programs):
        image, offset = program.image, image_offsets(programs)[number]
        words = image.words.copy()
        relocated = image.constant_relocations
        places = constants.offsets[number]
        words[relocated] = np.array([*places, 0], np.int64)[words[relocated]]
        lists = {
            "words": image.word_relocations, "arena": image.arena_relocations,
            "constants": relocated, "functions": image.function_relocations,
            "operands": image.operand_relocations,
        }  # fmt: skip
        texts += [
            blob(f"image.{number}", words.tobytes()),
            *(blob(f"relocated_{name}.{number}", longs(list)) for name, list in lists.items()),
            blob(f"operand_numbers.{number}", longs(image.operand_numbers)),
            function_table(f"functions.{number}", image.functions),
            *value_table(f"values.{number}", program.values),
        ]
        counted = {
            name: f"ptr @relocated_{name}.{number}, i64 {len(list)}" for name, list in lists.items()
        }
        rows.append(
            f"%program {{ ptr @image.{number}, i64 {words.nbytes}, i64 {offset}, "
            f"{counted['words']}, {counted['arena']}, {counted['constants']}, "
            f"{counted['functions']}, ptr @functions.{number}, {counted['operands']}, "
            f"ptr @operand_numbers.{number}, ptr @values.{number} }}"
        )
    return "\n".join([
        type_text("value"),
        type_text("program"),
        *texts,
        f"@programs = internal constant [{len(rows)} x %program] [{', '.join(rows)}]",
    ])  # fmt: skip


def image_offsets(programs: Sequence[LibraryProgram]) -> list[int]:
    """Where the image of each program begins in the memory of an instance, and where all end."""
    sizes = [-(-program.image.words.nbytes // IMAGE_ALIGNMENT) for program in programs]
    return [IMAGE_ALIGNMENT * end for end in accumulate(sizes, initial=0)]


def function_table(name: str, functions: Sequence[str]) -> str:
    """The table of the functions that a program calls, which are in other objects."""
    items = [*(f"ptr @{function.removeprefix(PREFIX)}" for function in functions), "ptr null"]
    return f"@{name} = internal constant [{len(items)} x ptr] [{', '.join(items)}]"


def value_table(name: str, values: Sequence[CValue]) -> Iterator[str]:
    """The table of arguments and results, and the blobs that it refers to."""
    rows: list[str] = []
    for number, value in enumerate(values):
        place = f"{name}.{number}"
        yield blob(f"{place}.name", text_bytes(value.name))
        yield blob(f"{place}.element_type", text_bytes(value.element_type))
        yield blob(f"{place}.shape", longs(value.shape))
        rows.append(
            f"%value {{ ptr @{place}.name, ptr @{place}.element_type, i64 {len(value.shape)}, "
            f"ptr @{place}.shape, i64 {value.bytes}, i64 {value.alignment} }}"
        )
    rows.append("%value zeroinitializer")
    yield f"@{name} = internal constant [{len(rows)} x %value] [{', '.join(rows)}]"


def label_table(values: Sequence[CValue]) -> Iterator[str]:
    """The table of what messages call arguments and results."""
    for number, value in enumerate(values):
        yield blob(f"label.{number}", text_bytes(value.label))
    items = [*(f"ptr @label.{number}" for number in range(len(values))), "ptr null"]
    yield f"@labels = internal constant [{len(items)} x ptr] [{', '.join(items)}]"


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
