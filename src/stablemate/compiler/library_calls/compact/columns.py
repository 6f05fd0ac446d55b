"""Rotations of columns, and their order, which differs between the matrices of a vector."""

from __future__ import annotations

from stablemate.compiler.library_calls.compact.vectors import (
    Integers,
    LaneArray,
    Mask,
    Vector,
    Word,
    integer_variable,
    integers,
)


def rotate(
    one: LaneArray, other: LaneArray, count: Word, factors: tuple[Vector, Vector], lanes: Mask
) -> None:
    """Replaces two columns x and y by c x - s y and s x + c y in some lanes.

    In the others they keep their bits, which a rotation by zero changes: -0 would become 0.
    """
    text, (c, s) = one.text, factors
    with text.loop(0, count) as k:
        x, y = one[k], other[k]
        one[k] = lanes.choose(c.times_plus(x, -(s * y)), x)
        other[k] = lanes.choose(c.times_plus(y, s * x), y)


def rank(values: LaneArray, ranks: LaneArray, n: Word, condition: str) -> None:
    """Gives each value the number of those that come before it.

    Args:
        values: The values.
        ranks: Where the numbers are stored, as integers in the memory of numbers.
        n: How many there are.
        condition: LLVM's ``fcmp`` of a value with those that come later; equal ones keep their
            order.
    """
    text = values.text
    none, one = Integers(text, "zeroinitializer"), integers(text, 1)
    with text.loop(0, n) as j:
        own, total = values[j], integer_variable(text, none)
        with text.loop(0, n) as k:
            before = integers(text, k).compare("slt", integers(text, j))
            other = values[k]
            less = other.compare(condition, own) | (other.compare("oeq", own) & before)
            total.set(total.get() + less.choose_integers(one, none))
        text.set(text.element(ranks.memory, j), text.integers, total.get().name)


def scatter(
    memory: str, ranks: LaneArray, j: Word, strides: tuple[Word, Word], i: Word, value: Vector
) -> None:
    """Stores element i of a vector where the rank of j says, which differs between lanes.

    Args:
        memory: Where vectors begin.
        ranks: The ranks.
        j: Which of them counts.
        strides: From one rank to the next, and from one element to the next.
        i: The element.
        value: What is stored.
    """
    text = value.text
    rank = text.get(text.element(ranks.memory, str(j)), text.integers)
    start = text.multiply(i, strides[1])
    for lane in range(text.lanes):
        narrow = text.value(f"extractelement {text.integers} {rank}, i64 {lane}")
        word = text.value(f"sext i32 {narrow} to i64")
        place = text.multiply(text.add(start, text.multiply(word, strides[0])), text.lanes)
        at = text.value(f"getelementptr {text.scalar}, ptr {memory}, i64 {text.add(place, lane)}")
        item = text.value(f"extractelement {text.vector} {value.name}, i64 {lane}")
        text.do(f"store {text.scalar} {item}, ptr {at}")
