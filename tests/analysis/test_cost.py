"""What operations cost: by hand, from the formulas of the specification."""

import math
from typing import cast

import pytest

import stablemate as sm
from stablemate.analysis.cost import Cost, costs_of
from stablemate.dialects.calls import CALLS
from stablemate.dialects.registry import OPERATIONS, names_in
from stablemate.ir.definition import Op, definition_of
from stablemate.ir.traits import Trait

# What no formula is known for: the numbers come from elsewhere, or too much is left open.
OPAQUE = {
    "stablehlo.custom_call",
    "stablehlo.einsum",
    "stablehlo.rng",
    "stablehlo.rng_bit_generator",
}
ROWS = "tensor<8x16xf32>"


def cost(body: str, arguments: str = f"%x: {ROWS}", more: str = "") -> Cost:
    """The cost of a function with this body."""
    module = sm.load(f"func.func @main({arguments}) {{\n{body}\nreturn\n}}\n{more}")
    module.verify()
    return costs_of(module.ir)["main"]


def region(name: str, types: str = "f32") -> str:
    """A region that combines two scalars."""
    tensor = f"tensor<{types}>"
    return (
        f"({{\n^bb0(%l: {tensor}, %r: {tensor}):\n%c = stablehlo.{name} %l, %r : {tensor}\n"
        f'"stablehlo.return"(%c) : ({tensor}) -> ()\n}})'
    )


@pytest.mark.parametrize(
    ("text", "flops", "transcendentals"),
    [
        (f"%0 = stablehlo.add %x, %x : {ROWS}", 128, 0),
        (f"%0 = stablehlo.tanh %x : {ROWS}", 0, 128),
        (f"%0 = stablehlo.power %x, %x : {ROWS}", 0, 128),
        (f"%0 = stablehlo.clamp %x, %x, %x : {ROWS}", 256, 0),
        (f"%0 = stablehlo.transpose %x, dims = [1, 0] : ({ROWS}) -> tensor<16x8xf32>", 0, 0),
        (f"%0 = chlo.erf %x : {ROWS} -> {ROWS}", 0, 128),
    ],
)
def test_elements(text: str, flops: int, transcendentals: int) -> None:
    estimate = cost(text)
    assert (estimate.flops, estimate.transcendentals) == (flops, transcendentals)
    assert estimate.is_complete


def test_bytes_are_those_of_operands_and_results() -> None:
    assert cost(f"%0 = stablehlo.add %x, %x : {ROWS}").bytes == 3 * 8 * 16 * 4
    assert cost(f"%0 = stablehlo.constant dense<1.0> : {ROWS}").bytes == 0


@pytest.mark.parametrize(
    ("text", "size"),
    [
        # two rows of 16 are read and written; indices are 4 bytes each
        (f"%0 = stablehlo.slice %x [2:4, 0:16] : ({ROWS}) -> tensor<2x16xf32>", 2 * 128),
        (
            f"%0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 16] : ({ROWS}, tensor<i32>, "
            "tensor<i32>) -> tensor<2x16xf32>",
            2 * 128 + 2 * 4,
        ),
        (
            f"%0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : ({ROWS}, tensor<2x16xf32>, "
            f"tensor<i32>, tensor<i32>) -> {ROWS}",
            2 * 128 + 2 * 4,
        ),
        (
            f'%0 = "stablehlo.gather"(%x, %n) <{{dimension_numbers = #stablehlo.gather<offset_dims '
            "= [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, "
            f"slice_sizes = array<i64: 1, 16>}}> : ({ROWS}, tensor<3x1xi32>) -> tensor<3x16xf32>",
            2 * 192 + 3 * 4,
        ),
        (
            f'%0 = "stablehlo.scatter"(%x, %n, %v) <{{scatter_dimension_numbers = '
            "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
            "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> "
            f"{region('add')} : ({ROWS}, tensor<3x1xi32>, tensor<3x16xf32>) -> {ROWS}",
            3 * 192 + 3 * 4,
        ),
    ],
    ids=["slice", "dynamic_slice", "dynamic_update_slice", "gather", "scatter"],
)
def test_slices_move_what_they_take_or_put(text: str, size: int) -> None:
    arguments = (
        f"%x: {ROWS}, %u: tensor<2x16xf32>, %v: tensor<3x16xf32>, %i: tensor<i32>, "
        "%n: tensor<3x1xi32>"
    )
    assert cost(text, arguments).bytes == size


def test_dot_general_is_twice_batch_m_n_k() -> None:
    estimate = cost(
        "%0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x "
        "[1] : (tensor<5x3x7xf32>, tensor<5x7x11xf32>) -> tensor<5x3x11xf32>",
        "%x: tensor<5x3x7xf32>, %y: tensor<5x7x11xf32>",
    )
    assert estimate.flops == 2 * 5 * 3 * 7 * 11
    assert estimate.bytes == 4 * (5 * 3 * 7 + 5 * 7 * 11 + 5 * 3 * 11)


def test_a_convolution_multiplies_one_window_for_each_result() -> None:
    estimate = cost(
        "%0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        "window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : "
        "(tensor<2x9x9x4xf32>, tensor<3x3x2x6xf32>) -> tensor<2x7x7x6xf32>",
        "%x: tensor<2x9x9x4xf32>, %k: tensor<3x3x2x6xf32>",
    )
    assert estimate.flops == 2 * (2 * 7 * 7 * 6) * (3 * 3 * 2)


def test_a_reduction_combines_every_element() -> None:
    estimate = cost(
        f'%0 = "stablehlo.reduce"(%x, %i) <{{dimensions = array<i64: 1>}}> {region("add")} : '
        f"({ROWS}, tensor<f32>) -> tensor<8xf32>",
        f"%x: {ROWS}, %i: tensor<f32>",
    )
    assert estimate == Cost(flops=128, bytes=4 * (128 + 1 + 8))


def test_windows_overlap() -> None:
    estimate = cost(
        f'%0 = "stablehlo.reduce_window"(%x, %i) <{{window_dimensions = array<i64: 1, 4>}}> '
        f"{region('maximum')} : ({ROWS}, tensor<f32>) -> tensor<8x13xf32>",
        f"%x: {ROWS}, %i: tensor<f32>",
    )
    assert estimate.flops == 8 * 13 * 4


def test_a_sort_compares_n_log_n_times() -> None:
    body = (
        "({\n^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
        "%c = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        '"stablehlo.return"(%c) : (tensor<i1>) -> ()\n})'
    )
    estimate = cost(
        f'%0 = "stablehlo.sort"(%x) <{{dimension = 1 : i64}}> {body} : ({ROWS}) -> {ROWS}'
    )
    assert estimate.flops == 8 * 16 * 4


def test_fft_is_five_n_log_n() -> None:
    estimate = cost(
        "%0 = stablehlo.fft %x, type = FFT, length = [16] : (tensor<3x16xcomplex<f32>>) -> "
        "tensor<3x16xcomplex<f32>>",
        "%x: tensor<3x16xcomplex<f32>>",
    )
    assert estimate.flops == 3 * 5 * 16 * math.log2(16)


def loop(test: str, limit: str = "10", step: str = "3") -> str:
    """A loop that counts from 1 and takes a tanh of 128 elements."""
    return (
        "%start = stablehlo.constant dense<1> : tensor<i32>\n"
        f"%0:2 = stablehlo.while(%i = %start, %y = %x) : tensor<i32>, {ROWS}\n"
        "cond {\n"
        f"%limit = stablehlo.constant dense<{limit}> : tensor<i32>\n"
        f"%p = stablehlo.compare {test}, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "stablehlo.return %p : tensor<i1>\n"
        "} do {\n"
        f"%step = stablehlo.constant dense<{step}> : tensor<i32>\n"
        f"%t = stablehlo.tanh %y : {ROWS}\n"
        "%n = stablehlo.add %i, %step : tensor<i32>\n"
        f"stablehlo.return %n, %t : tensor<i32>, {ROWS}\n"
        "}"
    )


@pytest.mark.parametrize(
    ("test", "limit", "step", "number"),
    [("LT", "10", "3", 3), ("LT", "11", "3", 4), ("LE", "10", "3", 4), ("LT", "0", "3", 0)],
)
def test_a_loop_counts_as_often_as_it_plainly_runs(
    test: str, limit: str, step: str, number: int
) -> None:
    estimate = cost(loop(test, limit, step))
    assert estimate.transcendentals == number * 128
    assert estimate.flops == number + number + 1  # additions and comparisons
    assert estimate.is_complete


@pytest.mark.parametrize(("test", "step"), [("GT", "3"), ("LT", "0"), ("LT", "-1"), ("NE", "1")])
def test_an_open_loop_counts_once_and_says_so(test: str, step: str) -> None:
    estimate = cost(loop(test, step=step))
    assert (estimate.transcendentals, estimate.open_loops) == (128, 1)


def test_calls_cost_what_they_call() -> None:
    callee = (
        f"func.func private @twice(%x: {ROWS}) -> {ROWS} {{\n"
        f"%0 = stablehlo.add %x, %x : {ROWS}\nreturn %0 : {ROWS}\n}}\n"
    )
    call = f"call @twice(%x) : ({ROWS}) -> {ROWS}"
    estimate = cost(f"%0 = {call}\n%1 = {call}", more=callee)
    assert estimate == Cost(flops=256, bytes=2 * 3 * 512)


def test_recursion_is_not_counted() -> None:
    call = f"call @main(%x) : ({ROWS}) -> ()"
    assert cost(call) == Cost(opaque={"func.call": 1})


def test_the_costliest_branch_counts() -> None:
    estimate = cost(
        f'%0 = "stablehlo.if"(%p) ({{\n%a = stablehlo.tanh %x : {ROWS}\n'
        f"%b = stablehlo.add %a, %a : {ROWS}\n"
        f'"stablehlo.return"(%b) : ({ROWS}) -> ()\n}}, {{\n'
        f'"stablehlo.return"(%x) : ({ROWS}) -> ()\n}}) : (tensor<i1>) -> {ROWS}',
        f"%p: tensor<i1>, %x: {ROWS}",
    )
    assert (estimate.flops, estimate.transcendentals) == (128, 128)


def test_what_is_not_counted_is_said() -> None:
    estimate = cost(
        "%0 = stablehlo.add %x, %x : tensor<?xf32>\n"
        "%1 = stablehlo.custom_call @mine(%y) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "%2 = stablehlo.custom_call @Sharding(%y) : (tensor<2xf32>) -> tensor<2xf32>",
        "%x: tensor<?xf32>, %y: tensor<2xf32>",
    )
    assert estimate == Cost(unsized={"stablehlo.add": 1}, opaque={"stablehlo.custom_call @mine": 1})


def has_cost(cls: type[Op]) -> bool:
    """Whether a class says what its operations cost."""
    own = (cls.work, cls.region_executions) != (Op.work, Op.region_executions)
    definition = definition_of(cls)
    free = definition.traits & (Trait.FREE | Trait.STRUCTURED)
    return own or bool(free) or definition.work is not None


def test_every_operation_has_a_cost_or_is_known_to_have_none() -> None:
    without = {
        name
        for name in names_in("stablehlo")
        if name not in CALLS and not has_cost(cast("type[Op]", OPERATIONS[name]))
    }
    assert without == OPAQUE


@pytest.mark.parametrize(
    ("groups", "grid"), [("[[0, 1], [2, 3]]", (4, 1)), ("[[0], [1]]", (2, 1)), ("[[0]]", (1, 1))]
)
def test_the_default_grid_is_the_one_that_contents_name(groups: str, grid: tuple[int, int]) -> None:
    rows = groups.split("], [")
    shape = f"{len(rows)}x{rows[0].count(',') + 1}"
    module = sm.load(f"""func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {{
      %0 = "stablehlo.all_reduce"(%a) ({{
        ^bb0(%x: tensor<f32>, %y: tensor<f32>):
          %s = stablehlo.add %x, %y : tensor<f32>
          stablehlo.return %s : tensor<f32>
      }}) {{replica_groups = dense<{groups}> : tensor<{shape}xi64>}}
        : (tensor<8xf32>) -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }}""")
    cost = sm.cost(module)
    assert (cost.grid.num_replicas, cost.grid.num_partitions) == grid
