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


@pytest.mark.standard
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


def test_the_last_elements_of_a_dimension_that_is_shorter() -> None:
    run = compiled(lambda x: x[:, -6:] * 2)
    for columns in (4, 5, 9):
        x = torch.randn(2, columns)
        torch.testing.assert_close(run(x), x[:, -6:] * 2)


def test_strides_of_a_tensor_that_is_transposed() -> None:
    def chunks(x: Any) -> Any:
        return x.transpose(0, 1).as_strided((3, 2, 4), (2, 1, 3)) * 2

    x = torch.randn(4, 6, requires_grad=True)
    torch._dynamo.reset()
    result = torch.compile(chunks, backend="stablemate", options=INTERPRETER)(x)
    torch.testing.assert_close(result, chunks(x))
    gradients = [torch.autograd.grad(r.square().sum(), x)[0] for r in (result, chunks(x))]
    torch.testing.assert_close(*gradients)


def test_weight_norm_of_each_dimension() -> None:
    for dimension in (0, 2):
        norm = torch.nn.utils.parametrizations.weight_norm(torch.nn.Conv1d(4, 6, 3), dim=dimension)
        torch._dynamo.reset()
        run = torch.compile(norm, backend="stablemate", options=INTERPRETER)
        x = torch.randn(2, 4, 9)
        parameters = list(norm.parameters())
        found, expected = (
            torch.autograd.grad(f(x).square().sum(), parameters) for f in (run, norm)
        )
        torch.testing.assert_close(found, expected)
