"""One program per operation and granularity of quantization, from a table.

A signature names types: ``Q:2x3`` is a tensor quantized in the granularity that is asked for, along
dimension 0 if along one, ``Q:2x3@1`` along dimension 1, ``T:2x3`` per tensor, ``f32:2x3`` plain.
The last column says in which granularities the specification has the operation: ``t`` per tensor,
``a`` per axis, and where it says "quantized tensor" also ``s``, sub-channel.

Source: StableHLO specification, the tables of inputs and outputs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

PARAMETERS: Final = ("0.5:1", "0.25:-2", "1.0:3", "2.0", "0.125:4", "4.0:-1")
TYPE: Final = re.compile(r"(?P<element>\w+):(?P<shape>[\dx]*)(@(?P<axis>\d))?(?P<zero>!?)")


@dataclass(frozen=True)
class Row:
    """An operation with its types.

    Attributes:
        name: Of the operation, with a word after a point where there are several rows.
        signature: Types of operands and results.
        rest: Attributes and regions in generic form.
        granularities: Those that the specification allows.
    """

    name: str
    signature: str
    rest: str
    granularities: str

    @property
    def operation(self) -> str:
        return self.name.partition(".")[0]

    def types(self, granularity: str) -> tuple[list[str], list[str]]:
        """The types of operands and results."""
        sides = self.signature.split("->")
        operands, results = (
            [spelled(match, granularity) for match in TYPE.finditer(side)] for side in sides
        )
        return operands, results

    def program(self, granularity: str) -> str:
        """The operation on the arguments of a function."""
        operands, results = self.types(granularity)
        arguments = ", ".join(f"%a{i}: {operand}" for i, operand in enumerate(operands))
        values = ", ".join(f"%a{i}" for i in range(len(operands)))
        results_text = f"({', '.join(results)})"
        names = [f"%0#{i}" for i in range(len(results))] if len(results) > 1 else ["%0"]
        bound = f"%0:{len(results)}" if len(results) > 1 else "%0"
        return (
            f"func.func @main({arguments}) -> {results_text} {{\n"
            f'  {bound} = "stablehlo.{self.operation}"({values}) {self.rest} : '
            f"({', '.join(operands)}) -> {results_text}\n"
            f"  return {', '.join(names)} : {', '.join(results)}\n}}\n"
        )


def spelled(match: re.Match[str], granularity: str) -> str:
    """The MLIR type of a name in a signature."""
    shape = [int(size) for size in match["shape"].split("x") if size]
    element = match["element"]
    if element == "token":
        return "!stablehlo.token"
    if element in ("Q", "T"):
        wanted = granularity if element == "Q" and shape else "t"
        element = quantized(wanted, shape, int(match["axis"] or 0))
        element = re.sub(r"(\.\d+):-?\d+", r"\1", element) if match["zero"] else element
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def quantized(granularity: str, shape: list[int], axis: int) -> str:
    """The quantized type of a granularity; its blocks are slices, so that it means the same."""
    if granularity == "t":
        return f"!quant.uniform<i8:f32, {PARAMETERS[0]}>"
    pairs = [PARAMETERS[i % len(PARAMETERS)] for i in range(shape[axis])]
    if granularity == "a":
        return f"!quant.uniform<i8:f32:{axis}, {{{', '.join(pairs)}}}>"
    inner, outer = len(shape) - axis - 1, axis
    items = ", ".join("{" * inner + pair + "}" * inner for pair in pairs)
    return f"!quant.uniform<i8:f32:{{{axis}:1}}, {'{' * outer}{{{items}}}{'}' * outer}>"


SCALAR: Final = spelled(TYPE.fullmatch("T:"), "t")  # type: ignore[arg-type]


def region(operation: str, result: str = SCALAR, attributes: str = "") -> str:
    """A region that applies an operation to two scalars."""
    types = f"({SCALAR}, {SCALAR}) -> {result}"
    return (
        f"{{\n  ^bb0(%x: {SCALAR}, %y: {SCALAR}):\n"
        f'    %r = "stablehlo.{operation}"(%x, %y) {attributes} : {types}\n'
        f'    "stablehlo.return"(%r) : ({result}) -> ()\n  }}'
    )


ADD: Final = region("add")
GREATER: Final = region(
    "compare", "tensor<i1>", "{comparison_direction = #stablehlo<comparison_direction GE>}"
)
GROUPS: Final = "replica_groups = dense<0> : tensor<1x1xi64>"
DOT: Final = (
    "{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], "
    "rhs_contracting_dimensions = [0]>}"
)
CONVOLUTION: Final = (
    "{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, "
    "batch_group_count = 1 : i64, feature_group_count = 1 : i64}"
)
NORM: Final = "{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}"
GATHER: Final = (
    "#stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], "
    "index_vector_dim = 1>"
)
SCATTER: Final = (
    "#stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], "
    "scatter_dims_to_operand_dims = [1], index_vector_dim = 1>"
)

UNARY: Final = (
    "abs", "cbrt", "ceil", "cosine", "exponential", "exponential_minus_one", "floor", "log",
    "log_plus_one", "logistic", "negate", "round_nearest_afz", "round_nearest_even", "rsqrt",
    "sign", "sine", "sqrt", "tan", "tanh",
)  # fmt: skip
BINARY: Final = (
    "atan2", "divide", "maximum", "minimum", "multiply", "power", "remainder", "subtract",
)  # fmt: skip
WITHOUT: Final = (
    "not", "popcnt", "count_leading_zeros", "convert", "real", "imag",
)  # fmt: skip
WITHOUT_OF_TWO: Final = (
    "and", "or", "xor", "shift_left", "shift_right_arithmetic", "shift_right_logical", "complex",
)  # fmt: skip

ROWS: Final = (
    *(Row(name, "Q:2x3 -> Q:2x3", "", "t") for name in UNARY),
    *(Row(name, "Q:2x3 Q:2x3 -> Q:2x3", "", "t") for name in BINARY),
    *(Row(name, "Q:2x3 -> Q:2x3", "", "") for name in WITHOUT),
    *(Row(name, "Q:2x3 Q:2x3 -> Q:2x3", "", "") for name in WITHOUT_OF_TWO),
    Row("add", "Q:2x3@1 Q:2x3@1 -> Q:2x3@1", "", "tas"),
    Row("add.mixed", "Q:2x3@1 T:2x3 -> Q:2x3@1", "", "tas"),
    Row("uniform_quantize", "f32:2x3 -> Q:2x3@1", "", "tas"),
    Row("uniform_quantize.again", "Q:2x3@1 -> Q:2x3@1", "", "tas"),
    Row("uniform_quantize.per_tensor", "Q:2x3@1 -> T:2x3", "", "tas"),
    Row("uniform_dequantize", "Q:2x3@1 -> f32:2x3", "", "tas"),
    Row("bitcast_convert", "Q:2x3@1 -> Q:2x3@1", "", "tas"),
    Row("bitcast_convert.storage", "Q:2x3@1 -> i8:2x3", "", "tas"),
    Row("optimization_barrier", "Q:2x3 -> Q:2x3", "", "t"),
    Row("is_finite", "Q:2x3 -> i1:2x3", "", "t"),
    Row(
        "reduce_precision",
        "Q:2x3 -> Q:2x3",
        "{exponent_bits = 5 : i32, mantissa_bits = 3 : i32}",
        "t",
    ),
    Row(
        "compare",
        "Q:2x3 Q:2x3 -> i1:2x3",
        "{comparison_direction = #stablehlo<comparison_direction LT>}",
        "t",
    ),
    Row("select", "i1:2x3 Q:2x3 Q:2x3 -> Q:2x3", "", "t"),
    Row("clamp", "Q:2x3 Q:2x3 Q:2x3 -> Q:2x3", "", "t"),
    # data movement
    Row("concatenate", "Q:2x3 Q:2x3 -> Q:2x6", "{dimension = 1 : i64}", "t"),
    Row("broadcast_in_dim", "Q:2 -> Q:3x2@1", "{broadcast_dimensions = array<i64: 1>}", "tas"),
    Row("broadcast_in_dim.one", "T:1 -> T:3x2", "{broadcast_dimensions = array<i64: 1>}", "tas"),
    Row(
        "dynamic_broadcast_in_dim",
        "Q:2 i64:2 -> Q:3x2@1",
        "{broadcast_dimensions = array<i64: 1>}",
        "tas",
    ),
    Row("reshape", "Q:2x6 -> Q:2x3x2", "", "tas"),
    Row("reshape.last", "Q:2x3x4@2 -> Q:6x4@1", "", "tas"),
    Row("dynamic_reshape", "Q:2x6 i64:3 -> Q:2x3x2", "", "tas"),
    Row("transpose", "Q:2x3 -> Q:3x2@1", "{permutation = array<i64: 1, 0>}", "tas"),
    Row("reverse", "Q:2x3 -> Q:2x3", "{dimensions = array<i64: 1>}", "t"),
    Row(
        "slice",
        "Q:2x3 -> Q:2x2",
        "{start_indices = array<i64: 0, 1>, limit_indices = array<i64: 2, 3>, "
        "strides = array<i64: 1, 1>}",
        "t",
    ),
    Row("dynamic_slice", "Q:2x3 i64: i64: -> Q:2x2", "{slice_sizes = array<i64: 2, 2>}", "t"),
    Row("dynamic_update_slice", "Q:2x3 Q:2x2 i64: i64: -> Q:2x3", "", "t"),
    Row(
        "pad",
        "Q:2x3 T: -> Q:2x5",
        "{edge_padding_low = array<i64: 0, 1>, edge_padding_high = array<i64: 0, 1>, "
        "interior_padding = array<i64: 0, 0>}",
        "t",
    ),
    Row("dynamic_pad", "Q:2x3 T: i64:2 i64:2 i64:2 -> Q:2x5", "", "t"),
    Row(
        "gather",
        "Q:2x3 i64:2x1 -> Q:2x2",
        f"{{dimension_numbers = {GATHER}, slice_sizes = array<i64: 2, 1>, "
        "indices_are_sorted = false}",
        "t",
    ),
    Row(
        "dynamic_gather",
        "Q:2x3 i64:2x1 i64:2 -> Q:2x2",
        f"{{dimension_numbers = {GATHER}, indices_are_sorted = false}}",
        "t",
    ),
    Row("get_dimension_size", "Q:2x3 -> i32:", "{dimension = 0 : i64}", "tas"),
    Row("iota", "-> Q:3x2", "{iota_dimension = 0 : i64}", "t"),
    Row("dynamic_iota", "i64:2 -> Q:3x2", "{iota_dimension = 0 : i64}", "t"),
    Row("constant", "-> Q:2x3", "{value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>}", "tas"),
    # contractions
    Row("dot_general", "T:2x3 Q:3x4@1! -> Q:2x4@1", DOT, "tas"),
    Row("dot_general.per_tensor", "T:2x3 Q:3x4@1! -> T:2x4", DOT, "tas"),
    Row("dot_general.lhs", "Q:2x3 T:3x4! -> T:2x4", DOT, "t"),
    Row("dot_general.hybrid", "f32:2x3 Q:3x4@1! -> f32:2x4", DOT, "tas"),
    Row("dot_general.contracted", "f32:2x3 Q:3x4! -> f32:2x4", DOT, "ts"),  # C16 is of slices
    Row("convolution", "T:1x5x2 Q:3x2x4@2 -> Q:1x3x4@2", CONVOLUTION, "tas"),
    Row("convolution.per_tensor", "T:1x5x2 Q:3x2x4@2 -> T:1x3x4", CONVOLUTION, "tas"),
    Row("convolution.hybrid", "f32:1x5x2 Q:3x2x4@2 -> f32:1x3x4", CONVOLUTION, "tas"),
    Row("convolution.contracted", "f32:1x5x2 Q:3x2x4@1 -> f32:1x3x4", CONVOLUTION, "ts"),
    Row("dynamic_conv", "T:1x5x2 Q:3x2x4@2 i64:1x2 -> Q:1x3x4@2", CONVOLUTION, "tas"),
    Row("dynamic_conv.hybrid", "f32:1x5x2 Q:3x2x4@2 i64:1x2 -> f32:1x3x4", CONVOLUTION, "tas"),
    # linear algebra, normalization, random numbers
    Row("batch_norm_inference", "Q:2x3 Q:3 Q:3 Q:3 Q:3 -> Q:2x3", NORM, "t"),
    Row("batch_norm_training", "Q:2x3 Q:3 Q:3 -> Q:2x3 Q:3 Q:3", NORM, "t"),
    Row("batch_norm_grad", "Q:2x3 Q:3 Q:3 Q:3 Q:2x3 -> Q:2x3 Q:3 Q:3", NORM, "t"),
    Row("cholesky", "Q:2x2 -> Q:2x2", "{lower = true}", "t"),
    Row(
        "triangular_solve",
        "Q:2x2 Q:2x3 -> Q:2x3",
        "{left_side = true, lower = true, unit_diagonal = false, "
        "transpose_a = #stablehlo<transpose NO_TRANSPOSE>}",
        "t",
    ),
    Row(
        "fft",
        "Q:4 -> Q:4",
        "{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>}",
        "",
    ),
    Row(
        "rng",
        "T: T: i64:1 -> Q:4",
        "{rng_distribution = #stablehlo<rng_distribution UNIFORM>}",
        "",
    ),
    # regions
    Row("reduce", "Q:2x3 T: -> Q:2", f"({ADD}) {{dimensions = array<i64: 1>}}", "t"),
    Row(
        "reduce_window",
        "Q:2x3 T: -> Q:2x2",
        f"({ADD}) {{window_dimensions = array<i64: 1, 2>}}",
        "t",
    ),
    Row(
        "scatter",
        "Q:2x3 i64:2x1 Q:2x2 -> Q:2x3",
        f"({ADD}) {{scatter_dimension_numbers = {SCATTER}}}",
        "t",
    ),
    Row(
        "select_and_scatter",
        "Q:2x4 Q:2x2 T: -> Q:2x4",
        f"({GREATER}, {ADD}) {{window_dimensions = array<i64: 1, 2>, "
        "window_strides = array<i64: 1, 2>}",
        "t",
    ),
    Row("sort", "Q:2x3 -> Q:2x3", f"({GREATER}) {{dimension = 1 : i64, is_stable = true}}", "t"),
    Row("map", "Q:2x3 Q:2x3 -> Q:2x3", f"({ADD}) {{dimensions = array<i64: 0, 1>}}", "t"),
    # collectives
    Row("all_gather", "Q:2x3 -> Q:2x3", f"{{all_gather_dim = 1 : i64, {GROUPS}}}", "t"),
    Row("all_reduce", "Q:2x3 -> Q:2x3", f"({ADD}) {{{GROUPS}}}", "t"),
    Row(
        "reduce_scatter",
        "Q:2x3 -> Q:2x3",
        f"({ADD}) {{scatter_dimension = 1 : i64, {GROUPS}}}",
        "t",
    ),
    Row(
        "all_to_all",
        "Q:2x3 -> Q:2x3",
        "{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 1 : i64, "
        f"{GROUPS}}}",
        "t",
    ),
    Row(
        "collective_permute",
        "Q:2x3 -> Q:2x3",
        "{source_target_pairs = dense<0> : tensor<1x2xi64>}",
        "t",
    ),
    Row("collective_broadcast", "Q:2x3 -> Q:2x3", f"{{{GROUPS}}}", "t"),
    # what leaves the program
    Row(
        "send",
        "Q:2x3 token: -> token:",
        "{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, "
        "is_host_transfer = true}",
        "tas",
    ),
    Row(
        "recv",
        "token: -> Q:2x3 token:",
        "{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, "
        "is_host_transfer = true}",
        "tas",
    ),
    Row("infeed", "token: -> Q:2x3 token:", '{infeed_config = "a"}', "tas"),
    Row("outfeed", "Q:2x3 token: -> token:", '{outfeed_config = "a"}', "tas"),
    Row("custom_call", "Q:2x3 -> Q:2x3", '{call_target_name = "foo"}', "tas"),
    # deprecated
    Row("broadcast", "Q:2 -> Q:3x2@1", "{broadcast_sizes = array<i64: 3>}", "t"),
    Row("dot", "T:2x3 Q:3x4@1 -> Q:2x4@1", "", "tas"),
    Row("dot.hybrid", "f32:2x3 Q:3x4@1 -> f32:2x4", "", "tas"),
    Row("einsum", "Q:2x3 Q:3x4 -> Q:2x4", '{einsum_config = "ab,bc->ac"}', "t"),
    Row("unary_einsum", "Q:2x3 -> Q:2", '{einsum_config = "ab->a"}', "t"),
    Row("torch_index_select", "Q:2x3 i64:2 -> Q:2x2", "{dim = 1 : i64, batch_dims = 0 : i64}", "t"),
    Row("real_dynamic_slice", "Q:2x3 i64:2 i64:2 i64:2 -> Q:2x2", "", "t"),
    Row("cross-replica-sum", "Q:2x3 -> Q:2x3", f"{{{GROUPS}}}", "t"),
)
