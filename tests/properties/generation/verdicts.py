"""Whether our verifier and jaxlib's say the same of programs that may be invalid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import stablemate as sm
from tests.oracle.client import Oracle, OracleAborted
from tests.properties.generation.choices import Choices
from tests.properties.generation.comparison import Finding
from tests.properties.generation.modules import module_of
from tests.properties.generation.mutations import mutate
from tests.properties.generation.programs import generate

NOT_CHECKED: Final = "the specification demands it; jaxlib does not check it"
NOT_SPECIFIED: Final = "deprecated, without a section in the specification; XLA refuses it"

# Rules by which we refuse what jaxlib's verifier accepts. Nothing is accepted that it refuses.
KNOWN: Final[Mapping[str, str]] = {
    "stablehlo.bitcast_convert C1": NOT_CHECKED,
    "stablehlo.compare C3": NOT_CHECKED,
    "stablehlo.convolution C27": NOT_CHECKED,
    "stablehlo.dot_general C13": NOT_CHECKED,
    "stablehlo.dynamic_broadcast_in_dim C7": NOT_CHECKED,
    "stablehlo.dynamic_iota C1": NOT_CHECKED,
    "stablehlo.einsum C1": NOT_SPECIFIED,
    "stablehlo.einsum C2": NOT_SPECIFIED,
    "stablehlo.reduce": "as many init_values as inputs (C3); jaxlib rounds the number down",
    "stablehlo.reduce C2": NOT_CHECKED,
    "stablehlo.reduce_window": "as many init_values as inputs (C1); jaxlib rounds the number down",
    "stablehlo.reduce_window C3": NOT_CHECKED,
    "stablehlo.rng_bit_generator C2": NOT_CHECKED,
    "stablehlo.scatter": "as many updates as inputs (C5); jaxlib rounds the number down",
    "stablehlo.scatter C6": NOT_CHECKED,
}


class Verdicts:
    """Compares verdicts.

    Attributes:
        oracle: The other verifier.
        findings: Programs on which the two differ.
        accepted: How many programs both accept.
        refused: How many programs both refuse.
        known: How many programs only we refuse, for a known reason.
        aborted: How many programs the other verifier did not survive.
    """

    def __init__(self, oracle: Oracle) -> None:
        self.oracle = oracle
        self.findings: list[Finding] = []
        self.accepted = self.refused = self.known = self.aborted = 0

    def compare(self, text: str) -> None:
        """Asks both verifiers about a program; an empty text is none."""
        if not text:
            return
        ours = rules_broken(text)
        try:
            theirs = self.oracle.diagnostics(text)
        except OracleAborted:
            self.aborted += 1
            return
        if bool(ours) == bool(theirs):
            self.accepted += not ours
            self.refused += bool(ours)
        elif theirs:
            self.findings.append(Finding("accepted here", theirs[0][0], text))
        elif ours[0] in KNOWN:
            self.known += 1
        else:
            self.findings.append(Finding("refused here", ours[0], text))


def rules_broken(text: str) -> list[str]:
    """The rules that a program breaks, or messages where no rule is named."""
    try:
        diagnostics = sm.load(text).diagnostics()
    except sm.StablemateError as error:
        return [each.rule or each.message for each in error.diagnostics] or [str(error)]
    return [each.rule or each.message for each in diagnostics]


def mutated(choices: Choices, family: str = "") -> str:
    """The text of a program with one thing changed, in the generic form; empty if there is none."""
    piece = mutate(choices, generate(choices, family), "p")
    return "" if piece is None else module_of([piece]).to_text(generic=True)
