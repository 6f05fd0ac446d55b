"""Puts the statements of one function in the place of one statement of another.

Values are renamed: arguments become the operands, results keep the names that are in use, and all
others get a name that is free.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

VALUE = re.compile(r"%(?:[0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)(?:#[0-9]+)?")
RETURN = re.compile(r"\s*(?:func\.)?return\b([^:]*)(?::.*)?\Z", re.DOTALL)


def splice_function(
    statements: Sequence[str], arguments: Mapping[str, str], results: Sequence[str],
    used: Iterable[str],
) -> str | None:  # fmt: skip
    """The statements of a function with the names of another.

    Args:
        statements: The statements, the last of which returns.
        arguments: The operand for each argument.
        results: The names that the returned values are to have.
        used: The names that are in use.

    Returns:
        The text; None if a returned value cannot get its name, because it is an argument or is
        returned twice.
    """
    ending = RETURN.match(statements[-1]) if statements else None
    returned: list[str] = VALUE.findall(ending[1]) if ending else []
    if len(returned) != len(results) or len(set(returned)) < len(returned):
        return None
    if any(name in arguments or "#" in name for name in returned):
        return None
    names: dict[str, str] = {**arguments, **dict(zip(returned, results, strict=True))}
    names_in_use = {*used, *names.values()}
    body = "\n".join(statements[:-1])

    def rename_value(match: re.Match[str]) -> str:
        whole = str(match[0])
        base, separator, selector = whole.partition("#")
        if whole in names:
            return names[whole]
        if base not in names:
            names[base] = free_name(base, names_in_use)
        return names[base] + separator + selector

    return VALUE.sub(rename_value, body)


def free_name(name: str, names_in_use: set[str]) -> str:
    """A name that is not in use, which becomes used."""
    stem = name if not name[1:].isdigit() else f"%v{name[1:]}"
    candidate, number = stem, 0
    while candidate in names_in_use:
        candidate, number = f"{stem}_{number}", number + 1
    names_in_use.add(candidate)
    return candidate
