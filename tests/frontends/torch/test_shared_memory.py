"""The short form of ``tests/properties/torch_views``: results that share memory."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.bridges.torch.backend import stablemate
from tests.properties.torch_views.campaign import Case, case_of, difference

pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"
)
RESULTS = (
    "*y.chunk(2), y", "y, *y.unbind(0)", "y[1:], y.t()[:2]", "y.t(), y.t(), y.detach()",
    "torch.view_as_complex(y.unflatten(1, (2, 2))), y",
)  # fmt: skip


def marks(number: int) -> list[pytest.MarkDecorator]:
    return [pytest.mark.standard] if number >= 4 else []


@pytest.mark.parametrize("varies", [False, True])
@pytest.mark.parametrize("mode", ["training", "no gradients"])
@pytest.mark.parametrize("results", RESULTS)
def test_results_share_memory_as_in_pytorch(results: str, mode: str, varies: bool) -> None:
    source = f"def program(x):\n    y = x * 2\n    return ({results},)\n"
    assert not difference(Case(source, mode, varies, None, counts=False))


@pytest.mark.parametrize("number", [pytest.param(n, marks=marks(n)) for n in range(40)])
def test_generated_programs_share_memory_as_in_pytorch(number: int) -> None:
    case = case_of(39, number)
    text = difference(case)
    assert not text or text.startswith("PyTorch"), f"{text}\n{case}"


def test_forward_graphs_keep_arguments_and_not_copies() -> None:
    kept: list[Any] = []

    def keep(x: Any) -> Any:
        kept.append(x.untyped_storage().data_ptr())
        return x

    weight = torch.randn(4, 4, requires_grad=True)
    x = torch.randn(3, 4, requires_grad=True)
    run: Any = torch.compile(lambda x: (x @ weight).sin(), backend=stablemate)
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda x: x):
        result = run(x)
    assert {v.untyped_storage().data_ptr() for v in (x, weight)} <= set(kept)
    result.sum().backward()
    found = x.grad.clone()
    x.grad = None
    (x @ weight).sin().sum().backward()
    torch.testing.assert_close(found, x.grad)


def test_frozen_programs_share_memory() -> None:
    model = torch.nn.Linear(4, 4)

    def program(x: Any) -> Any:
        y = model(x)
        return y, y[1:]

    run: Any = torch.compile(program, backend=stablemate, options={"freezing": True})
    with torch.no_grad():
        whole, part = run(torch.randn(3, 4))
    assert torch._C._is_alias_of(whole, part)
