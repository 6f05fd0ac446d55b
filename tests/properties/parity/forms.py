"""Texts from the grammar of MLIR: attributes, types, locations, aliases, modules, resources.

Most are valid. Some parts are not: a size too many, an alias before its definition, a name twice.

Source: MLIR language reference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from tests.properties.generation.choices import Choices

Part = Callable[[Choices, int], str]

DEEPEST: Final = 3
INTEGERS: Final = ("i1", "i8", "i32", "i64", "ui8", "si8", "ui64", "i17", "index", "i4", "i128")
SIGNED: Final = ("i8", "i32", "i64", "si8", "index", "i128", "si32")
FLOATS: Final = ("f32", "f64", "bf16", "f16", "f8E4M3FN", "f8E5M2", "tf32", "f80", "f4E2M1FN")
# Texts that are valid, and what is tried now and then in their place.
NUMBERS: Final = ("0", "1", "-1", "42", "0x1F", "- 3", "01", "100", "-100")
ODD_NUMBERS: Final = (
    *("255", "-128", "4294967295", "9223372036854775807", "0xFFFFFFFFFFFFFFFF", "256", "1.0"),
    *("-9223372036854775808", "18446744073709551615", "-129", "+1", "2147483648"),
)
REALS: Final = ("1.0", "-1.5", "1.e5", "1.0E-3", "3.14159274", "0.1", "-0.0", "2.")
ODD_REALS: Final = (
    *("0x7FC00000", "0x7F800000", "1e5", "1.0e400", "0xFF", "1.0e-50", "0x7FF8000000000000"),
    *(".5", "0x1p3", "1", "inf", "nan", "0x7F", "0x7E00", "-0x1"),
)
STRINGS: Final = ('"a"', '""', '"a b"', r'"\22\5C"', r'"\0A\t\n"', '"é"', r'"\E9"', '"//"', '"#-}"')
ODD_STRINGS: Final = (r'"\q"', '"a\tb"', r'"\\"', r'"\00"', r'"\0"')
NAMES: Final = ("k.v", '"k.w"', '"a b.c"', "jax.x", "k.v.w", "k._1", '"1.k"', '"k.\\22"')
ODD_NAMES: Final = ("bare", '""', "1k", "stablehlo.x", "func.x", "mhlo.sharding")
SYMBOLS: Final = ("@f", '@"a b"', "@f::@g", '@f::@"x y"::@h', "@a.b", "@_x", "@a$b")
ODD_SYMBOLS: Final = ("@1", "@f::g", "@f:: @g", '@"\\22"')
MAPS: Final = (
    "affine_map<(d0) -> (d0)>",
    "affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, d1 floordiv 3)>",
    "affine_map<() -> ()>",
    "affine_map<(d0) -> (d0 mod 4, -d0 ceildiv 2)>",
    "affine_set<(d0) : (d0 - 1 >= 0, d0 == 0)>",
    "affine_map<(i, j) -> (j, i)>",
    "strided<[1, ?], offset: ?>",
    "strided<[], offset: 3>",
    "strided<[4, 1]>",
)
DIALECT_ATTRIBUTES: Final = (
    "#stablehlo.bounds<2, ?>",
    "#stablehlo.type_extensions<bounds = [2, ?]>",
    "#stablehlo<precision HIGHEST>",
    "#stablehlo.channel_handle<handle = 1, type = 0>",
    "#stablehlo.gather<offset_dims = [0], index_vector_dim = 1>",
    "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0],>",
    "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>",
    '#sdy.sharding<@m, [{"x"}, {?}]>',
    '#sdy.sharding<@m, [{"x":(1)2, ?}p1], replicated={"y"}>',
    "#sdy.sharding_per_value<[<@m, [{}]>]>",
    '#sdy.mesh<["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>',
    "#sdy.mesh<[]>",
    "#sdy.sharding_rule<([i, j])->([i]) {i=2, j=3}>",
    '#sdy<manual_axes{"x"}>',
    "#chlo<comparison_type FLOAT>",
    "#chlo.ragged_dot<lhs_ragged_dimensions = [0]>",
    "#arith.fastmath<nnan,ninf>",
    "#arith.overflow<nsw, nuw>",
    "#complex.number<:f32 1.0, 2.0> : complex<f32>",
)
ODD_ATTRIBUTES: Final = (
    *("#mhlo.sharding", "#vhlo.integer_v1<1 : i32>", "#foo.bar", "#stablehlo.conv<raw>", "#l"),
    *("#sdy.sharding<@m>", "#stablehlo<precision HIGHER>", "#chlo<x>", "#builtin.x", "#a.b.c"),
    *("affine_map<(d0) -> (d1)>", "strided<[1], offset: >", "#arith.fastmath<all>", "#undefined"),
)
ENCODINGS: Final = (
    ", #stablehlo.bounds<4>",
    ", #stablehlo.type_extensions<bounds = [4]>",
    ", 1 : i32",
    ', "x"',
    ", {a = 1}",
    ", #stablehlo.bounds<?>",
)
QUANTIZED: Final = (
    "!quant.uniform<i8:f32, 0.5>",
    "!quant.uniform<i8:f32, 0.5:3>",
    "!quant.uniform<u8:f32, 1.0e-2:128>",
    "!quant.uniform<i8<-127:127>:f32:0, {0.5, 0.25:1}>",
    "!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25}}>",
    "!quant.any<i8:f32>",
    "!quant.calibrated<f32<-1.0:1.0>>",
)
OTHER_TYPES: Final = (
    *("none", "!stablehlo.token", "!stablehlo.future<tensor<2xf32>>", "!shape.shape"),
    *("!shape.witness", "!vhlo.f32_v1", "!vhlo.tensor_v1<2x!vhlo.f32_v1>"),
    *("memref<*xf32>", "memref<2x?xf32, strided<[?, 1], offset: ?>, 3>", "memref<2xf32, 1 : i64>"),
    *("memref<2x3xf32, affine_map<(d0, d1) -> (d1, d0)>>", 'memref<2xf32, "x">', "!llvm.ptr"),
    *("vector<2x[4]xf32>", "vector<f32>", "tensor<*xf32>"),
)
ODD_TYPES: Final = (
    *("vector<0xf32>", "!sdy.x", "!mhlo.x", "tensor<2x>", "tensor<f32x2>", "!stablehlo.future<>"),
    *("tuple<i32,>", "memref<2xf32, 1.0>", "vector<?xf32>", "complex<index>", "i0", "!foo.bar"),
    *("memref<2xf32, strided<[1, 2]>>", "i16777216", "tensor<-1xf32>", "!mhlo.token", "f32x"),
)


def pick(choices: Choices, usual: Sequence[str], odd: Sequence[str]) -> str:
    """A text of the first list, sometimes one of the second."""
    return choices.of(odd if choices.chance(4) else usual)


# ---- types


def value_type(choices: Choices, depth: int) -> str:
    """A type."""
    if depth >= DEEPEST or choices.chance(25):
        return choices.of((*INTEGERS, *FLOATS))
    return choices.of(TYPES)(choices, depth + 1)


def tensor_type(choices: Choices, depth: int) -> str:
    """A tensor, mostly ranked and of numbers."""
    sizes = [choices.of(("2", "?", "0", "1", "10", "0x")) for _ in range(choices.below(4))]
    element = choices.of((*INTEGERS, *FLOATS, *QUANTIZED, "complex<f32>"))
    if choices.chance(10):
        element = value_type(choices, depth)
    encoding = choices.of(ENCODINGS) if choices.chance(15) else ""
    dimensions = "".join(f"{size}x" if size != "0x" else "0x" for size in sizes)
    space = " " if choices.chance(10) else ""
    return f"tensor<{space}{dimensions}{element}{encoding}{space}>"


def compound_type(choices: Choices, depth: int) -> str:
    """A type of types."""
    parts = [value_type(choices, depth) for _ in range(choices.below(4))]
    inside = ", ".join(parts)
    results = [value_type(choices, depth) for _ in range(choices.below(3))]
    return choices.of(
        (
            f"tuple<{inside}>",
            f"({inside}) -> ({', '.join(results)})",
            f"() -> {value_type(choices, depth)}",
            f"complex<{parts[0] if parts else 'f32'}>",
            f"vector<2x{parts[0] if parts else 'f32'}>",
            f"memref<2x{parts[0] if parts else 'f32'}>",
            f"tensor<2x{parts[0] if parts else 'f32'}>",
        )
    )


def other_type(choices: Choices, _: int) -> str:
    """A type from the lists."""
    return pick(choices, (*OTHER_TYPES, *QUANTIZED), ODD_TYPES)


TYPES: Final[Sequence[Part]] = (tensor_type, tensor_type, compound_type, other_type)


# ---- attributes


def attribute(choices: Choices, depth: int = 0) -> str:
    """An attribute."""
    if depth >= DEEPEST:
        return choices.of((*NUMBERS, *STRINGS, "unit", "true"))
    return choices.of(ATTRIBUTES)(choices, depth + 1)


def number(choices: Choices, _: int) -> str:
    """A number, with a type or without."""
    if choices.chance(50):
        text, types = pick(choices, REALS, ODD_REALS), FLOATS
    else:
        text, types = pick(choices, NUMBERS, ODD_NUMBERS), SIGNED
    return text if choices.chance(30) else f"{text} : {pick(choices, types, INTEGERS)}"


def word(choices: Choices, _: int) -> str:
    """A word, a string, a symbol, a map or an attribute of a dialect."""
    lists = (
        (("unit", "true", "false"), ("unknown", "none")),
        (STRINGS, ODD_STRINGS),
        (SYMBOLS, ODD_SYMBOLS),
        (MAPS, ODD_ATTRIBUTES),
        (DIALECT_ATTRIBUTES, ODD_ATTRIBUTES),
    )
    text = pick(choices, *choices.of(lists))
    if text.startswith('"') and choices.chance(15):
        return f"{text} : {choices.of(('i32', 'none', 'tensor<2xf32>', '!foo.bar'))}"
    return text


def collection(choices: Choices, depth: int) -> str:
    """A list or a dictionary."""
    items = [attribute(choices, depth) for _ in range(choices.below(4))]
    if choices.chance(50):
        return f"[{', '.join(items)}]"
    keys = ["a", '"b c"', "d", "a" if choices.chance(3) else "e"]
    entries = [
        key if choices.chance(15) else f"{key} = {item}"
        for key, item in zip(keys, items, strict=False)
    ]
    return f"{{{', '.join(entries)}}}"


def type_attribute(choices: Choices, depth: int) -> str:
    """A type as an attribute."""
    return value_type(choices, depth)


def array(choices: Choices, _: int) -> str:
    """A dense array."""
    usual = ("i1", "i8", "i16", "i32", "i64", "f32", "f64", "bf16")
    element = pick(choices, usual, ("ui8", "index", "si8", "i4", "f8E5M2", "complex<f32>"))
    if element == "i1":
        pools = (("true", "false"), ("1", "0"))
    elif element[0] in "fb":
        pools = (REALS, ODD_REALS)
    else:
        pools = (NUMBERS, ODD_NUMBERS)
    items = [pick(choices, *pools) for _ in range(choices.below(4))]
    return f"array<{element}{': ' if items else ''}{', '.join(items)}>"


def elements(choices: Choices, _: int) -> str:
    """A dense literal of numbers, words, strings or hexadecimal data."""
    usual, odd, element = choices.of(LITERALS)
    items = [pick(choices, usual, odd) for _ in range(choices.of((0, 1, 2, 3)))]
    return in_shape(choices, items, pick(choices, [element], ("i8", "f32", "!foo.s", "i1")))


LITERALS: Final = (
    (("true", "false", "1", "0"), ("2", "-1"), "i1"),
    (("(1.0, 2.0)", "(0x7FC00000, -1.5)"), ("(1, 2)", "1.0"), "complex<f32>"),
    (("(1, 2)", "(-1, 0x3)"), ("3", "(1.0, 2.0)"), "complex<i32>"),
    (("1", "-3", "0x7"), ("8", "-9"), "index"),
    (("1", "-3", "0x7"), ("15", "16", "-9"), "i4"),
    (("1", "3", "0x7"), ("-1", "16"), "ui4"),
    *((NUMBERS, ODD_NUMBERS, element) for element in ("i8", "i32", "i64", "i17", "i128")),
    *((REALS, ODD_REALS, element) for element in FLOATS),
)


def in_shape(choices: Choices, items: Sequence[str], element: str) -> str:
    """Items as a splat, a list, nested lists or data."""
    count, container = len(items), choices.of(("tensor", "tensor", "tensor", "vector"))
    form = choices.below(6)
    if form == 0:
        return f"dense<{items[0] if items else ''}> : {container}<2x{element}>"
    if form == 1:
        rows = ", ".join(f"[{item}]" for item in items)
        return f"dense<[{rows}]> : {container}<{count}x1x{element}>"
    if form == 2:
        digits = choices.of(
            ("", "00", "0000803F", "0000803F00000040", "01000000", "0G", "FFFFFFFF")
        )
        return f'dense<"0x{digits}"> : {container}<{choices.of("12")}x{element}>'
    if form == 3:
        places = choices.of(("0", "[[0]]", "[0, 1]", "[[0, 1]]", "[]", ""))
        inside = f"{places}, {items[0]}" if items and places else ""
        return f"sparse<{inside}> : tensor<{choices.of(('3', '2x3', '0', ''))}x{element}>".replace(
            "<x", "<"
        )
    size = count + choices.chance(5)
    return f"dense<[{', '.join(items)}]> : {container}<{size}x{element}>"


def rare(choices: Choices, depth: int) -> str:
    """A distinct attribute, a resource or a location."""
    key = choices.of(("w", "u", '"a b"', "none"))
    return choices.of(
        (
            f"distinct[{choices.below(3)}]<{attribute(choices, depth)}>",
            "distinct[0]<>",
            "distinct[1]<unit>",
            f"dense_resource<{key}> : tensor<1xf32>",
            f"loc({location(choices, depth)})",
        )
    )


ATTRIBUTES: Final[Sequence[Part]] = (
    number,
    number,
    word,
    word,
    collection,
    collection,
    type_attribute,
    array,
    elements,
    elements,
    rare,
)


# ---- locations


def location(choices: Choices, depth: int) -> str:
    """What stands in ``loc(...)``."""
    if depth >= DEEPEST:
        return choices.of(('"a.py":1:2', "unknown", '"n"', "#l"))
    inner = [location(choices, depth + 1) for _ in range(choices.integer(1, 3))]
    metadata = f"<{attribute(choices, depth + 1)}>" if choices.chance(40) else ""
    return choices.of(
        (
            "unknown",
            f'"f.py":{choices.below(9)}:{choices.below(9)}',
            '"f.py":3:4 to :9',
            '"f.py":3:4 to 5:6',
            '"f.py":3',
            f'"name"({inner[0]})',
            '"name"',
            f"callsite({inner[0]} at {inner[-1]})",
            f"fused{metadata}[{', '.join(inner)}]",
            "fused[]",
            "#l",
        )
    )


# ---- modules

BODIES: Final = (
    "return",
    "func.return",
    '"func.return"() : () -> ()',
    "return loc(#l)",
    '%0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32> return',
    "// a comment\n    return // another",
)
COMMENTS: Final = ("", "", "", "// text\n", " // {-# \n")


def module(choices: Choices) -> str:
    """A module: aliases, functions, modules and resources."""
    inside = [function(choices, f"f{i}") for i in range(choices.integer(1, 2))]
    if choices.chance(15):
        name = choices.of(("", "@g", '@"x y"'))
        inside.append(f"module {name} {{\n{function(choices, 'h')}}}\n")
    if choices.chance(10):
        inside.append('sdy.mesh @m = <["x"=2, "y"=4]>\n')
    aliases = [f"#a = {attribute(choices)}\n", f"!t = {value_type(choices, 1)}\n"]
    aliases = [alias for alias in aliases if choices.chance(85)]
    locations = f"#l = loc({location(choices, 2)})\n"
    body = "".join(inside)
    if choices.chance(50):
        name = choices.of(("", " @m0", ' @"a b"', ' @"é"'))
        attributes = f" attributes {dictionary(choices)}" if choices.chance(60) else ""
        body = f"module{name}{attributes} {{\n{body}}}{trailing_location(choices)}\n"
    parts = [*aliases, body, locations]
    if choices.chance(3):
        parts = choices.permutation(parts)
    text = choices.of(COMMENTS).join(parts)
    return text + (resources(choices) if choices.chance(20) else "")


def function(choices: Choices, name: str) -> str:
    """A function: visibility, arguments, results and attributes."""
    visibility = choices.of(("", "", "", "private ", "public ", "nested "))
    arguments = [
        f"%a{i}: {argument_type(choices)}{argument_attributes(choices)}{trailing_location(choices)}"
        for i in range(choices.below(3))
    ]
    attributes = f" attributes {dictionary(choices)}" if choices.chance(50) else ""
    if choices.chance(25):
        results = f" -> {value_type(choices, 1)}" if choices.chance(50) else ""
        types = ", ".join(argument.partition(": ")[2] for argument in arguments)
        head = f"func.func private @{name}({types}){results}{attributes}"
        return f"{head}{trailing_location(choices)}\n"
    head = f"func.func {visibility}@{name}({', '.join(arguments)}){attributes}"
    return f"{head} {{\n    {choices.of(BODIES)}\n}}{trailing_location(choices)}\n"


def argument_type(choices: Choices) -> str:
    """The type of an argument."""
    return "!t" if choices.chance(7) else value_type(choices, 1)


def argument_attributes(choices: Choices) -> str:
    """The attributes of an argument, often none."""
    return f" {dictionary(choices)}" if choices.chance(30) else ""


def dictionary(choices: Choices) -> str:
    """A dictionary of discardable attributes."""
    names = dict.fromkeys(pick(choices, NAMES, ODD_NAMES) for _ in range(choices.integer(0, 2)))
    values = ["#a" if choices.chance(7) else attribute(choices) for _ in names]
    return f"{{{', '.join(f'{n} = {v}' for n, v in zip(names, values, strict=True))}}}"


def trailing_location(choices: Choices) -> str:
    """`` loc(...)``, often none."""
    return f" loc({location(choices, 1)})" if choices.chance(20) else ""


def resources(choices: Choices) -> str:
    """A resource section."""
    blob = choices.of(
        ('"0x040000000000803F"', '"0x04"', '"0x"', '"w"', "1", '"0x08000000AB"', '"0x0400000G"')
    )
    key = choices.of(("w", '"a b"', "u", "2w"))
    external = choices.of(("k: true", 'k: "s", l: "0x0400000001"', "", "k: 1"))
    sections = [
        f"dialect_resources: {{ builtin: {{ {key}: {blob} }} }}",
        f"external_resources: {{ x: {{ {external} }} }}",
    ]
    chosen = sections if choices.chance(30) else [choices.of(sections)]
    return f"\n{{-#\n  {', '.join(chosen)}\n#-}}\n"
