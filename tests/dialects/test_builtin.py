"""Operations of builtin: casts between types that a lowering left behind."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.numerics.elements import Array

BACKENDS: Final = ("interpreter", "cpu")
WITHOUT_MEANING: Final = (
    "%0 = builtin.unrealized_conversion_cast to tensor<2xf32>",
    "%0 = builtin.unrealized_conversion_cast %a, %b : tensor<2xf32>, tensor<2xi32> to"
    " tensor<2xf32>",
    "%0 = builtin.unrealized_conversion_cast %b : tensor<2xi32> to tensor<2xf32>",
    "%0 = builtin.unrealized_conversion_cast %c : tensor<3xf32> to tensor<2xf32>",
)


def program(cast: str) -> str:
    """A program that returns the result of a cast."""
    arguments = "%a: tensor<2xf32>, %b: tensor<2xi32>, %c: tensor<3xf32>"
    head = f"func.func @main({arguments}) -> tensor<2xf32>"
    return f"{head} {{\n  {cast}\n  return %0 : tensor<2xf32>\n}}\n"


def arguments() -> tuple[Array, ...]:
    """Values for the arguments."""
    return (
        np.array([1, 2], np.float32),
        np.array([3, 4], np.int32),
        np.array([5, 6, 7], np.float32),
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("cast", WITHOUT_MEANING)
def test_casts_to_other_values_are_named(cast: str, backend: str) -> None:
    with pytest.raises(sm.UnsupportedError, match=r"unrealized_conversion_cast of .* no meaning"):
        sm.load(program(cast)).run(*arguments(), backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_casts_to_the_same_types_are_the_operands(backend: str) -> None:
    cast = (
        "%0, %1 = builtin.unrealized_conversion_cast %a, %b : tensor<2xf32>, tensor<2xi32>"
        " to tensor<2xf32>, tensor<2xi32>"
    )
    result = sm.load(program(cast)).run(*arguments(), backend=backend)
    assert np.asarray(result).tolist() == [1.0, 2.0]
