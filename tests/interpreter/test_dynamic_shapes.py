"""Programs with sizes that are known only when they run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.ir.types import TensorType
from stablemate.ir.verifier import operation_violations
from tests.interpreter.dynamic_sizes import open_function, shapes_of, single_operations
from tests.symbolic.programs import NAMES, exported

OPS: Final = Path(__file__).parents[1] / "ops"
# Helper dialects require certain sizes; two operations of CHLO and those of MHLO are decomposed
# for known sizes only.
LEFT_OUT: Final = ("arith_", "shape_", "tensor_", "chlo_ragged_dot", "chlo_scan", "mhlo")
FILES: Final = sorted(
    path.name
    for path in OPS.glob("*.mlir")
    if ".invalid" not in path.name and not path.name.startswith(LEFT_OUT)
)


# ---- the same programs with open sizes


@pytest.mark.standard
@pytest.mark.parametrize("name", NAMES)
def test_programs_with_symbolic_sizes_compute_what_jax_computes(name: str) -> None:
    program = exported()[name]
    module = sm.load(program.text)
    for case in program.cases:
        results = module.run(*case.inputs, backend="interpreter")
        results = results if isinstance(results, tuple) else (results,)
        for ours, theirs in zip(results, case.results, strict=True):
            assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
            # XLA orders sums and computes exp and erf in its own way.
            np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-5)


@pytest.mark.standard
def test_the_list_of_symbolic_programs_is_complete() -> None:
    assert set(exported()) == set(NAMES)


@pytest.mark.parametrize("file", FILES)
def test_examples_give_their_values_with_open_sizes(file: str) -> None:
    """Each size of each intermediate result is open unless a rule says otherwise."""
    for name, function in sm.load(OPS / file).functions.items():
        if function.is_public and not function.signature.arguments:
            module = sm.load(OPS / file)
            open_function(module.functions[name].operation)
            module.run(entry=name, backend="interpreter")


@pytest.mark.parametrize("file", FILES)
def test_open_sizes_keep_the_rules_of_known_sizes(file: str) -> None:
    """What the verifier rejects for static sizes is a run-time error that names the operation."""
    for single in single_operations(sm.load(OPS / file)):
        program = single.program()
        if program.diagnostics():
            continue  # a part of something larger, such as a region
        executable = sm.compile(program, backend="interpreter")
        for arrays in single.variants():
            resolved = single.with_shapes_of(arrays)
            check_outcome(single.operation.name, resolved, executable, arrays)


def check_outcome(name: str, resolved: Any, executable: Any, arrays: list[Any]) -> None:
    """Runs an operation on arrays, and compares with the rules for their types."""
    wrong = broken_rule_of(resolved)
    results, error = outcome_of(executable, [array.copy() for array in arrays])
    match error:
        case None:
            # A bounded size of the result is the operand's, which known types cannot say.
            assert wrong is None or name == "stablehlo.broadcast_in_dim"
        case sm.EvaluationError():
            rule = error.diagnostics[0].rule
            assert rule.startswith(name)
            assert wrong is None or rule == wrong
        case sm.ArgumentError():
            assert "quant" in str(error)  # there is no scale for each slice
        case _:
            assert name == "stablehlo.rng_bit_generator"  # a state of another algorithm
    if wrong is None:
        for array, expected in zip(results, shapes_of(resolved), strict=False):
            assert not isinstance(expected, TensorType) or has_shape(array, expected)


def outcome_of(executable: Any, arrays: list[Any]) -> tuple[tuple[Any, ...], Any]:
    """The results and no error, or no results and the error."""
    try:
        results = executable(*arrays)
    except sm.StablemateError as error:
        return (), error
    return results if isinstance(results, tuple) else (results,), None


def broken_rule_of(operation: Any) -> str | None:
    """The rule that an operation breaks."""
    return next((rule.rule for rule in operation_violations(operation)), None)


def has_shape(array: Any, expected: TensorType) -> bool:
    """Whether an array has the shape of a type, as far as that is known."""
    return len(array.shape) == expected.rank and all(
        size in (-1, actual) for size, actual in zip(expected.shape, array.shape, strict=True)
    )


# ---- errors


def outcome(text: str, *arguments: Any) -> str:
    """The text of a run-time error, without the carets."""
    with pytest.raises(sm.EvaluationError) as caught:
        sm.run(text, *arguments)
    return str(caught.value)


def test_a_mismatch_names_operation_rule_and_shapes() -> None:
    text = """func.func @main(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.add %a, %b : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}"""
    assert outcome(text, np.zeros((2, 3), np.float32), np.zeros((1, 3), np.float32)) == (
        "<text>:2:8: error: stablehlo.add C1: type(lhs) = type(rhs) = type(result), "
        "element types aside if one is quantized\n"
        " 2 |   %0 = stablehlo.add %a, %b : tensor<?x3xf32>\n"
        "   |        ^^^^^^^^^^^^^ lhs = tensor<2x3xf32>, rhs = tensor<1x3xf32>"
    )


def test_a_result_of_another_size_than_declared() -> None:
    text = """func.func @main(%a: tensor<?xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
    output = outcome(text, np.zeros(3, np.float32))
    assert "stablehlo.add C1" in output
    assert "type = tensor<4xf32>, expected = tensor<3xf32>" in output


def test_a_mismatch_in_a_loop_and_a_call() -> None:
    text = """module {
  func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %true = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.while(%x = %a) : tensor<?xf32>
     cond { stablehlo.return %true : tensor<i1> }
     do {
      %1 = func.call @f(%x, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      stablehlo.return %1 : tensor<?xf32>
    }
    return %0 : tensor<?xf32>
  }
  func.func private @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.maximum %a, %b : tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}"""
    output = outcome(text, np.zeros(3, np.float32), np.zeros(2, np.float32))
    assert output.startswith("<text>:13:10: error: stablehlo.maximum C1")
    assert "lhs = tensor<3xf32>, rhs = tensor<2xf32>" in output


def test_a_scale_for_each_slice() -> None:
    element = "!quant.uniform<i8:f32:0, {0.5,0.25}>"
    text = f"""func.func @main(%a: tensor<?xf32>) -> tensor<?x{element}> {{
  %0 = stablehlo.uniform_quantize %a : (tensor<?xf32>) -> tensor<?x{element}>
  return %0 : tensor<?x{element}>
}}"""
    assert sm.run(text, np.array([1, 1], np.float32)).tolist() == [2, 4]
    output = outcome(text, np.zeros(3, np.float32))
    assert "stablehlo.uniform_quantize quantized tensor type C13" in output
    assert "dim = 3, scales = 2" in output


def test_quantized_arguments_have_a_scale_for_each_slice() -> None:
    value_type = "tensor<?x!quant.uniform<i8:f32:0, {0.5,0.25}>>"
    text = f"func.func @main(%a: {value_type}) -> {value_type} {{ return %a : {value_type} }}"
    assert sm.run(text, np.array([1, 1], np.int8)).tolist() == [1, 1]
    with pytest.raises(sm.ArgumentError, match=re.escape("tensor<3xi8> was given")):
        sm.run(text, np.zeros(3, np.int8))


def test_results_are_not_larger_than_the_limit() -> None:
    text = """func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [] x []
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}"""
    many = np.zeros(100_000, np.float32)
    with pytest.raises(sm.LimitError, match="less than 1000000000 bytes"):
        sm.run(text, many, many)


def test_a_program_runs_for_any_number_of_shapes() -> None:
    text = """func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.negate %a : tensor<?xf32>
  return %0 : tensor<?xf32>
}"""
    executable = sm.compile(sm.load(text), backend="interpreter")
    for size in (*range(200), 0, 3, 199):
        assert executable(np.ones(size, np.float32)).tolist() == [-1.0] * size


# ---- assertions about sizes


@pytest.mark.standard
def test_an_assertion_fails_with_its_message() -> None:
    program = exported()["reshape_quarters"]
    output = outcome(program.text, np.zeros(6, np.float32))
    assert "error: stablehlo.custom_call @shape_assertion: Input shapes do not match" in output
    assert "Division had remainder 2 when computing the value of 'b'" in output


ASSERTION: Final = """func.func @main(%n: tensor<i32>, %m: tensor<i64>) {{
  %0 = stablehlo.constant dense<false> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%0, %n, %m) {{api_version = 2 : i32,
    error_message = "{message}", has_side_effect = true}}
    : (tensor<i1>, tensor<i32>, tensor<i64>) -> ()
  return
}}"""


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("n = {0}, m = {1}", "n = 3, m = -4"),
        ("{1} {0} {1}", "-4 3 -4"),
        ("{0,5} and {1:x}", "3 and -4"),
        ("{{0} and {1}", "{0} and -4"),
        ("nothing", "nothing"),
    ],
)
def test_an_assertion_fills_in_numbers(message: str, expected: str) -> None:
    output = outcome(ASSERTION.format(message=message), np.int32(3), np.int64(-4))
    assert f"@shape_assertion: {expected}\n" in output


def test_an_assertion_names_operands_that_exist() -> None:
    output = outcome(ASSERTION.format(message="{2}"), np.int32(3), np.int64(-4))
    assert "error_message names operands that exist" in output


# ---- scalars of helper dialects as arguments and results


def test_scalars_are_arguments_and_results() -> None:
    text = """func.func @main(%i: index, %a: i32, %x: f32, %p: i1) -> (index, i32, f32, i1) {
  return %i, %a, %x, %p : index, i32, f32, i1
}"""
    results = sm.run(text, 5, np.int32(-3), 1.5, True)
    assert [result.item() for result in results] == [5, -3, 1.5, True]
    assert [str(result.dtype) for result in results] == ["int64", "int32", "float32", "bool"]


@pytest.mark.parametrize("wrong", [np.int64(1), 1.5, "1", None, [1, 2]])
def test_arguments_that_are_no_such_scalars_are_rejected(wrong: Any) -> None:
    text = "func.func @main(%a: i32) -> i32 { return %a : i32 }"
    with pytest.raises(sm.ArgumentError):
        sm.run(text, wrong)


def test_an_index_is_an_integer() -> None:
    with pytest.raises(sm.ArgumentError):
        sm.run("func.func @main(%a: index) -> index { return %a : index }", 1.5)
