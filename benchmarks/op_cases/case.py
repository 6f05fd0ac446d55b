"""A case: an operation, an element type, and how it is made for a number of elements."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tests.oracle.elements import DTYPES, ELEMENT_TYPES

Array = npt.NDArray[Any]

SEED: Final = 7
FLOATS: Final = ("f32", "f64", "f16", "bf16", "f8E4M3FN", "f4E2M1FN")
INTEGERS: Final = ("i8", "i32", "i64", "ui32", "i4")
COMPLEX: Final = ("complex<f32>",)


@dataclass(frozen=True)
class Work:
    """One operation and what it is given.

    Attributes:
        arguments: One array per operand.
        results: The types of the results.
        attributes: What stands between ``<{`` and ``}>``.
        regions: The regions, as text.
        numpy: The formula in NumPy or SciPy, of the arguments; None where there is none.
        steps: How many element-steps the formula takes; by default the size of the first argument.
        types: The types of the operands, where arrays do not say them.
    """

    arguments: Sequence[Array]
    results: Sequence[str]
    attributes: str = ""
    regions: Sequence[str] = ()
    numpy: Callable[..., Any] | None = None
    steps: int = 0
    types: Sequence[str] = ()

    @property
    def size(self) -> int:
        """Element-steps."""
        return self.steps or max(int(self.arguments[0].size), 1)

    def text(self, name: str, copies: int = 1) -> str:
        """A module whose entry makes the operation some number of times, on the same operands."""
        types = self.types or [type_of(argument) for argument in self.arguments]
        arguments = ", ".join(f"%a{i}: {value_type}" for i, value_type in enumerate(types))
        operands = ", ".join(f"%a{i}" for i in range(len(types)))
        many = f":{len(self.results)}" if len(self.results) > 1 else ""
        attributes = f" <{{{self.attributes}}}>" if self.attributes else ""
        regions = f" ({', '.join(self.regions)})" if self.regions else ""
        results = ", ".join(self.results)
        rest = f'"{name}"({operands}){attributes}{regions} : ({", ".join(types)}) -> ({results})'
        lines = "\n".join(f"  %r{i}{many} = {rest}" for i in range(copies))
        last = f"%r{copies - 1}"
        returned = ", ".join(f"{last}#{i}" for i in range(len(self.results))) if many else last
        return (
            f"func.func @main({arguments}) -> ({results}) {{\n{lines}\n"
            f"  return {returned} : {results}\n}}\n"
        )


@dataclass(frozen=True)
class Case:
    """An operation on one kind of elements.

    Attributes:
        operation: Its full name.
        kind: What tells it from other cases of the operation: an element type, mostly.
        make: The work for about so many elements.
    """

    operation: str
    kind: str
    make: Callable[[int], Work]

    @property
    def name(self) -> str:
        """The operation and the kind."""
        return f"{self.operation} {self.kind}"


def type_of(array: Array) -> str:
    """The tensor type of an array."""
    return tensor(ELEMENT_TYPES[array.dtype], *array.shape)


def tensor(element: str, *shape: int) -> str:
    """A tensor type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def i64s(*values: int) -> str:
    """An array attribute."""
    return f"array<i64: {', '.join(map(str, values))}>"


def draw(element: str, *shape: int, low: float = -2, high: float = 2, seed: int = SEED) -> Array:
    """Numbers between ``low`` and ``high``; integers likewise, booleans at random."""
    generator, dtype = np.random.default_rng(seed), DTYPES[element]
    if element == "i1":
        return generator.integers(0, 2, shape).astype(dtype)
    if element.lstrip("u").startswith("i"):
        least = max(int(low), 0) if element.startswith("u") else int(low)
        return (
            generator.integers(least, int(high) + 1, shape)
            .astype(np.int8 if dtype.itemsize == 1 and element != "ui8" else dtype)
            .astype(dtype)
        )
    values = generator.uniform(low, high, shape)
    if element.startswith("complex"):
        return (values + 1j * generator.uniform(low, high, shape)).astype(dtype)
    return values.astype(dtype)


def square(n: int) -> int:
    """The side of a matrix of about n elements."""
    return max(math.isqrt(n), 2)


def reducer(operation: str, element: str) -> str:
    """A region of one operation on two scalars."""
    scalar = tensor(element)
    return (
        f"{{\n^bb0(%x: {scalar}, %y: {scalar}):\n"
        f'  %0 = "stablehlo.{operation}"(%x, %y) : ({scalar}, {scalar}) -> {scalar}\n'
        f'  "stablehlo.return"(%0) : ({scalar}) -> ()\n}}'
    )


def comparator(element: str, others: Sequence[str] = (), direction: str = "LT") -> str:
    """A region that compares the first two of its scalars."""
    scalars = [tensor(other) for other in (element, *others) for _ in range(2)]
    arguments = ", ".join(f"%{i}: {scalar}" for i, scalar in enumerate(scalars))
    return (
        f"{{\n^bb0({arguments}):\n"
        f'  %p = "stablehlo.compare"(%0, %1) <{{comparison_direction = '
        f"#stablehlo<comparison_direction {direction}>}}> : ({scalars[0]}, {scalars[0]}) "
        f"-> tensor<i1>\n"
        f'  "stablehlo.return"(%p) : (tensor<i1>) -> ()\n}}'
    )
