"""Modules of PyTorch as programs, beside what PyTorch gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import stablemate as sm
from stablemate.cli import main
from stablemate.diagnostics.errors import ArgumentValueError

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


def test_arguments_by_name() -> None:
    """Positional ones, too; those with names of options of ``run`` stand in a dictionary."""

    class Model(torch.nn.Module):  # type: ignore[misc,name-defined]
        def forward(self, x: Any, y: Any, *, scale: Any, seed: Any) -> Any:
            return (x - y) * scale + seed

    x, y, scale, seed = (np.float32(value) for value in (5, 2, 10, 7))
    kwargs = {"scale": torch.tensor(1.0), "seed": torch.tensor(0.0)}
    m = sm.from_torch(Model(), torch.tensor(1.0), torch.tensor(1.0), kwargs=kwargs)
    for run in (m.run, sm.compile(m)):
        assert run(x, y, scale=scale, keywords={"seed": seed}) == 37
        assert run(y=y, x=x, scale=scale, keywords={"seed": seed}, seed=3) == 37
        for wrong in ({"y": y}, {"scale": scale, "z": y}):
            with pytest.raises(ArgumentValueError, match="x, y, scale, seed"):
                run(x, keywords={"seed": seed}, **wrong)


def test_a_module_that_torchdynamo_traces() -> None:
    net, x, scale = model(), torch.randn(2, 4), torch.tensor(2.0)
    m = sm.from_torch(net, x, kwargs={"scale": scale}, strict=True)
    got, _ = m.run(x.numpy(), scale=scale.numpy())
    np.testing.assert_allclose(got, net(x, scale=scale)[0].detach(), rtol=1e-5, atol=1e-6)


class Layer:
    """Keys of one layer, as in a cache of a language model."""

    def __init__(self, keys: Any) -> None:
        self.keys = keys
        self.length = 3


class Cache:
    """An object that PyTorch's trees do not know."""

    def __init__(self, layers: list[Layer]) -> None:
        self.layers = layers
        self.name = "cache"


class Decoder(torch.nn.Module):  # type: ignore[misc,name-defined]
    """Adds a tensor to all keys of a cache."""

    def forward(self, x: Any, cache: Cache) -> dict[str, Any]:
        """The sum of all keys, and the cache."""
        layers = [Layer(layer.keys + x) for layer in cache.layers]
        return {"sum": sum(layer.keys for layer in layers), "cache": Cache(layers)}


def test_objects_with_tensors_are_trees() -> None:
    x, cache = torch.ones(2), Cache([Layer(torch.zeros(2)), Layer(torch.tensor([1.0, 2.0]))])
    m = sm.from_torch(Decoder(), x, cache)
    names = [argument.name for argument in m.entry().signature.arguments]
    assert names == ["x", "cache_layers_0_keys", "cache_layers_1_keys"]
    arrays = Cache([Layer(layer.keys.numpy()) for layer in cache.layers])
    for given in (cache, arrays):
        result = m.run(x.numpy(), given)
        np.testing.assert_array_equal(result["sum"], [3, 4])
        assert isinstance(result["cache"], Cache)
        np.testing.assert_array_equal(result["cache"].layers[1].keys, [2, 3])
        assert result["cache"].layers[1].length == 3
    with pytest.raises(sm.ArgumentError, match="another structure"):
        m.run(x.numpy(), Cache(cache.layers[:1]))


def test_an_object_that_is_a_part_of_itself_is_no_tree() -> None:
    class Loop(Cache):
        pass

    cache = Loop([Layer(torch.zeros(2))])
    cache.layers.append(cache)  # type: ignore[arg-type]
    with pytest.raises(sm.UnsupportedError, match=r"torch\.export cannot export this model"):
        sm.from_torch(Decoder(), torch.ones(2), cache)


def test_an_exported_program_with_a_symbol_for_a_size() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.LayerNorm(8)).eval()
    rows = torch.export.Dim("rows", min=3, max=64)
    m = sm.from_torch(torch.export.export(net, (torch.randn(5, 4),), dynamic_shapes=({0: rows},)))
    x = torch.randn(7, 4)
    np.testing.assert_allclose(m.run(x.numpy()), net(x).detach(), rtol=1e-4, atol=1e-5)


def test_sizes_that_are_multiples_of_a_symbol() -> None:
    half = torch.export.Dim("half", min=2)
    m = sm.from_torch(
        lambda x, y: torch.cat([x, y]).reshape(-1, 2) * x.shape[0], torch.ones(4), torch.ones(6),
        dynamic_shapes=({0: 2 * half}, {0: 2 * half + 2}),
    )  # fmt: skip
    result = m.run(np.ones(8, np.float32), np.ones(10, np.float32))
    np.testing.assert_array_equal(result, np.full((9, 2), 8))


def test_a_size_that_the_model_does_not_let_vary() -> None:
    rows = torch.export.Dim("rows")
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.from_torch(lambda x: x.reshape(3, 4), torch.ones(3, 4), dynamic_shapes=({0: rows},))
    assert "Constraints violated (rows)!" in str(caught.value)
    assert "\n  - " in str(caught.value)


def test_integers_have_64_bits() -> None:
    net = torch.nn.Sequential(torch.nn.Embedding(10, 4), torch.nn.Linear(4, 2)).eval()
    m = sm.from_torch(net, torch.tensor([[1, 2, 3]]))
    ids = torch.tensor([[7, 0, 9]])
    got = m.run(ids.numpy())
    assert got.dtype == np.float32
    np.testing.assert_allclose(got, net(ids).detach(), rtol=1e-5, atol=1e-6)


def test_arguments_and_results_have_the_names_of_the_model() -> None:
    m = sm.from_torch(
        model(), torch.ones(2, 4), kwargs={"scale": torch.tensor(2.0)}, weights="argument"
    )
    signature = m.entry().signature
    weights = ["linear.weight", "linear.bias", "norm.weight", "norm.bias"]
    running = ["norm.running_mean", "norm.running_var", "norm.num_batches_tracked"]
    names = [argument.name for argument in signature.arguments]
    assert names == [*weights, *running, "x", "scale"]
    assert [result.name for result in signature.results] == ["result[0]", "result[1]['sum']"]
    read = sm.parse(m.to_text()).entry().signature
    assert [argument.name for argument in read.arguments] == names


def test_weights_beside_the_program(tmp_path: Path) -> None:
    net, x = model(), torch.randn(2, 4)
    m = sm.from_torch(net, x, kwargs={"scale": torch.tensor(2.0)}, weights="argument")
    sm.save_weights(tmp_path / "model.safetensors", m.state)
    sm.save(m, tmp_path / "model.mlirbc")
    np.save(tmp_path / "x.npy", x.numpy())
    inputs = [f"--input=@{tmp_path}/model.safetensors:*", f"--input=x=@{tmp_path}/x.npy"]
    command = ["run", f"{tmp_path}/model.mlirbc", *inputs, "--input=scale=2", "--print-limit=8"]
    outcome = CliRunner().invoke(main, [*command, f"--output=@{tmp_path}/y.npy"])
    assert outcome.exit_code == 0, outcome.output
    expected = net(x, scale=torch.tensor(2.0))[0].detach()
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), expected, rtol=1e-5, atol=1e-6)


def test_what_a_model_writes_is_a_result_if_asked_for() -> None:
    net, x, scale = model().train(), torch.randn(5, 4), torch.tensor(1.0)
    m = sm.from_torch(net, x, kwargs={"scale": scale}, weights="argument", updates=True)
    state: Any = m.state
    for _ in range(2):
        got, new = m.run(state, x.numpy(), keywords={"scale": scale.numpy()})
        state = {**state, **new}
        expected = net(x, scale=scale)
    np.testing.assert_allclose(got[0], expected[0].detach(), rtol=1e-4, atol=1e-5)
    assert sorted(new) == ["norm.num_batches_tracked", "norm.running_mean", "norm.running_var"]
    for name in new:
        np.testing.assert_allclose(state[name], net.state_dict()[name], rtol=1e-5, atol=1e-6)
    assert len(sm.from_torch(net, x, kwargs={"scale": scale}).entry().signature.results) == 2


def test_random_numbers_come_from_the_seed() -> None:
    m = sm.from_torch(torch.nn.Dropout(0.5).train(), torch.ones(64))
    x = np.ones(64, np.float32)
    first, again, other = m.run(x, seed=1), m.run(x, seed=1), m.run(x, seed=2)
    assert set(first.tolist()) == {0.0, 2.0}
    assert first.tolist() == again.tolist() != other.tolist()


def test_artifacts_have_operations_of_stablehlo_alone() -> None:
    m = sm.from_torch(torch.nn.GELU(), torch.ones(3))
    assert "chlo.erf" in m.to_text()
    read = sm.load(m.to_artifact("1.0.0"))
    assert "chlo" not in read.to_text()
    assert [argument.name for argument in read.entry().signature.arguments] == ["input"]
    x = torch.linspace(-3, 3, 3)
    np.testing.assert_allclose(read.run(x.numpy()), torch.nn.functional.gelu(x), atol=1e-6)


class Layers(torch.nn.Module):  # type: ignore[misc,name-defined]
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(2, 2)

    def forward(self, x: Any) -> Any:
        hidden = self.first(x)
        return torch.log(hidden - hidden)  # the line of the infinities


def test_commands_name_the_module_and_the_line_of_the_user(tmp_path: Path) -> None:
    torch.export.save(torch.export.export(Layers(), (torch.ones(3, 2),)), tmp_path / "model.pt2")
    line = Path(__file__).read_text().splitlines().index(
        "        return torch.log(hidden - hidden)  # the line of the infinities"
    ) + 1  # fmt: skip
    command = [str(tmp_path / "model.pt2"), "--random-seed=0"]
    found = CliRunner().invoke(main, ["nan", *command])
    assert f"location: log ({__file__}:{line})" in found.output
    profiled = CliRunner().invoke(main, ["profile", *command])
    assert f"{__file__}:{line}" in profiled.output
    text = sm.load(tmp_path / "model.pt2").to_text(debug_info=True)
    assert 'loc("first/' in text
    assert "site-packages" not in text


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


def test_an_operator_whose_reference_implementation_cannot_be_exported() -> None:
    net, x = torch.nn.PReLU(3), torch.randn(2, 3)
    got = sm.from_torch(net, x).run(x.numpy())
    np.testing.assert_allclose(got, net(x).detach(), rtol=1e-6)


def derivatives(x: Any, tangent: Any) -> Any:
    def energy(y: Any) -> Any:
        return (y.sin() * y.prod()).sum()

    return (
        torch.func.grad(energy)(x),
        torch.func.hessian(energy)(x),
        torch.func.jvp(lambda y: y.tanh() * x.sum(), (x,), (tangent,)),
        torch.func.vmap(torch.func.jacrev(lambda y: y.softmax(-1)))(torch.stack([x, tangent])),
    )


@pytest.mark.standard
@pytest.mark.skipif(
    torch.__version__ < "2.10", reason="torch.export of transforms fails until then"
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_transforms_of_functions() -> None:
    x, tangent = torch.randn(4), torch.randn(4)
    expected = torch.utils._pytree.tree_leaves(derivatives(x, tangent))
    found = torch.utils._pytree.tree_leaves(sm.from_torch(derivatives, x, tangent).run(x, tangent))
    for got, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PyTorch's own code
def test_a_failure_leaves_no_transform_open() -> None:
    def undecided(x: Any) -> Any:
        return torch.func.jvp(lambda y: y if y.sum() > 0 else -y, (x,), (x,))

    with pytest.raises(sm.UnsupportedError, match=r"torch\.export cannot"):
        sm.from_torch(undecided, torch.ones(3))
    assert not torch._C._functorch.maybe_current_level()
    torch.func.jvp(torch.sin, (torch.ones(3),), (torch.ones(3),))


def test_a_model_that_cannot_be_exported_is_traced_once() -> None:
    calls = []

    def undecided(x: Any) -> Any:
        calls.append(x)
        return x if x.sum() > 0 else -x

    with pytest.raises(sm.UnsupportedError, match=r"torch\.export cannot export this model: Guard"):
        sm.from_torch(undecided, torch.ones(3))
    assert len(calls) == 1


@pytest.mark.parametrize("weights", ["constants", "argument"])
def test_tokens_are_no_arguments(weights: Any) -> None:
    """PyTorch orders checks of factorizations by tokens, from 2.14 on."""
    x, y = torch.eye(3) * 2 + torch.rand(3, 3), torch.rand(3, 2)
    m = sm.from_torch(lambda x, y: (torch.linalg.solve(x, y), torch.linalg.inv(x)), x, y,
                      weights=weights)  # fmt: skip
    assert m.to_text().count("%arg0: ") == m.to_text().count("%arg1: ") == 1
    assert "%arg2" not in m.to_text()
    solution, inverse = m.run(*([{}] if weights == "argument" else []), x, y)
    np.testing.assert_allclose(solution, torch.linalg.solve(x, y), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(inverse, torch.linalg.inv(x), rtol=1e-4, atol=1e-5)
