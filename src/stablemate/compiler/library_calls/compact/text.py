"""Writes LLVM text with loops, for functions on vectors of matrices."""

from __future__ import annotations

import struct
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final

from stablemate.deferred_dataclasses import dataclass

WORD: Final = "i64"
# How a block of four rows is transposed: places in two vectors, of pairs of columns and of halves.
COLUMNS: Final = {k: ((0, k), (1, k), (0, k + 1), (1, k + 1)) for k in (0, 2)}
HALVES: Final = (((0, 0), (0, 1), (1, 0), (1, 1)), ((0, 2), (0, 3), (1, 2), (1, 3)))
VALUES: Final = {"s": "float", "d": "double"}
BYTES: Final = {"s": 4, "d": 8}
DTYPES: Final = {"s": "float32", "d": "float64"}
COMPLEX_LETTERS: Final = {"s": "c", "d": "z"}  # BLAS's letters for numbers with parts of a type
LARGEST_ALIGNMENT: Final = 32  # bytes, of vectors in memory
CHUNK_BYTES: Final = 16  # of a matrix, that are loaded or stored at once


@dataclass(frozen=True, slots=True)
class VectorElements:
    """The elements of a vector.

    Attributes:
        letter: BLAS's letter for their type.
        vector_bytes: The bytes of the vector.
    """

    letter: str
    vector_bytes: int

    @property
    def lanes(self) -> int:
        """How many matrices a vector holds."""
        return self.vector_bytes // BYTES[self.letter]


class LlvmFunctionBuilder:
    """The text of a function whose arguments are addresses.

    Values are names of the text or numbers.

    Attributes:
        letter: BLAS's letter for the element type.
        lanes: How many matrices a vector holds.
        vector: The type of vectors of elements.
    """

    def __init__(self, name: str, elements: VectorElements, arguments: Sequence[str]) -> None:
        parameters = ", ".join(f"ptr %{argument}" for argument in arguments)
        self.letter = letter = elements.letter
        self.lanes = elements.lanes
        self.alignment = min(LARGEST_ALIGNMENT, elements.vector_bytes)
        self.scalar = VALUES[letter]
        self.vector = f"<{self.lanes} x {self.scalar}>"
        self.integers = f"<{self.lanes} x i32>"
        self.mask = f"<{self.lanes} x i1>"
        self.head = f"define void @{name}({parameters}) #0 {{"
        self.lines: list[str] = []
        self.allocations: list[str] = []
        self.count = 0
        self.block = "begin"

    def name(self) -> str:
        """Returns a name for a new value."""
        self.count += 1
        return f"%v{self.count}"

    def value(self, text: str) -> str:
        """Adds an instruction with a result."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        """Adds an instruction without a result."""
        self.lines.append(f"  {text}")

    def begin(self, label: str) -> None:
        """Begins the block of a label."""
        self.lines.append(f"{label}:")
        self.block = label

    @contextmanager
    def loop(self, start: str | int, stop: str | int) -> Generator[str]:
        """A loop over the numbers from ``start`` up to, but without, ``stop``."""
        self.count += 1
        label = f"l{self.count}"
        before, index = self.block, f"%i{self.count}"
        self.do(f"br label %{label}_head")
        self.begin(f"{label}_head")
        head = len(self.lines)
        self.lines.append("")
        condition = self.value(f"icmp slt {WORD} {index}, {stop}")
        self.do(f"br i1 {condition}, label %{label}_body, label %{label}_end")
        self.begin(f"{label}_body")
        yield index
        following = self.add(index, 1)
        self.do(f"br label %{label}_head")
        self.lines[head] = (
            f"  {index} = phi {WORD} [ {start}, %{before} ], [ {following}, %{self.block} ]"
        )
        self.begin(f"{label}_end")

    @contextmanager
    def repeat(self) -> Generator[Callable[[str], None]]:
        """A loop until a condition that is given in it: what follows is carried out if not."""
        self.count += 1
        label, count = f"r{self.count}", 0
        self.do(f"br label %{label}_head")
        self.begin(f"{label}_head")

        def leave_if(condition: str) -> None:
            nonlocal count
            count += 1
            self.do(f"br i1 {condition}, label %{label}_end, label %{label}_after{count}")
            self.begin(f"{label}_after{count}")

        yield leave_if
        self.do(f"br label %{label}_head")
        self.begin(f"{label}_end")

    @contextmanager
    def when(self, condition: str) -> Generator[None]:
        """Instructions that are carried out if a condition holds."""
        self.count += 1
        label = f"w{self.count}"
        self.do(f"br i1 {condition}, label %{label}_then, label %{label}_end")
        self.begin(f"{label}_then")
        yield
        self.do(f"br label %{label}_end")
        self.begin(f"{label}_end")

    def text(self) -> str:
        """Formats the function as LLVM IR, with all allocations in its entry block."""
        start = ["entry:", *self.allocations, "  br label %begin", "begin:"]
        return "\n".join([self.head, *start, *self.lines, "  ret void", "}", ""])

    # numbers

    def add(self, one: str | int, other: str | int) -> str:
        """The sum of two numbers."""
        return self.value(f"add {WORD} {one}, {other}")

    def subtract(self, one: str | int, other: str | int) -> str:
        """The difference of two numbers."""
        return self.value(f"sub {WORD} {one}, {other}")

    def least(self, one: str | int, other: str | int) -> str:
        """The lesser one of two numbers."""
        return self.value(f"call {WORD} @llvm.smin.i64({WORD} {one}, {WORD} {other})")

    def multiply(self, one: str | int, other: str | int) -> str:
        """The product of two numbers."""
        return self.value(f"mul {WORD} {one}, {other}")

    def place(self, *terms: tuple[str | int, str | int]) -> str:
        """Emits an offset as the sum of products of indices and strides."""
        total: str = self.multiply(*terms[0])
        for term in terms[1:]:
            total = self.add(total, self.multiply(*term))
        return total

    def parameter(self, number: int) -> str:
        """A word of the argument ``parameters``."""
        at = self.value(f"getelementptr {WORD}, ptr %parameters, i64 {number}")
        return self.value(f"load {WORD}, ptr {at}")

    # vectors

    def variable(self, vector_type: str) -> str:
        """A variable; it has no value yet."""
        name = f"%variable{len(self.allocations)}"
        self.allocations.append(f"  {name} = alloca {vector_type}, align {LARGEST_ALIGNMENT}")
        return name

    def set(self, variable: str, vector_type: str, value: str) -> None:
        """Gives a variable a value."""
        self.do(f"store {vector_type} {value}, ptr {variable}, align {self.alignment}")

    def get(self, variable: str, vector_type: str) -> str:
        """The value of a variable."""
        return self.value(f"load {vector_type}, ptr {variable}, align {self.alignment}")

    def element(self, memory: str, place: str) -> str:
        """The address of a vector in memory."""
        return self.value(f"getelementptr {self.vector}, ptr {memory}, i64 {place}")

    def load(self, memory: str, place: str) -> str:
        """Emits the load of a vector."""
        return self.get(self.element(memory, place), self.vector)

    def store(self, memory: str, place: str, value: str) -> None:
        """Stores a vector in memory."""
        self.set(self.element(memory, place), self.vector, value)

    def subtract_product(self, value: str, one: str, other: str) -> str:
        """``value - one * other``, rounded once."""
        negative = self.value(f"fneg {self.vector} {one}")
        suffix = f"v{self.lanes}f{8 * BYTES[self.letter]}"
        return self.value(
            f"call {self.vector} @llvm.fma.{suffix}({self.vector} {negative}, "
            f"{self.vector} {other}, {self.vector} {value})"
        )

    def intrinsic(self, name: str, *values: str) -> str:
        """The result of a function of LLVM of vectors."""
        suffix = f"v{self.lanes}f{8 * BYTES[self.letter]}"
        arguments = ", ".join(f"{self.vector} {value}" for value in values)
        return self.value(f"call {self.vector} @llvm.{name}.{suffix}({arguments})")

    def splat(self, kind: str, value: str) -> str:
        """A constant in all lanes."""
        return f"<{', '.join([f'{kind} {value}'] * self.lanes)}>"

    def constant(self, value: float) -> str:
        """A number of the element type, which represents it exactly, in all lanes."""
        bits = int.from_bytes(struct.pack(">d", value), "big")
        return self.splat(self.scalar, f"0x{bits:016X}")

    def all_lanes(self) -> str:
        """The mask of all lanes."""
        return self.splat("i1", "true")

    def compare(self, condition: str, one: str, other: str = "zeroinitializer") -> str:
        """Lanes for which a comparison holds."""
        return self.value(f"fcmp {condition} {self.vector} {one}, {other}")

    def select(self, mask: str, vector_type: str, one: str, other: str) -> str:
        """``one`` in the lanes of a mask, ``other`` in the rest."""
        return self.value(f"select {self.mask} {mask}, {vector_type} {one}, {vector_type} {other}")

    def integer(self, number: str) -> str:
        """An i32 in all lanes."""
        word = self.value(f"trunc {WORD} {number} to i32")
        one = self.value(f"insertelement {self.integers} poison, i32 {word}, i64 0")
        return self.value(
            f"shufflevector {self.integers} {one}, {self.integers} poison, "
            f"{self.integers} zeroinitializer"
        )

    def any(self, mask: str) -> str:
        """Whether a mask has a lane."""
        bits = self.value(f"bitcast {self.mask} {mask} to i{self.lanes}")
        return self.value(f"icmp ne i{self.lanes} {bits}, 0")

    # matrices of the program

    def matrix_of_lane(self, lane: int, stride: str) -> str:
        """How many elements are before the matrix of a lane; the last matrix repeats."""
        last = self.add("%count", -1)
        number = self.value(f"call i64 @llvm.smin.i64(i64 {lane}, i64 {last})")
        return self.multiply(number, stride)

    def interleave(self, memory: str, source: str, elements: str) -> None:
        """Loads matrices, each of which has so many elements."""
        starts = [self.matrix_of_lane(lane, elements) for lane in range(self.lanes)]
        width = min(CHUNK_BYTES // BYTES[self.letter], self.lanes)
        chunk = f"<{width} x {self.scalar}>"
        with self.chunks(elements, width) as e:
            chunks: list[str] = []
            for start in starts:
                at = self.address(source, start, e)
                chunks.append(self.value(f"load {chunk}, ptr {at}, align {BYTES[self.letter]}"))
            joined = [self.join_chunks(chunks[number::width], width) for number in range(width)]
            for number, vector in enumerate(self.transpose_blocks(joined)):
                self.store(memory, self.add(e, number), vector)
        with self.loop(self.whole_chunks(elements, width), elements) as e:
            vector = "poison"
            for lane, start in enumerate(starts):
                item = self.value(f"load {self.scalar}, ptr {self.address(source, start, e)}")
                vector = self.value(
                    f"insertelement {self.vector} {vector}, {self.scalar} {item}, i64 {lane}"
                )
            self.store(memory, e, vector)

    def separate(self, target: str, memory: str, elements: str) -> None:
        """Stores matrices, each of which has so many elements."""
        starts = [self.matrix_of_lane(lane, elements) for lane in range(self.lanes)]
        width = min(CHUNK_BYTES // BYTES[self.letter], self.lanes)
        chunk = f"<{width} x {self.scalar}>"
        with self.chunks(elements, width) as e:
            vectors = [self.load(memory, self.add(e, number)) for number in range(width)]
            joined = self.transpose_blocks(vectors)
            for lane, start in enumerate(starts):
                first = lane // width * width
                places = ", ".join(f"i32 {first + number}" for number in range(width))
                item = self.value(
                    f"shufflevector {self.vector} {joined[lane % width]}, {self.vector} poison, "
                    f"<{width} x i32> <{places}>"
                )
                at = self.address(target, start, e)
                self.do(f"store {chunk} {item}, ptr {at}, align {BYTES[self.letter]}")
        with self.loop(self.whole_chunks(elements, width), elements) as e:
            vector = self.load(memory, e)
            for lane, start in enumerate(starts):
                item = self.value(f"extractelement {self.vector} {vector}, i64 {lane}")
                self.do(f"store {self.scalar} {item}, ptr {self.address(target, start, e)}")

    def address(self, memory: str, start: str, place: str) -> str:
        """The address of an element of the matrix that begins at ``start``."""
        at = self.value(f"getelementptr {self.scalar}, ptr {memory}, i64 {start}")
        return self.value(f"getelementptr {self.scalar}, ptr {at}, i64 {place}")

    def whole_chunks(self, elements: str, width: int) -> str:
        """How many elements are in whole chunks."""
        return self.value(f"and i64 {elements}, {-width}")

    @contextmanager
    def chunks(self, elements: str, width: int) -> Generator[str]:
        """A loop over the first elements of chunks of so many."""
        count = self.value(f"sdiv i64 {elements}, {width}")
        with self.loop(0, count) as chunk:
            yield self.multiply(chunk, width)

    def join_chunks(self, chunks: Sequence[str], width: int) -> str:
        """Chunks one after the other as a vector."""
        if len(chunks) == 1:
            return chunks[0]
        middle = len(chunks) // 2
        halves = [self.join_chunks(part, width) for part in (chunks[:middle], chunks[middle:])]
        count = width * len(chunks)
        kind = f"<{count // 2} x {self.scalar}>"
        places = ", ".join(f"i32 {place}" for place in range(count))
        return self.value(
            f"shufflevector {kind} {halves[0]}, {kind} {halves[1]}, <{count} x i32> <{places}>"
        )

    def transpose_blocks(self, vectors: Sequence[str]) -> list[str]:
        """Vectors of rows of square blocks as those of the transposed blocks.

        A vector has a row of each block; there are as many vectors as a block has rows.
        """
        width = len(vectors)
        if width == 2:
            return [self.from_blocks(vectors, width, [(0, k), (1, k)]) for k in range(width)]
        pairs = [
            self.from_blocks(vectors[first : first + 2], width, COLUMNS[k])
            for first in (0, 2)
            for k in (0, 2)
        ]
        return [
            self.from_blocks([pairs[k // 2], pairs[2 + k // 2]], width, HALVES[k % 2])
            for k in range(width)
        ]

    def from_blocks(
        self, vectors: Sequence[str], width: int, places: Sequence[tuple[int, int]]
    ) -> str:
        """Elements of the rows of two vectors, the same ones in each block."""
        numbers = [
            f"i32 {vector * self.lanes + block + place}"
            for block in range(0, self.lanes, width)
            for vector, place in places
        ]
        one, other = vectors
        return self.value(
            f"shufflevector {self.vector} {one}, {self.vector} {other}, "
            f"<{self.lanes} x i32> <{', '.join(numbers)}>"
        )

    def store_integers(self, target: str, vector: str, stride: str | int, place: str | int) -> None:
        """Stores an i32 of each lane in an array of the matrix."""
        for lane in range(self.lanes):
            start = self.matrix_of_lane(lane, str(stride))
            at = self.value(f"getelementptr i32, ptr {target}, i64 {start}")
            at = self.value(f"getelementptr i32, ptr {at}, i64 {place}")
            item = self.value(f"extractelement {self.integers} {vector}, i64 {lane}")
            self.do(f"store i32 {item}, ptr {at}")


def function_name(routine: str, elements: VectorElements, *, is_complex: bool = False) -> str:
    """The name of the function of a routine; vectors have the parts of complex numbers."""
    letter = COMPLEX_LETTERS[elements.letter] if is_complex else elements.letter
    return f"compact_{letter}{routine}_{elements.vector_bytes}"


def function(
    routine: str, elements: VectorElements, arguments: str, *, is_complex: bool = False
) -> LlvmFunctionBuilder:
    """The function of a routine, whose ``count`` is loaded."""
    name = function_name(routine, elements, is_complex=is_complex)
    text = LlvmFunctionBuilder(name, elements, arguments.split())
    text.do(f"%count = load {WORD}, ptr %counts")
    return text
