"""Counts what a reader of the code stumbles over: words that mean several things, or nothing.

    python -m tools.words            # a line for each count
    python -m tools.words --list shared-classes

The counts are of ``src``: public classes of modules that share their name with another, functions
whose name is a participle alone, docstrings of at most four words that are no formula and no
constraint, docstrings that begin with "What", parameters that are explained by a pronoun, words in
British spelling, modules that name twelve operations or more, and annotations ``Any``. ``--list``
prints what one of them counts, with its places.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from stablemate.dialects.stablehlo.dialect import FILES

SOURCE: Final = Path(__file__).parents[1] / "src" / "stablemate"
FEW_WORDS: Final = 4
MANY_OPERATIONS: Final = 12
PARTICIPLE: Final = re.compile(r"_?[a-z]+(ed|en|ing|wn|ne|ade|ept|eft|ept|eld|aid|ent)")
# Nouns, adjectives and verbs that end like participles.
WORDS: Final = """
    accept adjacent affine agent alignment arctangent argument arrangement ascending assignment
    baseline beginning between binding bring broadcasting children client clone coefficient
    combine comment complement component concept concurrent content cosine current debugging
    define descending determine docstring document downgrade element embed embedding encoding
    engine environment event everyone everything exceed except exponent extent fade feed field
    finding flatten fragment golden grade gradient headline importing indent indexed infeed
    inline intercept is_consistent is_current is_everything is_movement is_one is_open
    is_quotient is_refinement is_token lane line listen lowering machine mapping markdown
    meaning need none nothing one open outfeed outline padding pade parent patent pipeline
    placement plane postpone present proceed quotient readline refine replacement ring rounding
    routine screen searchsorted seed segment setting shade sharding shed shield shorten sine
    spawn spelling statement stirling string strings tangent tiling token training typing
    unflatten upgrade when widen yield zone
"""
NOUNS: Final = frozenset(WORDS.split())
CODE: Final = re.compile(r"``[^`]*``")
FORMULA: Final = re.compile(r"[=<>+*/^(]")
PRONOUN: Final = re.compile(r"^\s+\w+: (It|Them|Its own|See above|The same|Those|That)\.$", re.M)
BRITISH: Final = re.compile(
    r"(speciali|vectori|recogni|normali|optimi|initiali|seriali|synchroni|organi|minimi|maximi"
    r"|generali|canonicali|quanti|finali|materiali|paralleli|reali|summari|utili|visuali|authori"
    r"|capitali|customi|emphasi|lineari|locali|memori|minimi|moderni|penali|randomi|rationali"
    r"|standardi|symboli|tokeni|analy|paraly|internali|equali|digiti|categori)s(e[ds]?|ing|ation)\b"
    r"|(colou|neighbou|behaviou|favou|honou|labou|flavou|harbou|rumou)r"
    r"|(cent|met|fib|theat)re[sd]?\b|grey|artefact|licence|judgement|acknowledgement|dialogue"
    r"|(cance|mode|labe|trave|signa|leve|tota|fue|marsha|tunne)ll(ed|ing|er)\b"
    r"|fulfil\b|instal\b|enrol\b|whilst|amongst|programme[sd]?\b|catalogue",
    re.IGNORECASE,
)
# Names that gRPC, asyncio and command lines give to what they call so.
PROTOCOL_NAMES: Final = re.compile(r"\bCANCELLED\b|\.cancelled\(|\"--colour\"")


def modules() -> list[Path]:
    """The files of the package."""
    return sorted(SOURCE.rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a module; each is parsed once for all counts."""
    return ast.parse(path.read_text("utf-8"))


def definitions() -> Iterator[tuple[Path, ast.AST]]:
    """All nodes of all modules."""
    for path in modules():
        for node in ast.walk(tree(path)):
            yield path, node


def place(path: Path, node: ast.AST) -> str:
    """``compiler/pipeline.py:41``."""
    return f"{path.relative_to(SOURCE)}:{getattr(node, 'lineno', 1)}"


def shared_classes() -> Iterator[str]:
    """Top-level classes whose name another module uses, too."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in modules():
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(place(path, node))
    for name, places in sorted(homes.items(), key=lambda item: (-len(item[1]), item[0])):
        yield from (f"{name} {where}" for where in places if len(places) > 1)


def participles() -> Iterator[str]:
    """Functions whose name is a participle alone; those of properties may be."""
    for path, node in definitions():
        is_function = isinstance(node, ast.FunctionDef) and not node.decorator_list
        if is_function and PARTICIPLE.fullmatch(node.name) and node.name not in NOUNS:
            yield f"{node.name} {place(path, node)}"


def documented() -> Iterator[tuple[Path, ast.AST, str]]:
    """Everything that has a docstring, with it."""
    for path, node in definitions():
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield path, node, ast.get_docstring(node) or ""


def short_docstrings() -> Iterator[str]:
    """Docstrings of functions that have at most four words, and are no formula."""
    for path, node, text in documented():
        if not isinstance(node, ast.FunctionDef) or is_formula(text) or is_constraint(node):
            continue
        if 0 < len(text.split()) <= FEW_WORDS:
            yield f"{place(path, node)} {node.name}: {text}"


def is_constraint(node: ast.FunctionDef) -> bool:
    """Whether a function is a constraint, whose docstring is the rule that errors quote."""
    return any("constraint" in ast.unparse(decorator) for decorator in node.decorator_list)


def is_formula(text: str) -> bool:
    """Whether a docstring is a formula, a literal or a signature: it says all in few words."""
    return bool(FORMULA.search(text)) or not re.search("[a-z]{3}", CODE.sub("", text))


def what_docstrings() -> Iterator[str]:
    """Docstrings that begin with "What"."""
    for path, node, text in documented():
        if text.startswith("What "):
            yield f"{place(path, node)} {text.splitlines()[0]}"


def pronouns() -> Iterator[str]:
    """Parameters that their docstring explains by a pronoun."""
    for path, node, text in documented():
        for found in PRONOUN.finditer("\n" + text):
            yield f"{place(path, node)} {found[0].strip()}"


def british_words() -> Iterator[str]:
    """Words in British spelling, in code, comments, docstrings and messages."""
    for path in modules():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for found in BRITISH.finditer(PROTOCOL_NAMES.sub("", line)):
                yield f"{found[0]} {path.relative_to(SOURCE)}:{number}"


def operation_lists() -> Iterator[str]:
    """Modules that name at least twelve operations of StableHLO as strings."""
    known = {name for names in FILES.values() for name in names.split()}
    for path in modules():
        nodes = list(ast.walk(tree(path)))
        sentences = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        constants = (node for node in nodes if isinstance(node, ast.Constant))
        texts = (node.value for node in constants if id(node) not in sentences)  # no docstrings
        strings = (text.partition(" ")[0] for text in texts if isinstance(text, str))
        words = {text.removeprefix("stablehlo.") for text in strings}
        if len(named := words & known) >= MANY_OPERATIONS:
            yield f"{path.relative_to(SOURCE)} {len(named)}"


def any_types() -> Iterator[str]:
    """Places of ``Any`` in annotations."""
    for path, node in definitions():
        if isinstance(node, ast.Name) and node.id == "Any":
            yield place(path, node)


COUNTS: Final[dict[str, Callable[[], Iterator[str]]]] = {
    "shared-classes": shared_classes,
    "participles": participles,
    "short-docstrings": short_docstrings,
    "what-docstrings": what_docstrings,
    "pronouns": pronouns,
    "british-words": british_words,
    "operation-lists": operation_lists,
    "any-types": any_types,
}


def main() -> None:
    """Prints the counts, or what one of them counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", choices=COUNTS, help="print what this counts, with places")
    chosen = parser.parse_args().list
    if chosen:
        print(*COUNTS[chosen](), sep="\n")
        return
    for name, find in COUNTS.items():
        print(f"{name:>18} {sum(1 for _ in find()):>6}")


if __name__ == "__main__":
    main()
