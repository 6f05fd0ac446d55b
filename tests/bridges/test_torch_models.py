"""Models as tutorials of PyTorch write them, beside what PyTorch computes."""

from __future__ import annotations

import time
from importlib.util import find_spec

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from tools.torch_zoo.campaign import Limits, outcomes
from tools.torch_zoo.cases import ModelCases, Outcome, cases_of
from tools.torch_zoo.comparison import largest_difference
from tools.torch_zoo.page import page, read_page
from tools.torch_zoo.rows import Model
from tools.torch_zoo.tutorials_models import models

pytestmark = pytest.mark.filterwarnings("ignore")
FEW = ("mnist", "vae")


def test_a_result_may_differ_by_rounding_alone() -> None:
    double = {"x": torch.tensor([1.0, 2.0], dtype=torch.float64)}
    single = {"x": torch.tensor([1.0, 2.0]) * (1 + 2**-20)}
    near = {"x": torch.tensor([1.0, 2.0]) * (1 + 2**-18)}
    far = {"x": torch.tensor([1.0, 2.0]) * (1 + 2**-15)}
    assert largest_difference(near, single, double).ratio < 1
    assert largest_difference(far, single, double).ratio > 1
    assert largest_difference({"y": far["x"]}, single, double).message == "results differ in x, y"


def test_the_page_counts_what_passed_and_tells_what_did_not() -> None:
    found = [
        Outcome("timm", "vit", "export static", "passed"),
        Outcome("timm", "gcvit", "export static", "differs", "result: differs by 1, allowed 0.1"),
        Outcome("timm", "nest", "export static", "pytorch", "no export"),
    ]
    text = page(found)
    assert "| `from_torch` |  | 1 / 2 |  |  |  |" in text
    assert "* timm, gcvit, `from_torch`: differs: result: differs by 1, allowed 0.1" in text
    assert "* timm, nest, `from_torch`: pytorch: no export" in text


def test_outcomes_are_added_to_a_page() -> None:
    first = [
        Outcome("timm", "vit", "export static", "passed"),
        Outcome("timm", "gcvit", "export static", "timeout", "90 s"),
        Outcome("timm", "nest", "export static", "pytorch", "no export"),
        Outcome("timm", "vit", "compile static train", "passed"),
    ]
    text = page(first)
    assert page([], read_page(text)) == text
    again = [Outcome("timm", "gcvit", "export static", "passed")]
    again += [Outcome("timm", name, "compile static train", "passed") for name in ("vit", "pit")]
    text = page(again, read_page(text))
    assert "| training step |  | 2 / 2 |  |  |  |" in text
    assert "| `from_torch` |  | 2 / 2 |  |  |  |" in text
    assert "* timm; training step; `from_torch` (1): vit" in text
    found = read_page(text)
    assert [key for key, line in found.items() if line] == [("timm", "nest", "`from_torch`")]
    assert {name for _, name, title in found if title == "training step"} == {"vit", "pit"}


def test_models_are_counted_in_each_case_in_which_they_ran() -> None:
    first = [Outcome("timm", name, "export static", "passed") for name in ("vit", "pit")]
    second = [Outcome("timm", "nest", "export static", "passed")]
    assert "| `from_torch` |  | 3 / 3 |  |  |  |" in page(second, read_page(page(first)))
    with pytest.raises(ValueError, match="does not say which models"):
        read_page("| `from_torch` |  | 3 / 3 |  |  |  |")


def test_a_model_that_needs_more_memory_is_not_left_out() -> None:
    class Greedy(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    row = Model("timm", "greedy", Greedy, lambda batch: {"0": torch.ones(batch)})
    outcome = ModelCases(row, "interpreter", verbose=False).outcome("compile static forward")
    assert outcome.verdict == "crashed"


@torch.compiler.disable
def compute(x: torch.Tensor, seconds: float) -> torch.Tensor:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return x + 1


@pytest.mark.standard
def test_a_model_that_pytorch_does_not_trace_in_time_is_left_out() -> None:
    class Slow(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return compute(x, 60 if torch.compiler.is_compiling() else 0) * 2

    row = Model("timm", "slow", Slow, lambda batch: {"0": torch.ones(batch)})
    limits = Limits(seconds=1, gigabytes=4, backend="interpreter")
    (outcome,) = outcomes(row, ["compile static forward"], limits)
    assert (outcome.verdict, outcome.message) == ("pytorch", "its own tracing takes more than 1 s")


@pytest.mark.standard
@pytest.mark.parametrize("name", FEW)
def test_models_of_tutorials(name: str) -> None:
    (row,) = [row for row in models() if row.name == name]
    runner = ModelCases(row, "interpreter", verbose=True)
    found = [runner.outcome(case) for case in cases_of(row)]
    assert [(o.case, o.verdict, o.message) for o in found] == [
        (case, "passed", "") for case in cases_of(row)
    ]
