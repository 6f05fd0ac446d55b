"""Products of matrices, and sums of products.

Source: ONNX, Operator Schemas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from string import ascii_letters

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.operators.stored_products import (
    dequantize_uniform,
    quantized_operands,
    sums_element,
)
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.tensor_functions import contraction as c
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import linear_algebra as la
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.floating_point import computed_element, to_compute_type
from stablemate.frontends.tensor_functions.tensor import Tensor, same_shape
from stablemate.numerics.elements import I64


@lowers("MatMul")
def matmul(call: Call, a: Tensor, b: Tensor) -> Tensor:
    """The product of matrices, whose batches are broadcast"""
    depth = b.shape[-2] if b.rank > 1 else b.size
    stored = quantized_operands(
        call.stored.get(a.value), call.stored.get(b.value), b.rank - 1, depth
    )
    if stored is not None and b.rank == 2:  # a matrix of weights
        return dequantize_uniform(c.matmul(*stored, sums_element(*stored, max(a.rank - 1, 0))))
    return c.matmul(a, b, computed_element(a.element)).convert(a.element)


@lowers("Gemm")
def gemm(
    call: Call, a: Tensor, b: Tensor, bias: Tensor | None = None, *, alpha: float = 1.0,
    beta: float = 1.0, transA: int = 0, transB: int = 0, broadcast: int = 1,
) -> Tensor:  # fmt: skip
    """Alpha a b + beta bias, with a or b transposed"""
    dims = [0 if transA else 1], [1 if transB else 0]
    columns = 0 if transB else 1
    stored = quantized_operands(
        call.stored.get(a.value), call.stored.get(b.value), columns, b.shape[1 - columns]
    )
    if stored is None:
        product = c.dot_general(a, b, dims, element=computed_element(a.element))
    else:
        product = dequantize_uniform(c.dot_general(*stored, dims, element=sums_element(*stored, 1)))
    result = scale_by(product, alpha)
    if bias is not None:
        result = result + scale_by(to_compute_type(bias), beta)
    return result.convert(a.element)


def scale_by(x: Tensor, factor: float) -> Tensor:
    """A tensor times a number, which is often 1."""
    return x if factor == 1 else x * factor


@lowers("Det")
def det(call: Call, x: Tensor) -> Tensor:
    """The determinants of matrices, the last two dimensions"""
    factors, pivots, _ = la.lu(to_compute_type(x))
    return la.determinant(factors, pivots).convert(x.element)


@lowers("Einsum")
def einsum(call: Call, *operands: Tensor, equation: str) -> Tensor:
    """Sums of products by labels of dimensions"""
    inputs, labels = parsed_equation(equation, [x.rank for x in operands])
    parts = [
        with_distinct_labels(to_compute_type(x), names)
        for x, names in zip(operands, inputs, strict=True)
    ]
    parts = without_repeated_ones(parts)
    result, names = sum_unused(*parts[0], {*labels, *chain(*[own for _, own in parts[1:]])})
    for i, (x, own) in enumerate(parts[1:], 1):
        later = {*labels, *chain(*[other for _, other in parts[i + 1 :]])}
        other, own = sum_unused(x, own, {*names, *later})
        result, names = sum_unused(result, names, {*own, *later})
        kept = [n for n in dict.fromkeys([*names, *own]) if n in later]
        result = c.einsum(result, "".join(names), other, "".join(own), "".join(kept))
        names = kept
    return m.transpose(result, [names.index(label) for label in labels]).convert(
        operands[0].element
    )


def parsed_equation(equation: str, ranks: Sequence[int]) -> tuple[list[list[str]], list[str]]:
    """The labels of each operand and of the result; those of an ellipsis are letters of their own.

    Without a result, the equation means the labels that stand there once, in alphabetic order.
    """
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    free = [letter for letter in ascii_letters if letter not in text]
    widths = [
        rank - len(term.replace("...", "")) if "..." in term else 0
        for term, rank in zip(terms, ranks, strict=True)
    ]
    shared = free[: max(widths, default=0)]
    inputs = [
        list(term.replace("...", "".join(shared[len(shared) - width :])))
        for term, width in zip(terms, widths, strict=True)
    ]
    if arrow:
        return inputs, list(right.replace("...", "".join(shared)))
    letters = re.sub(r"[.,]", "", left)
    return inputs, [*shared, *sorted(n for n in set(letters) if letters.count(n) == 1)]


def with_distinct_labels(x: Tensor, labels: Sequence[str]) -> tuple[Tensor, list[str]]:
    """A tensor of which equal labels are one dimension: the diagonal of theirs."""
    names = list(labels)
    for label in dict.fromkeys(labels):
        while names.count(label) > 1:
            first = names.index(label)
            second = names.index(label, first + 1)
            rows, columns = (m.iota(x.graph, x.shape, d, I64) for d in (first, second))
            x = r.sum_over(f.select(rows.equals(columns), x, 0), [second])
            del names[second]
    return x, names


def without_repeated_ones(
    parts: Sequence[tuple[Tensor, list[str]]],
) -> list[tuple[Tensor, list[str]]]:
    """Operands without dimensions of size 1 that others have with another size."""
    large = {
        name
        for x, names in parts
        for name, size in zip(names, x.shape, strict=True)
        if not same_shape((size,), (1,))
    }
    found: list[tuple[Tensor, list[str]]] = []
    for x, names in parts:
        dropped = [i for i, n in enumerate(names) if n in large and same_shape((x.shape[i],), (1,))]
        kept = [name for i, name in enumerate(names) if i not in dropped]
        found.append((m.squeeze(x, *dropped) if dropped else x, kept))
    return found


def sum_unused(x: Tensor, labels: Sequence[str], kept: set[str]) -> tuple[Tensor, list[str]]:
    """A tensor summed over the dimensions whose labels nothing needs any more."""
    dims = [i for i, label in enumerate(labels) if label not in kept]
    rest = [label for label in labels if label in kept]
    return (r.sum_over(x, dims) if dims else x), rest
