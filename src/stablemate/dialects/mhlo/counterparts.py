"""The operations of StableHLO and CHLO as which operations of MHLO are read.

Both have the same operands, attributes, regions and results. MHLO writes lists of integers as
literals, and its types and attributes have names of its own.

Source: MHLO dialect, conversions between MHLO and StableHLO.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from stablemate.dialects.stablehlo.dialect import FILES
from stablemate.ir.attributes import FALSE, StringAttribute
from stablemate.ir.types import Attribute

PREFIX: Final = "mhlo."
RANDOM_STATE: Final = "mhlo.xla.rng_get_and_update_state"
FIRST_STATE: Final = 0x7012395  # of the random numbers of a module, as XLA has it
# Operations of other names, or of other dialects.
OF_CHLO: Final = "acos acosh asin asinh atanh cosh erf mulhi ragged_dot scan sinh"
RENAMED: Final = {
    "topk": "chlo.top_k",
    "dynamic-slice": "stablehlo.dynamic_slice",
    "dynamic-update-slice": "stablehlo.dynamic_update_slice",
    "rng_normal": "stablehlo.rng",
    "rng_uniform": "stablehlo.rng",
}
# Attributes that the names of old operations imply.
IMPLIED: Final[Mapping[str, Mapping[str, Attribute]]] = {
    "mhlo.rng_normal": {"rng_distribution": StringAttribute("NORMAL")},
    "mhlo.rng_uniform": {"rng_distribution": StringAttribute("UNIFORM")},
}
# Operations of the same names that are different: those of MHLO call a function.
DIFFERENT: Final = frozenset(["async_start", "async_done", "collective_reduce"])

COUNTERPARTS: Final[Mapping[str, str]] = {
    f"{PREFIX}{name}": counterpart
    for name, counterpart in (
        *((n, f"stablehlo.{n}") for names in FILES.values() for n in names.split()),
        *((name, f"chlo.{name}") for name in OF_CHLO.split()),
        *RENAMED.items(),
    )
    if name not in DIFFERENT
}
# The syntax of operations that MHLO writes in another way than their counterparts.
ASSEMBLIES: Final[Mapping[str, str]] = {
    **{
        f"{PREFIX}{name}": "$operand attr-dict `:` same-type"
        for name in ["acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh"]
    },
    "mhlo.mulhi": "$lhs `,` $rhs attr-dict `:` same-type",
}


# Operations that have a counterpart with some attributes only.
PARTIAL: Final = frozenset(["mhlo.topk", "mhlo.all_to_all"])


def counterpart_of(name: str, attributes: Mapping[str, Attribute]) -> str | None:
    """The operation of StableHLO or CHLO with the meaning of an operation of MHLO, if any.

    ``topk`` of the smallest elements and ``all_to_all`` of one tensor for each process have none.
    """
    match name:
        case "mhlo.topk" if attributes.get("largest") == FALSE:
            return None
        case "mhlo.all_to_all" if "split_dimension" not in attributes:
            return None
        case _:
            return COUNTERPARTS.get(name)
