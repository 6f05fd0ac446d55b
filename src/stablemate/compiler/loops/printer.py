"""Prints kernels as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.loops.operators import BITS, DTYPES
from stablemate.compiler.loops.statements import (
    ClearTile,
    CombinePartials,
    Fetch,
    Fold,
    Kernel,
    Loop,
    MoveTile,
    MultiplyTiles,
    Statement,
    StoreElement,
    When,
)

LONG: Final = 160  # characters of a value that gets a name


def kernel_text(kernel: Kernel) -> str:
    """The text of a kernel, in the grammar of the package; values used twice are named."""
    return "".join([f"{line}\n" for line, _ in kernel_lines(kernel)])


def kernel_lines(kernel: Kernel) -> Iterator[tuple[str, Statement | None]]:
    """The lines of a kernel, each with the statement that it belongs to."""
    buffers = ", ".join(map(str, (*kernel.arguments, *kernel.locals)))
    yield f"{kernel.name}({buffers}) {{", None
    for number, shape in enumerate(kernel.tiles):
        yield f"  tile {number} : {shape.rows} x {shape.words}", None
    yield from LoopPrinter().lines_of(kernel.body, 1)
    yield "}", None


class LoopPrinter:
    """Writes the statements of one kernel."""

    def __init__(self) -> None:
        self.count = 0
        self.last = ""

    def lines_of(self, body: Sequence[Statement], depth: int) -> Iterator[tuple[str, Statement]]:
        """The lines of statements, each with its statement."""
        pad = "  " * depth
        for statement in body:
            match statement:
                case Loop():
                    parallel, apart = "parallel " * statement.parallel, "apart " * statement.apart
                    kind = f"{parallel}{apart}{statement.kind}"
                    head = f"for {text_of(statement.index)} < {statement.extent} : {kind} {{"
                    yield pad + head, statement
                    yield from self.lines_of(statement.body, depth + 1)
                    again = statement.condition
                    end = "}" if again is None else f"}} while {text_of(again)}"
                    yield pad + end, statement
                case When():
                    yield f"{pad}when {text_of(statement.condition)} {{", statement
                    yield from self.lines_of(statement.body, depth + 1)
                    yield f"{pad}}}", statement
                case StoreElement(buffer, place, value):
                    yield from ((pad + line, statement) for line in self.shared_values(value))
                    yield f"{pad}store {buffer.name}[{text_of(place)}] = {self.last}", statement
                case Fold(buffer, place, operator, value):
                    yield from ((pad + line, statement) for line in self.shared_values(value))
                    skip = f" behind {statement.skip}" if statement.skip else ""
                    to = f"{buffer.name}[{text_of(place)}]"
                    yield f"{pad}fold {to} {operator}= {self.last}{skip}", statement
                case CombinePartials(buffer, place, operator, partials):
                    to = f"{buffer.name}[{text_of(place)}]"
                    yield f"{pad}combine {to} {operator}= {partials.name}", statement
                case MoveTile(number, buffer, place, stride, stores):
                    rows = f"{buffer.name}[{text_of(place)} by {stride}]"
                    tile = f"tile {number}"
                    line = f"store {rows} = {tile}" if stores else f"{tile} = {rows}"
                    yield pad + line, statement
                case Fetch(buffer, place):
                    yield f"{pad}fetch {buffer.name}[{text_of(place)}]", statement
                case ClearTile(number):
                    yield f"{pad}tile {number} = 0", statement
                case MultiplyTiles(operator, total, left, right):
                    factors = f"tile {left}, tile {right}"
                    yield f"{pad}tile {total} = {operator}(tile {total}, {factors})", statement

    def shared_values(self, value: Expression) -> Iterator[str]:
        """Lines that name the values used more than once.

        The text of the value itself is ``last``.
        """
        order = postorder(value)
        uses = Counter(operand for expression in order for operand in expression.operands)
        texts: dict[Expression, str] = {}
        for expression in order:
            text = text_from(expression, [texts[operand] for operand in expression.operands])
            shared = uses[expression] > 1 and expression.operands and expression.type != "index"
            if expression is not value and (shared or len(text) > LONG):
                self.count += 1
                yield f"v{self.count} = {text}"
                text = f"v{self.count}"
            texts[expression] = text
        self.last = texts[value]


def postorder(root: Expression) -> list[Expression]:
    """All subexpressions, each once and after its operands."""
    ordered: dict[Expression, None] = {}
    pending = [root]
    while pending:
        last = pending[-1]
        inner = [operand for operand in last.operands if operand not in ordered]
        if inner and last not in ordered:
            pending += inner
        else:
            ordered.setdefault(pending.pop())
    return list(ordered)


def text_of(expression: Expression) -> str:
    """The text of an expression that is not deep."""
    return text_from(expression, [text_of(operand) for operand in expression.operands])


def text_from(expression: Expression, operands: Sequence[str]) -> str:
    """The text of an expression with the texts of its operands."""
    match expression.operator:
        case "constant":
            return constant_text(expression)
        case "index":
            return str(expression.detail)
        case "sum":
            return sum_text(expression, operands)
        case "load":
            return f"{expression.detail.name}[{operands[0]}]"
        case "quotient" | "remainder" | "least" | "greatest" | "position" as operator:
            return f"{operator}({operands[0]}, {expression.detail})"
        case operator:
            return f"{operator}({', '.join(operands)})"


def sum_text(expression: Expression, atoms: Sequence[str]) -> str:
    """The text of a sum of indices."""
    constant, *coefficients = expression.detail
    pairs = zip(atoms, coefficients, strict=True)
    parts = [atom if c == 1 else f"{c} * {atom}" for atom, c in pairs]
    if constant or not parts:
        parts.append(str(constant))
    return " + ".join(parts)


def constant_text(expression: Expression) -> str:
    """The text of a constant: a number of its type."""
    bits = np.array(expression.detail, f"u{max(BITS[expression.type] // 8, 1)}")
    return f"{bits.view(DTYPES[expression.type])[()]}"
