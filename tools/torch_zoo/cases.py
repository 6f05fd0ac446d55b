"""Cases of a model: a way of compiling it, sizes that are known or vary, inference or training."""

from __future__ import annotations

import copy
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from torch.utils import _pytree as pytree

import stablemate as sm
from tools.torch_zoo.comparison import DOUBLE_GAP, Difference, largest_difference, named_tensors
from tools.torch_zoo.rows import Inputs, Model, split

CASES: Final = (
    "compile static forward", "compile static train", "compile dynamic forward",
    "compile dynamic train", "export static", "export dynamic", "generate", "generate static cache",
)  # fmt: skip
BATCH: Final = 2
OTHER_BATCH: Final = 3
NEIGHBORS: Final = 6  # runs of operands that differ in the last place
LAST_PLACE: Final = 2.0**-23
NEW_TOKENS: Final = 6
Tensors = dict[str, torch.Tensor]
Run = Callable[[torch.nn.Module, Inputs], Tensors]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case.

    Attributes:
        library: The library.
        model: The name of the model.
        case: Which of ``CASES``.
        verdict: ``passed``, ``differs``, ``failed``, ``crashed``, ``timeout``; ``pytorch`` if its
            own tracing fails; ``random`` if results depend on the seed; ``unknown`` if no inputs
            of a guessed model are right.
        message: What went wrong.
        ratio: The largest difference, in multiples of what is allowed.
        seconds: How long the first call took, compilation included.
        graphs: How many graphs were compiled.
    """

    library: str
    model: str
    case: str
    verdict: str
    message: str = ""
    ratio: float = 0.0
    seconds: float = 0.0
    graphs: int = 0


def cases_of(model: Model) -> list[str]:
    """The cases that a model has."""
    return [
        case
        for case in CASES
        if (model.trains or "train" not in case)
        and (model.generates or not case.startswith("generate"))
    ]


class ModelCases:
    """Runs the cases of a model, with PyTorch's results computed once."""

    def __init__(self, row: Model, backend: str, verbose: bool) -> None:
        torch.manual_seed(0)
        self.row = row
        self.backend = backend
        self.verbose = verbose
        self.model = without_dropout(row.make()).eval()
        self.inputs = {}
        for batch in (BATCH, OTHER_BATCH):
            torch.manual_seed(batch)
            self.inputs[batch] = row.inputs(batch)
        self.expected: dict[tuple[str, int], Expected] = {}

    def outcome(self, case: str) -> Outcome:
        """Runs a case."""
        torch._dynamo.reset()
        torch._dynamo.utils.counters.clear()
        torch._dynamo.config.allow_rnn = True  # else LSTMs are left out of graphs
        started = time.monotonic()
        try:
            found, expected = self.results(case, self.compiled)
        except Exception as error:
            if self.verbose:
                traceback.print_exc()
            return self.failure(case, error, time.monotonic() - started)
        return self.verdict(case, found, expected)

    def verdict(self, case: str, found: Found, expected: list[Expected]) -> Outcome:
        """The outcome for results of batch sizes."""
        graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
        common = {"seconds": round(found.seconds, 2), "graphs": graphs}
        if any(e.is_random for e in expected):
            return self.of(case, "random", **common)
        if not graphs and not case.startswith("export"):
            return self.of(case, "pytorch", "TorchDynamo compiles no graph", **common)
        differences = [
            largest_difference(f, e.single, e.double)
            for f, e in zip(found.results, expected, strict=True)
        ]
        worst = max(differences, key=lambda d: d.ratio)
        if worst.ratio > 1 and "generate" not in case:
            worst = self.difference_from_neighbors(case, found, expected)
        if worst.ratio > 1 and case.startswith("compile"):
            worst = min(worst, self.difference_in_double(case), key=lambda d: d.ratio)
        common["ratio"] = round(worst.ratio, 3)
        if worst.ratio <= 1:
            return self.of(case, "passed", **common)
        if self.pytorch_differs(case):
            return self.of(case, "pytorch", f"aot_eager differs: {worst.name}", **common)
        return self.of(case, "differs", f"{worst.name}: {worst.message}", **common)

    def difference_from_neighbors(
        self, case: str, found: Found, expected: list[Expected]
    ) -> Difference:
        """The largest difference where PyTorch's error is that of several runs."""
        run = forward if case.startswith("export") else self.run_of(case)
        differences = []
        for batch, ours, theirs in zip(batches_of(case), found.results, expected, strict=True):
            others = [self.neighbor_results(run, batch, seed) for seed in range(NEIGHBORS)]
            differences.append(largest_difference(ours, theirs.single, theirs.double, others))
        return max(differences, key=lambda d: d.ratio)

    def difference_in_double(self, case: str) -> Difference:
        """The largest difference of the compiled model from PyTorch in float64."""
        torch._dynamo.reset()
        wide = copy.copy(self)
        wide.model = copy.deepcopy(self.model).double()
        wide.inputs = {batch: doubled(inputs) for batch, inputs in self.inputs.items()}
        wide.expected = {
            key: Expected(e.double, None, e.is_random)
            for key, e in self.expected.items()
            if e.double is not None
        }
        torch.set_default_dtype(torch.float64)
        try:
            found, expected = wide.results(case, wide.compiled)
        finally:
            torch.set_default_dtype(torch.float32)
        differences = [
            largest_difference(f, e.single, None, gap=DOUBLE_GAP)
            for f, e in zip(found.results, expected, strict=True)
        ]
        return max(differences, key=lambda d: d.ratio)

    def neighbor_results(self, run: Any, batch: int, seed: int) -> Tensors:
        """PyTorch's results of parameters and inputs that differ in the last place."""
        generator = torch.Generator().manual_seed(seed)
        model = copy.deepcopy(self.model)
        for parameter in model.parameters():
            parameter.data = neighbor(parameter.data, generator)
        inputs = pytree.tree_map(lambda x: neighbor(x, generator), copied(self.inputs[batch]))
        torch.manual_seed(0)
        return run(model, model, inputs, self.is_random_train)

    def of(self, case: str, verdict: str, message: str = "", **rest: Any) -> Outcome:
        """An outcome of this model."""
        return Outcome(self.row.library, self.row.name, case, verdict, message[:600], **rest)

    def failure(self, case: str, error: Exception, seconds: float) -> Outcome:
        """The outcome for an error, which may be PyTorch's own."""
        if needs_memory(error):
            return self.of(case, "crashed", "it takes more memory than a model may")
        text = f"{type(error).__name__}: {error}"
        own = self.pytorch_error(case)
        if own is not None:
            return self.of(case, "pytorch", own)
        return self.of(case, "failed", " ".join(text.split()), seconds=round(seconds, 2))

    def pytorch_error(self, case: str) -> str | None:
        """The error of PyTorch's own tracing in a case, if it has one."""
        torch._dynamo.reset()
        try:
            self.results(case, self.traced)
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            return None if needs_memory(error) else text[:400]
        return None

    def pytorch_differs(self, case: str) -> bool:
        """Whether the graphs of PyTorch's own tracing differ from the model, too."""
        torch._dynamo.reset()
        try:
            found, expected = self.results(case, self.traced)
        except Exception:
            return False
        return any(
            largest_difference(f, e.single, e.double).ratio > 1
            for f, e in zip(found.results, expected, strict=True)
        )

    # how a case runs

    def results(self, case: str, compiled: Compiler) -> tuple[Found, list[Expected]]:
        """The results of a case for each batch size, and PyTorch's."""
        if case.startswith("export"):
            return self.exported_results(case, compiled)
        step = "train" if "train" in case else "generate" if "generate" in case else "forward"
        batches = batches_of(case)
        run = self.run_of(case)
        expected = [self.expected_results(case, step, run, batch) for batch in batches]
        model = copy.deepcopy(self.model)
        function = compiled(model.forward if step == "generate" else model, case)
        results = []
        seconds = 0.0
        for batch in batches:
            model.load_state_dict(self.model.state_dict())
            started = time.monotonic()
            torch.manual_seed(0)
            results.append(run(model, function, copied(self.inputs[batch]), self.is_random_train))
            seconds = seconds or time.monotonic() - started
        return Found(results, seconds), expected

    is_random_train = False

    def run_of(self, case: str) -> Any:
        """What runs a model in a case."""
        if "train" in case:
            return training_step
        if "generate" in case:
            return static_generation if "static" in case else generation
        return forward

    def expected_results(self, case: str, step: str, run: Any, batch: int) -> Expected:
        """PyTorch's results of float32 and float64."""
        key = (case if step == "generate" else step, batch)
        if key not in self.expected:
            single, is_random = self.single_results(run, batch)
            if is_random and step == "train":
                self.is_random_train = True
                single, is_random = self.single_results(run, batch)
            double = None if is_random else self.double_results(run, batch)
            self.expected[key] = Expected(single, double, is_random)
        return self.expected[key]

    def single_results(self, run: Any, batch: int) -> tuple[Tensors, bool]:
        """PyTorch's results of float32, and whether they differ with the seed."""
        results = []
        for seed in (0, 1):
            model = copy.deepcopy(self.model)
            torch.manual_seed(seed)
            results.append(run(model, model, copied(self.inputs[batch]), self.is_random_train))
        first, second = results
        same = first.keys() == second.keys() and all(
            first[k].shape == second[k].shape
            and torch.allclose(first[k].double(), second[k].double(), 0, 0, equal_nan=True)
            for k in first
        )
        return first, not same

    def double_results(self, run: Any, batch: int) -> Tensors | None:
        """PyTorch's results of float64; None if the model has float32 inside."""
        try:
            model = copy.deepcopy(self.model).double()
            inputs = doubled(copied(self.inputs[batch]))
            torch.manual_seed(0)
            torch.set_default_dtype(torch.float64)
            return run(model, model, inputs, self.is_random_train)
        except Exception:
            return None
        finally:
            torch.set_default_dtype(torch.float32)

    def compiled(self, model: Callable[..., Any], case: str) -> Any:
        """A model compiled by stablemate."""
        return torch.compile(
            model, backend="stablemate", dynamic=True if "dynamic" in case else None,
            options={"backend": self.backend},
        )  # fmt: skip

    def traced(self, model: Callable[..., Any], case: str) -> Any:
        """A model by the graphs of PyTorch alone."""
        return torch.compile(
            model, backend="aot_eager", dynamic=True if "dynamic" in case else None
        )

    def exported_results(self, case: str, compiled: Compiler) -> tuple[Found, list[Expected]]:
        """The results of an exported program for each batch size, and PyTorch's."""
        batches = batches_of(case)
        expected = []
        for batch in batches:
            whole = self.expected_results("forward", "forward", forward, batch)
            expected.append(whole)
        arguments, keywords = split(copied(self.inputs[BATCH]))
        shapes = None
        if "dynamic" in case:
            shapes = dynamic_shapes(self.inputs[BATCH], self.inputs[OTHER_BATCH])
        started, model, results = time.monotonic(), copy.deepcopy(self.model), []
        if compiled == self.traced:
            with torch.no_grad():
                program = torch.export.export(
                    model, arguments, keywords, dynamic_shapes=shapes, strict=False
                )
            module = program.module()
            for batch in batches:
                arguments, keywords = split(copied(self.inputs[batch]))
                results.append(dict(named_tensors(module(*arguments, **keywords))))
            return Found(results, time.monotonic() - started), expected
        with torch.no_grad():
            imported = sm.from_torch(model, arguments, kwargs=keywords, dynamic_shapes=shapes)
        for batch in batches:
            arguments, keywords = split(copied(self.inputs[batch]))
            arrays, named = pytree.tree_map(as_array, (arguments, keywords))
            outcome = imported.run(*arrays, keywords=named, backend=self.backend)
            results.append(dict(named_tensors(pytree.tree_map(as_tensor, outcome))))
        return Found(results, time.monotonic() - started), expected


@dataclass(frozen=True, slots=True)
class Expected:
    """PyTorch's results.

    Attributes:
        single: Those of float32.
        double: Those of float64, if the model runs so.
        is_random: Whether they differ with the seed.
    """

    single: Tensors
    double: Tensors | None
    is_random: bool


@dataclass(frozen=True, slots=True)
class Found:
    """Our results for each batch size.

    Attributes:
        results: The results.
        seconds: How long the first call took.
    """

    results: list[Tensors]
    seconds: float


Compiler = Callable[[Callable[..., Any], str], Any]


def needs_memory(error: Exception) -> bool:
    """Whether an error says that there is no more memory, which is the fault of no compiler."""
    return isinstance(error, MemoryError) or "can't allocate memory" in str(error)


def batches_of(case: str) -> tuple[int, ...]:
    """The sizes of batches that one program runs."""
    return (BATCH, OTHER_BATCH) if "dynamic" in case else (BATCH,)


def doubled(inputs: Inputs) -> Inputs:
    """Inputs whose floats have 64 bits."""
    return pytree.tree_map(
        lambda x: x.double() if torch.is_tensor(x) and x.is_floating_point() else x, inputs
    )


def neighbor(value: Any, generator: torch.Generator) -> Any:
    """A float32 tensor, changed by at most a unit in the last place; anything else as it is."""
    if not (torch.is_tensor(value) and value.dtype == torch.float32):
        return value
    steps = torch.randint(-1, 2, value.shape, generator=generator)
    return value * (1 + steps * LAST_PLACE)


def forward(model: torch.nn.Module, function: Any, inputs: Inputs, _: bool) -> Tensors:
    """The results of a model in evaluation mode."""
    arguments, keywords = split(inputs)
    model.eval()
    with torch.no_grad():
        return dict(named_tensors(function(*arguments, **keywords)))


def training_step(
    model: torch.nn.Module, function: Any, inputs: Inputs, evaluates: bool
) -> Tensors:
    """The loss, gradients, and the parameters and buffers after a step of gradient descent."""
    arguments, keywords = split(inputs)
    model.train(not evaluates)
    model.zero_grad()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    loss = loss_of(function(*arguments, **keywords))
    loss.backward()
    optimizer.step()
    gradients = {
        f"gradient {name}": parameter.grad
        for name, parameter in model.named_parameters()
        if parameter.grad is not None
    }
    # Copied: the next batch starts from the first state again, in the same memory.
    state = {f"state {name}": value.clone() for name, value in model.state_dict().items()}
    return {"loss": loss.detach(), **gradients, **state}


def loss_of(result: Any) -> torch.Tensor:
    """A loss that depends on each element of a result: the mean of squares, and of elements."""
    leaves = list(differentiable(result))
    return torch.stack(
        [(leaf.square() + 0.1 * leaf).mean().to(leaves[0].dtype) for leaf in leaves]
    ).sum()


def differentiable(value: Any) -> Any:
    """The tensors of a result through which gradients flow."""
    if torch.is_tensor(value):
        if value.requires_grad and value.is_floating_point():
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from differentiable(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from differentiable(item)
    elif hasattr(value, "__dict__") and not hasattr(value, "layers"):
        yield from differentiable(vars(value))


def generation(model: torch.nn.Module, function: Any, inputs: Inputs, _: bool) -> Tensors:
    """The tokens that a model generates with a cache that grows."""
    return generated(model, function, inputs, {})


def static_generation(model: torch.nn.Module, function: Any, inputs: Inputs, _: bool) -> Tensors:
    """The tokens that a model generates with a cache of known size."""
    return generated(model, function, inputs, {"cache_implementation": "static"})


def generated(model: Any, function: Any, inputs: Inputs, options: Mapping[str, Any]) -> Tensors:
    """The tokens of greedy generation; ``function`` is the compiled model."""
    model.eval()
    if function is not model:
        model.forward = function
    limit = {"max_new_tokens": NEW_TOKENS, "min_new_tokens": NEW_TOKENS, "do_sample": False}
    options = {"disable_compile": True, **options}
    return {"tokens": model.generate(**inputs, **limit, **options)}


def copied(inputs: Inputs) -> Inputs:
    """Inputs, copied."""
    return copy.deepcopy(inputs)


def as_array(value: Any) -> Any:
    """A tensor as an array."""
    return value.numpy() if torch.is_tensor(value) else value


def as_tensor(value: Any) -> Any:
    """An array as a tensor."""
    return (
        torch.from_numpy(np.array(value)) if isinstance(value, np.ndarray | np.generic) else value
    )


def dynamic_shapes(one: Any, other: Any) -> Any:
    """The dimensions in which inputs of two batch sizes differ, as ``torch.export`` takes them."""
    if isinstance(one, dict) and all(name.isdigit() for name in one):
        return tuple(dynamic_shapes(one[n], other[n]) for n in sorted(one))
    return tree_shapes(one, other)


def tree_shapes(one: Any, other: Any) -> Any:
    """The same for any part of inputs."""
    if torch.is_tensor(one):
        pairs = enumerate(zip(one.shape, other.shape, strict=True))
        return {i: torch.export.Dim.DYNAMIC for i, (a, b) in pairs if a != b}
    if isinstance(one, dict):
        return {name: tree_shapes(one[name], other[name]) for name in one}
    if isinstance(one, list | tuple):
        return type(one)(tree_shapes(a, b) for a, b in zip(one, other, strict=True))
    return None


def without_dropout(model: torch.nn.Module) -> torch.nn.Module:
    """A model whose dropout, stochastic depth and like are off, wherever they are set."""
    configurations = [getattr(module, "config", None) for module in model.modules()]
    for module in model.modules():
        if "Drop" in type(module).__name__ or "StochasticDepth" in type(module).__name__:
            switch_off(module, ("p", "drop_prob"))
        switch_off(module, [name for name in vars(module) if is_dropout(name)])
        if isinstance(module, torch.nn.RNNBase):
            module.dropout = 0.0
    for configuration in configurations:
        if hasattr(configuration, "__dict__"):
            switch_off(configuration, [name for name in vars(configuration) if is_dropout(name)])
    return model


def is_dropout(name: str) -> bool:
    """Whether an attribute is a probability of dropping something."""
    return "drop" in name or name in ("mask_time_prob", "mask_feature_prob")


def switch_off(owner: Any, names: Any) -> None:
    """Sets probabilities to zero."""
    for name in names:
        if isinstance(getattr(owner, name, None), float):
            try:
                setattr(owner, name, 0.0)
            except Exception:  # a frozen configuration
                continue
