"""Kernels as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from stablemate.compiler.nest.expressions import Expression, terms_of
from stablemate.compiler.nest.operators import BITS, DTYPES
from stablemate.compiler.nest.statements import (
    Combine,
    Fold,
    Kernel,
    Loop,
    Statement,
    Store,
    When,
)


def printed(kernel: Kernel) -> str:
    """The text of a kernel, in the grammar of the package."""
    buffers = ", ".join(map(str, (*kernel.arguments, *kernel.locals)))
    lines = "\n".join(lines_of(kernel.body, 1))
    return f"{kernel.name}({buffers}) {{\n{lines}\n}}\n"


def lines_of(body: Sequence[Statement], depth: int) -> Iterator[str]:
    """The lines of statements."""
    pad = "  " * depth
    for each in body:
        match each:
            case Loop():
                kind = f"{'parallel ' if each.parallel else ''}{each.kind}"
                yield f"{pad}for {text_of(each.index)} < {each.extent} : {kind} {{"
                yield from lines_of(each.body, depth + 1)
                yield f"{pad}}}"
            case When():
                yield f"{pad}when {text_of(each.condition)} {{"
                yield from lines_of(each.body, depth + 1)
                yield f"{pad}}}"
            case Store(buffer, place, value):
                yield f"{pad}store {buffer.name}[{text_of(place)}] = {text_of(value)}"
            case Fold(buffer, place, operator, value):
                skip = f" behind {each.skip}" if each.skip else ""
                to = f"{buffer.name}[{text_of(place)}]"
                yield f"{pad}fold {to} {operator}= {text_of(value)}{skip}"
            case Combine(buffer, place, operator, partials):
                to = f"{buffer.name}[{text_of(place)}]"
                yield f"{pad}combine {to} {operator}= {partials.name}"


def text_of(expression: Expression) -> str:
    """The text of an expression."""
    match expression.operator:
        case "constant":
            return constant_text(expression)
        case "index":
            return str(expression.detail)
        case "sum":
            return sum_text(expression)
        case "load":
            return f"{expression.detail.name}[{text_of(expression.operands[0])}]"
        case "quotient" | "remainder" | "least" | "greatest" | "position" as operator:
            return f"{operator}({text_of(expression.operands[0])}, {expression.detail})"
        case operator:
            operands = ", ".join(map(text_of, expression.operands))
            return f"{operator}({operands})"


def sum_text(expression: Expression) -> str:
    """The text of a sum of indices."""
    constant, terms = terms_of(expression)
    parts = [text_of(a) if c == 1 else f"{c} * {text_of(a)}" for a, c in terms]
    if constant or not parts:
        parts.append(str(constant))
    return " + ".join(parts)


def constant_text(expression: Expression) -> str:
    """The text of a constant: a number of its type."""
    bits = np.array(expression.detail, f"u{max(BITS[expression.type] // 8, 1)}")
    return f"{bits.view(DTYPES[expression.type])[()]}"
