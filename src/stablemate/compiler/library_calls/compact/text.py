"""Writes LLVM text with loops, for functions on vectors of matrices."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Final

WORD: Final = "i64"
VALUES: Final = {"s": "float", "d": "double"}
BYTES: Final = {"s": 4, "d": 8}
LANES: Final = {"s": 8, "d": 4}  # of vectors of 32 bytes


class Function:
    """The text of a function whose arguments are addresses.

    Values are names of the text or numbers.

    Attributes:
        letter: BLAS's letter for the element type.
        lanes: How many matrices a vector holds.
        vector: The type of vectors of elements.
    """

    def __init__(self, name: str, letter: str, arguments: Sequence[str]) -> None:
        parameters = ", ".join(f"ptr %{argument}" for argument in arguments)
        self.letter = letter
        self.lanes = LANES[letter]
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
        """A new name."""
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
        """Begins a block."""
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
        """The function."""
        start = ["entry:", *self.allocations, "  br label %begin", "begin:"]
        return "\n".join([self.head, *start, *self.lines, "  ret void", "}", ""])

    # numbers

    def add(self, one: str | int, other: str | int) -> str:
        """The sum of two numbers."""
        return self.value(f"add {WORD} {one}, {other}")

    def multiply(self, one: str | int, other: str | int) -> str:
        """The product of two numbers."""
        return self.value(f"mul {WORD} {one}, {other}")

    def place(self, *terms: tuple[str | int, str | int]) -> str:
        """The sum of products."""
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
        self.allocations.append(f"  {name} = alloca {vector_type}, align 32")
        return name

    def set(self, variable: str, vector_type: str, value: str) -> None:
        """Gives a variable a value."""
        self.do(f"store {vector_type} {value}, ptr {variable}, align 32")

    def get(self, variable: str, vector_type: str) -> str:
        """The value of a variable."""
        return self.value(f"load {vector_type}, ptr {variable}, align 32")

    def element(self, memory: str, place: str) -> str:
        """The address of a vector in memory."""
        return self.value(f"getelementptr {self.vector}, ptr {memory}, i64 {place}")

    def load(self, memory: str, place: str) -> str:
        """A vector in memory."""
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

    def intrinsic(self, name: str, value: str) -> str:
        """The result of a function of LLVM of one vector."""
        suffix = f"v{self.lanes}f{8 * BYTES[self.letter]}"
        return self.value(f"call {self.vector} @llvm.{name}.{suffix}({self.vector} {value})")

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
        with self.loop(0, elements) as e:
            vector = "poison"
            for lane, start in enumerate(starts):
                at = self.value(f"getelementptr {self.scalar}, ptr {source}, i64 {start}")
                at = self.value(f"getelementptr {self.scalar}, ptr {at}, i64 {e}")
                item = self.value(f"load {self.scalar}, ptr {at}")
                vector = self.value(
                    f"insertelement {self.vector} {vector}, {self.scalar} {item}, i64 {lane}"
                )
            self.store(memory, e, vector)

    def separate(self, target: str, memory: str, elements: str) -> None:
        """Stores matrices, each of which has so many elements."""
        starts = [self.matrix_of_lane(lane, elements) for lane in range(self.lanes)]
        with self.loop(0, elements) as e:
            vector = self.load(memory, e)
            for lane, start in enumerate(starts):
                at = self.value(f"getelementptr {self.scalar}, ptr {target}, i64 {start}")
                at = self.value(f"getelementptr {self.scalar}, ptr {at}, i64 {e}")
                item = self.value(f"extractelement {self.vector} {vector}, i64 {lane}")
                self.do(f"store {self.scalar} {item}, ptr {at}")

    def store_integers(self, target: str, vector: str, stride: str | int, place: str | int) -> None:
        """Stores an i32 of each lane in an array of the matrix."""
        for lane in range(self.lanes):
            start = self.matrix_of_lane(lane, str(stride))
            at = self.value(f"getelementptr i32, ptr {target}, i64 {start}")
            at = self.value(f"getelementptr i32, ptr {at}, i64 {place}")
            item = self.value(f"extractelement {self.integers} {vector}, i64 {lane}")
            self.do(f"store i32 {item}, ptr {at}")
