"""Calls of compiled graphs: tensors that native code reads where they lie, and what it returns."""

from __future__ import annotations

import gc
import os
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.bridges.torch import calls
from stablemate.bridges.torch.backend import stablemate
from stablemate.bridges.torch.calls import CompiledGraph
from stablemate.compiler.executable import CompiledExecutable

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
Graphs = list[CompiledGraph]


@pytest.fixture(autouse=True)
def graphs(monkeypatch: pytest.MonkeyPatch) -> Graphs:
    """The graphs that are compiled from now on."""
    torch._dynamo.reset()
    found: Graphs = []
    create = CompiledGraph.__init__

    def keep(self: CompiledGraph, *arguments: Any) -> None:
        create(self, *arguments)
        found.append(self)

    monkeypatch.setattr(CompiledGraph, "__init__", keep)
    return found


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The tensors that Python puts in order for native code."""
    taken: list[Any] = []
    order = calls.in_memory_order

    def keep(value: Any, row: Any) -> Any:
        taken.append(value)
        return order(value, row)

    monkeypatch.setattr(calls, "in_memory_order", keep)
    return taken


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    return torch.compile(function, backend=stablemate, fullgraph=True, dynamic=False)


@pytest.mark.parametrize(
    "x",
    [
        torch.arange(6.0),
        torch.arange(6, dtype=torch.bfloat16),
        torch.tensor([True, False]),
        torch.arange(6, dtype=torch.int64),
        torch.ones(2, 3, 4).permute(2, 0, 1),
        torch.ones(1, 3, 4, 4).to(memory_format=torch.channels_last),
        torch.ones(8)[2:6],
        torch.tensor(3.0),
        torch.ones(0, 3),
        torch.nn.Parameter(torch.ones(3)),
    ],
    ids=lambda x: f"{x.dtype}-{tuple(x.shape)}-{x.stride()}".replace("torch.", ""),
)
def test_dense_tensors_are_read_where_they_lie(x: Any, copies: list[Any]) -> None:
    run = compiled(lambda x: (x == x.flip(0) if x.dim() else x == x, x.clone()))
    same, copy = run(x)
    assert not copies
    torch.testing.assert_close(copy, x)
    torch.testing.assert_close(same, x == x.flip(0) if x.dim() else x == x)
    assert copy.stride() == x.clone().stride()
    assert copy.data_ptr() != x.data_ptr() or not x.numel()


def test_other_tensors_are_put_in_order(copies: list[Any]) -> None:
    x = torch.arange(12.0).reshape(3, 4)[:, ::2]
    torch.testing.assert_close(compiled(lambda x: x - 1)(x), x - 1)
    assert [value.stride() for value in copies] == [(4, 2)]


EXPANDED = {
    "rows": torch.arange(4.0).expand(3, 4),
    "columns": torch.arange(3.0)[:, None].expand(3, 4),
    "all": torch.tensor(2.0).expand(3, 4),
    "permuted": torch.arange(12.0).reshape(4, 3)[None].expand(2, 4, 3).permute(0, 2, 1),
}


@pytest.mark.parametrize("gradients", [False, True])
@pytest.mark.parametrize("name", EXPANDED)
def test_repeated_elements_are_read_once(name: str, gradients: bool, copies: list[Any]) -> None:
    x, w = EXPANDED[name], torch.randn(3, 4, requires_grad=gradients)

    def run(x: Any, w: Any) -> Any:
        return (x + w).sin() * x, x + 1

    for one, other in zip(compiled(run)(x, w), run(x, w), strict=True):
        torch.testing.assert_close(one, other, check_stride=True)
    if gradients:
        (found,), (expected,) = (
            torch.autograd.grad(f(x, w)[0].sum(), w) for f in (compiled(run), run)
        )
        torch.testing.assert_close(found, expected)
    assert not copies


@pytest.mark.parametrize("part", ["real", "imag", "whole"])
def test_conjugates_and_negated_parts_have_their_values(part: str) -> None:
    x = torch.tensor([1 + 2j, 3 - 4j]).conj()
    torch.testing.assert_close(compiled(lambda x: x * 2)(x), x * 2)
    y = torch._neg_view(torch.tensor([3.0, 4.0])) if part == "whole" else getattr(x, part)
    torch.testing.assert_close(compiled(lambda y: y * 2)(y), y * 2)


@pytest.mark.parametrize("is_dense", [False, True])
def test_gradients_that_are_negated_have_their_values(is_dense: bool) -> None:
    x = torch.arange(2.0, requires_grad=True)
    lazy = torch._neg_view(torch.tensor([1.0, 2.0]))
    gradient = lazy if is_dense else torch.tensor([1 + 2j, 3 - 4j]).conj().imag
    compiled(lambda x: x * 3)(x).backward(gradient)
    torch.testing.assert_close(x.grad, gradient.resolve_neg() * 3)


def test_numbers_that_the_program_lacks(graphs: Graphs) -> None:
    run = torch.compile(lambda x, n: (x + 1, n + 1), backend=stablemate, dynamic=True)
    for n in (3, 4, 5):
        y, number = run(torch.ones(2), n)
        assert (y.tolist(), number) == ([2, 2], n + 1)
    assert graphs


def test_numbers_and_random_keys_among_arguments() -> None:
    torch.manual_seed(3)
    values = compiled(lambda x: torch.rand_like(x) + x)(torch.zeros(1000))
    assert 0.45 < values.mean().item() < 0.55


def test_lists_are_emptied_and_arguments_freed(graphs: Graphs) -> None:
    x = torch.ones(3)
    compiled(lambda x: x + 1)(x)
    (graph,) = graphs
    values = [x]
    assert graph.function(values)[0].tolist() == [2, 2, 2]
    assert values == []
    reference = weakref.ref(x)
    del x
    assert reference() is None


def test_a_list_of_another_length_or_kind_is_refused(graphs: Graphs) -> None:
    compiled(lambda x: x + 1)(torch.ones(3))
    (graph,) = graphs
    with pytest.raises((IndexError, ValueError, TypeError)):
        graph.function([])
    with pytest.raises((AttributeError, TypeError)):
        graph.function(3)


def test_callers_at_the_same_time() -> None:
    run = compiled(lambda x: torch.softmax(x @ x, 1))
    inputs = [torch.randn(300, 300) for _ in range(8)]
    run(inputs[0])
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(run, inputs * 4))
    for x, result in zip(inputs * 4, results, strict=True):
        torch.testing.assert_close(result, torch.softmax(x @ x, 1), rtol=1e-4, atol=1e-5)


def test_the_number_of_threads_is_pytorchs(graphs: Graphs) -> None:
    run, before = compiled(lambda x: x + 1), torch.get_num_threads()
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            run(torch.ones(3))
    finally:
        torch.set_num_threads(before)
    executables = [graph.executable for graph in graphs]
    size = executables[0].runtime.pool.size if isinstance(executables[0], CompiledExecutable) else 0
    assert [getattr(executable, "threads", 0) for executable in executables] == [1, min(2, size)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_child_process_calls_what_its_parent_compiled() -> None:
    run, x = compiled(lambda x: torch.tanh(x) * 2), torch.randn(1 << 20)
    expected = torch.tanh(x) * 2
    run(x)
    child = os.fork()
    if child == 0:
        # PyTorch's own threads do not survive a fork: NumPy compares.
        os._exit(0 if np.allclose(run(x).numpy(), expected.numpy(), 1e-5, 1e-6) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    torch.testing.assert_close(run(x), expected, rtol=1e-5, atol=1e-6)


def test_a_version_without_the_exchange_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "tensor_functions", lambda: None)
    x = torch.arange(12.0).reshape(3, 4)
    torch.testing.assert_close(compiled(lambda x: x.t() * 2)(x), x.t() * 2)
    y = x[:, ::2]
    torch.testing.assert_close(compiled(lambda y: y * 3)(y), y * 3)


def test_graphs_are_freed(graphs: Graphs) -> None:
    compiled(lambda x: x + 1)(torch.ones(3))
    reference = weakref.ref(graphs.pop())
    torch._dynamo.reset()
    gc.collect()
    assert reference() is None
