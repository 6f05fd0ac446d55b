"""Bodies of reductions: monoids, and others in which the order or the side of an operand shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from stablemate.ir.types import tensor
from stablemate.numerics.elements import I32, ComplexType, ElementType, FloatType

if TYPE_CHECKING:
    from tests.properties.reference_order.programs import Draw

# One operation on x, the fold so far, and y, the next element; or several.
MONOIDS: Final = ("add", "multiply", "maximum", "minimum")
OPERATIONS: Final = (*MONOIDS, "add", "subtract", "add", "subtract", "multiply")


@dataclass(frozen=True, slots=True)
class Body:
    """A region that folds.

    Attributes:
        text: The region.
        elements: The element types of what it folds.
        name: The operation of a monoid; else what the region does.
    """

    text: str
    elements: tuple[ElementType, ...]
    name: str


def region(elements: Sequence[ElementType], lines: Sequence[str], results: Sequence[str]) -> str:
    """The text of a region on ``%x0``, ..., ``%y0``, ..."""
    scalars = [tensor(element) for element in elements]
    arguments = [f"%{side}{i}: {t}" for side in "xy" for i, t in enumerate(scalars)]
    returned = ", ".join(results), ", ".join(map(str, scalars))
    body = "".join(f"  {line}\n" for line in lines)
    heading = f"^bb0({', '.join(arguments)}):"
    return f"{{\n{heading}\n{body}  stablehlo.return {returned[0]} : {returned[1]}\n}}"


def monoid_body(draw: Draw, element: ElementType) -> Body:
    """A region of one operation that is a monoid."""
    return operation_body(draw, draw.one_of(MONOIDS), element)


def operation_body(draw: Draw, name: str, element: ElementType) -> Body:
    """A region of one operation, with its operands in one order or the other."""
    sides = "%x0, %y0" if draw.chance(70) else "%y0, %x0"
    line = f"%z = stablehlo.{name} {sides} : {tensor(element)}"
    return Body(region([element], [line], ["%z"]), (element,), name)


def scaled_body(draw: Draw, element: ElementType) -> Body:
    """``x * c + y`` or the like."""
    scalar, number = tensor(element), "(0.75, 0.5)" if isinstance(element, ComplexType) else "3"
    number = "0.75" if isinstance(element, FloatType) else number
    first, second = draw.one_of((("%x0", "%y0"), ("%y0", "%x0")))
    lines = [
        f"%c = stablehlo.constant dense<{number}> : {scalar}",
        f"%m = stablehlo.multiply {first}, %c : {scalar}",
        f"%z = stablehlo.{draw.one_of(('add', 'subtract'))} %m, {second} : {scalar}",
    ]
    return Body(region([element], lines, ["%z"]), (element,), "scaled")


def pair_body(draw: Draw, elements: Sequence[ElementType]) -> Body:
    """Two values: each folded alone, or one by what the other is."""
    scalars = [tensor(element) for element in elements]
    names = [draw.one_of(OPERATIONS[-5:]) for _ in range(2)]
    if draw.chance(50) or isinstance(elements[0], ComplexType):
        lines = [f"%z{i} = stablehlo.{names[i]} %x{i}, %y{i} : {scalars[i]}" for i in range(2)]
    else:
        kind = "FLOAT" if isinstance(elements[0], FloatType) else "SIGNED"
        kind = "UNSIGNED" if str(elements[0]).startswith("ui") else kind
        lines = [
            f"%p = stablehlo.compare {draw.one_of(('GE', 'LT'))}, %x0, %y0, {kind} : "
            f"({scalars[0]}, {scalars[0]}) -> tensor<i1>",
            *(
                f"%z{i} = stablehlo.select %p, %x{i}, %y{i} : tensor<i1>, {scalars[i]}"
                for i in range(2)
            ),
        ]
    return Body(region(elements, lines, ["%z0", "%z1"]), tuple(elements), "pair")


def any_body(draw: Draw, elements: Sequence[ElementType], count: int = 2) -> Body:
    """A body on one value, or on two where ``count`` allows."""
    body = unmarked_body(draw, draw.one_of(elements), count)
    draw.is_ordered = body.name not in MONOIDS
    return body


def unmarked_body(draw: Draw, element: ElementType, count: int) -> Body:
    """A body for elements of a type."""
    if count > 1 and draw.chance(20):
        return pair_body(draw, [element, draw.one_of((element, I32))])
    if draw.chance(25):
        return scaled_body(draw, element)
    names = OPERATIONS if not isinstance(element, ComplexType) else OPERATIONS[-5:]
    return operation_body(draw, draw.one_of(names), element)


def identity_of(body: Body, element: ElementType) -> Any:
    """A number that the operation of a monoid leaves as it is; 0 for other bodies."""
    number: Any = 1 if body.name == "multiply" else 0
    if body.name in ("maximum", "minimum"):
        sign = -1 if body.name == "maximum" else 1
        if not isinstance(element, FloatType):
            info = np.iinfo(element.dtype)
            number = info.min if sign < 0 else info.max
        else:
            number = float("inf") * sign
            if not np.isinf(np.asarray(number).astype(element.dtype).astype(np.float64)):
                number = 448.0 * sign  # the largest of f8E4M3FN
    return np.asarray(number).astype(element.dtype)
