"""Generated programs of PyTorch that return views, compiled, beside PyTorch's ``aot_eager``.

::

    python -m tests.properties.torch_views.campaign --programs 500 --seed 1
    python -m tests.properties.torch_views.campaign --seed 1 --first 123 --programs 1

A program returns views of a tensor that it computes, or of its argument, and perhaps this tensor
itself. It runs with known sizes or with sizes that vary, in training, without gradients or in
inference mode. Compared are which results share memory, with each other and with the argument, and
are one tensor; where they lie in it; which are views to PyTorch; and, after a write into one of the
results, all values and gradients, or the error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

import torch

from stablemate.bridges.torch.backend import stablemate
from tests.properties.generation.choices import Seeded
from tests.properties.torch_campaign import run_campaign

COLUMNS: Final = 4
SIZES: Final = (4, 6)
BASES: Final = (
    "x * 2", "x", "x.view(-1).view(x.shape)", "x @ torch.ones(4, 4)",
    "(x * 2).t().contiguous().t()", "(x * 2).view(-1).view(x.shape)",
    "torch.cat([x, x], 1)[:, 2:6]", "torch.cat([x, x])[2 : 2 + x.shape[0]]",
)  # fmt: skip
VIEWS: Final = (
    "*y.chunk(2)", "*y.chunk(2, 1)", "*y.split(2)", "*y.split([1, 3], 1)", "*y.unbind(0)[:2]",
    "*y.unbind(1)", "*y.tensor_split(3, 1)", "*(z for c in y.chunk(2) for z in c.chunk(2, 1))",
    "y[1:]", "y[:, 1:3]", "y[::2]", "y[0]", "y[-1]", "y.t()", "y.t()[1:]", "y.reshape(2, -1)",
    "y.unsqueeze(1)", "y.unsqueeze(0).expand(2, -1, -1)", "y.diagonal()", "y.unfold(1, 2, 1)",
    "y.unflatten(1, (2, 2))", "y.narrow(1, 1, 2)", "y.view_as(y)", "y.detach()", "y.contiguous()",
    "y.view(torch.int32)", "torch.view_as_complex(y.unflatten(1, (2, 2)))", "y",
    "torch.ops.aten.alias(y)",
)  # fmt: skip
MODES: Final = ("training", "training", "no gradients", "inference", "constant argument")
FAULTS: Final = ("differs", "failed")
Function = Callable[[Any], Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Case:
    """A program and how it runs.

    Attributes:
        source: The function, in Python.
        mode: With which gradients it runs.
        varies: Whether it is compiled for sizes that vary.
        written: The number of the result that is written afterwards; None if none is.
        counts: Whether gradients record that write.
    """

    source: str
    mode: str
    varies: bool
    written: int | None
    counts: bool

    def function(self) -> Function:
        """The function of the source."""
        scope: dict[str, Any] = {"torch": torch}
        exec(compile(self.source, "<program>", "exec"), scope)  # the campaign's own text
        function: Function = scope["program"]
        return function

    def context(self) -> AbstractContextManager[object]:
        """The context in which it runs."""
        if self.mode == "inference":
            return torch.inference_mode()
        return torch.set_grad_enabled(self.mode != "no gradients")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a program, the argument as the first of its tensors.

    Attributes:
        layouts: For each tensor: the first one in its memory, the first one that it is, its shape
            and strides, its place and whether it is a view if others share its memory, and whether
            it has gradients.
        values: The values and the gradient after a write.
        error: What PyTorch says of the write, or of the gradients.
    """

    layouts: list[tuple[object, ...]]
    values: list[Any]
    error: str


def case_of(seed: int | str, number: int) -> Case:
    """A generated program by its number."""
    choices = Seeded(f"{seed}:{number}")
    views = [choices.of(VIEWS) for _ in range(choices.integer(1, 3))]
    views = choices.of([views, [*views, "y"], ["y", *views]])
    source = f"def program(x):\n    y = {choices.of(BASES)}\n    return ({', '.join(views)},)\n"
    written = choices.of([None, 0, 1, 2, 3])
    return Case(source, choices.of(MODES), choices.chance(40), written, choices.chance(50))


def outcome(case: Case, function: Function, size: int) -> Outcome:
    """What comes of a call."""
    generator = torch.Generator().manual_seed(size)
    leaf = torch.randn(size, COLUMNS, generator=generator)
    leaf.requires_grad_(case.mode == "training")
    with case.context():
        argument = leaf * 1
        results = list(function(argument))
    tensors = [argument, *results]
    listed, error = layouts(tensors), ""
    gradient = torch.zeros(0)
    try:
        with case.context(), torch.set_grad_enabled(case.counts):
            if case.written is not None:
                target = results[case.written % len(results)]
                target.mul_(3) if target.is_floating_point() else target.zero_()
        terms = [x.sum() * (i + 1) for i, x in enumerate(results) if x.requires_grad]
        if terms:
            sum(term.abs() for term in terms).backward()
            gradient = leaf.grad
    except RuntimeError as raised:
        error = str(raised)[:40]
    return Outcome(listed, [*(x.detach().clone() for x in tensors), gradient], error)


def layouts(tensors: Sequence[Any]) -> list[tuple[object, ...]]:
    """How tensors lie, beside each other."""
    keys = [x.untyped_storage()._cdata for x in tensors]
    owners = {key: {id(x) for x, k in zip(tensors, keys, strict=True) if k == key} for key in keys}
    identities = [id(x) for x in tensors]
    return [
        (
            keys.index(key), identities.index(id(x)), x.dtype, tuple(x.shape), x.stride(),
            x.requires_grad, (x.storage_offset(), x._is_view()) if len(owners[key]) > 1 else None,
        )
        for x, key in zip(tensors, keys, strict=True)
    ]  # fmt: skip


def difference(case: Case) -> str:
    """How outcomes differ, in words; empty if they are those of the eager program or aot_eager."""
    sizes = SIZES if case.varies else SIZES[:1]
    try:
        eager = [outcome(case, case.function(), size) for size in sizes]
        traced = outcomes(case, "aot_eager", sizes)
    except Exception as error:
        return f"PyTorch: {type(error).__name__}: {error}"
    try:
        found = outcomes(case, stablemate, sizes)
    except Exception as error:
        return f"failed: {type(error).__name__}: {error}"
    for mine, *theirs in zip(found, eager, traced, strict=True):
        texts = [outcome_difference(mine, other) for other in theirs]
        if all(texts):
            return f"differs: {texts[-1]}"
    return ""


def outcomes(case: Case, backend: Any, sizes: Sequence[int]) -> list[Outcome]:
    """What comes of calls of the compiled program."""
    torch._dynamo.reset()
    function = torch.compile(case.function(), backend=backend, dynamic=case.varies)
    return [outcome(case, function, size) for size in sizes]


def outcome_difference(found: Outcome, expected: Outcome) -> str:
    """How an outcome differs from another one; empty if it does not.

    PyTorch refuses writes into results of ``split`` and others that return several views, where it
    has replayed these; in graphs of varying sizes ``aot_eager`` does, and other compilers do not.
    """
    for number, (one, other) in enumerate(zip(found.layouts, expected.layouts, strict=True)):
        if one != other:
            return f"{number}: {one}, not {other}"
    if not found.error and expected.error.startswith("Output"):
        return ""
    if found.error != expected.error:
        return f"error {found.error!r}, not {expected.error!r}"
    pairs = zip(found.values, expected.values, strict=True)
    wrong = [i for i, (x, y) in enumerate(pairs) if not torch.allclose(x, y, equal_nan=True)]
    return f"values of {wrong}" if wrong else ""


def comparison(seed: int, number: int) -> tuple[str, str]:
    """What came of a generated program, and the program if it is not the same."""
    case = case_of(seed, number)
    text = difference(case)
    return text, f"{case}" if text else ""


def main() -> int:
    """Compares generated programs; returns 1 if some differ."""
    return run_campaign("tests.properties.torch_views.campaign", comparison, FAULTS)


if __name__ == "__main__":
    sys.exit(main())
