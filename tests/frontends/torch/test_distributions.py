"""Distributions whose numbers and gradients PyTorch computes itself, called by the program."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

pytestmark = pytest.mark.filterwarnings("ignore")
DISTRIBUTIONS: Any = torch.distributions


def gamma(x: torch.Tensor) -> torch.Tensor:
    return DISTRIBUTIONS.Gamma(x, 2.0, validate_args=False).rsample((2,)) * 3


def dirichlet(x: torch.Tensor) -> torch.Tensor:
    return DISTRIBUTIONS.Dirichlet(x, validate_args=False).rsample() * x


def beta(x: torch.Tensor) -> torch.Tensor:
    return DISTRIBUTIONS.Beta(x, x + 1, validate_args=False).rsample()


def two_gammas(x: torch.Tensor) -> torch.Tensor:
    return torch._standard_gamma(x) - torch._standard_gamma(x)


def student(x: torch.Tensor) -> torch.Tensor:
    return DISTRIBUTIONS.Chi2(x, validate_args=False).rsample()


@pytest.mark.parametrize("sample", [gamma, dirichlet, beta, two_gammas, student])
def test_numbers_and_gradients_are_those_of_pytorch(sample: Any) -> None:
    """They come from PyTorch's generator, in the order of the calls."""
    torch._dynamo.reset()
    x = torch.linspace(0.3, 2.0, 6).reshape(2, 3)

    def outcome(function: Any) -> tuple[torch.Tensor, torch.Tensor]:
        leaf = x.clone().requires_grad_()
        torch.manual_seed(3)
        result = function(leaf)
        return result.detach(), torch.autograd.grad(result.square().sum(), leaf)[0]

    compiled = torch.compile(sample, backend="stablemate")
    torch.testing.assert_close(outcome(compiled), outcome(sample))
