"""Sizes that vary: calls of exported programs are checked by what torch.export.Dim declares."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import numpy as np
import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch
from torch.export import Dim

from stablemate.api.torch_export import TorchModule
from stablemate.diagnostics.errors import ArgumentValueError

pytestmark = pytest.mark.filterwarnings("ignore")


class Sum(torch.nn.Module):
    """Adds two tensors of one size."""

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x + y


def rows(*sizes: int) -> list[Any]:
    """Arrays with these numbers of rows."""
    return [np.ones((size, 2), np.float32) for size in sizes]


def tensors(*sizes: int) -> tuple[torch.Tensor, ...]:
    """Tensors with these numbers of rows."""
    return tuple(torch.ones(size, 2) for size in sizes)


@cache
def sum_of_n_rows() -> TorchModule:
    """The sum of two tensors with n rows."""
    n = Dim("n", min=2, max=8)
    return sm.from_torch(Sum(), tensors(4, 4), dynamic_shapes={"x": {0: n}, "y": (n, None)})


@cache
def even_and_odd_rows() -> TorchModule:
    """The rows of two tensors, whose numbers are computed of one size."""
    d = Dim("d", min=2, max=8)
    return sm.from_torch(
        lambda x, y: torch.cat([x, y]), *tensors(6, 7), dynamic_shapes=({0: 2 * d}, {0: 2 * d + 1})
    )


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        (
            (5, 6),
            "dimension 0 of the argument x has size 5 and dimension 0 of the argument y has size "
            "6, but both are the Dim n",
        ),
        ((9, 9), "dimension 0 of the argument x has size 9, but the Dim n is 2 to 8"),
        ((1, 1), "dimension 0 of the argument x has size 1, but the Dim n is 2 to 8"),
    ],
)
def test_sizes_of_a_dimension_that_two_arguments_share(sizes: Sequence[int], message: str) -> None:
    m = sum_of_n_rows()
    assert m.run(*rows(8, 8), backend="interpreter").shape == (8, 2)
    with pytest.raises(ArgumentValueError) as caught:
        m.run(*rows(*sizes), backend="interpreter")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((7, 8), "dimension 0 of the argument x has size 7, which is not 2*d"),
        (
            (8, 11),
            "dimension 0 of the argument x has size 8 and dimension 0 of the argument y has size "
            "11, but they are 2*d and 2*d+1 of the Dim d",
        ),
        (
            (30, 31),
            "dimension 0 of the argument x has size 30, which is 2*d for d = 15, but the Dim d is "
            "2 to 8",
        ),
    ],
)
def test_sizes_that_are_computed_of_a_dim(sizes: Sequence[int], message: str) -> None:
    m = even_and_odd_rows()
    assert m.run(*rows(8, 9), backend="interpreter").shape == (17, 2)
    with pytest.raises(ArgumentValueError) as caught:
        m.run(*rows(*sizes), backend="interpreter")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ({"x": {2: Dim("n")}, "y": None}, "dimension 2 of a tensor with 2 dimensions"),
        (({0: Dim("n")}, {-1: Dim("m")}), "dimension -1 of a tensor .* in the argument y"),
        ({"x": None, "y": {"rows": Dim("n")}}, "dimension 'rows' of a tensor .* in the argument y"),
    ],
)  # fmt: skip
def test_sizes_of_dimensions_that_a_tensor_lacks(shapes: Any, message: str) -> None:
    with pytest.raises(ArgumentValueError, match=message):
        sm.from_torch(Sum(), tensors(4, 4), dynamic_shapes=shapes)


def test_sizes_inside_trees_and_keywords() -> None:
    n = Dim("n", min=3)
    x, y, z = tensors(4, 4, 4)
    m = sm.from_torch(
        lambda pair, *, last: pair["a"] + pair["b"][0] + last, {"a": x, "b": [y]},
        kwargs={"last": z}, dynamic_shapes={"pair": {"a": {0: n}, "b": [{0: n}]}, "last": {0: n}},
    )  # fmt: skip
    a, b, c = rows(5, 5, 5)
    assert m.run({"a": a, "b": [b]}, keywords={"last": c}).shape == (5, 2)
    with pytest.raises(ArgumentValueError) as caught:
        m.run({"a": a, "b": [b]}, keywords={"last": c[:4]})
    assert str(caught.value) == (
        "dimension 0 of the argument pair_a has size 5 and dimension 0 of the argument last has "
        "size 4, but both are the Dim n"
    )
    with pytest.raises(ArgumentValueError, match=r"has size 2, but the Dim n is at least 3$"):
        m.run({"a": a[:2], "b": [b[:2]]}, keywords={"last": c[:2]})


def test_shapes_in_a_collection() -> None:
    x, y = tensors(4, 4)
    shapes = torch.export.ShapesCollection()
    shapes[x] = shapes[y] = {0: Dim("n", max=6)}
    m = sm.from_torch(Sum(), x, y, dynamic_shapes=shapes)
    with pytest.raises(ArgumentValueError, match=r"has size 7, but the Dim n is 0 to 6$"):
        m.run(*rows(7, 7))


def test_sizes_of_exported_programs_have_the_names_of_symbols() -> None:
    """A program in a file knows the range, not the name; PyTorch checks no lower bound of 2."""
    n = Dim("n", min=2, max=8)
    exported = torch.export.export(Sum(), tensors(4, 4), dynamic_shapes=({0: n}, {0: n}))
    file = BytesIO()
    torch.export.save(exported, file)
    m = sm.load(file.getvalue())
    assert m.run(*rows(1, 1)).shape == (1, 2)
    with pytest.raises(ArgumentValueError, match=r"but the size s\d+ is 0 to 8$"):
        m.run(*rows(9, 9))


def test_sizes_that_pytorch_chooses_have_no_range() -> None:
    m = sm.from_torch(Sum(), tensors(4, 4), dynamic_shapes=({0: Dim.AUTO}, {0: Dim.AUTO}))
    assert m.run(*rows(1, 1)).shape == (1, 2)
    with pytest.raises(ArgumentValueError, match=r"but both are the size s\d+$"):
        m.run(*rows(3, 4))


class Counts(torch.nn.Module):
    """Numbers that depend on a size, beside a tensor."""

    def forward(self, x: torch.Tensor) -> dict[str, object]:
        """Counts of rows, and the first row."""
        rows = x.shape[0]
        return {"rows": rows, "half": rows / 2, "many": rows > 3, "first": x[0], "columns": 2}


def test_numbers_are_numbers_whether_sizes_vary_or_not() -> None:
    x = torch.ones(4, 2)
    for shapes in (None, ({0: Dim("n", min=2, max=9)},)):
        m = sm.from_torch(Counts(), (x,), dynamic_shapes=shapes)
        result = m.run(x.numpy())
        assert [type(value) for value in result.values()] == [int, float, bool, np.ndarray, int]
        assert [*result.values()][:3] == [4, 2.0, True]
