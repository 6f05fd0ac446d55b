"""Pages of operations, made from their definitions."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import cast

from stablemate.analysis.explain.attribute_glossary import MEANINGS
from stablemate.analysis.explain.builder_methods import methods_of
from stablemate.analysis.explain.counterparts import opcodes_of, revisions_of
from stablemate.analysis.explain.page import DescriptionRow, Explanation, PageSection
from stablemate.diagnostics.articles import article
from stablemate.dialects.calls import CALLS
from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.core import Operation
from stablemate.ir.definition import (
    AttributeField,
    Op,
    OperationDefinition,
    RequestOp,
    ValueField,
    definition_of,
)

SPECIFICATION = "https://openxla.org/stablehlo/spec"
SOURCES = {
    "arith": "https://mlir.llvm.org/docs/Dialects/ArithOps",
    "builtin": "https://mlir.llvm.org/docs/Dialects/Builtin",
    "check": "https://openxla.org/stablehlo/reference",
    "chlo": "https://openxla.org/stablehlo/generated/chlo",
    "func": "https://mlir.llvm.org/docs/Dialects/Func",
    "interpreter": "https://openxla.org/stablehlo/reference",
    "sdy": "https://openxla.org/shardy/sdy_dialect",
    "shape": "https://mlir.llvm.org/docs/Dialects/ShapeDialect",
    "tensor": "https://mlir.llvm.org/docs/Dialects/TensorOps",
    "vhlo": "https://openxla.org/stablehlo/vhlo",
}
DEPRECATED = (
    "broadcast create_token cross-replica-sum dot einsum map rng torch_index_select unary_einsum"
)
ARITIES = {"one": "", "optional": " (may be absent)", "variadic": " (any number)"}


def operation_page(name: str) -> Explanation:
    """The page of an operation that exists."""
    cls = OPERATIONS[name]
    definition = definition_of(cls)
    summary, meaning = docstring(cls)
    sections = [
        *([PageSection("Meaning", text=meaning, verbatim=is_formula(meaning))] if meaning else []),
        *table("Operands", operands(definition)),
        *table("Attributes", map(attribute, definition.attributes.values())),
        *table("Regions", regions(definition)),
        *table("Results", results(definition)),
        *table("Rules", rules(definition)),
        *table("Inference", inference(cls)),
        *table("Notes", further_rows(name, cls)),
        *table("Elsewhere", elsewhere(name)),
    ]
    labels = [
        f"{name}/{constraint.label.replace(' ', '-')}" for constraint in definition.constraints[:3]
    ]
    return Explanation(name, "operation", summary, tuple(sections), tuple(labels), source_of(name))


def table(title: str, rows: Iterator[DescriptionRow]) -> list[PageSection]:
    """A section, if there is something in it."""
    row_tuple = tuple(rows)
    return [PageSection(title, row_tuple)] if row_tuple else []


def docstring(cls: type) -> tuple[str, str]:
    """The sentence and the rest of a docstring, without its source."""
    text = inspect.cleandoc(cls.__doc__ or "").replace("``", "`")
    first, _, rest = text.partition("\n\n")
    paragraphs = [
        part for part in rest.split("\n\n") if not part.startswith(("Source:", "Attributes:"))
    ]
    return " ".join(first.split()), "\n\n".join(paragraphs).strip()


def is_formula(text: str) -> bool:
    """Whether line breaks of a text count."""
    return " = " in text or "[" in text


def label_text(label: str, text: str) -> str:
    """A text with its label."""
    return f"{label}: {text}" if label else text


def operands(definition: OperationDefinition) -> Iterator[DescriptionRow]:
    """Describes each operand by its label and permitted types."""
    for field in definition.operands:
        yield DescriptionRow(field.name, label_text(field.label, types_text(field)))


def types_text(field: ValueField) -> str:
    """The permitted types of an operand or result."""
    return article(field.types.description) + ARITIES[field.arity]


def attribute(field: AttributeField[object]) -> DescriptionRow:
    """Describes an attribute by its kind, and whether it is required or has a default."""
    kind = article(field.kind.description)
    if field.required:
        presence = ""
    elif field.default is None:
        presence = "; may be absent"
    else:
        presence = f"; {default_text(field)} if absent"
    meaning = MEANINGS.get(field.name, "")
    return DescriptionRow(
        field.name, label_text(field.label, f"{kind}{presence}. {meaning}".rstrip())
    )


def default_text(field: AttributeField[object]) -> str:
    """The default of an attribute."""
    default: object = field.default
    if isinstance(default, bool):
        return "true" if default else "false"
    if isinstance(default, Sequence) and not isinstance(default, str):
        return f"[{', '.join(map(str, cast('Sequence[object]', default)))}]"
    return str(default) or "empty"


def regions(definition: OperationDefinition) -> Iterator[DescriptionRow]:
    """Describes each region: how many blocks it holds, and whether it may be empty."""
    for field in definition.regions:
        words = ["blocks" if field.several else "one block"]
        words += ["may be empty"] * field.empty
        words += ["needs no terminator"] * (not field.terminated)
        yield DescriptionRow(field.name, label_text(field.label, ", ".join(words)))


def results(definition: OperationDefinition) -> Iterator[DescriptionRow]:
    """The results, and which rules fix their types."""
    for field in definition.results:
        fixed = {
            label: what
            for label, what in ((field.shape, "shape"), (field.element_type, "element type"))
            if label
        }
        if field.shape and field.shape == field.element_type:
            fixed = {field.shape: "type"}
        rules = "".join(f"; {what} by {label}" for label, what in fixed.items())
        yield DescriptionRow(field.name, types_text(field) + rules)


def rules(definition: OperationDefinition) -> Iterator[DescriptionRow]:
    """The constraints, by their labels."""
    for constraint in definition.constraints:
        yield DescriptionRow(constraint.label, constraint.formula)


def inference(cls: type[Operation]) -> Iterator[DescriptionRow]:
    """How the types of the results follow."""
    infer = getattr(cls, "infer", None)
    if infer is None or infer is Op.infer:
        return
    text = " ".join((inspect.getdoc(infer) or "").split())
    if text:
        yield DescriptionRow("result types", text)


def further_rows(name: str, cls: type[Operation]) -> Iterator[DescriptionRow]:
    """Yields deprecation, traits and other facts."""
    definition = definition_of(cls)
    if name.partition(".")[2] in DEPRECATED.split() and name.startswith("stablehlo."):
        yield DescriptionRow(
            "deprecated", "stablehlo-legalize-deprecated-ops writes it in others where it can"
        )
    if definition.terminator:
        yield DescriptionRow("terminator", "it stands at the end of a block")
    if definition.isolated:
        yield DescriptionRow("isolated", "its regions see no values from outside")
    if issubclass(cls, RequestOp):
        yield DescriptionRow(
            "asks", "its results come from outside the process: other processes, the host"
        )
    elif name in CALLS:
        yield DescriptionRow("calls", "it runs another function of the module")
    if definition.effects:
        yield DescriptionRow("effects", "it is kept although nobody uses its results")


def elsewhere(name: str) -> Iterator[DescriptionRow]:
    """The names of the operation in HLO, VHLO and XlaBuilder."""
    for title, text in (
        ("HLO", ", ".join(opcodes_of(name))),
        ("XlaBuilder", ", ".join(methods_of(name))),
        ("portable artifacts", revisions_of(name)),
    ):
        if text:
            yield DescriptionRow(title, text)


def source_of(name: str) -> str:
    """Where the specification speaks of an operation."""
    dialect, _, own = name.partition(".")
    if dialect == "stablehlo":
        return f"{SPECIFICATION}#{own}"
    return SOURCES.get(dialect, "")
