"""Inputs that grow: what is nested deeply, repeated often, or says more than it holds.

``python -m tests.fuzzing.sizes`` reads each at 1 MB and at half of it, in a process with bounded
memory, and prints processor seconds and what came of it; ``--bytes`` and ``--only`` ask for others.
The exit code is 1 if anything but a StablemateError is raised, 1 MB takes more than 5 seconds, or
twice the size takes more than three times as long.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Final, NoReturn

import stablemate as sm
from tests.fuzzing.binary_mutations import VARINT, Field, as_leb, encoded
from tests.fuzzing.child_process import Bounds, forked, guarded, prepare
from tests.fuzzing.survival import LIMITS

MEGABYTE: Final = 1_000_000
SECONDS: Final = 5.0
RATIO: Final = 3.0  # twice the size may take so many times as long
SHORT: Final = 0.3  # seconds, below which a ratio says nothing

Build = Callable[[int], str | bytes]


def nested(opening: str, closing: str, core: str = "", around: str = "{}") -> Build:
    """So many bytes of brackets around a core, in a text around them."""

    def build(size: int) -> str:
        depth = size // len(opening + closing)
        return around.replace("{}", opening * depth + core + closing * depth, 1)

    return build


def listed(
    item: str, separator: str = ", ", around: str = "{}", size_of: int | None = None
) -> Build:
    """So many bytes of items, ``#`` in which is their number, in a text around them."""

    def build(size: int) -> str:
        count = size // (size_of or len(item + separator) + 4)
        text = separator.join(item.replace("#", str(i)) for i in range(count))
        return around.replace("{}", text, 1)

    return build


def chained(first: str, item: str, last: str, step: int | None = None) -> Build:
    """Definitions each of which uses the one before: ``#`` is its number, ``~`` the last one's."""

    def build(size: int) -> str:
        count = size // (step or len(item) + 8)
        lines = (item.replace("#", str(i)).replace("~", str(i - 1)) for i in range(1, count))
        return "\n".join([first, *lines, last.replace("~", str(count - 1))]) + "\n"

    return build


ATTRIBUTE: Final = "module attributes {a = {}} {\n}\n"
BODY: Final = "func.func @main(%a: tensor<f32>) {\n{}\n  return\n}\n"
GENERIC: Final = '"builtin.module"() ({\n{}\n}) : () -> ()\n'
HLO: Final = "HloModule m\n\nENTRY e {\n  p = f32[2] parameter(0)\n{}\n}\n"


def calls(size: int, calls_per_function: int = 1) -> str:
    """Functions each of which calls the next one so often."""
    count = size // (100 * calls_per_function)
    lines = [
        f"func.func private @f{i}(%a: tensor<f32>) -> tensor<f32> {{\n"
        + f"  %0 = call @f{i + 1}(%a) : (tensor<f32>) -> tensor<f32>\n" * calls_per_function
        + "  return %0 : tensor<f32>\n}"
        for i in range(count)
    ]
    if calls_per_function > 1:
        lines = [line.replace("%0 =", "%1 =", 1) for line in lines]
    last = f"func.func private @f{count}(%a: tensor<f32>) -> tensor<f32> {{\n  return %a : tensor<f32>\n}}"
    main = "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = call @f0(%a) : (tensor<f32>) -> tensor<f32>\n  return %0 : tensor<f32>\n}"
    return "\n".join([*lines, last, main]) + "\n"


def whiles(size: int) -> str:
    """Loops in loops."""
    opening = (  # the names of values inside are those outside
        "%0 = stablehlo.while(%x = %a) : tensor<i1> cond { stablehlo.return %x : tensor<i1> } do {\n"
    )
    closing = "stablehlo.return %a : tensor<i1> }\n"
    depth = size // len(opening + closing)
    body = opening.replace("%0", "%b") * depth + closing * depth
    return f"func.func @main(%a: tensor<i1>) {{\n{body}\n  return\n}}\n"


def message(depth: int, number: int, inner: bytes = b"") -> bytes:
    """A message in a message, in time linear in the size."""
    heads: list[bytes] = []
    size = len(inner)
    for _ in range(depth):
        heads.append(as_leb(number << 3 | 2) + as_leb(size))
        size += len(heads[-1])
    return b"".join(reversed(heads)) + inner


def proto(*fields: Field) -> bytes:
    """A module with further fields."""
    module = sm.load(HLO.replace("{}", "  ROOT r = f32[2] negate(p)"))
    assert isinstance(module, sm.HloModule)
    return module.to_proto() + encoded(fields)


SIZES: Final[Mapping[str, tuple[str | None, Build]]] = {
    # MLIR text, nested
    "arrays in arrays": (None, nested("[", "]", around=ATTRIBUTE)),
    "open arrays": (None, nested("[", "", around=ATTRIBUTE)),
    "dictionaries in dictionaries": (None, nested("{a=", "}", "1", ATTRIBUTE)),
    "tuples in tuples": (None, nested("tuple<", ">", "i1", ATTRIBUTE)),
    "functions of functions": (None, nested("(", ") -> ()", "", ATTRIBUTE)),
    "complex of complex": (None, nested("complex<", ">", "f32", ATTRIBUTE)),
    "tensors of tensors": (None, nested("tensor<", ">", "f32", ATTRIBUTE)),
    "vectors of vectors": (None, nested("vector<2x", ">", "f32", ATTRIBUTE)),
    "memory of memory": (None, nested("memref<2x", ">", "f32", ATTRIBUTE)),
    "lists in a literal": (None, nested("[", "]", "1", "module attributes {a = dense<{}> : tensor<1xi8>} {\n}\n")),
    "unknown attributes": (None, nested("#x.y<", ">", "1", ATTRIBUTE)),
    "unknown types": (None, nested("!x.y<", ">", "1", ATTRIBUTE)),
    "brackets of an unknown attribute": (None, nested("[(", ")]", "1", ATTRIBUTE.replace("{}", "#x.y<{}>"))),
    "sums in a map": (None, nested("(", ")", "d0", ATTRIBUTE.replace("{}", "affine_map<(d0) -> ({})>"))),
    "negations in a map": (None, nested("-", "", "d0", ATTRIBUTE.replace("{}", "affine_map<(d0) -> ({})>"))),
    "calls in a location": (None, nested('callsite("a" at ', ")", "unknown", "module {\n} loc({})\n")),
    "names in a location": (None, nested('"a"(', ")", "unknown", "module {\n} loc({})\n")),
    "fused locations": (None, nested("fused[", "]", "unknown", "module {\n} loc({})\n")),
    "modules in modules": (None, nested("module {\n", "}\n")),
    "generic regions": (None, nested('"builtin.module"() ({\n', "}) : () -> ()\n")),
    "open regions": (None, nested('"stablehlo.if"(%a) ({\n', "", around=BODY)),
    "loops in loops": (None, whiles),
    "brackets of nothing": (None, nested("(", "", around="{}\n")),
    "names of a symbol": (None, nested("::@a", "", around=ATTRIBUTE.replace("{}", "@a{}"))),
    # MLIR text, wide
    "many attributes": (None, listed("a# = 1", around="module attributes {{}} {\n}\n")),
    "one attribute again and again": (None, listed("a = 1", around="module attributes {{}} {\n}\n")),
    "many items": (None, listed("1", around=ATTRIBUTE.replace("{}", "[{}]"))),
    "many numbers": (None, listed("1", around=ATTRIBUTE.replace("{}", "array<i64: {}>"))),
    "many elements": (None, listed("1", around=ATTRIBUTE.replace("{}", "dense<[{}]> : tensor<9xi8>"))),
    "many dimensions": (None, listed("1", "x", ATTRIBUTE.replace("{}", "tensor<{}xf32>"), 2)),
    "many unknown dimensions": (None, listed("?", "x", ATTRIBUTE.replace("{}", "tensor<{}xf32>"), 2)),
    "many digits": (None, listed("9", "", ATTRIBUTE, 1)),
    "many digits of a fraction": (None, listed("9", "", ATTRIBUTE.replace("{}", "0.{} : f64"), 1)),
    "many digits of an exponent": (None, listed("9", "", ATTRIBUTE.replace("{}", "1.0e{} : f64"), 1)),
    "many digits of a type": (None, listed("9", "", ATTRIBUTE.replace("{}", "1 : i{}"), 1)),
    "many digits of a dimension": (None, listed("9", "", ATTRIBUTE.replace("{}", "tensor<{}xf32>"), 1)),
    "hexadecimal digits": (None, listed("F", "", ATTRIBUTE.replace("{}", "0x{} : i64"), 1)),
    "a literal in hexadecimal": (None, listed("0F", "", ATTRIBUTE.replace("{}", 'dense<"0x{}"> : tensor<3xi8>'), 2)),
    "a long string": (None, listed("a", "", ATTRIBUTE.replace("{}", '"{}"'), 1)),
    "escapes": (None, listed("\\22", "", ATTRIBUTE.replace("{}", '"{}"'), 3)),
    "backslashes": (None, listed("\\\\", "", ATTRIBUTE.replace("{}", '"{}'), 2)),
    "open strings": (None, listed('"', "\n", "{}", 2)),
    "a long word": (None, listed("a", "", "{}\n ", 1)),
    "words": (None, listed("a", " ", "{}\n", 2)),
    "hashes": (None, listed("#\\x23", " ", "{}\n", 2)),
    "comments": (None, listed("//", "\n", "{}\nmodule {\n}\n", 3)),
    "line breaks": (None, listed("", "\n", "{}\nmodule {\n}\n", 1)),
    "spaces": (None, listed("", " ", "{}\nmodule {\n}\n", 1)),
    "many operations": (None, listed("  %#x = stablehlo.abs %a : tensor<f32>".replace("%#x", "%x#"), "\n", BODY)),
    "many uses": (None, listed("%a", ", ", BODY.replace("{}", '  "func.return"({}) : () -> ()'))),
    "many results": (None, listed("f32", ", ", BODY.replace("{}", '  %0:9 = "func.call"() <{callee = @f}> : () -> ({})'))),
    "many functions": (None, listed("func.func private @f#()", "\n", "{}\n")),
    "one function again and again": (None, listed("func.func private @f()", "\n", "{}\n")),
    "many arguments": (None, listed("%a#: tensor<f32>", ", ", "func.func @main({}) {\n  return\n}\n")),
    "many blocks": (None, listed("^b#:", "\n", BODY)),
    "many regions": (None, listed("{\n}", ", ", BODY.replace("{}", '"stablehlo.case"(%a) ({}) : () -> ()'))),
    "many errors": (None, listed("  %x# = stablehlo.abs %a : tensor<i1>", "\n", BODY)),
    "many unknown values": (None, listed("  %x# = stablehlo.abs %y# : tensor<f32>", "\n", BODY)),
    "many resources": (None, listed('r#: "0x0400000001"', ", ", "module {\n}\n{-#\n dialect_resources: { builtin: { {} } }\n#-}\n")),
    "one large resource": (None, listed("00", "", 'module {\n}\n{-#\n dialect_resources: { builtin: { r: "0x04000000{}" } }\n#-}\n', 2)),
    "many mesh axes": (None, listed('"x#"=2', ", ", "sdy.mesh @m = <[{}]>\n")),
    "many scales": (None, listed("0.5", ", ", ATTRIBUTE.replace("{}", "tensor<4x!quant.uniform<i8:f32:0, {{}}>>"))),
    "a long chain of operations": (None, chained("func.func @main(%x0: tensor<f32>) {", "  %x# = stablehlo.abs %x~ : tensor<f32>", "  return\n}")),
    # what says more than it holds
    "a huge splat": (None, lambda size: ATTRIBUTE.replace("{}", "dense<1> : tensor<99999999999x99999999xf64>")),
    "a huge shape": (None, lambda size: BODY.replace("{}", "  %0 = stablehlo.iota dim = 0 : tensor<99999999999x9xf32>")),
    "a huge mesh": (None, lambda size: 'sdy.mesh @m = <["x"=4294967296, "y"=4294967296]>\n'),
    "a huge sharding": (None, lambda size: 'func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{devices=[4294967296]<=[4294967296]}"}) {\n  return\n}\n'),
    "a huge grid": (None, lambda size: "module attributes {mhlo.num_partitions = 2147483647 : i32, mhlo.num_replicas = 2147483647 : i32} {\nfunc.func @main() {\n  return\n}\n}\n"),
    "a long call chain": (None, calls),
    # HLO text
    "tuples of HLO": ("hlo", nested("(", ")", "f32[]", HLO.replace("{}", "  t = {} parameter(1)"))),
    "open tuples of HLO": ("hlo", nested("(", "", "", HLO.replace("{}", "  t = {}"))),
    "literals of HLO": ("hlo", nested("{", "}", "1", HLO.replace("{}", "  c = f32[1] constant({})"))),
    "configurations of HLO": ("hlo", nested("{", "}", "1", HLO.replace("{}", "  c = f32[2] negate(p), backend_config={}"))),
    "open configurations of HLO": ("hlo", nested("{", "", "1", HLO.replace("{}", "  c = f32[2] negate(p), backend_config={}"))),
    "many instructions": ("hlo", listed("  x# = f32[2] negate(p)", "\n", HLO)),
    "one name of HLO": ("hlo", listed("  x = f32[2] negate(p)", "\n", HLO)),
    "many dimensions of HLO": ("hlo", listed("1", ",", HLO.replace("{}", "  x = f32[{}] parameter(1)"), 2)),
    "many elements of HLO": ("hlo", listed("1", ",", HLO.replace("{}", "  x = f32[2] constant({{}})"), 2)),
    "a huge constant of HLO": ("hlo", lambda size: HLO.replace("{}", "  x = f32[99999999999] constant({...})")),
    "a huge broadcast of HLO": ("hlo", lambda size: HLO.replace("{}", "  c = f32[] constant(1)\n  ROOT x = f32[99999999999] broadcast(c), dimensions={}")),
    "huge groups of HLO": ("hlo", lambda size: HLO.replace("{}", "  ROOT x = f32[2] all-gather(p), dimensions={0}, replica_groups=[1,4294967296]<=[4294967296]")),
    "a huge sharding of HLO": ("hlo", lambda size: HLO.replace("{}", "  ROOT x = f32[2] negate(p), sharding={devices=[4294967296]<=[4294967296]}")),
    "many groups of HLO": ("hlo", listed("{#}", ",", HLO.replace("{}", "  ROOT x = f32[2] all-reduce(p), replica_groups={{}}, to_apply=e"))),
    "many operands of HLO": ("hlo", listed("p", ", ", HLO.replace("{}", "  ROOT x = (f32[2]) tuple({})"), 3)),
    "comments of HLO": ("hlo", listed("/*", "*/", "{}\nHloModule m\n", 4)),
    "open comments of HLO": ("hlo", listed("/*", "", "{}\nHloModule m\n", 2)),
    "strings of HLO": ("hlo", listed("\\042", "", HLO.replace("{}", '  x = f32[2] negate(p), metadata={op_name="{}"}'), 4)),
    "a long sharding of HLO": ("hlo", listed("#", ",", HLO.replace("{}", "  x = f32[2] negate(p), sharding={devices=[9]{}}"))),
    # HLO protos
    "tuples of a proto": ("hlo_proto", lambda size: message(size // 4, 3)),
    "shapes of a proto": ("hlo_proto", lambda size: proto() + message(size // 6, 4)),
    "fields of a proto": ("hlo_proto", lambda size: proto(*[Field(99, VARINT, 1)] * (size // 3))),
    "repeated names of a proto": ("hlo_proto", lambda size: proto(*[Field(1, 2, b"m")] * (size // 3))),
    "computations of a proto": ("hlo_proto", lambda size: proto(*[Field(3, 2, b"")] * (size // 2))),
}  # fmt: skip


def with_chains() -> dict[str, tuple[str | None, Build]]:
    """Aliases that use one another: once each, or twice each."""

    def alias(sigil: str, first: str, item: str, last: str, *, most: int | None = None) -> Build:
        def build(size: int) -> str:
            count = most or size // (len(item) + 10)
            lines = [f"{sigil}a0 = {first}"]
            lines += [
                f"{sigil}a{i} = {item.replace('@', f'{sigil}a{i - 1}')}" for i in range(1, count)
            ]
            return "\n".join([*lines, last.replace("@", f"{sigil}a{count - 1}")]) + "\n"

        return build

    use = "module attributes {a = @} {\n}"
    at = "module {\n} loc(@)"
    return {
        "attribute aliases": (None, alias("#", "1", "[@]", use)),
        "doubled attribute aliases": (None, alias("#", "1", "[@, @]", use, most=60)),
        "doubled dictionaries": (None, alias("#", "1", "{a = @, b = @}", use, most=60)),
        "type aliases": (None, alias("!", "i1", "tuple<@>", use)),
        "doubled type aliases": (None, alias("!", "i1", "tuple<@, @>", use, most=60)),
        "doubled function types": (None, alias("!", "i1", "(@, @) -> @", use, most=60)),
        "location aliases": (None, alias("#", "loc(unknown)", 'loc("a"(@))', at)),
        "doubled location aliases": (
            None, alias("#", "loc(unknown)", "loc(callsite(@ at @))", at, most=60)
        ),
        "tripled location aliases": (
            None, alias("#", "loc(unknown)", "loc(fused[@, @, @])", at, most=60)
        ),
    }  # fmt: skip


ALL: Final = {**SIZES, **with_chains()}


def read(data: str | bytes, number: int, *, format: str | None) -> str:
    """Reads an input, looks it over, and prints it; says what came of it."""
    try:
        module = sm.load(data, limits=LIMITS, format=format)
    except sm.StablemateError as error:
        return f"refused: {error.render().partition(chr(10))[0][:60]}"
    diagnostics_result = module.diagnostics()
    "".join(item.render() for item in diagnostics_result)
    try:
        text = module.to_text(debug_info=True)
    except sm.StablemateError as error:
        return f"not printed: {error.render().partition(chr(10))[0][:60]}"
    return f"{'invalid' if diagnostics_result else 'valid'}, {len(text)} characters"


def main() -> int:
    """Measures what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.sizes")
    parser.add_argument("--bytes", type=int, default=MEGABYTE, help="the larger size")
    parser.add_argument("--only", default="", help="cases whose names hold this")
    arguments = parser.parse_args()
    failed = 0
    for name in ALL:
        if arguments.only in name:
            failed += not measured(name, arguments.bytes)
    return 1 if failed else 0


@cache
def warm() -> None:
    """Imports what reads and prints, once for all cases."""
    for text in (ATTRIBUTE.replace("{}", "1"), HLO.replace("{}", "")):
        read(text, 0, format=None)


def measured(name: str, size: int, short: float = SHORT) -> bool:
    """Measures one case in a process of its own, and prints it; whether it is well."""
    warm()
    sys.stdout.flush()
    with tempfile.TemporaryDirectory(prefix="fuzzing-", ignore_cleanup_errors=True) as directory:
        child = forked()
        if not child:
            work(name, size, short, directory)
        return os.waitpid(child, 0)[1] == 0


def work(name: str, size: int, short: float, directory: str) -> NoReturn:
    """What the process does."""
    gc.freeze()  # what was there before is not looked through
    fdopen_result = os.fdopen(os.dup(1), "w")
    prepare(Bounds(0), directory)
    times: list[float] = []
    outcome = ""
    for part in (size // 2, size):
        format, build = ALL[name]
        data = build(part)
        start = time.process_time()
        outcome, failure = guarded(partial(read, format=format), data, 0, 4 * SECONDS)
        times.append(time.process_time() - start)
        if failure is not None:
            outcome = f"FOUND {failure[0]}"
            break
    grows = len(times) == 2 and times[1] > max(short, RATIO * times[0])
    well = not outcome.startswith("FOUND") and times[-1] <= SECONDS and not grows
    mark = "" if well else "  <<<"
    fdopen_result.write(f"{name:34} {' '.join(f'{t:6.2f}' for t in times)}  {outcome}{mark}\n")
    fdopen_result.flush()
    os._exit(0 if well else 1)


if __name__ == "__main__":
    sys.exit(main())
