"""What was found by damaged inputs, cut down: each once ended otherwise than it must.

A row is what went wrong, the reader, and the input. All of them must end in a result or a
StablemateError, and what is read must survive (``survival``).
"""

from __future__ import annotations

import base64
import io
import zipfile
from typing import Final

import stablemate as sm
from tests.fuzzing.binary_mutations import changed_container
from tests.fuzzing.corpus import containers
from tests.properties.generation.choices import Seeded

MANY: Final = "9" * 5000
ADD: Final = """HloModule m

ENTRY e {
  p = f32[4] parameter(0)
  ROOT s = f32[4] add(p, p), metadata={op_name="name"}, frontend_attributes={key="1"}
}
"""
EDGES: Final = """"builtin.module"() ({
  "func.func"() <{arg_attrs = [], function_type = (tensor<8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%a: tensor<8xf32>):
    %0 = "stablehlo.add"(%a, %a) {sdy.propagation_edges =
        #sdy.propagation_edges<[{step-0 = [{"w" = operand-0 -> [result-0]}]}]>}
        : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""
SEGMENTS: Final = """"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8xf32>, tensor<f32>) -> (), sym_name = "main"}> ({
  ^bb0(%a: tensor<8xf32>, %b: tensor<f32>):
    %0:2 = "chlo.scan"(%a, %b) <{dimension = 0 : i64, operandSegmentSizes = @,
        resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%x: tensor<f32>, %c: tensor<f32>):
      "stablehlo.return"(%x, %c) : (tensor<f32>, tensor<f32>) -> ()
    }) : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>, tensor<f32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""
# A rule of sharding, one of whose factors is number -36.
FACTOR: Final = base64.b85decode(
    "O-%1n1#@&^Vr*q?VRU5x0Urqg1qlrS0|^5K0}BNM4FfYB2LTZW8w(2y3lj?m4G$AP6B7>s2Nx3u0)Za`1qBBQ3k4"
    "4i0|gNU69WSe6$KR$0|gTW8xa);At40?7ZU>$0RaI4022in5fKHC2@wMU8wDXD1qA~E0Sg321pyEN2Lw3-0R;mQ0"
    "RsmFB?AQu0|5aC2LTNO0R;g81pomC0|5mA0M8dC3lkj)4-W|y3lU;<X>4?9ZUAO=Zesv*bYWs_WoT?~0CQw{0Bvt"
    "%b!=q-a%FUNa&7=&WMlwlb#7yHX>V>{ba`-P0CRb5Uv6P-WdLnqX>I^>WO*)gXkl_>X>Mm<a&>HF00"
)
DIGITS: Final = (
    "a = 1 : i{}", "a = {} : i8", "a = dense<{}> : tensor<i8>", "a = tensor<{}xf32>",
    "a = 1.0e{} : f32", 'a = #sdy.sharding<@m, [{"x"}p{}]>', "a = affine_map<() -> ({})>",
    "a = !quant.uniform<i8:f32, 0.5:{}>", "a = #stablehlo.bounds<{}>", "a = array<i64: {}>",
    "a = distinct[{}]<>", "a = !quant.uniform<i8<-{}:7>:f32, 0.5>", 'a = loc("a":{}:1)',
)  # fmt: skip
HLO_DIGITS: Final = (
    "f32[{}] parameter(0)", "f32[2]{{}} parameter(0)", "f32[2]{0:T({})} parameter(0)",
    "f32[2] reduce-window(p, p), window={size={}}", "f32[2] pad(p, p), padding={}_0",
    "f32[2] negate(p), sharding={devices=[{}]0}", "f32[2] negate(p), metadata={source_line={}}",
    "f32[2] constant({{}})", "f32[2] all-reduce(p), replica_groups={{{}}}, to_apply=e",
    "(f32[2], u32[], token[]) send(p, p), channel_id={}", "f32[<={}] parameter(1)",
)  # fmt: skip


def hlo_proto(old: bytes, new: bytes) -> bytes:
    """A proto with other bytes of the same length in the place of a name."""
    module = sm.load(ADD)
    assert isinstance(module, sm.HloModule)
    data = module.to_proto()
    assert old in data
    assert len(old) == len(new)
    return data.replace(old, new)


def bytecode(old: bytes, new: bytes) -> bytes:
    """Bytecode with other bytes in the place of a name."""
    text = 'func.func @some_name(%a: tensor<4xf32>) -> tensor<4xf32> {\n  return %a : tensor<4xf32> loc("there")\n}\n'
    data = sm.load(text).to_bytecode()
    assert old in data
    return data.replace(old, new)


def renamed() -> bytes:
    """Bytecode of an infeed, whose attribute is called otherwise."""
    data = sm.load(
        "func.func @main(%t: !stablehlo.token) {\n"
        '  %0:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<i64>, !stablehlo.token)\n'
        "  return\n}\n"
    ).to_bytecode(3)
    assert b"infeed_config" in data
    return data.replace(b"infeed_config", b"infeed_c nfig")


def misnamed() -> bytes:
    """An archive that says of the name of its member that it is UTF-8."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("é.npy", b"")
    return stream.getvalue().replace("é".encode(), b"\xff\xfe")


def text(body: str) -> bytes:
    """A function with a body."""
    return f"func.func @main(%a: tensor<4xf32>) {{\n  {body}\n  return\n}}\n".encode()


def findings() -> list[tuple[str, str, bytes]]:
    """What went wrong, the reader, the input."""
    return [
        *((f"ValueError: digits of {digit}", "text",
           f"module attributes {{{digit.replace('{}', MANY)}}} {{\n}}\n".encode())
          for digit in DIGITS),
        *((f"ValueError: digits of {hlo_digit}", "hlo",
           ADD.replace("  ROOT", f"  x = {hlo_digit.replace('{}', MANY)}\n  ROOT").encode())
          for hlo_digit in HLO_DIGITS),
        ("ValueError: a hexadecimal number that is too long to print", "text",
         f"module attributes {{a = 0x{'F' * 5000} : i64}} {{\n}}\n".encode()),
        ("OverflowError: a size of 64 bits", "text",
         text("%0 = shape.const_shape [9223372036854775808] : tensor<1xindex>")),
        ("OverflowError: a number of ulps of more than 64 bits", "text",
         text(f"check.expect_close %a, %a, max_ulp_difference = 0x{'F' * 19} : tensor<4xf32>, tensor<4xf32>")),
        ("KeyError: a value of a module, used in the module", "text",
         b"%0 = stablehlo.constant dense<1.0> : tensor<f32>\n%1 = stablehlo.abs %0 : tensor<f32>\n"),
        ("UnicodeEncodeError: half a character in a string", "text",
         'module attributes {a = "\ud800"} {\n}\n'.encode("utf-8", "surrogatepass")),
        ("UserWarning: the key of a program whose name is no UTF-8", "bytecode",
         bytecode(b"some_name", b"some\xffname")),
        ("UnicodeEncodeError: a location that is no UTF-8, in HLO", "bytecode",
         bytecode(b"there", b"the\xf4e")),
        ("ParseError: a name that text does not allow", "proto", hlo_proto(b"\x01s", b"\x01,")),
        ("ParseError: a name of a computation with a line break", "proto",
         hlo_proto(b"\x01e", b"\x01\n")),
        ("ParseError: a module without a name", "proto", hlo_proto(b"\n\x01m", b"z\x01m")),
        ("ParseError: a key that text does not allow", "proto", hlo_proto(b"key", b"k y")),
        ("Changed: empty attributes of arguments", "container",
         changed_container(Seeded("0:21"), containers()[0], containers())),
        ("no end: a latency with a large exponent", "arguments",
         b"cost\na.mlir\n--network=1e99999999us:2GB/s\n--grid=2x4"),
        ("Changed: a channel that is not positive, in a proto", "hlo",
         ADD.replace("add(p, p)", "all-gather(p), dimensions={0}, channel_id=-1").encode()),
        ("Changed: a default that bytecode leaves out", "bytecode",
         renamed()),
        ("UnicodeDecodeError: the name of a member that is no UTF-8", "arrays", misnamed()),
        ("IndexError: edges of propagation where attributes of arguments are missing", "generic",
         EDGES.encode()),
        ("IndexError: a factor with a negative number", "bytecode", FACTOR),
        *((f"TypeError: sizes of segments that are {sizes}", "generic",
           SEGMENTS.replace("@", sizes).encode())
          for sizes in ("{a = 1 : i32}", "array<f32: 1.0, 1.0>",
                        "sparse<[[0]], [1]> : tensor<2xi32>")),
        ("RecursionError: types in types", "text",
         f"module attributes {{a = {'tensor<' * 5000}}} {{\n}}\n".encode()),
        ("RecursionError: types of dialects in types", "text",
         f"module attributes {{a = {'!stablehlo.future<' * 5000}}} {{\n}}\n".encode()),
        *(("no end: an alias that stands for more than there is room for", "text",
           doubled(sigil, first, item, last))
          for sigil, first, item, last in (
            ("#", "1", "[@, @]", "module attributes {a = @} {\n}"),
            ("!", "i1", "tuple<@, @>", "module attributes {a = @} {\n}"),
            ("!", "i1", "(@) -> @", "module attributes {a = @} {\n}"),
            ("#", "loc(unknown)", "loc(callsite(@ at @))", "module {\n} loc(@)"),
          )),
        *(("RecursionError: a chain of aliases", "text", doubled(sigil, first, item, last, 2000))
          for sigil, first, item, last in (
            ("#", "1", "[@]", "module attributes {a = @} {\n}"),
            ("!", "i1", "tuple<@>", "module attributes {a = @} {\n}"),
            ("#", "loc(unknown)", 'loc("a"(@))', "module {\n} loc(@)"),
          )),
    ]  # fmt: skip


def doubled(sigil: str, first: str, repeated: str, last: str, count: int = 60) -> bytes:
    """Aliases each of which uses the one before."""
    lines = [f"{sigil}a0 = {first}"]
    lines += [f"{sigil}a{i} = {repeated.replace('@', f'{sigil}a{i - 1}')}" for i in range(1, count)]
    return "\n".join([*lines, last.replace("@", f"{sigil}a{count - 1}"), ""]).encode()
