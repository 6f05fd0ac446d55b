"""Dialects: what each of them says about all of its operations and attributes."""

from __future__ import annotations

from typing import Final

from stablemate.deferred_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A namespace of operations, types and attributes.

    Attributes:
        name: What names of operations begin with.
        attribute_rules: The module with the rules for its discardable attributes; empty if there
            are none. It is imported when the first of them is looked up.
        upstream_leniency: The module with the rules that upstream's verifier does not check,
            likewise.
        passes_values: Whether its operations only pass values on, and compute nothing with tensors.
        verifies_form: Whether the rules of an operation without regions and effects, which names no
            symbol, look at nothing but its operands, attributes and results.
    """

    name: str
    attribute_rules: str = ""
    upstream_leniency: str = ""
    passes_values: bool = False
    verifies_form: bool = False


DIALECTS: Final[dict[str, Dialect]] = {}  # by name; filled at import, then left alone


def register_dialect(dialect: Dialect) -> None:
    """Registers a dialect, by whose name its operations and types are found."""
    DIALECTS[dialect.name] = dialect


def dialect_of(name: str) -> Dialect:
    """The dialect of a name such as ``stablehlo.add``, also if it is not known."""
    prefix = name.partition(".")[0]
    return DIALECTS.get(prefix) or Dialect(name=prefix)
