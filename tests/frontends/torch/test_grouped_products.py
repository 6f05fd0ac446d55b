"""Products of matrices whose rows belong to groups, beside PyTorch's."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not hasattr(torch, "_grouped_mm"), reason="this PyTorch has none"),
]


@pytest.mark.parametrize(
    ("one", "other"),
    [((16, 8), (3, 8, 24)), ((8, 16), (16, 24)), ((3, 8, 16), (16, 16))],
    ids=["rows", "sums", "columns"],
)
def test_grouped_products(one: Any, other: Any) -> None:
    torch._dynamo.reset()
    x, y = torch.randn(one).bfloat16(), torch.randn(other).bfloat16()
    ends = torch.tensor([5, 5, 16], dtype=torch.int32)

    def product(x: Any, y: Any, ends: Any) -> Any:
        return torch._grouped_mm(x, y, offs=ends)

    run = torch.compile(product, backend="stablemate", options={"backend": "interpreter"})
    torch.testing.assert_close(run(x, y, ends), product(x, y, ends), rtol=2e-2, atol=2e-2)
