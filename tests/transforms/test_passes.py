"""Passes by their names: what they make runs as before, and is what upstream makes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import pytest

import stablemate as sm
from stablemate.transforms.pass_pipeline import steps_of
from stablemate.transforms.passes import PASSES, TABLE
from tests.oracle.client import Oracle

OPS: Final = Path(__file__).parents[1] / "ops"
FILES: Final = sorted(
    path.name for path in OPS.glob("*.mlir") if not path.name.endswith(".invalid.mlir")
)
# Passes that any program can go through, and that change nothing that a run can see.
ANYWHERE: Final = (
    "canonicalize",
    "chlo-legalize-to-stablehlo",
    "cse",
    "inline",
    "stablehlo-aggressive-folder",
    "stablehlo-aggressive-simplification",
    "stablehlo-canonicalize-dynamism",
    "stablehlo-complex-math-expander",
    "stablehlo-decompose",
    "stablehlo-legalize-composite-to-call",
    "stablehlo-legalize-deprecated-ops",
    "stablehlo-legalize-qdq-to-quantized-op",
    "stablehlo-legalize-quantized-op-to-qdq",
    "stablehlo-target-independent-optimization",
    "strip-debuginfo",
    "symbol-dce",
)
# Results that are approximate: a formula is not the function.
APPROXIMATE: Final = ("chlo-legalize-to-stablehlo", "stablehlo-decompose")


@pytest.mark.parametrize("file", FILES)
def test_programs_check_their_results_behind_every_pass(file: str) -> None:
    module = sm.load(OPS / file)
    before = module.to_text()
    for name in ANYWHERE:
        if name in APPROXIMATE and file.startswith(("chlo_", "batch_norm")):
            continue  # tests/transforms/test_chlo.py states how far they may be off
        optimized = sm.opt(module, name)
        assert module.to_text() == before, f"{name} has changed what it was given"
        if optimized.to_text() == before:
            continue
        for entry, function in optimized.functions.items():
            if function.is_public:
                optimized.run(entry=entry, backend="interpreter")


def test_every_row_of_the_table_leads_to_a_function() -> None:
    for row in TABLE:
        assert callable(row.function())
        assert row.sentence.endswith(".")
        assert PASSES[row.name] is row


ARITHMETIC: Final = """\
func.func private @twice(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.add %x, %x : tensor<4xi32>
  %1 = stablehlo.add %x, %x : tensor<4xi32>
  %2 = stablehlo.multiply %0, %1 : tensor<4xi32>
  return %2 : tensor<4xi32>
}
func.func private @nobody(%x: tensor<4xi32>) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}
func.func @main(%x: tensor<4xi32>, %p: tensor<i1>) -> tensor<4xi32> {
  %0 = func.call @twice(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = "stablehlo.if"(%p) ({
    %2 = func.call @twice(%0) : (tensor<4xi32>) -> tensor<4xi32>
    stablehlo.return %2 : tensor<4xi32>
  }, {
    %3 = stablehlo.add %x, %x : tensor<4xi32>
    %4 = stablehlo.add %3, %x : tensor<4xi32>
    stablehlo.return %4 : tensor<4xi32>
  }) : (tensor<i1>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
"""
CALLS: Final = """\
func.func private @once(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.add %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func private @twice(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = func.call @once(%x) : (tensor<4xi32>) -> tensor<4xi32>
  %1 = func.call @once(%0) : (tensor<4xi32>) -> tensor<4xi32>
  return %1, %x : tensor<4xi32>, tensor<4xi32>
}
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0:2 = func.call @twice(%x) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  %1:2 = func.call @twice(%0#1) : (tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  %2 = stablehlo.multiply %0#0, %1#0 : tensor<4xi32>
  return %2 : tensor<4xi32>
}
"""
DEPRECATED: Final = """\
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %m: tensor<2x4xf32>) -> (tensor<f32>, tensor<2xf32>, tensor<3x4xf32>, tensor<4xf32>, !stablehlo.token) {
  %0 = stablehlo.dot %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %1 = stablehlo.dot %m, %x, precision = [HIGHEST, DEFAULT] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf32>
  %2 = stablehlo.broadcast %x, sizes = [3] : (tensor<4xf32>) -> tensor<3x4xf32>
  %3 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  %4 = stablehlo.create_token : !stablehlo.token
  return %0, %1, %2, %3, %4 : tensor<f32>, tensor<2xf32>, tensor<3x4xf32>, tensor<4xf32>, !stablehlo.token
}
"""  # noqa: E501
EINSUM: Final = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.unary_einsum %x, config = "ij->j" : (tensor<2x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
COMPOSITES: Final = """\
func.func private @impl(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "my.one" %x {decomposition = @impl} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.two" %0 {decomposition = @impl} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
"""
QUANTIZED: Final = """\
func.func @main(%x: tensor<2x!quant.uniform<i8:f32, 1.0:0>>, %y: tensor<2x!quant.uniform<i8:f32, 2.0:1>>) -> (tensor<2x!quant.uniform<i8:f32, 3.0:2>>, tensor<2xi1>) {
  %0 = stablehlo.add %x, %y : (tensor<2x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x!quant.uniform<i8:f32, 2.0:1>>) -> tensor<2x!quant.uniform<i8:f32, 3.0:2>>
  %1 = stablehlo.compare LT, %x, %x : (tensor<2x!quant.uniform<i8:f32, 1.0:0>>, tensor<2x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<2xi1>
  return %0, %1 : tensor<2x!quant.uniform<i8:f32, 3.0:2>>, tensor<2xi1>
}
"""  # noqa: E501
LOCATED: Final = """\
#loc = loc("f.py":1:2)
func.func @main(%x: tensor<4xf32> loc("x")) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32> loc(fused["a", #loc])
  return %0 : tensor<4xf32> loc(#loc)
} loc(#loc)
"""


@pytest.mark.parametrize(
    ("text", "ours", "theirs"),
    [
        (ARITHMETIC, "cse", "cse"),
        (ARITHMETIC, "symbol-dce", "symbol-dce"),
        (LOCATED, "strip-debuginfo", "strip-debuginfo"),
        (DEPRECATED, "stablehlo-legalize-deprecated-ops",
         "func.func(stablehlo-legalize-deprecated-ops)"),
        (EINSUM, "stablehlo-legalize-deprecated-ops",
         "func.func(stablehlo-legalize-deprecated-ops)"),
        (COMPOSITES, "stablehlo-legalize-composite-to-call",
         "func.func(stablehlo-legalize-composite-to-call)"),
        (COMPOSITES, "stablehlo-legalize-composite-to-call{except=my.two}",
         "func.func(stablehlo-legalize-composite-to-call{except=my.two})"),
        (COMPOSITES, "stablehlo-wrap-in-composite{op-names=stablehlo.add version=3}",
         "stablehlo-wrap-in-composite{op-names=stablehlo.add version=3}"),
        (QUANTIZED, "stablehlo-legalize-quantized-op-to-qdq",
         "func.func(stablehlo-legalize-quantized-op-to-qdq)"),
    ],
)  # fmt: skip
def test_the_same_program_as_upstream(oracle: Oracle, text: str, ours: str, theirs: str) -> None:
    optimized = sm.opt(sm.load(text), ours)
    expected = sm.load(oracle.transformed(text, theirs))
    # Upstream places new functions and constants elsewhere; canonicalize brings both together.
    assert oracle.transformed(optimized.to_text(), "canonicalize") == oracle.transformed(
        expected.to_text(), "canonicalize"
    )


def test_locations_are_gone_and_inlined_operations_say_where_they_were_called() -> None:
    stripped = sm.opt(sm.load(LOCATED), "strip-debuginfo")
    assert "f.py" not in stripped.to_text(debug_info=True)
    text = """\
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.abs %x : tensor<f32> loc("inside")
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f(%x) : (tensor<f32>) -> tensor<f32> loc("call")
  return %0 : tensor<f32>
}
"""
    inlined = sm.opt(text, "inline").to_text(debug_info=True)
    operation = next(
        operation
        for operation in sm.load(inlined).operation.walk()
        if operation.name == "stablehlo.abs"
    )
    assert str(operation.location) == 'callsite("inside" at "call")'


def test_bodies_in_the_place_of_calls() -> None:
    """By hand: upstream's inliner knows no functions in the dialects that JAX registers."""
    module = sm.load(CALLS)
    optimized = sm.opt(module, "inline")
    assert list(optimized.functions) == ["main"]
    names = [operation.name for operation in optimized.operation.walk()]
    assert names[2:] == ["stablehlo.add"] * 4 + ["stablehlo.multiply", "func.return"]
    x = np.array([1, 2, 3, 4], np.int32)
    assert (optimized.run(x, backend="interpreter") == 16 * x * x).all()


def test_a_function_that_calls_itself_stays() -> None:
    text = """\
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    module = sm.load(text)
    assert module.difference(sm.opt(module, "inline")) == ""


SIMPLER: Final = (
    # operations, what is returned
    ("%0 = stablehlo.add %x, %zero : tensor<4xi32>", "%0", "%x"),
    ("%0 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>\n"
     "%1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xi32>) -> tensor<2x3xi32>",
     "%1", "%m"),
    ("%0 = stablehlo.slice %x [1:4] : (tensor<4xi32>) -> tensor<3xi32>\n"
     "%1 = stablehlo.slice %0 [0:3:2] : (tensor<3xi32>) -> tensor<2xi32>",
     "%1", "stablehlo.slice %x [1:4:2]"),
    ("%0 = stablehlo.subtract %x, %x : tensor<4xi32>", "%0", "dense<0>"),
    ("%0 = stablehlo.compare GE, %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>",
     "%0", "dense<true>"),
)  # fmt: skip


@pytest.mark.parametrize(("operations", "returned", "expected"), SIMPLER)
def test_simpler_forms(operations: str, returned: str, expected: str) -> None:
    last = operations.splitlines()[-1]
    result = (last.partition("-> ")[2] or last.partition(" : ")[2]).strip()
    text = (
        f"func.func @main(%x: tensor<4xi32>, %m: tensor<2x3xi32>) -> {result} {{\n"
        f"%zero = stablehlo.constant dense<0> : tensor<4xi32>\n{operations}\n"
        f"return {returned} : {result}\n}}\n"
    )
    optimized = sm.opt(text, "stablehlo-aggressive-simplification").to_text()
    replace_result = expected.replace("%x", "%arg0").replace("%m", "%arg1")
    assert replace_result in optimized.replace("return ", "return \n")
    assert optimized.count("stablehlo.") == (0 if expected.startswith("%") else 1)


def test_floats_whose_bits_would_change_stay() -> None:
    text = """\
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.add %x, %zero : tensor<4xf32>
  %1 = stablehlo.subtract %x, %x : tensor<4xf32>
  %2 = stablehlo.multiply %x, %zero : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
"""
    module = sm.load(text)
    optimized = sm.opt(module, "stablehlo-target-independent-optimization")
    assert module.difference(optimized) == ""


def test_folding_stops_at_the_limit() -> None:
    text = """\
func.func @main() -> tensor<3xi8> {
  %a = stablehlo.constant dense<[100, -128, 3]> : tensor<3xi8>
  %b = stablehlo.constant dense<[100, -1, 4]> : tensor<3xi8>
  %0 = stablehlo.add %a, %b : tensor<3xi8>
  return %0 : tensor<3xi8>
}
"""
    assert "dense<[-56, 127, 7]>" in sm.opt(text, "stablehlo-aggressive-folder").to_text()
    name = "stablehlo-aggressive-folder{fold-op-element-limit=2}"
    assert "stablehlo.add" in sm.opt(text, name).to_text()


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("cse", ["cse"]),
        ("builtin.module(func.func(cse), inline)", ["cse", "inline"]),
        ("module(any(cse,canonicalize{}),symbol-dce)", ["cse", "canonicalize", "symbol-dce"]),
        ("stablehlo-ext-chlo-recompose-ops", ["chlo-recompose-ops"]),
        ("", []),
    ],
)
def test_pipelines_as_mlir_writes_them(written: str, names: list[str]) -> None:
    assert [step.name for step in steps_of(written)] == names


@pytest.mark.parametrize(
    ("written", "options"),
    [
        ("stablehlo-wrap-in-composite{op-names=stablehlo.add,stablehlo.abs version=2}",
         {"op_names": ("stablehlo.add", "stablehlo.abs"), "version": 2}),
        ("stablehlo-wrap-in-composite=op-names='stablehlo.add'", {"op_names": ("stablehlo.add",)}),
        ("stablehlo-legalize-to-vhlo=allow-other-dialects", {"allow_other_dialects": True}),
        ("stablehlo-legalize-to-vhlo{allow-other-dialects=false}",
         {"allow_other_dialects": False}),
    ],
)  # fmt: skip
def test_options(written: str, options: dict[str, object]) -> None:
    (step,) = steps_of(written)
    assert step.options == options


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("csee", "no pass is called 'csee'; did you mean cse?"),
        ("cse{fast}", "cse has no option 'fast'; it has: none"),
        ("cse fast", "expected options of cse in braces, not 'fast'"),
        ("builtin.module(cse", "expected ')' at the end of '(cse'"),
        ("stablehlo-refine-arguments", "stablehlo-refine-arguments needs types"),
        ("vhlo-to-version{target=99.0.0}", "StableHLO 99.0.0 cannot be written"),
        ("stablehlo-wrap-in-composite{op-names=stablehlo.add version=x}", "it is a number"),
        ("stablehlo-legalize-to-vhlo{allow-other-dialects=maybe}", "it is true or false"),
        ("(", "expected the name of a pass"),
    ],
)
def test_what_cannot_be_read(written: str, message: str) -> None:
    with pytest.raises(sm.ArgumentError) as error:
        sm.opt(COMPOSITES, written)
    assert message in str(error.value)


def test_passes_run_in_order_until_one_is_reached() -> None:
    seen: list[str] = []
    optimized = sm.opt(
        ARITHMETIC, ["inline", "cse", "strip-debuginfo"], stop_after="cse",
        after=lambda name, module: seen.append(name),
    )  # fmt: skip
    assert seen == ["inline", "cse"]
    assert "call" not in optimized.to_text()
    with pytest.raises(sm.ArgumentError, match="cannot stop after symbol-dce"):
        sm.opt(ARITHMETIC, ["inline"], stop_after="symbol-dce")


def test_hlo_and_artifacts_go_through_passes_too() -> None:
    module = sm.load(ARITHMETIC)
    hlo = sm.load(module.to_hlo().to_text())
    assert "func.call" not in sm.opt(hlo, "inline").to_text()
    artifact = sm.load(module.to_artifact("1.0.0"), upgrade=False)
    optimized = sm.opt(artifact, ["vhlo-legalize-to-stablehlo", "inline"])
    assert sm.opt(module, "inline").difference(optimized) == ""
    there = sm.opt(module, ["stablehlo-legalize-to-vhlo", "vhlo-to-version{target=1.0.0}"])
    assert "vhlo.func_v1" in there.to_text()


def test_a_program_that_breaks_a_rule_is_refused_before_the_first_pass() -> None:
    with pytest.raises(sm.VerifyError, match=r"stablehlo\.abs"):
        sm.opt("func.func @main(%x: tensor<i1>) -> tensor<i1> {\n"
               "%0 = stablehlo.abs %x : tensor<i1>\nreturn %0 : tensor<i1>\n}", "cse")  # fmt: skip


# ---- large ranks, repeated labels, names


@pytest.mark.parametrize(
    ("config", "shapes", "result"),
    [
        ("iii->i", [(3, 3, 3)], (3,)),
        ("iijii->ji", [(2, 2, 3, 2, 2)], (3, 2)),
        ("iij,jjk->ik", [(2, 2, 3), (3, 3, 4)], (2, 4)),
        ("iiii->i", [(1, 1, 1, 1)], (1,)),
    ],
)
def test_diagonals_of_einsums_are_decomposed(
    config: str, shapes: list[tuple[int, ...]], result: tuple[int, ...]
) -> None:
    """The numbers are those of NumPy's einsum."""

    def type_of(shape: tuple[int, ...]) -> str:
        return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"

    names = [f"%{i}" for i in range(len(shapes))]
    types = list(map(type_of, shapes))
    arguments = ", ".join(f"{name}: {text}" for name, text in zip(names, types, strict=True))
    operation = "einsum" if len(shapes) == 2 else "unary_einsum"
    module = sm.load(f"""func.func @main({arguments}) -> {type_of(result)} {{
      %r = "stablehlo.{operation}"({", ".join(names)}) <{{einsum_config = "{config}"}}>
        : ({", ".join(types)}) -> {type_of(result)}
      return %r : {type_of(result)}
    }}""")
    decomposed = sm.opt(module, "stablehlo-decompose")
    assert "einsum" not in str(decomposed)
    arrays = [np.arange(np.prod(shape)).reshape(shape).astype(np.float32) for shape in shapes]
    expected = np.einsum(config, *arrays)
    assert np.array_equal(decomposed.run(*arrays, backend="interpreter"), expected)


def test_a_composite_is_wrapped_once() -> None:
    wrapped = sm.opt(
        sm.load(COMPOSITES), "stablehlo-wrap-in-composite{op-names=stablehlo.composite}"
    )
    composites = sm.load(COMPOSITES).to_text().count("stablehlo.composite ")
    assert wrapped.to_text().count("stablehlo.composite ") == 2 * composites


RANK: Final = 70
MANY_DIMENSIONS: Final = f"tensor<{'1x' * RANK}"


def test_values_of_more_dimensions_than_arrays_have_are_left_to_the_run() -> None:
    module = sm.load(f"""func.func @main() -> {MANY_DIMENSIONS}i32> {{
      %0 = stablehlo.constant dense<1> : {MANY_DIMENSIONS}i32>
      return %0 : {MANY_DIMENSIONS}i32>
    }}""")
    assert str(sm.opt(module, "stablehlo-refine-shapes")) == str(module)


def test_quantized_slices_of_more_dimensions_than_arrays_have_are_refused() -> None:
    quantized = f"{MANY_DIMENSIONS}!quant.uniform<i8:f32:0, {{0.5}}>>"
    module = sm.load(f"""func.func @main(%a: {quantized}) -> {MANY_DIMENSIONS}f32> {{
      %0 = stablehlo.uniform_dequantize %a : ({quantized}) -> {MANY_DIMENSIONS}f32>
      return %0 : {MANY_DIMENSIONS}f32>
    }}""")
    message = "quantized slices of 70 dimensions: an array has at most 64"
    with pytest.raises(sm.UnsupportedError, match=message):
        sm.opt(module, "stablehlo-legalize-quant-to-math")
