"""Sizes that depend on values, and operators on symbolic sizes, compared with PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import sympy
import torch

from stablemate.bridges.torch import backend
from stablemate.bridges.torch.backend import stablemate
from stablemate.frontends.torch.importer import ImportedProgram, import_graph, line_of

pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"
)
Run = Callable[..., Any]
functional: Any = torch.nn.functional


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    torch.manual_seed(0)
    torch._dynamo.reset()
    with torch._dynamo.config.patch(
        capture_dynamic_output_shape_ops=True, capture_scalar_outputs=True
    ):
        yield


def doubled_under_a_mask(x: Any) -> Any:
    result = x.clone()
    result[x > 0] = x[x > 0] * 2
    return result


def mixed_experts(x: Any) -> Any:
    rows = (x[:, 0] > 0).nonzero()[:, 0]
    return torch.zeros_like(x).index_add(0, rows, x[rows].cos() @ x.t() @ x)


def numbers(x: Any) -> Any:
    return (x.abs() * 3).to(torch.int64)


def zeros_of_a_number(x: Any) -> Any:
    count = numbers(x)[0, 0].item()
    torch._check(count >= 0)
    torch._check(count <= 1000)
    return torch.zeros(count, 2) + 1


def pieces(x: Any) -> Any:
    count = numbers(x)[1, 1].item() % 3
    torch._check(count >= 0)
    torch._check(count <= x.shape[0])
    return x[:count] * 2, torch.split(torch.arange(7.0), [2, 5])


def lengths(x: Any) -> Any:
    return torch.repeat_interleave(x, numbers(x)[:, 0], dim=0)


def half_unique(x: Any) -> Any:
    return torch.unique(numbers(x)[: x.shape[0] // 2])


CASES: dict[str, Run] = {
    "nonzero": lambda x: x.round().nonzero() * 2,
    "nonzero as a tuple": lambda x: torch.nonzero(x > 0, as_tuple=True)[1] + 1,
    "argwhere": lambda x: torch.argwhere(x > 0),
    "a mask": lambda x: x[x > 0].sin(),
    "a mask of rows": lambda x: x[x[:, 0] > 0].cos(),
    "a mask of columns": lambda x: x[:, x[0] > 0] * 2,
    "a mask that is empty": lambda x: x[x > 100],
    "a sum under a mask": lambda x: x[x > 0].exp().sum(),
    "masked_select": lambda x: torch.masked_select(x, x[0] > 0),
    "under a mask": doubled_under_a_mask,
    "mixed experts": mixed_experts,
    "unique": lambda x: torch.unique(numbers(x)),
    "unique with places": lambda x: torch.unique(
        numbers(x), return_inverse=True, return_counts=True
    ),
    "unique rows": lambda x: torch.unique(numbers(x) // 4, dim=0, return_inverse=True),
    "unique columns": lambda x: torch.unique(numbers(x) // 4, dim=1, return_counts=True),
    "consecutive": lambda x: torch.unique_consecutive(numbers(x) // 4, return_inverse=True),
    "consecutive rows": lambda x: torch.unique_consecutive(numbers(x) // 9, dim=0),
    "half of the rows": half_unique,
    "bincount": lambda x: torch.bincount(numbers(x).flatten()),
    "weighted bincount": lambda x: torch.bincount(numbers(x).flatten(), x.flatten(), minlength=12),
    "repeat_interleave": lengths,
    "a number as a size": zeros_of_a_number,
    "a number as an end": pieces,
    "a number": lambda x: x * x[0, 0].item() + numbers(x)[0, 1].item(),
}
OTHER_STRIDES = ("unique columns",)  # than those of PyTorch's fake tensors, which lie in order
QUICK = ("nonzero", "a mask", "unique with places", "bincount", "a number as a size")


def marked(names: Iterator[str] | dict[str, Any], quick: tuple[str, ...]) -> list[Any]:
    return [pytest.param(n, marks=() if n in quick else pytest.mark.standard) for n in names]


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("name", marked(CASES, QUICK))
def test_sizes_by_values(name: str, dynamic: bool) -> None:
    run = CASES[name]
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=dynamic)
    for rows in (5, 6, 4) if dynamic else (5, 5):
        x = torch.randn(rows, 4)
        torch.testing.assert_close(
            compiled(x), run(x), rtol=1e-4, atol=1e-5, check_stride=name not in OTHER_STRIDES
        )


@pytest.mark.standard
@pytest.mark.parametrize("name", [n for n in CASES if n not in ("under a mask",)])
def test_exported(name: str) -> None:
    run, x = CASES[name], torch.randn(5, 4)
    found = torch.utils._pytree.tree_leaves(sm.from_torch(run, x).run(x.numpy()))
    for one, other in zip(found, torch.utils._pytree.tree_leaves(run(x)), strict=True):
        np.testing.assert_allclose(one, other.numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.standard
def test_without_options_the_graph_breaks() -> None:
    run: Run = lambda x: x[x > 0] * 2  # noqa: E731
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=False):
        x = torch.randn(4)
        torch.testing.assert_close(torch.compile(run, backend=stablemate)(x), run(x))


SYMBOLIC: dict[str, Run] = {
    "cumsum": lambda x: x.cumsum(1),
    "cumsum of rows": lambda x: x.cumsum(0),
    "cumprod": lambda x: x.cumprod(1),
    "cummax": lambda x: x.cummax(1),
    "cummin": lambda x: x.cummin(0),
    "logcumsumexp": lambda x: x.logcumsumexp(1),
    "mode": lambda x: x.round().mode(1).values,
    "sort": lambda x: x.sort(1),
    "topk": lambda x: x.topk(2, 0),
    "kthvalue": lambda x: x.kthvalue(2, 1),
    "median": lambda x: x.median(1),
    "quantile": lambda x: torch.quantile(x, 0.3, dim=1),
    "searchsorted": lambda x: torch.searchsorted(x.sort(1)[0], x),
    "convolution": lambda x: functional.conv1d(x[:, None], torch.ones(2, 1, 3), padding=1),
    "pooling": lambda x: functional.max_pool1d(x[:, None], 2, return_indices=True),
    "pooling of means without padding": lambda x: functional.avg_pool1d(
        x[:, None], 3, 2, 1, ceil_mode=True, count_include_pad=False
    ),
    "adaptive pooling of maxima": lambda x: functional.adaptive_max_pool2d(
        x[None], (3, 4), return_indices=True
    ),
    "adaptive pooling": lambda x: functional.adaptive_avg_pool1d(x[:, None], 3),
    "attention": lambda x: functional.scaled_dot_product_attention(
        x[:, :, None], x[:, :, None], x[:, :, None], is_causal=True
    ),
    "layer_norm": lambda x: functional.layer_norm(x, x.shape[1:]),
    "interpolate": lambda x: functional.interpolate(x[:, None], scale_factor=2, mode="linear"),
    "interpolate without aliasing": lambda x: functional.interpolate(
        x[None, None], (3, 5), mode="bilinear", antialias=True
    ),
    "cubic interpolation without aliasing": lambda x: functional.interpolate(
        x[None, None], scale_factor=(0.6, 1.5), mode="bicubic", align_corners=True, antialias=True
    ),
    "unfold": lambda x: x.unfold(1, 3, 2),
    "histc": lambda x: torch.histc(x, 4),
    "histc between bounds": lambda x: torch.histc(x, 4, -1, 1),
    "nonzero_static": lambda x: torch.nonzero_static(x.round(), size=9, fill_value=-7),
    "more than there are, nonzero_static": lambda x: torch.nonzero_static(x > 0, size=80),
    "one_hot": lambda x: functional.one_hot(numbers(x), 20),
    "scatter_add": lambda x: torch.zeros_like(x).scatter_add(1, (x > 0).long(), x),
    "linspace": lambda x: torch.linspace(0, 1, x.shape[0]) + x[:, 0],
}


@pytest.mark.parametrize("name", marked(SYMBOLIC, ("cumsum", "cummax", "topk")))
def test_symbolic_sizes(name: str) -> None:
    run = SYMBOLIC[name]
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=True)
    for shape in ((4, 6), (7, 9), (5, 12)):
        x = torch.randn(shape)
        torch.testing.assert_close(compiled(x), run(x), rtol=1e-4, atol=1e-5)


PARTS = (
    "1:5", "1:5:2", "-2:5", "-2:5:2", "-7:", "-7::2", ":-1", "2::2", ":5", "-7:-1", "-7:5", "4:",
    "4::3", "-3:-1", "2:1", "-5:-6", "-2:1",
)  # fmt: skip


@pytest.mark.parametrize("part", marked(dict.fromkeys(PARTS), ("1:5", "-2:5", "2::2")))
def test_parts_of_symbolic_sizes_end_where_python_says(part: str) -> None:
    bounds = [int(bound) if bound else None for bound in part.split(":")]

    def run(x: Any) -> Any:
        y = x.clone()
        y[:, slice(*bounds)] = x[:, slice(*bounds)] * 2 + 1
        return x[:, slice(*bounds)].exp(), y

    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=True)
    for size in (3, 9, 4, 12, 2):
        x = torch.randn(3, size)
        torch.testing.assert_close(compiled(x), run(x))


def sampled(padding: str, *, align_corners: bool) -> Run:
    """An image sampled at points that are computed from it."""

    def run(x: Any) -> Any:
        grid = torch.stack([x, x.flip(0)], -1)[None]
        return functional.grid_sample(
            x[None, None], grid, padding_mode=padding, align_corners=align_corners
        )

    return run


GRADIENTS: dict[str, Run] = {
    "samples, zeros outside": sampled("zeros", align_corners=False),
    "samples, reflected at edges": sampled("reflection", align_corners=False),
    "samples, reflected at centers": sampled("reflection", align_corners=True),
    "replicated edges": lambda x: functional.pad(x[None, None], (2, 1, 0, 3), "replicate"),
    "reflected edges": lambda x: functional.pad(x[None, None], (2, 1, 0, 3), "reflect"),
    "circular edges": lambda x: functional.pad(x[None, None], (2, 1, 0, 3), "circular"),
    "interpolate without aliasing": SYMBOLIC["interpolate without aliasing"],
    "cumprod": SYMBOLIC["cumprod"],
}


@pytest.mark.parametrize("name", marked(GRADIENTS, ("replicated edges",)))
def test_gradients_of_symbolic_sizes(name: str) -> None:
    run = GRADIENTS[name]
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=True)
    for shape in ((4, 6), (7, 9)):
        x = torch.randn(shape, requires_grad=True)
        found, expected = (
            torch.autograd.grad(function(x).square().sum(), x) for function in (compiled, run)
        )
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


def drawn(run: Run, shape: Sequence[int], *, dynamic: bool) -> Any:
    torch._dynamo.reset()
    torch.manual_seed(5)
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=dynamic)
    return compiled(torch.ones(shape))


def test_random_bits_of_symbolic_sizes_are_those_of_known_sizes() -> None:
    def run(x: Any) -> Any:
        return torch.randint(0, 2**40, x.shape)

    assert torch.equal(drawn(run, (3, 5), dynamic=True), drawn(run, (3, 5), dynamic=False))


def test_random_numbers_of_symbolic_sizes() -> None:
    def run(x: Any) -> Any:
        return torch.rand_like(x), torch.randn_like(x), functional.dropout(x, 0.25)

    uniform, normal, dropout = drawn(run, (100, 400), dynamic=True)
    assert 0 <= uniform.min() < 1e-3
    assert 1 - 1e-3 < uniform.max() < 1
    torch.testing.assert_close(uniform.mean(), torch.tensor(0.5), rtol=0, atol=0.01)
    torch.testing.assert_close(normal.std(), torch.tensor(1.0), rtol=0, atol=0.02)
    torch.testing.assert_close((dropout == 0).float().mean(), torch.tensor(0.25), rtol=0, atol=0.01)
    assert uniform.flatten().unique().numel() > 39_800  # birthdays among 2^23 numbers


def test_another_length_of_a_fourier_transform_is_compiled_again() -> None:
    run: Run = lambda x: torch.fft.fft(x, dim=1)  # noqa: E731
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=True)
    graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
    for shape in ((4, 6), (5, 6), (5, 7), (9, 7)):
        x = torch.randn(shape)
        torch.testing.assert_close(compiled(x), run(x))
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] - graphs == 2


# Results that are views of arguments, at places that vary.
VIEWS: dict[str, Run] = {
    "rows from a number": lambda x, n, index: x[n:],
    "rows to a number": lambda x, n, index: x[:, :n],
    "half of the columns": lambda x, n, index: x.chunk(2, 1),
    "a part of the transpose": lambda x, n, index: x.t()[x.shape[1] // 3 :],
    "several": lambda x, n, index: (x[n:], x[:n] + 1, x[n].sum()),
    "a row": lambda x, n, index: x[index.item()],
    "a row from the end": lambda x, n, index: x[(-index).item()],
    "rows from an index": lambda x, n, index: x[index.item() :],
    "rows to an index from the end": lambda x, n, index: x[: (-index).item()] * 2,
    "parts": lambda x, n, index: torch.tensor_split(x, torch.stack([index - 1, index])),
    "parts beyond the end": lambda x, n, index: torch.tensor_split(
        x, torch.stack([index, index * 9])
    ),
    "parts that overlap": lambda x, n, index: torch.tensor_split(
        x, torch.stack([index, index - 1])
    ),
}


@pytest.mark.parametrize("gradients", [False, True])
@pytest.mark.parametrize("name", marked(VIEWS, ("rows from a number", "parts")))
def test_views_of_arguments(name: str, gradients: bool) -> None:
    run = VIEWS[name]
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=True)
    for shape, number in (((5, 6), 2), ((7, 9), 3)):
        x = torch.randn(shape, requires_grad=gradients)
        found, expected = (f(x, number, torch.tensor(number)) for f in (compiled, run))
        torch.testing.assert_close(found, expected)
        for one, other in zip(
            *map(torch.utils._pytree.tree_leaves, (found, expected)), strict=True
        ):
            assert one.stride() == other.stride()


PARTS: dict[str, Callable[[Any], Any]] = {
    "slices": lambda x: (x.relu()[:, ::2], x.relu().t()[1:], (x + 1)[1:, 2:4]),
    "beside the whole": lambda x: (lambda y: (y, y[:, 1:], y.t()))(x.exp()),
    "chunks": lambda x: (x * 2).chunk(2, 1),
    "rows and columns": lambda x: (x.sin()[:, 0], x.cos()[-1]),
    "windows": lambda x: (x.exp().unfold(1, 3, 2), x.exp().diagonal()),
    "reshaped": lambda x: x.exp().unflatten(1, (2, -1))[:, 0],
    "later rows beside the whole": lambda x: (lambda y: (y, y.tensor_split(2)[1]))(x.exp()),
}


@pytest.mark.parametrize("gradients", [False, True])
@pytest.mark.parametrize("name", marked(PARTS, ("beside the whole", "later rows beside the whole")))
def test_parts_of_results_lie_where_they_do_in_pytorch(name: str, gradients: bool) -> None:
    run = PARTS[name]
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=True)
    for shape in ((6, 8), (8, 12), (4, 6)):
        x = torch.randn(shape, requires_grad=gradients)
        leaves = torch.utils._pytree.tree_leaves
        found, expected = leaves(compiled(x)), leaves(run(x))
        for one, other in zip(found, expected, strict=True):
            torch.testing.assert_close(one, other, check_stride=True)
            place, known = (v.untyped_storage().data_ptr() for v in (one, found[0]))
            whole = other.untyped_storage().data_ptr() == expected[0].untyped_storage().data_ptr()
            assert not whole or place == known


@pytest.mark.standard
@pytest.mark.parametrize("is_public", [False, True])
def test_affine_grids_are_differentiated_if_sizes_vary(is_public: bool) -> None:
    def run(theta: Any, size: Sequence[int]) -> Any:
        if is_public:
            return functional.affine_grid(theta, [*size], align_corners=True)
        return torch.affine_grid_generator(theta, [*size], False)

    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=True)
    for size in ((2, 1, 4, 5), (3, 1, 6, 4)):
        theta = torch.randn(size[0], 2, 3, requires_grad=True)
        found, expected = compiled(theta, size), run(theta, size)
        torch.testing.assert_close(found, expected)
        (one,), (other,) = (torch.autograd.grad(y.square().sum(), theta) for y in (found, expected))
        torch.testing.assert_close(one, other)


NUMBERS: dict[str, Run] = {
    "a sum": lambda x, n: x + n,
    "quotients": lambda x, n: x + n // 3 + n % 5,
    "products": lambda x, n: (x * n, n * 2),
    "the larger": lambda x, n: x + max(n, 3),
}


@pytest.mark.parametrize("number", [2**40 + 1, -(2**40) - 1])
@pytest.mark.parametrize("name", marked(NUMBERS, ("quotients",)))
def test_numbers_have_64_bits(name: str, number: int) -> None:
    run, x = NUMBERS[name], torch.arange(3)
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=True)
    torch.testing.assert_close(compiled(x, number), run(x, number))
    torch._dynamo.reset()
    read: Run = lambda x, n: run(x, n.item())  # noqa: E731
    compiled = torch.compile(read, backend=stablemate, fullgraph=True)
    torch.testing.assert_close(compiled(x, torch.tensor(number)), run(x, number))


class CheckedRoot(torch.nn.Module):
    """A root, after a check that depends on values."""

    def forward(self, x: Any) -> Any:
        torch._check_tensor_all(x >= 0, lambda: "a negative number")
        return x.sqrt()


def test_checks_of_values_are_left_out_of_programs() -> None:
    x = torch.rand(3)
    program = sm.from_torch(CheckedRoot(), (x,))
    np.testing.assert_allclose(program.run(x.numpy(), backend="interpreter"), x.sqrt().numpy())


def test_truth_values_of_checks() -> None:
    def check(x: Any) -> Any:
        return torch.ops.aten._is_all_true(x > 0), torch.ops.aten._is_any_true(x > 1)

    run = torch.compile(check, backend=stablemate, options={"backend": "interpreter"})
    for x in (torch.tensor([0.5, 2]), torch.tensor([0.0, 1])):
        assert [bool(value) for value in run(x)] == [bool(value) for value in check(x)]


def test_sizes_that_are_lines() -> None:
    size, floor_divide = sympy.Symbol("s0", integer=True), torch.utils._sympy.functions.FloorDiv
    expected = {
        2 * size + 1: (size, 2, 1), size: (size, 1, 0), -size: (size, -1, 0),
        floor_divide(64, size): None, floor_divide(size, 2) + 1: None, sympy.Integer(3): None,
        size * size: None, size / 2: None,
    }  # fmt: skip
    for expression, line in expected.items():
        assert line_of(SimpleNamespace(node=SimpleNamespace(expr=expression))) == line


def test_sizes_that_a_dimension_tells_are_not_computed_from_an_argument(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    programs: list[ImportedProgram] = []

    def kept(*arguments: Any) -> ImportedProgram:
        programs.append(import_graph(*arguments))
        return programs[-1]

    def run(x: Any, weight: Any) -> Any:
        return (x[:, ::2] * weight).sum()

    monkeypatch.setattr(backend, "import_graph", kept)
    compiled = torch.compile(run, backend="stablemate", dynamic=True)
    weight = torch.ones(1, requires_grad=True)
    for columns in (7, 10):  # the backward graph has their halves, and their number
        x = torch.randn(3, columns)
        (gradient,) = torch.autograd.grad(compiled(x, weight), weight)
        torch.testing.assert_close(gradient, x[:, ::2].sum().reshape(1))
    forward, backward = programs
    assert not any(argument.is_size for argument in forward.arguments)
    assert sum(argument.is_size for argument in backward.arguments) == 1
    (function,) = backward.module.body.operations
    block = function.regions[0].block
    *_, size = block.arguments
    assert size not in [value for operation in block.operations for value in operation.operands]
