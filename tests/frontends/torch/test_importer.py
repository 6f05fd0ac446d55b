"""Graphs of PyTorch as programs: sizes, strides, locations, errors."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stablemate as sm

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed", allow_module_level=True)

import torch

from stablemate.bridges.torch.backend import stablemate
from stablemate.frontends.torch.table import lowerings

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")


@pytest.fixture(autouse=True)
def _fresh() -> None:
    torch.manual_seed(0)
    torch._dynamo.reset()


def test_one_program_for_all_sizes() -> None:
    graphs: list[Any] = []

    def backend(graph: Any, inputs: Any) -> Any:
        graphs.append(graph)
        return stablemate(graph, inputs)

    def run(x: Any, y: Any) -> Any:
        joined = torch.cat([x, y]) * x.shape[0]
        return torch.softmax(joined, 0)[1:], joined.reshape(-1).flip(0)

    compiled = torch.compile(run, backend=backend, dynamic=True)
    for rows, columns in ((3, 6), (5, 8), (7, 11)):
        x, y = torch.randn(rows, columns), torch.randn(rows + 1, columns)
        torch.testing.assert_close(compiled(x, y), run(x, y))
    assert len(graphs) == 1


@pytest.mark.parametrize(
    "x",
    [
        torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1),
        torch.arange(48.0).reshape(1, 3, 4, 4).to(memory_format=torch.channels_last),
        torch.arange(24.0).reshape(4, 6)[:, ::2],
        torch.arange(4.0).expand(3, 4),
        torch.zeros(0, 3),
    ],
    ids=["permuted", "channels_last", "every second", "expanded", "empty"],
)
def test_results_have_the_strides_of_pytorch(x: Any) -> None:
    def run(x: Any) -> Any:
        return x + 1, x.transpose(0, 1) * 2, x.contiguous()

    got, expected = torch.compile(run, backend=stablemate)(x), run(x)
    for one, other in zip(got, expected, strict=True):
        torch.testing.assert_close(one, other, check_stride=bool(x.numel()))


def test_conjugates_and_negatives_that_are_not_computed() -> None:
    x = torch.tensor([1 + 2j, 3 - 1j])
    run = torch.compile(lambda x: (x * 2, x.imag + 1), backend=stablemate)
    for argument in (x, x.conj()):
        torch.testing.assert_close(run(argument), (argument * 2, argument.imag + 1))


class Factorization(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return torch.linalg.lu(x, pivot=False)[1]


def test_operators_that_are_not_there_are_named_with_the_line() -> None:
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(Factorization(), torch.eye(3))
    assert "aten.linalg_lu.default: a factorization without pivoting" in str(caught.value)
    assert "test_importer.py" in str(caught.value)


class Sine(torch.nn.Module):
    def forward(self, x: Any) -> Any:
        return torch.sin(x)


def test_locations_point_into_the_model() -> None:
    m = sm.from_torch(Sine(), torch.ones(2))
    assert "test_importer.py" in m.to_text(debug_info=True)


def test_exported_programs_are_loaded(tmp_path: Path) -> None:
    net, x = torch.nn.Linear(4, 3).eval(), torch.randn(2, 4)
    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(net, (x,)), path)
    m = sm.load(path)
    np.testing.assert_allclose(m.run(x.numpy()), net(x).detach(), rtol=1e-5, atol=1e-6)
    text = path.read_bytes().replace(b'"schema_version"', b'"schema_versiom"')
    (tmp_path / "damaged.pt2").write_bytes(text)
    with pytest.raises(sm.ParseError, match="is damaged"):
        sm.load(tmp_path / "damaged.pt2")


def test_examples_as_torch_export_takes_them() -> None:
    def run(x: Any, y: Any) -> Any:
        return {"sum": x + y, "both": [x, (y,)]}

    x, y = torch.ones(2), torch.full((2,), 3.0)
    for m in (sm.from_torch(run, x, y), sm.from_torch(run, (x, y))):
        result = m.run(x.numpy(), y.numpy())
        assert result["sum"].tolist() == [4, 4]
        assert result["both"][1][0].tolist() == [3, 3]
    with pytest.raises(sm.ArgumentError, match="another structure than the example inputs"):
        m.run({"x": x.numpy()})


def test_every_operator_of_the_core_has_a_translation_or_a_decomposition() -> None:
    from torch._decomp import core_aten_decompositions, decomposition_table

    known = {*decomposition_table, *core_aten_decompositions()}
    missing = [
        str(overload)
        for name in dir(torch.ops.aten)
        for packet in [getattr(torch.ops.aten, name)]
        for variant in getattr(packet, "overloads", tuple)()
        for overload in [getattr(packet, variant)]
        if torch.Tag.core in overload.tags
        and str(overload) not in lowerings()
        and f"{overload}" not in known
        and overload not in known
    ]
    # Symbolic sizes, and what reads or makes them, are part of the importer itself.
    # Nothing resizes a tensor in a graph that is functional.
    allowed = ("sym_", "_local_scalar_dense", "nonzero", ".out", "resize_")
    assert [name for name in missing if not any(part in name for part in allowed)] == []
