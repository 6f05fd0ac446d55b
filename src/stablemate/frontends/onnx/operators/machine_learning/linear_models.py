"""Linear models and support vector machines.

Source: ONNX, Operator Schemas of ai.onnx.ml.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from stablemate.frontends.onnx.call import Call
from stablemate.frontends.onnx.operators.machine_learning.class_scores import (
    ML,
    apply_post_transform,
    best_labels,
    class_labels,
    computed_rows,
    two_scores,
)
from stablemate.frontends.onnx.table import lowers
from stablemate.frontends.onnx.text_tensors import TextTensor
from stablemate.frontends.tensor_functions import contraction as c
from stablemate.frontends.tensor_functions import elementwise as f
from stablemate.frontends.tensor_functions import movement as m
from stablemate.frontends.tensor_functions import reductions as r
from stablemate.frontends.tensor_functions.control import counted_loop
from stablemate.frontends.tensor_functions.graph import TensorGraph
from stablemate.frontends.tensor_functions.tensor import Tensor, constant, full, scalar
from stablemate.numerics.elements import BOOLEAN, F32, I64, Array

MOST_STEPS: Final = 100  # towards the probabilities of several classes
TOLERANCE: Final = 0.005  # of them, over the number of classes
SMALLEST: Final = 1e-7  # probability between two classes


def floats(call: Call, numbers: Sequence[float] | Array) -> Tensor:
    """Numbers of a model as a constant."""
    return constant(call.graph, np.asarray(numbers, np.float32), F32)


def linear_scores(
    call: Call, x: Tensor, coefficients: Sequence[float], intercepts: Sequence[float], count: int
) -> Tensor:
    """The product of rows and a row of coefficients for each target, and its intercept."""
    rows = computed_rows(x).convert(F32)
    weights = np.array(coefficients, np.float32).reshape(count, -1)
    scores = c.matmul(rows, floats(call, weights.T))
    return scores + floats(call, intercepts) if intercepts else scores


@lowers("LinearRegressor", domain=ML)
def linear_regressor(
    call: Call, x: Tensor, *, coefficients: Sequence[float], intercepts: Sequence[float] = (),
    post_transform: str = "NONE", targets: int = 1,
) -> Tensor:  # fmt: skip
    """A linear function of rows for each target"""
    scores = linear_scores(call, x, coefficients, intercepts, targets)
    return apply_post_transform(call, scores, post_transform)


@lowers("LinearClassifier", domain=ML)
def linear_classifier(
    call: Call, x: Tensor, *, coefficients: Sequence[float],
    classlabels_ints: Sequence[int] | None = None,
    classlabels_strings: Sequence[str] | None = None, intercepts: Sequence[float] = (),
    multi_class: int = 0, post_transform: str = "NONE",
) -> tuple[Tensor | TextTensor, Tensor]:  # fmt: skip
    """The class with the largest linear function of rows, and these functions"""
    labels = class_labels(call, classlabels_ints, classlabels_strings)
    count = len(intercepts) or len(labels)
    scores = linear_scores(call, x, coefficients, intercepts, count)
    if count == 1 and len(labels) == 2:
        return two_scores(call, scores, labels, post_transform, threshold=0.0, is_share=True)
    return best_labels(scores, labels), apply_post_transform(call, scores, post_transform)


# support vector machines


KERNELS: Final[dict[str, Callable[[Tensor, float, float, float], Tensor]]] = {
    "LINEAR": lambda product, gamma, coef0, degree: product,
    "POLY": lambda product, gamma, coef0, degree: f.power(gamma * product + coef0, degree),
    "SIGMOID": lambda product, gamma, coef0, degree: f.tanh(gamma * product + coef0),
}


def kernel_of(
    call: Call, rows: Tensor, vectors: Array, kind: str, parameters: Sequence[float]
) -> Tensor:
    """The kernel of each row and vector.

    Args:
        call: The call.
        rows: A matrix.
        vectors: A matrix.
        kind: The kernel.
        parameters: Its gamma, coef0 and degree.
    """
    gamma, coef0, degree = parameters or (0.0, 0.0, 0.0)
    if kind == "RBF":
        shape = (rows.shape[0], *vectors.shape)
        apart = m.expand_dims(rows, 1).broadcast_to(shape) - floats(call, vectors)
        return f.exp(-gamma * r.sum_over(f.square(apart), [2]))
    if kind not in KERNELS:
        call.refuse(f"kernel_type {kind!r} is none of RBF, {', '.join(KERNELS)}")
    return KERNELS[kind](c.matmul(rows, floats(call, vectors.T)), gamma, coef0, degree)


@lowers("SVMRegressor", domain=ML)
def svm_regressor(
    call: Call, x: Tensor, *, coefficients: Sequence[float], rho: Sequence[float],
    support_vectors: Sequence[float] = (), n_supports: int = 0, one_class: int = 0,
    kernel_params: Sequence[float] = (), kernel_type: str = "LINEAR", post_transform: str = "NONE",
) -> Tensor:  # fmt: skip
    """The sum of kernels of a row and the support vectors; for one class, its sign"""
    rows = computed_rows(x).convert(F32)
    weights = np.array(coefficients, np.float32)
    if n_supports:
        vectors = np.array(support_vectors, np.float32).reshape(n_supports, -1)
        kernels = kernel_of(call, rows, vectors, kernel_type, kernel_params)
        scores = c.matmul(kernels, floats(call, weights[:, None])) + rho[0]
    else:
        scores = kernel_of(call, rows, weights[None], kernel_type, kernel_params) + rho[0]
    if one_class:
        return f.select(scores > 0, 1, full(call.graph, scores.shape, -1, F32))
    return apply_post_transform(call, scores, post_transform)


@lowers("SVMClassifier", domain=ML)
def svm_classifier(
    call: Call, x: Tensor, *, coefficients: Sequence[float], rho: Sequence[float],
    classlabels_ints: Sequence[int] | None = None,
    classlabels_strings: Sequence[str] | None = None, kernel_params: Sequence[float] = (),
    kernel_type: str = "LINEAR", post_transform: str = "NONE", prob_a: Sequence[float] = (),
    prob_b: Sequence[float] = (), support_vectors: Sequence[float] = (),
    vectors_per_class: Sequence[int] = (),
) -> tuple[Tensor | TextTensor, Tensor]:  # fmt: skip
    """The class that wins most duels, and the scores of these or probabilities"""
    labels = class_labels(call, classlabels_ints, classlabels_strings)
    rows = computed_rows(x).convert(F32)
    if not vectors_per_class:
        weights = np.array(coefficients, np.float32).reshape(len(labels), -1)
        scores = kernel_of(call, rows, weights, kernel_type, kernel_params) + rho[0]
        return best_labels(scores, labels), apply_post_transform(call, scores, post_transform)
    vectors = np.array(support_vectors, np.float32).reshape(sum(vectors_per_class), -1)
    kernels = kernel_of(call, rows, vectors, kernel_type, kernel_params)
    weights = duel_weights(np.array(coefficients, np.float32), vectors_per_class)
    duels = c.matmul(kernels, floats(call, weights)) + floats(call, rho)
    chosen = best_labels(votes(duels, len(labels)), labels)
    if prob_a:
        between = f.clamp(
            SMALLEST, f.logistic(-(duels * floats(call, prob_a) + floats(call, prob_b))),
            1 - SMALLEST,
        )  # fmt: skip
        scores = probabilities(between, len(labels))
        return chosen, apply_post_transform(call, scores, post_transform)
    if len(labels) == 2:
        return chosen, apply_post_transform(call, m.concatenate([-duels, duels], 1), post_transform)
    return chosen, apply_post_transform(call, duels, post_transform)


def duel_weights(coefficients: Array, counts: Sequence[int]) -> Array:
    """The weight of each vector in the duel of each pair of classes, a column a pair.

    A vector has a coefficient for the duel of its class with each other class.
    """
    rows = coefficients.reshape(len(counts) - 1, -1)
    ends = np.cumsum([0, *counts])
    parts = [slice(ends[i], ends[i + 1]) for i in range(len(counts))]
    pairs = list(combinations(range(len(counts)), 2))
    weights = np.zeros((ends[-1], len(pairs)), np.float32)
    for column, (i, j) in enumerate(pairs):
        weights[parts[i], column] = rows[j - 1, parts[i]]
        weights[parts[j], column] = rows[i, parts[j]]
    return weights


def votes(duels: Tensor, count: int) -> Tensor:
    """How many duels each class wins; the first of a pair does if the score is above zero."""
    first, second = np.zeros((2, duels.shape[1], count), np.float32)
    for row, (i, j) in enumerate(combinations(range(count), 2)):
        first[row, i] = second[row, j] = 1
    wins = (duels > 0).convert(F32)
    graph = duels.graph
    return c.matmul(wins, constant(graph, first)) + c.matmul(1 - wins, constant(graph, second))


def probabilities(between: Tensor, count: int) -> Tensor:
    """The probabilities of classes by those between each two of them.

    They minimize the sum over pairs of (r_ji p_i - r_ij p_j)^2, one after the other, until no
    derivative is far from the others.

    Args:
        between: The probability of the first of each pair of classes, a column a pair.
        count: How many classes there are.

    Source: Wu, Lin, Weng, Probability Estimates for Multi-class Classification by Pairwise
        Coupling, algorithm 2.
    """
    graph = between.graph
    matrix = coupling_matrix(between, count)
    start = [full(graph, between.shape[:1], 1 / count, F32) for _ in range(count)]

    def body(inner: TensorGraph, _index: Tensor, state: Sequence[Tensor]) -> list[Tensor]:
        q = [[x.within(inner) for x in row] for row in matrix]
        return coupling_step(q, state[:-1], state[-1])

    is_done = full(graph, between.shape[:1], False, BOOLEAN)
    results = counted_loop(scalar(graph, MOST_STEPS, I64), body, [*start, is_done])
    return m.stack(results[:-1], 1)


def coupling_matrix(between: Tensor, count: int) -> list[list[Tensor]]:
    """The matrix of the sum of squares."""
    shares: dict[tuple[int, int], Tensor] = {}
    for column, (i, j) in enumerate(combinations(range(count), 2)):
        shares[i, j] = m.take_index(between, 1, column)
        shares[j, i] = 1 - shares[i, j]

    def entry(i: int, j: int) -> Tensor:
        if i != j:
            return -(shares[j, i] * shares[i, j])
        total, *others = [f.square(shares[k, i]) for k in range(count) if k != i]
        for other in others:
            total = total + other
        return total

    return [[entry(i, j) for j in range(count)] for i in range(count)]


def dot(xs: Sequence[Tensor], ys: Sequence[Tensor]) -> Tensor:
    """The sum of products of pairs of tensors, element by element."""
    total = xs[0] * ys[0]
    for x, y in zip(xs[1:], ys[1:], strict=True):
        total = total + x * y
    return total


def coupling_step(
    q: Sequence[Sequence[Tensor]], shares: Sequence[Tensor], is_done: Tensor
) -> list[Tensor]:
    """The probabilities after each has been improved once, and whether a row is done."""
    p = list(shares)
    slopes = [dot(row, p) for row in q]
    mean = dot(p, slopes)
    far = abs(slopes[0] - mean)
    for slope in slopes[1:]:
        far = f.maximum(far, abs(slope - mean))
    is_done = is_done | (far < TOLERANCE / len(p))
    for i, row in enumerate(q):
        change = (mean - slopes[i]) / row[i]
        p[i] = p[i] + change
        scale = 1 + change
        mean = (mean + change * (change * row[i] + 2 * slopes[i])) / scale / scale
        slopes = [
            (slope + change * entry) / scale for slope, entry in zip(slopes, row, strict=True)
        ]
        p = [share / scale for share in p]
    kept = [f.select(is_done, old, new) for old, new in zip(shares, p, strict=True)]
    return [*kept, is_done]
