"""Programs by structure: ``sm.diff``, ``sm.fingerprint``."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from stablemate.analysis.structure.changes import Diff
from stablemate.analysis.structure.diff import difference_of
from stablemate.analysis.structure.fingerprint import Fingerprint, fingerprint_of
from stablemate.analysis.structure.hlo_outline import outline_of_hlo
from stablemate.analysis.structure.outline import ProgramOutline
from stablemate.analysis.structure.stablehlo_outline import outline_of
from stablemate.api.loading import load
from stablemate.api.module import HloModule, Module
from stablemate.formats.recognition import Readable
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.transforms.sdy_round_trip_export import sdy_round_trip_export


def diff(a: Readable | Module, b: Readable | Module, *, debug_info: bool = False) -> Diff:
    """Compares two programs by structure and not by text.

    Names of values, the order of functions and locations do not count. Functions are paired by name
    and structure, operations by data flow; what is left is inserted, removed, changed or moved.
    If only one of the programs is HLO, its translation to StableHLO is compared, with the other one
    in the form in which HLO states shardings.

    Args:
        a: A program, or what ``load`` takes.
        b: Another one.
        debug_info: Whether locations, metadata and the names that producers note count too.

    Returns:
        The difference: false if there is none.

    Raises:
        VerifyError: HLO that is to be translated is not valid.
        UnsupportedError: HLO that is to be translated has no form in StableHLO.
    """
    programs = [load_if_needed(a), load_if_needed(b)]
    kinds = {isinstance(program, HloModule) for program in programs}
    as_hlo, is_mixed = kinds == {True}, len(kinds) == 2
    with without_garbage_collection():
        found = difference_of(
            *(
                outline(program, as_hlo=as_hlo, debug_info=debug_info, export=is_mixed)
                for program in programs
            )
        )
    a, b = (program.read_name for program in programs)
    return replace(found, a=found.a or a, b=found.b or b)


def fingerprint(source: Readable | Module, *, ignore: Collection[str] = ()) -> Fingerprint:
    """A digest of what a program is: the same for the same program in text, bytecode and artifacts.

    It does not depend on names of values, functions and symbols, on locations, on the order of
    functions, or on the version of stablemate. It depends on the order of operations, on attributes
    and types. A program in HLO has another fingerprint than its translation.

    Args:
        source: A program, or what ``load`` takes.
        ignore: ``("constants",)`` for the structure alone: values of constants do not count.

    Raises:
        ArgumentValueError: Something else is to be ignored.
    """
    module = load_if_needed(source)
    with without_garbage_collection():
        return fingerprint_of(outline(module, as_hlo=True), ignore)


def load_if_needed(source: Readable | Module) -> Module:
    """A program, read if it is none yet."""
    return source if isinstance(source, Module) else load(source)


def outline(
    module: Module, *, as_hlo: bool, debug_info: bool = False, export: bool = False
) -> ProgramOutline:
    """The outline of a program.

    Args:
        module: The program.
        as_hlo: Whether HLO is outlined as it is, else its translation.
        debug_info: Whether locations and names of the source count.
        export: Whether shardings of Shardy are stated as HLO states them.
    """
    if as_hlo and isinstance(module, HloModule):
        return outline_of_hlo(module.tree, debug_info=debug_info)
    if isinstance(module, HloModule):
        return outline_of(module.ir, debug_info=debug_info)
    ir = module.to_stablehlo().ir
    return outline_of(sdy_round_trip_export(ir) if export else ir, debug_info=debug_info)
