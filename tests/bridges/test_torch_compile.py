"""``torch.compile`` on stablemate, beside what PyTorch computes."""

from __future__ import annotations

import copy
from importlib.util import find_spec
from typing import Any

import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.bridges.torch.backend import stablemate

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
Module: Any = torch.nn.Module
functional: Any = torch.nn.functional


@pytest.fixture(autouse=True)
def _fresh() -> None:
    torch.manual_seed(0)
    torch._dynamo.reset()


class ConvolutionalNetwork(Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(8)
        self.second = torch.nn.Conv2d(8, 16, 3, stride=2, groups=2)
        self.up = torch.nn.ConvTranspose2d(16, 4, 2, stride=2)

    def forward(self, x: Any) -> Any:
        x = functional.max_pool2d(functional.relu(self.norm(self.first(x))), 2)
        return functional.avg_pool2d(self.up(functional.gelu(self.second(x))), 2)


def models() -> dict[str, tuple[Any, Any]]:
    linear = torch.nn.Linear
    return {
        "layers": (
            torch.nn.Sequential(linear(8, 16), torch.nn.Tanh(), linear(16, 4)),
            torch.randn(5, 8),
        ),
        "convolutions": (ConvolutionalNetwork(), torch.randn(2, 3, 12, 12)),
        "attention": (
            torch.nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True),
            torch.randn(2, 6, 16),
        ),
        "embedding": (
            torch.nn.Sequential(torch.nn.Embedding(10, 8), torch.nn.LayerNorm(8), linear(8, 3)),
            torch.randint(10, (4, 6)),
        ),
    }


@pytest.mark.parametrize("name", ["layers", "convolutions", "attention", "embedding"])
def test_training(name: str) -> None:
    model, x = models()[name]
    other = copy.deepcopy(model)
    compiled = torch.compile(other, backend=stablemate)
    optimizers = [torch.optim.SGD(trained.parameters(), lr=0.01) for trained in (model, other)]
    for _ in range(3):
        for run, optimizer in zip((model, compiled), optimizers, strict=True):
            optimizer.zero_grad()
            (run(x) ** 2).mean().backward()
            optimizer.step()
    for expected, got in zip(
        [*model.parameters(), *model.buffers()], [*other.parameters(), *other.buffers()],
        strict=True,
    ):  # fmt: skip
        torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-6)


def test_other_sizes() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Softmax(-1))
    compiled = torch.compile(model, backend=stablemate)
    for count in (2, 3, 5, 7):
        x = torch.randn(count, 4)
        torch.testing.assert_close(compiled(x), model(x))


def test_results_without_elements_have_strides() -> None:
    compiled = torch.compile(lambda x: x * 2, backend=stablemate, dynamic=True)
    for count in (3, 0):
        assert compiled(torch.ones(count, 4, 5)).stride() == (20, 5, 1)


@pytest.mark.parametrize("order", [(0, 2, 3, 1), (3, 2, 1, 0)])
def test_varying_sizes_of_tensors_in_another_order_in_memory(order: tuple[int, ...]) -> None:
    def run(x: Any) -> Any:
        return torch.relu(x), x.mT + 1, x.sum(1)

    torch._dynamo.utils.counters.clear()
    compiled = torch.compile(run, backend=stablemate, dynamic=True)
    for sizes in ((2, 3, 4, 5), (3, 3, 6, 7)):
        x = torch.randn(sizes).permute(order).contiguous().permute(*map(order.index, range(4)))
        for got, expected in zip(compiled(x), run(x), strict=True):
            torch.testing.assert_close(got, expected, check_stride=True)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


def test_masks_of_dropout_are_new_in_every_call_and_the_same_backward() -> None:
    run = torch.compile(lambda x: functional.dropout(x, 0.5), backend=stablemate)
    x = torch.ones(64, requires_grad=True)
    first, second = run(x), run(x)
    assert set(first.tolist()) == {0.0, 2.0}
    assert first.tolist() != second.tolist()
    second.sum().backward()
    torch.testing.assert_close(x.grad, second.detach())


def test_the_seed_of_pytorch_decides() -> None:
    run = torch.compile(lambda x: x + torch.rand_like(x), backend=stablemate)
    values: list[Any] = []
    for _ in range(2):
        torch.manual_seed(7)
        values.append(run(torch.zeros(8)))
    torch.testing.assert_close(values[0], values[1], rtol=0, atol=0)


def test_arguments_that_are_written() -> None:
    def run(x: Any, y: Any) -> Any:
        x.add_(y)
        return x[:, ::2].t() * 2

    compiled = torch.compile(run, backend=stablemate)
    x, y = torch.ones(2, 4), torch.arange(8.0).reshape(4, 2).t()
    torch.testing.assert_close(compiled(x.clone(), y), run(x.clone(), y))
    written = x.clone()
    compiled(written, y)
    torch.testing.assert_close(written, x + y)


@pytest.mark.parametrize("dtype", ["bfloat16", "float64", "int64", "complex64"])
def test_types(dtype: str) -> None:
    x = torch.arange(6).reshape(2, 3).to(getattr(torch, dtype))
    run = torch.compile(lambda x: (x + x.flip(0), x * 2), backend=stablemate)
    for got, expected in zip(run(x), (x + x.flip(0), x * 2), strict=True):
        assert got.dtype == expected.dtype
        torch.testing.assert_close(got, expected)


@pytest.mark.parametrize("name", ["uint8", "int8", "int16", "uint16", "uint32"])
def test_floats_wrap_in_narrow_integers(name: str) -> None:
    dtype = getattr(torch, name)
    x = torch.tensor([-1.2, 1.7, 300.7, -130.0, 255.9, 70000.0])
    run: Any = torch.compile(lambda x: x.to(dtype), backend=stablemate)
    assert run(x).tolist() == x.to(dtype).tolist()


def test_results_are_writable_and_their_own() -> None:
    run = torch.compile(lambda x: x + 1, backend=stablemate)
    first, second = run(torch.zeros(3)), run(torch.zeros(3))
    first.zero_()
    assert second.tolist() == [1, 1, 1]


def test_the_name_of_the_backend() -> None:
    if "stablemate" not in torch._dynamo.list_backends():
        pytest.skip("the entry point is known where the package is installed")
    assert torch.compile(lambda x: x * 2, backend="stablemate")(torch.ones(2)).tolist() == [2, 2]


def test_what_cannot_be_compiled_is_said() -> None:
    with pytest.raises(
        sm.UnsupportedError, match="the argument input is on meta; stablemate compiles for"
    ):
        stablemate(torch.fx.symbolic_trace(torch.nn.Tanh()), [torch.ones(2, device="meta")])
    with pytest.raises(sm.ArgumentError, match="has no option 'speed'; it has: threads"):
        stablemate(torch.nn.Linear(2, 2), [torch.ones(2)], options={"speed": 1})
    with pytest.raises(sm.ArgumentError, match=r"no mode of torch\.compile is called 'fast'"):
        stablemate(torch.nn.Linear(2, 2), [torch.ones(2)], mode="fast")


def test_a_graph_may_compute_tensors_above_the_default_limit() -> None:
    def largest(x: torch.Tensor) -> torch.Tensor:
        return (x.expand(300_000, 1000) * 2).amax()  # 1.2 GB, which no kernel stores

    x = torch.arange(1000.0)[None]
    assert torch.compile(largest, backend="stablemate", fullgraph=True)(x) == 1998
