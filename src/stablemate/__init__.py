"""stablemate: read, check, run and compile StableHLO and XLA HLO programs.

::

    import stablemate as sm

    module = sm.load("model.mlir")
    module.verify()
    y = module.run(x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from stablemate.lazy_imports import names_on_demand, refuse_sub_interpreters

if TYPE_CHECKING:
    from stablemate.analysis.explain.page import Explanation
    from stablemate.analysis.profile import profile
    from stablemate.analysis.structure.changes import Diff
    from stablemate.analysis.structure.fingerprint import Fingerprint
    from stablemate.analysis.tracing.trace import load_trace
    from stablemate.api.builder import XlaBuilder
    from stablemate.api.building import build
    from stablemate.api.compilation import compile
    from stablemate.api.inspection.costs import cost
    from stablemate.api.inspection.debugging import debug
    from stablemate.api.inspection.explain import explain
    from stablemate.api.inspection.nonfinite import find_nan
    from stablemate.api.inspection.opt import opt
    from stablemate.api.inspection.structure import diff, fingerprint
    from stablemate.api.inspection.tracing import trace
    from stablemate.api.inspection.viewing import View, view
    from stablemate.api.loading import load, parse
    from stablemate.api.module import HloModule, Module
    from stablemate.api.program import Function
    from stablemate.api.running import run, run_grid
    from stablemate.api.saving import save
    from stablemate.api.torch_export import from_torch
    from stablemate.bridges.jax import from_jax
    from stablemate.debugging.bisection import bisect
    from stablemate.debugging.comparison import compare
    from stablemate.debugging.reduction import reduce
    from stablemate.debugging.traces import compare_traces
    from stablemate.deployment.library import NativeLibrary
    from stablemate.diagnostics.diagnostic import Diagnostic
    from stablemate.diagnostics.errors import (
        ArgumentError,
        CompileError,
        ConversionWarning,
        DeadlockError,
        EvaluationError,
        FileError,
        LimitError,
        ParseError,
        StablemateError,
        UnsupportedError,
        VerifyError,
    )
    from stablemate.diagnostics.limits import Limits
    from stablemate.diagnostics.source import Source, Span
    from stablemate.dumps.dump import load_dump
    from stablemate.execution.custom_calls.call import TargetCall
    from stablemate.execution.custom_calls.registry import custom_call
    from stablemate.execution.executable import Executable
    from stablemate.execution.signature import Argument, Signature
    from stablemate.execution.streams import Streams
    from stablemate.explorer.overlays import Overlay
    from stablemate.formats.safetensors import load_weights, save_weights
    from stablemate.frontends.torch.lowering import torch_lowering
    from stablemate.pjrt.jit import jit
    from stablemate.xla.layout import Layout
    from stablemate.xla.shape import Shape

__version__ = "0.1.0"

# Where each public name lives. They are imported when first used: the command line answers
# `--help` without loading NumPy.
HOMES: Final = {
    "Argument": "execution.signature",
    "ArgumentError": "diagnostics.errors",
    "CompileError": "diagnostics.errors",
    "ConversionWarning": "diagnostics.errors",
    "DeadlockError": "diagnostics.errors",
    "Diagnostic": "diagnostics.diagnostic",
    "Diff": "analysis.structure.changes",
    "EvaluationError": "diagnostics.errors",
    "Executable": "execution.executable",
    "Explanation": "analysis.explain.page",
    "FileError": "diagnostics.errors",
    "Fingerprint": "analysis.structure.fingerprint",
    "Function": "api.program",
    "HloModule": "api.module",
    "Layout": "xla.layout",
    "LimitError": "diagnostics.errors",
    "Limits": "diagnostics.limits",
    "Module": "api.module",
    "NativeLibrary": "deployment.library",
    "Overlay": "explorer.overlays",
    "ParseError": "diagnostics.errors",
    "Shape": "xla.shape",
    "Signature": "execution.signature",
    "Source": "diagnostics.source",
    "Span": "diagnostics.source",
    "StablemateError": "diagnostics.errors",
    "Streams": "execution.streams",
    "TargetCall": "execution.custom_calls.call",
    "UnsupportedError": "diagnostics.errors",
    "VerifyError": "diagnostics.errors",
    "View": "api.inspection.viewing",
    "XlaBuilder": "api.builder",
    "bisect": "debugging.bisection",
    "build": "api.building",
    "compare": "debugging.comparison",
    "compare_traces": "debugging.traces",
    "compile": "api.compilation",
    "cost": "api.inspection.costs",
    "custom_call": "execution.custom_calls.registry",
    "debug": "api.inspection.debugging",
    "diff": "api.inspection.structure",
    "explain": "api.inspection.explain",
    "fingerprint": "api.inspection.structure",
    "find_nan": "api.inspection.nonfinite",
    "from_jax": "bridges.jax",
    "from_torch": "api.torch_export",
    "jit": "pjrt.jit",
    "load": "api.loading",
    "load_dump": "dumps.dump",
    "load_trace": "analysis.tracing.trace",
    "load_weights": "formats.safetensors",
    "opt": "api.inspection.opt",
    "parse": "api.loading",
    "profile": "analysis.profile",
    "reduce": "debugging.reduction",
    "run": "api.running",
    "run_grid": "api.running",
    "save": "api.saving",
    "save_weights": "formats.safetensors",
    "torch_lowering": "frontends.torch.lowering",
    "trace": "api.inspection.tracing",
    "view": "api.inspection.viewing",
}

__all__ = [
    "Argument",
    "ArgumentError",
    "CompileError",
    "ConversionWarning",
    "DeadlockError",
    "Diagnostic",
    "Diff",
    "EvaluationError",
    "Executable",
    "Explanation",
    "FileError",
    "Fingerprint",
    "Function",
    "HloModule",
    "Layout",
    "LimitError",
    "Limits",
    "Module",
    "NativeLibrary",
    "Overlay",
    "ParseError",
    "Shape",
    "Signature",
    "Source",
    "Span",
    "StablemateError",
    "Streams",
    "TargetCall",
    "UnsupportedError",
    "VerifyError",
    "View",
    "XlaBuilder",
    "bisect",
    "build",
    "compare",
    "compare_traces",
    "compile",
    "cost",
    "custom_call",
    "debug",
    "diff",
    "explain",
    "find_nan",
    "fingerprint",
    "from_jax",
    "from_torch",
    "jit",
    "load",
    "load_dump",
    "load_trace",
    "load_weights",
    "opt",
    "parse",
    "profile",
    "reduce",
    "run",
    "run_grid",
    "save",
    "save_weights",
    "torch_lowering",
    "trace",
    "view",
]


def load_ipython_extension(shell: Any) -> None:
    """Registers the cell magics ``%%stablehlo`` and ``%%hlo``: ``%load_ext stablemate``."""
    from stablemate.notebook.magics import load_magics

    load_magics(shell)


refuse_sub_interpreters(__name__)
__getattr__ = names_on_demand(__name__, HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
