"""Programs of MHLO: upstream's converters say what is equal in StableHLO."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from jaxlib.mlir.dialects import _mhlo_ops_gen as mhlo_operations

import stablemate as sm
from stablemate.dialects.mhlo.counterparts import COUNTERPARTS
from stablemate.dialects.registry import READABLE
from tests.oracle.client import Oracle, OracleRejected

OPS: Final = Path(__file__).parents[2] / "ops"
TO_MHLO: Final = "func.func(chlo-legalize-to-high-level-mhlo),stablehlo-legalize-to-hlo"
TO_STABLEHLO: Final = "hlo-legalize-to-stablehlo"
# Functions of CHLO, which upstream writes as custom calls in StableHLO, or not at all.
OF_CHLO: Final = ("mhlo.erf", "mhlo.mulhi", "mhlo.topk", "mhlo.ragged_dot", "mhlo.scan")
ABSENT: Final = "precision_config = [], "  # what upstream writes in MHLO where there is none
CHECK: Final = re.compile(r'^ *"check\..*\n', re.MULTILINE)
QUICK: Final = (
    *("all_reduce", "convolution", "custom_call", "dot_general", "gather", "reduce", "while"),
    *("scatter", "chlo_erf", "chlo_ragged_dot", "chlo_scan", "chlo_top_k", "reshape", "rng"),
)
END: Final = "\n  }) : () -> ()\n"


def functions_of(path: Path) -> list[str]:
    """Modules with a function of a file each, in generic form without checks."""
    text = CHECK.sub("", sm.load(path).to_text(generic=True))
    head, *functions = re.split(r'^(?=  "func\.func")', text, flags=re.MULTILINE)
    return [f"{head}{function.partition(END)[0]}{END}}}) : () -> ()" for function in functions]


def mhlo_forms(text: str, oracle: Oracle) -> tuple[str, str, bytes] | None:
    """A program in MHLO: pretty, generic and in bytecode; None if upstream does not write it."""
    try:
        pretty = oracle.transformed(text, TO_MHLO)
        return pretty, oracle.print(pretty, generic=True), oracle.bytecode(pretty)
    except OracleRejected:
        return None


def compared_functions(path: Path, oracle: Oracle) -> int:
    """Reads functions that upstream writes in MHLO; returns how many there are."""
    compared = 0
    for text in functions_of(path):
        forms = mhlo_forms(text, oracle)
        if forms is None or not any(name in forms[0] for name in COUNTERPARTS):
            continue
        is_of_chlo = any(name in forms[0] for name in OF_CHLO)
        if is_of_chlo and any(word in text for word in ("custom_call", "is_stable = false")):
            continue  # what upstream recomposes, and what MHLO does not have
        expected = text if is_of_chlo else oracle.transformed(forms[0], TO_STABLEHLO)
        texts = {sm.load(form).to_text().replace(ABSENT, "") for form in forms}
        assert texts == {sm.load(expected).to_text().replace(ABSENT, "")}
        compared += 1
    return compared


@pytest.mark.parametrize("name", QUICK)
def test_counterparts_are_those_of_upstream(name: str, oracle: Oracle) -> None:
    assert compared_functions(OPS / f"{name}.mlir", oracle)


@pytest.mark.standard
def test_all_counterparts_are_those_of_upstream(oracle: Oracle) -> None:
    """Nearly all of 1,600 functions; others are of dialects or types that upstream refuses."""
    files = [path for path in sorted(OPS.glob("[!m]*.mlir")) if ".invalid" not in path.name]
    assert sum(compared_functions(path, oracle) for path in files) > 300


def test_the_whole_dialect_has_a_definition(oracle: Oracle) -> None:
    """Every operation that jaxlib registers."""
    text = Path(mhlo_operations.__file__).read_text()
    names = re.findall(r'OPERATION_NAME = "(mhlo\.[^"]+)"', text)
    assert len(names) > 120
    assert [name for name in names if name not in READABLE] == []


# Computations of HLO that upstream's importer writes in MHLO, and what they take.
FLOATS: Final = np.array([0.25, -1.75, 3.5, 2.0], np.float32)
IMPORTED: Final = {
    "copy": ("x = f32[2,2]{1,0} parameter(0)\nROOT r = f32[2,2]{0,1} copy(x)", (2, 2)),
    "fusion": ("x = f32[4] parameter(0)\nROOT r = f32[4] fusion(x), kind=kLoop, calls=f", (4,)),
    "add_dependency": (
        "x = f32[4] parameter(0)\nt = token[] after-all()\nROOT r = f32[4] add-dependency(x, t)",
        (4,),
    ),
    "domain": (
        'x = f32[4] parameter(0)\nROOT r = f32[4] domain(x), domain={kind="sharding", '
        "entry={replicated}, exit={maximal device=0}}",
        (4,),
    ),
    "topk": ("x = f32[4] parameter(0)\nROOT r = (f32[2], s32[2]) topk(x), k=2", (4,)),
    "topk_smallest": (
        "x = f32[4] parameter(0)\nROOT r = (f32[2], s32[2]) topk(x), k=2, largest=false",
        (4,),
    ),
    "tan": ("x = f32[4] parameter(0)\nROOT r = f32[4] tan(x)", (4,)),
    "stochastic_convert": (
        "x = f32[4] parameter(0)\nn = u32[4] constant({5, 4000000000, 1, 2})\n"
        "ROOT r = s32[4] stochastic-convert(x, n)",
        (4,),
    ),
    "rng_get_and_update_state": (
        "x = f32[4] parameter(0)\nROOT r = u64[2] rng-get-and-update-state(), delta=4",
        (4,),
    ),
}
CALLED: Final = "f {\np = f32[4] parameter(0)\nROOT s = f32[4] multiply(p, p)\n}\n"


@pytest.mark.parametrize("name", IMPORTED)
def test_programs_of_the_hlo_importer_have_the_values_of_xla(name: str, oracle: Oracle) -> None:
    body, shape = IMPORTED[name]
    hlo = f"HloModule m\n{CALLED}ENTRY e {{\n{body}\n}}"
    imported = oracle.hlo_to_stablehlo(hlo)
    x = FLOATS.reshape(shape)
    for backend in ("interpreter", "cpu"):
        results = sm.load(imported).run(x, backend=backend)
        found = results if isinstance(results, tuple) else (results,)
        for result, expected in zip(found, oracle.hlo_run(hlo, x), strict=True):
            np.testing.assert_array_max_ulp(result, expected, 2)


@pytest.mark.parametrize("name", IMPORTED)
def test_operations_become_the_instructions_that_upstream_writes(name: str, oracle: Oracle) -> None:
    body, shape = IMPORTED[name]
    imported = oracle.hlo_to_stablehlo(f"HloModule m\n{CALLED}ENTRY e {{\n{body}\n}}")
    converted, expected = sm.load(imported).to_hlo(), sm.load(oracle.stablehlo_to_hlo(imported))
    assert isinstance(expected, sm.HloModule)
    assert opcodes_of(converted) == opcodes_of(expected)
    x = FLOATS.reshape(shape)
    pairs = zip(oracle.hlo_run(converted.to_text(), x), values_of(expected, x), strict=True)
    for result, value in pairs:
        np.testing.assert_array_max_ulp(result, value, 2)


# Those that XLA itself runs only after its layout assignment.
IN_LAYOUTS: Final = {
    "bitcast": ("x = f32[4] parameter(0)\nROOT r = s32[4] bitcast(x)", (4,)),
    "bitcast_in_layouts": (
        "x = f32[2,2]{1,0} parameter(0)\nROOT r = f32[2,2]{0,1} bitcast(x)",
        (2, 2),
    ),
    "async": (
        "x = f32[4] parameter(0)\ns = ((f32[4]), f32[4], s32[]) call-start(x), to_apply=f\n"
        "u = ((f32[4]), f32[4], s32[]) call-update(s)\nROOT r = f32[4] call-done(u)",
        (4,),
    ),
}


@pytest.mark.parametrize("name", IN_LAYOUTS)
def test_instructions_of_late_stages_are_written(name: str, oracle: Oracle) -> None:
    body, shape = IN_LAYOUTS[name]
    imported = oracle.hlo_to_stablehlo(f"HloModule m\n{CALLED}ENTRY e {{\n{body}\n}}")
    module = sm.load(imported)
    converted, expected = module.to_hlo(), sm.load(oracle.stablehlo_to_hlo(imported))
    assert isinstance(expected, sm.HloModule)
    assert opcodes_of(converted) == opcodes_of(expected)
    x = FLOATS.reshape(shape)
    np.testing.assert_array_equal(values_of(converted, x)[0], module.run(x))


def opcodes_of(module: sm.HloModule) -> list[str]:
    """The opcodes of the entry, sorted."""
    return sorted(i.opcode for i in module.tree.entry_computation.instructions)


def values_of(module: sm.HloModule, x: np.ndarray) -> list[np.ndarray]:
    """The results of a module."""
    results = module.run(x)
    return list(results) if isinstance(results, tuple) else [results]


def test_nested_fusions_take_values_from_outside() -> None:
    """By hand: 2 a, and 2 a + a; XLA's CPU backend does not run nested fusions."""
    module = sm.load("""func.func @main(%a: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0:2 = "mhlo.fusion"(%a) ({
  ^bb0(%x: tensor<2xi32>):
    %1 = mhlo.add %x, %x : tensor<2xi32>
    %2 = "mhlo.fusion"(%1) ({
    ^bb0(%y: tensor<2xi32>):
      %3 = mhlo.add %y, %a : tensor<2xi32>
      mhlo.return %3 : tensor<2xi32>
    }) : (tensor<2xi32>) -> tensor<2xi32>
    mhlo.return %1, %2 : tensor<2xi32>, tensor<2xi32>
  }) {fusion_kind = #mhlo<fusion_kind kLoop>} : (tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2xi32>, tensor<2xi32>
}""")
    converted = sm.load(module.to_hlo().to_text())
    assert str(converted).count(" fusion(") == 2
    results = converted.run(np.array([1, 2], np.int32))
    np.testing.assert_array_equal(results, [[2, 4], [3, 6]])


def test_bitcasts_of_the_hlo_importer_keep_the_layouts(oracle: Oracle) -> None:
    """The rows of the operand are the columns of the result, which lie one after another."""
    body = "x = f32[2,3]{1,0} parameter(0)\nROOT r = f32[3,2]{0,1} bitcast(x)"
    hlo = f"HloModule m\nENTRY e {{\n{body}\n}}"
    module = sm.load(oracle.hlo_to_stablehlo(hlo))
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(module.run(x), x.T)


def test_asynchronous_calls_of_the_hlo_importer(oracle: Oracle) -> None:
    hlo = (
        f"HloModule m\n{CALLED}ENTRY e {{\nx = f32[4] parameter(0)\n"
        "s = ((f32[4]), f32[4], s32[]) call-start(x), to_apply=f\n"
        "ROOT r = f32[4] call-done(s)\n}"
    )
    module = sm.load(oracle.hlo_to_stablehlo(hlo))
    np.testing.assert_array_equal(module.run(FLOATS), FLOATS * FLOATS)


def test_threads_and_shardings_of_domains_are_those_that_upstream_writes(oracle: Oracle) -> None:
    """The shardings of a domain are texts, or bytes of an ``OpSharding``."""
    text = """func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32>
        attributes {execution_thread = "t"} {
      %0 = stablehlo.negate %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = "mhlo.domain"(%a) <{kind = #mhlo<kind sharding>, exit_metadata = "{replicated}",
        entry_metadata = "\\08\\03\\1A\\01\\02\\22\\02\\00\\01"}> : (tensor<4xf32>) -> tensor<4xf32>
      %1 = "mhlo.async_start"(%0) <{called_computation = @f, execution_thread = "t"}>
        : (tensor<4xf32>) -> !mhlo.async_bundle<tuple<tensor<4xf32>>, tensor<4xf32>, tensor<ui32>>
      %2 = "mhlo.async_done"(%1)
        : (!mhlo.async_bundle<tuple<tensor<4xf32>>, tensor<4xf32>, tensor<ui32>>) -> tensor<4xf32>
      return %2 : tensor<4xf32>
    }"""
    converted = sm.load(text).to_hlo().to_text()
    said = ('domain={kind="sharding", entry={devices=[2]0,1}, exit={replicated}}',
            'async_execution_thread="t"')  # fmt: skip
    for one in (converted, oracle.stablehlo_to_hlo(text), oracle.hlo_text(converted)):
        assert all(words in one for words in said)


@pytest.mark.parametrize(
    ("sharding", "reason"),
    [
        ("x", "expected '{', found 'x'"),
        ("\\08\\FF\\FF", "these bytes are no OpSharding"),
    ],
)
def test_domains_without_a_sharding_are_refused(sharding: str, reason: str) -> None:
    text = f"""func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = "mhlo.domain"(%a) <{{kind = #mhlo<kind sharding>, entry_metadata = "{sharding}",
    exit_metadata = "{{replicated}}"}}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}"""
    with pytest.raises(sm.UnsupportedError) as raised:
        sm.load(text).to_hlo()
    assert str(raised.value).split("\n")[0] == (
        f"<text>:2:8: error: entry_metadata: this is no sharding of HLO: {reason}"
    )


def test_translated_names_are_noted() -> None:
    text = """func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
      %0 = mhlo.add %a, %a : tensor<2xf32>
      %1 = mhlo.copy %0 : tensor<2xf32>
      return %1 : tensor<2xf32>
    }"""
    module = sm.load(text)
    (note,) = module.notes()
    assert str(note) == (
        "note: operations of MHLO are read as operations of StableHLO and CHLO: mhlo.add"
    )
    assert sm.load(module.to_text()).notes() == []
    assert module.diagnostics() == []


def test_names_that_are_nearly_those_of_operations() -> None:
    text = "func.func @main(%a: tensor<2xf32>) {\n%0 = mhlo.negat %a : tensor<2xf32>\nreturn }"
    with pytest.raises(sm.ParseError) as caught:
        sm.load(text, name="a.mlir")
    assert str(caught.value).startswith(
        "a.mlir:2:6: error: unknown operation 'mhlo.negat'\n"
        " 2 | %0 = mhlo.negat %a : tensor<2xf32>\n"
        "   |      ^^^^^^^^^^\n"
        "note: did you mean 'mhlo.negate'?\n"
    )


def test_types_that_differ() -> None:
    text = "func.func @main(%a: tensor<2xf32>) {\n%0 = mhlo.add %a, %a : tensor<3xf32>\nreturn }"
    with pytest.raises(sm.ParseError) as caught:
        sm.load(text, name="a.mlir")
    assert str(caught.value).startswith(
        "a.mlir:2:15: error: %a has type tensor<2xf32>, not tensor<3xf32>\n"
    )


def test_operations_that_nobody_knows_are_kept_with_a_warning() -> None:
    text = """module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "mhlo.of_tomorrow"(%arg0) {x = #mhlo<precision HIGH>} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
"""
    module = sm.load(text)
    assert module.to_text() == text
    (warning,) = module.diagnostics()
    assert (warning.severity, warning.message) == (
        "warning",
        "no dialect defines mhlo.of_tomorrow: it is neither verified nor executed",
    )


def test_sizes_of_instructions_have_to_be_known() -> None:
    text = """func.func @main(%a: tensor<?x3xf32>) -> (tensor<?x2xf32>, tensor<?x2xi32>) {
  %0:2 = mhlo.topk(%a, k = 2, largest = false) : tensor<?x3xf32> -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return %0#0, %0#1 : tensor<?x2xf32>, tensor<?x2xi32>
}"""  # noqa: E501
    with pytest.raises(sm.UnsupportedError) as caught:
        sm.compile(sm.parse(text), backend="interpreter")(np.zeros((1, 3), np.float32))
    assert str(caught.value).splitlines()[0] == (
        "<text>:2:10: error: mhlo.topk needs known sizes; refine the shapes of the program first"
    )
