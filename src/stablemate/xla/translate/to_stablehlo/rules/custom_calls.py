"""Custom calls: targets, configurations, layouts and aliases.

Source: XLA, operation semantics, CustomCall; XLA, "Custom calls".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from stablemate.dialects.stablehlo.attributes import OutputOperandAlias
from stablemate.ir.attributes import DictionaryAttribute
from stablemate.xla import values
from stablemate.xla.layout import Layout
from stablemate.xla.shape import Shape
from stablemate.xla.translate.to_stablehlo.step import Fields, Rules, TranslationStep, Values

T = TypeVar("T")
VERSIONS: Final = {
    "API_VERSION_ORIGINAL": 1,
    "API_VERSION_STATUS_RETURNING": 2,
    "API_VERSION_STATUS_RETURNING_UNIFIED": 3,
    "API_VERSION_TYPED_FFI": 4,
}
TYPED_FFI: Final = 4


def custom_call(step: TranslationStep) -> Values:
    """``custom_call``: operands and results are leaves."""
    version = VERSIONS[step.get("api_version", "API_VERSION_ORIGINAL")]
    fields: Fields = {
        "inputs": step.leaves(),
        "call_target_name": step.need("custom_call_target"),
        "has_side_effect": step.get("custom_call_has_side_effect", False),
        "backend_config": configuration(step, version),
        "api_version": version,
        "called_computations": functions(step),
        "output_operand_aliases": aliases(step),
        **layouts(step),
    }
    return step.append("stablehlo.custom_call", results=step.result_types, **fields).results


def configuration(step: TranslationStep, version: int) -> object:
    """``backend_config``: a dictionary for typed calls, else a string."""
    text = step.get("backend_config", "")
    if version != TYPED_FFI:
        return text or None
    return step.scope.dictionary(text, step) if text else DictionaryAttribute()


def functions(step: TranslationStep) -> list[str]:
    """The computations that the target may call, as functions."""
    names = [*step.get("called_computations", ()), *filter(None, [step.get("to_apply")])]
    return [step.scope.function(name, step) for name in names]


def layouts(step: TranslationStep) -> Fields:
    """The layouts of operands and results, where the operands' are constrained."""
    constraints: Sequence[Shape] | None = step.get("operand_layout_constraints")
    if constraints is None:
        return {}
    return {
        "operand_layouts": [order for constraint in constraints for order in orders(constraint)],
        "result_layouts": orders(step.declared_shape),
    }


def orders(shape: Shape) -> list[tuple[int, ...]]:
    """The order of dimensions of each leaf, the one that changes fastest first."""
    return [
        (leaf.layout or Layout.row_major(leaf.rank)).minor_to_major if leaf.is_array else ()
        for _, leaf in shape.leaves()
    ]


def aliases(step: TranslationStep) -> list[OutputOperandAlias]:
    """The aliases of results and operands, which are numbered by leaves."""
    declared: Sequence[values.OutputOperandAlias] = step.get("output_to_operand_aliasing", ())
    results = number_leaves(index for index, _ in step.declared_shape.leaves())
    operands = number_leaves(
        (i, index) for i, operand in enumerate(step.operands) for index, _ in operand.shape.leaves()
    )
    aliases_: list[OutputOperandAlias] = []
    for alias in declared:
        if (
            alias.output_index not in results
            or (alias.operand, alias.operand_index) not in operands
        ):
            step.refuse("an alias pairs leaves of results and operands", alias=alias)
        output = (results[alias.output_index],) if len(results) > 1 else ()
        operand = operands[alias.operand, alias.operand_index]
        aliases_.append(OutputOperandAlias(output, operand, ()))
    return aliases_


def number_leaves(leaves: Iterable[T]) -> dict[T, int]:
    """The number of each leaf."""
    return {leaf: number for number, leaf in enumerate(leaves)}


RULES: Final[Rules] = {"custom-call": custom_call}
