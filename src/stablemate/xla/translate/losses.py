"""The losses of a conversion: collected while it runs, reported as warnings."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from stablemate.deferred_dataclasses import dataclass
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.source import Span

UNTRANSLATED: Final = "operation that needs no instruction"  # as a holder of what is lost


@dataclass(slots=True)
class Loss:
    """A kind of information that the target has no place for.

    Attributes:
        count: How often it occurs.
        span: Where it occurs first.
        example: What it is there.
    """

    count: int = 0
    span: Span | None = None
    example: str = ""


@dataclass(slots=True)
class Losses:
    """The losses of one conversion, by what is lost and what it belongs to.

    Attributes:
        target: What the program is converted to.
        found: The losses, in the order of their first occurrence.
    """

    target: str
    found: dict[tuple[str, str], Loss] = field(default_factory=dict[tuple[str, str], Loss])

    def add(self, what: str, holder: str, span: Span | None = None, example: object = "") -> None:
        """Records a loss.

        Args:
            what: The name of the attribute or field.
            holder: What has it: ``operation``, ``argument``, ``module`` and the like.
            span: Where it is.
            example: Its value.
        """
        loss = self.found.setdefault((what, holder), Loss())
        if not loss.count:
            loss.span, loss.example = span, str(example)
        loss.count += 1

    def diagnostics(self) -> list[Diagnostic]:
        """A warning for each kind."""
        return [
            Diagnostic(
                f"{self.target} has no place for {what} of {article(holder)}: "
                f"{format_omission(loss.count)}",
                span=loss.span,
                values={"value": loss.example} if loss.example else {},
                severity="warning",
            )
            for (what, holder), loss in self.found.items()
        ]


def article(holder: str) -> str:
    """``an operation``, ``a result``."""
    if holder == "module":
        return "the module"
    return f"{'an' if holder[0] in 'aeiou' else 'a'} {holder}"


def format_omission(count: int) -> str:
    """``it is left out``, ``it is left out 3 times``."""
    return "it is left out" if count == 1 else f"it is left out {count} times"
