"""Forms of collective operations: groups along mesh axes, several operands, roots, HLO's tuples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import pytest

import stablemate as sm
from stablemate.execution.signature import is_tuple
from tests.execution.grids import bits
from tests.execution.reference_formulas import GLOBAL, region
from tests.oracle.elements import Array

Formula: TypeAlias = Callable[[list[Array], int], Array]  # of what a group holds, and the place
BACKENDS: Final = ("interpreter", "cpu")
ADD: Final = region("i32", "%r = stablehlo.add %a, %b : tensor<i32>")
T: Final = "tensor<4x4xi32>"
X: Final = [np.arange(16, dtype=np.int32).reshape(4, 4) * 10 + k for k in range(4)]
Y: Final = [-item.T.copy() * (k + 1) for k, item in enumerate(X)]


def flat(value: Any) -> tuple[Any, ...]:
    """Results as a tuple."""
    return value if is_tuple(value) else (value,)


def check(text: str, arguments: Sequence[Any], expected: Sequence[Any], **grid: Any) -> None:
    """Both executors give every process the bits that it should have."""
    for backend in BACKENDS:
        per_process = sm.run_grid(text, list(arguments), backend=backend, **grid)
        for ours, theirs in zip(per_process, expected, strict=True):
            results, wanted = flat(ours), flat(theirs)
            assert [bits(result) for result in results] == [bits(item) for item in wanted], backend


# ---- groups along the axes of a mesh


def mesh(axes: str, *parts: str) -> str:
    """The attribute of groups whose members differ in these parts of axes."""
    sizes = ", ".join(
        f'<name = "{name}", size = {size}>'
        for name, size in (axis.split("=") for axis in axes.split())
    )
    refs = ", ".join(f"#stablehlo.axis_ref<{part}>" for part in parts)
    value = f"mesh = #stablehlo.mesh<axes = [{sizes}]>, axes = [{refs}]"
    return f"#stablehlo.replica_group_mesh_axes<{value}>"


HALF: Final = 'name = "x", sub_axis_info = ({})2'
MESHES: Final = {
    "x": (mesh("x=2 y=2", 'name = "x"'), [[0, 2], [1, 3]]),
    "y": (mesh("x=2 y=2", 'name = "y"'), [[0, 1], [2, 3]]),
    "x and y": (mesh("x=2 y=2", 'name = "x"', 'name = "y"'), [[0, 1, 2, 3]]),
    "y and x": (mesh("x=2 y=2", 'name = "y"', 'name = "x"'), [[0, 2, 1, 3]]),
    "major half": (mesh("x=4", HALF.format(1)), [[0, 2], [1, 3]]),
    "minor half": (mesh("x=4", HALF.format(2)), [[0, 1], [2, 3]]),
}


@pytest.mark.parametrize("name", MESHES)
def test_groups_along_the_axes_of_a_mesh(name: str) -> None:
    attribute, groups = MESHES[name]
    n = len(groups[0])
    half, groups_of = f"tensor<{4 // n}x4xi32>", f"replica_groups = {attribute}{GLOBAL}"
    text = f"""func.func @main(%x: {T}) -> (tensor<{4 * n}x4xi32>, {T}, {half}) {{
  %0 = "stablehlo.all_gather"(%x) <{{all_gather_dim = 0 : i64, {groups_of}}}>
    : ({T}) -> tensor<{4 * n}x4xi32>
  %1 = "stablehlo.all_reduce"(%x) <{{{groups_of}}}> {ADD} : ({T}) -> {T}
  %2 = "stablehlo.reduce_scatter"(%x) <{{scatter_dimension = 0 : i64, {groups_of}}}> {ADD}
    : ({T}) -> {half}
  return %0, %1, %2 : tensor<{4 * n}x4xi32>, {T}, {half}
}}"""
    expected: list[Any] = [None] * 4
    for group in groups:
        pieces = [X[item] for item in group]
        total = sum(pieces[1:], pieces[0])
        for place, process in enumerate(group):
            expected[process] = np.concatenate(pieces), total, np.split(total, n)[place]
    check(text, X, expected, partitions=4)


# ---- several operands


PAIRS: Final = "replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>"
GROUPS: Final = ([0, 2], [3, 1])
TWO: Final = f"{T}, {T}"


def by_group(formula: Formula) -> list[Any]:
    """What each process has by a formula of what its group holds, x and y, and its place."""
    collected: list[Any] = [None] * 4
    for group in GROUPS:
        for place, process in enumerate(group):
            pieces = [[X[item] for item in group], [Y[item] for item in group]]
            collected[process] = tuple(formula(values, place) for values in pieces)
    return collected


VARIADIC: Final[dict[str, tuple[str, str, tuple[int, int], Formula]]] = {
    "all_reduce": (PAIRS, ADD, (4, 4), lambda pieces, _: pieces[0] + pieces[1]),
    "all_gather": (
        f"all_gather_dim = 1 : i64, {PAIRS}", "", (4, 8),
        lambda pieces, _: np.concatenate(pieces, 1),
    ),
    "all_to_all": (
        f"split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, {PAIRS}",
        "", (2, 8),
        lambda pieces, place: np.concatenate([np.split(item, 2)[place] for item in pieces], 1),
    ),
    "collective_broadcast": (PAIRS, "", (4, 4), lambda pieces, _: pieces[0]),
    "collective_reduce": (
        PAIRS, ADD, (4, 4),
        lambda pieces, place: np.zeros_like(pieces[0]) if place else pieces[0] + pieces[1],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", VARIADIC)
def test_several_operands(name: str) -> None:
    attributes, body, (rows, columns), formula = VARIADIC[name]
    result = f"tensor<{rows}x{columns}xi32>"
    text = f"""func.func @main(%x: {T}, %y: {T}) -> ({result}, {result}) {{
  %0:2 = "stablehlo.{name}"(%x, %y) <{{{attributes}}}> {body} : ({TWO}) -> ({result}, {result})
  return %0#0, %0#1 : {result}, {result}
}}"""
    check(text, list(zip(X, Y, strict=True)), by_group(formula), replicas=4)


@pytest.mark.parametrize("name", ["collective_broadcast", "collective_reduce"])
def test_each_operand_has_a_root_of_its_own(name: str) -> None:
    """In the groups {0, 2} and {3, 1}: the roots are places in a group, by operand."""
    body = ADD if name == "collective_reduce" else ""
    text = f"""func.func @main(%x: {T}, %y: {T}, %roots: tensor<2xi32>) -> ({TWO}) {{
  %0:2 = "stablehlo.{name}"(%x, %y, %roots) <{{{PAIRS}, has_dynamic_root}}> {body}
    : ({TWO}, tensor<2xi32>) -> ({TWO})
  return %0#0, %0#1 : {TWO}
}}"""
    roots = {0: [1, 0], 2: [1, 0], 3: [0, 1], 1: [0, 1]}
    expected: list[Any] = [None] * 4
    for group in GROUPS:
        for place, process in enumerate(group):
            collected: list[Array] = []
            for pieces, root in zip((X, Y), roots[process], strict=True):
                if name == "collective_broadcast":
                    collected.append(pieces[group[root]])
                else:
                    total = pieces[group[0]] + pieces[group[1]]
                    collected.append(total if place == root else np.zeros_like(total))
            expected[process] = tuple(collected)
    arguments = [(X[i], Y[i], np.array(roots[i], np.int32)) for i in range(4)]
    check(text, arguments, expected, replicas=4)


def test_cross_replica_sum() -> None:
    text = f"""func.func @main(%x: {T}) -> {T} {{
  %0 = "stablehlo.cross-replica-sum"(%x) <{{{PAIRS}}}> : ({T}) -> {T}
  return %0 : {T}
}}"""
    sums = X[0] + X[2], X[1] + X[3]
    check(text, X, [sums[0], sums[1]] * 2, replicas=4)


# ---- quantized elements


def test_quantized_elements_travel_as_they_are_stored() -> None:
    q = "tensor<4x4x!quant.uniform<i8:f32, 0.5:-3>>"
    wide, thin = (
        name.join(("tensor<", "x!quant.uniform<i8:f32, 0.5:-3>>")) for name in ("8x4", "2x8")
    )
    text = f"""func.func @main(%x: {q}) -> ({wide}, {thin}, {q}, {q}) {{
  %0 = "stablehlo.all_gather"(%x) <{{all_gather_dim = 0 : i64, {PAIRS}}}> : ({q}) -> {wide}
  %1 = "stablehlo.all_to_all"(%x) <{{split_dimension = 0 : i64, concat_dimension = 1 : i64,
    split_count = 2 : i64, {PAIRS}}}> : ({q}) -> {thin}
  %2 = "stablehlo.collective_permute"(%x) <{{source_target_pairs =
    dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}}> : ({q}) -> {q}
  %3 = "stablehlo.collective_broadcast"(%x) <{{{PAIRS}}}> : ({q}) -> {q}
  return %0, %1, %2, %3 : {wide}, {thin}, {q}, {q}
}}"""
    pieces = [
        np.random.default_rng(k).integers(-128, 128, (4, 4)).astype(np.int8) for k in range(4)
    ]
    expected: list[Any] = [None] * 4
    for group in GROUPS:
        parts = [pieces[item] for item in group]
        for place, process in enumerate(group):
            before = pieces[process - 1] if process else np.full((4, 4), -3, np.int8)  # zero
            across = np.concatenate([np.split(part, 2)[place] for part in parts], 1)
            expected[process] = np.concatenate(parts), across, before, parts[0]
    check(text, pieces, expected, replicas=4)


# ---- tuples of HLO


TUPLES: Final[dict[str, tuple[str, str, Formula]]] = {
    "all-reduce": (
        "(s32[4,4], s32[4,4])", "to_apply=add", lambda pieces, _: pieces[0] + pieces[1],
    ),
    "all-gather": (
        "(s32[4,8], s32[4,8])", "dimensions={1}", lambda pieces, _: np.concatenate(pieces, 1),
    ),
    "reduce-scatter": (
        "(s32[2,4], s32[2,4])", "dimensions={0}, to_apply=add",
        lambda pieces, place: np.split(pieces[0] + pieces[1], 2)[place],
    ),
    "collective-broadcast": ("(s32[4,4], s32[4,4])", "", lambda pieces, _: pieces[0]),
}  # fmt: skip


@pytest.mark.parametrize("opcode", TUPLES)
def test_instructions_of_several_arrays_give_tuples(opcode: str) -> None:
    shape, attributes, formula = TUPLES[opcode]
    value = ", ".join(filter(None, ("replica_groups={{0,2},{3,1}}", attributes)))
    text = f"""HloModule m, replica_count=4

add {{
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b)
}}

ENTRY e {{
  x = s32[4,4] parameter(0)
  y = s32[4,4] parameter(1)
  ROOT t = {shape} {opcode}(x, y), {value}
}}"""
    module = sm.load(text).to_stablehlo()
    for backend in BACKENDS:
        per_process = sm.run_grid(module, list(zip(X, Y, strict=True)), replicas=4, backend=backend)
        for ours, theirs in zip(per_process, by_group(formula), strict=True):
            assert [bits(result) for result in ours] == [bits(result) for result in theirs], backend


def test_an_array_for_each_member() -> None:
    """``all-to-all`` of tuples: array k goes to member k."""
    text = """HloModule m, replica_count=4

ENTRY e {
  x = s32[4,4] parameter(0)
  y = s32[4,4] parameter(1)
  ROOT t = (s32[4,4], s32[4,4]) all-to-all(x, y), replica_groups={{0,2},{3,1}}
}"""
    module = sm.load(text).to_stablehlo()
    expected: list[Any] = [None] * 4
    for group in GROUPS:
        for place, process in enumerate(group):
            expected[process] = [(X, Y)[place][item] for item in group]
    for backend in BACKENDS:
        per_process = sm.run_grid(module, list(zip(X, Y, strict=True)), replicas=4, backend=backend)
        for ours, theirs in zip(per_process, expected, strict=True):
            assert [bits(result) for result in ours] == [bits(result) for result in theirs], backend
