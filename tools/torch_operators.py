"""Compares operators of PyTorch's own catalogue, OpInfo, with PyTorch.

    python -m tools.torch_operators --route trace --dtypes float32 int64 --samples 3
    python -m tools.torch_operators --names matmul softmax --gradients
    python -m tools.torch_operators --table docs/torch-operators.md

Each sample input of an operator is run by PyTorch and by stablemate, and the results are compared
with the operator's tolerances. ``--route compile`` uses ``torch.compile(fullgraph=True)`` as users
do; ``trace`` traces with fake tensors, which is several times as fast and finds the same faults of
operators. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

import torch
from functorch.compile import aot_function
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

from stablemate.bridges.torch.backend import BackendOptions, compile_graph, stablemate
from stablemate.frontends.torch.decompositions import decompositions

DTYPES: Final = ("float32", "float64", "int64", "bool", "bfloat16", "float16", "complex64", "int32")
# What TorchDynamo itself refuses under fullgraph=True: sizes or branches that depend on values.
DATA_DEPENDENT: Final = (
    "DataDependentOutputException", "DynamicOutputShapeException", "data-dependent",
    "GuardOnDataDependentSymNode", "Data-dependent", "dynamic shape operator",
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """What came of a sample.

    Attributes:
        operator: The name of the OpInfo.
        dtype: The element type.
        sample: The number of the sample.
        gradient: Whether gradients were compared.
        verdict: ``passed``, ``differs``, ``failed`` or ``data-dependent``.
        message: The first line of what went wrong.
    """

    operator: str
    dtype: str
    sample: int
    gradient: bool
    verdict: str
    message: str = ""


def function_of(info: Any, sample: Any) -> tuple[Callable[..., Any], list[Any]]:
    """A sample as a function of its tensors, and the tensors."""
    leaves, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    places = [i for i, leaf in enumerate(leaves) if torch.is_tensor(leaf)]

    def function(*tensors: Any) -> Any:
        values = list(leaves)
        for place, tensor in zip(places, tensors, strict=True):
            values[place] = tensor
        first, rest, keywords = pytree.tree_unflatten(values, spec)
        result = info.op(first, *rest, **keywords)
        if sample.output_process_fn_grad is not None:
            result = sample.output_process_fn_grad(result)
        return result

    return function, [leaves[i] for i in places]


def with_gradients(function: Callable[..., Any], inputs: Sequence[Any]) -> Callable[..., Any]:
    """A function that also returns the gradients of the inputs that have them."""

    def whole(*tensors: Any) -> Any:
        leaves = [
            tensor.detach().clone().requires_grad_(example.requires_grad)
            for tensor, example in zip(tensors, inputs, strict=True)
        ]
        results = [r for r in pytree.tree_leaves(function(*leaves)) if torch.is_tensor(r)]
        differentiable = [r for r in results if r.requires_grad]
        sources = [leaf for leaf in leaves if leaf.requires_grad]
        if not differentiable or not sources:
            return results
        seeds = [torch.ones_like(r) * (0.5 if r.is_floating_point() else 1) for r in differentiable]
        grads = torch.autograd.grad(differentiable, sources, seeds, allow_unused=True)
        return results, [g for g in grads if g is not None]

    return whole


def traced(function: Callable[..., Any], backend: str) -> Callable[..., Any]:
    """The function by graphs that AOTAutograd traces, without TorchDynamo."""
    compiler = partial(compile_graph, BackendOptions(backend=backend))
    return aot_function(
        function, fw_compiler=compiler, bw_compiler=compiler, decompositions=dict(decompositions())
    )


def compiled(function: Callable[..., Any], backend: str) -> Callable[..., Any]:
    """The function by ``torch.compile``."""
    torch._dynamo.reset()
    return torch.compile(
        function, backend=stablemate, fullgraph=True, dynamic=False, options={"backend": backend}
    )


ROUTES: Final = {"trace": traced, "compile": compiled}


def check(
    info: Any, dtype: str, number: int, sample: Any, gradient: bool, route: str, backend: str
) -> Outcome:
    """Compares one sample."""
    function, inputs = function_of(info, sample)

    def results_of(run: Callable[..., Any]) -> list[Any]:
        torch.manual_seed(0)
        whole = with_gradients(run, inputs) if gradient else run
        return pytree.tree_leaves(whole(*[tensor.clone() for tensor in inputs]))

    def outcome(verdict: str, message: str = "") -> Outcome:
        return Outcome(full_name(info), dtype, number, gradient, verdict, message)

    try:
        expected = results_of(function)
    except Exception as error:
        return outcome("skipped", f"PyTorch: {error}"[:200])
    try:
        found = results_of(ROUTES[route](function, backend))
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        if any(word in text for word in DATA_DEPENDENT):
            return outcome("data-dependent", text[:200])
        if VERBOSE:
            traceback.print_exc()
        return outcome("failed", text[:400])
    try:
        compare(info, dtype, expected, found)
    except AssertionError as error:
        return outcome("differs", " ".join(str(error).split())[:400])
    return outcome("passed")


VERBOSE = False


def compare(info: Any, dtype: str, expected: Sequence[Any], found: Sequence[Any]) -> None:
    """Compares results with the tolerances of an operator.

    Raises:
        AssertionError: They differ.
    """
    assert len(expected) == len(found), f"{len(found)} results, PyTorch has {len(expected)}"
    tolerance = tolerance_of(info, dtype)
    for one, other in zip(expected, found, strict=True):
        if not torch.is_tensor(one):
            assert one == other, f"{other}, PyTorch has {one}"
            continue
        if "empty" in info.name or info.name in RANDOM:
            assert (one.shape, one.dtype) == (other.shape, other.dtype)
            continue
        torch.testing.assert_close(
            other.resolve_conj().resolve_neg(), one.detach().resolve_conj().resolve_neg(),
            equal_nan=True, check_stride=False, check_device=False, **tolerance,
        )  # fmt: skip


RANDOM: Final = frozenset(
    {
        "bernoulli", "cauchy", "exponential", "geometric", "log_normal", "multinomial", "normal",
        "rand_like", "randint", "randint_like", "randn", "randn_like", "uniform",
        "nn.functional.alpha_dropout", "nn.functional.dropout", "nn.functional.dropout2d",
        "nn.functional.dropout3d", "nn.functional.feature_alpha_dropout",
        "nn.functional.fractional_max_pool2d", "nn.functional.fractional_max_pool3d",
        "nn.functional.multi_head_attention_forward", "nn.functional.rrelu",
        "nn.functional.scaled_dot_product_attention", "svd_lowrank", "pca_lowrank",
    }
)  # fmt: skip


def tolerance_of(info: Any, dtype: str) -> dict[str, float]:
    """The tolerances that an operator's tests use, at least those of its element type."""
    rtol, atol = {
        "float32": (1.3e-6 * 40, 1e-5 * 4), "float64": (1e-7, 1e-7), "float16": (1e-2, 1e-2),
        "bfloat16": (3e-2, 3e-2), "complex64": (1e-4, 1e-4),
    }.get(dtype, (0.0, 0.0))  # fmt: skip
    for decorator in info.decorators:
        overrides = getattr(decorator, "decorators", [decorator])
        for override in overrides if isinstance(overrides, (list, tuple)) else [overrides]:
            table = getattr(override, "d", None)
            entry = table.get(getattr(torch, dtype)) if isinstance(table, dict) else None
            if hasattr(entry, "rtol"):
                rtol, atol = max(rtol, entry.rtol), max(atol, entry.atol)
            elif isinstance(entry, float):  # precisionOverride
                atol = max(atol, entry)
    if dtype in ("int64", "int32", "bool"):  # some operators give floats for integers
        rtol, atol = max(rtol, 5e-5), max(atol, 4e-5)
    return {"rtol": rtol, "atol": atol}


def full_name(info: Any) -> str:
    """The name of an OpInfo, with that of its variant."""
    return info.name + (f".{info.variant_test_name}" if info.variant_test_name else "")


def outcomes(arguments: argparse.Namespace) -> Iterator[Outcome]:
    """Runs all that was asked for."""
    infos = [info for info in op_db if not arguments.names or matches(info, arguments.names)]
    for info in infos[arguments.first :: arguments.every]:
        started = time.monotonic()
        for dtype in arguments.dtypes:
            torch_dtype = getattr(torch, dtype)
            if torch_dtype not in info.supported_dtypes("cpu"):
                continue
            gradient = arguments.gradients and torch_dtype in info.supported_backward_dtypes("cpu")
            for is_gradient in (False, True) if gradient and info.supports_autograd else (False,):
                try:
                    samples = list(
                        info.sample_inputs("cpu", torch_dtype, requires_grad=is_gradient)
                    )
                except Exception:
                    continue
                step = max(1, len(samples) // arguments.samples) if arguments.samples else 1
                chosen = list(enumerate(samples))[::step][: arguments.samples or None]
                for number, sample in chosen:
                    yield check(
                        info, dtype, number, sample, is_gradient, arguments.route,
                        arguments.backend,
                    )  # fmt: skip
                    if time.monotonic() - started > arguments.seconds:
                        break


def matches(info: Any, names: Sequence[str]) -> bool:
    """Whether an OpInfo is asked for by name."""
    return info.name in names or full_name(info) in names


def report(outcome: Outcome, faulty: dict[str, Outcome]) -> None:
    """Prints the first fault of each operator."""
    if outcome.operator in faulty:
        return
    faulty[outcome.operator] = outcome
    kind = "gradient " if outcome.gradient else ""
    print(
        f"{outcome.operator} {outcome.dtype} #{outcome.sample} {kind}{outcome.verdict}: "
        f"{outcome.message}", flush=True,
    )  # fmt: skip


def main() -> int:
    """Runs the comparison."""
    global VERBOSE
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", nargs="*")
    parser.add_argument("--dtypes", nargs="*", default=["float32"], choices=DTYPES)
    parser.add_argument("--samples", type=int, default=4, help="of each operator; 0: all")
    parser.add_argument("--gradients", action="store_true")
    parser.add_argument("--route", choices=ROUTES, default="trace")
    parser.add_argument("--backend", choices=("cpu", "interpreter"), default="interpreter")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="for an operator")
    parser.add_argument("--log", help="a file of JSON lines, one an outcome")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    VERBOSE = arguments.verbose
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    faulty: dict[str, Outcome] = {}
    with open(arguments.log or os.devnull, "w") as log:
        for outcome in outcomes(arguments):
            counts[outcome.verdict] += 1
            print(json.dumps(asdict(outcome)), file=log, flush=True)
            if outcome.verdict in ("differs", "failed"):
                report(outcome, faulty)
    print(dict(counts), f"{len(faulty)} operators with faults")
    return int(bool(faulty))


if __name__ == "__main__":
    sys.exit(main())
