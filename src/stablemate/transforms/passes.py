"""The passes by the names people know: one table, a row each.

A pass is a function from a module to a module, or a table of patterns. It is imported when it is
first run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final, Literal, cast

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.errors import ArgumentValueError
from stablemate.ir.core import Module
from stablemate.ir.rewriter import Pattern, rewrite_module

Kind = Literal["flag", "number", "text", "names", "types", "version"]


@dataclass(frozen=True, slots=True)
class PassOption:
    """An option of a pass.

    Attributes:
        name: As it is written, with hyphens.
        kind: What is written after the ``=``.
        meaning: What it does.
        required: Whether the pass needs it.
    """

    name: str
    kind: Kind
    meaning: str
    required: bool = False

    @property
    def parameter(self) -> str:
        """The name of the function's parameter."""
        return self.name.replace("-", "_")


@dataclass(frozen=True, slots=True)
class Pass:
    """A row of the table.

    Attributes:
        name: As people write it after ``--``.
        home: Where its function is, or its table of patterns: ``module:name``.
        sentence: What it does.
        options: Its options.
        aliases: Other names for it.
    """

    name: str
    home: str
    sentence: str
    options: tuple[PassOption, ...] = ()
    aliases: tuple[str, ...] = ()

    def function(self) -> Callable[..., Module]:
        """The function that transforms a module, with the options as keyword arguments."""
        file, _, name = self.home.partition(":")
        definition: Any = getattr(import_module(f"stablemate.transforms.{file}"), name)
        if not isinstance(definition, Mapping):
            function: Callable[..., Module] = definition
            return function
        patterns = cast("Mapping[str, Pattern]", definition)

        def rewrite(module: Module) -> Module:
            return rewrite_module(module, patterns)

        return rewrite


LIMIT: Final = PassOption(
    "fold-op-element-limit", "number", "no result of more elements becomes a constant"
)

TABLE: Final = (
    Pass(
        "canonicalize",
        "canonicalize:canonicalize",
        "Removes what nobody uses, and operations that give back an operand.",
    ),
    Pass(
        "chlo-legalize-to-stablehlo",
        "chlo_legalize_to_stablehlo:PATTERNS",
        "Writes every operation of CHLO in operations of StableHLO.",
    ),
    Pass(
        "chlo-recompose-ops",
        "chlo_recompose_ops:PATTERNS",
        "Turns calls and composites that stand for operations of CHLO into these operations.",
        aliases=("stablehlo-ext-chlo-recompose-ops",),
    ),
    Pass("cse", "cse:cse", "Computes once what is computed twice."),
    Pass(
        "hlo-legalize-to-stablehlo",
        "hlo_legalize_to_stablehlo:legalize",
        "Writes operations of MHLO that have no counterpart in what they compute in StableHLO.",
    ),
    Pass(
        "inline",
        "inline:inline",
        "Puts the bodies of functions in the place of calls, and drops private ones that are left.",
    ),
    Pass(
        "sdy-partition",
        "sdy_partition:partition",
        "Writes a program of divided global tensors as the program of one device.",
        (PassOption("replicas", "number", "how many replicas of the mesh there are"),),
    ),
    Pass(
        "sdy-round-trip-export",
        "sdy_round_trip_export:sdy_round_trip_export",
        "Writes meshes and shardings of Shardy as frontend attributes and custom calls.",
    ),
    Pass(
        "sdy-round-trip-import",
        "sdy_round_trip_import:import_round_trip",
        "Writes custom calls and frontend attributes of Shardy's round trip through HLO in Shardy.",
        aliases=("xla-sdy-round-trip-import-pipeline",),
    ),
    Pass(
        "sdy-stablehlo-import",
        "sdy_stablehlo_import:import_hlo_shardings",
        "Writes shardings of HLO, and what is between whole values and shards, in Shardy.",
        aliases=(
            "xla-sdy-stablehlo-import-pipeline",
            "xla-sdy-stablehlo-import-shardings",
            "xla-sdy-mhlo-import-pipeline",
            "xla-sdy-mhlo-import-shardings",
        ),
    ),
    Pass(
        "shape-legalize-to-stablehlo",
        "shape_legalize_to_stablehlo:shape_legalize_to_stablehlo",
        "Writes computations of shapes, of the dialects shape, tensor and arith, in StableHLO.",
    ),
    Pass(
        "stablehlo-aggressive-folder",
        "stablehlo_aggressive_folder:aggressive_folder",
        "Evaluates operations on constants, where all bits are determined.",
        (LIMIT,),
    ),
    Pass(
        "stablehlo-aggressive-simplification",
        "stablehlo_aggressive_simplification:aggressive_simplification",
        "Replaces operations by simpler ones that give the same bits.",
    ),
    Pass(
        "stablehlo-canonicalize-dynamism",
        "stablehlo_canonicalize_dynamism:canonicalize_dynamism",
        "Writes dynamic operations whose sizes are constants as static ones.",
    ),
    Pass(
        "stablehlo-check-shape-assertions",
        "stablehlo_check_shape_assertions:check_shape_assertions",
        "Removes shape assertions that hold and refuses those that fail.",
    ),
    Pass(
        "stablehlo-compatibility-expander",
        "pass_entry_points:compatibility_expander",
        "Writes what is newer than a version of StableHLO in older operations.",
        (PassOption("target", "version", "the version, such as 1.0.0", required=True),),
    ),
    Pass(
        "stablehlo-complex-math-expander",
        "stablehlo_complex_math_expander:PATTERNS",
        "Writes exp, log, log1p and sqrt of complex numbers in functions of real ones.",
    ),
    Pass(
        "stablehlo-convert-to-signless",
        "stablehlo_convert_to_signless:convert_to_signless",
        "Makes integers signless, bit by bit; afterwards all of them count as signed.",
    ),
    Pass(
        "stablehlo-decompose",
        "pass_entry_points:decompose",
        "Writes batch norms, einsums, broadcasts and calls of top-k in simpler operations.",
    ),
    Pass(
        "stablehlo-legalize-composite-to-call",
        "stablehlo_legalize_composite_to_call:composite_to_call",
        "Replaces composites by calls of their decompositions.",
        (PassOption("except", "names", "composites that stay, by their names"),),
    ),
    Pass(
        "stablehlo-legalize-deprecated-ops",
        "stablehlo_legalize_deprecated_ops:legalize_deprecated_ops",
        "Writes deprecated operations in those that are to stay.",
        (PassOption("fail-on-unused", "flag", "refuse map and rng, which have no successor"),),
    ),
    Pass(
        "stablehlo-legalize-qdq-to-quantized-op",
        "stablehlo_legalize_qdq_to_quantized_op:PATTERNS",
        "Computes on quantized tensors what stands between a dequantization and a quantization.",
    ),
    Pass(
        "stablehlo-legalize-quant-to-math",
        "stablehlo_legalize_quant_to_math:legalize_quant_to_math",
        "Writes quantized tensors as what is stored, and what is computed on them in floats.",
    ),
    Pass(
        "stablehlo-legalize-quantized-op-to-qdq",
        "stablehlo_legalize_quantized_op_to_qdq:PATTERNS",
        "Computes on floats, between a dequantization and a quantization, what is quantized.",
    ),
    Pass(
        "stablehlo-legalize-to-vhlo",
        "pass_entry_points:legalize_to_vhlo",
        "Writes the program in VHLO, in the newest revisions.",
        (PassOption("allow-other-dialects", "flag", "operations of other dialects stay"),),
    ),
    Pass(
        "stablehlo-refine-arguments",
        "pass_entry_points:refine_arguments",
        "Gives the arguments of the main function other types, which refine-shapes spreads.",
        (PassOption("types", "types", "a type for each argument", required=True),),
    ),
    Pass(
        "stablehlo-refine-shapes",
        "stablehlo_refine_shapes:refine_shapes",
        "Lets the shapes that follow from the argument types go through the program.",
    ),
    Pass(
        "stablehlo-target-independent-optimization",
        "stablehlo_aggressive_simplification:target_independent_optimization",
        "Simplifies and folds until nothing changes any more.",
        (LIMIT,),
    ),
    Pass(
        "stablehlo-wrap-in-composite",
        "stablehlo_wrap_in_composite:wrap_in_composite",
        "Wraps operations of given names in composites.",
        (
            PassOption("op-names", "names", "the operations", required=True),
            PassOption("version", "number", "the version of the composites"),
        ),
    ),
    Pass("strip-debuginfo", "strip_debuginfo:strip_debuginfo", "Removes all locations."),
    Pass("symbol-dce", "symbol_dce:symbol_dce", "Drops private functions that nobody refers to."),
    Pass(
        "vhlo-legalize-to-stablehlo",
        "vhlo.vhlo_legalize_to_stablehlo:legalize_to_stablehlo",
        "Writes a program of VHLO in StableHLO.",
    ),
    Pass(
        "vhlo-to-version",
        "vhlo.vhlo_to_version:vhlo_to_version",
        "Writes a program of VHLO in the revisions of a version.",
        (PassOption("target", "version", "the version, such as 1.9.0", required=True),),
    ),
)
PASSES: Final[Mapping[str, Pass]] = {
    name: row for row in TABLE for name in (row.name, *row.aliases)
}


def pass_named(name: str) -> Pass:
    """The pass of this name.

    Raises:
        ArgumentValueError: There is none; the message names the nearest.
    """
    row = PASSES.get(name)
    if row is None:
        near = suggestion(name, PASSES) or "; stablemate opt --list-passes lists them"
        raise ArgumentValueError(f"no pass is called {name!r}{near}")
    return row


def suggestion(name: str, names: Mapping[str, object]) -> str:
    """The names that a mistyped one resembles, as the end of a sentence."""
    close = get_close_matches(name, names, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(close)}?" if close else ""
