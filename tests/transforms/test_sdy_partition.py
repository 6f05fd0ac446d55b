"""Programs with shardings, partitioned, compute what JAX computes with them on eight devices."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.execution.signature import is_tuple
from stablemate.transforms.sdy_partition import Partitioned, partition_program
from tests.sharded.annotated import exported

COLLECTIVES: Final = {
    f"stablehlo.{name}"
    for name in (
        "all_gather", "all_reduce", "all_to_all", "collective_permute", "reduce_scatter",
        "collective_broadcast",
    )
}  # fmt: skip


def on_devices(partition: Partitioned, inputs: list[Any], **options: Any) -> list[Any]:
    """The whole results of a partitioned program for whole arguments."""
    devices = partition.devices
    pairs = list(zip(inputs, partition.arguments, strict=True))
    pieces = [tuple(devices.shard(*pair, i) for pair in pairs) for i in range(devices.count)]
    module = sm.Module(partition.module)
    module.verify()
    per_process = sm.run_grid(module, pieces, partitions=devices.count, **options)
    rows = [rows_of(item) for item in per_process]
    results = [[rows[device][i] for device in devices.ids] for i in range(len(rows[0]))]
    return [devices.global_tensor(*pair) for pair in zip(results, partition.results, strict=True)]


def rows_of(results: Any) -> tuple[Any, ...]:
    """The results as a tuple."""
    return results if is_tuple(results) else (results,)


def collectives(partition: Partitioned) -> Counter[str]:
    """How many collective operations of each kind there are."""
    names = (
        operation.name
        for operation in partition.module.operation.walk()
        if operation.name in COLLECTIVES
    )
    return Counter(name.removeprefix("stablehlo.") for name in names)


@pytest.fixture(scope="module")
def names() -> list[str]:
    """The names of all programs."""
    return list(exported())


KINDS: Final = (
    "matmul", "mlp", "transformer", "layer_norm", "softmax", "folds", "embedding", "convolution",
    "scan", "branches", "iota", "split", "merge", "sort", "cumsum", "pad", "random", "backwards",
    "partly", "moved",
)  # fmt: skip


@pytest.mark.standard
def test_every_program_is_of_a_kind_that_is_tested(names: list[str]) -> None:
    assert {name for name in names if not name.startswith(KINDS)} == set()


@pytest.mark.standard
@pytest.mark.parametrize("kind", KINDS)
def test_partitioned_programs_compute_what_jax_computes(kind: str, names: list[str]) -> None:
    own = [name for name in names if name.startswith(kind)]
    assert own
    for name in own:
        program = exported()[name]
        results = on_devices(partition_program(sm.load(program.text).ir, "main"), program.inputs)
        for ours, theirs in zip(results, program.results, strict=True):
            assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype), name
            # Sums over devices are taken in another order.
            np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=2e-5, err_msg=name)


@pytest.mark.standard
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mlp_data", {}),
        ("mlp_model", {"all_reduce": 1}),
        ("mlp_data_gradient", {"all_reduce": 1}),  # the gradients of both weights at once
        ("transformer", {"all_reduce": 2}),  # one behind attention, one behind the hidden layer
        ("moved_0", {}),
        ("moved_1", {"all_to_all": 1, "collective_permute": 1}),
        ("moved_3", {"all_gather": 2}),
        ("iota", {}),
    ],
)
def test_devices_say_no_more_than_they_must(name: str, expected: dict[str, int]) -> None:
    assert collectives(partition_program(sm.load(exported()[name].text).ir, "main")) == expected


PROGRAM: Final = """
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x6xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{sharding}]>}})
    -> {result} {{
  {body}
}}"""


def refusal(sharding: str, body: str, result: str = "tensor<4x6xf32>") -> str:
    """What partitioning says of a program."""
    text = PROGRAM.format(sharding=sharding, body=body, result=result)
    with pytest.raises(sm.UnsupportedError) as caught:
        partition_program(sm.load(text).ir, "main")
    return str(caught.value)


def test_what_cannot_be_divided_is_named_with_its_line() -> None:
    body = """%0 = stablehlo.reverse %a, dims = [0] : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>"""
    assert refusal('{"x", "y"}, {}', body) == (
        '<text>:5:8: error: stablehlo.reverse: operand 0 is divided by {"x", "y"} along dimension '
        "0, along which the operation cannot be divided\n"
        " 5 |   %0 = stablehlo.reverse %a, dims = [0] : tensor<4x6xf32>\n"
        "   |        ^^^^^^^^^^^^^^^^^ size = 4, pieces = 4\n"
        "note: a sharding_constraint in front of it, without these axes, gathers it"
    )


def test_a_constraint_gathers_what_an_operation_needs_whole() -> None:
    body = """%0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<4x6xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<4x6xf32>
  return %1 : tensor<4x6xf32>"""
    text = PROGRAM.format(sharding='{"x"}, {}', body=body, result="tensor<4x6xf32>")
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    partitioned_value = partition_program(sm.load(text).ir, "main")
    assert collectives(partitioned_value) == {"all_gather": 1}
    np.testing.assert_array_equal(on_devices(partitioned_value, [x])[0], x[::-1])


def test_terms_that_are_wanted_in_pieces_are_scattered() -> None:
    body = """%0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0]
    : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<6x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<6x6xf32>) -> tensor<6x6xf32>
  return %1 : tensor<6x6xf32>"""
    result = '(tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})'
    text = PROGRAM.format(sharding='{"x", "y"}, {}', body=body, result=result)
    partitioned_value = partition_program(sm.load(text).ir, "main")
    assert collectives(partitioned_value) == {"reduce_scatter": 1, "all_reduce": 1}
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    np.testing.assert_array_equal(on_devices(partitioned_value, [x])[0], x.T @ x)


def test_sizes_that_devices_cannot_share_evenly_are_refused() -> None:
    message = refusal('{}, {"x", "y"}', "return %a : tensor<4x6xf32>")
    assert "func.func: 4 pieces of a dimension of 6 elements differ in size" in message
    assert "dimension = 1, size = 6, axes" in message


def test_pieces_of_a_merged_dimension_must_be_ranges() -> None:
    body = """%0 = stablehlo.reshape %a : (tensor<4x6xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>"""
    assert "its pieces would not be ranges" in refusal('{}, {"x"}', body, "tensor<24xf32>")


@pytest.mark.parametrize(
    "operation",
    [
        '"stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}>',
        "stablehlo.custom_call @foo(%a) {has_side_effect = true}",
        "stablehlo.custom_call @foo(%a)",
    ],
)
def test_operations_without_a_rule_are_refused(operation: str) -> None:
    body = f"""%0 = {operation} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>"""
    assert "error: stablehlo.c" in refusal('{"x"}, {}', body)


def test_a_program_without_shardings_is_not_partitioned() -> None:
    text = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }"
    with pytest.raises(sm.ArgumentError, match="has no shardings"):
        partition_program(sm.load(text).ir, "main")


def test_a_rule_that_the_user_states_is_followed() -> None:
    body = """%0 = stablehlo.custom_call @sdy_test_double(%a)
      {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=4, j=6}, custom>}
      : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>"""
    text = PROGRAM.format(sharding='{"x"}, {"y"}', body=body, result="tensor<4x6xf32>")
    shapes: list[tuple[int, ...]] = []

    @sm.custom_call("sdy_test_double")
    def double(operands: Any, call: Any) -> Any:
        shapes.append(operands[0].shape)
        return operands[0] * 2

    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    (result,) = on_devices(partition_program(sm.load(text).ir, "main"), [x])
    np.testing.assert_array_equal(result, x * 2)
    assert shapes == [(2, 3)] * 4


def test_initial_values_count_once() -> None:
    body = """%c = stablehlo.constant dense<3.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0]
    : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>"""
    text = PROGRAM.format(sharding='{"x", "y"}, {}', body=body, result="tensor<6xf32>")
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    (result,) = on_devices(partition_program(sm.load(text).ir, "main"), [x])
    np.testing.assert_array_equal(result, x.sum(0) + 3)


def test_all_devices_have_the_same_random_numbers() -> None:
    body = """%l = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.constant dense<1.0> : tensor<f32>
  %s = stablehlo.constant dense<[4, 6]> : tensor<2xi64>
  %0 = stablehlo.rng %l, %h, %s, distribution = UNIFORM
    : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x6xf32>
  %1 = stablehlo.subtract %0, %0 : tensor<4x6xf32>
  %2 = stablehlo.add %a, %1 : tensor<4x6xf32>
  %3 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<4x6xf32>
  return %2, %3 : tensor<4x6xf32>, tensor<4x6xf32>"""
    result = "(tensor<4x6xf32>, tensor<4x6xf32>)"
    text = PROGRAM.format(sharding='{"x"}, {"y"}', body=body, result=result)
    partitioned_value = partition_program(sm.load(text).ir, "main")
    per_process = sm.run_grid(
        sm.Module(partitioned_value.module), (np.ones((2, 3), np.float32),), partitions=4
    )
    for _, numbers in per_process[1:]:
        np.testing.assert_array_equal(numbers, per_process[0][1])


def test_the_pass_has_a_name(tmp_path: Any) -> None:
    body = """%0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0]
    : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<6x6xf32>
  return %0 : tensor<6x6xf32>"""
    path = tmp_path / "m.mlir"
    path.write_text(PROGRAM.format(sharding='{"x"}, {}', body=body, result="tensor<6x6xf32>"))
    child = subprocess.run(
        [sys.executable, "-m", "stablemate", "opt", "--sdy-partition", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "mhlo.num_partitions = 4" in child.stdout
    assert "tensor<2x6xf32>" in child.stdout
    assert '"stablehlo.all_reduce"' in child.stdout


X: Final = np.arange(24, dtype=np.float32).reshape(4, 6)
# What tensors with unreduced axes become, and the collective operations for that.
RESHARDINGS: Final[dict[str, tuple[str, str, dict[str, int]]]] = {
    "reduced": ('[{"x"}, {}], unreduced={"y"}', '[{"x"}, {}]', {"all_reduce": 1}),
    "scattered": ('[{"x"}, {}], unreduced={"y"}', '[{"x"}, {"y"}]', {"reduce_scatter": 1}),
    "kept": ('[{}, {}], unreduced={"x"}', '[{"y"}, {}], unreduced={"x"}', {}),
    "in_part": (
        '[{}, {}], unreduced={"x", "y"}', '[{}, {}], unreduced={"y"}', {"all_reduce": 1}
    ),
    "of_copies": ('[{"x"}, {}]', '[{"x"}, {}], unreduced={"y"}', {}),
    "of_pieces": ('[{"x"}, {}]', '[{}, {}], unreduced={"x"}', {}),
    "of_pieces_in_part": ('[{"y", "x"}, {}]', '[{"y"}, {}], unreduced={"x"}', {}),
    "of_pieces_and_copies": ('[{"x"}, {}]', '[{}, {}], unreduced={"x", "y"}', {}),
    "maximum": ('[{}, {}], unreduced=max{"x"}', "[{}, {}]", {"all_reduce": 1}),
    "minimum": ('[{}, {}]', '[{}, {}], unreduced=min{"x"}', {}),
    "other_reduction": (
        '[{}, {}], unreduced=max{"x"}', '[{}, {}], unreduced={"x"}', {"all_reduce": 1}
    ),
    "moved": (
        '[{"x"}, {}], unreduced={"y"}', '[{}, {"x"}], unreduced={"y"}', {"all_to_all": 1}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RESHARDINGS)
def test_tensors_with_unreduced_axes_are_resharded(name: str) -> None:
    before, after, expected = RESHARDINGS[name]
    text = f"""sdy.mesh @mesh = <["x"=2, "y"=2]>
    func.func @main(%a: tensor<4x6xf32> {{sdy.sharding = #sdy.sharding<@mesh, {before}>}})
        -> (tensor<4x6xf32> {{sdy.sharding = #sdy.sharding<@mesh, {after}>}}) {{
      return %a : tensor<4x6xf32>
    }}"""
    partition = partition_program(sm.load(text).ir, "main")
    assert collectives(partition) == expected
    np.testing.assert_array_equal(on_devices(partition, [X])[0], X)


# Linear operations on a tensor that is unreduced along "x": operands, operation, result, value.
LINEAR: Final[dict[str, tuple[str, str, Any]]] = {
    "add": ("stablehlo.add %a, %a : tensor<4x6xf32>", "4x6", X + X),
    "subtract": ("stablehlo.subtract %a, %n : tensor<4x6xf32>", "4x6", X + X),
    "multiply": ("stablehlo.multiply %c, %a : tensor<4x6xf32>", "4x6", 3 * X),
    "divide": ("stablehlo.divide %a, %c : tensor<4x6xf32>", "4x6", X / np.float32(3)),
    "convert": (
        "stablehlo.convert %a : (tensor<4x6xf32>) -> tensor<4x6xf64>", "4x6", X.astype(np.float64)
    ),
    "concatenate": (
        "stablehlo.concatenate %a, %n, dim = 1 : (tensor<4x6xf32>, tensor<4x6xf32>) "
        "-> tensor<4x12xf32>", "4x12", np.concatenate([X, -X], 1)
    ),
    "slice": (
        "stablehlo.slice %a [1:3, 0:6:2] : (tensor<4x6xf32>) -> tensor<2x3xf32>", "2x3", X[1:3, ::2]
    ),
    "broadcast_in_dim": (
        "stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<4x6xf32>) -> tensor<2x4x6xf32>",
        "2x4x6", np.stack([X, X])
    ),
    "reverse": ("stablehlo.reverse %a, dims = [0] : tensor<4x6xf32>", "4x6", X[::-1]),
    "pad": (
        "stablehlo.pad %a, %z, low = [1, 0], high = [0, 0], interior = [0, 0] "
        ": (tensor<4x6xf32>, tensor<f32>) -> tensor<5x6xf32>", "5x6", np.pad(X, ((1, 0), (0, 0)))
    ),
    "reduce": (
        "stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] "
        ": (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>", "4", X.sum(1)
    ),
    "dot_general": (
        "stablehlo.dot_general %c, %a, contracting_dims = [1] x [1] "
        ": (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x4xf32>", "4x4",
        np.full((4, 6), 3, np.float32) @ X.T
    ),
    "optimization_barrier": ("stablehlo.optimization_barrier %a : tensor<4x6xf32>", "4x6", X),
}  # fmt: skip


@pytest.mark.parametrize("name", LINEAR)
def test_linear_operations_keep_tensors_unreduced(name: str) -> None:
    operation, shape, expected = LINEAR[name]
    result = f"tensor<{shape}x{'f64' if name == 'convert' else 'f32'}>"
    dimensions = ", ".join(["{}"] * (shape.count("x") + 1))
    text = f"""sdy.mesh @mesh = <["x"=2, "y"=2]>
    func.func @main(
        %a: tensor<4x6xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{}}], unreduced={{"x"}}>}}
    ) -> ({result} {{sdy.sharding = #sdy.sharding<@mesh, [{dimensions}], unreduced={{"x"}}>}}) {{
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %c = stablehlo.constant dense<3.0> : tensor<4x6xf32>
      %n = stablehlo.negate %a : tensor<4x6xf32>
      %r = {operation}
      return %r : {result}
    }}"""
    partition = partition_program(sm.load(text).ir, "main")
    assert not collectives(partition)
    np.testing.assert_allclose(on_devices(partition, [X])[0], expected, rtol=1e-6)


@pytest.mark.parametrize(
    "operation",
    ["abs %a : tensor<4x6xf32>", "multiply %a, %a : tensor<4x6xf32>",
     "add %a, %c : tensor<4x6xf32>"],
)  # fmt: skip
def test_other_operations_reduce_their_operands(operation: str) -> None:
    text = f"""sdy.mesh @mesh = <["x"=2, "y"=2]>
    func.func @main(
        %a: tensor<4x6xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{}}], unreduced={{"x"}}>}}
    ) -> (tensor<4x6xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{}}, {{}}]>}}) {{
      %c = stablehlo.constant dense<3.0> : tensor<4x6xf32>
      %r = stablehlo.{operation}
      return %r : tensor<4x6xf32>
    }}"""
    partition = partition_program(sm.load(text).ir, "main")
    assert collectives(partition) == {"all_reduce": 1}
    expected = {"abs": abs(X), "mul": X * X, "add": X + 3}[operation[:3]]
    np.testing.assert_array_equal(on_devices(partition, [X])[0], expected)


def test_a_loop_accumulates_unreduced_tensors_and_they_are_reduced_at_once() -> None:
    unreduced = '<@mesh, [{}, {}], unreduced={"x"}>'
    text = f"""sdy.mesh @mesh = <["x"=2]>
    func.func @main(%a: tensor<4x6xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}})
        -> (tensor<6x6xf32>, tensor<6x6xf32>) {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %z = stablehlo.constant dense<0.0> : tensor<6x6xf32>
      %i = sdy.sharding_constraint %z {unreduced} : tensor<6x6xf32>
      %r:3 = stablehlo.while(%k = %zero, %s = %i, %t = %i)
          : tensor<i32>, tensor<6x6xf32>, tensor<6x6xf32>
      cond {{
        %three = stablehlo.constant dense<3> : tensor<i32>
        %c = stablehlo.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        %one = stablehlo.constant dense<1> : tensor<i32>
        %n = stablehlo.add %k, %one : tensor<i32>
        %p = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0]
            : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<6x6xf32>
        %g = sdy.sharding_constraint %p {unreduced} : tensor<6x6xf32>
        %u = stablehlo.add %s, %g : tensor<6x6xf32>
        %v = stablehlo.subtract %t, %g : tensor<6x6xf32>
        stablehlo.return %n, %u, %v : tensor<i32>, tensor<6x6xf32>, tensor<6x6xf32>
      }}
      %x = sdy.sharding_constraint %r#1 <@mesh, [{{}}, {{}}]> : tensor<6x6xf32>
      %y = sdy.sharding_constraint %r#2 <@mesh, [{{}}, {{}}]> : tensor<6x6xf32>
      return %x, %y : tensor<6x6xf32>, tensor<6x6xf32>
    }}"""
    partition = partition_program(sm.load(text).ir, "main")
    assert collectives(partition) == {"all_reduce": 1}
    results = on_devices(partition, [X])
    np.testing.assert_array_equal(results[0], 3 * (X.T @ X))
    np.testing.assert_array_equal(results[1], -3 * (X.T @ X))


def test_every_device_holds_a_term_of_a_sum() -> None:
    body = """%0 = stablehlo.reshape %a : (tensor<4x6xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>"""
    result = '(tensor<24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x", "y"}>})'
    text = PROGRAM.format(sharding='{}, {}], unreduced={"x", "y"}; ', body=body, result=result)
    text = text.replace("; ]", "")
    terms = [X, 2 * X, X + 1, np.ones_like(X)]
    results = sm.run_grid(text, [(term,) for term in terms], partitions=4, partition=True)
    np.testing.assert_array_equal(results, [term.reshape(24) for term in terms])
    (total,) = sm.run_grid(text, (X,), partitions=4, partition=True, whole=True)
    np.testing.assert_array_equal(total, X.reshape(24))


def test_operations_that_are_not_linear_take_the_sum() -> None:
    text = """sdy.mesh @mesh = <["x"=2, "y"=2]>
    func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], \
unreduced={"x"}>}) -> tensor<4x6xf32> {
      %0 = stablehlo.multiply %a, %a : tensor<4x6xf32>
      return %0 : tensor<4x6xf32>
    }"""
    results = sm.run_grid(text, [(X,), (X,), (X,), (X,)], partitions=4, partition=True)
    np.testing.assert_array_equal(results, [4 * X * X] * 4)


MANUAL: Final = """sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x6xf32> {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}})
    -> {result} {{
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"x", ?}}, {{?}}]>]
      out_shardings=[<@mesh, {out}>] manual_axes={{"x"}} (%b: tensor<2x6xf32>) {{
    {body}
  }} : (tensor<4x6xf32>) -> {result}
  return %0 : {result}
}}"""


def test_constraints_in_a_manual_computation_divide_along_free_axes() -> None:
    body = """%1 = sdy.sharding_constraint %b <@mesh, [{}, {"y"}]> : tensor<2x6xf32>
    %2 = stablehlo.add %1, %1 : tensor<2x6xf32>
    sdy.return %2 : tensor<2x6xf32>"""
    text = MANUAL.format(body=body, result="tensor<4x6xf32>", out='[{"x", ?}, {?}]')
    partition = partition_program(sm.load(text).ir, "main")
    assert [str(placement) for placement in partition.results] == ['[{"x"}, {"y"}]']
    np.testing.assert_array_equal(on_devices(partition, [X])[0], 2 * X)


def test_collectives_in_a_manual_computation_take_pieces_along_free_axes() -> None:
    body = """%1 = sdy.sharding_constraint %b <@mesh, [{}, {"y"}]> : tensor<2x6xf32>
    %2 = "stablehlo.all_reduce"(%1) <{
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids,
      replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}> ({
    ^bb0(%l: tensor<f32>, %r: tensor<f32>):
      %s = stablehlo.add %l, %r : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    sdy.return %2 : tensor<2x6xf32>"""
    text = MANUAL.format(body=body, result="tensor<2x6xf32>", out="[{?}, {?}]")
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    assert [str(placement) for placement in partition.results] == ['[{}, {"y"}]']
    np.testing.assert_array_equal(on_devices(partition, [X])[0], X[:2] + X[2:])


def test_results_of_a_manual_computation_may_be_terms() -> None:
    text = MANUAL.format(
        body="sdy.return %b : tensor<2x6xf32>", result="tensor<2x6xf32>",
        out='[{}, {}], unreduced={"x"}',
    )  # fmt: skip
    np.testing.assert_array_equal(
        on_devices(partition_program(sm.load(text).ir, "main"), [X])[0], X[:2] + X[2:]
    )


def test_side_effects_happen_on_one_device() -> None:
    body = """%0 = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<4x6xf32>
  %1 = stablehlo.custom_call @sdy_test_record(%0) {has_side_effect = true, mhlo.sharding = "{maximal device=2}"}
      : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>"""  # noqa: E501
    text = PROGRAM.format(sharding='{"x"}, {"y"}', body=body, result="tensor<4x6xf32>")
    calls: list[Any] = []

    @sm.custom_call("sdy_test_record")
    def record(operands: Any, call: Any) -> Any:
        calls.append(operands[0].copy())
        return operands[0] + len(calls)

    (result,) = on_devices(partition_program(sm.load(text).ir, "main"), [X])
    np.testing.assert_array_equal(result, X + 1)
    np.testing.assert_array_equal(calls, [X])


def test_a_gathered_operand_stays_divided_for_other_operations() -> None:
    body = """%0 = stablehlo.reverse %a, dims = [0] : tensor<4x6xf32>
  %1 = stablehlo.add %a, %a : tensor<4x6xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4x6xf32>"""
    result = "(tensor<4x6xf32>, tensor<4x6xf32>)"
    text = PROGRAM.format(sharding='{"x"}, {}', body=body, result=result)
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    assert [str(placement) for placement in partition.results] == ['[{"x"}, {}]'] * 2
    for value, expected in zip(on_devices(partition, [X]), [X[::-1], 2 * X], strict=True):
        np.testing.assert_array_equal(value, expected)


def test_what_has_no_elements_or_only_gains_dimensions_of_size_1_sends_nothing() -> None:
    # jnp.pad(x, ((0, 0), (0, 0)), mode="edge"): concatenations with edges of no columns
    text = """sdy.mesh @mesh = <["x"=2]>
    func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
        -> tensor<8x4xf32> {
      %a = stablehlo.slice %x [0:8, 0:1] : (tensor<8x4xf32>) -> tensor<8x1xf32>
      %b = stablehlo.broadcast_in_dim %a, dims = [0, 1]
        : (tensor<8x1xf32>) -> tensor<8x1x0xf32>
      %c = stablehlo.reshape %b : (tensor<8x1x0xf32>) -> tensor<8x0xf32>
      %d = stablehlo.broadcast_in_dim %x, dims = [0, 2]
        : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
      %e = stablehlo.reshape %d : (tensor<8x1x4xf32>) -> tensor<8x4xf32>
      %r = stablehlo.concatenate %c, %e, %c, dim = 1
        : (tensor<8x0xf32>, tensor<8x4xf32>, tensor<8x0xf32>) -> tensor<8x4xf32>
      return %r : tensor<8x4xf32>
    }"""
    partition = partition_program(sm.load(text).ir, "main", gathers=True)
    names = {operation.name for operation in partition.module.operation.walk()}
    assert not any("all_" in name or "concatenate" in name for name in names)


def test_only_the_branch_that_is_taken_is_partitioned() -> None:
    x = np.arange(24, dtype=np.float32).reshape(4, 6)
    program = PROGRAM.format(
        sharding='{"x"}, {}',
        result="tensor<4x6xf32>",
        body="""%one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %place = "stablehlo.case"(%one) ({
    stablehlo.return %one : tensor<i32>
  }, {
    %two = stablehlo.add %one, %one : tensor<i32>
    %none = stablehlo.subtract %two, %two : tensor<i32>
    stablehlo.return %none : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %y = "stablehlo.case"(%place) ({
    %r = stablehlo.negate %a : tensor<4x6xf32>
    stablehlo.return %r : tensor<4x6xf32>
  }) : (tensor<i32>) -> tensor<4x6xf32>
  %z = "stablehlo.case"(%one) ({
    %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %w = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
    stablehlo.return %w : tensor<4x6xf32>
  }, {
    stablehlo.return %y : tensor<4x6xf32>
  }) : (tensor<i32>) -> tensor<4x6xf32>
  return %z : tensor<4x6xf32>""",
    )
    partition = partition_program(sm.load(program).ir, "main")
    assert not [o for o in partition.module.operation.walk() if o.name == "stablehlo.case"]
    assert not collectives(partition)
    np.testing.assert_array_equal(on_devices(partition, [x])[0], -x)
