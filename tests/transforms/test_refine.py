"""Refinement: programs for known argument types."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.ir.core import Block, Operation
from stablemate.ir.definition import Op
from stablemate.ir.types import DYNAMIC, TensorType, TupleType, Type
from stablemate.transforms import stablehlo_refine_shapes
from stablemate.transforms.stablehlo_refine_shapes import FunctionRefinement
from tests.interpreter.dynamic_sizes import single_operations
from tests.oracle.client import Oracle, OracleAborted, OracleRejected
from tests.symbolic.programs import NAMES, exported

TESTS: Final = Path(__file__).parents[1]
PROGRAMS: Final = sorted((Path(__file__).parent / "refine").glob("*.mlir"))
OPS: Final = sorted(
    path.name
    for path in (TESTS / "ops").glob("*.mlir")
    if ".invalid" not in path.name and not path.name.startswith(("arith_", "shape_", "tensor_"))
)
SHAPES: Final = "stablehlo-refine-shapes,func.func(stablehlo-canonicalize-dynamism)"
# Operations that are dynamic by what they compute, not by their sizes.
BY_INDEX: Final = ("stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice")


def upstream(oracle: Oracle, text: str, types: list[Type]) -> sm.Module | None:
    """What upstream's passes make of a program; None if they fail."""
    listed = ",".join(map(str, types))
    pipeline = f"stablehlo-refine-arguments{{types={listed}}},{SHAPES}"
    try:
        return sm.load(oracle.transformed(text, pipeline))
    except (OracleRejected, OracleAborted):
        return None


def is_dynamic(operation: Operation) -> bool:
    """Whether sizes of an operation are known only when it runs."""
    is_by_size = "dynamic_" in operation.name and operation.name not in BY_INDEX
    return is_by_size or any("?" in str(value.type) for value in operation.results)


def knows_as_much(ours: Type, theirs: Type) -> bool:
    """Whether a type says all that another one says."""
    if not isinstance(ours, TensorType) or not isinstance(theirs, TensorType):
        return ours == theirs
    sizes = zip(ours.shape, theirs.shape, strict=True)
    return ours.element_type == theirs.element_type and all(b in (DYNAMIC, a) for a, b in sizes)


def result_types(module: sm.Module) -> list[Type]:
    """The types of the results of the entry."""
    return [result.type for result in module.entry().signature.results]


def run(module: sm.Module, *arguments: Any) -> list[Any]:
    """The results of the entry, as a list."""
    results = module.run(*arguments)
    return list(results) if isinstance(results, tuple) else [results]


# ---- against upstream and JAX


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_are_refined_as_upstream_refines_them(path: Path, oracle: Oracle) -> None:
    text = path.read_text()
    types = text.splitlines()[0].removeprefix("// types: ")
    expected = oracle.transformed(
        text, f"stablehlo-refine-arguments{{types={types.replace(', ', ',')}}},{SHAPES}"
    )
    refined = sm.load(text).refine(types)
    refined.verify()
    theirs = sm.load(expected)
    for name, function in refined.functions.items():
        assert str(function.signature) == str(theirs.functions[name].signature)
    # Functions that nobody calls any more are left out; constants stand where they are computed.
    assert sorted(operations_of(refined)) == sorted(operations_of(theirs, *refined.functions))


def operations_of(module: sm.Module, *names: str) -> list[str]:
    """Each operation of some functions with its types, constants aside."""
    functions = [f for name, f in module.functions.items() if not names or name in names]
    return [
        repr(operation)
        for function in functions
        for operation in function.operation.walk()
        if operation.name not in ("stablehlo.constant", "func.func")
    ]


@pytest.mark.standard
@pytest.mark.parametrize("name", NAMES)
def test_programs_with_symbolic_sizes_become_static(name: str, oracle: Oracle) -> None:
    program = exported()[name]
    module = sm.load(program.text)
    before = module.to_text()
    for case in program.cases:
        types: list[Type] = [*case.types]
        refined = module.refine(types)
        refined.verify()
        assert not [operation for operation in refined.operation.walk() if is_dynamic(operation)]
        assert "shape_assertion" not in refined.to_text()
        assert refined.refine().to_text() == refined.to_text()
        for ours, theirs in zip(run(refined, *case.inputs), case.results, strict=True):
            assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
            # XLA orders sums and computes exp and erf in its own way.
            np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=2e-5)
        if theirs := upstream(oracle, program.text, types):
            pairs = zip(result_types(refined), result_types(theirs), strict=True)
            assert all(knows_as_much(a, b) for a, b in pairs)
    assert module.to_text() == before


@pytest.mark.parametrize("file", OPS)
def test_operations_are_refined_at_least_as_far_as_upstream(file: str, oracle: Oracle) -> None:
    for single in single_operations(sm.load(TESTS / "ops" / file)):
        program = single.program()
        if program.diagnostics():
            continue  # a part of something larger, such as a region
        types: list[Type] = [value.type for value in single.operation.operands]
        refined = program.refine(types)
        refined.verify()
        if theirs := upstream(oracle, program.to_text(), types):
            pairs = zip(result_types(refined), result_types(theirs), strict=True)
            assert all(knows_as_much(a, b) for a, b in pairs), program.to_text()
        results = run(refined, *single.arrays)
        if isinstance(result_types(refined)[0], TupleType):
            continue
        for array, result in zip(results, result_types(refined), strict=True):
            if isinstance(result, TensorType) and result.is_static:
                assert array.shape == result.shape


# ---- beyond upstream


def refined_text(text: str, *types: str) -> str:
    """The text of a refined program."""
    refined = sm.load(text).refine(types)
    refined.verify()
    return refined.to_text()


def test_a_loop_whose_state_grows_keeps_it_open() -> None:
    text = """func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3:3 = stablehlo.while(%i = %0, %x = %a, %y = %b) : tensor<i32>, tensor<?xf32>, tensor<?xf32>
   cond {
    %4 = stablehlo.compare LT, %i, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %4 = stablehlo.add %i, %1 : tensor<i32>
    %5 = stablehlo.concatenate %x, %y, dim = 0
      : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %4, %5, %y : tensor<i32>, tensor<?xf32>, tensor<?xf32>
  }
  return %3#1 : tensor<?xf32>
}"""
    refined = sm.load(text).refine("tensor<2xf32>, tensor<1xf32>")
    refined.verify()
    assert ") : tensor<i32>, tensor<?xf32>, tensor<1xf32>\n" in refined.to_text()
    assert sm.load(refined.to_text()).refine().to_text() == refined.to_text()
    a, b = np.ones(2, np.float32), np.zeros(1, np.float32)
    assert refined.run(a, b).tolist() == [1, 1, 0, 0, 0]


def test_a_function_is_refined_for_each_use() -> None:
    text = """module {
  func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %0 = call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>
    %1 = call @f(%b) : (tensor<?xf32>) -> tensor<?xf32>
    return %0, %1 : tensor<?xf32>, tensor<?xf32>
  }
  func.func private @f(%a: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.negate %a : tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}"""
    refined = sm.load(text).refine(["tensor<2xf32>", "tensor<3xf32>"])
    signatures = [str(function.signature) for function in refined.functions.values()]
    assert signatures == [
        "main(%arg0: tensor<2xf32>, %arg1: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)",
        "f(%arg0: tensor<2xf32>) -> (tensor<2xf32>)",
        "f_0(%arg0: tensor<3xf32>) -> (tensor<3xf32>)",
    ]
    assert not refined.functions["f_0"].is_public


def test_operations_that_look_alike_have_the_sizes_of_their_constants() -> None:
    text = """func.func @main(%a: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %s = stablehlo.constant dense<[2, 6]> : tensor<2xi32>
  %t = stablehlo.constant dense<[4, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.dynamic_reshape %a, %t : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %2 = stablehlo.negate %0 : tensor<?x?xf32>
  %3 = stablehlo.negate %1 : tensor<?x?xf32>
  return %2, %3 : tensor<?x?xf32>, tensor<?x?xf32>
}"""
    refined = sm.load(text).refine("tensor<12xf32>")
    assert list(map(str, result_types(refined))) == ["tensor<2x6xf32>", "tensor<4x3xf32>"]


def test_types_of_operations_that_look_alike_are_inferred_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refined: list[str] = []
    infer = stablehlo_refine_shapes.refine_results

    def counted(operation: Op) -> None:
        refined.append(operation.name)
        infer(operation)

    monkeypatch.setattr(stablehlo_refine_shapes, "refine_results", counted)
    sm.load(chain_of_calls(9)).refine("tensor<2xf32>").verify()
    assert refined.count("stablehlo.negate") == 1


def test_functions_that_others_call_stay_as_they_were() -> None:
    text = """module {
  func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
    %0 = call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @other(%a: tensor<?xf32>) -> tensor<?xf32> {
    %0 = call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func private @f(%a: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.negate %a : tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}"""
    refined = sm.load(text).refine("tensor<2xf32>")
    refined.verify()
    assert list(refined.functions) == ["main", "other", "f", "f_0"]
    assert refined.run(np.ones(3, np.float32), entry="other").tolist() == [-1, -1, -1]
    assert refined.run(np.ones(2, np.float32)).tolist() == [-1, -1]


def test_a_composite_is_refined_with_its_decomposition() -> None:
    text = """module {
  func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.composite "my.op" %a {decomposition = @f} : (tensor<?xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func private @f(%a: tensor<?xf32>) -> tensor<?xf32> {
    %0 = stablehlo.negate %a : tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}"""
    assert "?" not in refined_text(text, "tensor<2xf32>")


def test_discardable_attributes_survive() -> None:
    text = """func.func @main(%a: tensor<?xf32> {my.argument}) -> (tensor<?xf32> {my.result})
    attributes {my.function} {
  %0 = stablehlo.constant {my.constant} dense<1> : tensor<1xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 0 {my.iota} : (tensor<1xi32>) -> tensor<?xf32>
  %2 = stablehlo.concatenate %a, %1, dim = 0 {my.concatenate}
    : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return {my.return} %2 : tensor<?xf32>
}"""
    refined = refined_text(text, "tensor<2xf32>")
    for name in ("argument", "result", "function", "iota", "concatenate", "return"):
        assert f"my.{name}" in refined


HELPERS: Final = """func.func @main(%a: tensor<?x?xf32>, %b: tensor<?xf32>) -> tensor<2x?xf32> {
  %0 = shape.shape_of %a : tensor<?x?xf32> -> tensor<2xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> !shape.shape
  %2 = shape.cstr_broadcastable %0, %1 : tensor<2xindex>, !shape.shape
  %3 = shape.assuming %2 -> (tensor<?x?xf32>) {
    %4 = shape.broadcast %0, %1 : tensor<2xindex>, !shape.shape -> !shape.shape
    %5 = shape.to_extent_tensor %4 : !shape.shape -> tensor<2xindex>
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %a, %c0 : tensor<?x?xf32>
    %6 = arith.addi %dim, %c1 : index
    %7 = arith.subi %6, %c1 : index
    %extracted = tensor.extract %5[%c1] : tensor<2xindex>
    %from_elements = tensor.from_elements %7, %extracted : tensor<2xindex>
    %8 = arith.index_cast %from_elements : tensor<2xindex> to tensor<2xi64>
    %9 = stablehlo.dynamic_broadcast_in_dim %a, %8, dims = [0, 1]
      : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    %10 = stablehlo.dynamic_broadcast_in_dim %b, %5, dims = [1]
      : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %11 = stablehlo.add %9, %10 : tensor<?x?xf32>
    shape.assuming_yield %11 : tensor<?x?xf32>
  }
  %cast = tensor.cast %3 : tensor<?x?xf32> to tensor<2x?xf32>
  return %cast : tensor<2x?xf32>
}"""


def test_computations_of_helper_dialects_become_constants() -> None:
    refined = refined_text(HELPERS, "tensor<2x1xf32>", "tensor<3xf32>")
    assert (
        refined
        == """module {
  func.func @main(%arg0: tensor<2x1xf32>, %arg1: tensor<3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
    %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
"""
    )


def test_an_assumption_that_fails_stays_and_ends_the_run() -> None:
    refined = sm.load(HELPERS).refine("tensor<2x2xf32>, tensor<3xf32>")
    with pytest.raises(sm.EvaluationError, match=r"shape\.cstr_broadcastable"):
        refined.run(np.zeros((2, 2), np.float32), np.zeros(3, np.float32))


def test_some_sizes_may_stay_open() -> None:
    text = """func.func @main(%a: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<i32>, tensor<i32>) {
  %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %1 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %2 = stablehlo.transpose %a, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %2, %0, %1 : tensor<?x?xf32>, tensor<i32>, tensor<i32>
}"""
    refined = sm.load(text).refine("tensor<2x?xf32>")
    assert str(refined.entry().signature.results[0].type) == "tensor<?x2xf32>"
    transposed, *sizes = refined.run(np.zeros((2, 5), np.float32))
    assert (transposed.shape, [int(size) for size in sizes]) == ((5, 2), [2, 5])


def test_random_numbers_are_not_computed_before_the_run() -> None:
    text = """func.func @main() -> tensor<4xui32> {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %1, %2 = stablehlo.rng_bit_generator %0, algorithm = THREE_FRY
    : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return %2 : tensor<4xui32>
}"""
    assert "stablehlo.rng_bit_generator" in refined_text(text)


def test_what_has_effects_stays() -> None:
    text = """func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  stablehlo.custom_call @effect(%a) {has_side_effect = true} : (tensor<?xf32>) -> ()
  %0 = stablehlo.custom_call @no_effect(%a) : (tensor<?xf32>) -> tensor<f32>
  %1 = "stablehlo.after_all"() : () -> !stablehlo.token
  %2 = "stablehlo.outfeed"(%a, %1) : (tensor<?xf32>, !stablehlo.token) -> !stablehlo.token
  return %a : tensor<?xf32>
}"""
    refined = refined_text(text, "tensor<2xf32>")
    assert "@effect" in refined
    assert "outfeed" in refined
    assert "@no_effect" not in refined


# ---- errors

ADD: Final = """func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}"""


def test_types_with_which_a_rule_breaks() -> None:
    with pytest.raises(sm.VerifyError) as caught:
        sm.load(ADD).refine("tensor<2xf32>, tensor<3xf32>")
    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.rule == "stablehlo.add C1"
    assert diagnostic.span is not None
    assert diagnostic.span.line == 2
    assert {name: str(v) for name, v in diagnostic.values.items()} == {
        "lhs": "tensor<2xf32>",
        "rhs": "tensor<3xf32>",
    }


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ("tensor<2xf32>", "types of arguments of @main: expected 2, not 1"),
        ("tensor<2xf64>, tensor<2xf32>", "argument 0 of @main is tensor<?xf32>, not tensor<2xf64>"),
        ("tensor<2xf32>, tensor<2x1xf32>", "argument 1 of @main is tensor<?xf32>, not"),
        ("tensor<2xf32>, !stablehlo.token", "argument 1 of @main is tensor<?xf32>, not"),
        ("tensor<2xf32>,", "expected a type"),
        ("tensor<2xf32> tensor<2xf32>", "expected ','"),
        ("tensor<2x", "expected"),
    ],
)
def test_types_that_the_arguments_cannot_have(types: str, expected: str) -> None:
    with pytest.raises(sm.ArgumentError) as caught:
        sm.load(ADD).refine(types)
    assert expected in str(caught.value)


def test_a_bound_limits_the_size() -> None:
    bounded = "tensor<?xf32, #stablehlo.bounds<4>>"
    module = sm.load(f"func.func @main(%a: {bounded}) -> {bounded} {{ return %a : {bounded} }}")
    assert result_types(module.refine("tensor<4xf32>"))[0] == TensorType(
        (4,),
        result_types(module)[0].element_type,  # type: ignore[union-attr]
    )
    with pytest.raises(sm.ArgumentError):
        module.refine("tensor<5xf32>")


@pytest.mark.standard
def test_an_assertion_that_fails() -> None:
    program = exported()["reshape_quarters"]
    with pytest.raises(sm.VerifyError, match="Division had remainder 2") as caught:
        sm.load(program.text).refine("tensor<6xf32>")
    assert caught.value.diagnostics[0].rule == "stablehlo.custom_call @shape_assertion"


def test_a_module_without_entry() -> None:
    with pytest.raises(sm.ArgumentError, match="which function is to be refined"):
        sm.load("func.func @f() { return }\nfunc.func @g() { return }").refine()
    with pytest.raises(sm.ArgumentError, match="has no body"):
        sm.load("func.func private @f(tensor<?xf32>)\n").refine("tensor<2xf32>")


def test_functions_that_call_themselves_or_have_no_body() -> None:
    text = """func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""
    with pytest.raises(sm.UnsupportedError, match="no body of one block"):
        sm.load(f"{text} func.func private @f(tensor<?xf32>) -> tensor<?xf32>").refine(
            "tensor<2xf32>"
        )
    recursive = text.replace("@main", "private @f")
    with pytest.raises(sm.UnsupportedError, match="@main -> @f -> @f"):
        sm.load(text + recursive).refine("tensor<2xf32>")


def chain_of_calls(length: int, last: str = "") -> str:
    """Functions each of which negates its argument and calls the next one."""
    tensor = "tensor<?xf32>"
    functions = [
        f"""func.func {"private @f" if i else "@main"}{i or ""}(%a: {tensor}) -> {tensor} {{
  %0 = stablehlo.negate %a : {tensor}
  %1 = call @f{i + 1}(%0) : ({tensor}) -> {tensor}
  return %1 : {tensor}
}}
"""
        for i in range(length)
    ]
    end = f"func.func private @f{length}(%a: {tensor}) -> {tensor} {{ return %a : {tensor} }}"
    return "".join(functions) + (last or end)


def test_calls_may_be_deep() -> None:
    refined = sm.load(chain_of_calls(400)).refine("tensor<2xf32>")
    refined.verify()
    assert str(result_types(refined)[0]) == "tensor<2xf32>"
    assert "?" not in str(refined)


def test_deep_functions_that_call_themselves() -> None:
    tensor = "tensor<?xf32>"
    last = f"""func.func private @f60(%a: {tensor}) -> {tensor} {{
  %0 = call @f3(%a) : ({tensor}) -> {tensor}
  return %0 : {tensor}
}}"""
    path = " -> ".join(f"@f{i}" for i in range(3, 61))
    with pytest.raises(sm.UnsupportedError, match=f"@main -> @f1 -> @f2 -> {path} -> @f3\n"):
        sm.load(chain_of_calls(60, last)).refine("tensor<2xf32>")


def test_callers_of_deep_functions_go_on_where_they_waited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    placed: list[Operation] = []
    place = FunctionRefinement.place_plain

    def recorded(self: FunctionRefinement, operation: Operation, block: Block) -> None:
        placed.append(operation)
        place(self, operation, block)

    monkeypatch.setattr(FunctionRefinement, "place_plain", recorded)
    monkeypatch.setattr(stablehlo_refine_shapes, "DEEPEST", 0)
    assert "?" not in str(sm.load(chain_of_calls(5)).refine("tensor<2xf32>"))
    assert len(placed) == len(set(placed)) > 5


@pytest.mark.parametrize("name", ["calls", "two_calls", "tokens", "while"])
def test_callees_that_are_refined_first_are_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parent / f"refine/{name}.mlir").read_text()
    types = text.splitlines()[0].removeprefix("// types: ")
    before = str(sm.load(text).refine(types))
    monkeypatch.setattr(stablehlo_refine_shapes, "DEEPEST", 0)
    assert str(sm.load(text).refine(types)) == before
