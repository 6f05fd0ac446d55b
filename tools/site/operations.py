"""Pages of operations, from their definitions: what ``stablemate explain`` says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from typing import Final

import stablemate as sm
from stablemate.analysis.explain import attributes, codes, types
from stablemate.analysis.explain.page import Explanation
from stablemate.analysis.explain.subjects import explanation_of
from stablemate.dialects.registry import OPERATIONS
from tools.site.markdown import anchor, code, page, prose, table

# What each dialect is; the operations of vhlo are those of stablehlo, revision by revision.
DIALECTS: Final = {
    "stablehlo": "The operations that frameworks write and compilers read: those of the "
    "specification, deprecated ones, and newer ones that its text does not have yet.",
    "chlo": "Client convenience operations, each of which decomposes into StableHLO: by the pass "
    "`chlo-legalize-to-stablehlo`, or when a program runs.",
    "func": "Functions, calls and returns.",
    "builtin": "The module, and the type casts that a conversion leaves behind.",
    "shape": "Computations on shapes and sizes in programs with dynamic shapes.",
    "tensor": "The tensor operations that programs with dynamic shapes use.",
    "arith": "Arithmetic on sizes and scalars in programs with dynamic shapes.",
    "sdy": "Shardings: how tensors are divided among the devices of a mesh (Shardy).",
    "mhlo": "What MHLO has beside StableHLO and CHLO: instructions of HLO that run by their plain "
    "meaning. All other operations of MHLO are read as those of StableHLO or CHLO.",
    "check": "Assertions about results, for tests.",
    "interpreter": "Operations for interpreters only: grids of programs, probes, prints.",
}


@dataclass(frozen=True, slots=True)
class Chapters:
    """A page of subjects that have none of their own.

    Attributes:
        title: Its title.
        text: What it is about.
        names: The subjects.
        of: The page of each; None if there is none.
    """

    title: str
    text: str
    names: frozenset[str]
    of: Callable[[str], Explanation | None]


def attribute_page(name: str) -> Explanation | None:
    """What is said of an attribute, by its name or with # by its form."""
    form = name.removeprefix("#")
    if form == name:
        return attributes.field_page(name)
    return attributes.struct_page(form) or attributes.enum_page(form)


def type_page(name: str) -> Explanation | None:
    """What is said of a type."""
    return types.element_page(name) or types.concept_page(name)


OTHERS: Final = {
    "attributes": Chapters(
        "Attributes",
        "The meaning of the attributes of operations, and which operations have them.",
        frozenset(attributes.names()), attribute_page,
    ),
    "types": Chapters(
        "Types", "Element types, and types that contain them.",
        frozenset(types.names()), type_page,
    ),
    "codes": Chapters(
        "Rules and error codes",
        "Codes that do not belong to an operation. A code such as `stablehlo.concatenate/C4` is a "
        "rule of the operation, and is on its page.",
        frozenset(codes.names()), codes.code_page,
    ),
}  # fmt: skip


def files() -> Iterator[tuple[str, str]]:
    """All pages, with their names below the reference."""
    for dialect, text in DIALECTS.items():
        names = sorted(operation for operation in OPERATIONS if operation.startswith(f"{dialect}."))
        yield f"operations/{dialect}.md", "\n".join(index(dialect, text, names))
        for name in names:
            lines = page(shown(name), links_from_operation)
            yield f"operations/{dialect}/{own(name)}.md", "\n".join([*ALONE, *lines])
    yield "operations.md", "\n".join(dialects())
    for file, chapters in OTHERS.items():
        yield f"{file}.md", "\n".join(page_of(file, chapters))


# Hundreds of pages are found from the tables of their dialects and by searching; a side bar that
# lists them all would be on every page.
ALONE: Final = ("---", "orphan: true", "---", "")


def shown(name: str) -> Explanation:
    """What is said of an operation; its example is run, and may print."""
    with redirect_stdout(StringIO()):
        return sm.explain(name)


def own(name: str) -> str:
    """The name of an operation in its dialect."""
    return name.partition(".")[2]


def index(dialect: str, text: str, names: list[str]) -> Iterator[str]:
    """The page of a dialect: its operations, each with a sentence."""
    yield from (f"# {dialect}", "", text, "")
    yield from table(
        ("operation", "what it does"),
        (
            (f"[{code(own(name))}]({dialect}/{own(name)}.md)", prose(explanation_of(name).summary))
            for name in names
        ),
    )


def dialects() -> Iterator[str]:
    """All dialects, each with its text."""
    yield from ("# Operations", "")
    yield "Each operation has a page, generated from its definition: its meaning, operands, "
    yield "attributes and results, its rules, an example, and its names in HLO and XlaBuilder."
    yield from ("", "`stablemate explain NAME` prints the same in a terminal.", "")
    yield from table(
        ("dialect", "what it is"),
        ((f"[{dialect}](operations/{dialect}.md)", text) for dialect, text in DIALECTS.items()),
    )
    yield from ("```{toctree}", ":hidden:", "")
    yield from (f"operations/{dialect}" for dialect in DIALECTS)
    yield "```"


def page_of(file: str, chapters: Chapters) -> Iterator[str]:
    """Several subjects in one page, each with its place."""
    yield from (f"# {chapters.title}", "", chapters.text, "")
    for name in sorted(chapters.names, key=lambda name: name.strip("#!").lower()):
        value = chapters.of(name)
        assert value is not None, name
        yield f"({place_of(file, name)})="
        yield from page(value, links_from_chapter, level=2)


def place_of(file: str, name: str) -> str:
    """The place of a subject that has no page of its own."""
    return f"{file}-{'structure-' if name.startswith('#') else ''}{anchor(name)}"


def links_from_operation(name: str) -> str | None:
    """The link from a page of an operation to a subject that it mentions."""
    return link(name, "../../", "../")


def links_from_chapter(name: str) -> str | None:
    """The link from one of the other pages."""
    return link(name, "", "operations/")


def link(name: str, up: str, operations: str) -> str | None:
    """A link to a subject, from where its parents are."""
    if name in OPERATIONS and name.partition(".")[0] in DIALECTS:
        return f"{operations}{name.replace('.', '/', 1)}.md"
    for file in ("attributes", "types"):
        if name in OTHERS[file].names:
            return f"{up}{file}.md#{place_of(file, name)}"
    return None
