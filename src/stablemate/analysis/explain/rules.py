"""Pages of rules: the numbered constraints, inputs and other labels of an operation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stablemate.analysis.explain.inferred_formulas import inferred_formula
from stablemate.analysis.explain.operations import (
    attribute,
    inference,
    operands,
    regions,
    results,
    source_of,
    types_text,
)
from stablemate.analysis.explain.page import DescriptionRow, Explanation, PageSection
from stablemate.diagnostics.articles import article
from stablemate.diagnostics.codes import slug
from stablemate.dialects.registry import OPERATIONS
from stablemate.ir.definition import OperationDefinition, definition_of, size_list_rule

# The words of formulas, each with what it means.
GLOSSARY: Final = {
    "baseline_element_type": "the element type, of quantized ones without scales and zero points",
    "baseline_type": "the type, of quantized ones without scales and zero points",
    "dim": "dim(x, d): the size of dimension d of x; dim(x, ds...): of each of several",
    "element_type": "the type of the elements of a tensor",
    "expressed_type": "the float type that quantized elements stand for",
    "has_block_structure": "whether windows can be laid over the tensor",
    "input_types": "the types that a function takes",
    "is_defined_in_parent_scope": "whether the module has a function of this name",
    "is_empty": "whether there is nothing in it",
    "is_finite": "neither infinite nor a NaN",
    "is_namespaced_op_name": "whether it is a name with a dot, such as my_namespace.my_op",
    "is_per_axis_quantized": "whether slices have scales of their own",
    "is_per_tensor_quantized": "whether there is one scale for all elements",
    "is_promotable": "whether values of the first type can be taken as ones of the second",
    "is_quantized": "whether the elements are quantized",
    "is_sorted": "whether numbers do not fall",
    "is_unique": "whether no number comes twice",
    "max_value": "the largest value of a type",
    "min_value": "the smallest value of a type",
    "num_bits": "how many bits an element has",
    "num_partitions": "how many partitions the program runs in",
    "num_replicas": "how many replicas the program runs in",
    "operation": "the operation itself",
    "output_types": "the types that a function gives",
    "quantization_axis": "the dimension whose slices have scales of their own",
    "quantization_dimension": "the dimension whose slices have scales of their own",
    "rank": "how many dimensions a tensor has",
    "real_type": "the float type of the parts of a complex type",
    "same": "whether all are equal",
    "scales": "by which stored integers are multiplied",
    "shape": "the sizes of all dimensions",
    "size": "how many numbers a list or elements a tensor has",
    "storage_type": "the integer type that quantized elements are stored in",
    "types": "the types of several values",
    "type": "the type of a value",
    "zero_points": "which are taken from stored integers before they are multiplied",
}
WORD: Final = re.compile(r"[a-z_]+")


def rule_page(name: str, label: str) -> Explanation | None:
    """The page of a label of an operation that exists; None if it has none of this name."""
    definition = definition_of(OPERATIONS[name])
    by_name = dict(statements(definition, label))
    plain = label.partition("-of-")[0]  # C10 of gather: the rule of another operation
    if not by_name and plain != label:
        return borrow_page(name, label)
    if not by_name:
        return None
    text = "; ".join(dict.fromkeys(by_name.values()))
    text = text[0].upper() + text[1:] if text.startswith("the ") else text
    sections = [*names_of(definition, text), *glossary(text)]
    holders = [
        DescriptionRow(result.name, f"declared by {label}: {types_text(result)}")
        for result in definition.results
        if slug(result.shape) == label or slug(result.element_type) == label
    ]
    if holders:
        sections.append(PageSection("Results that it fixes", tuple(holders)))
        rows = tuple(inference(OPERATIONS[name]))
        if inferred_formula(definition, label) is not None and rows:
            sections.append(PageSection("In words", rows))
    return Explanation(
        f"{name}/{label}",
        "rule",
        text,
        tuple(sections),
        (name,),
        source_of(name),
    )


def statements(definition: OperationDefinition, label: str) -> Iterator[tuple[str, str]]:
    """The statements that a label refers to."""
    for number, constraint in enumerate(definition.constraints):
        if slug(constraint.label) == label:
            yield f"constraint {number}", constraint.formula
    for field in definition.operands:
        if field.label == label:
            yield field.name, f"{field.name} is {article(field.types.description)}"
    for attribute_field in definition.attributes.values():
        if attribute_field.label == label:
            yield (
                attribute_field.name,
                f"{attribute_field.name}: {attribute(attribute_field).text.partition(': ')[2]}",
            )
    for name, count in definition.size_lists.items():
        if name == label:
            yield name, size_list_rule(name, count)
    for region in definition.regions:
        if region.label == label:
            yield region.name, f"{region.name} is a region with its blocks and their terminators"
    yield from inferred_statements(definition, label)


def inferred_statements(definition: OperationDefinition, label: str) -> Iterator[tuple[str, str]]:
    """States how a label fixes the types of results, unless a constraint of the class has it."""
    if any(slug(constraint.label) == label for constraint in definition.constraints):
        return
    formula = inferred_formula(definition, label)
    for result in definition.results:
        parts = {"shape": result.shape, "element type": result.element_type}
        named = [text for text, by in parts.items() if slug(by) == label]
        if named and formula is not None:
            yield result.name, formula
            return
        if named:
            follows = " ".join(row.text for row in inference(OPERATIONS[definition.name]))
            verb = "follows" if len(named) == 1 else "follow"
            what = " and ".join(named)
            yield result.name, f"the {what} of {result.name} {verb} from the operands. {follows}"


def borrow_page(name: str, label: str) -> Explanation | None:
    """The page of a rule that an operation shares with another one."""
    reference, _, other = label.partition("-of-")
    home = f"{name.partition('.')[0]}.{other}"
    page = rule_page(home, reference) if home in OPERATIONS else None
    if page is None:
        return None
    return Explanation(
        f"{name}/{label}", "rule", page.summary, page.sections, (name, *page.related), page.source
    )


def names_of(definition: OperationDefinition, formula: str) -> Iterator[PageSection]:
    """The meaning of the names of a formula on the operation."""
    named = set(WORD.findall(formula))
    fields = [
        *operands(definition),
        *map(attribute, definition.attributes.values()),
        *regions(definition),
        *results(definition),
    ]
    rows = tuple(row for row in fields if row.name in named)
    if rows:
        yield PageSection(f"Names on {definition.name}", rows)


def glossary(formula: str) -> Iterator[PageSection]:
    """The words of a formula, if it has some."""
    words = dict.fromkeys(WORD.findall(formula))
    rows = tuple(DescriptionRow(word, GLOSSARY[word]) for word in words if word in GLOSSARY)
    if rows:
        yield PageSection("Words of the formula", rows)


def discardable_page(name: str, label: str) -> Explanation | None:
    """The page of a rule that a dialect has for its attributes on operations of others."""
    attribute_name, _, rest = label.partition("-")
    dialect = attribute_name.partition(".")[0]
    if "." not in attribute_name:
        return None
    what = f": {rest.replace('-', ' ')}" if rest else ""
    summary = (
        f"The dialect {dialect} has rules for its attribute {attribute_name} wherever it stands, "
        f"here on {name}{what}. The message says which one, with the values that break it."
    )
    return Explanation(f"{name}/{label}", "rule", summary, (), (name,), source_of(f"{dialect}.x"))
