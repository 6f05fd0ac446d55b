"""Exported functions give what JAX gives, and say what is wrong with arguments."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest

import stablemate as sm
from tests.formats.jax_export.cases import (
    NAMES,
    STORED,
    VERSIONS,
    assert_same,
    container,
    rows,
)

X = np.arange(12, dtype=np.float32).reshape(3, 4)
WEIGHTS = {"k": np.ones((4, 5), np.float32), "b": np.arange(5, dtype=np.float32)}


@pytest.mark.standard
def test_every_row_is_tested() -> None:
    assert tuple(rows()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_what_jax_gives(name: str) -> None:
    data, calls = rows()[name]
    module = sm.load(data)
    assert module.format == "jax_export"
    for arguments, keywords, expected in calls:
        assert_same(module.run(*arguments, keywords=keywords), expected)


@pytest.mark.standard
@pytest.mark.parametrize("backend", ["cpu", "interpreter"])
@pytest.mark.parametrize("name", NAMES)
def test_a_compiled_function_is_called_as_jax_calls_it(name: str, backend: str) -> None:
    data, calls = rows()[name]
    executable: Any = sm.compile(sm.load(data), backend=backend)
    for arguments, keywords, expected in calls:
        outcome = executable(*arguments, **({"keywords": keywords} if keywords else {}))
        assert_same(outcome, expected)


@pytest.mark.parametrize("name", STORED)
@pytest.mark.parametrize("version", VERSIONS)
def test_what_every_version_of_jax_wrote(version: str, name: str) -> None:
    module = sm.load(container(version, name))
    y = np.ones(7, np.float32)
    match name:
        case "tree":
            product = X @ WEIGHTS["k"] * np.float32(3) + WEIGHTS["b"]
            expected: Any = {"y": product, "sums": [X.sum(), (product.sum(0),)], "nothing": None}
            completed = module.run(X, WEIGHTS, keywords={"scale": np.float32(3)})
        case "poly":
            expected = (np.concatenate([X, X]), y * 4, X.reshape(-1))
            completed = module.run(X, y)
        case "dropped":
            expected, completed = X + 1, module.run(X, y[:2])
        case "sharded":
            square = X[:, :3] @ X[:3] + 1
            x = np.concatenate([square, square[:1]])
            expected, completed = x @ x, module.run(x, x)
        case _:
            expected, completed = np.sin(X), module.run(X)
    assert_same(completed, expected)


def test_gradients() -> None:
    module = sm.load(container("0.10.2", "vjp"))
    gradient = module.vjp()
    assert gradient is not None
    assert_same(gradient.run(X, X), (np.cos(X) * X,))
    second = gradient.vjp()
    assert second is not None
    assert second.vjp() is None
    assert sm.load("module {}").vjp() is None


def test_two_devices() -> None:
    x = np.eye(4, dtype=np.float32) * 2
    module = sm.load(container("0.10.2", "sharded"))
    product = x @ x
    assert_same(sm.run_grid(module, (x, x), partitions=2), [product[:2], product[2:]])
    assert_same(sm.run_grid(module, (x, x), partitions=2, partition=False), [product, product])


def test_leaves_in_place_of_trees() -> None:
    module = sm.load(container("0.10.2", "tree"))
    leaves = (X, WEIGHTS["b"], WEIGHTS["k"], np.float32(3))
    trees = module.run(X, WEIGHTS, keywords={"scale": np.float32(3)})
    assert_same(module.run(*leaves), trees)
    executable: Any = sm.compile(module)
    assert_same(executable(X, WEIGHTS, keywords={"scale": np.float32(3)}), trees)
    assert_same(executable(*leaves), trees)
    assert len(executable.call_flat(*leaves)) == executable.exported.out_tree.leaves
    assert_same(module.executable().call_flat(*leaves)[-1], trees["y"])


@pytest.mark.parametrize(
    ("name", "arguments", "keywords", "message"),
    [
        ("poly", (X, np.ones(8, "f4")), {},
         "dimension 0 of args[1] is 2*b + 1 = 7, with b = 3, but has size 8"),
        ("poly", (np.ones((0, 4), "f4"), np.ones(1, "f4")), {},
         "dimension 0 of args[0] is b, and b is at least 1: it cannot be 0"),
        ("poly", (X[:, :1], np.ones(7, "f4")), {}, "symbolic shape constraint c >= 2"),
        ("poly", (X.astype("f8"), np.ones(7, "f4")), {},
         "argument 0 (args[0]) of poly is tensor<?x?xf32>, but tensor<3x4xf64> was given"),
        ("poly", (X,), {}, "poly takes 2 arguments, or 2 leaves, but 1 was given"),
        ("tree", (X, {"k": X}), {"scale": 1.0},
         "args[1] must have the keys 'b', 'k', but 'b' is missing"),
        ("tree", (X, WEIGHTS), {},
         "dense takes the keyword 'scale', which is missing: give it as keywords={'scale': ...}"),
        ("tree", (X, WEIGHTS, {}, {}), {},
         "dense takes 2 arguments and the keywords scale, or 4 leaves"),
        ("tree", (X, [X]), {"scale": 1.0}, "args[1] is {'b': *, 'k': *}, not a list"),
        ("tree", (X, WEIGHTS), {"scale": 1.0, "other": 1.0},
         "kwargs must have the key 'scale', but 'other' is given too"),
        ("tree", (X, WEIGHTS | {"b": X}), {"scale": 1.0},
         "argument 1 (args[1]['b']) of dense is tensor<5xf32>, but tensor<3x4xf32> was given"),
        ("tree", (X,), {}, "dense takes 2 arguments and the keywords scale, or 4 leaves"),
    ],
)  # fmt: skip
def test_wrong_arguments(
    name: str, arguments: tuple[Any, ...], keywords: dict[str, Any], message: str
) -> None:
    module = sm.load(container("0.10.2", name))
    with pytest.raises(sm.StablemateError, match=re.escape(message)):
        module.run(*arguments, keywords=keywords)


@pytest.mark.parametrize(
    ("name", "shapes", "message"),
    [
        ("products", [(7,), (2, 3)], "dimension 0 of args[0] is a*b = 6, with a = 2, b = 3"),
        ("maxima", [(6,), (3,)], "dimension 0 of args[1] is max(a - 4, 1) = 2, with a = 6"),
        ("floors", [(5, 6)], "dimension 1 of args[0] is 2*n + 1 and has size 6: no n can be found"),
    ],
)
def test_sizes_that_do_not_fit(name: str, shapes: list[tuple[int, ...]], message: str) -> None:
    module = sm.load(rows()[name][0])
    with pytest.raises(sm.ArgumentError, match=re.escape(message)):
        module.run(*[np.ones(shape, np.float32) for shape in shapes])


def test_keywords_are_for_exported_functions_only() -> None:
    module = sm.load("func.func @main() { return }")
    with pytest.raises(
        sm.ArgumentError, match=r"only functions that jax.export or torch.export made"
    ):
        module.run(keywords={"x": 1})
    with pytest.raises(sm.ArgumentError, match=r"only a program that was read from jax.export"):
        module.to_jax_export()


def test_what_is_known_of_a_function() -> None:
    module = sm.load(rows()["effect"][0])
    exported = module.exported
    assert exported is not None
    assert len(exported.ordered_effects) == 2
    assert exported.kept == (0,)
    assert sm.load(container("0.10.2", "dropped")).exported.kept == (0,)  # type: ignore[union-attr]
    many = sm.load(rows()["multi_poly"][0]).exported
    assert many is not None
    assert (many.platforms, many.symbols) == (("cpu", "tpu"), ["b"])
    assert many.uses_global_constants
    named = sm.load(rows()["named"][0]).exported
    assert named is not None
    assert named.argument_names == ["args[0].first", "args[0].second"]
    assert named.result_names == ["result[0]", "result[1].first", "result[1].second"]
    devices = sm.load(container("0.10.2", "sharded")).exported
    assert devices is not None
    assert [str(in_sharding) for in_sharding in devices.in_shardings] == ["P('a')", "P(None, 'a')"]
    assert devices.devices == 2


def test_the_rows_can_be_handed_over() -> None:
    assert pickle.loads(pickle.dumps(rows())).keys() == rows().keys()
