"""Writes docs/requests.md: which operations leave native code, for which element types, and why.

    python -m tools.requests [--check]

One program per operation and element type, and every example of ``tests/ops``, becomes a graph as
in the compiler, and is not run. An operation without a lowering becomes a request, which its own
``evaluate`` answers.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import stablemate as sm
from stablemate.compiler.config.options import CompileOptions
from stablemate.compiler.config.target import host
from stablemate.compiler.dynamic.specialized_functions import SpecializedFunctions
from stablemate.compiler.fusion.classification import kind_of
from stablemate.compiler.graph.graph import Graph, Node, Tensor
from stablemate.compiler.kernels.region_expressions import is_expression
from stablemate.compiler.library_calls.planning import library_calls
from stablemate.compiler.pipeline import Compilation
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.limits import Limits
from stablemate.dialects.registry import OPERATIONS
from stablemate.dialects.stablehlo.elementwise import Elementwise
from stablemate.ir.definition import RequestOp, definition_of
from stablemate.ir.types import TensorType
from stablemate.transforms.legalization import legalize_module
from tools.spec_labels import ROOT

INTEGERS: Final = tuple(f"{sign}{width}" for sign in ("i", "ui") for width in (2, 4, 8, 16, 32, 64))
FLOATS: Final = (
    "f64", "f32", "f16", "bf16", "f8E5M2", "f8E4M3", "f8E4M3FN", "f8E5M2FNUZ", "f8E4M3FNUZ",
    "f8E4M3B11FNUZ", "f8E3M4", "f8E8M0FNU", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN",
)  # fmt: skip
COMPLEX: Final = ("complex<f32>", "complex<f64>")
QUANTIZED: Final = (
    "!quant.uniform<i8:f32, 0.5:3>",
    "!quant.uniform<u8:f32, 0.25:128>",
    "!quant.uniform<i4:f32, 0.5>",
    "!quant.uniform<i16:bf16, 2.0:-7>",
    "!quant.uniform<i8:f32:0, {0.5:3,0.25,2.0:-1,1.0}>",
    "!quant.uniform<i8:f32:{0:2}, {{0.5:3}, {0.25}}>",
)
ELEMENTS: Final = ("i1", *INTEGERS, *FLOATS, *COMPLEX, *QUANTIZED)

# Operations that are not elementwise: the program with E for the element type. Operands are the
# function's arguments.
OTHERS: Final[Mapping[str, str]] = {
    "bitcast_convert": """(%a: tensor<4x2xE>) -> tensor<4xW> {
        %0 = stablehlo.bitcast_convert %a : (tensor<4x2xE>) -> tensor<4xW>
        return %0 : tensor<4xW> }""",
    "broadcast_in_dim": """(%a: tensor<4xE>) -> tensor<4x3xE> {
        %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<4xE>) -> tensor<4x3xE>
        return %0 : tensor<4x3xE> }""",
    "clamp": """(%a: tensor<4xE>, %b: tensor<4xE>, %c: tensor<4xE>) -> tensor<4xE> {
        %0 = stablehlo.clamp %a, %b, %c : tensor<4xE>
        return %0 : tensor<4xE> }""",
    "compare": """(%a: tensor<4xE>, %b: tensor<4xE>) -> tensor<4xi1> {
        %0 = stablehlo.compare LT, %a, %b : (tensor<4xE>, tensor<4xE>) -> tensor<4xi1>
        return %0 : tensor<4xi1> }""",
    "compare in total order": """(%a: tensor<4xE>, %b: tensor<4xE>) -> tensor<4xi1> {
        %0 = stablehlo.compare LT, %a, %b, TOTALORDER
            : (tensor<4xE>, tensor<4xE>) -> tensor<4xi1>
        return %0 : tensor<4xi1> }""",
    "concatenate": """(%a: tensor<4x2xE>, %b: tensor<4x3xE>) -> tensor<4x5xE> {
        %0 = stablehlo.concatenate %a, %b, dim = 1
            : (tensor<4x2xE>, tensor<4x3xE>) -> tensor<4x5xE>
        return %0 : tensor<4x5xE> }""",
    "constant": """() -> tensor<2x4xE> {
        %0 = stablehlo.constant dense<LITERAL> : tensor<2x4xE>
        %1 = stablehlo.reverse %0, dims = [1] : tensor<2x4xE>
        return %1 : tensor<2x4xE> }""",
    "convolution": """(%a: tensor<1x6x6x2xE>, %b: tensor<3x3x2x4xE>) -> tensor<1x4x4x4xE> {
        %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
            window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
            : (tensor<1x6x6x2xE>, tensor<3x3x2x4xE>) -> tensor<1x4x4x4xE>
        return %0 : tensor<1x4x4x4xE> }""",
    "dot_general": """(%a: tensor<4x5xE>, %b: tensor<5x3xE>) -> tensor<4x3xE> {
        %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
            : (tensor<4x5xE>, tensor<5x3xE>) -> tensor<4x3xE>
        return %0 : tensor<4x3xE> }""",
    "dynamic_slice": """(%a: tensor<4x5xE>, %i: tensor<i32>) -> tensor<4x3xE> {
        %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [4, 3]
            : (tensor<4x5xE>, tensor<i32>, tensor<i32>) -> tensor<4x3xE>
        return %0 : tensor<4x3xE> }""",
    "dynamic_update_slice": """(%a: tensor<4x5xE>, %b: tensor<4x2xE>, %i: tensor<i32>)
            -> tensor<4x5xE> {
        %0 = stablehlo.dynamic_update_slice %a, %b, %i, %i
            : (tensor<4x5xE>, tensor<4x2xE>, tensor<i32>, tensor<i32>) -> tensor<4x5xE>
        return %0 : tensor<4x5xE> }""",
    "gather": """(%a: tensor<4x5xE>, %i: tensor<3x1xi32>) -> tensor<4x3xE> {
        %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [0],
            collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>,
            slice_sizes = array<i64: 4, 1>, indices_are_sorted = false}
            : (tensor<4x5xE>, tensor<3x1xi32>) -> tensor<4x3xE>
        return %0 : tensor<4x3xE> }""",
    "imag": """(%a: tensor<4xE>) -> tensor<4xP> {
        %0 = stablehlo.imag %a : (tensor<4xE>) -> tensor<4xP>
        return %0 : tensor<4xP> }""",
    "iota": """() -> tensor<4x3xE> {
        %0 = stablehlo.iota dim = 0 : tensor<4x3xE>
        return %0 : tensor<4x3xE> }""",
    "is_finite": """(%a: tensor<4xE>) -> tensor<4xi1> {
        %0 = stablehlo.is_finite %a : (tensor<4xE>) -> tensor<4xi1>
        return %0 : tensor<4xi1> }""",
    "pad": """(%a: tensor<4x3xE>, %b: tensor<E>) -> tensor<4x6xE> {
        %0 = stablehlo.pad %a, %b, low = [0, 1], high = [0, 0], interior = [0, 1]
            : (tensor<4x3xE>, tensor<E>) -> tensor<4x6xE>
        return %0 : tensor<4x6xE> }""",
    "real": """(%a: tensor<4xE>) -> tensor<4xP> {
        %0 = stablehlo.real %a : (tensor<4xE>) -> tensor<4xP>
        return %0 : tensor<4xP> }""",
    "reduce by add": """(%a: tensor<4x3xE>, %b: tensor<E>) -> tensor<4xE> {
        %0 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1]
            : (tensor<4x3xE>, tensor<E>) -> tensor<4xE>
        return %0 : tensor<4xE> }""",
    "reduce by maximum": """(%a: tensor<4x3xE>, %b: tensor<E>) -> tensor<4xE> {
        %0 = stablehlo.reduce(%a init: %b) applies stablehlo.maximum across dimensions = [1]
            : (tensor<4x3xE>, tensor<E>) -> tensor<4xE>
        return %0 : tensor<4xE> }""",
    "reduce_precision": """(%a: tensor<4xE>) -> tensor<4xE> {
        %0 = stablehlo.reduce_precision %a, format = e3m2 : tensor<4xE>
        return %0 : tensor<4xE> }""",
    "reduce_window": """(%a: tensor<4x6xE>, %b: tensor<E>) -> tensor<4x4xE> {
        %0 = "stablehlo.reduce_window"(%a, %b) ({
          ^bb0(%x: tensor<E>, %y: tensor<E>):
            %1 = stablehlo.add %x, %y : tensor<E>
            stablehlo.return %1 : tensor<E>
          }) {window_dimensions = array<i64: 1, 3>} : (tensor<4x6xE>, tensor<E>) -> tensor<4x4xE>
        return %0 : tensor<4x4xE> }""",
    "reshape": """(%a: tensor<4x3xE>) -> tensor<4x3x1xE> {
        %0 = stablehlo.reshape %a : (tensor<4x3xE>) -> tensor<4x3x1xE>
        return %0 : tensor<4x3x1xE> }""",
    "reverse": """(%a: tensor<4x3xE>) -> tensor<4x3xE> {
        %0 = stablehlo.reverse %a, dims = [1] : tensor<4x3xE>
        return %0 : tensor<4x3xE> }""",
    "rng by uniform": """(%a: tensor<E>, %b: tensor<E>) -> tensor<4x3xE> {
        %0 = stablehlo.constant dense<[4, 3]> : tensor<2xi64>
        %1 = stablehlo.rng %a, %b, %0, distribution = UNIFORM
            : (tensor<E>, tensor<E>, tensor<2xi64>) -> tensor<4x3xE>
        return %1 : tensor<4x3xE> }""",
    "rng_bit_generator": """(%a: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xE>) {
        %0, %1 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY
            : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xE>)
        return %0, %1 : tensor<2xui64>, tensor<4x3xE> }""",
    "scatter by add": """(%a: tensor<4x3xE>, %i: tensor<2x1xi32>, %b: tensor<2x3xE>)
            -> tensor<4x3xE> {
        %0 = "stablehlo.scatter"(%a, %i, %b) ({
          ^bb0(%x: tensor<E>, %y: tensor<E>):
            %1 = stablehlo.add %x, %y : tensor<E>
            stablehlo.return %1 : tensor<E>
          }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
            inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>,
            indices_are_sorted = false, unique_indices = false}
            : (tensor<4x3xE>, tensor<2x1xi32>, tensor<2x3xE>) -> tensor<4x3xE>
        return %0 : tensor<4x3xE> }""",
    "select": """(%p: tensor<4xi1>, %a: tensor<4xE>, %b: tensor<4xE>) -> tensor<4xE> {
        %0 = stablehlo.select %p, %a, %b : (tensor<4xi1>, tensor<4xE>, tensor<4xE>) -> tensor<4xE>
        return %0 : tensor<4xE> }""",
    "select_and_scatter": """(%a: tensor<4x6xE>, %b: tensor<4x3xE>, %c: tensor<E>)
            -> tensor<4x6xE> {
        %0 = "stablehlo.select_and_scatter"(%a, %b, %c) ({
          ^bb0(%x: tensor<E>, %y: tensor<E>):
            %1 = stablehlo.compare GE, %x, %y : (tensor<E>, tensor<E>) -> tensor<i1>
            stablehlo.return %1 : tensor<i1>
          }, {
          ^bb0(%x: tensor<E>, %y: tensor<E>):
            %1 = stablehlo.add %x, %y : tensor<E>
            stablehlo.return %1 : tensor<E>
          }) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}
            : (tensor<4x6xE>, tensor<4x3xE>, tensor<E>) -> tensor<4x6xE>
        return %0 : tensor<4x6xE> }""",
    "slice": """(%a: tensor<4x5xE>) -> tensor<4x2xE> {
        %0 = stablehlo.slice %a [0:4, 1:5:2] : (tensor<4x5xE>) -> tensor<4x2xE>
        return %0 : tensor<4x2xE> }""",
    "sort": """(%a: tensor<4x5xE>) -> tensor<4x5xE> {
        %0 = "stablehlo.sort"(%a) ({
          ^bb0(%x: tensor<E>, %y: tensor<E>):
            %1 = stablehlo.compare LT, %x, %y : (tensor<E>, tensor<E>) -> tensor<i1>
            stablehlo.return %1 : tensor<i1>
          }) {dimension = 1 : i64, is_stable = true} : (tensor<4x5xE>) -> tensor<4x5xE>
        return %0 : tensor<4x5xE> }""",
    "transpose": """(%a: tensor<4x5xE>) -> tensor<5x4xE> {
        %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x5xE>) -> tensor<5x4xE>
        return %0 : tensor<5x4xE> }""",
    "uniform_dequantize": """(%a: tensor<4xE>) -> tensor<4xX> {
        %0 = stablehlo.uniform_dequantize %a : (tensor<4xE>) -> tensor<4xX>
        return %0 : tensor<4xX> }""",
    "uniform_quantize": """(%a: tensor<4xX>) -> tensor<4xE> {
        %0 = stablehlo.uniform_quantize %a : (tensor<4xX>) -> tensor<4xE>
        return %0 : tensor<4xE> }""",
}
WIDER: Final = {  # what two elements are the bits of
    **{f"{s}{n}": f"{s}{2 * n}" for s in ("i", "ui") for n in (2, 4, 8, 16, 32)},
    **{name: "bf16" for name in FLOATS if name.startswith("f8")},
    "f32": "f64", "f16": "f32", "bf16": "f32", "f4E2M1FN": "i8",
}  # fmt: skip
PARTS: Final = {"complex<f32>": "f32", "complex<f64>": "f64"}


PAGE: Final = ROOT / "docs" / "requests.md"
EXAMPLES: Final = ROOT / "tests" / "ops"
HEAD: Final = """\
# Operations outside native code

A compiled program is native code, except for the operations on this page. At such an operation,
native code returns to Python with the number of the step (a request). Python computes the operation
by its formula, and native code continues after it. The sections give the reasons.
`python -m tools.requests` writes this page; a test compares it with the compiler.

A program whose sizes depend on data is compiled in parts, each when its sizes are known. If only an
operation itself determines the sizes of its results, such as a loop in which a value grows, it is
interpreted between two parts."""
UNEXPLAINED: Final = "No reason yet"
LIBRARY_CALL: Final = "Library calls"
WORLD: Final = "Operations that ask the host"
PYTHON: Final = "Python functions"
RARE_TYPE: Final = "Functions on rare types"
CONTROL_FLOW: Final = "Regions with control flow"
SIZES: Final = "Sizes that depend on data"
SCALARS: Final = "Scalars and shapes outside tensors"
REASONS: Final[dict[str, str]] = {
    LIBRARY_CALL: "Native code would only call a library: LAPACK, and a library for Fourier"
    " transforms that have several dimensions, long rows, or lengths with a prime factor above 13.",
    WORLD: "Collectives, infeed and outfeed, channels, ids, prints, probes and checks need the"
    " executor that runs the program. `rng` draws from the generator of the run, which is NumPy's.",
    PYTHON: "Custom calls call the function that is registered for their target.",
    RARE_TYPE: "Transcendental functions of `complex<f64>` whose accuracy needs more precision than"
    " the format has.",
    CONTROL_FLOW: "A region with loops, branches or reductions is no formula of single elements.",
    SIZES: "Only the operation itself determines the sizes of its results.",
    SCALARS: "Values that are not numbers, and operations that do not round to nearest.",
}
ORDERING: Final = frozenset({"stablehlo.after_all", "stablehlo.create_token"})  # no step at all
LIBRARY: Final = frozenset({"stablehlo.cholesky", "stablehlo.triangular_solve", "stablehlo.fft"})
OBSERVERS: Final = ("check.", "interpreter.")
OUTSIDE: Final = ("arith.", "mhlo.minimum_broadcast_shapes", "shape.", "tensor.")
RARE: Final = frozenset({"complex<f64>"})


@dataclass(frozen=True, slots=True)
class Fallback:
    """An operation that leaves native code.

    Attributes:
        operation: What it is called; of conversions with both types.
        elements: The element types of the program.
        reason: Why.
    """

    operation: str
    elements: tuple[str, ...]
    reason: str


def programs() -> Iterator[tuple[str, tuple[str, ...], str]]:
    """An operation, element types, and a program that has it; maybe not a valid one."""
    for element in ELEMENTS:
        for name, operation in sorted(OPERATIONS.items()):
            if name.startswith("stablehlo.") and issubclass(operation, Elementwise):
                arity = len(definition_of(operation).operands)
                yield name, (element,), elementwise(name, element, arity)
        for name, template in OTHERS.items():
            yield f"stablehlo.{name}", (element,), filled(template, element)
    plain = [item for item in ELEMENTS if item not in QUANTIZED]
    for source in plain:
        for target in plain:
            text = (
                f"func.func @main(%a: tensor<4x{source}>) -> tensor<4x{target}> {{\n"
                f"  %0 = stablehlo.convert %a : (tensor<4x{source}>) -> tensor<4x{target}>\n"
                f"  return %0 : tensor<4x{target}> }}"
            )
            yield "stablehlo.convert", (source, target), text


def elementwise(name: str, element: str, arity: int) -> str:
    """A program of one elementwise operation."""
    names = ["%a", "%b", "%c"][:arity]
    tensor = f"tensor<4x{element}>"
    part = PARTS.get(element, element) if name == "stablehlo.abs" else element
    result = f"tensor<4x{part}>"
    if name == "stablehlo.complex":
        result = f"tensor<4xcomplex<{element}>>"
    return (
        f"func.func @main({', '.join(f'{name}: {tensor}' for name in names)}) -> {result} {{\n"
        f'  %0 = "{name}"({", ".join(names)}) : ({", ".join([tensor] * arity)}) -> {result}\n'
        f"  return %0 : {result} }}"
    )


def filled(template: str, element: str) -> str:
    """A program for an element type."""
    literal = "[[0, 1, 1, 0], [1, 0, 1, 1]]"
    if element[0] == "f" or element == "bf16":
        literal = "[[1.0, 2.0, 1.0, 2.0], [2.0, 1.0, 2.0, 2.0]]"
    if element.startswith("complex"):
        literal = "[[(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (2.0, 2.0)], "
        literal += "[(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (2.0, 2.0)]]"
    match_ = re.search(r":(b?f\d+)", element)
    words = {
        "E": element,
        "W": WIDER.get(element, element),
        "P": PARTS.get(element, element),
        "X": match_[1] if match_ and element in QUANTIZED else "f32",
        "LITERAL": literal,
    }
    text = re.sub(r"\b(LITERAL)\b|(?<=[x<])([EWPX])(?=>)", lambda m: words[m[0]], template)
    return f"func.func @main{text}"


def left_by(text: str) -> Sequence[tuple[Node, str]] | None:
    """The operations of a program that leave native code, with reasons; None if it is invalid."""
    try:
        module = sm.load(text)
        module.verify(strict=True)
        graph = graph_of(module, "main")
        for node in graph.nodes:
            if isinstance(node.operation, Elementwise):
                node.operation.function()  # some have no meaning
    except StablemateError:
        return None
    return list(requests(graph))


def graph_of(module: sm.Module, entry: str) -> Graph:
    """The graph of a function as it is compiled; nothing that is constant is evaluated before."""
    specialized = SpecializedFunctions(lambda: legalize_module(module.ir), entry)
    options = CompileOptions(simplify=False)
    return Compilation(specialized, specialized.signature, host(), options, Limits()).graph


def requests(graph: Graph) -> Iterator[tuple[Node, str]]:
    """The operations of a graph that become requests, with the reason."""
    for node in graph.nodes:
        kind = kind_of(node)
        is_request = kind == "request" and library_calls(node) is None
        if is_request and node.operation.name not in ORDERING:
            yield node, reason(node)
        elif kind == "control":
            for region in node.regions:
                yield from requests(region)


def reason(node: Node) -> str:
    """Why an operation becomes a request; empty if there is no reason that counts."""
    operation, name = node.operation, node.operation.name
    values = (*node.operands, *node.results)
    if name in LIBRARY or is_library_call(operation):
        return LIBRARY_CALL
    if isinstance(operation, RequestOp) or name.startswith(OBSERVERS):
        return WORLD
    if name == "stablehlo.custom_call":
        return PYTHON
    if name.startswith(OUTSIDE) or any(not isinstance(value.type, TensorType) for value in values):
        return SCALARS
    if any(isinstance(value.type, TensorType) and not value.type.is_static for value in values):
        return SIZES
    if node.regions and not all(map(is_expression, node.regions)):
        return CONTROL_FLOW
    if any(element_of(value) in RARE for value in values):
        return RARE_TYPE
    return ""


def is_library_call(operation: Any) -> bool:
    """Whether this is a custom call of LAPACK."""
    target = operation.attributes.get("call_target_name")
    return target is not None and target.value.startswith("lapack_")


def element_of(tensor: Tensor) -> str:
    """The element type of a tensor, as text."""
    return str(getattr(tensor.type, "element_type", ""))


def all_left() -> Iterator[Fallback]:
    """Every operation that leaves native code, in its own program or in an example."""
    for name, elements, text in programs():
        for _, why in left_by(text) or ():
            yield Fallback(name, elements, why)
    for file in sorted(EXAMPLES.glob("*.mlir")):
        if not file.name.endswith(".invalid.mlir"):
            yield from left_in(sm.load(file))


def left_in(module: sm.Module) -> Iterator[Fallback]:
    """What leaves native code in the public functions of a module."""
    for name, function in module.functions.items():
        if not function.is_public:
            continue
        try:
            items = list(requests(graph_of(module, name)))
        except StablemateError:
            continue  # the interpreter runs all of it
        for node, why in items:
            values = (*node.operands, *node.results)
            elements = dict.fromkeys(item for item in map(element_of, values) if item)
            yield Fallback(node.operation.name, tuple(elements), why)


def page() -> str:
    """The page."""
    by_key: dict[str, dict[str, dict[str, None]]] = {}
    for item in all_left():
        elements = by_key.setdefault(item.reason, {}).setdefault(item.operation, {})
        elements.update(dict.fromkeys(item.elements))
    lines = [HEAD]
    for why in (*(item for item in REASONS if item in by_key), *(by_key.keys() - REASONS)):
        lines += [f"\n## {why or UNEXPLAINED}\n"]
        if why in REASONS:
            lines += [textwrap.fill(REASONS[why], 100), ""]
        lines += ["| operation | element types |", "|---|---|"]
        lines += [row(name, elements) for name, elements in sorted(by_key.get(why, {}).items())]
    return "\n".join(lines) + "\n"


def row(name: str, elements: Iterable[str]) -> str:
    """A row of a table."""
    types = sorted(
        {"quantized" if element.startswith("!quant") else element for element in elements}
    )
    return f"| `{name}` | {', '.join(types)} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write docs/requests.md.")
    parser.add_argument("--check", action="store_true", help="compare only")
    text = page()
    if parser.parse_args().check:
        sys.exit(PAGE.read_text() != text)
    PAGE.write_text(text)
