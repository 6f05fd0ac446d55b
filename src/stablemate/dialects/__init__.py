"""Every operation of every dialect, one section of its specification as a class."""

from typing import Final

from stablemate.ir.dialect import Dialect, register_dialect

HERE: Final = "stablemate.dialects"

for dialect in (
    Dialect(name="arith", upstream_leniency=f"{HERE}.arith.upstream_leniency"),
    Dialect(name="builtin", passes_values=True),
    Dialect(name="chlo", upstream_leniency=f"{HERE}.chlo.upstream_leniency", verifies_form=True),
    Dialect(name="func", passes_values=True),
    Dialect(name="mhlo", upstream_leniency=f"{HERE}.mhlo.upstream_leniency"),
    Dialect(name="mpmd", upstream_leniency=f"{HERE}.parse_only.upstream_leniency"),
    Dialect(
        name="sdy",
        attribute_rules=f"{HERE}.sdy.discardable",
        upstream_leniency=f"{HERE}.sdy.upstream_leniency",
        passes_values=True,
    ),
    Dialect(name="shape", upstream_leniency=f"{HERE}.shape.upstream_leniency", passes_values=True),
    Dialect(
        name="stablehlo",
        upstream_leniency=f"{HERE}.stablehlo.upstream_leniency",
        verifies_form=True,
    ),
    Dialect(name="tensor", passes_values=True),
    Dialect(name="vhlo", upstream_leniency=f"{HERE}.vhlo.upstream_leniency", verifies_form=True),
):
    register_dialect(dialect)
