"""What is changed: small inputs of every format, made of the project's own programs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import stablemate as sm

ROOT: Final = Path(__file__).parents[1]
FUNCTION: Final = re.compile(
    r"^(?:func\.func|module)\b (?:private )?@?\w+.*?^}\n", re.MULTILINE | re.DOTALL
)
CASES: Final = re.compile(r"^// -----.*$", re.MULTILINE)
LONGEST_TEXT: Final = 1500  # characters
LONGEST_HLO: Final = 2600
LONGEST_PROTO: Final = 6000  # bytes
VERSIONS: Final = ("newest", "12 weeks", "max", "1.0.0")

# What the examples of operations do not hold: sections of resources, aliases, locations, meshes.
STRUCTURE: Final = (
    """func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<r> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      r: "0x040000000000803F00000040",
      s: "0x0100000001"
    }
  },
  external_resources: {
    mlir_reproducer: { verify_each: true, pipeline: "a", threads: "0x0400000001" }
  }
#-}
""",
    """#loc = loc(unknown)
#loc1 = loc("a.py":1:2 to 3:4)
#loc2 = loc("b"(#loc1))
#loc3 = loc(fused<"x">[#loc1, callsite(#loc2 at "c"(#loc))])
#map = affine_map<(d0, d1)[s0] -> (d0 + s0 mod 2, d1 floordiv 3)>
!t = tensor<2x?xf32, #stablehlo.bounds<?, 4>>
module @m attributes {mhlo.num_partitions = 2 : i32, a.map = #map, a.x = [1, 2.5 : f64, {k}]} {
  func.func @main(%arg0: !t loc("p")) -> (!t {jax.result_info = "r\\22"}) {
    return %arg0 : !t loc(#loc3)
  } loc(#loc2)
} loc(#loc)
""",
    """sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {?}p1]>})
    -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x", "y"}, {}], replicated={}> : tensor<8x4xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "", mhlo.sharding =
      "{devices=[2,4]0,1,2,3,4,5,6,7}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
""",
    """func.func @main(%a: tensor<f32>, %n: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %c = stablehlo.constant dense<5> : tensor<i32>
  %0:2 = stablehlo.while(%x = %a, %i = %n) : tensor<f32>, tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %2 = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
      %3 = stablehlo.add %i, %i : tensor<i32>
      stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
    }
  return %0#0, %0#1 : tensor<f32>, tensor<i32>
}
func.func private @f(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    "stablehlo.return"(%a) : (tensor<f32>) -> ()
  }, {
    %1 = stablehlo.exponential %a : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
""",
    """func.func @main(%a: tensor<?x3xf32>, %n: tensor<2xindex>) -> tensor<?x?xf32> {
  %0 = shape.shape_of %a : tensor<?x3xf32> -> tensor<2xindex>
  %1 = stablehlo.dynamic_reshape %a, %n : (tensor<?x3xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  %2 = stablehlo.constant dense<[[1, -2], [0x7F, 4]]> : tensor<2x2xi8>
  %3 = stablehlo.constant dense<"0x0000C07F000080FF"> : tensor<2xf32>
  %4 = stablehlo.constant dense<(1.0, -2.0e3)> : tensor<1000xcomplex<f32>>
  %5 = stablehlo.constant() <{value = sparse<[[0, 1]], [4]> : tensor<3x4xi32>}> : tensor<3x4xi32>
  return %1 : tensor<?x?xf32>
}
""",
    """func.func @main(%a: tensor<4x!quant.uniform<i8:f32, 0.5:-3>>)
    -> tensor<4x!quant.uniform<i8<-8:7>:f32:0, {0.1:1,0.2:2,0.3:3,0.4:4}>> {
  %0 = stablehlo.uniform_quantize %a : (tensor<4x!quant.uniform<i8:f32, 0.5:-3>>)
      -> tensor<4x!quant.uniform<i8<-8:7>:f32:0, {0.1:1,0.2:2,0.3:3,0.4:4}>>
  return %0 : tensor<4x!quant.uniform<i8<-8:7>:f32:0, {0.1:1,0.2:2,0.3:3,0.4:4}>>
}
""",
)

SHARDINGS: Final = (
    "{replicated}", "{maximal device=3}", "{manual}", "{unknown}", "{devices=[2,2]0,1,2,3}",
    "{devices=[2,1,4]<=[8] last_tile_dim_replicate}", "{{replicated}, {devices=[2]0,1}}",
    "{devices=[2,2,2]<=[2,2,2]T(2,0,1) last_tile_dims={manual, replicated}}",
    "{devices=[1,4]0,1,2,3 metadata={op_name=\"a\"}}", "{replicated shard_as 5}",
    "{mesh['x'=2,'y'=4], [{'x'}, {'y':(1)2, ?}], replicated={}}",
)  # fmt: skip
SHAPES: Final = (
    "f32[2,3]{1,0}", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)}", "(f32[], (s32[2], pred[]))",
    "f32[<=8,?]{1,0}", "token[]", "opaque[]", "s4[7]{0:E(4)}", "f32[2]{0:D(D)#(s64)L(2)}",
    "(f32[2,3]{0,1}, /*index=1*/u8[])",
)  # fmt: skip


@cache
def texts() -> Sequence[str]:
    """Functions of the examples of every operation, right and wrong, and of structure."""
    items = list(STRUCTURE)
    for path in sorted((ROOT / "ops").glob("*.mlir")):
        for part in CASES.split(path.read_text()):
            items += FUNCTION.findall(part)
    return [text for text in dict.fromkeys(items) if len(text) <= LONGEST_TEXT]


@cache
def modules() -> Sequence[sm.Module]:
    """Those of the texts that can be read."""
    collected: list[sm.Module] = []
    for text in texts():
        try:
            collected.append(sm.load(text + "\n"))
        except sm.StablemateError:
            continue
    return collected


@cache
def generic_texts() -> Sequence[str]:
    """The modules in generic form, with all locations."""
    return [module.to_text(generic=True, debug_info=True) for module in modules()]


@cache
def bytecodes() -> Sequence[bytes]:
    """The modules as bytecode, in one version after the other."""
    return [module.to_bytecode(i % 7) for i, module in enumerate(modules())]


@cache
def artifacts() -> Sequence[bytes]:
    """The modules as portable artifacts, for one version after the other."""
    collected: list[bytes] = []
    for i, module in enumerate(modules()):
        try:
            collected.append(module.to_artifact(VERSIONS[i % len(VERSIONS)], mixed=i % 2 == 0))
        except sm.StablemateError:
            continue
    return collected


@cache
def containers() -> Sequence[bytes]:
    """What versions of jax.export wrote."""
    places = ROOT / "formats" / "jax_export" / "containers"
    return [path.read_bytes() for path in sorted(places.glob("*/*.bin"))]


@cache
def hlo_texts() -> Sequence[str]:
    """Instructions of every opcode, and short modules of XLA."""
    from tests.formats.hlo.instruction_texts import programs
    from tests.xla import corpus

    printed = [text for module in corpus.modules() for text in (module.text, module.short)]
    collected = [*programs(), *printed]
    return [text for text in dict.fromkeys(collected) if len(text) <= LONGEST_HLO]


@cache
def hlo_protos() -> Sequence[bytes]:
    """The same as protocol buffers, and XLA's own."""
    from tests.xla import corpus

    collected = [module.proto for module in corpus.modules()]
    for text in hlo_texts():
        try:
            program = sm.load(text)
            assert isinstance(program, sm.HloModule)
            collected.append(program.to_proto())
        except sm.StablemateError:
            continue
    return [fromkey for fromkey in dict.fromkeys(collected) if len(fromkey) <= LONGEST_PROTO]
