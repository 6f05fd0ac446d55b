"""Attributes and types with one token changed, over several lines, in every place of a module.

An error of an attribute or a type is on the line of the token where MLIR's parser finds it. Line
breaks between the tokens show which one that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tests.properties.generation.choices import Choices, Seeded
from tests.properties.parity.texts import STRANGE, TOKEN

MODE: Final = "#stablehlo.result_accuracy_mode"
MESH: Final = '#sdy.mesh<["x"=2, "y"=4]>'
ATTRIBUTES: Final = (
    f"#stablehlo.result_accuracy<atol = 1.0, rtol = 2.5, ulps = 3, mode = {MODE}<TOLERANCE>>",
    f"#stablehlo.result_accuracy<mode = {MODE}<HIGHEST>>",
    f"{MODE}<DEFAULT>",
    "#stablehlo<precision HIGHEST>",
    "#stablehlo<comparison_direction EQ>",
    "#stablehlo.channel_handle<handle = 1, type = 2>",
    "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_contracting_dimensions = [1, 2]>",
    "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], index_vector_dim = 1>",
    "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],"
    " scatter_dims_to_operand_dims = [0], index_vector_dim = 1>",
    "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>",
    "#stablehlo.conv<raw input_batch_dimension = 0, input_spatial_dimensions = [1]>",
    "#stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32,"
    " accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,"
    " num_primitive_operations = 1, allow_imprecise_accumulation = false>",
    "#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0,"
    " operand_tuple_indices = []>",
    "#stablehlo.bounds<4, ?>",
    "#stablehlo.type_extensions<bounds = [4, ?]>",
    '#stablehlo.mesh<axes = [<name = "x", size = 2>], device_ids = dense<[0, 1]> : tensor<2xi64>>',
    '#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>',
    '#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [<name = "x">]>',
    "#chlo<comparison_type FLOAT>",
    "#chlo.ragged_dot<lhs_contracting_dimensions = [2], rhs_group_dimensions = [0]>",
    MESH,
    '#sdy.mesh<["x"=2, "y"=2], device_ids=[1, 0, 3, 2]>',
    '#sdy.sharding<@m, [{"x", ?}p1, {"y":(1)2}], replicated={"z"}, unreduced={"w"}>',
    '#sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, [{}, {?}]>]>',
    "#sdy.op_sharding_rule<([i, jk], [j])->([i, k]) {i=8, j=2, k=4} reduction={j}, custom>",
    '#sdy<manual_axes{"x", "y"}>',
    '#sdy<axis_ref_list{"x", "y":(1)2}>',
    '#sdy<list_of_axis_ref_lists[{"x"}, {}]>',
    '#sdy<all_to_all_param_list[{"x"}: 0->1]>',
    "array<i64: 1, -2>",
    "array<i1: true, false>",
    "array<f32: 1.0, 0x7FC00000>",
    "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>",
    "dense<[1.0, -2.5]> : tensor<2xf32>",
    "dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>",
    "dense<(1, 2)> : tensor<complex<i32>>",
    "dense<true> : tensor<2xi1>",
    'dense<"0x0100000002000000"> : tensor<2xi32>',
    "sparse<[[0], [1]], [1.0, 2.0]> : tensor<4xf32>",
    "dense_resource<r> : tensor<2xf32>",
    "[1 : i32, 2.0 : f32, -3]",
    '{a = 1 : i8, b, c = "x", d = @f::@g}',
    "0x10 : i32",
    "0x7FC00000 : f32",
    '"text" : i32',
    "distinct[0]<1 : i8>",
    "affine_map<(d0, d1)[s0] -> (d0 + s0, d1 floordiv 2)>",
    "affine_set<(d0) : (d0 - 1 >= 0, d0 == 0)>",
    "strided<[1, ?], offset: 2>",
    'loc("a":1:2)',
    'loc(callsite("f" at fused<"m">["a":1:2, "b"]))',
    "unit",
)
TYPES: Final = (
    "tensor<2x3xf32>",
    "tensor<*xi32>",
    "tensor<2x?xf32, #stablehlo.bounds<?, 4>>",
    "tensor<2x?xf32, #stablehlo.type_extensions<bounds = [?, 4]>>",
    "complex<f32>",
    "tuple<tensor<f32>, tuple<>, !stablehlo.token>",
    "vector<4x[8]xf32>",
    "memref<2x3xf32, strided<[3, 1], offset: 1>, 1 : i64>",
    "memref<?xf32, affine_map<(d0) -> (d0)>>",
    "(tensor<f32>, i32) -> (index, none)",
    "!stablehlo.future<tensor<2xf32>, tensor<3xi32>>",
    "!shape.shape",
    "tensor<2x!quant.uniform<i8:f32, 0.5:-3>>",
    "tensor<2x!quant.uniform<u4<0:7>:f32, 0.5:3>>",
    "tensor<2x!quant.uniform<i8<-127:127>:f32:0, {0.5:1, 0.25:-2}>>",
    "tensor<4x4x!quant.uniform<i8:f32:{0:2, 1:4}, {{0.5:1}, {0.25}}>>",
    "!quant.any<i8<-8:7>:f32>",
    "!quant.calibrated<f32<-1.0:1.0>>",
)
# Tokens that are meant to be wrong in such a place, of every kind.
NUMBERS: Final = (
    *("true", "false", "1.0", "-1", "-1.5", "0x10", "300", "-300", "1e400", "0x7FF0000000000000"),
    *('"a"', "@a", "#a", "!a", "[]", "[1]", "{}", "dense<1> : tensor<1xi64>", "unit", "1 : i32"),
    *("nan", "inf", "0.0", "18446744073709551616", "9223372036854775808", "f64", "i4", "f4E2M1FN"),
)  # fmt: skip

# How an attribute occurs in a module.
ATTRIBUTE_PLACES: Final = (
    "#a = {}\nfunc.func private @f() attributes {{k.v = #a}}\n",
    "func.func @f() {{\n  return\n}}\n#a = {}\n",
    "#a = {}\nfunc.func @f(%x: tensor<2xf32>) {{\n"
    "  %0 = stablehlo.abs %x {{k.v = #a}} : tensor<2xf32>\n  return\n}}\n",
    "#a = [1,\n{}]\nmodule attributes {{k.v = #a\n}} {{\n}}\n",
    "func.func private @f() attributes {{k.v = {}\n}}\n",
    "func.func private @f(tensor<2xf32>\n {{k.v = {}\n}})\n",
    "func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>\n {{k.v =\n {}}}) {{\n"
    "  return %x : tensor<2xf32>\n}}\n",
    "module @m attributes {{k.u = 1, k.v = {}}} {{\n}}\n",
    "func.func @f(%x: tensor<2xf32>) {{\n  %0 = stablehlo.abs %x {{k.v = {}\n}} : tensor<2xf32>\n"
    "  return\n}}\n",
    'func.func @f(%x: tensor<2xf32>) {{\n  %0 = "stablehlo.abs"(%x)\n {{k.v = {}\n}} :'
    " (tensor<2xf32>) -> tensor<2xf32>\n  return\n}}\n",
    'func.func @f(%x: tensor<2xf32>, %p: tensor<i1>) {{\n  %0 = "stablehlo.if"(%p) ({{\n'
    '    %1 = "stablehlo.abs"(%x) {{k.v = {}\n}} : (tensor<2xf32>) -> tensor<2xf32>\n'
    "    stablehlo.return %1 : tensor<2xf32>\n  }}, {{\n    stablehlo.return %x : tensor<2xf32>\n"
    "  }}) : (tensor<i1>) -> tensor<2xf32>\n  return\n}}\n",
    "func.func private @f(tensor<2xf32,\n{}\n>)\n",
)
TYPE_PLACES: Final = (
    "!t = {}\nfunc.func private @f(!t)\n",
    "func.func @f() {{\n  return\n}}\n!t = {}\n",
    "!t = {}\nfunc.func @f(%x: tensor<2xf32>) {{\n  return\n}}\n",
    "func.func private @f({}\n)\n",
    "func.func @f(%x: tensor<2xf32>,\n %y: {}\n) {{\n  return\n}}\n",
    "func.func private @f() -> (tensor<2xf32>,\n {}\n)\n",
    "func.func private @f() attributes {{k.v = {}\n}}\n",
    'func.func @f(%x: tensor<2xf32>) {{\n  %0 = "stablehlo.custom_call"(%x)\n'
    '    <{{call_target_name = "g"}}> : (tensor<2xf32>) ->\n {}\n  return\n}}\n',
    'func.func @f(%x: tensor<2xf32>) {{\n  %0 = stablehlo.custom_call @g(%x) :'
    " (tensor<2xf32>) ->\n {}\n  return\n}}\n",
    "func.func @f(%x: {}\n) {{\n  cf.br ^bb1(%x: {})\n^bb1(%y:\n{}\n):\n  return\n}}\n",
    "func.func private @f(tuple<i32,\n{}\n>)\n",
    "func.func private @f(tensor<2x\n{}\n>)\n",
)  # fmt: skip


def over_lines(choices: Choices, tokens: list[str]) -> str:
    """The text of tokens, with line breaks between some of them.

    What follows a name of a dialect belongs to it.
    """
    text = ""
    for token in tokens:
        joins = text.endswith(("#", "!")) or text[-1:].isalnum() or text.endswith(("_", "-", ">"))
        if not token.isspace() and not joins and choices.below(3) == 0:
            text += "\n"
        text += token
    return text


def with_wrong_token(choices: Choices, tokens: list[str]) -> list[str]:
    """Tokens with one less, more, twice, in another place, or another one."""
    places = [i for i, token in enumerate(tokens) if not token.isspace()]
    place, kind = choices.of(places), choices.below(8)
    if kind == 0:
        return tokens[:place] + tokens[place + 1 :]
    if kind == 1:
        return [*tokens[:place], tokens[place], *tokens[place:]]
    if kind == 2:
        return [*tokens[:place], tokens[choices.of(places)], *tokens[place + 1 :]]
    if kind == 3:
        return [*tokens[:place], choices.of(STRANGE), *tokens[place:]]
    other = choices.of(NUMBERS if kind > 4 else STRANGE)
    return [*tokens[:place], other, *tokens[place + 1 :]]


def malformed_bodies(seed: int) -> Iterator[str]:
    """Modules with one attribute or type that is malformed, without end."""
    number = 0
    while True:
        draw = Seeded(f"bodies:{seed}:{number}")
        bodies, places = draw.of(((ATTRIBUTES, ATTRIBUTE_PLACES), (TYPES, TYPE_PLACES)))
        tokens = TOKEN.findall(draw.of(bodies))
        if draw.below(8):
            tokens = with_wrong_token(draw, tokens)
        yield draw.of(places).replace("{}", "\0").format().replace("\0", over_lines(draw, tokens))
        number += 1
