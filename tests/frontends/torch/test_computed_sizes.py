"""Sizes that are rounded numbers, and numbers computed from sizes, in forward and backward."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

pytestmark = pytest.mark.filterwarnings("ignore")
INTERPRETER = {"backend": "interpreter"}


def compiled(function: Any) -> Any:
    torch._dynamo.reset()
    return torch.compile(
        function, backend="stablemate", dynamic=True, fullgraph=True, options=INTERPRETER
    )


def half(x: Any) -> Any:
    return x[:, : int(x.shape[1] * 0.5)] * (x.shape[0] / 3.0)


def enlarged(x: Any) -> Any:
    return torch.nn.functional.interpolate(x[None], scale_factor=1.5, mode="linear")


@pytest.mark.parametrize("function", [half, enlarged])
def test_sizes_that_are_rounded_numbers(function: Any) -> None:
    run = compiled(function)
    for shape in ((2, 8), (4, 12)):
        x = torch.randn(shape, requires_grad=True)
        result, expected = run(x), function(x)
        torch.testing.assert_close(result, expected)
        gradients = [torch.autograd.grad(r.square().sum(), x)[0] for r in (result, expected)]
        torch.testing.assert_close(*gradients)


@pytest.mark.full
def test_statistics_of_a_batch_whose_size_varies() -> None:
    norm, other = torch.nn.BatchNorm1d(3), torch.nn.BatchNorm1d(3)
    run = compiled(norm)
    for rows in (4, 6):
        x = torch.randn(rows, 3, requires_grad=True)
        result, expected = run(x), other(x)
        torch.testing.assert_close(result, expected)
        gradients = [torch.autograd.grad(r.square().sum(), x)[0] for r in (result, expected)]
        torch.testing.assert_close(*gradients)
        torch.testing.assert_close(norm.running_var, other.running_var)
