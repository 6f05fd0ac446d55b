"""LSTM, GRU and RNN layers, compared with PyTorch: compiled, trained, exported."""

from __future__ import annotations

import copy
from collections.abc import Callable
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.bridges.torch.backend import stablemate

pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::UserWarning"
)
Run = Callable[..., Any]
nn: Any = torch.nn
KINDS: dict[str, tuple[Any, dict[str, Any]]] = {
    "LSTM": (nn.LSTM, {}),
    "projected LSTM": (nn.LSTM, {"proj_size": 2}),
    "GRU": (nn.GRU, {}),
    "RNN": (nn.RNN, {}),
    "RNN with ReLU": (nn.RNN, {"nonlinearity": "relu"}),
}
# Directions, layers, biases, batches first: all pairs of kinds and of these.
FORMS = {
    "".join(
        letter
        for letter, is_there in zip("2dbf", (layers == 2, both, bias, first), strict=True)
        if is_there
    )
    or "-": {"num_layers": layers, "bidirectional": both, "bias": bias, "batch_first": first}
    for layers, both, bias, first in product((1, 2), (False, True), (False, True), (False, True))
}
QUICK = (("LSTM", "2db"), ("GRU", "f"), ("RNN", "-"))


@pytest.fixture(autouse=True)
def _fresh() -> None:
    torch.manual_seed(0)
    torch._dynamo.reset()


def layer(kind: str, form: str) -> Any:
    cls, options = KINDS[kind]
    return cls(3, 4, **options, **FORMS[form])


def check(found: Any, expected: Any, loose: float = 1e-5) -> None:
    torch.testing.assert_close(found, expected, rtol=loose, atol=loose)


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        pytest.param(kind, form, marks=() if (kind, form) in QUICK else pytest.mark.standard)
        for kind in KINDS
        for form in FORMS
    ],
)
def test_inference(kind: str, form: str) -> None:
    model, x = layer(kind, form), torch.randn(5, 2, 3)
    with torch.no_grad():
        check(torch.compile(model, backend=stablemate, fullgraph=True)(x), model(x))


def gradients(run: Run, model: Any, x: Any, state: Any) -> list[Any]:
    inputs = [t.clone().requires_grad_() for t in (x, *state)]
    first = tuple(inputs[1:]) if len(state) == 2 else inputs[1]
    output, last = run(inputs[0], first)
    ends = last if isinstance(last, tuple) else (last,)
    loss = output.square().sum() + sum((i + 2) * end.sin().sum() for i, end in enumerate(ends))
    loss.backward()
    return [t.grad for t in (*inputs, *model.parameters())]


@pytest.mark.standard
@pytest.mark.parametrize("form", ["-", "b", "2db", "dbf", "2d"])
@pytest.mark.parametrize("kind", [*KINDS])
def test_gradients(kind: str, form: str) -> None:
    model, x = layer(kind, form), torch.randn(5, 2, 3)
    count = FORMS[form]["num_layers"] * (2 if FORMS[form]["bidirectional"] else 1)
    batch = x.shape[0] if FORMS[form]["batch_first"] else x.shape[1]
    sizes = [2 if kind == "projected LSTM" else 4, *[4] * ("LSTM" in kind)]
    state = [torch.randn(count, batch, size) for size in sizes]
    other = copy.deepcopy(model)
    compiled = torch.compile(other, backend=stablemate, fullgraph=True)
    expected = gradients(model, model, x, state)
    check(gradients(compiled, other, x, state), expected, 1e-4)


@pytest.mark.standard
@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_exported(kind: str) -> None:
    model, x = layer(kind, "2db"), torch.randn(5, 2, 3)
    m = sm.from_torch(model, x)
    output, _ = m.run(x.numpy())
    np.testing.assert_allclose(output, model(x)[0].detach().numpy(), rtol=1e-4, atol=1e-5)
    assert str(m).count("stablehlo.while") == 4


@pytest.mark.standard
@pytest.mark.parametrize(
    ("kind", "strict"), [("LSTM", False), ("GRU", True), ("projected LSTM", False)]
)
def test_exported_for_all_lengths(kind: str, strict: bool) -> None:
    model = layer(kind, "2d").eval()
    sizes = {0: torch.export.Dim("steps", min=2), 1: torch.export.Dim("batch")}
    m = sm.from_torch(model, torch.randn(5, 2, 3), dynamic_shapes=(sizes,), strict=strict)
    for shape in ((5, 2, 3), (9, 4, 3)):
        x = torch.randn(*shape)
        found = torch.utils._pytree.tree_leaves(m.run(x.numpy()))
        expected = torch.utils._pytree.tree_leaves(model(x))
        check([torch.from_numpy(y) for y in found], [y.detach() for y in expected])


@pytest.mark.parametrize("kind", ["LSTM", "RNN"])
def test_all_lengths_and_batches(kind: str) -> None:
    model = layer(kind, "dbf")
    compiled = torch.compile(model, backend=stablemate, fullgraph=True, dynamic=True)
    with torch.no_grad():
        for length in (5, 3, 9):
            x = torch.randn(length - 1, length, 3)
            check(compiled(x), model(x))


@pytest.mark.standard
def test_exported_programs_of_all_batches() -> None:
    """``torch.export`` itself fixes lengths, for which it unrolls the steps, but not batches."""
    model, sizes = layer("LSTM", "dbf").eval(), {0: torch.export.Dim("n")}
    exported = torch.export.export(model, (torch.randn(3, 5, 3),), dynamic_shapes=(sizes,))
    m, x = sm.from_torch(exported), torch.randn(4, 5, 3)
    np.testing.assert_allclose(m.run(x.numpy())[0], model(x)[0].detach().numpy(), atol=1e-5)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_other_floats(dtype: Any) -> None:
    model, x = layer("LSTM", "b").to(dtype), torch.randn(5, 2, 3, dtype=dtype)
    with torch.no_grad():
        found = torch.compile(model, backend=stablemate, fullgraph=True)(x)
        check(found, model(x), 1e-9 if dtype == torch.float64 else 3e-2)


def test_sequences_without_batches() -> None:
    model, x = layer("GRU", "b"), torch.randn(5, 3)
    with torch.no_grad():
        check(torch.compile(model, backend=stablemate, fullgraph=True)(x), model(x))


def test_dropout_between_layers() -> None:
    model = nn.LSTM(3, 64, 2, dropout=1 - 2**-20)
    compiled = torch.compile(model, backend=stablemate, fullgraph=True)
    x = torch.randn(5, 2, 3)
    constant = nn.LSTM(3, 64, 2)
    constant.load_state_dict(model.state_dict())
    second = nn.LSTM(64, 64, 1)
    second.load_state_dict({k.replace("l1", "l0"): v for k, v in model.state_dict().items()
                            if "l1" in k})  # fmt: skip
    with torch.no_grad():
        check(compiled(x)[0], second(torch.zeros(5, 2, 64))[0])
        model.eval()
        check(compiled(x), constant(x))


@pytest.mark.standard
def test_packed_sequences() -> None:
    model = layer("LSTM", "2db")

    def run(x: Any, lengths: Any) -> Any:
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
        return nn.utils.rnn.pad_packed_sequence(model(packed)[0])[0]

    x, lengths = torch.randn(5, 3, 3), torch.tensor([2, 5, 3])
    check(torch.compile(run, backend=stablemate)(x, lengths), run(x, lengths))


@pytest.mark.parametrize("cell", [nn.LSTMCell, nn.GRUCell, nn.RNNCell])
def test_cells(cell: Any) -> None:
    model, x = cell(3, 4), torch.randn(2, 3)
    with torch.no_grad():
        check(torch.compile(model, backend=stablemate, fullgraph=True)(x), model(x))
