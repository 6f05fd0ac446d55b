"""Compares conversions with jaxlib's, and looks for losses that no warning names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import stablemate as sm
from stablemate.api.hlo_conversion import hlo_from_stablehlo, stablehlo_from_hlo
from stablemate.formats.hlo.proto.reader import read_proto
from stablemate.formats.hlo.proto.writer import write_proto
from stablemate.ir import core
from stablemate.ir.verifier import verify
from stablemate.transforms.sdy_round_trip_export import sdy_round_trip_export
from stablemate.xla.module import HloModule
from stablemate.xla.translate.losses import Losses
from stablemate.xla.verifier import verify as verify_hlo
from tests.oracle.client import Oracle, OracleError
from tests.properties.conversions import listed
from tests.properties.conversions.facts import Facts, hlo_facts, mlir_facts

ABSENT: Final = "(none)"


@dataclass
class Conversions:
    """The comparison of conversions.

    Attributes:
        oracle: jaxlib.
        differences: What is not as in jaxlib, and what is lost in silence.
        outcomes: How often what was found.
    """

    oracle: Oracle
    differences: list[str] = field(default_factory=list[str])
    outcomes: Counter[str] = field(default_factory=Counter[str])

    def report(self, kind: str, source: str, key: tuple[str, str], ours: str, theirs: str) -> None:
        """Records a difference."""
        self.outcomes["differences"] += 1
        self.differences.append(f"{kind} {key}: {ours} | {theirs}\n{source}")

    # ---- from StableHLO and back

    def from_mlir(self, text: str) -> None:
        """Converts a program of StableHLO to HLO and back."""
        module = sm.load(text).ir
        losses = Losses("HLO")
        hlo = hlo_from_stablehlo(module, losses)
        self.check(text, hlo)
        try:
            theirs = read_proto(self.oracle.exported_hlo(text))
        except OracleError:
            self.outcomes["refused by jaxlib"] += 1
            return
        self.compare("to HLO", text, hlo_facts(hlo), hlo_facts(theirs), listed.to_hlo)
        self.import_both(text, theirs)
        self.import_both(text, hlo)
        back = stablehlo_from_hlo(hlo, keep_fusions=False, losses=losses)
        exported = sdy_round_trip_export(module)
        self.find_silence("MLIR-HLO-MLIR", text, mlir_facts(exported), mlir_facts(back), losses)

    def check(self, text: str, hlo: HloModule) -> None:
        """Records what is wrong with a module that was converted."""
        for finding in verify_hlo(hlo):
            self.report("invalid HLO", text, ("module", "valid"), str(finding), "")

    # ---- from HLO and back

    def from_hlo(self, text: str) -> None:
        """Converts a module of HLO to StableHLO and back."""
        hlo = sm.load(text, format="hlo").tree  # type: ignore[attr-defined]
        self.import_both(text, hlo)
        losses = Losses("StableHLO")
        module = stablehlo_from_hlo(hlo, keep_fusions=False, losses=losses)
        back = hlo_from_stablehlo(module, losses)
        self.check(text, back)
        self.find_silence("HLO-MLIR-HLO", text, hlo_facts(hlo), hlo_facts(back), losses)

    def import_both(self, text: str, hlo: HloModule) -> None:
        """Compares the import of a module."""
        try:
            imported = self.oracle.imported_stablehlo(write_proto(hlo))
        except OracleError:
            self.outcomes["refused by jaxlib"] += 1
            return
        ours = stablehlo_from_hlo(hlo, keep_fusions=False)
        verify(ours)
        theirs = parsed(imported)
        self.compare(
            "to StableHLO", text, mlir_facts(ours), mlir_facts(theirs), listed.to_stablehlo
        )

    # ---- facts

    def compare(
        self, kind: str, source: str, ours: Facts, theirs: Facts, known: listed.Known
    ) -> None:
        """Compares the facts of two modules; known differences are counted."""
        tags, own = {tag for tag, _ in theirs}, {tag for tag, _ in ours}
        for key in ours.keys() | theirs.keys():
            mine, other = ours.get(key, ABSENT), theirs.get(key, ABSENT)
            if mine == other:
                self.outcomes[f"equal {kind}"] += 1
            elif key[0] not in tags:
                self.outcomes[f"left out by jaxlib {kind}"] += 1
            elif key[0] not in own and kind == "to StableHLO":
                self.outcomes["only in code that nothing calls"] += 1
            elif (
                ours.get((key[0], "opcode")) == "transpose"
                and theirs.get((key[0], "opcode")) != "transpose"
            ):
                self.outcomes["jaxlib folds transpositions"] += 1
            elif theirs.get((key[0], "operation"), "").startswith(listed.OF_MHLO):
                self.outcomes["jaxlib keeps an operation of MHLO"] += 1
            elif reason := known(key, mine, other, ours):
                self.outcomes[f"{kind}: {reason}"] += 1
            else:
                self.report(kind, source, key, mine, other)

    def find_silence(
        self, kind: str, source: str, before: Facts, after: Facts, losses: Losses
    ) -> None:
        """Reports facts that are gone and that no warning names."""
        named = {what for what, _ in losses.found}
        tags = {tag for tag, _ in after}
        for key, fact in before.items():
            now = after.get(key, ABSENT)
            if now == fact:
                self.outcomes[f"kept {kind}"] += 1
            elif key[0] not in tags and not named.isdisjoint(listed.TAGS):
                self.outcomes[f"tag is named {kind}"] += 1
            elif listed.is_named(key, named):
                self.outcomes[f"named {kind}"] += 1
            elif reason := listed.renamed(key, fact, now, before):
                self.outcomes[f"{kind}: {reason}"] += 1
            else:
                self.report(f"lost {kind}", source, key, fact, now)


def parsed(text: str) -> core.Module:
    """The module in jaxlib's text, which may hold operations of MHLO."""
    return sm.load(text, format="mlir").ir
