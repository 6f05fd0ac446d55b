"""Kernels cut at the borders of padding and concatenation: compiled they are the interpreter's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import stablemate as sm
from stablemate.compiler.executable import CompiledExecutable
from stablemate.compiler.loops.expressions import Expressions
from stablemate.compiler.loops.statements import Loop, StoreElement, walk_statements
from stablemate.compiler.plan.plan import LaunchStep
from stablemate.compiler.schedule.boundary_splitting import (
    around_longest,
    guard_boundary,
    segments_of,
)
from stablemate.compiler.schedule.schedule import subexpressions

some = settings(max_examples=40, deadline=None, derandomize=True)
SHAPES = st.one_of(
    st.tuples(st.sampled_from([1, 515, 1024, 2050])),
    st.tuples(st.sampled_from([1, 2, 3, 65, 130]), st.sampled_from([1, 7, 16, 33, 100])),
    st.tuples(st.integers(1, 5), st.sampled_from([1, 20, 65]), st.sampled_from([3, 8, 17])),
)


class Program:
    """A program that is written operation by operation, each on the value before."""

    def __init__(self, shape: tuple[int, ...], element: str) -> None:
        self.shape = shape
        self.first = shape
        self.element = element
        self.lines = [f"%z = stablehlo.constant dense<7> : tensor<{element}>"]
        self.value = "%x"
        if element == "f32":
            self.lines[0] = "%z = stablehlo.constant dense<0.5> : tensor<f32>"

    def type(self, shape: tuple[int, ...]) -> str:
        """A tensor type."""
        return f"tensor<{''.join(f'{item}x' for item in shape)}{self.element}>"

    def add(self, line: str, shape: tuple[int, ...], operands: str) -> str:
        """Adds an operation."""
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = stablehlo.{line} : ({operands}) -> {self.type(shape)}")
        return name

    def pad(self, lows: list[int], highs: list[int], inside: list[int]) -> None:
        """Pads; negative padding takes away, as long as something is left."""
        sizes = [
            low + high + size + max(size - 1, 0) * step
            for size, low, high, step in zip(self.shape, lows, highs, inside, strict=True)
        ]
        if min(sizes) < 0:
            return
        value = f"low = {lows}, high = {highs}, interior = {inside}"
        operands = f"{self.type(self.shape)}, tensor<{self.element}>"
        self.value = self.add(f"pad {self.value}, %z, {value}", tuple(sizes), operands)
        self.shape = tuple(sizes)

    def part(self, begin: list[int], size: list[int], stride: int = 1) -> str:
        """A slice."""
        bounds = ", ".join(f"{b}:{b + s}:{stride}" for b, s in zip(begin, size, strict=True))
        shape = tuple(-(-item // stride) for item in size)
        return self.add(f"slice {self.value} [{bounds}]", shape, self.type(self.shape))

    def roll(self, dimension: int, by: int) -> None:
        """Moves elements along a dimension, those at the end to its beginning."""
        size = self.shape[dimension]
        if not size:
            return
        by %= size
        sizes = [*self.shape], [*self.shape]
        sizes[0][dimension], sizes[1][dimension] = by, size - by
        begin = [0] * len(self.shape)
        tail = self.part([*begin[:dimension], size - by, *begin[dimension + 1 :]], sizes[0])
        head = self.part(begin, sizes[1])
        operands = f"{self.type(tuple(sizes[0]))}, {self.type(tuple(sizes[1]))}"
        joined = f"concatenate {tail}, {head}, dim = {dimension}"
        self.value = self.add(joined, self.shape, operands)

    def twice(self, dimension: int) -> None:
        """The value and, behind it, the value in the opposite order."""
        here = self.type(self.shape)
        back = self.add(f"reverse {self.value}, dims = [{dimension}]", self.shape, here)
        back = back.replace("(", "").replace(")", "")
        shape = [*self.shape]
        shape[dimension] *= 2
        joined = f"concatenate {self.value}, {back}, dim = {dimension}"
        self.value = self.add(joined, tuple(shape), f"{here}, {here}")
        self.shape = tuple(shape)

    def combined(self, other: str, shape: tuple[int, ...]) -> None:
        """A difference with a value of the same shape."""
        if shape == self.shape:
            here = self.type(shape)
            self.value = self.add(f"subtract {self.value}, {other}", shape, f"{here}, {here}")

    def transposed(self) -> None:
        """Dimensions in the opposite order."""
        order = [*reversed(range(len(self.shape)))]
        shape = self.shape[::-1]
        here = self.type(self.shape)
        self.value = self.add(f"transpose {self.value}, dims = {order}", shape, here)
        self.shape = shape

    def text(self) -> str:
        """The program."""
        body = "\n".join(self.lines)
        return f"""func.func @main(%x: {self.type(self.first)}) -> {self.type(self.shape)} {{
{body}
return {self.value} : {self.type(self.shape)} }}"""


def check(program: Program, seed: int = 0) -> CompiledExecutable:
    """Compares with the interpreter."""
    module = sm.load(program.text())
    executable: Any = sm.compile(module, backend="cpu")
    assert isinstance(executable, CompiledExecutable)
    dtype = {"f32": np.float32, "i8": np.int8, "i64": np.int64}[program.element]
    x = np.random.default_rng(seed).integers(-100, 100, program.first).astype(dtype)
    expected = sm.compile(module, backend="interpreter")(x)
    np.testing.assert_array_equal(executable(x), expected)
    return executable


@some
@given(SHAPES, st.sampled_from(["f32", "i8", "i64"]), st.data())
def test_moved_elements(shape: tuple[int, ...], element: str, data: st.DataObject) -> None:
    program = Program(shape, element)
    rank = len(shape)
    for _ in range(data.draw(st.integers(1, 4))):
        before, old = program.value, program.shape
        match data.draw(st.sampled_from(["pad", "roll", "twice", "turn", "combine"])):
            case "pad":
                edges = st.lists(st.integers(-3, 5), min_size=rank, max_size=rank)
                steps = st.lists(st.sampled_from([0, 0, 0, 1, 2]), min_size=rank, max_size=rank)
                program.pad(data.draw(edges), data.draw(edges), data.draw(steps))
            case "roll":
                program.roll(data.draw(st.integers(0, rank - 1)), data.draw(st.integers(-40, 40)))
            case "twice" if np.prod(program.shape) < 1 << 14:
                program.twice(data.draw(st.integers(0, rank - 1)))
            case "turn":
                program.transposed()
            case _:
                program.roll(data.draw(st.integers(0, rank - 1)), data.draw(st.integers(-2, 2)))
                program.combined(before, old)
    check(program)


def kernels(executable: CompiledExecutable) -> list[list[Any]]:
    """The statements of each kernel."""
    steps = executable.plan.steps
    return [[*walk_statements(step.kernel.body)] for step in steps if isinstance(step, LaunchStep)]


def test_stencil_has_no_guard_in_its_rows() -> None:
    program = Program((130, 64), "f32")
    program.pad([1, 1], [1, 1], [0, 0])
    sides = [([0, 1], "north"), ([2, 1], "south"), ([1, 0], "west"), ([1, 2], "east")]
    parts = [program.part(begin, [130, 64]) for begin, _ in sides]
    program.shape, program.value = (130, 64), parts[0]
    for part in parts[1:]:
        program.combined(part, (130, 64))
    (statements,) = kernels(check(program))
    stores = [statement for statement in statements if isinstance(statement, StoreElement)]
    subexpressions_result = subexpressions([store.value for store in stores])
    assert not [item for item in subexpressions_result if item.operator in ("select", "sle", "slt")]
    assert len(stores) == 9  # corners, edges, the middle
    assert any(
        isinstance(statement, Loop) and statement.kind == "vector" for statement in statements
    )


@pytest.mark.parametrize(("shape", "dimension"), [((4096,), 0), ((5, 400), 0), ((400, 5), 1)])
def test_concatenated_operands_are_stored_in_their_places(
    shape: tuple[int, ...], dimension: int
) -> None:
    program = Program(shape, "f32")
    program.twice(dimension)
    program.roll(dimension, 3)
    (statements,) = kernels(check(program))
    stores = [statement for statement in statements if isinstance(statement, StoreElement)]
    assert len(stores) == 3  # the end of the second half, the first one, the rest of the second
    assert not [
        e for store in stores for e in subexpressions([store.value]) if e.operator == "select"
    ]


def test_many_pieces_are_three_around_the_longest() -> None:
    table = Expressions()
    i = table.loop_index("i", 1000)
    guards = [table.inside(i, 0, 10 * k) for k in range(1, 40)]
    (value,) = segments_of([(i.operands[0], 1000)], subexpressions(guards)).values()
    assert value == [(0, 391), (391, 609)]
    few = segments_of([(i.operands[0], 1000)], subexpressions(guards[:4]))
    assert [*few.values()] == [[(0, 11), (11, 10), (21, 10), (31, 10), (41, 959)]]


def test_small_results_are_one_piece() -> None:
    program = Program((9, 9), "f32")
    program.pad([1, 1], [1, 1], [0, 0])
    (statements,) = kernels(check(program))
    assert sum(isinstance(statement, StoreElement) for statement in statements) == 1


@given(st.integers(-5, 5).filter(bool), st.integers(-9, 9), st.integers(-9, 9), st.booleans(),
       st.sampled_from(["sle", "slt"]))  # fmt: skip
def test_cut_is_where_the_answer_changes(
    factor: int, constant: int, bound: int, is_exchanged: bool, operator: str
) -> None:
    table = Expressions()
    index = table.loop_index("i", 1000)
    operands = [index * factor + constant, table.constant(bound, "index")]
    if is_exchanged:
        operands.reverse()
    guard = table.make(operator, tuple(operands), None, "i1")
    atom, cut = guard_boundary(guard)
    assert atom is not None

    def answer(i: int) -> bool:
        lhs, rhs = (i * factor + constant, bound)[:: -1 if is_exchanged else 1]
        return lhs < rhs if operator == "slt" else lhs <= rhs

    assert [i for i in range(-30, 30) if answer(i) != answer(i - 1)] == [cut]


def test_guards_of_two_indices_cut_nothing() -> None:
    table = Expressions()
    i, j = table.loop_index("i", 100), table.loop_index("j", 100)
    guard = table.inside(i + j, 3, 50)
    atoms = [(operation.operands[0], 100) for operation in (i, j)]
    assert segments_of(atoms, subexpressions([guard])) == {}


def test_pieces_around_the_longest() -> None:
    assert around_longest([(0, 2), (2, 9), (11, 3), (14, 1)]) == [(0, 2), (2, 9), (11, 4)]
    assert around_longest([(0, 9), (9, 3)]) == [(0, 9), (9, 3)]
