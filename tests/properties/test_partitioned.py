"""Generated programs of divided tensors compute the same on devices as on one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm

SIZES: Final = (4, 8, 12)
AXES: Final = ("", '"x"', '"y"', '"x", "y"', '"y", "x"')
Shape = tuple[int, ...]


def tensor(shape: Shape) -> str:
    """The type of a tensor."""
    return f"tensor<{''.join(f'{n}x' for n in shape)}f32>"


@st.composite
def sharding(draw: st.DrawFn, shape: Shape) -> str:
    """Axes for each dimension that four devices can share, each axis used once."""
    free: list[str] = [*AXES]
    collected: list[str] = []
    for size in shape:
        chosen = draw(st.sampled_from(free)) if size % 4 == 0 else ""
        free = [item for item in free if not set("xy") & set(chosen) & set(item)]
        collected.append(f"{{{chosen}}}")
    return f"<@mesh, [{', '.join(collected)}]>"


class Program:
    """A program in the making: its lines, and the shapes of its values."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.shapes: list[Shape] = []

    def add(self, text: str, shape: Shape) -> None:
        """An operation."""
        self.lines.append(f"%{len(self.shapes)} = {text}")
        self.shapes.append(shape)

    def step(self) -> None:
        """An operation on values that are there."""
        i = self.draw(st.integers(0, len(self.shapes) - 1))
        shape = self.shapes[i]
        name = self.draw(st.sampled_from(sorted(STEPS)))
        STEPS[name](self, i, shape)

    def negate(self, i: int, shape: Shape) -> None:
        self.add(f"stablehlo.negate %{i} : {tensor(shape)}", shape)

    def add_like(self, i: int, shape: Shape) -> None:
        equal = [k for k, item in enumerate(self.shapes) if item == shape]
        k = self.draw(st.sampled_from(equal))
        self.add(f"stablehlo.add %{i}, %{k} : {tensor(shape)}", shape)

    def transpose(self, i: int, shape: Shape) -> None:
        order: list[int] = [*self.draw(st.permutations(range(len(shape))))]
        result = tuple(shape[d] for d in order)
        types = f"({tensor(shape)}) -> {tensor(result)}"
        self.add(f"stablehlo.transpose %{i}, dims = {list(order)} : {types}", result)

    def reduce(self, i: int, shape: Shape) -> None:
        d = self.draw(st.integers(0, len(shape) - 1))
        result = shape[:d] + shape[d + 1 :]
        op = self.draw(st.sampled_from(["add", "maximum"]))
        types = f"({tensor(shape)}, tensor<f32>) -> {tensor(result)}"
        self.add(
            f"stablehlo.reduce(%{i} init: %c) applies stablehlo.{op} across dimensions = [{d}]"
            f" : {types}",
            result,
        )

    def broadcast(self, i: int, shape: Shape) -> None:
        if len(shape) > 2:
            return
        result = (self.draw(st.sampled_from(SIZES)), *shape)
        dims = list(range(1, len(result)))
        types = f"({tensor(shape)}) -> {tensor(result)}"
        self.add(f"stablehlo.broadcast_in_dim %{i}, dims = {dims} : {types}", result)

    def dot(self, i: int, shape: Shape) -> None:
        k = self.draw(st.integers(0, len(self.shapes) - 1))
        other = self.shapes[k]
        pairs = [(a, b) for a, m in enumerate(shape) for b, n in enumerate(other) if m == n]
        if not pairs or len(shape) + len(other) > 5:
            return
        a, b = self.draw(st.sampled_from(pairs))
        result = (*shape[:a], *shape[a + 1 :], *other[:b], *other[b + 1 :])
        types = f"({tensor(shape)}, {tensor(other)}) -> {tensor(result)}"
        text = f"stablehlo.dot_general %{i}, %{k}, contracting_dims = [{a}] x [{b}] : {types}"
        self.add(text, result)

    def constrain(self, i: int, shape: Shape) -> None:
        draw_result = self.draw(sharding(shape))
        self.add(f"sdy.sharding_constraint %{i} {draw_result} : {tensor(shape)}", shape)

    def reshape(self, i: int, shape: Shape) -> None:
        """Gathered first: pieces of merged dimensions are not always ranges."""
        whole = ", ".join("{}" for _ in shape)
        self.add(f"sdy.sharding_constraint %{i} <@mesh, [{whole}]> : {tensor(shape)}", shape)
        result = (shape[0] * shape[1], *shape[2:]) if len(shape) > 1 else (shape[0] // 4, 4)
        types = f"({tensor(shape)}) -> {tensor(result)}"
        self.add(f"stablehlo.reshape %{len(self.shapes) - 1} : {types}", result)


def needs_rank(step: Any) -> Any:
    """A step for tensors that have a dimension."""

    def guarded(program: Program, i: int, shape: Shape) -> None:
        if shape:
            step(program, i, shape)

    return guarded


STEPS: Final[dict[str, Any]] = {
    "add": Program.add_like,
    "broadcast": Program.broadcast,
    "constrain": needs_rank(Program.constrain),
    "dot": needs_rank(Program.dot),
    "negate": Program.negate,
    "reduce": needs_rank(Program.reduce),
    "reshape": needs_rank(Program.reshape),
    "transpose": needs_rank(Program.transpose),
}


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, list[Shape]]:
    """A program with the shapes of its arguments."""
    program = Program(draw)
    arguments: list[str] = []
    for i in range(draw(st.integers(1, 3))):
        sizes: list[int] = draw(st.lists(st.sampled_from(SIZES), min_size=1, max_size=2))
        shape = tuple(sizes)
        value = f"sdy.sharding = #sdy.sharding{draw(sharding(shape))}"
        arguments.append(f"%{i}: {tensor(shape)} {{{value}}}")
        program.shapes.append(shape)
    count = len(arguments)
    for _ in range(draw(st.integers(1, 8))):
        program.step()
    program.negate(len(program.shapes) - 1, program.shapes[-1])
    body = "\n  ".join(["%c = stablehlo.constant dense<0.0> : tensor<f32>", *program.lines])
    result = tensor(program.shapes[-1])
    text = f"""sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main({", ".join(arguments)}) -> {result} {{
  {body}
  return %{len(program.shapes) - 1} : {result}
}}"""
    return text, program.shapes[:count]


@settings(max_examples=100, deadline=None)
@given(programs(), st.integers(0, 100))
def test_partitioned_programs_compute_the_same(draw: Any, seed: int) -> None:
    text, shapes = draw
    random: Any = np.random.RandomState(seed)
    inputs: list[Any] = [random.randint(-2, 3, shape).astype(np.float32) for shape in shapes]
    module = sm.load(text)
    expected = module.run(*inputs, backend="interpreter")
    options: dict[str, Any] = {"partition": True, "whole": True, "backend": "interpreter"}
    (value,) = sm.run_grid(module, tuple(inputs), partitions=4, **options)
    # Whole numbers: sums are exact in every order until they are large.
    slack = 1e-5 * max(np.abs(expected).max(initial=0) - 2**24, 0)
    np.testing.assert_allclose(value, expected, rtol=0, atol=slack)
