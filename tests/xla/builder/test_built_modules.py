"""What ``stablemate.XlaBuilder`` builds prints, verifies, compiles, runs, is written and read."""

from __future__ import annotations

import numpy as np

import stablemate as sm
from stablemate.xla.builder.handle import XlaOp
from tests.oracle.client import Oracle

X = np.float32([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])


def softmax() -> sm.XlaBuilder:
    """Rows that add up to one."""
    b = sm.XlaBuilder("softmax")
    x = b.parameter(0, "f32[3,4]", "x")
    largest = b.reduce(x, -np.inf, lambda p, q: p.builder.operator("max", p, q), [-1])
    powers = b.exp(b.sub(x, largest, [0]))
    b.div(powers, b.reduce(powers, 0.0, lambda p, q: p + q, [1]), [0])
    return b


def test_a_built_module_runs_natively_and_in_the_interpreter() -> None:
    module = softmax().build()
    module.verify()
    powers = np.exp(X.astype(np.float64) - X.max(1, keepdims=True))
    expected = powers / powers.sum(1, keepdims=True)
    for backend in ("cpu", "interpreter"):
        result = module.run(X, backend=backend)
        np.testing.assert_allclose(result, expected, rtol=1e-6)


def test_a_built_module_is_written_and_read(oracle: Oracle) -> None:
    module = softmax().build()
    for source in (module.to_text(), module.to_proto()):
        again = sm.load(source)
        assert again.to_text() == module.to_text()
        assert oracle.hlo_text(source) == oracle.hlo_text(module.to_text())
    stablehlo = module.to_stablehlo()
    np.testing.assert_array_equal(stablehlo.run(X), module.run(X))


def test_results_lie_in_the_layouts_of_the_parameters() -> None:
    b = sm.XlaBuilder("layouts")
    x = b.parameter(0, sm.Shape("f32[3,4]{0,1}"), "x")
    module = b.build(x + 1.0)
    assert "entry_computation_layout={(f32[3,4]{0,1})->f32[3,4]{1,0}}" in module.to_text()
    assert module.run(X).tolist() == (X + 1).tolist()


def test_modules_functions_and_builders_are_computations() -> None:
    inner = sm.XlaBuilder("twice")
    y = inner.parameter(0, "f32[3,4]")
    module = inner.build(y + y)

    def negated(x: XlaOp) -> XlaOp:
        return -x

    b = sm.XlaBuilder("outer")
    x = b.parameter(0, "f32[3,4]")
    op = b.call(negated, b.call(module, b.call(inner, b.call(module, x))))
    built = b.build(op)
    assert built.run(X).tolist() == (-8 * X).tolist()
    assert [computation for computation in built.computations if computation != "outer"] == [
        "twice",
        "twice.1",
        "negated",
    ]


def test_a_builder_grows_after_it_was_built() -> None:
    b = sm.XlaBuilder("grows")
    x = b.parameter(0, "f32[3,4]")
    first = b.build(x * 2.0)
    second = b.build(x * 3.0)
    assert first.run(X).tolist() == (X * 2).tolist()
    assert second.run(X).tolist() == (X * 3).tolist()
