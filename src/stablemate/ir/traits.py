"""Facts of operations: what their classes declare, and others ask for instead of names."""

from __future__ import annotations

from enum import Flag, StrEnum, auto
from typing import Final, NamedTuple


class Trait(Flag):
    """Properties of an operation besides its fields.

    Attributes:
        CONSTANT_LIKE: Its result is the value of its attribute ``value``.
        IMPLICIT_TERMINATOR: Its regions are single blocks with a terminator that is known, which
            upstream's verifier looks for before it visits the operations inside.
        SELECT: It returns one of its operands, as a whole or element by element.
        FOLDABLE: The specification determines each bit of its result: it moves elements, computes
            with integers, or rounds once.
        ASYNCHRONOUS: ``async_start`` may start it.
        PROMOTING: The elements of its results may be wider than those of its inputs, because its
            reducer accumulates in a wider type.
        COMPOUND: Executors have no kernel for it: it is decomposed before they get it.
        STRUCTURED: It only decides which of its regions are executed, and how often.
        FREE: It costs nothing: it names or groups values, or is known before the program runs.
        ELEMENTWISE: Each element of a result is a function of the operands' elements at the same
            index, or of scalars, in the operands' order.
        SHARDED_ALIKE: It is not elementwise, but all its operands and results have the same
            dimensions, each of which may be divided among devices.
        IDENTITY: Its results are its operands: it orders them, or says how they are distributed.
        DYNAMIC: Operands of it are sizes, or it reads or sets one; refinement makes it static.
        REAL_VALUED: On quantized tensors it computes with the numbers that they represent
            (``dequantize_op_quantize``); others move stored values, or combine them by a region.
        IN_PLACE: Executors may write each result over the operand of the same position, if both
            have the same type.
    """

    NONE = 0
    CONSTANT_LIKE = auto()
    IMPLICIT_TERMINATOR = auto()
    SELECT = auto()
    FOLDABLE = auto()
    ASYNCHRONOUS = auto()
    PROMOTING = auto()
    COMPOUND = auto()
    STRUCTURED = auto()
    FREE = auto()
    ELEMENTWISE = auto()
    SHARDED_ALIKE = auto()
    IDENTITY = auto()
    DYNAMIC = auto()
    REAL_VALUED = auto()
    IN_PLACE = auto()


class Family(StrEnum):
    """The kind of computation of an operation, by which pages and tables group operations."""

    CONTRACTION = "contraction"
    MOVEMENT = "movement"
    REDUCTION = "reduction"
    CONTROL = "control"
    EXTERNAL = "external"  # other processes, the host, random numbers
    ELEMENTWISE = "elementwise"


class Work(NamedTuple):
    """The cost of one element of the result.

    Attributes:
        flops: Arithmetic operations.
        transcendentals: Transcendental functions.
        additions: The time in native code, in additions: fusion decides by it whether it computes
            an element again or stores it.
    """

    flops: int = 0
    transcendentals: int = 0
    additions: int = 1


class Linearity(NamedTuple):
    """In which operands an operation is linear: what may be done to the terms of a sum.

    The function of the sum is the sum of the function of the terms, so that unreduced values stay
    unreduced.

    Attributes:
        alternatives: Sets of operands, by their positions; the operation is linear in each.
        moves: Whether it only moves their elements: then terms of a maximum may be moved, too.
    """

    alternatives: tuple[tuple[int, ...], ...] = ()
    moves: bool = False


NOT_LINEAR: Final = Linearity()
FIRST: Final = Linearity(((0,),))
BOTH: Final = Linearity(((0, 1),))  # together, as the terms of a sum
EITHER: Final = Linearity(((0,), (1,)))  # the other one fixed, as the factors of a product
MOVED_FIRST: Final = Linearity(((0,),), moves=True)


class Laws(NamedTuple):
    """The laws of an operation of one or two operands, on integers.

    Attributes:
        identity: The number that changes no first operand; -1 has all bits set.
        absorbing: The number that is the result wherever it is an operand.
        idempotent: Whether an operand combined with itself is that operand.
        is_monoid: Whether it is associative and commutative.
        is_involution: Whether it undoes itself.
    """

    identity: int | None = None
    absorbing: int | None = None
    idempotent: bool = False
    is_monoid: bool = False
    is_involution: bool = False


NO_LAWS: Final = Laws()
NO_WORK: Final = Work()  # it reads and writes, and computes nothing but indices
ARITHMETIC: Final = Work(flops=1)
QUOTIENT: Final = Work(flops=1, additions=8)
TRANSCENDENTAL: Final = Work(transcendentals=1, additions=60)
SAME_ELEMENT: Final = Work(additions=0)  # only the index of what is read differs
SELECTED_ELEMENT: Final = Work(additions=2)  # a guard, mostly outside of loops
