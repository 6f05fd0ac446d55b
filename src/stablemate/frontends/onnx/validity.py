"""Operations of a translated graph that break rules.

Source: StableHLO specification, the constraints of operations.
"""

from __future__ import annotations

from dataclasses import replace

from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import VerifyError
from stablemate.ir.core import Block
from stablemate.ir.locations import NameLocation
from stablemate.ir.type_rules import TypeChecker
from stablemate.ir.verifier import errors_among, findings_of


def reject_invalid(block: Block) -> None:
    """Rejects operations that break rules, as those of nodes whose inputs do not fit together.

    Raises:
        VerifyError: One does; a note names the node.
    """
    types = TypeChecker()
    for operation in block.operations:
        for error in errors_among(findings_of(operation, types)):
            name = operation.location.name if isinstance(operation.location, NameLocation) else ""
            note = Diagnostic(f"it stands for the node {name!r} of the model")
            raise VerifyError(replace(error, notes=(*error.notes, note)))
