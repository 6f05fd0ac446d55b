"""Custom calls: what users register, what is built in, what is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import stablemate as sm
from stablemate.execution.custom_calls.registry import BUILT_IN, REGISTERED

Array = npt.NDArray[Any]

X: Final = np.array([1, 2], np.float32)


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """What a test registers is gone behind it."""
    before = dict(REGISTERED)
    yield
    REGISTERED.clear()
    REGISTERED.update(before)


def text_of(
    target: str,
    attributes: str = "",
    *,
    operands: Sequence[str] = ("tensor<2xf32>",),
    results: Sequence[str] = ("tensor<2xf32>",),
) -> str:
    """A program that is one custom call, over three lines."""
    names = ", ".join(f"%x{i}" for i in range(len(operands)))
    parameters = ", ".join(f"%x{i}: {operand}" for i, operand in enumerate(operands))
    types = ", ".join(results)
    count = f"%r:{len(results)} = " if len(results) > 1 else "%r = " if results else ""
    returned = [f"%r#{i}" for i in range(len(results))] if len(results) > 1 else ["%r"]
    end = f"return {', '.join(returned)} : {types}" if results else "return"
    return (
        f"func.func @main({parameters}) -> ({types}) {{\n"
        f"{count}stablehlo.custom_call @{target}({names}) {{{attributes}}}"
        f" : ({', '.join(operands)}) -> ({types})\n{end}\n}}"
    )


def message_of(text: str, *arguments: Any, kind: type[sm.StablemateError]) -> str:
    """The whole message of a run that fails."""
    with pytest.raises(kind) as caught:
        sm.run(sm.load(text, name="a.mlir"), *arguments)
    return str(caught.value)


# ---- what a user's function is given


def test_function_is_given_operands_and_call() -> None:
    calls: list[sm.TargetCall] = []

    @sm.custom_call("scale")
    def scale(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        calls.append(call)
        (x,) = operands
        return x * np.float32(call.config["factor"])

    config = '{factor = 3.0 : f32, flag = true, name = "a", list = [1 : i64], in = {k = 1 : ui8}}'
    attributes = (
        f"api_version = 4 : i32, backend_config = {config}, has_side_effect = true, my.a = 7"
    )
    np.testing.assert_array_equal(sm.run(text_of("scale", attributes), X), [3, 6])
    (call,) = calls
    assert call.target == "scale"
    assert call.config == {"factor": 3, "flag": True, "name": "a", "list": (1,), "in": {"k": 1}}
    assert (call.opaque, call.attributes) == ("", {"my.a": 7})
    assert (call.api_version, call.has_side_effect) == (4, True)
    assert [str(operand_type) for operand_type in (*call.operand_types, *call.result_types)] == [
        "tensor<2xf32>"
    ] * 2


@pytest.mark.parametrize(
    ("attributes", "config", "opaque"),
    [
        ("", {}, ""),
        ('backend_config = "abc"', {}, "abc"),
        ('backend_config = "{\\22a\\22: [1, null]}"', {"a": [1, None]}, '{"a": [1, null]}'),
        ('backend_config = "{a"', {}, "{a"),
        ('backend_config = "", mhlo.backend_config = {a = 1 : i64}', {"a": 1}, ""),
        ("api_version = 4 : i32, backend_config = {}", {}, ""),
    ],
)
def test_config_is_what_each_generation_writes(
    attributes: str, config: dict[str, Any], opaque: str
) -> None:
    @sm.custom_call("look")
    def look(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        assert (call.config, call.opaque) == (config, opaque)
        return operands[0]

    sm.run(text_of("look", attributes), X)


def test_attributes_are_python_values() -> None:
    @sm.custom_call("look")
    def look(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        by_name = dict(call.attributes)
        np.testing.assert_array_equal(by_name.pop("a.dense"), [1, 2])
        assert str(by_name.pop("a.opaque")) == "#foo.bar<1>"
        assert str(by_name.pop("a.type")) == "tensor<2xi1>"
        assert by_name == {"a.array": (1, 2), "a.symbol": "main", "a.unit": True}
        return operands[0]

    attributes = (
        "a.dense = dense<[1, 2]> : tensor<2xi64>, a.array = array<i64: 1, 2>, a.unit,"
        " a.symbol = @main, a.type = tensor<2xi1>, a.opaque = #foo.bar<1>"
    )
    sm.run(text_of("look", attributes), X)


def test_called_computations_are_functions() -> None:
    @sm.custom_call("twice")
    def twice(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        (function,) = call.computations
        assert function.name == "square"
        (once,) = function(operands[0])
        return function(once)

    text = (
        text_of("twice", "called_computations = [@square]")
        + """
      func.func private @square(%x: tensor<2xf32>) -> tensor<2xf32> {
        %0 = stablehlo.multiply %x, %x : tensor<2xf32>
        return %0 : tensor<2xf32>
      }"""
    )
    np.testing.assert_array_equal(sm.run(text, X), [1, 16])


def test_several_results_none_tokens_and_tuples() -> None:
    @sm.custom_call("two")
    def two(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        return [operands[0], np.int32(4)]

    @sm.custom_call("none")
    def none(operands: Sequence[Any], call: sm.TargetCall) -> None:
        pass

    @sm.custom_call("pair")
    def pair(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        token, (x,) = operands
        assert token is None
        return (None, (x, x + 1))

    first, second = sm.run(text_of("two", results=("tensor<2xf32>", "tensor<i32>")), X)
    np.testing.assert_array_equal(first, X)
    assert second == 4
    sm.run(text_of("none", results=()), X)
    types = ("!stablehlo.token", "tuple<tensor<2xf32>>")
    results = ("!stablehlo.token", "tuple<tensor<2xf32>, tensor<2xf32>>")
    token, (a, b) = sm.run(text_of("pair", operands=types, results=results), None, (X,))
    assert token is None
    np.testing.assert_array_equal([a, b], [X, X + 1])


def test_python_numbers_are_results_too() -> None:
    @sm.custom_call("numbers")
    def numbers(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        return [1, 2.5]

    result = sm.run(text_of("numbers"), X)
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, [1, 2.5])


def test_sizes_may_be_known_only_at_run_time() -> None:
    @sm.custom_call("repeat")
    def repeat(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        return np.repeat(operands[0], 2)

    text = text_of("repeat", operands=("tensor<?xf32>",), results=("tensor<?xf32>",))
    np.testing.assert_array_equal(sm.run(text, X), [1, 1, 2, 2])


def test_operands_that_hold_shapes_are_those_of_the_results() -> None:
    @sm.custom_call("look")
    def look(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        assert len(operands) == len(call.operand_types) == 1
        (result_type,) = call.result_types
        return np.zeros(result_type.shape, np.float32)  # type: ignore[union-attr]

    attributes = "indices_of_shape_operands = dense<1> : tensor<1xi64>"
    types = ("tensor<?xf32>", "tensor<1xi32>")
    text = text_of("look", attributes, operands=types, results=("tensor<?xf32>",))
    assert sm.run(text, X, np.array([3], np.int32)).shape == (3,)


# ---- whose memory it is


def test_operands_cannot_be_written() -> None:
    @sm.custom_call("clear")
    def clear(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        operands[0][:] = 0
        return operands[0]

    x = X.copy()
    message_of(text_of("clear"), x, kind=sm.EvaluationError)
    alias = (
        "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [],"
        " operand_index = 0, operand_tuple_indices = []>]"
    )
    np.testing.assert_array_equal(sm.run(text_of("clear", alias), x), [0, 0])
    np.testing.assert_array_equal(x, X)


def test_results_are_copied() -> None:
    """A function may write into the same array each time."""
    memory = np.zeros(2, np.float32)

    @sm.custom_call("count")
    def count(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        memory[:] += 1
        return memory

    text = """func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
      %0 = stablehlo.custom_call @count() : () -> tensor<2xf32>
      %1 = stablehlo.custom_call @count() : () -> tensor<2xf32>
      return %0, %1 : tensor<2xf32>, tensor<2xf32>
    }"""
    np.testing.assert_array_equal(sm.run(text), [[1, 1], [2, 2]])


# ---- which function it is


def test_later_registration_holds_for_what_is_compiled() -> None:
    sm.custom_call("f")(lambda operands, call: operands[0] + 1)
    executable = sm.compile(sm.load(text_of("f")))
    np.testing.assert_array_equal(executable(X), X + 1)
    sm.custom_call("f")(lambda operands, call: operands[0] + 2)
    np.testing.assert_array_equal(executable(X), X + 2)


def test_registered_function_goes_before_the_built_in_one() -> None:
    sm.custom_call("Sharding")(lambda operands, call: operands[0] + 1)
    np.testing.assert_array_equal(sm.run(text_of("Sharding"), X), X + 1)


def test_branch_that_is_not_taken_needs_no_target() -> None:
    text = """func.func @main(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = "stablehlo.if"(%p) ({
        stablehlo.return %x : tensor<2xf32>
      }, {
        %1 = stablehlo.custom_call @of_another_device(%x) : (tensor<2xf32>) -> tensor<2xf32>
        stablehlo.return %1 : tensor<2xf32>
      }) : (tensor<i1>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    module = sm.load(text)
    np.testing.assert_array_equal(module.run(np.bool_(True), X), X)
    with pytest.raises(sm.UnsupportedError, match="@of_another_device"):
        module.run(np.bool_(False), X)


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_unused_calls_of_unknown_targets_are_left_out(backend: str) -> None:
    """As in XLA: in a function, in a branch, in a chain, and those of another device's code."""
    text = """func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.custom_call @of_another_device(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @main(%p: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>
      %1 = stablehlo.add %0, %x : tensor<2xf32>
      %2 = "stablehlo.if"(%p) ({
        %3 = stablehlo.custom_call @of_another_device(%1) : (tensor<2xf32>) -> tensor<2xf32>
        stablehlo.return %3 : tensor<2xf32>
      }, {
        stablehlo.return %x : tensor<2xf32>
      }) : (tensor<i1>) -> tensor<2xf32>
      %4 = stablehlo.custom_call @__cublas$gemm(%x) : (tensor<2xf32>) -> tensor<2xf32>
      return %x : tensor<2xf32>
    }"""
    result = sm.load(text).run(np.bool_(True), X, backend=backend)
    np.testing.assert_array_equal(result, X)


@pytest.mark.parametrize("backend", ["interpreter", "cpu"])
def test_unused_calls_with_side_effects_stay(backend: str) -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @unheard_of(%x) {has_side_effect = true} : (tensor<2xf32>) -> tensor<i1>
  return %x : tensor<2xf32>
}"""  # noqa: E501
    module = sm.load(text, name="a.mlir")
    with pytest.raises(sm.UnsupportedError) as caught:
        module.run(X, backend=backend)
    assert str(caught.value) == (
        "a.mlir:2:8: error: stablehlo.custom_call @unheard_of:"
        " there is no custom call target of this name\n"
        f" 2 | {text.splitlines()[1]}\n"
        "   |        ^^^^^^^^^^^^^^^^^^^^^\n"
        'note: a function becomes this target by @stablemate.custom_call("unheard_of")'
    )


def test_unused_calls_stay_in_conversions() -> None:
    module = sm.load(text_of("of_another_device").replace("return %0", "return %x"))
    assert "of_another_device" in module.to_hlo().to_text()


def test_every_process_of_a_grid_calls() -> None:
    sm.custom_call("f")(lambda operands, call: operands[0] + 1)
    results = sm.run_grid(sm.load(text_of("f")), [X, 2 * X], replicas=2)
    np.testing.assert_array_equal(results, [X + 1, 2 * X + 1])


def test_registering_takes_a_name() -> None:
    with pytest.raises(sm.ArgumentError, match="takes the name"):
        sm.custom_call(lambda operands, call: None)  # type: ignore[arg-type]
    with pytest.raises(sm.ArgumentError, match="not empty"):
        sm.custom_call("")
    with pytest.raises(sm.ArgumentError, match="is a function"):
        sm.custom_call("f")(3)  # type: ignore[type-var]


# ---- errors


def test_unknown_target_is_named_with_a_near_match() -> None:
    text = text_of("lapack_spotr_ffi")
    assert message_of(text, X, kind=sm.UnsupportedError) == (
        "a.mlir:2:6: error: stablehlo.custom_call @lapack_spotr_ffi:"
        " there is no custom call target of this name\n"
        f" 2 | {text.splitlines()[1]}\n"
        "   |      ^^^^^^^^^^^^^^^^^^^^^\n"
        "note: there is a target lapack_spotrf_ffi\n"
        'note: a function becomes this target by @stablemate.custom_call("lapack_spotr_ffi")'
    )


def test_exception_of_a_function_is_the_cause() -> None:
    @sm.custom_call("boom")
    def boom(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        raise KeyError("k")

    text = text_of("boom")
    for run in (sm.run, lambda module, x: sm.run_grid(module, (x,), replicas=2)):
        with pytest.raises(sm.EvaluationError) as caught:
            run(sm.load(text, name="a.mlir"), X)
        assert isinstance(caught.value.__cause__, KeyError)
        assert str(caught.value).startswith(
            "a.mlir:2:6: error: stablehlo.custom_call @boom: the target raised KeyError: 'k'\n"
            f" 2 | {text.splitlines()[1]}\n"
            "   |      ^^^^^^^^^^^^^^^^^^^^^"
        )


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (np.zeros(3, np.float32), "expected = tensor<2xf32>, returned = tensor<3xf32>"),
        (np.zeros(2), "expected = tensor<2xf32>, returned = tensor<2xf64>"),
        ((X, X), "returned = 2, results = 1"),
        (None, "returned = None"),
        ("abc", "returned = a str"),
        ([[1], [1, 2]], "the lists are ragged"),
        (["a", "b"], "result 0 is tensor<2xf32>, but an array of dtype <U1 was given"),
    ],
)
def test_wrong_result_is_refused(result: object, expected: str) -> None:
    sm.custom_call("wrong")(lambda operands, call: result)
    message = message_of(text_of("wrong"), X, kind=sm.EvaluationError)
    assert message.startswith("a.mlir:2:6: error: stablehlo.custom_call @wrong: ")
    assert expected in message


def test_wrong_tuple_or_token_is_refused() -> None:
    sm.custom_call("wrong")(lambda operands, call: 3)
    text = text_of("wrong", results=("tuple<tensor<2xf32>>",))
    assert "result 0 is a tuple" in message_of(text, X, kind=sm.EvaluationError)
    text = text_of("wrong", results=("!stablehlo.token",))
    assert "result 0 is a token: None" in message_of(text, X, kind=sm.EvaluationError)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("xla_ffi_python_cpu_callback", "a Python function of the process that made the program"),
        ("tpu_custom_call", "is code for another device"),
    ],
)
def test_foreign_code_is_refused_with_the_reason(target: str, reason: str) -> None:
    message = message_of(text_of(target), X, kind=sm.UnsupportedError)
    assert reason in message
    assert f'@stablemate.custom_call("{target}")' in message


# ---- annotations and buffers


@pytest.mark.parametrize(
    "target",
    [
        "LayoutConstraint", "MoveToDevice", "MoveToHost", "Sharding", "annotate_device_placement",
        "SPMDFullToShardShape", "SPMDShardToFullShape", "xla.sdy.FuncResultSharding",
        "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape", "xla.sdy.PropagationBarrier",
        "xla.sdy.Sharding",
    ],
)  # fmt: skip
def test_annotation_changes_nothing(target: str) -> None:
    types = ("tensor<2xf32>", "tensor<i1>")
    text = text_of(target, "has_side_effect = true", operands=types, results=types)
    x, p = sm.run(text, X, np.bool_(True))
    np.testing.assert_array_equal(x, X)
    assert p
    message = message_of(text_of(target, results=("tensor<3xf32>",)), X, kind=sm.StablemateError)
    assert "tensor<3xf32>" in message


@pytest.mark.parametrize(
    "target", ["InspectSharding", "control_dep", "dce_sink", "xla.sdy.ShardingGroup"]
)
def test_sink_takes_values(target: str) -> None:
    sm.run(text_of(target, results=()), X)


OLD_EXPORT: Final = r"""
module @jit_f attributes {
    mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=1, \22y\22=1]>}"},
    mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%a: tensor<2xf32> {
      mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}]>"},
      mhlo.sharding = "{replicated}"}) -> (tensor<2xf32> {mhlo.sharding = "{replicated}"}) {
    %0 = stablehlo.custom_call @Sharding(%a) {
      mhlo.frontend_attributes = {
        xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}]>]>"},
      mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {has_side_effect = true,
      mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "21 : i64"}}
      : (tensor<2xf32>) -> ()
    %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {
      mhlo.frontend_attributes = {
        xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}]>]>",
        xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>"}} : (tensor<2xf32>) -> tensor<2xf32>
    %2 = call @xla.sdy.manual_computation_body(%1) : (tensor<2xf32>) -> tensor<2xf32>
    %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) : (tensor<2xf32>) -> tensor<2xf32>
    %4 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%3) {has_side_effect = true}
      : (tensor<2xf32>) -> tensor<2xf32>
    return %4 : tensor<2xf32>
  }
  func.func private @xla.sdy.manual_computation_body(%a: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.add %a, %a : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""


def test_exports_of_older_versions_run_on_one_device() -> None:
    module = sm.load(OLD_EXPORT)
    assert module.diagnostics() == []
    np.testing.assert_array_equal(module.run(X), X + X)
    assert "xla.sdy.meshes" in sm.load(module.to_text()).to_text()


def test_parts_of_a_value_are_refused() -> None:
    text = text_of("SPMDFullToShardShape", results=("tensor<1xf32>",))
    message = message_of(text, X, kind=sm.VerifyError)
    assert "@SPMDFullToShardShape: it has the attribute mhlo.sharding" in message
    assert "operands = tensor<2xf32>, results = tensor<1xf32>" in message


def test_buffers_hold_what_is_written() -> None:
    @sm.custom_call("increment")
    def increment(operands: Sequence[Any], call: sm.TargetCall) -> Any:
        (buffer,) = operands
        buffer += 1  # its own: the result stands for it
        return buffer

    text = """func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %0 = stablehlo.custom_call @Pin(%x) : (tensor<2xf32>) -> memref<2xf32>
      %1 = stablehlo.custom_call @CreateBuffer() : () -> memref<2xf32>
      ONE
      TWO
      %4 = stablehlo.custom_call @Unpin(%2) : (memref<2xf32>) -> tensor<2xf32>
      %5 = stablehlo.custom_call @Unpin(%3) : (memref<2xf32>) -> tensor<2xf32>
      return %4, %5 : tensor<2xf32>, tensor<2xf32>
    }"""
    update = (
        "%{} = stablehlo.custom_call @increment(%{}) {{output_operand_aliases ="
        " [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0,"
        " operand_tuple_indices = []>]}} : (memref<2xf32>) -> memref<2xf32>"
    )
    text = text.replace("ONE", update.format(2, 0)).replace("TWO", update.format(3, 1))
    first, second = sm.run(text, X)
    np.testing.assert_array_equal(first, X + 1)
    np.testing.assert_array_equal(second, [1, 1])


def test_allocated_memory_has_a_known_size() -> None:
    text = text_of("AllocateBuffer", operands=(), results=("tensor<2xbf16>",))
    np.testing.assert_array_equal(sm.run(text), np.zeros(2, ml_dtypes.bfloat16))
    text = text_of("AllocateBuffer", operands=(), results=("tensor<?xf32>",))
    message = message_of(text, kind=sm.EvaluationError)
    assert "memory is allocated for known sizes" in message


# ---- checks

TWO: Final = ("tensor<2xf32>", "tensor<2xf32>")


@pytest.mark.parametrize(
    ("target", "near", "far"),
    [
        ("check.expect_eq", [1, 2], [1, np.nextafter(np.float32(2), np.float32(3))]),
        ("check.expect_almost_eq", [1.0009, 2], [1.0011, 2]),
        ("check.expect_close", [1 + 3 * 2.0**-23, 2], [1 + 4 * 2.0**-23, 2]),
    ],
)
def test_check_ends_the_run_where_values_differ(
    target: str, near: list[float], far: list[float]
) -> None:
    text = text_of(target, "has_side_effect = true", operands=TWO, results=())
    sm.run(text, X, np.array(near, np.float32))
    message = message_of(text, X, np.array(far, np.float32), kind=sm.EvaluationError)
    assert f"stablehlo.custom_call @{target}: " in message
    assert "different = 1 of 2" in message


def test_checks_compare_nan_as_their_operations_do() -> None:
    nan = np.array([np.nan, 1], np.float32)
    for target in ("check.expect_almost_eq", "check.expect_close"):
        sm.run(text_of(target, operands=TWO, results=()), nan, nan)
    text = text_of("check.expect_eq", operands=TWO, results=())
    message_of(text, nan, nan, kind=sm.EvaluationError)


def test_check_eq_answers() -> None:
    text = text_of("check.eq", operands=TWO, results=("tensor<i1>",))
    assert sm.run(text, X, X + np.float32(0.9e-4))
    assert not sm.run(text, X, X + np.float32(1.1e-4))
    integers = ("tensor<2xi32>", "tensor<2xi32>")
    text = text_of("check.eq", operands=integers, results=("tensor<i1>",))
    assert sm.run(text, X.astype(np.int32), X.astype(np.int32))
    assert not sm.run(text, X.astype(np.int32), X.astype(np.int32) + 1)


def test_check_takes_two_values_of_a_type() -> None:
    other = ("tensor<2xf32>", "tensor<3xf32>")
    text = text_of("check.expect_eq", operands=other, results=())
    message = message_of(text, X, np.zeros(3, np.float32), kind=sm.EvaluationError)
    assert "a value is compared with one of its type" in message
    text = text_of("check.expect_close", operands=("tensor<2xi32>",) * 2, results=())
    message = message_of(text, *[np.zeros(2, np.int32)] * 2, kind=sm.EvaluationError)
    assert "floating-point or complex elements are compared" in message


# ---- top-k

VALUES: Final = np.array([[3, 1, np.nan, 2, 3], [-0.0, 0.0, -np.inf, -1, -1]], np.float32)
TOP: Final = ("tensor<2x3xf32>", "tensor<2x3xi32>")


def test_mhlo_topk_gives_values_and_indices() -> None:
    attributes = "mhlo.attributes = {{k = 3 : i64, largest = {}}}, mhlo.version = 1 : i64"
    text = text_of(
        "mhlo.topk", attributes.format("true"), operands=("tensor<2x5xf32>",), results=TOP
    )
    values, indices = sm.run(text, VALUES)
    np.testing.assert_array_equal(indices, [[2, 0, 4], [1, 0, 3]])
    np.testing.assert_array_equal(values, np.take_along_axis(VALUES, indices, -1))
    text = text_of(
        "mhlo.topk", attributes.format("false"), operands=("tensor<2x5xf32>",), results=TOP
    )
    _, indices = sm.run(text, VALUES)
    np.testing.assert_array_equal(indices, [[1, 3, 0], [2, 3, 4]])


def test_topk_asks_for_elements_that_are_there() -> None:
    attributes = "mhlo.attributes = {k = 6 : i64}"
    text = text_of("mhlo.topk", attributes, operands=("tensor<2x5xf32>",), results=TOP)
    assert "k = 6, size = 5" in message_of(text, VALUES, kind=sm.EvaluationError)


COMPARATOR: Final = """
  func.func private @less(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>)
      -> tensor<i1> {
    %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    RETURN %0 : tensor<i1>
  }"""
PAIRS: Final = ("tensor<6x2xf32>", "tensor<6x2xi32>", "tensor<f32>", "tensor<i32>")


@pytest.mark.parametrize("terminator", ["stablehlo.return", "func.return"])
@pytest.mark.parametrize("target", ["ApproxTopK", "PartialReduce"])
def test_approximate_topk_is_exact(target: str, terminator: str) -> None:
    x = np.random.default_rng(0).standard_normal((6, 2)).astype(np.float32)
    numbers = np.arange(12, dtype=np.int32).reshape(6, 2)
    json = '"{\\22reduction_dim\\22: 0, \\22top_k\\22: 2, \\22recall_target\\22: 0.9}"'
    typed = '"", mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}'
    config = json if target == "PartialReduce" else typed
    text = text_of(
        target,
        f"called_computations = [@less], backend_config = {config}",
        operands=PAIRS,
        results=("tensor<2x2xf32>", "tensor<2x2xi32>"),
    ) + COMPARATOR.replace("RETURN", terminator)
    values, result = sm.run(text, x, numbers, np.float32(np.inf), np.int32(-1))
    places = np.argsort(x, 0)[:2]
    np.testing.assert_array_equal(values, np.take_along_axis(x, places, 0))
    np.testing.assert_array_equal(result, np.take_along_axis(numbers, places, 0))


def test_approximate_topk_fills_up() -> None:
    """The result of a partial reduction may be larger than what there is."""
    config = 'backend_config = "", mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}'
    text = text_of(
        "ApproxTopK",
        f"called_computations = [@less], {config}",
        operands=PAIRS,
        results=("tensor<8x2xf32>", "tensor<8x2xi32>"),
    ) + COMPARATOR.replace("RETURN", "func.return")
    x = np.arange(12, dtype=np.float32).reshape(6, 2)
    values, numbers = sm.run(text, x, x.astype(np.int32), np.float32(np.inf), np.int32(-1))
    np.testing.assert_array_equal(values, np.vstack([x, np.full((2, 2), np.inf)]))
    np.testing.assert_array_equal(numbers, np.vstack([x, np.full((2, 2), -1)]))


def test_dynamic_topk_takes_its_size_as_an_operand() -> None:
    types = ("tensor<2x?xf32>", "tensor<i32>")
    results = ("tensor<2x?xf32>", "tensor<2x?xi32>")
    text = text_of("stablehlo.dynamic_top_k", operands=types, results=results)
    values, indices = sm.run(text, VALUES, np.int32(2))
    np.testing.assert_array_equal(indices, [[2, 0], [1, 0]])
    np.testing.assert_array_equal(values, np.take_along_axis(VALUES, indices, -1))
    assert "k = 6" in message_of(text, VALUES, np.int32(6), kind=sm.EvaluationError)


# ---- operations with sizes as operands


def test_dynamic_rng_bit_generator_has_the_shape_that_arrives() -> None:
    text = text_of(
        "stablehlo.dynamic_rng_bit_generator",
        "rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>",
        operands=("tensor<2xui64>", "tensor<2xi32>"),
        results=("tensor<2xui64>", "tensor<?x3xui32>"),
    )
    state = np.array([1, 2], np.uint64)
    new, numbers = sm.run(text, state, np.array([2, 3], np.int32))
    static = """func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>) {
      %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY
          : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
      return %0, %1 : tensor<2xui64>, tensor<2x3xui32>
    }"""
    for ours, expected in zip((new, numbers), sm.run(static, state), strict=True):
        np.testing.assert_array_equal(ours, expected)


WINDOWS: Final = "tensor<?xf32> tensor<f32> tensor<1xi32> tensor<1xi32> tensor<1xi32> tensor<1xi32>"
ADD: Final = """
  func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %a, %b : tensor<f32>
    RETURN %0 : tensor<f32>
  }"""


@pytest.mark.parametrize("terminator", ["stablehlo.return", "func.return"])
def test_dynamic_reduce_window_has_the_windows_that_arrive(terminator: str) -> None:
    text = text_of(
        "stablehlo.dynamic_reduce_window",
        "called_computations = [@add]",
        operands=(*WINDOWS.split(), "tensor<1x2xi32>"),
        results=("tensor<?xf32>",),
    ) + ADD.replace("RETURN", terminator)
    x, one = np.arange(6, dtype=np.float32), np.array([1], np.int32)
    sizes, padding = np.array([3], np.int32), np.array([[1, 0]], np.int32)
    result = sm.run(text, x, np.float32(0), sizes, 2 * one, one, one, padding)
    np.testing.assert_array_equal(result, [0 + 1, 1 + 2 + 3, 3 + 4 + 5])
    message = message_of(
        text, x, np.float32(0), -sizes, one, one, one, padding, kind=sm.EvaluationError
    )
    assert "stablehlo.reduce_window C5: 0 < window_dimensions" in message


# ---- functions of MHLO


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("acos", np.arccos(0.25)),
        ("acosh", None),
        ("asin", np.arcsin(0.25)),
        ("asinh", np.arcsinh(0.25)),
        ("atan", np.arctan(0.25)),
        ("atanh", np.arctanh(0.25)),
        ("cosh", np.cosh(0.25)),
        ("erf", 0.27632639016823696),
        ("sinh", np.sinh(0.25)),
        ("tan", np.tan(0.25)),
    ],
)
def test_functions_of_mhlo(name: str, expected: float | None) -> None:
    attributes = "mhlo.attributes = {}, mhlo.version = 1 : i64"
    result = sm.run(text_of(f"mhlo.{name}", attributes), np.full(2, 0.25, np.float32))
    np.testing.assert_allclose(result, np.nan if expected is None else expected, rtol=3e-7)


def test_function_of_mhlo_keeps_the_type() -> None:
    text = text_of("mhlo.erf", results=("tensor<3xf32>",))
    assert "expected = tensor<2xf32>" in message_of(text, X, kind=sm.VerifyError)
    text = text_of("mhlo.erf", operands=("tensor<2xf32>",) * 2)
    assert "the operands operand and one result" in message_of(text, X, X, kind=sm.VerifyError)


def test_functions_may_bear_the_name_that_chlo_gives_them() -> None:
    result = sm.run(text_of("chlo.cosh", "mhlo.attributes = {}"), X)
    np.testing.assert_allclose(result, np.cosh(X), rtol=3e-7)
    text = text_of("chlo.mulhi", operands=("tensor<1xi32>",) * 2, results=("tensor<1xi32>",))
    x = np.array([1 << 30], np.int32)
    np.testing.assert_array_equal(sm.run(text, x, x), [1 << 28])


RAGGED_DOT: Final = (
    "mhlo.attributes = {{ragged_dot_dimension_numbers = [dense<> : tensor<0xi64>, "
    "dense<> : tensor<0xi64>, dense<1> : tensor<1xi64>, dense<1> : tensor<1xi64>, "
    "dense<0> : tensor<1xi64>{last}]{precision}}}, mhlo.version = 1 : i64"
)
LAST: Final = ", dense<0> : tensor<1xi64>"


def ragged_dot(target: str, last: str = LAST, precision: str = "") -> str:
    """A program of one ragged_dot, its attributes written as builtin ones."""
    attributes = RAGGED_DOT.format(last=last, precision=precision)
    operands = ("tensor<4x2xi32>", "tensor<2x2x1xi32>", "tensor<2xi64>")
    return text_of(target, attributes, operands=operands, results=("tensor<4x1xi32>",))


RAGGED: Final = (
    np.array([[1, 2], [3, 4], [5, 6], [7, 8]], np.int32),
    np.array([[[1], [10]], [[100], [1000]]], np.int32),
    np.array([2, 1]),
)


@pytest.mark.parametrize("target", ["mhlo.ragged_dot", "chlo.ragged_dot"])
def test_ragged_dot(target: str) -> None:
    """Rows 0 and 1 by the first matrix, row 2 by the second, row 3 is in no group."""
    text = ragged_dot(target, precision=', precision_config = ["HIGHEST", "DEFAULT"]')
    np.testing.assert_array_equal(sm.run(text, *RAGGED), [[21], [43], [6500], [0]])


@pytest.mark.parametrize(
    ("last", "precision", "message"),
    [
        ("", "", "ragged_dot_dimension_numbers: lhs_batching_dimensions"),
        (", 0", "", "ragged_dot_dimension_numbers: lhs_batching_dimensions"),
        (LAST, ', precision_config = ["LOW"]', "is a list of DEFAULT, HIGH, HIGHEST"),
        (LAST, ", precision_config = 1", "is a list of DEFAULT, HIGH, HIGHEST"),
        (", dense<7> : tensor<1xi64>", "", "chlo.ragged_dot rhs"),
    ],
)
def test_attributes_of_ragged_dot_are_checked(last: str, precision: str, message: str) -> None:
    text = ragged_dot("mhlo.ragged_dot", last, precision)
    assert message in message_of(text, *RAGGED, kind=sm.VerifyError)


def test_built_in_names_are_those_that_are_documented() -> None:
    """The issue's list; LAPACK has a test of its own."""
    names = {
        "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "check.expect_eq",
        "check.expect_close", "check.expect_almost_eq", "check.eq", "mhlo.topk", "CreateBuffer",
        "Pin", "Unpin",
    }  # fmt: skip
    assert names <= BUILT_IN.keys()
