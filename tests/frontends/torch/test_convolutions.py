"""Convolutions of images whose sizes vary beside PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.bridges.torch.backend import stablemate

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
functional: Any = torch.nn.functional
CASES: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "stride": (lambda x, w: functional.conv2d(x, w, stride=2, padding=1), (4, 3, 3, 3)),
    "dilation": (lambda x, w: functional.conv2d(x, w, stride=3, dilation=2), (4, 3, 2, 3)),
    "groups": (lambda x, w: functional.conv2d(x, w, stride=2, groups=3), (6, 1, 4, 4)),
    "transposed": (
        lambda x, w: functional.conv_transpose2d(x, w, stride=2, output_padding=1), (3, 2, 3, 3),
    ),
    "transposed, dilated": (
        lambda x, w: functional.conv_transpose2d(
            x, w, padding=2, output_padding=(1, 2), dilation=3
        ),
        (3, 2, 3, 3),
    ),
}  # fmt: skip


@pytest.mark.standard
@pytest.mark.parametrize("name", CASES)
def test_gradients_where_windows_do_not_reach_the_end(name: str) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    convolve, kernel = CASES[name]
    run = torch.compile(
        convolve, backend=stablemate, fullgraph=True, dynamic=True,
        options={"backend": "interpreter"},
    )  # fmt: skip
    for height, width in ((7, 8), (8, 9), (10, 7)):
        inputs = [torch.randn(2, 3, height, width), torch.randn(kernel)]
        found = gradients(run, inputs)
        for mine, theirs in zip(found, gradients(convolve, inputs), strict=True):
            torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-4)


MOVES: dict[str, Callable[..., Any]] = {
    "one dimension": lambda x, w, n, m: functional.conv1d(
        x[:, 0], w[:, :, 0], stride=m, padding=n, dilation=m, groups=m
    ),
    "two dimensions": lambda x, w, n, m: functional.conv2d(
        x, w, stride=m, padding=n, dilation=m, groups=m
    ),
    "transposed": lambda x, w, n, m: functional.conv_transpose2d(
        x, w, stride=n, padding=m, output_padding=m, groups=m
    ),
    "same size": lambda x, w, n, m: functional.conv2d(x, w, padding="same", dilation=n, groups=m),
    "sums of arguments": lambda x, w, n, m: functional.conv2d(
        x, w, stride=(m, m + n - 1), padding=(n - m, n), dilation=n - m, groups=m
    ),
}


@pytest.mark.standard
@pytest.mark.parametrize("name", MOVES)
def test_windows_move_as_arguments_of_the_function_say(name: str) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    move = MOVES[name]
    run = torch.compile(
        move, backend=stablemate, fullgraph=True, dynamic=True, options={"backend": "interpreter"}
    )
    image = (4, 11, 12) if "dimension" in name else (2, 4, 11, 12)
    for numbers in ((3, 2), (4, 2)):
        inputs = [torch.randn(image), torch.randn(4, 2, 3, 3)]
        found = gradients(partial(run, n=numbers[0], m=numbers[1]), inputs)
        expected = gradients(partial(move, n=numbers[0], m=numbers[1]), inputs)
        for mine, theirs in zip(found, expected, strict=True):
            torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-4)


def gradients(run: Callable[..., Any], inputs: list[Any]) -> list[Any]:
    """A result, and the gradients of the sum of its squares."""
    leaves = [value.clone().requires_grad_() for value in inputs]
    result = run(*leaves)
    result.square().sum().backward()
    return [result.detach(), *(leaf.grad for leaf in leaves)]
