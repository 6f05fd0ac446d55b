"""The pass sdy-round-trip-export writes Shardy's dialect as jaxlib's converter does."""

from __future__ import annotations

from typing import Final

import pytest

import stablemate as sm
from stablemate.formats.hlo.proto.reader import read_proto
from stablemate.xla.module import HloInstruction, HloModule
from tests.oracle.client import Oracle

MESH: Final = 'sdy.mesh @mesh = <["x"=2, "y"=2]>'
T: Final = "tensor<4x8xf32>"
# jaxlib copies results, repeats attributes at parts of tuples only sometimes, and writes an iota of
# one dimension and a broadcast.
OTHER_FORMS: Final = frozenset({"reshape", "get-tuple-element", "iota", "broadcast"})
PROGRAMS: Final = {
    "shardings of arguments, results and operations": f"""
  func.func @main(%a: {T} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x", ?}}, {{?}}]>}})
      -> ({T} {{sdy.sharding = #sdy.sharding<@mesh, [{{"y"}}, {{}}]>}}) {{
    %0 = stablehlo.negate %a {{
      sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"x"}}, {{"y"}}]>]>}} : {T}
    return %0 : {T}
  }}""",
    "several results": f"""
  func.func @main(%a: {T}) -> ({T} {{sdy.sharding = #sdy.sharding<@mesh, [{{"x"}}, {{}}]>}}, {T}) {{
    return %a, %a : {T}, {T}
  }}""",
    "a constraint, a barrier and a group": f"""
  func.func @main(%a: {T}) -> {T} {{
    sdy.sharding_group %a group_id=21 : {T}
    %0 = sdy.sharding_constraint %a <@mesh, [{{"x"}}, {{?}}]> : {T}
    %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : {T}
    return %1 : {T}
  }}""",
    "a manual computation in another one": f"""
  func.func @main(%a: {T}, %b: {T}) -> ({T}, {T}) {{
    %0:2 = sdy.manual_computation(%a, %b)
        in_shardings=[<@mesh, [{{"x"}}, {{}}]>, <@mesh, [{{}}, {{"y"}}]>]
        out_shardings=[<@mesh, [{{"x"}}, {{}}]>, <@mesh, [{{}}, {{"x", ?}}]>] manual_axes={{"x"}}
        (%c: tensor<2x8xf32>, %d: {T}) {{
      %1 = sdy.manual_computation(%c) in_shardings=[<@mesh, [{{}}, {{"y"}}]>]
          out_shardings=[<@mesh, [{{}}, {{"y"}}]>] manual_axes={{"y"}} (%e: tensor<2x4xf32>) {{
        %2 = stablehlo.negate %e : tensor<2x4xf32>
        sdy.return %2 : tensor<2x4xf32>
      }} : (tensor<2x8xf32>) -> tensor<2x8xf32>
      %3 = stablehlo.slice %d [0:4, 0:4] : ({T}) -> tensor<4x4xf32>
      sdy.return %1, %3 : tensor<2x8xf32>, tensor<4x4xf32>
    }} : ({T}, {T}) -> ({T}, {T})
    return %0#0, %0#1 : {T}, {T}
  }}""",
    "manual computations without operands or results": f"""
  func.func @main() -> {T} {{
    %0 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{{"x"}}, {{}}]>]
        manual_axes={{"x"}} () {{
      %1 = stablehlo.iota dim = 0 : tensor<2x8xf32>
      sdy.return %1 : tensor<2x8xf32>
    }} : () -> {T}
    sdy.manual_computation(%0) in_shardings=[<@mesh, [{{"x"}}, {{}}]>] out_shardings=[]
        manual_axes={{"x"}} (%2: tensor<2x8xf32>) {{
      stablehlo.custom_call @sink(%2) {{has_side_effect = true}} : (tensor<2x8xf32>) -> ()
      sdy.return
    }} : ({T}) -> ()
    return %0 : {T}
  }}""",
    "a rule, several results, a place": f"""
  sdy.mesh @one = <[], device_ids=[0]>
  func.func @main(%a: {T}) -> ({T}, {T}) {{
    %0:2 = stablehlo.custom_call @pair(%a) {{
      sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j], [i, j]) {{i=4, j=8}}, custom>,
      sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"y"}}, {{}}]>, <@mesh, [{{}}, {{}}]>]>
    }} : ({T}) -> ({T}, {T})
    stablehlo.custom_call @sink(%a) {{
      has_side_effect = true, sdy.sharding = #sdy.sharding_per_value<[<@one, []>]>
    }} : ({T}) -> ()
    return %0#0, %0#1 : {T}, {T}
  }}""",
    "a mesh in a sharding": f"""
  func.func @main(%a: {T} {{sdy.sharding = #sdy.sharding<mesh<["q"=4]>, [{{"q"}}, {{}}]>}})
      -> {T} {{
    return %a : {T}
  }}""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_hlo_is_that_of_jaxlib(name: str, oracle: Oracle) -> None:
    mesh = "" if name == "a mesh in a sharding" else MESH
    text = f"module @m {{\n  {mesh}{PROGRAMS[name]}\n}}"
    theirs = read_proto(oracle.exported_hlo(text))
    assert notes(sm.load(text).to_hlo().tree) == notes(theirs)


def notes(module: HloModule) -> tuple[object, ...]:
    """What a module says of shardings, but for instructions of other forms."""
    return (
        dict(module.frontend_attributes),
        sorted(
            (each.opcode, str(each.shape), str(sorted(each.attributes.items(), key=str)))
            for computation in module.computations
            for each in map(nameless, computation.instructions)
            if each.opcode not in OTHER_FORMS
        ),
    )


def nameless(instruction: HloInstruction) -> HloInstruction:
    """An instruction without metadata and names of computations."""
    left_out = ("metadata", "to_apply", "parameter_number")
    kept = {k: v for k, v in instruction.attributes.items() if k not in left_out}
    return HloInstruction("", instruction.opcode, instruction.shape, (), kept)


def test_a_named_computation_is_a_function() -> None:
    text = f"""module {{
  {MESH}
  func.func @main(%a: {T}) -> {T} {{
    %0 = sdy.named_computation<"block">(%a) in_shardings=[<@mesh, [{{"x"}}, {{}}]>]
        out_shardings=[<@mesh, [{{"y"}}, {{}}]>] (%b: {T}) {{
      %1 = stablehlo.negate %b : {T}
      sdy.return %1 : {T}
    }} : ({T}) -> {T}
    return %0 : {T}
  }}
}}"""
    printed = sm.opt(text, "sdy-round-trip-export").to_text()
    assert "sdy.named" not in printed
    assert "call @block(%arg0)" in printed
    assert 'mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"' in printed
    assert "@xla.sdy.FuncResultSharding" in printed


def test_a_program_without_shardings_is_itself() -> None:
    module = sm.load(f"func.func @main(%a: {T}) -> {T} {{\n  return %a : {T}\n}}")
    assert sm.opt(module, "sdy-round-trip-export").ir is module.ir


REFUSED: Final = {
    f"""module {{
  {MESH}
  func.func @main(%a: tensor<3x8xf32>) -> tensor<3x8xf32> {{
    %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{{"x"}}, {{}}]>]
        out_shardings=[<@mesh, [{{"x"}}, {{}}]>] manual_axes={{"x"}} (%b: tensor<2x8xf32>) {{
      sdy.return %b : tensor<2x8xf32>
    }} : (tensor<3x8xf32>) -> tensor<3x8xf32>
    return %0 : tensor<3x8xf32>
  }}
}}""": (
        "<text>:4:10: error: sdy.manual_computation manual_axes: "
        "The manual axes divide the sizes of the dimensions evenly\n"
    ),
    f"""module {{
  {MESH}
  func.func @main(%a: {T}) -> {T} {{
    %0 = stablehlo.negate %a {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{"x"}}]>]>}} : {T}
    return %0 : {T}
  }}
}}""": (
        "<text>:4:10: error: stablehlo.negate sdy.sharding rank: "
        "A sharding has as many dimensions as its tensor\n"
    ),
    f"""module {{
  func.func @main(%a: {T} {{sdy.sharding = #sdy.sharding<@none, [{{}}, {{}}]>}}) -> {T} {{
    return %a : {T}
  }}
}}""": "<text>:2:3: error: func.func attributes of arguments and results: Each keeps the rules",
    f"""module {{
  func.func @main(%a: {T}) -> {T} {{
    %0 = stablehlo.negate %a {{mhlo.sharding = "{{devices=[2]<=[2]}}"}} : {T}
    return %0 : {T}
  }}
}}""": (
        "<text>:3:10: error: mhlo.sharding: a sharding has a number of tiles for each dimension, "
        "and a part for each result\n"
        ' 3 |     %0 = stablehlo.negate %a {mhlo.sharding = "{devices=[2]<=[2]}"} '
        ": tensor<4x8xf32>\n"
        "   |          ^^^^^^^^^^^^^^^^ "
        'sharding = "{devices=[2]<=[2]}", results = tensor<4x8xf32>'
    ),
    f"""module {{
  func.func @main(%a: {T} {{mhlo.sharding = "{{devices=[2,1}}"}}) -> {T} {{
    return %a : {T}
  }}
}}""": (
        "<text>:2:3: error: mhlo.sharding: this is no sharding of HLO: expected ',' or ']', "
        "found '}'\n"
    ),
    f"""module {{
  func.func @main(%a: {T}) -> ({T} {{mhlo.sharding = "{{devices=[2]<=[2]}}"}}) {{
    return %a : {T}
  }}
}}""": (
        "<text>:2:3: error: mhlo.sharding: a sharding has a number of tiles for each dimension, "
        "and a part for each leaf\n"
    ),
}


@pytest.mark.parametrize("text", REFUSED)
def test_wrong_shardings_are_refused_with_their_place(text: str) -> None:
    with pytest.raises(sm.StablemateError) as raised:
        sm.load(text).to_hlo()
    assert raised.value.render().startswith(REFUSED[text])
