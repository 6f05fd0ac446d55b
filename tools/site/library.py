"""Pages of the Python library, from docstrings: the public names, and what they give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from inspect import isclass
from typing import Final

from tools.site.markdown import prose, table


@dataclass(frozen=True, slots=True)
class Group:
    """A page.

    Attributes:
        title: Its title.
        text: What it is about.
        names: Public names.
        given: What these return, by module and name, which is not made by hand.
    """

    title: str
    text: str
    names: tuple[str, ...]
    modules: tuple[str, ...] = ()


GROUPS: Final = {
    "programs": Group(
        "Programs",
        "Read, check, compile, run and write programs.",
        ("load", "parse", "save", "Module", "HloModule", "Function", "Signature", "Argument",
         "run", "run_grid", "compile", "Executable", "build", "NativeLibrary", "Streams", "Limits",
         "custom_call", "TargetCall", "opt"),
    ),
    "inside": Group(
        "Looking inside",
        "Trace and debug runs, estimate and measure cost, and view programs.",
        ("trace", "load_trace", "find_nan", "debug", "profile", "cost", "view", "View", "Overlay",
         "load_dump"),
        ("stablemate.analysis.tracing.trace.RunTrace",
         "stablemate.analysis.tracing.event.TraceEvent",
         "stablemate.analysis.tracing.event.EventResult",
         "stablemate.analysis.tracing.event.ElementStatistics",
         "stablemate.analysis.nonfinite.finding.NonfiniteSearch",
         "stablemate.analysis.nonfinite.finding.NonfiniteFinding",
         "stablemate.analysis.profile.Profile",
         "stablemate.analysis.planning.program_cost.ProgramCost",
         "stablemate.dumps.dump.Dump", "stablemate.dumps.modules.DumpModule"),
    ),
    "comparing": Group(
        "Comparing and reducing",
        "Find where two executors, programs or traces diverge, and reduce programs.",
        ("compare", "compare_traces", "bisect", "reduce", "diff", "Diff", "fingerprint",
         "Fingerprint"),
        ("stablemate.debugging.comparison.ProgramComparison",
         "stablemate.debugging.comparison.Compared", "stablemate.debugging.closeness.Closeness",
         "stablemate.debugging.traces.TraceComparison", "stablemate.debugging.bisection.Bisection",
         "stablemate.debugging.reduction.ReducedProgram",
         "stablemate.debugging.reduction.Candidate",
         "stablemate.analysis.tolerance.Tolerance", "stablemate.analysis.tolerance.ToleranceCheck"),
    ),
    "explaining": Group(
        "Explaining",
        "Explain operations, rules, codes and types.",
        ("explain", "Explanation"),
    ),
    "building": Group(
        "Building HLO",
        "Build HLO with XlaBuilder, shapes and layouts.",
        ("XlaBuilder", "Shape", "Layout"),
    ),
    "bridges": Group("JAX and PyTorch", "Take programs from other frameworks.",
                     ("from_jax", "jit", "from_torch", "torch_lowering", "load_weights",
                      "save_weights")),
    "testing": Group(
        "Testing", "Assert properties of programs, and use golden files in pytest.", (),
        ("stablemate.testing.assert_programs_equal", "stablemate.testing.assert_results_match",
         "stablemate.testing.plugin.Golden"),
    ),
    "errors": Group(
        "Errors",
        "The exceptions, and the diagnostics that they contain.",
        ("StablemateError", "ArgumentError", "CompileError", "ConversionWarning", "DeadlockError",
         "EvaluationError", "FileError", "LimitError", "ParseError", "UnsupportedError",
         "VerifyError", "Diagnostic", "Source", "Span"),
    ),
}  # fmt: skip


def files() -> Iterator[tuple[str, str]]:
    """A page for each group, and one that lists all names."""
    yield "library.md", "\n".join(index())
    for file, group in GROUPS.items():
        yield f"library/{file}.md", "\n".join(page(group))


def index() -> Iterator[str]:
    """All public names, each with its sentence."""
    yield from ("# Python", "", "All public names of the package: `import stablemate as sm`.", "")
    for file, group in GROUPS.items():
        yield from (f"## {group.title}", "", f"[{group.text}](library/{file}.md)", "")
        if group.names:
            yield from table(
                ("", ""),
                ((f"{{py:obj}}`stablemate.{name}`", prose(sentence(name))) for name in group.names),
            )
    yield from ("```{toctree}", ":hidden:", "")
    yield from (f"library/{file}" for file in GROUPS)
    yield "```"


def sentence(name: str) -> str:
    """The first sentence of a docstring."""
    text = getattr(import_module("stablemate"), name).__doc__ or ""
    return text.partition("\n\n")[0].replace("``", "`")


def page(group: Group) -> Iterator[str]:
    """The docstrings of a group."""
    yield from (f"# {group.title}", "", group.text, "", "```{eval-rst}")
    for name in (*(f"stablemate.{name}" for name in group.names), *group.modules):
        yield from directive(name)
    yield "```"


def directive(name: str) -> Iterator[str]:
    """What documents a name."""
    home, _, own = name.rpartition(".")
    value = getattr(import_module(home), own)
    if not isclass(value):
        yield from (f".. autofunction:: {name}", "")
        return
    yield from (f".. autoclass:: {name}", "   :members:")
    if "__call__" in vars(value):
        yield "   :special-members: __call__"
    yield from ("   :inherited-members: Exception, dict, tuple", "")
