"""Finds the page of a subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher, get_close_matches
from typing import Final

from stablemate.analysis.explain import attributes, codes, concepts, passes, types
from stablemate.analysis.explain.builder_methods import methods
from stablemate.analysis.explain.counterparts import operation_of_opcode
from stablemate.analysis.explain.index import index_page
from stablemate.analysis.explain.opcodes import MEANINGS as HLO_ALONE
from stablemate.analysis.explain.opcodes import opcode_page
from stablemate.analysis.explain.operations import operation_page
from stablemate.analysis.explain.page import DescriptionRow, Explanation, PageSection
from stablemate.analysis.explain.rules import discardable_page, rule_page
from stablemate.diagnostics.codes import code_of, slug
from stablemate.diagnostics.errors import ArgumentValueError, StablemateError
from stablemate.dialects.mhlo.counterparts import COUNTERPARTS
from stablemate.dialects.registry import DIALECTS, OPERATIONS
from stablemate.ir.definition import definition_of
from stablemate.xla.explain import explain_shape
from stablemate.xla.opcodes import OPCODES
from stablemate.xla.primitive_types import PRIMITIVE_TYPES
from stablemate.xla.shape import Shape

# Where a name without a dialect is looked for, in this order.
ORDER: Final = ("stablehlo", *(dialect for dialect in DIALECTS if dialect not in ("vhlo", "mhlo")))
RARE_DIALECTS: Final = ("shape", "tensor", "interpreter", "arith", "check")
NEAR: Final = 3  # names that an error suggests
NEAR_RATIO: Final = 0.6  # how much of a name is spelled as the query, at least
NEAR_SPREAD: Final = 0.1  # by how much a name may be less near than the nearest
CANDIDATES: Final = 12  # near names that are compared; the nearest are suggested
INDEX_HINT: Final = "stablemate explain without a subject lists all pages"


def explanation_of(what: str) -> Explanation:
    """The page of a subject.

    Raises:
        ArgumentValueError: There is none; the message names near ones.
    """
    asked = what.strip().strip("`")
    if not asked:
        raise ArgumentValueError("what is to be explained? An operation, a code, a type ...")
    for look in LOOKS:
        explanation = look(asked)
        if explanation is not None:
            return explanation
    head, _, label = asked.replace("/", " ").partition(" ")
    if label and (name := operation_named(head)) is not None:
        raise ArgumentValueError(
            f"{name} has no rule {label!r}: stablemate explain {name} lists those that it has"
        )
    close = near_subjects(asked)
    hint = f"; did you mean {' or '.join(close)}?" if close else f"; {INDEX_HINT}"
    raise ArgumentValueError(f"there is no page about {what!r}{hint}")


def near_subjects(asked: str) -> list[str]:
    """The names that are nearest to a query, each page once, the nearest first.

    A name is near if it is spelled alike; only if none is, one that contains the query.
    """
    names = {name.lower(): name for name in reversed([*subject_names()])}
    spelled = asked.lower()
    ratios = {
        names[name]: SequenceMatcher(None, spelled, name).ratio()
        for name in get_close_matches(spelled, names, n=CANDIDATES, cutoff=NEAR_RATIO)
    }
    best = max(ratios.values(), default=0.0)
    alike = sorted(ratios, key=lambda name: (-ratios[name], len(name)))
    close = [name for name in alike if ratios[name] >= best - NEAR_SPREAD]
    return distinct_pages(close or near_parts(asked))[:NEAR]


def distinct_pages(names: Sequence[str]) -> list[str]:
    """Names without those of pages that a name before has: ``add`` and ``stablehlo.add``."""
    pages: dict[str, str] = {}
    for name in names:
        pages.setdefault(operation_named(name) or name, name)
    return list(pages.values())


def near_parts(asked: str) -> list[str]:
    """Names that contain the text of a query."""
    query_slug = slug(asked.lower()).replace("-", "_")
    return [subject for subject in subject_names() if query_slug in subject][:NEAR]


def subject_names() -> Iterator[str]:
    """Yields the names that have a page."""
    for name in OPERATIONS:
        if not name.startswith("vhlo."):
            yield name
            yield name.partition(".")[2]
    yield from OPCODES
    yield from methods()
    yield from attributes.names()
    yield from types.names()
    yield from codes.names()
    yield from passes.names()
    yield from concepts.names()


# ---- one way of looking each


def operation_named(name: str) -> str | None:
    """The full name of an operation: as written, without its dialect, as an opcode or a method."""
    name = name.removeprefix('"').removesuffix('"')
    if name in OPERATIONS or name in COUNTERPARTS:
        return name if name in OPERATIONS else COUNTERPARTS[name]
    name = name.removeprefix("mhlo.")
    words = name.replace("-", "_").replace(" ", "_")
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", words).lower()
    for spelled in (name, plain):
        for dialect in ORDER:
            if f"{dialect}.{spelled}" in OPERATIONS:
                return f"{dialect}.{spelled}"
    opcode = name.lower().replace("_", "-")
    if opcode in OPCODES and opcode not in HLO_ALONE:
        return operation_of_opcode(opcode)
    return methods().get(name) or methods().get(plain)


def by_operation(asked: str) -> Explanation | None:
    """Explains the operation of that name, if there is one."""
    name = operation_named(asked)
    return None if name is None else operation_page(name)


def by_code(asked: str) -> Explanation | None:
    """A code, or a rule as diagnostics cite it."""
    page = codes.code_page(asked) or codes.code_page(code_of(asked))
    if page is not None:
        return page
    head, separator, label = asked.partition("/")
    if not separator:
        head, separator, label = asked.partition(" ")
    if not separator:
        return None
    label = slug(label)
    name = operation_named(head)
    if name is not None:
        upper = f"{label[:1].upper()}{label[1:]}"
        return (
            rule_page(name, label) or rule_page(name, upper) or unnumbered_requirements(name, label)
        )
    page_of_opcode = opcode_page(head)
    if page_of_opcode is not None:
        return page_of_opcode
    return codes.code_page(f"{slug(head)}/{label}") or codes.code_page(
        slug(asked).replace("/", "-")
    )


def unnumbered_requirements(name: str, label: str) -> Explanation | None:
    """The requirements of an operation whose label is not a number."""
    for operand in (
        *definition_of(OPERATIONS[name]).operands,
        *definition_of(OPERATIONS[name]).results,
    ):
        if operand.name == label:
            summary = (
                f"{operand.name} is {operand.types.description}, and of the shape that {name} asks."
            )
            return Explanation(f"{name}/{label}", "rule", summary, (), (name,))
    if label in definition_of(OPERATIONS[name]).attributes:
        page = attributes.field_page(label)
        assert page is not None
        return Explanation(f"{name}/{label}", "rule", page.summary, page.sections, (name, label))
    return words_of(name, label) or discardable_page(name, label)


# What operations check by labels of their own, beyond their constraints.
LABELS: Final = {
    "buffer-aliases": "A result that is a buffer shares the memory of an operand: each is named "
    "once in output_operand_aliases, with the same type.",
    "buffers": "A custom call takes and gives buffers as its target declares.",
    "layouts": "operand_layouts and result_layouts are both there or both absent.",
    "target": "What the target of the custom call asks of its operands, as the message says.",
    "result_accuracy": "A tolerance is not negative and stands only in the mode TOLERANCE; one "
    "that no implementation here meets is refused.",
    "use_global_device_ids": "Without a channel, groups hold ids of replicas; device ids need one.",
    "process_groups": "The groups name processes of the grid, each at most once.",
}


def words_of(name: str, label: str) -> Explanation | None:
    """The page of a label that several operations have."""
    text = LABELS.get(label)
    return None if text is None else Explanation(f"{name}/{label}", "rule", text, (), (name,))


def by_opcode(asked: str) -> Explanation | None:
    """An opcode that only HLO has."""
    return opcode_page(asked.lower().replace("_", "-"))


def by_attribute(asked: str) -> Explanation | None:
    """An attribute: by its name, or in its form."""
    name = asked.removeprefix("#").partition("<")[0].strip()
    page = attributes.struct_page(name) or attributes.enum_page(name)
    if page is None and "." not in name and asked.startswith("#"):
        page = attributes.struct_page(f"stablehlo.{name}") or attributes.enum_page(
            f"stablehlo.{name}"
        )
    if page is None and name == "stablehlo" and "<" in asked:  # #stablehlo<precision HIGH>
        mnemonic = asked.partition("<")[2].split()[0]
        page = attributes.enum_page(f"stablehlo.{mnemonic}")
    return page or attributes.field_page(name)


def by_type(asked: str) -> Explanation | None:
    """A type: by its name, or in its form."""
    plain = asked.removeprefix("!")
    head = plain.partition("<")[0]
    return (
        types.element_page(asked)
        or types.concept_page(asked)
        or types.concept_page(plain)
        or (types.concept_page(head) if "<" in asked else None)
    )


def by_shape(asked: str) -> Explanation | None:
    """A shape of XLA, part by part."""
    if "[" not in asked and "(" not in asked and asked not in ("token", "opaque"):
        return None
    try:
        shape = Shape(asked)
    except StablemateError:
        if asked.lstrip("(").partition("[")[0] in PRIMITIVE_TYPES:
            raise  # it says where it is wrong
        return None
    rows = tuple(DescriptionRow(part.text, part.meaning) for part in explain_shape(shape))
    return Explanation(
        str(shape), "shape", "A shape of XLA with its layout, part by part.",
        (PageSection("Parts", rows),), ("layout",), "https://openxla.org/xla/shapes",
    )  # fmt: skip


def by_plain_name(asked: str) -> Explanation | None:
    """A concept whose name an operation of a rare dialect has too, such as ``concat``."""
    name = operation_named(asked)
    if name is None or "." in asked or name.partition(".")[0] not in RARE_DIALECTS:
        return None
    return concepts.concept_page(asked)


def by_library_name(asked: str) -> Explanation | None:
    """An operation that another library has under the same name, such as ``np.concatenate``."""
    library, _, name = asked.rpartition(".")
    return by_operation(name) if library.lower() in concepts.LIBRARIES else None


LOOKS: Final[tuple[Callable[[str], Explanation | None], ...]] = (
    index_page,
    by_plain_name,
    by_operation,
    by_opcode,
    by_type,
    by_attribute,
    passes.pass_page,
    by_code,
    concepts.concept_page,
    by_library_name,
    by_shape,
)
