"""Convolutions of dilated images, computed as several without dilation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import stablemate as sm
from tests.compiler.kernels.test_convolution import KERNELS, LETTERS, program
from tests.compiler.kernels.test_dot import check, values

# extents, kernel, padding before and after, dilation of each spatial dimension
CASES: list[Any] = [
    ([40], [4], [(3, 3)], [2]),
    ([9, 7], [3, 3], [(2, 1), (2, 1)], [2, 2]),
    ([9, 7], [2, 2], [(1, 1), (1, 1)], [2, 2]),
    ([6, 7], [5, 3], [(4, 0), (-1, 3)], [3, 1]),
    ([5, 5], [4, 7], [(0, 0), (9, 4)], [4, 3]),
    ([4, 3, 5], [3, 2, 3], [(2, 2), (1, 0), (1, 1)], [2, 2, 3]),
    ([9, 7], [1, 1], [(0, 1), (0, 1)], [2, 2]),
    ([30, 30], [1, 3], [(1, 1), (1, 1)], [2, 2]),
    ([90], [2], [(-1, 3)], [4]),
]


def transposed(
    case: Any, forms: tuple[str, str, str], groups: tuple[int, int], element: str = "f32"
) -> tuple[str, list[list[int]]]:
    """A program with a convolution of a case, and the shapes of its arguments."""
    extents, kernel, padding, dilations = case
    feature_groups, batch_groups = groups
    count = feature_groups * batch_groups
    sizes: dict[str, dict[str, int]] = {
        "lhs": {"b": 2 * batch_groups, "f": 6 * feature_groups},
        "rhs": {"i": 6, "o": 10 * count},
        "result": {"b": 2, "f": 10 * count},
    }
    for i, (n, k, (low, high), s) in enumerate(
        zip(extents, kernel, padding, dilations, strict=True)
    ):
        points = (n - 1) * s + 1 + low + high - k + 1
        for name, size in (("lhs", n), ("rhs", k), ("result", points)):
            sizes[name][str(i)] = size
    pads = [list(pair) for pair in padding]
    window = f"pad = {pads}, lhs_dilate = {dilations}"
    return program(sizes, forms, window, groups, (element, element))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("groups", [(1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("forms", [(LETTERS[0], KERNELS[0]), (LETTERS[1], KERNELS[1])])
def test_equals_the_interpreter(case: Any, groups: tuple[int, int], forms: tuple[str, str]) -> None:
    text, shapes = transposed(case, (*forms, forms[0]), groups)
    arguments = [values(shape, "f32", seed) for seed, shape in enumerate(shapes)]
    check(text, arguments, "f32", 6 * int(np.prod(case[1])))


def convolutions(text: str) -> int:
    """How many convolutions the graph of a program has."""
    compiled: Any = sm.compile(sm.load(text))
    return sum(node.operation.name == "stablehlo.convolution" for node in compiled.graph.nodes)


def test_each_phase_is_a_convolution() -> None:
    forms = (LETTERS[0], KERNELS[0], LETTERS[0])
    counts = [convolutions(transposed(case, forms, (1, 1))[0]) for case in CASES]
    assert counts == [2, 4, 4, 3, 12, 12, 1, 2, 2]


def test_integers_are_not_divided() -> None:
    forms = (LETTERS[0], KERNELS[0], LETTERS[0])
    assert convolutions(transposed(CASES[1], forms, (1, 1), "i32")[0]) == 1


def test_an_infinite_kernel_does_not_meet_the_zeros_between_elements() -> None:
    text, shapes = transposed(CASES[0], (LETTERS[0], KERNELS[0], LETTERS[0]), (1, 1))
    x: Any = np.ones(shapes[0], np.float32)
    w: Any = np.ones(shapes[1], np.float32)
    w[0] = np.inf
    result: Any = sm.run(text, x, w)
    expected = np.full(result.shape[1], 12.0)
    expected[1::2] = np.inf
    np.testing.assert_array_equal(np.asarray(result)[0, 3:-3, 0], expected[3:-3])
