"""The page of PyTorch's operators, made of logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from tools.torch_operator_table import UNTRANSLATED, page, read

PAGE: Final = """\
Of 3 operators and modules (5 comparisons of samples), 1 pass in every element type and on every \
route in which they were compared. Of those that `inductor`, PyTorch's own compiler, passes or was \
not asked about (2), that is 50.0 %. It was asked about 1, and passes 0.

## Graphs of AOTAutograd, native code: results

| family | float32 | int64 |
| --- | --: | --: |
| torch.fft | 1/1 |  |
| torch.linalg | 0/2 | 1/1 |
| **all** | 1/3 | 1/1 |

## Left out or different

| operator | where | why | inductor |
| --- | --- | --- | --- |
| `linalg.a` | float32 | differs: by 1 \\| 2 | not measured |
| `linalg.b` | float32 | sparse tensors | fails |

## Results that depend on values, and what TorchDynamo does not trace

`nonzero`
"""


def line(operator: str, dtype: str, verdict: str, message: str = "", sample: int = 0) -> str:
    """A line of a log."""
    prefix = operator.split(".")[0]
    outcome = {
        "operator": operator, "dtype": dtype, "sample": sample, "gradient": False,
        "route": "inductor" if message == "inductor" else "trace cpu", "verdict": verdict,
        "message": message, "family": f"torch.{prefix}", "version": "2.14",
    }  # fmt: skip
    return json.dumps(outcome) + "\n"


def test_outcomes_of_later_logs_replace_earlier_ones(tmp_path: Path) -> None:
    first, second = tmp_path / "0.jsonl", tmp_path / "1.jsonl"
    first.write_text(
        line("fft.fft", "float32", "failed", "no translation")
        + line("linalg.a", "float32", "differs", "by 1 | 2")
        + line("linalg.b", "float32", "refused", "not for torch.sparse_csr")
        + line("linalg.b", "float32", "failed", "inductor")
    )
    second.write_text(
        line("fft.fft", "float32", "passed")
        + line("linalg.a", "int64", "passed")
        + line("nonzero", "float32", "data-dependent", "which depends on values")
    )
    text = page(read([first, second]))
    assert text.startswith("# PyTorch's operators\n")
    assert "what PyTorch 2.14 computes" in text
    body, _, untranslated = text.partition("\n## Operators of ATen without a translation\n")
    assert body[body.index("Of 3 operators") :] == PAGE
    assert all(f"\n| {reason} | `" in untranslated for reason in UNTRANSLATED)
