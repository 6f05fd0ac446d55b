"""Compiled steps of all optimizers, and operators on lists of tensors, beside PyTorch's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, Final

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.bridges.torch.backend import stablemate
from stablemate.frontends.torch.lists_of_tensors import foreach_operators
from stablemate.frontends.torch.pytorch import schema_name

pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"
)
Run = Callable[..., Any]
OPTIMIZERS: dict[str, Any] = {
    name: cls
    for name, cls in sorted(vars(torch.optim).items())
    if isinstance(cls, type)
    and issubclass(cls, torch.optim.Optimizer)
    and name not in ("Optimizer", "LBFGS", "SparseAdam")  # a closure; sparse gradients
}
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "foreach": {"foreach": True},
    "single": {"foreach": False},
    "fused": {"fused": True},  # TorchDynamo leaves the fused function to PyTorch
    "fused momentum": {"fused": True, "momentum": 0.9, "nesterov": True, "maximize": True},
    "rate as a tensor": {"lr": torch.tensor(0.01)},
    "maximize": {"maximize": True, "weight_decay": 0.1},
    "amsgrad": {"amsgrad": True, "foreach": True},
    "momentum": {"momentum": 0.9, "weight_decay": 0.1, "foreach": True},
    "nesterov": {"momentum": 0.9, "nesterov": True},
    "centered": {"centered": True, "momentum": 0.5},
}
QUICK = (("SGD", "momentum"), ("Adam", "foreach"), ("RMSprop", "single"))


@pytest.fixture(autouse=True)
def _fresh() -> None:
    torch.manual_seed(0)
    torch._dynamo.reset()


def optimizer(name: str, option: str, parameters: list[Any]) -> Any:
    options = {k: v.clone() if torch.is_tensor(v) else v for k, v in OPTIONS[option].items()}
    if name == "SGD":
        options.setdefault("lr", 0.01)
    return OPTIMIZERS[name](parameters, **options)


def cases() -> Iterator[Any]:
    for name in OPTIMIZERS:
        for option in OPTIONS:
            try:
                optimizer(name, option, [torch.nn.Parameter(torch.zeros(2, 2))])
            except (TypeError, ValueError):  # it has no such option
                continue
            yield pytest.param(name, option, marks=() if (name, option) in QUICK else full)


full = pytest.mark.standard


@pytest.mark.parametrize(("name", "option"), [*cases()])
def test_steps(name: str, option: str) -> None:
    values = [torch.randn(4, 3), torch.randn(2, 2)]
    both = [[torch.nn.Parameter(value.clone()) for value in values] for _ in range(2)]
    eager, other = (optimizer(name, option, parameters) for parameters in both)
    step: Run = torch.compile(other.step, backend=stablemate)
    for _ in range(3):
        gradients = [torch.randn_like(value) for value in values]
        for parameters in both:
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter.grad = gradient.clone()
        eager.step()
        step()
        torch.testing.assert_close(both[1], both[0], rtol=1e-4, atol=1e-5)


@pytest.mark.standard
def test_a_schedule_changes_no_program() -> None:
    parameter = torch.nn.Parameter(torch.ones(3))
    graphs: list[Any] = []

    def backend(graph: Any, inputs: Any) -> Any:
        graphs.append(graph)
        return stablemate(graph, inputs)

    adam = torch.optim.Adam([parameter], lr=torch.tensor(0.1))
    schedule = torch.optim.lr_scheduler.ExponentialLR(adam, 0.5)
    step: Run = torch.compile(adam.step, backend=backend)
    for _ in range(3):
        parameter.grad = torch.ones(3)
        before = parameter.detach().clone()
        rate = float(adam.param_groups[0]["lr"])
        step()
        schedule.step()
        torch.testing.assert_close(before - parameter.detach(), torch.full((3,), rate))
    assert len(graphs) == 1


def example(kind: str) -> Any:
    if kind == "List[Tensor]":
        return [torch.rand(3, 3) + 0.1, torch.rand(2, 2) + 0.1]
    if "List" in kind:
        return [2.0, 3.0]
    return torch.rand(()) + 1 if kind == "Tensor" else 2.0


def arguments_of(schema: Any) -> list[Any]:
    return [example(str(p.type)) for p in schema.arguments if not p.has_default_value()]


# TorchDynamo runs the others on fake tensors, whose elements they read.
LISTS: Final = [
    op
    for op, _ in foreach_operators()
    if schema_name(op) not in ("aten::_foreach_addcdiv.Tensor", "aten::_foreach_addcmul.Tensor")
]


@pytest.mark.standard
@pytest.mark.parametrize("operator", LISTS, ids=schema_name)
def test_lists_of_tensors(operator: Any) -> None:
    arguments = arguments_of(operator._schema)
    compiled: Run = torch.compile(lambda *a: operator(*a), backend=stablemate, fullgraph=True)
    torch.testing.assert_close(compiled(*arguments), operator(*arguments), rtol=1e-5, atol=1e-5)
