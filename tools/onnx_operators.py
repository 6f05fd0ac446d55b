"""Compares the translation of operators of ONNX with ONNX's own cases, operator by operator.

::

    python -m tools.onnx_operators --names Add Conv --verbose
    python -m tools.onnx_operators --page docs/onnx-operators.md

The cases are those of ``onnx.backend.test``: of single nodes, simple graphs, and operators of
PyTorch; they hold the inputs, the expected outputs and tolerances.

Source: ONNX, onnx.backend.test.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

import stablemate.onnx.backend
from stablemate.cli.output.progress import progress
from stablemate.diagnostics.errors import StablemateError
from stablemate.diagnostics.progress import with_progress
from stablemate.frontends.onnx.table import all_rows

KINDS: Final = ("node", "simple", "pytorch-operator", "pytorch-converted")


SHOWN: Final = 120  # characters of a failure on the page
# What is known of cases that fail, by their names.
EXPLAINED: Final = {
    r"attention.*(bf16|fp16)": "the expected values were rounded to 16 bits after each step; here "
    "once",
    r"training_dropout": "the expected values have the random numbers of NumPy",
    r"bernoulli": "the expected values have the random numbers of NumPy",
    r"dft_inverse": "the expected values were computed in 32 bits, to 2e-7; here in 64 bits",
    r"image_decoder": "no program decodes images",
    r"gradient_of": "the gradient of a graph is no operation of a program",
}


# Why operators of ONNX Runtime have no translation, by their names.
LEFT: Final = {
    r"BeamSearch|GreedySearch|Sampling": "a search around graphs whose caches grow in each step; "
    "ONNX Runtime's `convert_generation` writes it, others leave the search to the caller",
    r"AttnLSTM|BifurcationDetector|MatMulFpQ4|MaxpoolWithMask|MurmurHash3|SampleOp"
    r"|SparseToDenseMatMul|WordConvEmbedding": "no exporter writes it",
    r"DynamicTimeWarping": "the number of its results depends on values in a loop",
    r"GatherPacked": "packed formats of weights that no exporter here writes",
    r"MoEGroupRouter|NGramHashMapping|VarlenCausalConvWithState": "written by no exporter that "
    "installs here",
    r"nchwc\.": "layouts of one processor, whose sizes of blocks a file does not state",
    r"nhwc\.": "ONNX Runtime's own layouts of other devices, which no file has",
}
OTHER_DEVICES: Final = "ONNX Runtime runs it on other devices alone"
OWN_DOMAINS: Final = ("ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc", "com.ms.internal.nhwc")
PROCESSOR: Final = "CPUExecutionProvider"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case.

    Attributes:
        case: The name of the case.
        operator: The operator that it is about.
        domain: The domain of that operator; the default one if all nodes of the model have it.
        failure: Why it failed; empty if it passed.
    """

    case: str
    operator: str
    domain: str
    failure: str = ""


@dataclass(slots=True)
class Row:
    """The outcomes of an operator."""

    passed: int = 0
    failures: list[Outcome] = field(default_factory=list[Outcome])


def cases(kinds: Sequence[str], names: Sequence[str], pattern: str) -> Iterator[tuple[Any, Any]]:
    """The cases of some kinds with their models.

    Args:
        kinds: Of ``KINDS``.
        names: The operators; all if there are none.
        pattern: What the name of a case must match.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [case for kind in kinds for case in load_model_tests(kind=kind)]
    for case in sorted(found, key=lambda case: case.name):
        if not re.search(pattern, case.name):
            continue
        model = case.model or onnx.load(Path(case.model_dir, "model.onnx"))
        if not names or operator_of(case.name, model) in names:
            yield case, model


def operator_of(name: str, model: Any) -> str:
    """The operator that a case is about: of a graph of several nodes the one that names it."""
    operators = [node.op_type for node in model.graph.node]
    text = name.removeprefix("test_").replace("_", "").lower()
    named = [operator for operator in operators if operator.lower() in text]
    if "_expanded" in name:
        known = [n for n in schemas() if text.startswith(n.lower())]
        named = sorted(known, key=len)[-1:] or named
    return max(named, key=len) if named else (operators or ["Identity"])[0]


def domain_of(operator: str, model: Any) -> str:
    """The domain of the operator that a case is about: the default one unless its nodes say so."""
    domains = {node.op_type: node.domain for node in model.graph.node}
    return domains.get(operator, "")


def schemas() -> list[str]:
    """The names of all operators."""
    return [schema.name for schema in onnx.defs.get_all_schemas()]


def data_sets(case: Any) -> Iterator[tuple[list[Any], list[Any]]]:
    """The inputs and outputs of a case."""
    if case.data_sets is not None:
        for inputs, expected in case.data_sets:
            yield [as_array(value) for value in inputs], [as_array(value) for value in expected]
        return
    for folder in sorted(Path(case.model_dir).glob("test_data_set_*")):
        yield stored_values(folder, "input"), stored_values(folder, "output")


def as_array(value: Any) -> Any:
    """A value of a case as an array."""
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def stored_values(folder: Path, kind: str) -> list[Any]:
    """The inputs or outputs in a folder, in order."""
    count = len(list(folder.glob(f"{kind}_*.pb")))
    return [
        numpy_helper.to_array(onnx.TensorProto.FromString((folder / f"{kind}_{i}.pb").read_bytes()))
        for i in range(count)
    ]


def outcome_of(case: Any, model: Any, backend: str) -> Outcome:
    """Runs a case."""
    operator = operator_of(case.name, model)
    domain = domain_of(operator, model)
    try:
        prepared = stablemate.onnx.backend.prepare(model, backend=backend)
        for inputs, expected in data_sets(case):
            require_equal(list(prepared.run(inputs)), expected, case.rtol, case.atol)
    except (StablemateError, AssertionError) as error:
        return Outcome(case.name, operator, domain, short(error))
    except Exception as error:
        return Outcome(case.name, operator, domain, f"{type(error).__name__}: {short(error)}")
    return Outcome(case.name, operator, domain)


def short(error: Exception) -> str:
    """The first lines of an error."""
    return " ".join(str(error).split())[:300]


def require_equal(results: Any, expected: Any, rtol: float, atol: float) -> None:
    """Compares outputs with the expected ones.

    Raises:
        AssertionError: They differ.
    """
    if isinstance(expected, list | tuple):
        assert isinstance(results, list | tuple), f"{type(results).__name__} for a sequence"
        assert len(results) == len(expected), f"{len(results)} outputs for {len(expected)}"
        for result, item in zip(results, expected, strict=True):
            require_equal(result, item, rtol, atol)
        return
    if expected is None:
        assert results is None, "a value for an optional without one"
        return
    result, wanted = np.asarray(results), np.asarray(expected)
    assert result.dtype == wanted.dtype, f"{result.dtype} for {wanted.dtype}"
    assert result.shape == wanted.shape, f"shape {result.shape} for {wanted.shape}"
    if wanted.dtype == object or wanted.dtype.kind in "US":
        np.testing.assert_array_equal(result, wanted)
        return
    if not wanted.dtype.isbuiltin or wanted.dtype.kind == "V":
        result, wanted = result.astype(np.float32), wanted.astype(np.float32)
    np.testing.assert_allclose(result, wanted, rtol=rtol, atol=atol)


def table(outcomes: Iterable[Outcome]) -> dict[str, Row]:
    """Outcomes by operator."""
    rows: dict[str, Row] = {}
    for outcome in outcomes:
        row = rows.setdefault(outcome.operator, Row())
        if outcome.failure:
            row.failures.append(outcome)
        else:
            row.passed += 1
    return dict(sorted(rows.items()))


def share_text(outcomes: Iterable[Outcome]) -> str:
    """How many cases pass: ``3 of 4 (75.0 %)``."""
    passes = [not outcome.failure for outcome in outcomes]
    return f"{sum(passes)} of {len(passes)} ({sum(passes) / max(len(passes), 1):.1%})".replace(
        "%)", " %)"
    )


def runtime_operators() -> list[str]:
    """Lines of a table: each operator of ONNX Runtime's domains, and whether it is translated."""
    binding = onnxruntime.capi.onnxruntime_pybind11_state
    known = {(x.domain, x.name) for x in binding.get_all_operator_schema()}
    kernels = {
        (x.domain, x.op_name) for x in binding.get_all_opkernel_def() if x.provider == PROCESSOR
    }
    rows = all_rows()
    lines: list[str] = []
    for domain, name in sorted(key for key in known if key[0] in OWN_DOMAINS):
        runs, is_translated = (domain, name) in kernels, (domain, name) in rows
        why = "" if is_translated else reason_left(f"{domain}.{name}", runs=runs)
        cells = domain, name, "yes" if runs else "no", "yes" if is_translated else "no", why
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def reason_left(name: str, *, runs: bool) -> str:
    """Why an operator has no translation.

    Args:
        name: Its name, with the domain.
        runs: Whether ONNX Runtime runs it on a processor.
    """
    known = (why for pattern, why in LEFT.items() if re.search(pattern, name))
    return next(known, "not done yet" if runs else OTHER_DEVICES)


def page(outcomes: Sequence[Outcome]) -> str:
    """The table as a page."""
    default = [outcome for outcome in outcomes if not outcome.domain]
    others = [outcome for outcome in outcomes if outcome.domain]
    rows = table(outcomes)
    lines = [
        "# Operators of ONNX",
        "",
        "<!-- Made by `python -m tools.onnx_operators`; do not edit. -->",
        "",
        f"`python -m tools.onnx_operators` runs the cases of `onnx.backend.test` of onnx "
        f"{onnx.__version__}: {share_text(default)} of the default domain pass, and "
        f"{share_text(others)} of the other domains.",
        "",
        "| operator | passed | of | others |",
        "|---|---|---|---|",
    ]
    for name, row in rows.items():
        total = row.passed + len(row.failures)
        lines.append(f"| {name} | {row.passed} | {total} | {reasons_text(row.failures)} |")
    own = runtime_operators()
    both = sum("| yes | yes |" in line for line in own)
    lines += [
        "",
        "## Operators of ONNX Runtime",
        "",
        f"All operators of its domains that ONNX Runtime {onnxruntime.__version__} lists. Of "
        f"{sum('| yes | ' in line.partition('| ')[2] for line in own)} that it runs on a "
        f"processor, {both} have a translation.",
        "",
        "| domain | operator | ONNX Runtime's processor | here | why not |",
        "|---|---|---|---|---|",
        *own,
    ]
    return "\n".join([*lines, ""])


def reasons_text(failures: Sequence[Outcome]) -> str:
    """Why cases fail: each reason with its cases."""
    cases_of: dict[str, list[str]] = {}
    for failure in failures:
        cases_of.setdefault(reason_of(failure), []).append(failure.case.removeprefix("test_"))
    return "; ".join(
        f"{reason}: {', '.join(f'`{case}`' for case in names)}"
        for reason, names in cases_of.items()
    ).replace("|", "\\|")


def reason_of(failure: Outcome) -> str:
    """Why a case fails, in a sentence where one is known."""
    known = (why for pattern, why in EXPLAINED.items() if re.search(pattern, failure.case))
    return next(known, failure.failure[:SHOWN].partition(", at node")[0])


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs cases; exits with 1 if one fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kinds", nargs="*", default=KINDS, choices=KINDS)
    parser.add_argument("--names", nargs="*", default=(), help="operators")
    parser.add_argument("--cases", default="", help="a regular expression of names of cases")
    parser.add_argument("--backend", default="interpreter")
    parser.add_argument("--verbose", action="store_true", help="print every failure")
    parser.add_argument("--page", type=Path, help="the page to write")
    options = parser.parse_args(arguments)
    begin = time.perf_counter()
    outcomes: list[Outcome] = []
    with progress("running cases"):
        for case, model in with_progress(
            [*cases(options.kinds, options.names, options.cases)], "case"
        ):
            outcomes.append(outcome_of(case, model, options.backend))
            if options.verbose and outcomes[-1].failure:
                print(f"{outcomes[-1].operator}: {outcomes[-1].case}: {outcomes[-1].failure}")
    seconds = time.perf_counter() - begin
    if options.page:
        options.page.write_text(page(outcomes))
    print(f"{share_text(outcomes)} passed in {seconds:.0f} s")
    return int(any(outcome.failure for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
