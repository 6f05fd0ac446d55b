"""An operation with something changed in its text: its types, attributes, operands, regions, name.

Half of the changes are gentle, so that the outcome may well be valid; the others put in what does
not belong there at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from tests.properties.generation.choices import Choices
from tests.properties.parity.specimens import Specimen

T = TypeVar("T")
Change = Callable[[Choices, Specimen], Specimen | None]

TENSOR: Final = re.compile(
    r"tensor<((?:(?:\d+|\?|\*)x)*)([^<>]*(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>)?[^<>]*)>"
)
NUMBER: Final = re.compile(r"(?<![\w.#%@^])-?\d+(?![\w.])")
LIST: Final = re.compile(r"\[([^\[\]]*)\]|(?<=array<)(i64|i1|i32)(?::[^<>]*)?(?=>)")
TERMINATOR: Final = re.compile(r' *"(?:stablehlo|shape|sdy)\.\w*(?:return|yield)"\(.*\n')
LABEL: Final = re.compile(r"\^bb0\((.*)\):")

ELEMENTS: Final = (
    *("f32", "i32", "i1", "i8", "i64", "ui8", "ui32", "ui64", "f16", "bf16", "f64", "index"),
    *("i2", "i4", "i16", "ui2", "ui4", "ui16", "complex<f32>", "complex<f64>", "f4E2M1FN"),
    *("f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3", "f8E4M3B11FNUZ", "f8E4M3FN", "f8E4M3FNUZ"),
    *("f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU", "tf32", "si32", "si8", "i7", "i128", "f80", "f128"),
    "!quant.uniform<i8:f32, 5.000000e-01>",
    "!quant.uniform<i8:f32, 2.500000e-01:3>",
    "!quant.uniform<u8:f32, 5.000000e-01>",
    "!quant.uniform<ui8:f32, 5.000000e-01>",
    "!quant.uniform<i8<-127:127>:f32, 5.000000e-01>",
    "!quant.uniform<i4:f32, 5.000000e-01>",
    "!quant.uniform<i32:f32, 5.000000e-01>",
    "!quant.uniform<i8:bf16, 5.000000e-01>",
    "!quant.uniform<i8:f32:0, {5.000000e-01,2.500000e-01}>",
    "!quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01,1.000000e+00}>",
    "!quant.uniform<i32:f32:0, {5.000000e-01,2.500000e-01}>",
    "!quant.uniform<i8:f32:0, {5.000000e-01}>",
    "complex<f16>",
    "complex<i32>",
    "!stablehlo.token",
    "!shape.size",
    "none",
    "!foo.bar",
    "vector<2xf32>",
    "tensor<2xf32>",
)
WHOLE_TYPES: Final = (
    *("tensor<f32>", "tensor<i1>", "tensor<i32>", "tensor<2xf32>", "tensor<?xf32>"),
    *("!stablehlo.token", "tuple<tensor<2xf32>>", "tuple<>", "memref<2xf32>", "tensor<*xf32>"),
    *("index", "none", "f32", "i1", "i32", "vector<2xf32>", "!stablehlo.future<tensor<2xf32>>"),
    *("tuple<!stablehlo.token>", "tuple<tensor<2xf32>, tensor<i32>>", "!shape.shape"),
    *("tensor<0xf32>", "tensor<?x?xf32>", "tensor<4xi32>", "tensor<2xi64>", "!foo.bar"),
    *("tensor<?xi32>", "tensor<1xi64>", "tensor<?xf32, #stablehlo.bounds<4>>", "(i32) -> i32"),
    *("!shape.witness", "complex<f32>", "!quant.uniform<i8:f32, 1.0>", "memref<?xf32>"),
)
VALUES: Final = (
    *("0 : i64", "1 : i64", "-1 : i64", "1 : i32", "0", "true", "false", "1 : index", "1.0 : f32"),
    *('"text"', '""', "", "[]", "[1]", "{}", "@specimen", "@nowhere", "tensor<2xf32>", "unit"),
    *("array<i64>", "array<i64: 0>", "array<i64: 1>", "array<i64: 0, 1>", "array<i64: 1, 1>"),
    *("array<i32: 1>", "array<i1: true>", "array<i64: -1>", "array<f32: 1.0>", "array<i1>"),
    *("array<i64: 2, 2>", "array<i64: 1, 1, 1>", "[1, 2]", "[true]", '["a"]', "{a = 1}"),
    *("dense<1> : tensor<i64>", "dense<0> : tensor<1xi64>", "dense<[[0, 1]]> : tensor<1x2xi64>"),
    *("dense<[[0, 1]]> : tensor<1x2xi32>", "dense<[0, 1]> : tensor<2xi64>", "1.0 : f64"),
    *("dense<> : tensor<0x2xi64>", "dense<0> : tensor<1x1xi64>", "dense<1.0> : tensor<2xf32>"),
    *("[[0, 1]]", "1 : ui64", "1 : si64", "100 : i64", "4294967296 : i64", "1 : i8", "2 : i32"),
    *("array<i64: 9223372036854775807>", "9223372036854775807 : i64", "i32", "none", "!foo.bar"),
    *("-9223372036854775808 : i64", "dense<-1> : tensor<1x2xi64>", "dense<> : tensor<0xi64>"),
    "#stablehlo<precision HIGH>",
    "[#stablehlo<precision HIGH>]",
    "[#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]",
    "#stablehlo<comparison_direction EQ>",
    "#stablehlo<comparison_type SIGNED>",
    "#stablehlo<fft_type RFFT>",
    "#stablehlo<rng_algorithm PHILOX>",
    "#stablehlo<rng_distribution NORMAL>",
    "#stablehlo<transpose ADJOINT>",
    "#stablehlo<transpose TRANSPOSE_INVALID>",
    "#stablehlo.channel_handle<handle = 1, type = 1>",
    "#stablehlo.channel_handle<handle = 0, type = 0>",
    "#stablehlo.channel_handle<handle = -1, type = 2>",
    "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>",
    "#stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<DEFAULT>>",
    "#stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
    "#stablehlo.result_accuracy<atol = -1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
    "#stablehlo.bounds<4>",
    "#stablehlo.type_extensions<bounds = [4, ?]>",
    "#stablehlo.dot<>",
    "#stablehlo.gather<>",
    "#stablehlo.scatter<>",
    "#stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>",
    "#foo.bar",
    "#stablehlo.nothing",
    "[@specimen]",
    "[dense<0> : tensor<1xindex>]",
    "[dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]",
    "[#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, "
    "operand_tuple_indices = []>]",
)
# What an attribute of a name may be changed to, beside values of any kind.
NAMED_VALUES: Final[Mapping[str, Sequence[str]]] = {
    "api_version": ("0 : i32", "2 : i32", "3 : i32", "4 : i32", "5 : i32", "-1 : i32", "1 : i64"),
    "backend_config": ('"x"', '""', "{}", "{a = 1 : i64}", "[]", "unit", "1 : i32"),
    "called_computations": ("[]", "[@specimen]", "[@nowhere]", "[@specimen, @specimen]", "[1]"),
    "call_target_name": ('""', '"a b"', '"Sharding"', "@specimen"),
    "has_side_effect": ("true", "false", "unit", "1 : i1"),
    "operand_layouts": ("[]", "[dense<> : tensor<0xindex>]", "[dense<0> : tensor<1xi64>]"),
    "result_layouts": ("[]", "[dense<[0, 1]> : tensor<2xindex>]", '["x"]'),
    "dimension_numbers": ("#stablehlo.gather<>", "#stablehlo.scatter<>", "#stablehlo.dot<>"),
    "replica_groups": (
        "dense<> : tensor<0x0xi64>",
        "dense<-1> : tensor<1x1xi64>",
        "dense<[[0, 0]]> : tensor<1x2xi64>",
        "dense<[0, 1]> : tensor<2xi64>",
        "#stablehlo.replica_group_mesh_axes<mesh = @m, axes = []>",
    ),
    "sharding": ('#sdy.sharding<@m, [{"x"}]>', "#sdy.sharding<@m, []>", '"x"'),
}
NAMES: Final = (
    *("foo", "foo.bar", "stablehlo.foo", "mhlo.sharding", "dimension", "value"),
    *("replica_groups", "channel_handle", "operandSegmentSizes", "result_accuracy", "sym_name"),
    *("use_global_device_ids", "name", "mhlo.frontend_attributes", "precision_config", "a b"),
)
DISCARDABLE: Final = (
    "foo",
    "foo.bar",
    "stablehlo.foo",
    "mhlo.sharding",
    "mhlo.frontend_attributes",
    "sdy.sharding",
    "sdy.sharding_rule",
    "operandSegmentSizes",
    "a b",
)
BODIES: Final = (
    "{\n}",
    "{\n^bb0:\n}",
    "{\n^bb0(%z: tensor<f32>):\n}",
    '{\n  "stablehlo.return"() : () -> ()\n}',
)


# ---- types


def types_of(specimen: Specimen) -> list[str]:
    """The different types of tensors that stand in an operation."""
    texts = [*specimen.types, *specimen.results, *specimen.scope.values(), *specimen.regions]
    return list(dict.fromkeys(m[0] for text in texts for m in TENSOR.finditer(text)))


def with_types(specimen: Specimen, change: Callable[[str], str]) -> Specimen:
    """The operation with every text of types changed."""
    scope = {name: change(text) for name, text in specimen.scope.items()}
    return replace(
        specimen,
        types=[change(value_type) for value_type in specimen.types],
        results=[change(result) for result in specimen.results],
        scope=scope,
        constants={n: t for n, t in specimen.constants.items() if scope[n] == specimen.scope[n]},
        regions=[change(region) for region in specimen.regions],
    )


def changed_type(choices: Choices, old: str) -> str:
    """Another type; much like the old one if that is a ranked tensor."""
    match = TENSOR.fullmatch(old)
    if match is None or choices.chance(15):
        return choices.of(WHOLE_TYPES)
    sizes, rest = match[1].split("x")[:-1], match[2]
    element, _, encoding = rest.partition(", #")
    encoding = f", #{encoding}" if encoding else ""
    kind = choices.below(7)
    if kind == 0 and sizes:
        place = choices.below(len(sizes))
        sizes[place] = choices.of(("?", "1", "2", "0", "3", "4", "*"))
    elif kind == 1:
        sizes.insert(choices.integer(0, len(sizes)), choices.of(("1", "2", "?")))
    elif kind == 2 and sizes:
        sizes.pop(choices.below(len(sizes)))
    elif kind == 3 and sizes:
        sizes[choices.below(len(sizes))] = "?"
    elif kind == 4:
        encoding = choices.of(("", f", #stablehlo.bounds<{bounds(choices, sizes)}>", ", 1 : i32"))
        if "bounds" in encoding and sizes:
            sizes[choices.below(len(sizes))] = "?"
    else:
        element = choices.of(ELEMENTS)
    return f"tensor<{''.join(f'{size}x' for size in sizes)}{element}{encoding}>"


def bounds(choices: Choices, sizes: Sequence[str]) -> str:
    """Bounds that fit mostly."""
    collected = [
        "?" if size != "?" and choices.chance(80) else choices.of("4?20") for size in sizes
    ]
    return ", ".join(collected[:-1] if choices.chance(5) else collected)


def change_one_type(choices: Choices, specimen: Specimen) -> Specimen | None:
    """Another type of one operand, result or block argument."""
    places = [("operand", i) for i in range(len(specimen.types))]
    places += [("result", i) for i in range(len(specimen.results))]
    places += [("region", i) for i in range(len(specimen.regions))]
    if not places:
        return None
    kind, i = choices.of(places)
    if kind == "operand":
        name, new = specimen.operands[i], changed_type(choices, specimen.types[i])
        types = [
            new if n == name else t for n, t in zip(specimen.operands, specimen.types, strict=False)
        ]
        scope = {n: new if n == name else t for n, t in specimen.scope.items()}
        constants = {n: t for n, t in specimen.constants.items() if n != name}
        return replace(specimen, types=types, scope=scope, constants=constants)
    if kind == "result":
        new = changed_type(choices, specimen.results[i])
        return replace(specimen, results=replaced(specimen.results, i, new))
    items = list(TENSOR.finditer(specimen.regions[i]))
    if not items:
        return None
    old = choices.of(items)
    region, new = specimen.regions[i], changed_type(choices, old[0])
    if choices.chance(30):
        text = region[: old.start()] + new + region[old.end() :]
    else:
        text = region.replace(old[0], new)
    return replace(specimen, regions=replaced(specimen.regions, i, text))


def change_a_type_everywhere(choices: Choices, specimen: Specimen) -> Specimen | None:
    """Another type in the place of one, wherever that stands."""
    types = types_of(specimen)
    if not types:
        return None
    old = choices.of(types)
    new = changed_type(choices, old)
    return with_types(specimen, lambda text: text.replace(old, new))


def change_an_element_everywhere(choices: Choices, specimen: Specimen) -> Specimen | None:
    """Another element type in the place of one, wherever that stands."""
    types = [
        match[2] for value_type in types_of(specimen) if (match := TENSOR.fullmatch(value_type))
    ]
    if not types:
        return None
    old = choices.of(types).partition(", #")[0]
    new = choices.of(ELEMENTS)

    def change(text: str) -> str:
        return TENSOR.sub(lambda m: f"tensor<{m[1]}{new if m[2] == old else m[2]}>", text)

    return with_types(specimen, change)


def change_a_size_everywhere(choices: Choices, specimen: Specimen) -> Specimen | None:
    """Another size in the place of one, wherever that stands."""
    sizes = [s for t in types_of(specimen) for s in re.findall(r"(?<=[<x])(\d+|\?)(?=x)", t)]
    if not sizes:
        return None
    old, new = choices.of(sizes), choices.of(("?", "2", "1", "0", "5"))

    def change(text: str) -> str:
        return TENSOR.sub(
            lambda m: f"tensor<{changed_sizes(m[1], old, new)}{m[2]}>",
            text,
        )

    return with_types(specimen, change)


def changed_sizes(sizes: str, old: str, new: str) -> str:
    """``2x3x`` with another size in the place of one."""
    return "".join(f"{new if size == old else size}x" for size in sizes.split("x")[:-1])


def replaced(items: Sequence[T], place: int, item: T) -> list[T]:
    """The items with another one in a place."""
    return [*items[:place], item, *items[place + 1 :]]


# ---- attributes


def change_a_number(choices: Choices, specimen: Specimen) -> Specimen | None:
    """Another number in an attribute."""
    return change_text(choices, specimen, NUMBER, lambda m: changed_number(choices, m[0]))


def changed_number(choices: Choices, old: str) -> str:
    """A number near it, or a special one."""
    if choices.chance(70):
        return str(int(old) + choices.of((1, -1, 2, -2)))
    return choices.of(("0", "1", "-1", "2", "3", "100", "-2", "9223372036854775807", "1.0", "x"))


def change_a_list(choices: Choices, specimen: Specimen) -> Specimen | None:
    """An item more or less in a list, or one twice."""
    return change_text(choices, specimen, LIST, lambda m: changed_list(choices, m[0]))


def changed_list(choices: Choices, old: str) -> str:
    """The text of a list with another length."""
    if old.startswith("["):
        opening, inner, closing = "[", old[1:-1], "]"
    else:
        opening, _, inner = old.partition(":")
        opening, closing = f"{opening}: ", ""
    items = [part.strip() for part in inner.split(",") if part.strip()]
    kind = choices.below(5)
    if kind == 0 or not items:
        items.insert(choices.integer(0, len(items)), items[0] if items else choices.of("012"))
    elif kind == 1:
        items.pop(choices.below(len(items)))
    elif kind == 2:
        items = choices.permutation(items)
    elif kind == 3:
        items = [choices.of(items) for _ in items]
    else:
        items = []
    if not items and not closing:
        return opening[:-2]
    return f"{opening}{', '.join(items)}{closing}"


def change_text(
    choices: Choices,
    specimen: Specimen,
    pattern: re.Pattern[str],
    change: Callable[[re.Match[str]], str],
) -> Specimen | None:
    """One match of the pattern in an attribute changed."""
    value = [
        (i, match)
        for i, (_, text) in enumerate(specimen.attributes)
        for match in pattern.finditer(text)
    ]
    if not value:
        return None
    i, match = choices.of(value)
    name, text = specimen.attributes[i]
    new = text[: match.start()] + change(match) + text[match.end() :]
    return replace(specimen, attributes=replaced(specimen.attributes, i, (name, new)))


def change_an_attribute(choices: Choices, specimen: Specimen) -> Specimen | None:
    """Another value of an attribute."""
    if not specimen.attributes:
        return None
    i = choices.below(len(specimen.attributes))
    name, _ = specimen.attributes[i]
    named = NAMED_VALUES.get(name)
    new = (name, choices.of(named if named and choices.chance(60) else VALUES))
    return replace(specimen, attributes=replaced(specimen.attributes, i, new))


def drop_or_rename_an_attribute(choices: Choices, specimen: Specimen) -> Specimen | None:
    """An attribute less, under another name, or twice."""
    attributes = list(specimen.attributes)
    if not attributes:
        return None
    i, kind = choices.below(len(attributes)), choices.below(4)
    if kind == 0:
        attributes.pop(i)
    elif kind == 1:
        attributes[i] = (quoted(choices.of(NAMES)), attributes[i][1])
    elif kind == 2:
        attributes.append(attributes[i])
    else:
        return replace(
            specimen,
            attributes=[*attributes[:i], *attributes[i + 1 :]],
            discardable=[*specimen.discardable, attributes[i]],
        )
    return replace(specimen, attributes=attributes)


def add_an_attribute(choices: Choices, specimen: Specimen) -> Specimen | None:
    """An attribute more, inherent or not."""
    value = choices.of(VALUES)
    if choices.chance(50) and specimen.attributes:
        name = quoted(choices.of(NAMES))
        return replace(specimen, attributes=[*specimen.attributes, (name, value)])
    name = quoted(choices.of(DISCARDABLE))
    return replace(specimen, discardable=[*specimen.discardable, (name, value)])


def quoted(name: str) -> str:
    """The name of an attribute as it is written."""
    return f'"{name}"' if " " in name else name


# ---- operands, results, regions, name


def change_operands(choices: Choices, specimen: Specimen) -> Specimen | None:
    """An operand more or less, or in another place."""
    pairs = list(zip(specimen.operands, specimen.types, strict=False))
    kind = choices.below(4)
    if kind == 0:
        pairs.append(choices.of([*pairs, ("%new", choices.of(WHOLE_TYPES))]))
    elif not pairs:
        return None
    elif kind == 1:
        pairs.pop(choices.below(len(pairs)))
    elif kind == 2:
        pairs = choices.permutation(pairs)
    else:
        pairs[choices.below(len(pairs))] = choices.of(pairs)
    operands, types = [name for name, _ in pairs], [kind for _, kind in pairs]
    if choices.chance(3):
        types = types[:-1]
    return replace(specimen, operands=operands, types=types)


def change_results(choices: Choices, specimen: Specimen) -> Specimen | None:
    """A result more or less."""
    results, kind = list(specimen.results), choices.below(3)
    if kind == 0 or not results:
        results.append(choices.of([*results, choices.of(WHOLE_TYPES)]))
    elif kind == 1:
        results.pop(choices.below(len(results)))
    else:
        results = choices.permutation(results)
    return replace(specimen, results=results)


def change_regions(choices: Choices, specimen: Specimen) -> Specimen | None:
    """A region more or less, or with another body."""
    regions, kind = list(specimen.regions), choices.below(7)
    if not regions:
        return replace(specimen, regions=[choices.of(BODIES)]) if choices.chance(30) else None
    i = choices.below(len(regions))
    if kind == 0:
        regions.pop(i)
    elif kind == 1:
        regions.append(regions[i])
    elif kind == 2:
        regions[i] = choices.of(BODIES)
    elif kind == 3:
        regions[i] = TERMINATOR.sub("", regions[i], count=choices.below(2))
    elif kind == 4:
        regions[i] = regions[i].replace('"stablehlo.return"', choices.of(OTHER_TERMINATORS))
    elif kind == 5:
        regions[i] = LABEL.sub(lambda m: changed_label(choices, m[1]), regions[i], count=1)
    else:
        regions[i] = TERMINATOR.sub(lambda m: changed_return(choices, m[0]), regions[i])
    return replace(specimen, regions=regions)


OTHER_TERMINATORS: Final = ('"func.return"', '"shape.yield"', '"foo.return"', '"sdy.return"')


def changed_label(choices: Choices, arguments: str) -> str:
    """The label of a block with an argument more, less or in another place."""
    items = re.split(r", (?=%)", arguments)
    kind = choices.below(3)
    if kind == 0:
        items.append(f"%more: {choices.of(WHOLE_TYPES)}")
    elif kind == 1:
        items.pop(choices.below(len(items)))
    else:
        items = choices.permutation(items)
    return f"^bb0({', '.join(items)}):"


def changed_return(choices: Choices, line: str) -> str:
    """A terminator with an operand more or less."""
    match = re.fullmatch(r"(.*)\((.*?)\) : \((.*)\) -> \(\)\n", line)
    if match is None:
        return line
    names, types = match[2].split(", "), re.split(r", (?=tensor|tuple|!stablehlo)", match[3])
    if choices.chance(50):
        names, types = [*names, names[0]], [*types, types[0]]
    else:
        names, types = names[1:], types[1:]
    return f"{match[1]}({', '.join(names)}) : ({', '.join(types)}) -> ()\n"


def change_name(choices: Choices, specimen: Specimen) -> Specimen | None:
    """Another operation with the same parts."""
    return replace(specimen, name=choices.of(OTHER_NAMES))


OTHER_NAMES: Final = (
    *("stablehlo.add", "stablehlo.and", "stablehlo.atan2", "stablehlo.negate", "stablehlo.sine"),
    *("stablehlo.not", "stablehlo.abs", "stablehlo.tuple", "stablehlo.reshape", "stablehlo.if"),
    *("stablehlo.optimization_barrier", "stablehlo.after_all", "stablehlo.convert", "foo.bar"),
    *("stablehlo.map", "stablehlo.case", "stablehlo.while", "stablehlo.sort", "chlo.erf"),
    *("stablehlo.nothing", "stablehlo.bitcast_convert", "stablehlo.is_finite", "func.return"),
    *("stablehlo.return", "stablehlo.popcnt", "stablehlo.shift_left", "stablehlo.real"),
    *("stablehlo.complex", "stablehlo.select", "stablehlo.clamp", "stablehlo.sign"),
    *("stablehlo.dynamic_reshape", "stablehlo.uniform_quantize", "stablehlo.custom_call"),
    *("chlo.broadcast_add", "chlo.next_after", "chlo.top_k", "tensor.cast", "arith.addi"),
)

CHANGES: Final[Sequence[tuple[Change, int]]] = (
    (change_one_type, 6),
    (change_a_type_everywhere, 5),
    (change_an_element_everywhere, 3),
    (change_a_size_everywhere, 3),
    (change_a_number, 6),
    (change_a_list, 4),
    (change_an_attribute, 4),
    (drop_or_rename_an_attribute, 2),
    (add_an_attribute, 2),
    (change_operands, 3),
    (change_results, 1),
    (change_regions, 4),
    (change_name, 1),
)


def changed(choices: Choices, specimen: Specimen) -> Specimen:
    """The operation with one or two things changed."""
    for _ in range(1 + choices.chance(25)):
        for _ in range(5):
            new = choices.weighted(CHANGES)(choices, specimen)
            if new is not None:
                specimen = new
                break
    return specimen
