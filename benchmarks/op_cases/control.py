"""Control flow, sizes, and operations of processes, here on a single one."""

from typing import Final

import numpy as np

from benchmarks.op_cases.case import Case, Work, draw, i64s, reducer, square, tensor
from benchmarks.op_cases.movement import matrix, several

GROUPS: Final = "replica_groups = dense<0> : tensor<1x1xi64>"


def while_(element: str, n: int) -> Work:
    """A counter; every iteration is a step."""
    scalar, truth = tensor(element), tensor("i1")
    condition = (
        f"{{\n^bb0(%i: {scalar}, %n: {scalar}):\n"
        '  %p = "stablehlo.compare"(%i, %n) <{comparison_direction = '
        f"#stablehlo<comparison_direction LT>}}> : ({scalar}, {scalar}) -> {truth}\n"
        f'  "stablehlo.return"(%p) : ({truth}) -> ()\n}}'
    )
    body = (
        f"{{\n^bb0(%i: {scalar}, %n: {scalar}):\n"
        f'  %c = "stablehlo.constant"() <{{value = dense<1> : {scalar}}}> : () -> {scalar}\n'
        f'  %j = "stablehlo.add"(%i, %c) : ({scalar}, {scalar}) -> {scalar}\n'
        f'  "stablehlo.return"(%j, %n) : ({scalar}, {scalar}) -> ()\n}}'
    )
    count = np.full((), n, np.int32)
    return Work(
        [np.zeros((), np.int32), count], [scalar, scalar], "", [condition, body],
        numpy=counted, steps=n,
    )  # fmt: skip


def counted(i: np.int32, n: np.int32) -> np.int32:
    """The same loop over NumPy scalars."""
    one, i, n = np.int32(1), np.int32(i), np.int32(n)
    while i < n:
        i = i + one
    return i


def branch(element: str) -> str:
    """A region that returns a constant."""
    scalar = tensor(element)
    return (
        f'{{\n  %c = "stablehlo.constant"() <{{value = dense<1.0> : {scalar}}}> : () -> {scalar}\n'
        f'  "stablehlo.return"(%c) : ({scalar}) -> ()\n}}'
    )


def if_(element: str, n: int) -> Work:
    """One of two constants; its time is its latency."""
    return Work([np.array(True)], [tensor(element)], "", [branch(element)] * 2)


def case(element: str, n: int) -> Work:
    """One of three constants; its time is its latency."""
    return Work([np.array(1, np.int32)], [tensor(element)], "", [branch(element)] * 3)


def optimization_barrier(element: str, n: int) -> Work:
    """Values as they are."""
    return Work([draw(element, n)], [tensor(element, n)], numpy=np.copy)


def get_dimension_size(element: str, n: int) -> Work:
    """Of a vector."""
    return Work([draw(element, n)], [tensor("i32")], "dimension = 0 : i64", numpy=np.size)


def all_reduce(element: str, n: int) -> Work:
    """Among one process."""
    return Work(
        [draw(element, n)], [tensor(element, n)], GROUPS, [reducer("add", element)], numpy=np.copy
    )


def all_gather(element: str, n: int) -> Work:
    """Among one process."""
    x = matrix(element, n)
    attributes = f"all_gather_dim = 0 : i64, {GROUPS}"
    return Work([x], [tensor(element, *x.shape)], attributes, numpy=np.copy)


def all_to_all(element: str, n: int) -> Work:
    """Among one process."""
    x = matrix(element, n)
    attributes = (
        f"split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64, {GROUPS}"
    )
    return Work([x], [tensor(element, *x.shape)], attributes, numpy=np.copy)


def reduce_scatter(element: str, n: int) -> Work:
    """Among one process."""
    x = matrix(element, n)
    return Work(
        [x], [tensor(element, *x.shape)], f"scatter_dimension = 0 : i64, {GROUPS}",
        [reducer("add", element)], numpy=np.copy,
    )  # fmt: skip


def collective_permute(element: str, n: int) -> Work:
    """To itself."""
    attributes = "source_target_pairs = dense<0> : tensor<1x2xi64>"
    return Work([draw(element, n)], [tensor(element, n)], attributes, numpy=np.copy)


def collective_broadcast(element: str, n: int) -> Work:
    """Among one process."""
    return Work([draw(element, n)], [tensor(element, n)], GROUPS, numpy=np.copy)


def custom_call(target: str, element: str, n: int) -> Work:
    """LAPACK of one matrix."""
    side = square(n // 16)
    x = draw(element, side, side)
    x = np.asarray(x @ x.T + side * np.eye(side), x.dtype)
    return Work(
        [x],
        [tensor(element, side, side), tensor("i32")],
        f'call_target_name = "{target}", api_version = 4 : i32, '
        "backend_config = {uplo = 76 : ui8}, "
        "operand_layouts = [dense<[0, 1]> : tensor<2xindex>], "
        "result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]",
        numpy=np.linalg.cholesky,
    )


def broadcast(element: str, n: int) -> Work:
    """The deprecated broadcast: a row to a matrix."""
    side = square(n)
    return Work(
        [draw(element, side)],
        [tensor(element, side, side)],
        f"broadcast_sizes = {i64s(side)}",
        numpy=lambda x: np.broadcast_to(x, (side, side)).copy(),
        steps=side * side,
    )


CASES: Final[tuple[Case, ...]] = (
    *several("while", while_, "i32", kind="counter"),
    *several("if", if_, "f32"),
    *several("case", case, "f32"),
    *several("optimization_barrier", optimization_barrier, "f32"),
    *several("get_dimension_size", get_dimension_size, "f32"),
    *several("all_reduce", all_reduce, "f32"),
    *several("all_gather", all_gather, "f32"),
    *several("all_to_all", all_to_all, "f32"),
    *several("reduce_scatter", reduce_scatter, "f32"),
    *several("collective_permute", collective_permute, "f32"),
    *several("collective_broadcast", collective_broadcast, "f32"),
    *several("broadcast", broadcast, "f32", "i4"),
    Case(
        "stablehlo.custom_call",
        "lapack_spotrf_ffi",
        lambda n: custom_call("lapack_spotrf_ffi", "f32", n),
    ),
)
