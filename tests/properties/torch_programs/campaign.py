"""Generated programs of PyTorch, compiled, beside what PyTorch computes.

::

    python -m tests.properties.torch_programs.campaign --programs 500 --seed 1
    python -m tests.properties.torch_programs.campaign --seed 1 --first 123 --programs 1

A program is a function of a few lines of Python: operators, views and writes into tensors and parts
of them. It runs with known sizes or with sizes that vary, with or without gradients, by turns.
Values, element types, shapes, strides, what arguments hold afterwards and gradients are those of
the eager program, unless PyTorch's ``aot_eager`` differs, too; strides may also be those that
PyTorch's fake tensors have.
Where values differ, PyTorch runs again with operators that round otherwise: a result passes that is
hardly further from PyTorch's than PyTorch's own become by that.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from stablemate.bridges.torch.backend import stablemate
from tests.properties.generation.choices import Choices, Seeded
from tests.properties.torch_campaign import run_campaign
from tests.properties.torch_programs.lines import TYPES, line

MOST_LINES: Final = 7
ATTEMPTS: Final = 25  # at a line, for each that a program is to have
PERTURBED_RUNS: Final = 6
SIZES: Final = (3, 4, 2, 5, 1, 8)
LARGEST: Final = 20_000  # elements of a tensor
MODERATE: Final = 1e6
UNITS: Final = 64  # in the last place of the largest element
FAULTS: Final = ("differs", "failed")
Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A program and arguments for it.

    Attributes:
        source: The function, in Python.
        arguments: Those of each run; only sizes of the first dimension differ.
        gradients: Whether gradients are compared.
    """

    source: str
    arguments: list[list[Any]]
    gradients: bool

    def function(self) -> Function:
        """The function of the source."""
        scope: dict[str, Any] = {"torch": torch, "F": torch.nn.functional}
        exec(compile(self.source, "<program>", "exec"), scope)  # the campaign's own text
        function: Function = scope["program"]
        return function


def tensor(choices: Choices, shape: Sequence[int], name: str, *, gradients: bool) -> Any:
    """A tensor of normally distributed numbers, or of small integers."""
    generator = torch.Generator().manual_seed(choices.below(1 << 30))
    dtype = getattr(torch, name)
    numbers = torch.randn(shape, generator=generator, dtype=torch.float64) * 2
    if dtype == torch.bool:
        return numbers > 0
    if dtype.is_floating_point or dtype.is_complex:
        return numbers.to(dtype).requires_grad_(gradients)
    return (numbers.abs() if name == "uint8" else numbers).round().to(dtype)


def case_of(seed: int | str, number: int) -> Case | None:
    """A generated program by its number; None if PyTorch runs none of its lines."""
    choices = Seeded(f"{seed}:{number}")
    gradients, varies = number % 2 == 1, number % 4 >= 2
    shapes = [[choices.of(SIZES) for _ in range(choices.integer(1, 3))]]
    shapes.append(choices.weighted([(shapes[0], 3), (shapes[0][-1:], 1), ([4, 4], 1)]))
    weights = [(name, 12 if name == "float32" else 1) for name in TYPES]
    names = [choices.weighted(weights) for _ in shapes]

    def arguments(size: int) -> list[Any]:
        sizes = [[size, *s[1:]] if s is shapes[0] or len(s) > 1 else s for s in shapes]
        if not varies:
            sizes = shapes
        return [tensor(choices, *z, gradients=gradients) for z in zip(sizes, names, strict=True)]

    first = arguments(choices.of(SIZES))
    source = drafted(choices, first)
    case = Case(source, [first, *([arguments(7)] if varies else [])], gradients)
    kept = [run for run in case.arguments if runs(case, run)]
    return Case(source, kept, gradients) if kept and source.count("\n") > 1 else None


def drafted(choices: Choices, arguments: Sequence[Any]) -> str:
    """The text of a function of lines that PyTorch runs."""
    names = [f"x{i}" for i in range(len(arguments))]
    lines: list[str] = []
    for attempt in range(ATTEMPTS * choices.integer(1, MOST_LINES)):
        if len(lines) == MOST_LINES or (lines and attempt % ATTEMPTS == 0 and choices.chance(30)):
            break
        values = values_of(names, arguments, lines)
        if values is None:
            raise AssertionError("lines that ran run again")
        drawn = line(choices, values, f"v{len(lines)}")
        if values_of(names, arguments, [*lines, drawn]) is not None:
            lines.append(drawn)
    results = list(values_of(names, arguments, lines) or ())[len(names) :] or names[:1]
    body = "\n    ".join([*lines, f"return {', '.join(results)},"])
    return f"def program({', '.join(names)}):\n    {body}\n"


def values_of(
    names: Sequence[str], arguments: Sequence[Any], lines: Sequence[str]
) -> dict[str, Any] | None:
    """What the variables are after some lines; None if PyTorch refuses one, or they are large."""
    values = dict(zip(names, map(copied, arguments), strict=True))
    scope: dict[str, Any] = {"torch": torch, "F": torch.nn.functional, **values}
    try:
        for text in lines:
            exec(text, scope)
            variable = text.split(" = ")[0]
            if variable.isidentifier():
                values[variable] = scope[variable]
    except Exception:
        return None
    found = [scope[name] for name in values]
    if not all(torch.is_tensor(v) and v.numel() < LARGEST and is_moderate(v) for v in found):
        return None
    return values


def copied(argument: Any) -> Any:
    """A copy that has gradients of its own."""
    return argument.detach().clone().requires_grad_(argument.requires_grad)


def results_of(case: Case, function: Function, arguments: Sequence[Any]) -> list[Any]:
    """Results, arguments afterwards, and gradients."""
    mine = [copied(argument) for argument in arguments]
    results = list(function(*mine))
    targets = [result for result in results if result.requires_grad]
    if case.gradients and targets:
        torch.autograd.backward(targets, [torch.ones_like(result) for result in targets])
    gradients = [argument.grad for argument in mine if argument.requires_grad]
    return [*results, *mine, *(torch.zeros(0) if g is None else g for g in gradients)]


def runs(case: Case, arguments: Sequence[Any]) -> bool:
    """Whether PyTorch runs a program, and all numbers are moderate."""
    try:
        return all(map(is_moderate, results_of(case, case.function(), arguments)))
    except Exception:
        return False


def is_moderate(tensor: Any) -> bool:
    """Whether all numbers are finite, and none is large."""
    wide = tensor.detach().to(torch.complex128 if tensor.is_complex() else torch.float64)
    return bool((wide.abs() < MODERATE).all())


def difference(case: Case) -> str:
    """How results differ, in words; empty if they do not."""
    text = difference_of(case, compiled(stablemate, case))
    if text and difference_of(case, compiled("aot_eager", case)):
        return f"PyTorch: {text}"
    return text


def compiled(backend: Any, case: Case) -> Function:
    """The function of a program by ``torch.compile``."""
    torch._dynamo.reset()
    return torch.compile(case.function(), backend=backend, dynamic=len(case.arguments) > 1)


def difference_of(case: Case, function: Function) -> str:
    """How results of a function differ from those of the eager program."""
    for arguments in case.arguments:
        expected = results_of(case, case.function(), arguments)
        try:
            found = results_of(case, function, arguments)
        except Exception as error:
            where = traceback.format_tb(error.__traceback__)[-1]
            return f"failed: {type(error).__name__}: {error}\n{where}"
        unit = max(map(unit_of, expected))
        pairs = list(zip(found, expected, strict=True))
        if layouts(found) not in (layouts(expected), traced_layouts(case, arguments)):
            return f"differs: {layouts(found)}, not {layouts(expected)}"
        texts = [tensor_difference(*pair, UNITS * unit) for pair in pairs]
        if any(texts):
            slack = sensitivities(case, arguments, expected)
            texts = [
                tensor_difference(*pair, UNITS * unit + 8 * most)
                for pair, most in zip(pairs, slack, strict=True)
            ]
        if any(texts):
            listed = ", ".join(f"{i}: {text}" for i, text in enumerate(texts) if text)
            return f"differs: {[list(a.shape) for a in arguments]}: {listed}"
    return ""


def sensitivities(case: Case, arguments: Sequence[Any], expected: Sequence[Any]) -> list[float]:
    """How much results change if every operator rounds otherwise."""
    largest = [0.0] * len(expected)
    for run in range(PERTURBED_RUNS):
        torch.manual_seed(run)
        with OtherRounding():
            found = results_of(case, case.function(), arguments)
        pairs = zip(largest, found, expected, strict=True)
        largest = [max(most, distance(*pair)) for most, *pair in pairs]
    return largest


class OtherRounding(TorchDispatchMode):
    """Changes what operators compute by units in the last place, unless it is a whole number."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if any(returned.alias_info for returned in func._schema.returns):
            return result
        return pytree.tree_map_only(torch.Tensor, perturbed, result)


def perturbed(x: Any) -> Any:
    """A float tensor changed by units in the last place; another one as it is."""
    if unit_of(x) == 0.0:
        return x
    changed = (x * (1 + unit_of(x) * torch.randint(-2, 3, x.shape))).to(x.dtype)
    real = torch.view_as_real(x).sum(-1) if x.is_complex() else x
    return torch.where(real == real.round(), x, changed)


def distance(found: Any, expected: Any) -> float:
    """The largest difference of elements."""
    if found.shape != expected.shape or not found.numel():
        return 0.0
    kind = torch.complex128 if expected.is_complex() else torch.float64
    return float((found.detach().to(kind) - expected.detach().to(kind)).abs().max())


def unit_of(tensor: Any) -> float:
    """A unit in the last place of 1, or 0 for integers."""
    is_exact = not (tensor.is_floating_point() or tensor.is_complex())
    return 0.0 if is_exact else torch.finfo(tensor.dtype).eps


def tensor_difference(found: Any, expected: Any, tolerance: float) -> str:
    """How a tensor differs from the expected one; empty if it does not."""
    gap = distance(found, expected)
    scale = max(distance(expected, torch.zeros_like(expected)), 1.0)
    if gap <= tolerance * scale:
        return ""
    return f"{gap:.1e} of {scale:.1e}, {expected.dtype} {list(expected.shape)}"


Layout = tuple[str, tuple[int, ...], tuple[int, ...], bool]


def layouts(tensors: Sequence[Any]) -> list[Layout]:
    """Element types, shapes, strides, and whether there are gradients."""
    return [(str(t.dtype), tuple(t.shape), strides(t), t.requires_grad) for t in tensors]


def traced_layouts(case: Case, arguments: Sequence[Any]) -> list[Layout]:
    """The same as PyTorch knows it when it compiles: a few of its kernels lay results otherwise."""
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        function, fake = case.function(), [mode.from_tensor(copied(a)) for a in arguments]
        try:
            return layouts(results_of(case, function, fake))
        except DataDependentOutputException:  # it branches on values
            return []


def strides(tensor: Any) -> tuple[int, ...]:
    """The strides of the dimensions that have more than one element."""
    pairs = zip(tensor.shape, tensor.stride(), strict=True)
    return tuple(stride for size, stride in pairs if size > 1) if tensor.numel() else ()


def comparison(seed: int, number: int) -> tuple[str, str]:
    """What came of a generated program, and the program if it is not the same."""
    case = case_of(seed, number)
    if case is None:
        return "empty", ""
    text = difference(case)
    shapes = [f"{a.dtype} {list(a.shape)}" for a in case.arguments[0]]
    return text, f"  {', '.join(shapes)}\n{case.source}" if text else ""


def main() -> int:
    """Compares generated programs; returns 1 if some differ."""
    return run_campaign("tests.properties.torch_programs.campaign", comparison, FAULTS)


if __name__ == "__main__":
    sys.exit(main())
