"""Whether our verifier and jaxlib's say the same of programs that may be invalid."""

from __future__ import annotations

import re
from typing import Final

import stablemate as sm
from tests.oracle.client import Oracle, OracleAborted
from tests.properties.generation.choices import Choices
from tests.properties.generation.findings import Finding
from tests.properties.generation.modules import module_of
from tests.properties.generation.mutations import mutate
from tests.properties.generation.programs import generate

# Rules by which we refuse changed programs that jaxlib's verifier accepts; docs/conformance.toml
# says why. Nothing is accepted that it refuses.
KNOWN: Final[frozenset[str]] = frozenset()
BROADCASTING: Final = re.compile(r"(?<=^chlo\.broadcast_)\w+(?= broadcast_dimensions$)")


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
        elif BROADCASTING.sub("add", ours[0]) in KNOWN:
            self.known += 1
        else:
            self.findings.append(Finding("refused here", ours[0], text))


def rules_broken(text: str) -> list[str]:
    """The rules that a program breaks, or messages where no rule is named."""
    try:
        diagnostics = sm.load(text).diagnostics()
    except sm.StablemateError as error:
        return [diagnostic.rule or diagnostic.message for diagnostic in error.diagnostics] or [
            str(error)
        ]
    return [
        diagnostic.rule or diagnostic.message
        for diagnostic in diagnostics
        if diagnostic.severity == "error"
    ]


def mutated(choices: Choices, family: str = "") -> str:
    """The text of a program with one thing changed, in the generic form; empty if there is none."""
    piece = mutate(choices, generate(choices, family), "p")
    return "" if piece is None else module_of([piece]).to_text(generic=True)
