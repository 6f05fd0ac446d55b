"""Operators of users: called back, translated by a function of the user, and differentiated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.bridges.torch.backend import stablemate
from stablemate.frontends.tensor_functions.movement import reshape
from stablemate.frontends.torch.decompositions import decompositions
from stablemate.frontends.torch.table import lowerings

pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"
)
Run = Callable[..., Any]
Tensor = torch.Tensor
calls: list[str] = []


@pytest.fixture(autouse=True)
def _fresh() -> None:
    torch.manual_seed(0)
    torch._dynamo.reset()
    calls.clear()


@torch.library.custom_op("stablemate_test::affine", mutates_args=())
def affine(
    x: Tensor, factor: float, sizes: Sequence[int], mode: str = "plain",
    dtype: torch.dtype | None = None, other: Tensor | None = None, flag: bool = False,
) -> Tensor:  # fmt: skip
    calls.append(f"{mode} {list(sizes)} {dtype} {flag}")
    result = x * factor + sum(sizes)
    return result if other is None else result + other


@affine.register_fake
def _(x: Any, factor: Any, sizes: Any, mode: Any = "", dtype: Any = None, other: Any = None,
      flag: Any = False) -> Any:  # fmt: skip
    return torch.empty_like(x)


def keep_factor(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.factor = inputs[1]


affine.register_autograd(
    lambda ctx, g: (affine(g, ctx.factor, [0]), *[None] * 6), setup_context=keep_factor
)


@torch.library.custom_op("stablemate_test::statistics", mutates_args=())
def statistics(xs: list[Tensor]) -> tuple[Tensor, Tensor]:
    return torch.stack([x.mean() for x in xs]), sum(xs[1:], xs[0])


@statistics.register_fake
def _(xs: Any) -> Any:
    return xs[0].new_empty(len(xs)), torch.empty_like(xs[0])


@torch.library.custom_op("stablemate_test::rows", mutates_args=())
def rows(x: Tensor) -> list[Tensor]:
    return [row.clone() for row in x]


@rows.register_fake
def _(x: Any) -> Any:
    return [torch.empty_like(row) for row in x]


@torch.library.custom_op("stablemate_test::positive", mutates_args=())
def positive(x: Tensor) -> Tensor:
    return x[x > 0].clone()


@positive.register_fake
def _(x: Any) -> Any:
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


@torch.library.custom_op("stablemate_test::count", mutates_args=())
def count(x: Tensor) -> int:
    return int((x > 0).sum())


@count.register_fake
def _(x: Any) -> Any:
    return torch.library.get_ctx().new_dynamic_size()


@torch.library.custom_op("stablemate_test::increment", mutates_args={"x"})
def increment(x: Tensor, by: float) -> None:
    x.add_(by)


@torch.library.custom_op("stablemate_test::swap", mutates_args={"xs"})
def swap(xs: list[Tensor]) -> Tensor:
    first = xs[0].clone()
    xs[0].copy_(xs[1])
    xs[1].copy_(first)
    return first.sum()


@swap.register_fake
def _(xs: Any) -> Any:
    return xs[0].new_empty(())


def written_views(x: Any) -> Any:
    y = x.clone()
    increment(y[1], 1.0)
    increment(y[:, ::2], 2.0)
    increment(y[2:], 3.0)
    increment(y.t(), 4.0)
    increment(y.view(-1)[3:5], 5.0)
    return y * 2


def swapped(x: Any) -> Any:
    y, z = x.clone(), x.sin()
    total = swap([y, z])
    return y, z, total


def written_argument(x: Any) -> Any:
    increment(x, 2.0)
    return x * 2


CASES: dict[str, Run] = {
    "defaults": lambda x: affine(x, 2.0, [1, 2]).sin(),
    "all arguments": lambda x: affine(x, 2.0, [3, 4], "m", torch.float16, x[0], True).sin(),
    "a list": lambda x: statistics([x, x + 1, x * 2]),
    "a list of results": lambda x: rows(x)[1] * 2,
    "a size by values": lambda x: (positive(x) * 2).sum(),
    "results of a size by values": lambda x: positive(x.sin()) * 2,
    "a number": lambda x: x * count(x),
    "written views": written_views,
    "written list": swapped,
    "written argument": written_argument,
}


def check(found: Any, expected: Any) -> None:
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", [*CASES])
def test_called_back(name: str) -> None:
    run, x = CASES[name], torch.randn(4, 6)
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True)
    one, other = x.clone(), x.clone()
    check(compiled(one), run(other))
    check(one, other)


def test_sizes_are_operands() -> None:
    run: Run = lambda x: affine(x, 0.5, [x.shape[0], 7], "size")  # noqa: E731
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True, dynamic=True)
    for count_ in (3, 5):
        x = torch.randn(count_, 2)
        check(compiled(x), run(x))
    assert calls[-1] == "size [5, 7] None False"


def test_gradients_of_the_user() -> None:
    x = torch.randn(3, requires_grad=True)
    compiled: Run = torch.compile(lambda x: affine(x, 3.0, [1]).square().sum(), backend=stablemate)
    compiled(x).backward()
    check(x.grad, 6 * (3 * x.detach() + 1))


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(context: Any, x: Any) -> Any:
        context.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(context: Any, gradient: Any) -> Any:
        (x,) = context.saved_tensors
        return gradient * x.cos() * 2


@pytest.mark.standard
def test_functions_of_autograd() -> None:
    x = torch.randn(5, requires_grad=True)
    run: Run = lambda x: Doubled.apply(x).square().sum()  # noqa: E731
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True)
    compiled(x).backward()
    check(x.grad, 4 * x.detach().sin() * x.detach().cos())


def test_an_error_of_the_operator_names_it() -> None:
    @torch.library.custom_op("stablemate_test::failing", mutates_args=())
    def failing(x: Tensor) -> Tensor:
        raise ValueError("no such thing")

    @failing.register_fake
    def _(x: Any) -> Any:
        return torch.empty_like(x)

    compiled: Run = torch.compile(lambda x: failing(x) + 1, backend=stablemate)
    with pytest.raises(sm.EvaluationError, match="ValueError: no such thing") as raised:
        compiled(torch.ones(2))
    assert "stablehlo.custom_call @stablemate_test::failing" in str(raised.value)


def test_exported_as_a_custom_call_of_its_name() -> None:
    x = torch.randn(2, 3)
    m = sm.from_torch(lambda x: affine(x, 2.0, [1, 2], "export").cos(), x)
    assert 'custom_call @"stablemate_test::affine"(' in str(m)
    assert 'mode = "export"' in str(m)
    again = sm.parse(str(m))
    for program in (m, again):
        found = program.run(x.numpy())
        np.testing.assert_allclose(found, (x * 2 + 3).cos().numpy(), rtol=1e-5)


@pytest.mark.standard
def test_exported_with_arguments_that_it_changes() -> None:
    x = torch.randn(4, 6)
    found = sm.from_torch(written_views, x).run(x.numpy())
    np.testing.assert_allclose(found, written_views(x).numpy(), rtol=1e-5)


@torch.library.custom_op("stablemate_test::scaled_sine", mutates_args=())
def scaled_sine(x: Tensor, factor: float, *, shift: float = 0.0) -> Tensor:
    calls.append("scaled_sine")
    return x.sin() * factor + shift


@scaled_sine.register_fake
def _(x: Any, factor: Any, *, shift: Any = 0.0) -> Any:
    return torch.empty_like(x)


@pytest.fixture
def own_lowerings() -> Iterator[None]:
    """What a test registers is gone after it."""
    before = dict(lowerings())
    yield
    lowerings().clear()
    lowerings().update(before)
    decompositions.cache_clear()


@pytest.mark.usefixtures("own_lowerings")
def test_a_lowering_of_the_user() -> None:
    @sm.torch_lowering("stablemate_test::scaled_sine")
    def _(call: Any, x: Any, factor: float, *, shift: float) -> Any:
        return call.operation("stablehlo.sine", x) * factor + shift

    run: Run = lambda x: scaled_sine(x, 2.0, shift=1.0)  # noqa: E731
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True)
    x = torch.randn(4)
    found = compiled(x)
    assert not calls
    check(found, x.sin() * 2 + 1)
    text = str(sm.from_torch(run, x))
    assert "stablehlo.sine" in text
    assert "custom_call" not in text


@pytest.mark.usefixtures("own_lowerings")
def test_a_lowering_in_the_place_of_a_decomposition() -> None:
    @sm.torch_lowering("aten::logit")
    def _(call: Any, x: Any, eps: float | None = None) -> Any:
        return x * 0 + 7

    compiled: Run = torch.compile(torch.logit, backend=stablemate)
    check(compiled(torch.rand(3)), torch.full((3,), 7.0))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sine", "an operator is called library::name, not 'sine'"),
        ("a::", "an operator is called library::name, not 'a::'"),
    ],
)
def test_names_without_a_library(name: str, message: str) -> None:
    with pytest.raises(sm.ArgumentError) as raised:
        sm.torch_lowering(name)
    assert str(raised.value) == message


@pytest.mark.usefixtures("own_lowerings")
def test_a_lowering_that_raises() -> None:
    @sm.torch_lowering("stablemate_test::scaled_sine")
    def _(call: Any, x: Any, factor: float) -> Any:
        return x.sine() * factor

    with pytest.raises(sm.UnsupportedError) as raised:
        sm.from_torch(lambda x: scaled_sine(x, 2.0), torch.ones(2))
    assert str(raised.value).startswith(
        "the lowering of stablemate_test::scaled_sine raised AttributeError: 'Tensor' object has "
        f"no attribute 'sine'\n  File \"{__file__}\""
    )
    assert isinstance(raised.value.__cause__, AttributeError)


@pytest.mark.usefixtures("own_lowerings")
@pytest.mark.parametrize(
    ("give", "said"),
    [
        (lambda _: None, "None for result 0, and PyTorch infers tensor<2xf32>"),
        (
            lambda x: reshape(x, (2, 1)),
            "tensor<2x1xf32> for result 0, and PyTorch infers tensor<2xf32>",
        ),
        (lambda _: 1.0, "1.0 for result 0, and PyTorch infers tensor<2xf32>"),
        (lambda x: [x, x], "2 results, and PyTorch infers 1"),
    ],
    ids=["none", "shape", "number", "results"],
)
def test_a_lowering_that_gives_something_else(give: Callable[[Any], Any], said: str) -> None:
    sm.torch_lowering("stablemate_test::scaled_sine")(lambda _call, x, _factor: give(x))
    with pytest.raises(sm.UnsupportedError) as raised:
        sm.from_torch(lambda x: scaled_sine(x, 2.0), torch.ones(2))
    assert str(raised.value).startswith(
        f'the lowering of stablemate_test::scaled_sine gave {said}\n  File "{__file__}"'
    )


@pytest.mark.usefixtures("own_lowerings")
def test_an_operation_that_does_not_exist() -> None:
    @sm.torch_lowering("stablemate_test::scaled_sine")
    def _(call: Any, x: Any, factor: float) -> Any:
        return call.operation("stablehlo.sinus", x)

    with pytest.raises(sm.UnsupportedError, match=r"there is no operation stablehlo\.sinus"):
        sm.from_torch(lambda x: scaled_sine(x, 2.0), torch.ones(2))
