"""Compares operators and modules of PyTorch's own catalogs with PyTorch.

    python -m tools.torch_operators --route trace --dtypes float32 int64 --samples 3
    python -m tools.torch_operators --names matmul softmax --gradients
    python -m tools.torch_operators --modules --gradients
    python -m tools.torch_operators --first 0 --every 8 --log 0.jsonl  # a portion of eight

Each sample input of an operator (OpInfo), or of a module (``--modules``), is run by PyTorch and by
stablemate, and the results are compared with the operator's tolerances. Where they differ, PyTorch
computes in 64 bits, and a result passes that is as close to that as PyTorch's own, the least close
of several runs. ``--route compile`` uses ``torch.compile(fullgraph=True)`` as users do, ``dynamic``
so with sizes that vary; ``trace`` traces with fake tensors, which is several times as fast and
finds the same faults of operators; ``inductor`` is PyTorch's own compiler.
``tools.torch_operator_table`` makes a page of logs. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

import torch
from functorch.compile import aot_function
from torch.testing._internal import common_methods_invocations
from torch.testing._internal.common_modules import module_db
from torch.utils import _pytree as pytree

from stablemate.bridges.torch.backend import BackendOptions, compile_graph, stablemate
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.diagnostics.progress import with_progress
from stablemate.frontends.torch.decompositions import decompositions
from stablemate.frontends.torch.pytorch import reject_tensors


def without_seed(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Calls a random operator; seeds are set around comparisons, where TorchDynamo sees none."""
    return function(*arguments, **keywords)


common_methods_invocations.wrapper_set_seed = without_seed

DTYPES: Final = ("float32", "float64", "int64", "bool", "bfloat16", "float16", "complex64", "int32")
WIDE: Final[Mapping[torch.dtype, torch.dtype]] = {
    torch.bfloat16: torch.float64,
    torch.float16: torch.float64,
    torch.float32: torch.float64,
    torch.complex64: torch.complex128,
}
# What TorchDynamo itself refuses under fullgraph=True: sizes or branches that depend on values.
DATA_DEPENDENT: Final = (
    "DataDependentOutputException", "DynamicOutputShapeException", "data-dependent",
    "GuardOnDataDependentSymNode", "Data-dependent", "dynamic shape operator",
    "which depends on values", "Data dependent operator", "Dynamic shape operator",
)  # fmt: skip
# Operators whose indices PyTorch leaves open among equal elements, unless they are stable, and
# where the dimension stands among their arguments.
UNSTABLE: Final = {"sort": 0, "argsort": 0, "mode": 0, "topk": 1, "kthvalue": 1}
# How often PyTorch computes again what differs: some of its results differ from run to run.
RUNS: Final = 4


@dataclass(frozen=True)
class Outcome:
    """What came of a sample.

    Attributes:
        operator: The name of the OpInfo or ModuleInfo.
        dtype: The element type.
        sample: The number of the sample.
        gradient: Whether gradients were compared.
        route: How graphs were made and run, such as ``compile cpu``.
        verdict: ``passed``, ``differs``, ``failed``, ``refused``, ``data-dependent``,
            ``untraced`` if TorchDynamo does not trace it, or ``skipped`` if PyTorch itself does not
            run it.
        message: What went wrong.
        family: The group of operators that it is counted in.
        version: The version of PyTorch.
    """

    operator: str
    dtype: str
    sample: int
    gradient: bool
    route: str
    verdict: str
    message: str = ""
    family: str = ""
    version: str = str(torch.__version__)


@dataclass(frozen=True)
class Sample:
    """A computation whose results are compared.

    Attributes:
        function: Takes the tensors.
        tensors: What it is given.
        wide_function: The same with 64 bits where the function itself states an element type.
    """

    function: Callable[..., Any]
    tensors: Sequence[torch.Tensor]
    wide_function: Callable[..., Any]

    def in_64_bits(self) -> Sample:
        """The same sample with floats of 64 bits."""
        tensors = [wide(tensor) for tensor in self.tensors]
        return Sample(self.wide_function, tensors, self.wide_function)


def wide(value: Any) -> Any:
    """A tensor or element type of floats with 64 bits; anything else stays."""
    if isinstance(value, torch.dtype):
        return WIDE.get(value, value)
    if torch.is_tensor(value) and value.dtype in WIDE:
        with torch.no_grad():
            result = value.to(WIDE[value.dtype])
        return result.requires_grad_(value.requires_grad)
    return value


def operator_sample(info: Any, sample: Any) -> Sample:
    """A sample input of an OpInfo as a computation."""
    leaves, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
    places = [i for i, leaf in enumerate(leaves) if torch.is_tensor(leaf)]

    def call(values: list[Any], tensors: Sequence[Any]) -> Any:
        for place, tensor in zip(places, tensors, strict=True):
            values[place] = tensor
        first, rest, keywords = pytree.tree_unflatten(values, spec)
        result = info.op(first, *rest, **keywords)
        if info.name in UNSTABLE and not keywords.get("stable"):
            return elements_in_order(info.name, result, first, rest, keywords.get("dim"))
        if sample.output_process_fn_grad is not None:
            result = sample.output_process_fn_grad(result)
        return result

    def function(*tensors: Any) -> Any:
        return call(list(leaves), tensors)

    def wide_function(*tensors: Any) -> Any:
        return call([wide(leaf) for leaf in leaves], tensors)

    return Sample(function, [leaves[i] for i in places], wide_function)


def elements_in_order(name: str, result: Any, x: Any, rest: Sequence[Any], dim: Any) -> Any:
    """The elements at the indices that an operator gives, which may be any of equal ones."""
    place = UNSTABLE[name]
    if dim is None:
        dim = rest[place] if len(rest) > place else -1

    def element(leaf: Any) -> Any:
        if leaf is not pytree.tree_leaves(result)[-1]:
            return leaf
        is_kept = leaf.ndim == x.ndim
        return torch.gather(x, dim, leaf if is_kept else leaf.unsqueeze(dim)).reshape(leaf.shape)

    return [element(leaf) for leaf in pytree.tree_leaves(result)]


def module_sample(info: Any, sample: Any, dtype: torch.dtype, *, training: bool) -> Sample:
    """A sample input of a ModuleInfo as a computation of its parameters and its input."""
    constructor, forward = sample.constructor_input, sample.forward_input
    module = info.module_cls(*constructor.args, **constructor.kwargs).to(dtype).train(training)
    names, state = zip(*[*module.named_parameters(), *module.named_buffers()], strict=True) if list(
        module.state_dict()
    ) else ((), ())  # fmt: skip
    leaves, spec = pytree.tree_flatten((forward.args, forward.kwargs))
    places = [i for i, leaf in enumerate(leaves) if torch.is_tensor(leaf)]

    def function(*tensors: Any) -> Any:
        own = dict(zip(names, tensors, strict=False))
        values = list(leaves)
        for place, tensor in zip(places, tensors[len(names) :], strict=True):
            values[place] = tensor
        arguments, keywords = pytree.tree_unflatten(values, spec)
        return torch.func.functional_call(module, own, arguments, keywords)

    return Sample(function, [*state, *[leaves[i] for i in places]], function)


def with_gradients(
    function: Callable[..., Any], inputs: Sequence[Any], *, sorts: bool
) -> Callable[..., Any]:
    """A function that also returns the gradients of the inputs that have them.

    They are sorted if any of equal elements may have them.
    """

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
        return results, [g.flatten().sort()[0] if sorts else g for g in grads if g is not None]

    return whole


def traced(function: Callable[..., Any], backend: str) -> Callable[..., Any]:
    """The function by graphs that AOTAutograd traces, without TorchDynamo."""
    compiler = partial(compile_graph, BackendOptions(backend=backend))
    run = aot_function(
        function, fw_compiler=compiler, bw_compiler=compiler, decompositions=dict(decompositions())
    )

    def checked(*tensors: Any) -> Any:
        reject_tensors([(f"input {i}", tensor) for i, tensor in enumerate(tensors)])
        return run(*tensors)

    return checked


def compiled(
    function: Callable[..., Any], backend: str, *, dynamic: bool = False
) -> Callable[..., Any]:
    """The function by ``torch.compile``."""
    torch._dynamo.reset()
    return torch.compile(
        function, backend=stablemate, fullgraph=True, dynamic=dynamic, options={"backend": backend}
    )


def compiled_by_inductor(function: Callable[..., Any], backend: str) -> Callable[..., Any]:
    """The function by PyTorch's own compiler."""
    torch._dynamo.reset()
    return torch.compile(function, fullgraph=True, dynamic=False)


ROUTES: Final = {
    "trace": traced, "compile": compiled, "dynamic": partial(compiled, dynamic=True),
    "inductor": compiled_by_inductor,
}  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """An entry of a catalog.

    Attributes:
        info: The OpInfo or ModuleInfo.
        name: Its name, with that of its variant.
        family: The group that it is counted in.
    """

    info: Any
    name: str
    family: str

    def has(self, dtype: torch.dtype, *, gradient: bool) -> bool:
        """Whether it computes in an element type."""
        if self.family == MODULES:
            return dtype in self.info.dtypes and not (gradient and not self.info.supports_gradgrad)
        if gradient:
            return self.info.supports_autograd and dtype in self.info.supported_backward_dtypes(
                "cpu"
            )
        return dtype in self.info.supported_dtypes("cpu")

    def samples(self, dtype: torch.dtype, *, gradient: bool) -> list[Sample]:
        """Its sample inputs; none if the catalog itself cannot make them."""
        if self.family != MODULES:
            samples = self.info.sample_inputs("cpu", dtype, requires_grad=gradient)
            return [operator_sample(self.info, sample) for sample in samples]
        modes = (True, False) if self.info.train_and_eval_differ else (True,)
        return [
            module_sample(self.info, sample, dtype, training=training)
            for training in modes
            for sample in self.info.module_inputs_func(
                self.info, device="cpu", dtype=dtype, requires_grad=gradient, training=training
            )
        ]


MODULES: Final = "modules"
PREFIXES: Final = ("linalg", "fft", "special", "nn", "signal", "sparse", "masked")
CLASSES: Final = {
    "UnaryUfuncInfo": "unary elementwise functions",
    "BinaryUfuncInfo": "binary elementwise functions",
    "ReductionOpInfo": "reductions",
    "ShapeFuncInfo": "shapes",
}


def entry_of_operator(info: Any) -> Entry:
    """An OpInfo; its family is the module of PyTorch that has it, or its kind."""
    prefix = info.name.split(".")[0] if "." in info.name else ""
    family = CLASSES.get(type(info).__name__, "other operators")
    if prefix in PREFIXES:
        family = "torch.nn.functional" if prefix == "nn" else f"torch.{prefix}"
    return Entry(info, full_name(info), family)


def entry_of_module(info: Any) -> Entry:
    """A ModuleInfo."""
    return Entry(info, info.name, MODULES)


def check(
    entry: Entry, dtype: str, number: int, sample: Sample, gradient: bool, route: str, backend: str
) -> Outcome:
    """Compares one sample."""

    def results_of(run: Callable[..., Any], inputs: Sequence[Any]) -> list[Any]:
        torch.manual_seed(0)
        sorts = entry.info.name in UNSTABLE
        whole = with_gradients(run, inputs, sorts=sorts) if gradient else run
        return pytree.tree_leaves(whole(*[tensor.clone() for tensor in inputs]))

    def outcome(verdict: str, message: str = "") -> Outcome:
        label = route if route == "inductor" else f"{route} {backend}"
        line = " ".join(message.split())[:400]
        return Outcome(entry.name, dtype, number, gradient, label, verdict, line, entry.family)

    try:
        expected = results_of(sample.function, sample.tensors)
    except Exception as error:
        return outcome("skipped", f"PyTorch: {error}")
    try:
        found = results_of(ROUTES[route](sample.function, backend), sample.tensors)
    except Exception as error:
        if VERBOSE:
            traceback.print_exc()
        return outcome(*verdict_of(error))
    try:
        compare(entry.info, dtype, expected, found)
    except AssertionError as error:
        exact = sample.in_64_bits()
        reference = partial(results_of, exact.function, exact.tensors)
        again = (results_of(sample.function, sample.tensors) for _ in range(RUNS))
        runs = itertools.chain([expected], again)
        if not any(is_as_exact(entry.info, dtype, reference, run, found) for run in runs):
            return outcome("differs", str(error))
    return outcome("passed")


def verdict_of(error: Exception) -> tuple[str, str]:
    """What an error while compiling or running means, and its text."""
    text = f"{type(error).__name__}: {error}"
    if any(word in text for word in DATA_DEPENDENT):
        return "data-dependent", text
    if isinstance(error, torch._dynamo.exc.Unsupported):
        return "untraced", text
    refusal: BaseException | None = error
    while refusal is not None and not isinstance(refusal, UnsupportedError):
        refusal = getattr(refusal, "inner_exception", None) or refusal.__cause__
    if refusal is not None and "no translation" not in str(refusal):
        return "refused", str(refusal)
    return "failed", text


def is_as_exact(
    info: Any, dtype: str, reference: Callable[[], list[Any]], expected: Sequence[Any],
    found: Sequence[Any],
) -> bool:  # fmt: skip
    """Whether results are as close to those in 64 bits as PyTorch's are, or within tolerances."""
    try:
        exact = reference()
        compare(info, dtype, [rounded(*pair) for pair in zip(exact, found, strict=False)], found)
    except AssertionError:
        return len(found) == len(expected) and all(map(is_closer, found, expected, exact))
    except Exception:  # an operator that does not compute in 64 bits
        return False
    return True


def rounded(exact: Any, found: Any) -> Any:
    """An exact result in the element type of another one."""
    is_wide = torch.is_tensor(found) and found.dtype in WIDE
    return exact.detach().to(found.dtype) if is_wide else exact


def is_closer(found: Any, expected: Any, exact: Any) -> bool:
    """Whether a float result is as close to the exact one as PyTorch's; others are equal."""
    if not torch.is_tensor(found):
        return bool(found == expected)
    if found.dtype not in WIDE or found.dtype != expected.dtype:
        return bool(torch.equal(found, expected))
    overflows = torch.isfinite(found) != torch.isfinite(expected)
    if bool((overflows & (torch.isfinite(found) != torch.isfinite(exact.to(found.dtype)))).any()):
        return False
    ours, theirs = distance(found, exact), distance(expected, exact)
    is_wide = found.dtype in (torch.float32, torch.complex64)
    rounding = torch.finfo(found.dtype).eps * largest(exact) if is_wide else 0.0
    return ours <= max(2 * theirs, 4 * rounding)


def distance(result: torch.Tensor, exact: torch.Tensor) -> float:
    """The largest difference of finite elements from exact ones."""
    return largest(wide(result.detach()) - exact.detach())


def largest(x: torch.Tensor) -> float:
    """The largest absolute value of finite elements."""
    return torch.nan_to_num(x.abs(), 0.0, 0.0, 0.0).max().item() if x.numel() else 0.0


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


def entries(*, modules: bool, names: Sequence[str] | None) -> list[Entry]:
    """The entries of a catalog, or those with some names."""
    every = (
        [entry_of_module(info) for info in module_db]
        if modules
        else [entry_of_operator(info) for info in common_methods_invocations.op_db]
    )
    return [e for e in every if not names or e.name in names or e.info.name in names]


def outcomes(arguments: argparse.Namespace) -> Iterator[Outcome]:
    """Runs all that was asked for, without what a log that is resumed has."""
    known = logged(arguments.log) if arguments.resume else set[tuple[str, str, bool]]()
    chosen = entries(modules=arguments.modules, names=arguments.names)
    for entry in with_progress(chosen[arguments.first :: arguments.every], "operator"):
        deadline = time.monotonic() + arguments.seconds
        for dtype in arguments.dtypes:
            for gradient in kinds_of(entry, getattr(torch, dtype), arguments.gradients):
                if (entry.name, dtype, gradient) in known:
                    continue
                yield from outcomes_of(entry, dtype, arguments, deadline, gradient=gradient)


def kinds_of(entry: Entry, dtype: torch.dtype, gradients: str | None) -> tuple[bool, ...]:
    """Whether samples are compared without gradients, with them, or both ways."""
    if gradients == "instead":
        return (entry.has(dtype, gradient=True),)
    return (False, True) if gradients else (False,)


def outcomes_of(
    entry: Entry, dtype: str, arguments: argparse.Namespace, deadline: float, *, gradient: bool
) -> Iterator[Outcome]:
    """Compares samples of an entry in an element type, until its time is over."""
    element = getattr(torch, dtype)
    if not entry.has(element, gradient=gradient):
        return
    torch.manual_seed(arguments.seed or 0)
    try:
        samples = entry.samples(element, gradient=gradient)
    except Exception:  # the catalog has entries whose samples need what is not there
        return
    for position, number in enumerate(chosen_numbers(len(samples), arguments)):
        if position and time.monotonic() > deadline:
            return
        yield check(
            entry, dtype, number, samples[number], gradient, arguments.route, arguments.backend
        )


def chosen_numbers(count: int, arguments: argparse.Namespace) -> list[int]:
    """The numbers of the samples that are compared: spread evenly, or drawn with a seed."""
    wanted = min(arguments.samples or count, count)
    if arguments.seed is not None:
        return sorted(random.Random(arguments.seed).sample(range(count), wanted))
    step = max(1, count // wanted) if wanted else 1
    return list(range(count))[::step][:wanted]


def logged(path: str) -> set[tuple[str, str, bool]]:
    """The operators, element types and kinds of results of a log."""
    if not os.path.exists(path):
        return set()
    with open(path) as log:
        lines = [json.loads(line) for line in log]
    return {(line["operator"], line["dtype"], line["gradient"]) for line in lines}


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
    parser.add_argument("--modules", action="store_true", help="of torch.nn, not operators")
    parser.add_argument("--dtypes", nargs="*", default=["float32"], choices=DTYPES)
    parser.add_argument("--samples", type=int, default=4, help="of each operator; 0: all")
    parser.add_argument(
        "--gradients", nargs="?", const="also", choices=("also", "instead"),
        help="compares results and gradients too, or where there are gradients only so",
    )  # fmt: skip
    parser.add_argument("--route", choices=ROUTES, default="trace")
    parser.add_argument("--backend", choices=("cpu", "interpreter"), default="interpreter")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="for an operator")
    parser.add_argument("--log", help="a file of JSON lines, one an outcome")
    parser.add_argument("--resume", action="store_true", help="goes on with the log")
    parser.add_argument("--seed", type=int, help="draws samples; otherwise they are spread")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    VERBOSE = arguments.verbose
    warnings.simplefilter("ignore")
    counts: Counter[str] = Counter()
    faulty: dict[str, Outcome] = {}
    with (
        open(arguments.log or os.devnull, "a" if arguments.resume else "w") as log,
        progress("comparing"),
    ):
        for outcome in outcomes(arguments):
            counts[outcome.verdict] += 1
            print(json.dumps(asdict(outcome)), file=log, flush=True)
            if outcome.verdict in ("differs", "failed", "refused"):
                report(outcome, faulty)
    print(dict(counts), f"{len(faulty)} operators with faults")
    return int(bool(faulty))


if __name__ == "__main__":
    sys.exit(main())
