"""The index: the subjects that have a page, by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from stablemate.analysis.explain import attributes, codes, concepts, passes, types
from stablemate.analysis.explain.opcodes import MEANINGS as HLO_ALONE
from stablemate.analysis.explain.page import DescriptionRow, Explanation, PageSection
from stablemate.dialects.registry import OPERATIONS

INDEX: Final = "index"
EXAMPLES: Final = 3  # names of a group that the index shows
SHOWN_IN_FULL: Final = "stablehlo"


def operations_of(dialect: str) -> Callable[[], Iterable[str]]:
    """The operations of a dialect, without its name."""
    start = f"{dialect}."
    return lambda: [name.removeprefix(start) for name in OPERATIONS if name.startswith(start)]


def concept_titles() -> Iterable[str]:
    """The first name of each concept."""
    return (names[0] for names, *_ in concepts.rows())


GROUPS: Final[Mapping[str, tuple[str, Callable[[], Iterable[str]]]]] = {
    "stablehlo": ("operations of StableHLO", operations_of("stablehlo")),
    "chlo": ("operations of CHLO", operations_of("chlo")),
    "sdy": ("operations of Shardy", operations_of("sdy")),
    "opcodes": ("opcodes that only HLO has", lambda: HLO_ALONE),
    "attributes": ("attributes", attributes.names),
    "types": ("types", types.names),
    "codes": ("codes of errors that belong to no operation", codes.names),
    "passes": ("passes", passes.names),
    "concepts": ("concepts", concept_titles),
}


def index_page(asked: str) -> Explanation | None:
    """The index, or a group of it: ``index attributes``; None if something else is asked for."""
    word, _, group = asked.partition(" ")
    if word != INDEX or (group and group not in GROUPS):
        return None
    if group:
        title, names = GROUPS[group]
        sections = (PageSection(title[0].upper() + title[1:], text=", ".join(sorted(names()))),)
        return Explanation(asked, "index", f"The {title}; each has a page.", sections)
    title, names = GROUPS[SHOWN_IN_FULL]
    rows = tuple(group_row(name) for name in GROUPS if name != SHOWN_IN_FULL)
    return Explanation(
        INDEX,
        "index",
        "Whatever is named here has a page; so have rules, such as dot_general C12, codes of "
        "errors, shapes of XLA, and functions of NumPy, JAX and PyTorch.",
        (
            PageSection("Operations of StableHLO", text=", ".join(sorted(names()))),
            PageSection("Others", rows),
        ),
    )


def group_row(group: str) -> DescriptionRow:
    """A group of the index: how many pages it has, and some of them."""
    title, names = GROUPS[group]
    known = sorted(names())
    examples = ", ".join(known[:: max(1, len(known) // EXAMPLES)][:EXAMPLES])
    return DescriptionRow(f"index {group}", f"{len(known)} {title}, such as {examples}")
