"""Artifacts are those of the reference implementation, byte for byte, and it reads the same.

In every run each program is written for the newest version that the oracle knows and for one older
version; ``pytest -m slow tests/transforms/vhlo`` takes every function of them and every version.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

import stablemate as sm
from stablemate.diagnostics.errors import UnsupportedError
from stablemate.dialects.vhlo.versions import version
from stablemate.transforms.vhlo.stablehlo_compatibility_expander import expand_for
from tests.formats.mlir.test_against_upstream import FUNCTION, programs
from tests.oracle.client import Oracle
from tests.properties.generation.choices import Seeded
from tests.properties.generation.modules import module_of, whole
from tests.properties.generation.programs import FAMILIES, generate

NEWEST: Final = "1.17.0"  # that the oracle knows
VERSIONS: Final = (*(f"0.{i}.0" for i in range(9, 21)), *(f"1.{i}.0" for i in range(18)))
# Dialects that are no part of StableHLO: the reference folds their operations where nothing of
# StableHLO takes the results, here they stay.
FOLDED: Final = ("ops/arith_", "ops/shape_")
CASES: Final = [
    (name, text)
    for name, text in programs()
    if not name.startswith(FOLDED) and "func.func" in text  # some have only what is refused
]
IDS: Final = [name for name, _ in CASES]
GENERATED: Final = 12  # programs of a family, in one module
MIXED: Final = sorted((Path(__file__).parent / "mixed").glob("*.mlir"))
EXPANDED: Final = sorted((Path(__file__).parent / "expanded").glob("*.mlir"))


def exact(text: str) -> str:
    """The text that says everything: no position in it becomes a location."""
    return sm.load(text).to_text(generic=True, debug_info=True)


def ours(text: str, target: str, *, mixed: bool = False, expand: bool = False) -> bytes | str:
    """Our artifact, or why there is none."""
    try:
        return sm.load(text).to_artifact(target, mixed=mixed, expand=expand)
    except UnsupportedError as error:
        return str(error)


def agree(oracle: Oracle, text: str, targets: tuple[str, ...], *, mixed: bool = False) -> None:
    """Compares artifacts for some versions, and what they are read as."""
    source = exact(text)
    for target, theirs in zip(targets, oracle.artifacts(source, targets, mixed), strict=True):
        mine = ours(source, target, mixed=mixed)
        if isinstance(theirs, bytes):
            assert mine == theirs, target
            if target == targets[0]:
                agree_on_reading(oracle, theirs)
        elif 'Function "' not in theirs:  # functions that interpreter.run_parallel names are gone
            assert isinstance(mine, str), f"{target}: {theirs}"
            assert "StableHLO" in mine or "portable artifacts" in mine


def agree_on_reading(oracle: Oracle, artifact: bytes) -> None:
    """Compares what an artifact is read as, and writes it again as it was."""
    assert sm.load(artifact).to_text() == oracle.read_bytes(artifact)
    raw = sm.load(artifact, upgrade=False)
    assert raw.to_text() == oracle.print(artifact)
    assert raw.ir.origin is not None
    assert raw.to_bytecode(raw.ir.origin.version) == artifact


@pytest.mark.parametrize(("name", "text"), CASES, ids=IDS)
def test_artifacts_of_programs(name: str, text: str, oracle: Oracle) -> None:
    older = VERSIONS[IDS.index(name) % len(VERSIONS)]
    agree(oracle, text, (NEWEST, older))


@pytest.mark.standard
@pytest.mark.parametrize("name", ["ops/dot_general", "ops/scatter", "ops/tanh", "ops/custom_call"])
def test_artifacts_for_every_version(name: str, oracle: Oracle) -> None:
    for text in single_functions(dict(CASES)[name]):
        agree(oracle, text, VERSIONS[::-1])


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "text"), CASES, ids=IDS)
def test_every_function_for_every_version(name: str, text: str, oracle: Oracle) -> None:
    for single_function in single_functions(text) if name.startswith("ops/") else [text]:
        agree(oracle, single_function, VERSIONS[::-1])


def single_functions(text: str) -> list[str]:
    """The functions of a text one by one, unless they name one another or something beside."""
    collected = [match[0] for match in FUNCTION.finditer(text)]
    if not collected or re.search(r"@\w|^[!#]", FUNCTION.sub("", text), re.MULTILINE):
        return [text]
    return collected if all(item.count("@") == 1 for item in collected) else [text]


@pytest.mark.parametrize("family", FAMILIES)
def test_artifacts_of_generated_programs(family: str, oracle: Oracle) -> None:
    programs = [generate(Seeded(f"{family}:{i}"), family, prefix=f"g{i}") for i in range(GENERATED)]
    module = module_of([whole(program, f"f{i}") for i, program in enumerate(programs)])
    agree(oracle, module.to_text(), (NEWEST, *VERSIONS[::5]))


@pytest.mark.parametrize("path", MIXED, ids=lambda path: path.stem)
def test_artifacts_of_several_dialects(path: Path, oracle: Oracle) -> None:
    agree(oracle, path.read_text(), (NEWEST, "1.13.0", "1.11.0", "1.3.0", "0.9.0"), mixed=True)


@pytest.mark.parametrize("path", EXPANDED, ids=lambda path: path.stem)
def test_programs_are_expanded_for_older_versions(path: Path, oracle: Oracle) -> None:
    source = exact(path.read_text())
    for target in ("0.9.0", "1.0.0", "1.3.0", "1.8.0", NEWEST):
        pipeline = f"stablehlo-compatibility-expander{{target={target}}}"
        mine = sm.Module(expand_for(sm.load(source).ir, version(target)))
        mine.verify()
        # The reference's rewriter moves constants to the front; canonicalize does so with ours.
        theirs = oracle.transformed(source, f"{pipeline},canonicalize")
        assert oracle.transformed(mine.to_text(), "canonicalize") == theirs
        artifact = ours(source, target, expand=True)
        assert isinstance(artifact, bytes)
        assert oracle.read_bytes(artifact) == sm.load(artifact).to_text()


@pytest.mark.parametrize(
    "literal",
    [
        "dense<1.0> : tensor<4x0xf32>",
        "dense<> : tensor<4x0xf32>",
        "dense<true> : tensor<0xi1>",
        "dense<3> : tensor<0xi4>",
        "dense<(1.0, 2.0)> : tensor<0xcomplex<f32>>",
    ],
)
def test_empty_literals_may_have_an_element(literal: str, oracle: Oracle) -> None:
    value_type = literal.split(" : ")[1]
    text = oracle.unregistered(
        f"func.func @main() -> {value_type} {{\n"
        f"  %0 = stablehlo.constant {literal}\n  return %0 : {value_type}\n}}"
    )[2]
    artifact = oracle.artifact(text, "1.0.0")
    assert sm.load(text).to_artifact("1.0.0") == artifact
    agree_on_reading(oracle, artifact)
    bytecode = oracle.bytecode(text)
    assert sm.load(bytecode).to_bytecode() == bytecode
    for backend in ("cpu", "interpreter"):
        assert sm.run(artifact, backend=backend).size == 0
