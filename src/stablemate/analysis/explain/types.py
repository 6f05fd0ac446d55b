"""Pages of types: element types, and types that contain them."""

from __future__ import annotations

from typing import Any, Final

import ml_dtypes
import numpy as np

from stablemate.analysis.explain.operations import SPECIFICATION
from stablemate.analysis.explain.page import DescriptionRow, Explanation, PageSection
from stablemate.numerics.elements import (
    BOOLEAN,
    SIMPLE_ELEMENTS,
    FloatType,
    IndexType,
    IntegerType,
)

# What floats of few bits are for, and what their names say.
FLOATS: Final = {
    "bf16": "The upper half of an f32: its range with 8 bits of precision, for training.",
    "f16": "IEEE half precision: 11 bits of precision, a range up to 65,504.",
    "f32": "IEEE single precision.",
    "f64": "IEEE double precision.",
    "f4E2M1FN": "Four bits, eight magnitudes from 0 to 6; scaled in blocks (MXFP4).",
    "f6E2M3FN": "Six bits, three of them mantissa; scaled in blocks (MXFP6).",
    "f6E3M2FN": "Six bits, two of them mantissa; scaled in blocks (MXFP6).",
    "f8E3M4": "Eight bits by the rules of IEEE, with four bits of mantissa.",
    "f8E4M3": "Eight bits by the rules of IEEE, with three bits of mantissa.",
    "f8E4M3FN": "Eight bits for weights and activations: no infinity, one NaN, so it reaches 448.",
    "f8E4M3FNUZ": "As f8E4M3FN with one zero, whose sign bit alone is the NaN.",
    "f8E4M3B11FNUZ": "As f8E4M3FNUZ with an exponent bias of 11, for smaller numbers.",
    "f8E5M2": "Eight bits by the rules of IEEE with the exponent of an f16, for gradients.",
    "f8E5M2FNUZ": "As f8E5M2 without infinities, with one zero, whose sign bit alone is the NaN.",
    "f8E8M0FNU": "Powers of two from 2^-127 to 2^127 and a NaN: the scale of a block.",
    "f80": "The extended floats of x87; MLIR knows them, StableHLO has none.",
    "f128": "IEEE quadruple precision; MLIR knows it, StableHLO has none.",
    "tf32": "An f32 of which multiplications read 11 bits; no tensor holds it.",
}
UNSTORED: Final = ("f80", "f128", "tf32")  # no tensor of StableHLO holds them
SUFFIXES: Final = {
    "E": "bits of the exponent",
    "M": "bits of the mantissa",
    "F": "finite: no infinities",
    "N": "a NaN that is not one of IEEE's",
    "U": "unsigned zero: there is no -0",
    "Z": "the NaN has the code that -0 would have",
    "B": "bias of the exponent, where it is not the usual one",
}
# What is no element: name, aliases, sentence, rows.
CONCEPTS: Final[tuple[tuple[str, str, str, tuple[DescriptionRow, ...]], ...]] = (
    (
        "tensor", "tensor type ranked tensor static shape",
        "Elements of one type in a grid: tensor<2x3xf32> has two rows of three. tensor<f32> is a "
        "scalar, and a size may be 0.",
        (
            DescriptionRow("tensor<2x3xf32>", "sizes, then the element type"),
            DescriptionRow("tensor<?x3xf32>", "a size that is known when the program runs"),
            DescriptionRow("tensor<?x3xf32, #stablehlo.bounds<8, ?>>", "at most 8"),
        ),
    ),
    (
        "dynamic dimension", "dynamic dimension dynamism ? dynamic shape unbounded",
        "A size that is written ? and known when the program runs. Operands that hold sizes, such "
        "as those of dynamic_reshape, say what it is; stablehlo-refine-shapes replaces it where it "
        "follows from the arguments.",
        (),
    ),
    (
        "bounded dimension", "bounded dimension bounds #stablehlo.bounds type extensions "
        "bounded dynamism #stablehlo.type_extensions",
        "A dynamic dimension of which the largest size is known, written after the type: "
        "tensor<?xf32, #stablehlo.bounds<8>>. Memory can be set aside for it. set_dimension_size "
        "makes one, get_dimension_size reads its size.",
        (DescriptionRow(
            "#stablehlo.bounds<8, ?>", "8 for the first dimension, none for the second"),),
    ),
    (
        "unranked tensor", "unranked tensor tensor<*xf32> unknown rank",
        "A tensor of which not even the number of dimensions is known: tensor<*xf32>. CHLO and "
        "shape have operations for it, StableHLO has none.", (),
    ),
    (
        "!quant.uniform", "quant.uniform quantized quantized type quantization per-tensor "
        "per-axis quantized tensor uniform quantized",
        "An integer that stands for a float: (stored - zero point) * scale. Arithmetic on it is "
        "that of the floats, rounded back; stored values are clamped to their range.",
        (
            DescriptionRow("!quant.uniform<i8:f32, 0.5:3>", "i8 for f32, scale 0.5, zero point 3"),
            DescriptionRow("!quant.uniform<i8<-127:127>:f32, 0.5>", "with a smaller range"),
            DescriptionRow(
                "!quant.uniform<i8:f32:1, {0.5, 0.25}>", "a scale for each slice of dimension 1"),
            DescriptionRow("!quant.uniform<i8:f32:{0:2, 1:4}, {{0.5}}>", "a scale for each block"),
        ),
    ),
    (
        "complex", "complex number complex type complex<f32>",
        "A pair of floats of one type: complex<f32> or complex<f64>; in literals (re,im).", (),
    ),
    (
        "index", "index type",
        "An integer as wide as the machine's addresses, here 64 bits: sizes and positions.", (),
    ),
    (
        "token", "token !stablehlo.token effects order",
        "A value without contents. What takes a token runs after what makes it: so infeed, "
        "outfeed, send, recv and custom calls keep their order.", (),
    ),
    (
        "tuple", "tuple type tuple<tensor<f32>>",
        "Several values as one: tuple<tensor<f32>, tensor<i32>>. Programs from HLO have them at "
        "their borders and at custom calls.", (),
    ),
    (
        "future", "future !stablehlo.future asynchronous",
        "What async_start gives and async_done waits for: tensors that are still being computed.",
        (),
    ),
    (
        "memref", "buffer memref<4xf32>",
        "A buffer that is written in place, in programs with the custom calls CreateBuffer, Pin "
        "and Unpin.", (),
    ),
    (
        "function type", "function type signature",
        "What a function takes and gives: (tensor<2xf32>) -> tensor<f32>.", (),
    ),
    (
        "layout", "layout minor_to_major tiling tile memory space T(8,128) S(1)",
        "How XLA puts an array into memory; StableHLO has none, HLO writes it after the shape: "
        "f32[8,128]{1,0:T(8,128)S(1)}. `explain` takes such a shape and says what each part means.",
        (
            DescriptionRow("{1,0}", "minor to major: dimension 1 changes fastest"),
            DescriptionRow("T(8,128)", "the minor dimensions lie in tiles, padded to whole ones"),
            DescriptionRow("S(1)", "the memory space"),
            DescriptionRow("E(4)", "how many bits an element takes"),
        ),
    ),
    (
        "replica", "replica partition process grid process_id device spmd replica_id partition_id",
        "A program runs as a grid of processes: replicas work on different data, partitions share "
        "the work of one replica. Collective operations name the processes that meet.", (),
    ),
    (
        "sharding", "sharding sdy.sharding mesh #sdy.sharding shardy",
        "How a tensor is cut into pieces over the axes of a mesh of devices; the program itself "
        "speaks of whole tensors. The pass sdy-partition makes the program of one device.", (),
    ),
    (
        "!shape.shape", "shape.shape shape.size shape.witness extent tensor witness",
        "The dialect shape computes with shapes, sizes and witnesses (that a requirement holds); "
        "a shape may also be a tensor of its sizes.", (),
    ),
)  # fmt: skip


def element_page(name: str) -> Explanation | None:
    """The page of an element type; None if it is none."""
    element = FloatType(name) if name in UNSTORED else SIMPLE_ELEMENTS.get(name)
    if element is None or isinstance(element, IndexType):
        return None if element is None else concept_page("index")
    rows = [DescriptionRow("values", "false, true")]
    summary = "A truth value: false or true. Arithmetic on it is that of `and`, `or`, `xor`."
    match element:
        case FloatType():
            summary = FLOATS[name]
            rows = [] if name in UNSTORED else [*float_rows(element), *spell_type(name)]
        case IntegerType() if element != BOOLEAN:
            sign = "without a sign" if element.is_unsigned else "with a sign, in two's complement"
            summary = f"An integer of {element.bits} bits {sign}; arithmetic wraps around."
            ends = ("smallest", element.minimum), ("largest", element.maximum)
            rows = [DescriptionRow(end, f"{value:,}") for end, value in ends]
        case _:
            pass
    if name not in UNSTORED:
        rows.append(DescriptionRow("in NumPy", element.dtype.name))
    sections = (PageSection("Facts", tuple(rows)),) if rows else ()
    return Explanation(
        name, "type", summary, sections, ("tensor", "!quant.uniform"),
        f"{SPECIFICATION}#types",
    )  # fmt: skip


def float_rows(element: FloatType) -> list[DescriptionRow]:
    """The range and precision of a float type."""
    facts: Any = ml_dtypes.finfo(element.dtype)
    infinite = np.isinf(np.array(np.inf, np.float64).astype(element.dtype).astype(np.float64))
    nan = np.isnan(np.array(np.nan, np.float64).astype(element.dtype).astype(np.float64))
    return [
        DescriptionRow("bits", f"{element.bits}, {element.precision} of precision"),
        DescriptionRow("largest", f"{float(facts.max):g}"),
        DescriptionRow("smallest normal", f"{float(facts.smallest_normal):g}"),
        DescriptionRow("smallest", f"{float(facts.smallest_subnormal):g}"),
        DescriptionRow("1 + ... is next", f"{float(facts.eps):g}"),
        DescriptionRow("infinity", "yes" if infinite else "no"),
        DescriptionRow("NaN", "yes" if nan else "no"),
    ]


def spell_type(name: str) -> list[DescriptionRow]:
    """The meaning of the letters in the name of a float type."""
    letters = dict.fromkeys(letter for letter in name if letter in SUFFIXES)
    return [DescriptionRow(letter, SUFFIXES[letter]) for letter in letters]


def concept_page(name: str) -> Explanation | None:
    """The page of what is no element; None if there is none of this name."""
    query = name.lower().strip("`'\" ")
    for title, _, sentence, rows in CONCEPTS:
        if query == title or query.removeprefix("!") == title.removeprefix("!"):
            sections = (PageSection("Forms", rows),) if rows else ()
            return Explanation(title, "type", sentence, sections, (), f"{SPECIFICATION}#types")
    for title, words, *_ in CONCEPTS:
        if query in words.split() or (" " in query and query in words):
            return concept_page(title)
    return None


def names() -> list[str]:
    """The names of all types and concepts."""
    return [*dict.fromkeys((*SIMPLE_ELEMENTS, *UNSTORED)), *(title for title, *_ in CONCEPTS)]
