"""Module: a program to run, convert and inspect."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace

from stablemate import analysis, api, transforms
from stablemate.api.conversion import DEFAULT_TARGET, ConversionRequest, stated_format
from stablemate.api.hlo import HloProgram
from stablemate.api.runnable import Runnable
from stablemate.atomic_files import write_atomically
from stablemate.diagnostics.diagnostic import Diagnostic
from stablemate.diagnostics.errors import (
    ArgumentValueError,
    ConversionWarning,
    ParseError,
    UnsupportedError,
)
from stablemate.diagnostics.file_errors import file_errors, path_name
from stablemate.diagnostics.limits import DEFAULT_LIMITS, Limits
from stablemate.diagnostics.source import Source
from stablemate.dialects.vhlo.versions import target_version
from stablemate.formats import bytecode, jax_export
from stablemate.formats.bytecode.container import NEWEST_VERSION
from stablemate.formats.mlir.parser import module_text, parse_types
from stablemate.ir import core
from stablemate.ir.equality import difference
from stablemate.ir.garbage_collection import without_garbage_collection
from stablemate.ir.types import Type
from stablemate.transforms import vhlo


class Module(Runnable):
    """A program in StableHLO, or in VHLO; ``HloModule`` is one in HLO."""

    def refine(self, types: str | Sequence[str | Type] | None = None) -> Module:
        """The program for these argument types, with all shapes that follow from them.

        Shapes go through calls, loops and branches; computations of sizes become constants, and
        dynamic operations static ones. Assertions about sizes are checked.

        Args:
            types: A type for each argument of ``main``, or of the only function: a text such as
                ``"tensor<4xf32>, tensor<i32>"``, or a sequence; by default the declared types.

        Raises:
            ArgumentValueError: A text is no type, or a type not one that the argument can have.
            VerifyError: With these types an operation breaks a rule, or an assertion fails.
        """
        self.verify_executable()
        return Module(
            transforms.refine_module(self.ir, None if types is None else stated_types(types)),
            self.format,
        )

    def partition(self, *, replicas: int = 1, entry: str | None = None) -> Module:
        """The program of one device, of a program of global tensors with shardings.

        Its arguments and results are pieces; what it needs of other devices comes by collective
        operations. It runs on a grid with as many partitions as the mesh has devices.

        Args:
            replicas: How many replicas of the mesh there are.
            entry: The function; by default ``main``, or the only one.

        Raises:
            ArgumentValueError: The program has no shardings.
            UnsupportedError: An operation cannot be divided as its operands are; it is named.
        """
        self.verify_executable()
        name = self.entry(entry).own_signature.name
        return Module(transforms.partition_program(self.ir, name, replicas).module, self.format)

    def to_text(
        self, *, generic: bool = False, debug_info: bool = False, elide: int | None = None
    ) -> str:
        """The program as MLIR text; reading it returns an equal module.

        Args:
            generic: Whether to write the generic form.
            debug_info: Whether to write locations.
            elide: Literals of more elements than this are left out; the text cannot be run.
        """
        return module_text(self.ir, generic=generic, debug_info=debug_info, elide=elide)

    def to_bytecode(self, version: int = NEWEST_VERSION, *, producer: str | None = None) -> bytes:
        """The program as MLIR bytecode, with all locations; reading it returns an equal module.

        Bytecode that MLIR wrote is written as it was, byte for byte, in the version that it had.

        Args:
            version: The version of the format, 0 to 6.
            producer: Who is said to have written it; by default who wrote the file that was read,
                unless that was a portable artifact and this is none.

        Raises:
            UnsupportedError: There is no such version.

        Source: MLIR bytecode format.
        """
        if producer is None and self.artifact_version and not vhlo.holds_vhlo(self.ir):
            producer = bytecode.DEFAULT_PRODUCER
        return bytecode.write_bytecode(self.ir, version, producer)

    def to_artifact(
        self, version: str = "12 weeks", *, mixed: bool = False, expand: bool = False
    ) -> bytes:
        """The program as a portable artifact: what readers of a version of StableHLO can read.

        Args:
            version: The version, such as ``"1.9.0"``, or the age of the oldest reader:
                ``"4 weeks"``, ``"12 weeks"``, ``"max"``; ``"newest"`` is the newest version.
            mixed: Whether operations and attributes of other dialects, such as shardings, stay as
                they are; otherwise they are rejected. Only readers of 1.11.0 and later know such
                artifacts.
            expand: Whether what is newer than the version is written in older operations, where
                that can be done.

        Raises:
            ArgumentValueError: There is no such version, or it is not known here.
            UnsupportedError: The version cannot say what the program says, or artifacts cannot.

        Source: StableHLO, compatibility guarantees.
        """
        return vhlo.write_artifact(self.ir, target_version(version), mixed=mixed, expand=expand)

    def to_stablehlo(self, *, keep_fusions: bool = False, strict: bool = False) -> Module:
        """The program in StableHLO: itself, unless it is in VHLO, as artifacts are.

        Args:
            keep_fusions: Whether fused computations of HLO stay functions.
            strict: Whether it is an error if something is left out; nothing is of VHLO.

        Raises:
            VerifyError: An operation of VHLO is not as its revision is declared.
            UnsupportedError: It says something that StableHLO has no form for.
        """
        return (
            Module(vhlo.from_artifact(self.ir), self.format) if vhlo.holds_vhlo(self.ir) else self
        )

    def to_hlo(self, *, strict: bool = False) -> HloModule:
        """The program in HLO, as XLA's own translation would have it.

        What HLO has no place for is left out with a ``ConversionWarning``.

        Args:
            strict: Whether that is an error.

        Raises:
            VerifyError: The program is not valid.
            UnsupportedError: HLO has no form for an operation or a type, such as quantized ones; or
                has no place for something else that the program says, and ``strict`` is set.
        """
        self.verify_executable()
        losses = api.Losses("HLO")
        module = HloModule(api.hlo_from_stablehlo(self.ir, losses))
        report_losses(losses.diagnostics(), strict=strict)
        return module

    def minimum_version(self) -> str:
        """The oldest version of StableHLO that ``to_artifact`` can write the program for.

        Raises:
            UnsupportedError: Artifacts of no version can say what the program says.
        """
        return str(vhlo.minimum_version(self.ir))

    def contents(self) -> analysis.Contents:
        """The contents: functions, operations, custom calls, constants, versions, costs.

        It need not be valid; what only valid programs have is left out then.
        """
        return analysis.contents_of(
            self.ir, format=self.format, bytes=self.read_bytes, exported=self.exported
        )

    def cost(
        self, *, entry: str | None = None, grid: tuple[int, int] | None = None,
        network: str | analysis.Network | None = None,
        machine: str | analysis.ProcessorPeaks | None = None, plan: bool = True,
        sizes: str | Mapping[str, int] | None = None,
    ) -> analysis.ProgramCost:  # fmt: skip
        """Predicts the cost of a call of a function; see ``sm.cost``."""
        from stablemate.api.inspection.costs import cost  # here, because few ask for it

        return cost(
            self, entry=entry, grid=grid, network=network, machine=machine, plan=plan, sizes=sizes
        )

    def vjp(self) -> Module | None:
        """The gradient function, if ``jax.export`` stored it beside the function.

        It takes the leaves of the arguments, then a cotangent for each leaf of the result.
        """
        if self.exported is None or self.exported.vjp is None:
            return None
        name = f"gradient of {self.exported.function_name}"
        payload = self.exported.vjp.payload
        module, _ = binary_module(payload, name, DEFAULT_LIMITS, upgrade=True)
        return Module(module, "jax_export", self.exported.vjp)

    def to_jax_export(self) -> bytes:
        """The program as the container of ``jax.export`` that it was read from.

        What JAX wrote is written as it was, byte for byte. A program that has changed since is put
        in its place, as an artifact of the same version.

        Raises:
            ArgumentValueError: It does not come from ``jax.export``.
        """
        if self.exported is None:
            raise ArgumentValueError(
                "only a program that was read from jax.export has a calling convention of JAX"
            )
        if self.version == self.read_version:
            return jax_export.write_exported(self.exported)
        payload = memoryview(self.to_artifact(self.artifact_version or "12 weeks", mixed=True))
        return jax_export.write_exported(replace(self.exported, payload=payload))

    def save(
        self, path: str | os.PathLike[str], *, format: str | None = None,
        target: str | None = None, bytecode_version: int | None = None, mixed: bool = False,
        expand: bool = False, debug_info: bool = False,
    ) -> None:  # fmt: skip
        """Writes the program to a file, in the format of its ending; see ``sm.save``."""
        name = path_name(path)
        request = ConversionRequest(
            stated_format(format, name), target, bytecode_version, mixed, expand, debug_info
        )
        request.require_own_options()
        if request.to != "generic":
            self.verify()
        content = self.encoded(request)
        with file_errors("write", name):
            write_atomically(name, lambda stream: stream.write(content))

    def encoded(self, request: ConversionRequest) -> bytes:
        """The program in a format.

        Raises:
            ArgumentError: There is no such version, or it does not come from ``jax.export``.
            UnsupportedError: The format, in that version, cannot say what the program says.
        """
        match request.to:
            case "hlo":
                return self.hlo_for(request).to_text().encode("utf-8", "surrogateescape")
            case "hlo_proto":
                return self.hlo_for(request).to_proto()
            case "bytecode":
                version = request.bytecode_version
                return self.to_bytecode(NEWEST_VERSION if version is None else version)
            case "artifact":
                target = request.target or self.artifact_version or DEFAULT_TARGET
                return self.to_artifact(target, mixed=request.mixed, expand=request.expand)
            case "jax_export":
                return self.to_jax_export()
            case _:
                is_generic = request.to == "generic"
                text = self.to_text(generic=is_generic, debug_info=request.debug_info)
                return (text.rstrip("\n") + "\n").encode("utf-8", "surrogateescape")

    def hlo_for(self, request: ConversionRequest) -> HloModule:
        """The program in HLO, with warnings of what the format has no place for either."""
        module = self.to_hlo(strict=request.strict)
        report_losses(module.losses_in(request.to), strict=request.strict)
        return module

    @property
    def producer(self) -> str | None:
        """Who wrote the bytecode or artifact that this was read from; None for text."""
        return self.ir.origin.producer if self.ir.origin else None

    @property
    def artifact_version(self) -> str | None:
        """The version of StableHLO that the artifact was written for which this was read from."""
        version = vhlo.artifact_version(self.ir)
        return None if version is None else str(version)

    def difference(self, other: Module) -> str:
        """The first difference from another module, in words; empty if they are equal."""
        return difference(self.ir, other.ir)

    def _repr_html_(self) -> str:
        from stablemate.api.inspection.viewing import view  # here, because few ask for it

        return view(self).frame

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<stablemate.Module {self.name or '(no name)'}: {', '.join(self.functions)}>"


class HloModule(HloProgram, Module):
    """A module of XLA HLO.

    It is exact in its own formats, text and protocol buffers. All else that a ``Module`` can do, it
    does by its translation to StableHLO.

    Attributes:
        tree: Computations, instructions, shapes and layouts, as frozen values.
        format: ``hlo``, ``hlo_proto`` or ``builder``.
    """

    def to_stablehlo(self, *, keep_fusions: bool = False, strict: bool = False) -> Module:
        """The program in StableHLO: a new module, which may be changed.

        What StableHLO has no place for is left out with a ``ConversionWarning``.

        Args:
            keep_fusions: Whether fused computations stay functions of their own.
            strict: Whether that is an error.

        Raises:
            VerifyError: The module breaks a rule.
            UnsupportedError: StableHLO has no form for an instruction; or has no place for
                something else that the module says, and ``strict`` is set.
        """
        self.verify()
        losses = api.Losses("StableHLO")
        module = api.stablehlo_from_hlo(self.tree, keep_fusions=keep_fusions, losses=losses)
        report_losses(losses.diagnostics(), strict=strict)
        return Module(module, self.format)

    def encoded(self, request: ConversionRequest) -> bytes:
        """The program in a format; in StableHLO if the format is none of HLO."""
        if request.to.startswith("hlo"):
            return super().encoded(request)
        return self.to_stablehlo(strict=request.strict).encoded(request)

    def to_hlo(self, *, strict: bool = False) -> HloModule:
        """Returns the module itself, which is HLO already."""
        return self

    def __repr__(self) -> str:
        return f"<stablemate.HloModule {self.name}: {', '.join(self.tree.by_name)}>"


def binary_module(
    content: object, name: str, limits: Limits, *, upgrade: bool
) -> tuple[core.Module, str]:
    """The program in bytecode or in a portable artifact, and which of them it is."""
    with without_garbage_collection():
        module = vhlo.read_program(content, name, limits)
        if not vhlo.holds_vhlo(module):
            return module, "bytecode"
        return vhlo.from_artifact(module) if upgrade else module, "artifact"


def report_losses(diagnostics: Sequence[Diagnostic], *, strict: bool) -> None:
    """Warns of what a conversion left out.

    Args:
        diagnostics: A warning for each kind of information.
        strict: Whether they are errors.

    Raises:
        UnsupportedError: There are some, and they are errors.
    """
    if strict and diagnostics:
        raise UnsupportedError(
            [replace(diagnostic, severity="error") for diagnostic in diagnostics]
        )
    for diagnostic in diagnostics:
        warnings.warn(ConversionWarning(diagnostic), stacklevel=3)


def stated_types(types: str | Sequence[str | Type]) -> list[Type]:
    """The types that a caller states.

    Raises:
        ArgumentValueError: A text is no type, or no list of types.
    """
    parts = [types] if isinstance(types, str) else types
    try:
        return [t for part in parts for t in types_in(part)]
    except ParseError as error:
        raise ArgumentValueError(error.diagnostics) from None


def types_in(types: str | Type) -> Sequence[Type]:
    """The types in a text; a type is itself."""
    return parse_types(Source(types, "<types>")) if isinstance(types, str) else (types,)
