"""Instructions that call computations, group values, or order effects.

A tuple is its leaves. What is started is done at once; its end hands the result on.

Source: XLA, operation semantics, Call, Conditional, While, Tuple, OptimizationBarrier, AfterAll.
"""

from __future__ import annotations

from typing import Final

from stablemate.diagnostics.integers import parse_integer
from stablemate.ir.attributes import DictionaryAttribute
from stablemate.numerics.elements import BOOLEAN
from stablemate.xla.translate.to_stablehlo.rules.collectives import handed_on
from stablemate.xla.translate.to_stablehlo.step import Fields, Rules, TranslationStep, Values


def tuple_(step: TranslationStep) -> Values:
    """The leaves of all operands."""
    return step.leaves()


def get_tuple_element(step: TranslationStep) -> Values:
    """The leaves of one part."""
    operand = step.operands[0]
    index: int = step.need("index")
    if not operand.shape.is_tuple:
        step.refuse("the operand is a tuple", operand=operand.shape)
    parts = operand.shape.elements
    if not 0 <= index < len(parts):
        step.refuse("0 <= index < size(operand)", index=index, size=len(parts))
    return operand.part(index)


def add_dependency(step: TranslationStep) -> Values:
    """The first operand, ordered after the token."""
    token = step.value(1)
    fenced = [*step.operands[0].values, token]
    return step.emit("stablehlo.optimization_barrier", operand=fenced).results[:-1]


def opt_barrier(step: TranslationStep) -> Values:
    """Translates to one ``optimization_barrier`` of all leaves of the operands."""
    return step.emit("stablehlo.optimization_barrier", operand=step.leaves()).results


def after_all(step: TranslationStep) -> Values:
    """``after_all``; of no tokens a new one."""
    if not step.operands:
        return [step.one("stablehlo.create_token")]
    return [step.one("stablehlo.after_all", inputs=step.leaves())]


def call(step: TranslationStep) -> Values:
    """A call of a function; of a composite with the name that it bears."""
    if step.get("is_composite"):
        return composite(step)
    return step.scope.call(step.need("to_apply"), step.operands, step)


def composite(step: TranslationStep) -> Values:
    """``composite``; its name, attributes and version are frontend attributes."""
    notes = step.get("frontend_attributes", {})
    text = notes.get("composite.attributes", "")
    version = notes.get("composite.version", "0").strip('"')
    fields: Fields = {
        "inputs": step.leaves(),
        "name": notes.get("composite.name", ""),
        "composite_attributes": step.scope.dictionary(text, step)
        if text
        else DictionaryAttribute(),
        "decomposition": step.scope.function(step.need("to_apply"), step),
        "version": parse_integer(version) if version.isdecimal() else 0,
    }
    return step.append("stablehlo.composite", results=step.result_types, **fields).results


def fusion(step: TranslationStep) -> Values:
    """The computation itself, or a call of it."""
    computation = step.need("calls")
    if step.scope.keep_fusions:
        return step.scope.call(computation, step.operands, step)
    return step.scope.inline(computation, step.operands, step)


def copy_start(step: TranslationStep) -> Values:
    """The destination, the source and a context."""
    return step.with_contexts([*step.leaves(), *step.leaves()])


def first_part(step: TranslationStep) -> Values:
    """The first part of a start: the operands."""
    operand = step.operands[0]
    if not operand.shape.elements:
        step.refuse("the operand is what the start gives", operand=operand.shape)
    return operand.values[: operand.shape.elements[0].leaf_count]


def while_(step: TranslationStep) -> Values:
    """Translates to a ``while`` whose state are all leaves of the operands."""
    regions = [step.region("condition"), step.region("body")]
    return step.emit("stablehlo.while", operand=step.leaves(), regions=regions).results


def conditional(step: TranslationStep) -> Values:
    """``if`` or ``case``: branches see their operands from within."""
    selector, rest = step.array(0), step.operands[1:]
    names = step.get("branch_computations", ())
    names = names or (step.need("true_computation"), step.need("false_computation"))
    if len(names) != len(rest):
        step.refuse("each branch has an operand", operands=len(rest), branches=len(names))
    regions = [
        step.scope.branch(name, [operand], step) for name, operand in zip(names, rest, strict=True)
    ]
    if selector.type.element_type == BOOLEAN:
        return step.emit("stablehlo.if", pred=selector, regions=regions).results
    return step.emit("stablehlo.case", index=selector, regions=regions).results


RULES: Final[Rules] = {
    "tuple": tuple_,
    "get-tuple-element": get_tuple_element,
    "copy": handed_on,
    "domain": handed_on,
    "add-dependency": add_dependency,
    "opt-barrier": opt_barrier,
    "after-all": after_all,
    "call": call,
    "fusion": fusion,
    "while": while_,
    "conditional": conditional,
    "copy-start": copy_start,
    "copy-done": first_part,
}
