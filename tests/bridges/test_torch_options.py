"""The options of the backend: precision, freezing, modes."""

from __future__ import annotations

import gc
import weakref
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.bridges.torch import freezing
from stablemate.bridges.torch.backend import MODES, backend_options, stablemate
from stablemate.bridges.torch.calls import CompiledGraph
from stablemate.compiler.executable import CompiledExecutable

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
Module: Any = torch.nn.Module


@pytest.fixture(autouse=True)
def graphs(monkeypatch: pytest.MonkeyPatch) -> list[CompiledGraph]:
    """The graphs that are compiled from now on."""
    torch._dynamo.reset()
    torch.manual_seed(0)
    found: list[CompiledGraph] = []
    create = CompiledGraph.__init__

    def keep(self: CompiledGraph, *arguments: Any) -> None:
        create(self, *arguments)
        found.append(self)

    monkeypatch.setattr(CompiledGraph, "__init__", keep)
    return found


def compiled(function: Any, **options: Any) -> Any:
    return torch.compile(function, backend=stablemate, options=options)


def network() -> Any:
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 4, 3),
        torch.nn.BatchNorm2d(4),
        torch.nn.Flatten(),
        torch.nn.Linear(64, 5),
    ).eval()


def test_frozen_parameters_are_constants_of_the_program(graphs: list[CompiledGraph]) -> None:
    model, x = network(), torch.randn(2, 3, 6, 6)
    run = compiled(model, freezing=True)
    with torch.no_grad():
        for _ in range(2):
            torch.testing.assert_close(run(x), model(x), rtol=1e-4, atol=1e-5)
    (graph,) = graphs
    assert len(graph.program.arguments) == 1
    assert len(graph.held) == 8


def test_frozen_parameters_are_not_copied(graphs: list[CompiledGraph]) -> None:
    model, indices = torch.nn.Embedding(1 << 12, 1 << 12), torch.arange(8)
    with torch.no_grad():
        compiled(model, freezing=True)(indices)
    (graph,) = graphs
    assert isinstance(graph.executable, CompiledExecutable)
    constants = graph.executable.program.image.constants
    assert any(np.shares_memory(constant, model.weight.detach().numpy()) for constant in constants)


def test_frozen_parameters_that_are_written_are_seen(graphs: list[CompiledGraph]) -> None:
    model, x = torch.nn.Linear(4, 3), torch.randn(2, 4)
    run = compiled(model, freezing=True)
    with torch.no_grad():
        run(x)
        model.weight.mul_(2)
        model.load_state_dict({**model.state_dict(), "bias": torch.ones(3)})
        torch.testing.assert_close(run(x), model(x))
        run(x)
    assert len(graphs) == 2


def test_another_instance_of_a_frozen_model_has_its_own_values(graphs: list[CompiledGraph]) -> None:
    class Layers(Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(3)])

        def forward(self, x: Any) -> Any:
            for layer in self.layers:
                x = step(layer, x)
            return x

    step = compiled(lambda layer, x: torch.tanh(layer(x)), freezing=True)
    model, x = Layers(), torch.randn(2, 4)
    with torch.no_grad():
        found = model(x)
        for layer in model.layers:
            x = torch.tanh(layer(x))
    torch.testing.assert_close(found, x)
    assert [len(graph.held) for graph in graphs] == [2, 0]


def test_buffers_that_the_graph_writes_are_not_frozen() -> None:
    model = torch.nn.BatchNorm1d(3)
    other = torch.nn.BatchNorm1d(3)
    run, x = compiled(other, freezing=True), torch.randn(8, 3)
    with torch.no_grad():
        for _ in range(3):
            torch.testing.assert_close(run(x), model(x))
    torch.testing.assert_close(other.running_mean, model.running_mean)
    assert other.num_batches_tracked == 3


def test_nothing_is_frozen_where_gradients_are_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freezing, "FrozenGraph", None)
    model, x = torch.nn.Linear(4, 3), torch.randn(2, 4)
    compiled(model, freezing=True)(x).sum().backward()
    torch.testing.assert_close(model.bias.grad, torch.full((3,), 2.0))


def test_frozen_parameters_that_do_not_lie_in_order_or_count_no_changes() -> None:
    with torch.inference_mode():
        model = network().to(memory_format=torch.channels_last)
        x = torch.randn(2, 3, 6, 6)
        run = compiled(model, freezing=True)
        torch.testing.assert_close(run(x), model(x), rtol=1e-4, atol=1e-5)


def test_frozen_graphs_are_freed(graphs: list[CompiledGraph]) -> None:
    model = torch.nn.Linear(4, 3)
    with torch.no_grad():
        compiled(model, freezing=True)(torch.randn(2, 4))
    reference = weakref.ref(model.weight)
    del model
    graphs.clear()
    torch._dynamo.reset()
    gc.collect()
    assert reference() is None


@pytest.mark.parametrize(
    ("precision", "error"), [("highest", 5e-5), ("high", 2e-3), ("medium", 0.3), (None, 5e-5)]
)
def test_precision(precision: str | None, error: float) -> None:
    x = torch.randn(64, 64)
    exact = (x.double() @ x.double()).float()
    found = (compiled(torch.mm, precision=precision)(x, x) - exact).abs().max().item()
    assert error / 100 < found < error


def test_precision_is_pytorchs_by_default() -> None:
    x = torch.randn(64, 64)
    before = torch.get_float32_matmul_precision()
    try:
        torch.set_float32_matmul_precision("medium")
        found = compiled(torch.mm)(x, x)
    finally:
        torch.set_float32_matmul_precision(before)
    torch.testing.assert_close(found, compiled(torch.mm, precision="medium")(x, x))
    torch._dynamo.reset()
    assert not torch.equal(found, compiled(torch.mm, precision="highest")(x, x))


def test_products_of_other_types_keep_their_precision() -> None:
    x = torch.randn(16, 16, dtype=torch.float64)
    torch.testing.assert_close(compiled(torch.mm, precision="medium")(x, x), x @ x)


@pytest.mark.parametrize("mode", MODES)
def test_modes(mode: str | None) -> None:
    x = torch.randn(3)
    run = torch.compile(lambda x: torch.sin(x), backend=stablemate, mode=mode)
    torch.testing.assert_close(run(x), torch.sin(x))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": "low"}, "no precision is called 'low'; known: 'highest', 'high', 'medium'"),
        (
            {"frozen": True},
            "the backend stablemate has no option 'frozen'; it has: threads, backend, precision, "
            "freezing",
        ),
        ({"threads": "all"}, "the option threads is a number, not 'all'"),
        ({"threads": 0}, "the option threads is at least 1, not 0"),
        ({"freezing": "no"}, "the option freezing is True or False, not 'no'"),
    ],
)
def test_unknown_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(sm.ArgumentError, match=f"^{message}$"):
        backend_options(options, None)


def test_programs_come_from_the_disk_cache(graphs: list[CompiledGraph]) -> None:
    for _ in range(2):
        torch._dynamo.reset()
        compiled(lambda x: torch.cos(x) * 3.25)(torch.ones(7))
    first, second = [graph.executable for graph in graphs]
    assert isinstance(first, CompiledExecutable)
    assert isinstance(second, CompiledExecutable)
    assert second.is_from_cache


def test_frozen_programs_come_from_the_disk_cache(graphs: list[CompiledGraph]) -> None:
    """Their weights are part of what the cache knows them by, whatever their size."""
    weights = [torch.full((40, 30), 0.25), torch.full((40, 30), 0.25), torch.full((40, 30), 0.5)]
    for i, weight in enumerate(weights):
        weight[3, 4] = 2.0  # so that it is no splat
        model, x = torch.nn.Linear(30, 40, bias=False), torch.ones(2, 30)
        model.weight.data.copy_(weight)
        torch._dynamo.reset()
        with torch.no_grad():
            found = compiled(lambda x, model=model: model(x) * 1.75, freezing=True)(x)
        torch.testing.assert_close(found, x @ weight.T * 1.75)
        executable = graphs[-1].executable
        assert isinstance(executable, CompiledExecutable)
        assert i != 1 or executable.is_from_cache
