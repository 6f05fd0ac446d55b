"""Modules of PyTorch as programs, beside what PyTorch gives."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import stablemate as sm

# PyTorch's export uses what its own later versions deprecate.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")
torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed")


def model() -> Any:
    class Model(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 3)
            self.norm = torch.nn.BatchNorm1d(3)

        def forward(self, x: Any, *, scale: Any) -> Any:
            hidden = torch.nn.functional.gelu(self.norm(self.linear(x)))
            return hidden * scale, {"sum": x.sum()}

    torch.manual_seed(0)
    return Model().eval()


@pytest.mark.parametrize("weights", ["constants", "argument"])
def test_a_module(weights: Any) -> None:
    net, x, scale = model(), torch.randn(2, 4), torch.tensor(2.0)
    m = sm.from_torch(net, x, kwargs={"scale": scale}, weights=weights)
    state = {name: item.numpy() for name, item in net.state_dict().items()}
    first = [] if weights == "constants" else [state]
    got, more = m.run(*first, x.numpy(), keywords={"scale": scale.numpy()})
    expected, expected_more = net(x, scale=scale)
    np.testing.assert_allclose(got, expected.detach(), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(more["sum"], expected_more["sum"], rtol=1e-5)


def test_an_exported_program_with_a_symbol_for_a_size() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.LayerNorm(8)).eval()
    rows = torch.export.Dim("rows", min=3, max=64)
    m = sm.from_torch(torch.export.export(net, (torch.randn(5, 4),), dynamic_shapes=({0: rows},)))
    x = torch.randn(7, 4)
    np.testing.assert_allclose(m.run(x.numpy()), net(x).detach(), rtol=1e-4, atol=1e-5)


def test_integers_have_64_bits() -> None:
    net = torch.nn.Sequential(torch.nn.Embedding(10, 4), torch.nn.Linear(4, 2)).eval()
    m = sm.from_torch(net, torch.tensor([[1, 2, 3]]))
    ids = torch.tensor([[7, 0, 9]])
    got = m.run(ids.numpy())
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, net(ids).detach(), rtol=1e-5, atol=1e-6)


def test_without_pytorch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import stablemate as sm\n"
        "try: sm.from_torch(len, 1)\n"
        "except sm.UnsupportedError as error: print(error)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stdout.startswith("programs of PyTorch need torch: pip install")
