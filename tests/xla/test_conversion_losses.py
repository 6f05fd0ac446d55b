"""What one side of a conversion has no place for is a warning that names it; the rest is kept."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Final

import pytest

import stablemate as sm
from tests.oracle.client import Oracle

NOTED: Final = """\
module attributes {unknown.module = 1 : i32, jax.uses_shape_polymorphism = false} {
  func.func @main(%a: tensor<4xf32> {mhlo.layout_mode = "auto"})
      -> (tensor<4xf32> {jax.result_info = "r"}) attributes {my.note} {
    %0 = stablehlo.negate %a {my.flag = true, mhlo.frontend_attributes = {n = 1 : i32}}
      : tensor<4xf32>
    %1 = stablehlo.abs %0 {my.flag = true} : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @unused() {
    return
  }
}
"""


def warned(convert: Callable[[], object]) -> list[str]:
    """The first lines of the warnings of a conversion."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        convert()
    assert all(warning.category is sm.ConversionWarning for warning in caught)
    return [str(warning.message).split("\n")[0] for warning in caught]


def test_what_hlo_has_no_place_for_is_named_once_with_its_first_place() -> None:
    assert warned(sm.load(NOTED).to_hlo) == [
        "<text>:9:3: warning: HLO has no place for the body of a function that the entry does not "
        "call: it is left out",
        "<text>:4:10: warning: HLO has no place for my.flag of an operation: "
        "it is left out 2 times",
        "<text>:4:10: warning: HLO has no place for the frontend attribute n (no string) of an "
        "operation: it is left out",
        "<text>:2:3: warning: HLO has no place for my.note of a function: it is left out",
        "<text>:2:3: warning: HLO has no place for mhlo.layout_mode of an argument: it is left out",
        "<text>:2:3: warning: HLO has no place for jax.result_info of a result: it is left out",
        "<text>:1:1: warning: HLO has no place for unknown.module of the module: it is left out",
    ]


def test_strict_makes_it_an_error() -> None:
    text = (
        'func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "r"}) {\n'
        "  return %a : tensor<4xf32>\n}"
    )
    with pytest.raises(sm.UnsupportedError) as raised:
        sm.load(text).to_hlo(strict=True)
    assert str(raised.value) == (
        "<text>:1:1: error: HLO has no place for jax.result_info of a result: it is left out\n"
        ' 1 | func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "r"}) {\n'
        '   | ^^^^^^^^^ value = "r"'
    )


def test_what_has_no_instruction_loses_its_attributes_with_a_warning() -> None:
    text = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.conj %a {my.flag, mhlo.sharding = "{replicated}"} : tensor<4xf32> -> tensor<4xf32>
  "mhlo.trace"(%0) <{tag = "t"}> : (tensor<4xf32>) -> ()
  return %0 : tensor<4xf32>
}"""
    assert warned(sm.load(text).to_hlo) == [
        "<text>:2:8: warning: HLO has no place for my.flag of an operation that needs no "
        "instruction: it is left out",
        "<text>:2:8: warning: HLO has no place for mhlo.sharding of an operation that needs no "
        "instruction: it is left out",
        "<text>:3:3: warning: HLO has no place for mhlo.trace of a function: it is left out",
    ]


# Attributes of the module that HLO knows, but not in these forms.
UNREADABLE: Final = (
    ("mhlo.num_replicas", '"two"'),
    ("mhlo.is_dynamic", '"yes"'),
    ("mhlo.input_output_alias", "[{output_index = [], parameter_number = 0 : i64}]"),
    ("mhlo.spmd_parameters_shardings", '"{replicated}"'),
    ("mhlo.frontend_attributes (no dictionary)", '"a"'),
    ("mhlo.xla_entry_computation_parameter_layouts", "[]"),
    ("mhlo.xla_entry_computation_result_layout", "[dense<[1, 0]> : tensor<2xindex>]"),
    ("mhlo.xla_entry_computation_result_tiles", "[1 : i64]"),
)


@pytest.mark.parametrize(("what", "value"), UNREADABLE)
def test_attributes_that_hold_something_else_are_named(what: str, value: str) -> None:
    name = what.partition(" ")[0]
    text = f"""module attributes {{{name} = {value}}} {{
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
    return %a : tensor<4xf32>
  }}
}}"""
    (warning,) = warned(sm.load(text).to_hlo)
    assert warning == (
        f"<text>:1:1: warning: HLO has no place for {what} of the module: it is left out"
    )


MISREAD: Final = """func.func @main(%a: tensor<4xf32> {{{argument}}}) -> tensor<4xf32> {{
  %0 = stablehlo.negate %a {{{operation}}} : tensor<4xf32>
  return %0 : tensor<4xf32>
}}"""


@pytest.mark.parametrize(
    ("holder", "name", "value"),
    [
        ("argument", "mhlo.sharding", "3 : i32"),
        ("argument", "mhlo.parameter_replication", "true"),
        ("operation", "mhlo.sharding", "[true]"),
        ("operation", "mhlo.frontend_attributes (no dictionary)", "[]"),
        ("operation", "result_layout", "dense<[0, 1]> : tensor<2xindex>"),
    ],
)
def test_attributes_of_values_that_hold_something_else_are_named(
    holder: str, name: str, value: str
) -> None:
    notes = {"argument": "", "operation": "", holder: f"{name.partition(' ')[0]} = {value}"}
    place = "1:1" if holder == "argument" else "2:8"
    assert warned(sm.load(MISREAD.format(**notes)).to_hlo) == [
        f"<text>:{place}: warning: HLO has no place for {name} of an {holder}: it is left out"
    ]


@pytest.mark.parametrize(
    "tiles", ["[dense<[2, 4]> : tensor<2xindex>]", "dense<[2, 4]> : tensor<2xindex>"]
)
def test_tiles_need_no_layout(oracle: Oracle, tiles: str) -> None:
    text = f"""module attributes {{mhlo.xla_entry_computation_result_tiles = [{tiles}]}} {{
  func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {{
    return %a : tensor<4x8xf32>
  }}
}}"""
    layout = "entry_computation_layout={(f32[4,8]{1,0})->f32[4,8]{1,0:T(2,4)}}"
    assert layout in sm.load(text).to_hlo().to_text()
    assert layout in oracle.stablehlo_to_hlo(text)


CALL: Final = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = stablehlo.custom_call @f(%a) {{{0}}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}"""
BESIDE: Final = "mhlo.backend_config = {y = 2 : i32}"
# Attributes of a custom call; what the instruction says; what is lost.
CONFIGURATIONS: Final = (
    (BESIDE, "api_version=API_VERSION_TYPED_FFI, backend_config={y = 2 : i32}", ""),
    (
        f'backend_config = "", {BESIDE}',
        "api_version=API_VERSION_TYPED_FFI, backend_config={y = 2 : i32}",
        "",
    ),
    (f'backend_config = "q", {BESIDE}', 'backend_config="q"', "mhlo.backend_config"),
    (
        f"api_version = 4 : i32, backend_config = {{x = 1 : i32}}, {BESIDE}",
        "api_version=API_VERSION_TYPED_FFI, backend_config={x = 1 : i32}",
        "mhlo.backend_config",
    ),
    (
        f"api_version = 2 : i32, {BESIDE}",
        "api_version=API_VERSION_STATUS_RETURNING",
        "mhlo.backend_config",
    ),
)


@pytest.mark.parametrize(("attributes", "says", "lost"), CONFIGURATIONS)
def test_dictionaries_beside_a_configuration(
    oracle: Oracle, attributes: str, says: str, lost: str
) -> None:
    text = CALL.format(attributes)
    target = f'custom_call_target="f", {says}\n'
    assert target in oracle.stablehlo_to_hlo(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert target in sm.load(text).to_hlo().to_text()
    place = f"<text>:2:8: warning: HLO has no place for {lost} of a custom call: it is left out"
    assert warned(sm.load(text).to_hlo) == ([place] if lost else [])


def test_a_schedule_that_is_none_is_named() -> None:
    assert warned(sm.load(CALL.format('custom_call_schedule = "SOON"')).to_hlo) == [
        "<text>:2:8: warning: HLO has no place for custom_call_schedule of a custom call: "
        "it is left out"
    ]


def test_shardings_may_be_the_bytes_of_a_message() -> None:
    text = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a {mhlo.sharding = "\\08\\03\\1A\\01\\02\\22\\02\\00\\01"} : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
    assert "sharding={devices=[2]0,1}" in sm.load(text).to_hlo().to_text()


SCHEDULED: Final = """\
HloModule m, is_scheduled=true, entry_computation_layout={(f32[4]{0:S(5)})->f32[4]{0}},
  allow_spmd_sharding_propagation_to_output={true}

ENTRY main {
  a = f32[4] parameter(0), statistics={visualizing_index=0,x=1}
  t = (f32[4], f32[4]) tuple(a, a), sharding={{replicated}, {manual}}, frontend_attributes={k="v"}
  b = f32[4] get-tuple-element(t), index=1, sharding={manual}
  c = f32[4] negate(b), control-predecessors={a}, backend_config={"x":1},
    metadata={op_name="n" deduplicated_name="d"}
  ROOT d = f32[4] add(c, c), statistics={visualizing_index=0,x=1}
}

unused {
  ROOT x = f32[] parameter(0)
}
"""


def test_what_stablehlo_has_no_place_for_is_named() -> None:
    place = "<text>:4:7: warning: StableHLO has no place for"
    assert warned(sm.load(SCHEDULED).to_stablehlo) == [
        "<text>:6:3: warning: StableHLO has no place for sharding of a tuple: it is left out",
        "<text>:6:3: warning: StableHLO has no place for frontend_attributes of a tuple: "
        "it is left out",
        "<text>:8:3: warning: StableHLO has no place for control-predecessors of a negate: "
        "it is left out",
        "<text>:8:3: warning: StableHLO has no place for backend_config of a negate: "
        "it is left out",
        "<text>:8:3: warning: StableHLO has no place for deduplicated_name in the metadata of an "
        "instruction: it is left out",
        "<text>:10:8: warning: StableHLO has no place for statistics of an add: it is left out",
        "<text>:5:3: warning: StableHLO has no place for statistics of a parameter: it is left out",
        f"{place} is_scheduled of the module: it is left out",
        f"{place} allow_spmd_sharding_propagation_to_output of the module: it is left out",
        f"{place} entry_computation_layout (but for order and tiles) of the module: it is left out",
        "<text>:13:1: warning: StableHLO has no place for the body of a computation that the "
        "entry does not call: it is left out",
    ]


def test_what_a_neighbor_repeats_is_not_lost() -> None:
    text = """HloModule m
body {
  p = (f32[4], s32[]) parameter(0), sharding={{devices=[2]<=[2]}, {replicated}}
  f = f32[4] get-tuple-element(p), index=0, sharding={devices=[2]<=[2]}
  s = s32[] get-tuple-element(p), index=1
  ROOT t = (f32[4], s32[]) tuple(f, s), sharding={{devices=[2]<=[2]}, {replicated}}
}
cond {
  p = (f32[4], s32[]) parameter(0)
  s = s32[] get-tuple-element(p), index=1
  ROOT c = pred[] compare(s, s), direction=LT
}
ENTRY main {
  a = f32[4] parameter(0)
  b = s32[] parameter(1)
  t = (f32[4], s32[]) tuple(a, b), sharding={{devices=[2]<=[2]}, {replicated}},
    frontend_attributes={w="w"}
  w = (f32[4], s32[]) while(t), condition=cond, body=body,
    sharding={{devices=[2]<=[2]}, {replicated}}, frontend_attributes={w="w"}
  ROOT r = f32[4] get-tuple-element(w), index=0, sharding={devices=[2]<=[2]},
    frontend_attributes={w="w"}
}
"""
    module = sm.load(text)
    assert warned(module.to_stablehlo) == []
    printed = module.to_stablehlo().to_text()
    assert '(tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"})' in printed
    assert 'mhlo.sharding = "{{devices=[2]<=[2]}, {replicated}}"' in printed


LOCATIONS: Final = (
    *('"plain"', '"f.py":3:4', '"f.py":3:4 to 5:6', '"named"("f.py":3:4)'),
    *(
        'fused["n", "f.py":1:2]',
        '"Type:"("op"("f.py":1:2))',
        '"Type:"',
        '"outer"("in"("f.py":1:2))',
    ),
    '"op"(callsite("a"("f.py":1:2 to 1:9) at callsite("b"("g.py":3:4) at "c"("h.py":5:6))))',
    '"op"(callsite("f.py":1:2 at "g.py":3:4))',
)


@pytest.mark.parametrize("location", LOCATIONS)
def test_locations_survive_and_their_metadata_is_that_of_jaxlib(
    location: str, oracle: Oracle
) -> None:
    text = (
        "func.func @main(%a: tensor<4xf32> loc(unknown)) -> tensor<4xf32> {\n"
        f"  %0 = stablehlo.negate %a : tensor<4xf32> loc({location})\n"
        "  return %0 : tensor<4xf32> loc(unknown)\n} loc(unknown)"
    )
    hlo = sm.load(text).to_hlo(strict=True)
    back = hlo.to_stablehlo(strict=True)
    (operation, _) = back.entry().operation.body.block.operations
    (first, _) = sm.load(text).entry().operation.body.block.operations
    assert str(operation.location) == str(first.location)
    if "callsite" in location and '"a"' not in location:
        return  # jaxlib drops frames without functions
    theirs = sm.load(oracle.exported_hlo(text), format="hlo_proto")
    assert isinstance(theirs, sm.HloModule)
    assert hlo.tree.stack_frames == theirs.tree.stack_frames
    assert hlo.tree.entry_computation.result.attributes == (
        theirs.tree.entry_computation.result.attributes
    )


def test_parameters_and_results_of_functions_keep_their_attributes() -> None:
    text = """HloModule m, buffer_donor={ (0, {}) }, input_output_alias={ {}: (1, {1}, must-alias) }
callee {
  a = f32[4] parameter(0), sharding={replicated}, frontend_attributes={p="q"}
  ROOT r = f32[4] negate(a), sharding={manual}
}
ENTRY main {
  a = f32[4] parameter(0), frontend_attributes={x="y"}, parameter_replication={true}
  b = (s32[], f32[4]) parameter(1), sharding={{replicated}, {manual}}
  ROOT r = f32[4] call(a), to_apply=callee, sharding={replicated}, backend_config={"c":1}
}
"""
    printed = sm.load(text).to_stablehlo(strict=True).to_text()
    assert (
        "@main(%arg0: tensor<4xf32> {jax.buffer_donor = true, mhlo.frontend_attributes = "
        '{x = "y"}, mhlo.parameter_replication = [true]}, '
        '%arg1: tensor<i32> {mhlo.sharding = "{replicated}"}, '
        '%arg2: tensor<4xf32> {mhlo.sharding = "{manual}"}) '
        '-> (tensor<4xf32> {mhlo.sharding = "{replicated}"})'
    ) in printed
    assert (
        '@callee(%arg0: tensor<4xf32> {mhlo.frontend_attributes = {p = "q"}, '
        'mhlo.sharding = "{replicated}"}) -> (tensor<4xf32> {mhlo.sharding = "{manual}"})'
    ) in printed
    assert "parameter_number = 2 : i64" in printed  # the leaf of the tuple
    assert 'mhlo.frontend_attributes = {backend_config = "{\\22c\\22:1}"}' in printed
    back = sm.load(printed).to_hlo(strict=True).to_text()
    assert 'sharding={replicated}, backend_config={"c":1}' in back
    assert "buffer_donor={ (0, {}) }" in back
    assert "parameter_replication={true}" in back


def test_layouts_of_instructions_survive() -> None:
    text = """HloModule m
ENTRY main {
  a = f32[4,8] parameter(0)
  b = f32[4,8]{0,1} negate(a)
  c = (f32[4,8]{0,1}, s32[]) custom-call(b), custom_call_target="pair"
  d = f32[4,8]{0,1} get-tuple-element(c), index=0
  ROOT e = f32[4,8] abs(d)
}
"""
    module = sm.load(text)
    printed = module.to_stablehlo(strict=True).to_text()
    assert 'xla_shape = "f32[4,8]{0,1}"' in printed
    back = sm.load(printed).to_hlo(strict=True)
    back.verify()
    shapes = [str(each.shape) for each in back.tree.entry_computation.instructions]
    assert "f32[4,8]{0,1}" in shapes
    assert "(f32[4,8]{0,1}, s32[])" in shapes


def test_threads_of_asynchronous_computations_survive() -> None:
    text = """HloModule m
copy_part {
  a = f32[4] parameter(0)
  ROOT r = f32[2] slice(a), slice={[0:2]}
}, execution_thread="side"
ENTRY main {
  a = f32[4] parameter(0)
  s = ((f32[4]), f32[2], u32[]) async-start(a), calls=copy_part, async_execution_thread="side"
  ROOT d = f32[2] async-done(s)
}
"""
    module = sm.load(text).to_stablehlo(strict=True)
    assert 'execution_thread = "side"' in module.to_text()
    back = module.to_hlo(strict=True)
    back.verify()
    assert '}, execution_thread="side"' in back.to_text()
    assert 'async_execution_thread="side"' in back.to_text()


ON_THREAD = """func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32>
    attributes {execution_thread = "side"} {
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""


def test_the_entry_has_its_thread_on_which_runs_what_it_calls() -> None:
    program = sm.load(ON_THREAD).to_hlo(strict=True)
    program.verify()
    assert program.to_text().count('}, execution_thread="side"') == 2
    back = program.to_stablehlo(strict=True)
    assert back.to_text().count('execution_thread = "side"') == 2


def test_a_called_function_has_no_thread_of_its_own() -> None:
    text = ON_THREAD.replace('attributes {execution_thread = "side"}', "", 1).replace(
        "tensor<4xf32> {\n  %0 = stablehlo",
        'tensor<4xf32>\n    attributes {execution_thread = "side"} {\n  %0 = stablehlo',
    )
    assert warned(sm.load(text).to_hlo) == [
        "<text>:6:1: warning: HLO has no place for execution_thread of a function: it is left out"
    ]


IN_COLUMNS = """HloModule m, entry_computation_layout={(f32[4,3]{1,0})->RESULT}
ENTRY e {
  a = f32[4,3]{1,0} parameter(0)
  ROOT c = f32[4,3]{0,1} custom-call(a), custom_call_target="foo",
    operand_layout_constraints={f32[4,3]{0,1}}
}
"""


@pytest.mark.parametrize("layout", ["{0,1}", "{1,0}"])
def test_the_layout_of_a_result_beside_that_of_its_instruction(layout: str) -> None:
    shape = f"f32[4,3]{layout}"
    back = sm.load(IN_COLUMNS.replace("RESULT", shape)).to_stablehlo(strict=True).to_hlo()
    assert str(back.tree.entry_layout.result) == shape
    assert str(back.tree.entry_computation.result.shape) == "f32[4,3]{0,1}"


def test_a_result_has_the_layout_of_the_custom_call_that_computes_it() -> None:
    """As jaxlib's converter writes it."""
    text = """func.func @main(%a: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  %0 = stablehlo.custom_call @foo(%a) {
    operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
    result_layouts = [dense<[0, 1]> : tensor<2xindex>]
  } : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0, %a : tensor<4x3xf32>, tensor<4x3xf32>
}"""
    layout = sm.load(text).to_hlo().tree.entry_layout
    assert str(layout.result) == "(f32[4,3]{0,1}, f32[4,3]{1,0})"


def test_what_replaces_an_operation_has_its_attributes() -> None:
    text = """func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.lgamma %a {mhlo.sharding = "{devices=[2]<=[2]}", mhlo.frontend_attributes = {k = "v"}}
    : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
    root = sm.load(text).to_hlo(strict=True).tree.entry_computation.result
    assert root.attributes["frontend_attributes"] == {"k": "v"}
    assert root.attributes["sharding"].dimensions == (2,)


def test_a_reducer_with_attributes_is_printed_in_full() -> None:
    text = """func.func @main(%a: tensor<4xf32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%a, %b) <{dimensions = array<i64: 0>}> ({
  ^bb0(%c: tensor<f32>, %d: tensor<f32>):
    %1 = stablehlo.maximum %c, %d {mhlo.frontend_attributes = {k = "v"}} : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}"""
    printed = sm.load(text).to_text()
    assert 'mhlo.frontend_attributes = {k = "v"}' in printed
    assert not sm.diff(text, printed)
