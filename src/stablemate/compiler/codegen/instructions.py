"""The LLVM IR of each operator of expressions, as a table.

In a row ``{t}`` is the type of the operands, ``{s}`` its suffix in names of intrinsics, ``{b}``
its bits, ``{r}`` the type of the result, ``{q}`` the suffix of that, ``{h}`` the type of the narrow
factors that integers hold, ``{n}`` its suffix, ``{p}`` how products of pairs are called, and
``{0}``, ``{1}``, ``{2}`` are the operands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.compiler.loops.operators import BITS

# Attributes of functions: those of the machine; those of functions for which the code generator
# takes no pains, because all they do is to call others.
USUAL: Final = "#0"
BRIEF: Final = "#1"
NAMES: Final = {"f16": "half", "f32": "float", "f64": "double"}


def type_name(element: str, lanes: int = 1) -> str:
    """LLVM's name of a register type."""
    name = NAMES.get(element, element)
    return name if lanes == 1 else f"<{lanes} x {name}>"


def suffix(element: str, lanes: int = 1) -> str:
    """How intrinsics spell a type."""
    return element if lanes == 1 else f"v{lanes}{element}"


def plain(names: str) -> dict[str, str]:
    """Rows of instructions that are called as we call them."""
    return {name: name + " {t} {0}, {1}" for name in names.split()}


def intrinsics(names: Mapping[str, str], arity: int, tail: str = "") -> dict[str, str]:
    """Rows of intrinsics on operands of one type."""
    operands = ", ".join(f"{{t}} {{{i}}}" for i in range(arity))
    return {
        name: f"call {{t}} @llvm.{called}.{{s}}({operands}{tail})" for name, called in names.items()
    }


def comparisons(instruction: str, names: Mapping[str, str]) -> dict[str, str]:
    """Returns the instruction template of each comparison."""
    return {name: f"{instruction} {called} {{t}} {{0}}, {{1}}" for name, called in names.items()}


ROWS: Final[Mapping[str, str]] = {
    **plain("add sub mul sdiv udiv srem urem and or xor shl lshr ashr fadd fsub fmul fdiv"),
    **intrinsics({"fabs": "fabs", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil"}, 1),
    **intrinsics({"rint": "rint", "round": "round", "popcount": "ctpop"}, 1),
    **intrinsics({"fence": "arithmetic.fence"}, 1),
    **intrinsics({"leading_zeros": "ctlz"}, 1, ", i1 false"),
    **intrinsics({"smin": "smin", "smax": "smax", "umin": "umin", "umax": "umax"}, 2),
    **intrinsics({"minimum": "minimum", "maximum": "maximum", "copysign": "copysign"}, 2),
    **intrinsics({"fma": "fma", "multiply_add": "fmuladd"}, 3),
    **comparisons("icmp", {name: name for name in ("eq", "ne", "slt", "sle", "ult", "ule")}),
    **comparisons("fcmp", {"feq": "oeq", "fne": "une", "flt": "olt", "fle": "ole"}),
    **comparisons("fcmp", {"unordered": "uno"}),
    "fneg": "fneg {t} {0}",
    **{
        name: name + " {t} {0} to {r}"
        for name in ("trunc", "zext", "sext", "sitofp", "uitofp", "fpext", "fptrunc", "bitcast")
    },
    "fptosi": "call {r} @llvm.fptosi.sat.{q}.{s}({t} {0})",
    "fptoui": "call {r} @llvm.fptoui.sat.{q}.{s}({t} {0})",
    "fptosi_in_range": "fptosi {t} {0} to {r}",
    "fptoui_in_range": "fptoui {t} {0} to {r}",
    "nearest_in_range": "call {r} @llvm.lrint.{q}.{s}({t} {0})",
    "table_entry": "call {t} @llvm.x86.avx512.permvar.sf.{b}({t} {0}, <16 x i32> {1})",
    "pair_of_bfloat16": "call {t} @llvm.x86.avx512bf16.dpbf16ps.{b}({t} {0}, {h} {1}, {h} {2})",
    "pair_of_i16": "call {t} @llvm.x86.avx512.vpdpwssd.{b}({t} {0}, {h} {1}, {h} {2})",
    "pair_products_of_i16": "call {t} @llvm.x86.{p}({h} {0}, {h} {1})",
    "quad_of_i8": "call {t} @llvm.x86.avx512.vpdpbusd.{b}({t} {0}, {h} {1}, {h} {2})",
    "quad_of_i8_on_arm": "call {t} @llvm.aarch64.neon.usdot.{s}.{n}({t} {0}, {h} {1}, {h} {2})",
    "quad_of_signed_i8": "call {t} @llvm.aarch64.neon.sdot.{s}.{n}({t} {0}, {h} {1}, {h} {2})",
    "quad_of_unsigned_i8": "call {t} @llvm.aarch64.neon.udot.{s}.{n}({t} {0}, {h} {1}, {h} {2})",
}
# Products of pairs of ``i16``, by the bits of a vector.
PAIR_PRODUCTS: Final[Mapping[int, str]] = {
    128: "sse2.pmadd.wd", 256: "avx2.pmadd.wd", 512: "avx512.pmaddw.d.512",
}  # fmt: skip
# The type ``{h}`` of the narrow factors in an ``i32``, and how many there are.
PACKED: Final[Mapping[str, tuple[str, int]]] = {
    "pair_of_bfloat16": ("bfloat", 2),
    "pair_of_i16": ("i16", 2),
    "pair_products_of_i16": ("i16", 2),
    "quad_of_i8": ("i8", 4),
    "quad_of_i8_on_arm": ("i8", 4),
    "quad_of_signed_i8": ("i8", 4),
    "quad_of_unsigned_i8": ("i8", 4),
}


def literal(bits: int, element: str) -> str:
    """A constant, from its bits; LLVM writes an ``f32`` as the ``f64`` of the same value."""
    if element == "f64":
        return f"0x{bits:016X}"
    if element == "f32":
        return f"0x{widen_float(bits):016X}"
    if element == "i1":
        return "true" if bits else "false"
    return str(bits - ((bits >> (BITS[element] - 1)) << BITS[element]))


def widen_float(bits: int) -> int:
    """The bits of an ``f32`` as those of the ``f64`` of the same value, NaNs with their payload."""
    sign, exponent, fraction = bits >> 31, bits >> 23 & 0xFF, bits & 0x7FFFFF
    if exponent == 0xFF:
        exponent = 0x7FF
    elif exponent:
        exponent += 896
    elif fraction:  # a denormal: shift the leading bit out
        shift = 24 - fraction.bit_length()
        exponent, fraction = 897 - shift, fraction << shift & 0x7FFFFF
    return sign << 63 | exponent << 52 | fraction << 29
