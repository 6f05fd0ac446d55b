"""Normalization and softmax beside what PyTorch computes."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

import stablemate as sm
from stablemate.bridges.torch.backend import BackendOptions, stablemate

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")
functional: Any = torch.nn.functional
CASES: dict[str, Any] = {
    "batch norm": lambda x: functional.batch_norm(
        x, x.detach()[0, :, 0] * 2, x.detach()[1, :, 0] ** 2 + 1
    ),
    "batch norm with scales": lambda x: functional.batch_norm(
        x, x.detach()[0, :, 0] * 2, x.detach()[1, :, 0] ** 2 + 1, x[0, :, 1], x[1, :, 1], eps=0.5
    ),
    "layer norm": lambda x: functional.layer_norm(x, x.shape[1:]),
    "layer norm with scales": lambda x: functional.layer_norm(x, x.shape[2:], x[0, 0], x[1, 0]),
    "softmax": lambda x: functional.softmax(x, 1),
    "log_softmax": lambda x: functional.log_softmax(x, -1),
    "softmax of a scalar": lambda x: functional.softmax(x.sum(), 0),
    "log_softmax of a scalar": lambda x: functional.log_softmax(x.sum(), 0),
    "softmax in f32": lambda x: functional.softmax(x, 2, dtype=torch.float32),
    "softmax of masked rows": lambda x: functional.softmax(x.masked_fill(x > 0, -torch.inf), 0),
    "gelu": functional.gelu,
    "gelu by tanh": lambda x: functional.gelu(x, approximate="tanh"),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("name", CASES)
def test_values_and_gradients(name: str, dtype: Any) -> None:
    torch._dynamo.reset()
    torch.manual_seed(0)
    run = torch.compile(
        CASES[name], backend=stablemate, fullgraph=True, options={"backend": "interpreter"}
    )
    values = torch.randn(2, 3, 5).to(dtype)
    for x in (values, values.clone().requires_grad_()):
        found, expected = run(x), CASES[name](x)
        rtol, atol = (1e-5, 1e-6) if dtype == torch.float32 else (0.02, 0.01)
        torch.testing.assert_close(found, expected, rtol=rtol, atol=atol, equal_nan=True)


def test_inference_is_not_decomposed(monkeypatch: pytest.MonkeyPatch) -> None:
    from stablemate.bridges.torch import backend

    names: list[str] = []
    compile = backend.compiled_graph

    def keep(options: BackendOptions, graph: Any, *arguments: Any, **keywords: Any) -> Any:
        names.extend(str(node.target) for node in graph.graph.nodes if node.op == "call_function")
        return compile(options, graph, *arguments, **keywords)

    monkeypatch.setattr(backend, "compiled_graph", keep)
    torch._dynamo.reset()
    model = torch.nn.Sequential(
        torch.nn.BatchNorm1d(4), torch.nn.LayerNorm(4), torch.nn.GELU(), torch.nn.Softmax(1)
    ).eval()
    with torch.no_grad():
        torch.compile(model, backend=stablemate)(torch.ones(2, 4))
    assert {"aten.native_layer_norm.default", "aten.gelu.default", "aten._softmax.default"} <= {
        *names
    }
    assert "aten._native_batch_norm_legit_no_training.default" in names
    assert len(names) < 9


def test_a_module_with_dynamic_sizes() -> None:
    def run(x: Any) -> Any:
        return functional.layer_norm(functional.softmax(x, 1), (4,))

    m = sm.from_torch(run, torch.randn(3, 4), dynamic_shapes=({0: torch.export.Dim("n")},))
    x = torch.randn(5, 4)
    torch.testing.assert_close(torch.from_numpy(m.run(x.numpy())), run(x), rtol=1e-4, atol=1e-5)
