"""What compiled models change and share: arguments, buffers, views; and autograd's modes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch
from torch.utils.checkpoint import checkpoint

from stablemate.bridges.torch.backend import stablemate
from stablemate.bridges.torch.calls import CompiledGraph

pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"
)
Run = Callable[..., Any]
nn: Any = torch.nn
functional: Any = torch.nn.functional


@pytest.fixture(autouse=True)
def _fresh() -> None:
    torch.manual_seed(0)
    torch._dynamo.reset()


def added(x: Any, y: Any) -> Any:
    x.add_(y)
    return x * 2


def written_view(x: Any, y: Any) -> Any:
    x[1:, ::2].mul_(3)
    x.t()[0].copy_(y[:, 0])
    return x.sum()


def written_twice(x: Any, y: Any) -> Any:
    x.add_(1)
    y.mul_(x)
    x.sub_(y)
    return y


def same_argument(x: Any, y: Any) -> Any:
    x.relu_()
    return x, x, y


def views_of_argument(x: Any, y: Any) -> Any:
    return x.t(), x[1], x.view(-1)[2:5], y.unsqueeze(0), x + 1


def view_of_result(x: Any, y: Any) -> Any:
    z = x @ y.t()
    return z, z[0], z.t(), z.detach()


def out_argument(x: Any, y: Any) -> Any:
    torch.add(x, 1, out=y)
    return y * 2


def index_write(x: Any, y: Any) -> Any:
    x[torch.tensor([0, 2])] = y[:2]
    x[y > 0] = 0.5
    return x


def filled(x: Any, y: Any) -> Any:
    x.zero_()
    y.fill_(2).clamp_(max=1)
    return None


def strided(x: Any, y: Any) -> Any:
    torch.as_strided(x, (2, 2), (4, 1)).add_(10)
    return torch.as_strided(y, (3, 2), (1, 2)) * 2


def as_other_type(x: Any, y: Any) -> Any:
    x.copy_(y.to(torch.bfloat16))
    return x.view(torch.int32) + 1


EFFECTS: dict[str, Run] = {
    run.__name__: run
    for run in (
        added, written_view, written_twice, same_argument, views_of_argument, view_of_result,
        out_argument, index_write, filled, strided, as_other_type,
    )
}  # fmt: skip
LAYOUTS: dict[str, Run] = {
    "rows": lambda x: x,
    "columns": lambda x: x.t().contiguous().t(),
    "slices": lambda x: torch.stack([x, x], -1)[..., 0],
}


def arguments(layout: str) -> list[Any]:
    values = torch.arange(12.0).reshape(3, 4) - 5, torch.linspace(-1, 1, 12).reshape(3, 4)
    return [LAYOUTS[layout](value.clone()) for value in values]


def aliases(values: list[Any]) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i, x in enumerate(values)
        for j, y in enumerate(values[:i])
        if torch._C._is_alias_of(x, y)
    ]


def outcome(run: Run, layout: str) -> tuple[list[Any], list[tuple[int, int]]]:
    inputs = arguments(layout)
    results = run(*inputs)
    listed = [results] if isinstance(results, torch.Tensor) else list(results or ())
    return [*inputs, *listed], aliases([*inputs, *listed])


@pytest.mark.parametrize("layout", [*LAYOUTS])
@pytest.mark.parametrize("name", [*EFFECTS])
def test_arguments_that_are_written_and_shared(name: str, layout: str) -> None:
    run = EFFECTS[name]
    if (name, layout) in NO_VIEWS:
        layout = "rows"
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True)
    expected, shared = outcome(run, layout)
    for _ in range(2):
        found, also_shared = outcome(compiled, layout)
        for one, other in zip(found, expected, strict=True):
            torch.testing.assert_close(one, other, check_stride=True)
        assert also_shared == shared


# ``view`` and ``as_strided`` of other layouts are errors of PyTorch itself; so is ``out=``.
NO_VIEWS = [
    (name, layout)
    for name in ("views_of_argument", "strided", "as_other_type", "out_argument")
    for layout in ("columns", "slices")
]


class Normalized(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(4, momentum=0.3)
        self.second = nn.BatchNorm1d(4, affine=False)
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))
        self.register_buffer("largest", torch.full((4,), -1e9))

    def forward(self, x: Any) -> Any:
        self.calls += 1
        self.largest.copy_(torch.maximum(self.largest, x.amax(0)))
        return self.second(self.norm(x)) * self.calls


PARTS: dict[str, Run] = {
    "split": lambda x: (*x.split(2, -1), x + 1),
    "unbind": lambda x: (*x.unbind(1), x.unbind(0)[1], x + 1),
    "chunk": lambda x: (*x.t().chunk(2), x.squeeze(-1), x[:3], x + 1),
    "parts of numbers": lambda x: (x.imag.split(2, 1)[0], x.conj().split(2, 1)[0].imag, x + 1),
    "of conjugates": lambda x: (x.conj().split(2, 1)[0], x.conj()[:, 1:3], x.real, x + 1),
}


def parts_and_gradient(run: Run, value: Any, *, gradients: bool) -> list[Any]:
    """Results, where they lie in their argument, if they do, and gradients."""
    leaf = value.clone().requires_grad_(gradients)
    argument = (leaf * 1).conj() if value.is_complex() else leaf * 1
    results = run(argument)
    memory = argument.untyped_storage().data_ptr()
    places = [
        (x.stride(), x.storage_offset()) if x.untyped_storage().data_ptr() == memory else None
        for x in results
    ]
    if gradients:
        sum(x.abs().sum() for x in results).backward()
    return [[x.detach() for x in results], places, leaf.grad]


@pytest.mark.standard
@pytest.mark.parametrize("gradients", [False, True])
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", PARTS)
def test_parts_lie_in_their_argument(name: str, dynamic: bool, gradients: bool) -> None:
    dtype = torch.complex64 if name in ("parts of numbers", "of conjugates") else torch.float32
    run = torch.compile(PARTS[name], backend=stablemate, dynamic=dynamic)
    for size in (4, 5):
        value = torch.randn(size, 4, dtype=dtype)
        found = parts_and_gradient(run, value, gradients=gradients)
        expected = parts_and_gradient(PARTS[name], value, gradients=gradients)
        torch.testing.assert_close(found[::2], expected[::2])
        assert found[1] == expected[1]


def test_buffers_are_written() -> None:
    model = Normalized()
    other = copy.deepcopy(model)
    compiled = torch.compile(other, backend=stablemate, fullgraph=True)
    for _ in range(3):
        x = torch.randn(6, 4)
        torch.testing.assert_close(compiled(x), model(x))
    for (name, one), (_, another) in zip(other.named_buffers(), model.named_buffers(), strict=True):
        torch.testing.assert_close(one, another, msg=name)


def test_a_cache_that_grows() -> None:
    def step(cache: Any, x: Any, place: Any) -> Any:
        cache.index_copy_(1, place, x)
        return functional.scaled_dot_product_attention(x, cache, cache).sum(-1)

    compiled: Run = torch.compile(step, backend=stablemate, fullgraph=True)
    caches = torch.zeros(2, 2, 8, 4)
    for place in range(5):
        x, at = torch.randn(2, 1, 4), torch.tensor([place])
        torch.testing.assert_close(compiled(caches[0], x, at), step(caches[1], x, at))
    torch.testing.assert_close(caches[0], caches[1])


def test_checkpoints_draw_the_same_random_numbers_again() -> None:
    def body(x: Any) -> Any:
        return functional.dropout(torch.sin(functional.dropout(x, 0.5)), 0.25)

    run: Run = torch.compile(lambda x: checkpoint(body, x, use_reentrant=False), backend=stablemate)
    masks: set[Any] = set()
    for _ in range(3):
        x = torch.ones(64, requires_grad=True)
        y = run(x)
        y.sum().backward()
        assert torch.equal(y != 0, x.grad != 0)
        masks.add(tuple((y != 0).tolist()))
    assert len(masks) == 3


@pytest.mark.parametrize("mask", ["none", "padding", "square", "both"])
def test_encoder_layers_without_gradients(mask: str) -> None:
    square = torch.ones(5, 5).triu(1).bool() if mask in ("square", "both") else None
    padding = torch.arange(5) >= torch.tensor([[4], [3]]) if mask in ("padding", "both") else None
    x = torch.randn(2, 5, 16)
    activation, norm_first = ("gelu", True) if mask == "none" else ("relu", False)
    model = nn.TransformerEncoderLayer(
        16, 4, 32, batch_first=True, activation=activation, norm_first=norm_first
    ).eval()
    run: Run = torch.compile(model, backend=stablemate, fullgraph=True)
    with torch.no_grad():
        expected = model(x, src_mask=square, src_key_padding_mask=padding)
        found = run(x, src_mask=square, src_key_padding_mask=padding)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


def second_derivative(x: Any) -> Any:
    (first,) = torch.autograd.grad(x.sin().prod(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.square().sum(), x)
    return second


@pytest.mark.standard
def test_derivatives_inside() -> None:
    x = torch.randn(4)
    inside: Run = torch.compile(
        torch.func.grad(lambda x: torch.func.grad(lambda y: y.sin().prod())(x).square().sum()),
        backend=stablemate, fullgraph=True,
    )  # fmt: skip
    expected = second_derivative(x.clone().requires_grad_())
    torch.testing.assert_close(inside(x), expected)
    jacobian: Run = torch.compile(
        torch.func.jacrev(lambda x: x.cumprod(0)), backend=stablemate, fullgraph=True
    )
    torch.testing.assert_close(jacobian(x), torch.func.jacrev(lambda x: x.cumprod(0))(x))
    mapped: Run = torch.compile(torch.vmap(lambda x: x @ x), backend=stablemate, fullgraph=True)
    rows = torch.randn(3, 4)
    torch.testing.assert_close(mapped(rows), (rows * rows).sum(1))


@pytest.mark.standard
@pytest.mark.parametrize("case", ["hooks", "frozen", "accumulated", "no_grad", "inference_mode"])
def test_training_as_autograd_says(case: str) -> None:
    grads: list[Any] = []
    for compiles in (False, True):
        torch.manual_seed(3)
        model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        run: Run = torch.compile(model, backend=stablemate) if compiles else model
        if case == "frozen":
            model[0].weight.requires_grad_(False)
        if case == "hooks":
            model[0].weight.register_hook(lambda g: g * 3)
        x = torch.randn(5, 3, requires_grad=case != "frozen")
        if case in ("no_grad", "inference_mode"):
            mode = torch.no_grad() if case == "no_grad" else torch.inference_mode()
            with mode:
                result = run(x)
            grads.append([result.clone(), result.requires_grad])
            continue
        for _ in range(2 if case == "accumulated" else 1):
            run(x).square().sum().backward()
        grads.append([x.grad, *[p.grad for p in model.parameters()]])
    torch.testing.assert_close(grads[1], grads[0])


@pytest.mark.standard
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_training_under_autocast(dtype: Any) -> None:
    results: list[Any] = []
    for compiles in (False, True):
        torch.manual_seed(3)
        model = nn.Sequential(nn.Linear(6, 8), nn.LayerNorm(8), nn.GELU(), nn.Linear(8, 2))
        run: Run = torch.compile(model, backend=stablemate, fullgraph=True) if compiles else model
        x = torch.randn(5, 6)
        with torch.autocast("cpu", dtype=dtype):
            y = run(x)
            loss = functional.cross_entropy(y, torch.tensor([0, 1, 1, 0, 1]))
        loss.backward()
        results.append([y, loss, *[p.grad for p in model.parameters()]])
    torch.testing.assert_close(results[1], results[0], rtol=3e-2, atol=3e-2)


def cached(cache: Any, x: Any, place: Any) -> Any:
    cache.index_copy_(1, place, x)
    return cache.sum(2)


def cached_at(cache: Any, x: Any, place: Any) -> Any:
    cache[:, place] = x
    return cache * 2


def cached_in_slice(cache: Any, x: Any, place: Any) -> Any:
    cache[:, 5:7] = x
    cache[:, 1, :4] = x[:, 0, :4]
    return cache.sum(2)


def cached_with_old_value(cache: Any, x: Any, place: Any) -> Any:
    old = cache.clone()
    cache.index_copy_(1, place, x)
    return old, cache.flip(1) - old


def shifted_in_place(cache: Any, x: Any, place: Any) -> Any:
    cache.copy_(cache.roll(1, 1))
    cache[:, place] += x
    return cache[:, :1]


@pytest.mark.parametrize("layout", ["dense", "strided"])
@pytest.mark.parametrize(
    ("update", "donors"),
    [
        (cached, {0: 0}), (cached_at, {0: 0}), (cached_in_slice, {0: 0}),
        (cached_with_old_value, {}), (shifted_in_place, {}),
    ],
)  # fmt: skip
def test_caches_are_written_where_they_are(
    update: Run, donors: dict[int, int], layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs: list[CompiledGraph] = []
    create = CompiledGraph.overwritten_arguments

    def keep(graph: CompiledGraph, written: Any) -> Any:
        graphs.append(graph)
        return create(graph, written)

    monkeypatch.setattr(CompiledGraph, "overwritten_arguments", keep)
    run = torch.compile(update, backend=stablemate)
    wide = torch.randn(2, 64, 32)
    cache = wide[:, :, ::2] if layout == "strided" else wide[:, :, :16].contiguous()
    expected, address = cache.clone(), cache.data_ptr()
    with torch.no_grad():
        for i in range(3):
            x, place = torch.randn(2, 2, 16), torch.tensor([i, i + 5])
            torch.testing.assert_close(run(cache, x, place), update(expected, x, place))
            torch.testing.assert_close(cache, expected)
    assert cache.data_ptr() == address
    if layout == "dense":
        assert graphs[-1].donors == donors
