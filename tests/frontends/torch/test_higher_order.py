"""Operators that call graphs, compared with PyTorch: compiled, with gradients, and exported."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch
from torch._higher_order_ops import associative_scan, out_dtype, scan, while_loop
from torch._higher_order_ops.map import map as map_slices
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.utils.checkpoint import checkpoint

from stablemate.bridges.torch.backend import stablemate

pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"
)
functional: Any = torch.nn.functional
Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def _fresh() -> None:
    torch.manual_seed(0)
    torch._dynamo.reset()


def branches(x: Any, y: Any) -> Any:
    return torch.cond(x.sum() > 0, lambda x: (x.sin(), x @ y), lambda x: (x * 2, x - y[0]), (x,))


def nested_branches(x: Any, y: Any) -> Any:
    def inner(x: Any) -> Any:
        return torch.cond(y.mean() > 0, torch.cos, torch.exp, (x,))

    return torch.cond(x.sum() > 0, inner, lambda x: x * 3, (x,))


def branches_by_a_size(x: Any, y: Any) -> Any:
    return torch.cond(x.shape[0] > 4, lambda x: x.sin(), lambda x: x.cos(), (x,)) + y.sum()


def loop(x: Any, y: Any) -> Any:
    def body(step: Any, x: Any) -> Any:
        return step + 1, torch.tanh(x @ y)

    return while_loop(lambda step, x: (step < 5) & (x.sum() < 100), body, (torch.tensor(0), x))


def loop_of_numbers(x: Any, y: Any) -> Any:
    def body(step: Any, x: Any) -> Any:
        return step + 1, x * 1.5 + y[0] * step

    return while_loop(lambda step, x: step < 3, body, (0, x))[1]


def recurrence(x: Any, y: Any) -> Any:
    def combine(carry: Any, row: Any) -> Any:
        state = torch.tanh(row + carry["h"] @ y)
        return {"h": state}, (state * 2, state.sum())

    return scan(combine, {"h": torch.zeros(4)}, x)


def reversed_recurrence(x: Any, y: Any) -> Any:
    def combine(carry: Any, row: Any) -> Any:
        state = carry * 0.5 + row
        return state, state + y[0]

    return scan(combine, torch.ones(4), x, reverse=True)


def mapped(x: Any, y: Any) -> Any:
    return map_slices(lambda row, y: (row.sin() @ y, row.sum()), x, y)


def scanned(mode: str) -> Run:
    def run(x: Any, y: Any) -> Any:
        def combine(one: Any, other: Any) -> Any:
            return one[0] * other[0], other[0] * one[1] + other[1]

        return associative_scan(combine, (x, x.cos() + y[0]), 0, combine_mode=mode)

    return run


@torch.compiler.nested_compile_region
def region(x: Any, y: Any) -> Any:
    return torch.sin(x @ y)


def regions(x: Any, y: Any) -> Any:
    return region(region(x, y), y + 1)


def checkpointed(use_reentrant: bool) -> Run:
    def run(x: Any, y: Any) -> Any:
        part: Run = lambda x, y: torch.sigmoid(x @ y).sin()  # noqa: E731
        inner = checkpoint(part, x, y, use_reentrant=use_reentrant)
        return checkpoint(part, inner, y, use_reentrant=use_reentrant)

    return run


def gradients_off(x: Any, y: Any) -> Any:
    with torch.no_grad():
        scale = (x * y[0]).sum()
    return x * scale


def narrowed(dtype: Any) -> Run:
    def run(x: Any, y: Any) -> Any:
        with torch.autocast("cpu", dtype=dtype):
            product = functional.gelu(x @ y)
            with torch.autocast("cpu", enabled=False):
                wide = product.float().exp()
        return functional.softmax(product, -1), wide

    return run


DIFFERENTIABLE: dict[str, Run] = {
    "cond": branches,
    "nested cond": nested_branches,
    "cond by a size": branches_by_a_size,
    "scan": recurrence,
    "reversed scan": reversed_recurrence,
    "map": mapped,
    "associative_scan generic": scanned("generic"),
    "nested_compile_region": regions,
    "checkpoint": checkpointed(use_reentrant=False),
    "reentrant checkpoint": checkpointed(use_reentrant=True),
    "no_grad": gradients_off,
    "autocast bfloat16": narrowed(torch.bfloat16),
    "autocast float16": narrowed(torch.float16),
}
OTHERS: dict[str, Run] = {
    "while_loop": loop,
    "while_loop of numbers": loop_of_numbers,
    "out_dtype": lambda x, y: out_dtype(
        torch.ops.aten.mm.default, torch.int32, (x * 9).to(torch.int8), (y * 9).to(torch.int8)
    ),
}
if torch.__version__ >= "2.14":  # older versions scan so on GPUs alone
    OTHERS["associative_scan pointwise"] = scanned("pointwise")


def relative(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
    return score * 0.5 + (query - key) * 0.1 + head


def causal(batch: Any, head: Any, query: Any, key: Any) -> Any:
    return query >= key


def flexible(q: Any, k: Any, v: Any, bias: Any, documents: Any, case: str) -> Any:
    def biased(score: Any, batch: Any, head: Any, query: Any, key: Any) -> Any:
        return score + bias[head, query] - bias[head, key]

    def same_document(batch: Any, head: Any, query: Any, key: Any) -> Any:
        return (documents[query] == documents[key]) & (key % 7 != 3)

    masks = {"causal": causal, "documents": same_document, "empty rows": lambda b, h, q, k: q > k}
    mask = masks.get(case)
    sizes = (q.shape[-2], k.shape[-2])
    return flex_attention(
        q, k, v,
        score_mod={"relative": relative, "bias": biased, "causal": relative}.get(case),
        block_mask=None if mask is None else create_block_mask(mask, None, None, *sizes, "cpu"),
        scale=0.3 if case == "scale" else None,
        enable_gqa=case == "groups",
    )  # fmt: skip


def inputs(*, requires_grad: bool = False) -> list[Any]:
    shapes = ((3, 4), (4, 4))
    return [torch.randn(shape, requires_grad=requires_grad) for shape in shapes]


def leaves_of(value: Any) -> list[Any]:
    return [x for x in torch.utils._pytree.tree_leaves(value) if isinstance(x, torch.Tensor)]


def check(found: Any, expected: Any) -> None:
    pairs = zip(leaves_of(found), leaves_of(expected), strict=True)
    for one, other in pairs:
        loose = 2e-2 if other.dtype in (torch.bfloat16, torch.float16) else 1e-5
        torch.testing.assert_close(one, other, rtol=loose, atol=loose)


QUICK = ("cond", "map", "no_grad", "out_dtype", "while_loop")


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in QUICK else pytest.mark.standard)
        for name in [*DIFFERENTIABLE, *OTHERS]
    ],
)
def test_compiled(name: str, sign: int) -> None:
    run = {**DIFFERENTIABLE, **OTHERS}[name]
    x, y = inputs()
    compiled: Run = torch.compile(run, backend=stablemate, fullgraph=True)
    check(compiled(abs(x) * sign, y), run(abs(x) * sign, y))


@pytest.mark.standard
@pytest.mark.parametrize("name", [*DIFFERENTIABLE])
def test_gradients(name: str) -> None:
    run = DIFFERENTIABLE[name]
    gradients: list[Any] = []
    for function in (run, torch.compile(run, backend=stablemate, fullgraph=True)):
        torch.manual_seed(1)
        arguments = inputs(requires_grad=True)
        results = [x for x in leaves_of(function(*arguments)) if x.requires_grad]
        sum(x.float().square().sum() for x in results).backward()
        gradients.append([x.grad for x in arguments if x.grad is not None])
    check(gradients[1], gradients[0])


@pytest.mark.standard
@pytest.mark.parametrize("name", [*DIFFERENTIABLE, *OTHERS])
def test_exported(name: str) -> None:
    run = {**DIFFERENTIABLE, **OTHERS}[name]
    arguments = inputs()
    found = sm.from_torch(run, *arguments).run(*[x.numpy() for x in arguments])
    expected = leaves_of(run(*arguments))
    leaves = torch.utils._pytree.tree_leaves(found)
    for one, other in zip(leaves, expected, strict=True):
        wide = np.asarray(one).astype(np.float64)
        loose = 2e-2 if other.dtype in (torch.bfloat16, torch.float16) else 1e-5
        np.testing.assert_allclose(wide, other.double().numpy(), rtol=loose, atol=loose)


FLEXIBLE = ("plain", "relative", "bias", "causal", "documents", "empty rows", "scale", "groups")


@pytest.mark.standard
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("case", FLEXIBLE)
def test_flexible_attention(case: str, dtype: Any) -> None:
    heads = 2 if case == "groups" else 4
    q = torch.randn(2, 4, 24, 8, dtype=dtype)
    k, v = torch.randn(2, 2, heads, 24, 8, dtype=dtype)
    others = torch.randn(4, 24), torch.arange(24) // 10
    compiled: Run = torch.compile(flexible, backend=stablemate, fullgraph=True)
    check(compiled(q, k, v, *others, case), flexible(q, k, v, *others, case))


@pytest.mark.standard
def test_flexible_attention_of_all_lengths() -> None:
    compiled: Run = torch.compile(flexible, backend=stablemate, fullgraph=True, dynamic=True)
    for length in (8, 12):
        q, k, v = torch.randn(3, 2, 4, length, 8)
        others = torch.randn(4, length), torch.arange(length) // 5
        check(compiled(q, k, v, *others, "bias"), flexible(q, k, v, *others, "bias"))


@pytest.mark.standard
def test_a_size_that_a_branch_needs() -> None:
    compiled: Run = torch.compile(branches_by_a_size, backend=stablemate, dynamic=True)
    for rows in (3, 4, 5, 9):
        x, y = torch.randn(rows, 4), torch.randn(4, 4)
        check(compiled(x, y), branches_by_a_size(x, y))


@pytest.mark.skipif(
    not hasattr(torch.ops.higher_order, "while_loop_stack_output"), reason="newer than this torch"
)
@pytest.mark.parametrize("limit", [0, 2, 50])
def test_gradients_of_loops_that_take_any_number_of_steps(limit: int) -> None:
    """How many steps they take depends on values; some take none, where PyTorch takes one back."""

    def run(x: Any, w: Any, bound: Any) -> Any:
        def body(step: Any, x: Any) -> Any:
            return step + 1, torch.sin(x @ w) + x

        def goes_on(step: Any, x: Any) -> Any:
            return (step < 7) & (x.sum() < bound)

        return while_loop(goes_on, body, (torch.tensor(0), x))[1]

    def plain(x: Any, w: Any, bound: Any) -> Any:
        step = 0
        while step < 7 and x.sum() < bound:
            step, x = step + 1, torch.sin(x @ w) + x
        return x

    start = [torch.full((2, 3), 0.2), torch.eye(3) * 0.5 + 0.1, torch.tensor(float(limit))]

    def outcome(function: Run) -> Any:
        x, w, bound = (value.clone().requires_grad_() for value in start)
        result = function(x, w, bound.detach())
        gradients = torch.autograd.grad(result.square().sum(), [x, w], allow_unused=True)
        return [result.detach(), *gradients]

    expected = outcome(plain if limit else torch.compile(run, backend="aot_eager"))
    torch._dynamo.reset()
    found = outcome(torch.compile(run, backend=stablemate, fullgraph=True))
    torch.testing.assert_close(found, expected)
