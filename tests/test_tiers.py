"""The quick tier is what ``tests/tiers.py`` says, and has tests of every directory."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from tests.tiers import ONE_IN, QUICK, STANDARD, TESTS, choose

FILES: Final = [path.relative_to(TESTS) for path in sorted(TESTS.rglob("test_*.py"))]
LEFT_OUT: Final = {"standard", "nightly"}  # marks


class Case:
    """A case of a test that was collected, as far as ``choose`` looks at it."""

    def __init__(self, path: str, name: str) -> None:
        self.nodeid = f"tests/{path}::{name}"
        self.path = TESTS / path
        self.marks: list[str] = []

    def add_marker(self, mark: Any) -> None:
        self.marks.append(mark.name)

    def get_closest_marker(self, name: str) -> bool:
        return name in self.marks


def session(*arguments: str, marks: str = QUICK, one_in: int = 1) -> Any:
    """The configuration of a session with these arguments."""
    return SimpleNamespace(args=arguments, option=SimpleNamespace(markexpr=marks, one_in=one_in))


def marks_in(node: ast.AST) -> Iterator[str]:
    """The marks that an expression names: ``full`` of ``pytest.mark.standard``."""
    for part in ast.walk(node):
        match part:
            case ast.Attribute(value=ast.Attribute(attr="mark"), attr=name):
                yield name


def quick_tests(path: Path) -> Iterator[str]:
    """The test functions of a file of which the quick tier runs a case."""
    body = ast.parse((TESTS / path).read_text("utf-8")).body
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name("pytestmark")]) if LEFT_OUT & {*marks_in(node)}:
                return
    for node in body:
        match node:
            # A mark inside of ``parametrize`` is that of a case.
            case ast.FunctionDef(name=name, decorator_list=decorators) if name.startswith("test_"):
                own = [decorator for decorator in decorators if not isinstance(decorator, ast.Call)]
                if not any(LEFT_OUT & {*marks_in(item)} for item in own):
                    yield name


@pytest.mark.parametrize("path", ONE_IN)
def test_a_file_of_the_table_has_cases_to_leave_out(path: str) -> None:
    assert Path(path) in FILES, "tests/tiers.py names a file that was moved or renamed"
    assert ONE_IN[path] > 1
    assert "parametrize" in (TESTS / path).read_text("utf-8")


def test_the_table_is_in_order() -> None:
    assert list(ONE_IN) == sorted(ONE_IN)


@pytest.mark.parametrize("directory", sorted({path.parent for path in FILES}), ids=str)
def test_every_directory_has_quick_tests(directory: Path) -> None:
    files = [path for path in FILES if path.parent == directory]
    assert any(any(quick_tests(path)) for path in files)


def test_most_files_have_quick_tests() -> None:
    without = [path for path in FILES if not any(quick_tests(path))]
    assert len(without) < len(FILES) / 20, without


def test_pyproject_selects_the_quick_tier() -> None:
    options = tomllib.loads((TESTS.parent / "pyproject.toml").read_text("utf-8"))
    value = options["tool"]["pytest"]["ini_options"]["addopts"]
    assert value[value.index("-m") + 1] == QUICK


def test_the_first_case_and_every_kth_are_quick() -> None:
    path, one_in = next(iter(ONE_IN.items()))
    cases = [Case(path, f"test_{i % 2}[{i // 2}]") for i in range(4 * one_in + 2)]
    others = [Case("test_tiers.py", f"test_x[{i}]") for i in range(4)]
    choose(session("tests"), [*cases, *others])
    quick = [case.nodeid for case in cases if not case.marks]
    assert quick == [
        f"tests/{path}::test_{kind}[{i}]" for i in (0, one_in, 2 * one_in) for kind in (0, 1)
    ]
    assert {*map(tuple, (case.marks for case in cases))} == {(), ("standard",)}
    assert not any(case.marks for case in others)


def test_every_kth_of_the_other_cases_runs_with_one_in() -> None:
    path, step = next(iter(ONE_IN.items()))
    cases = [Case(path, f"test_x[{i}]") for i in range(3 * step)]
    others = [Case("test_tiers.py", name) for name in ("test_y[0]", "test_y[1]", "test_z")]
    for case in others[:2]:
        case.marks.append("standard")  # in its file
    choose(session("tests", marks=STANDARD, one_in=2), [*cases, *others])
    left = [i for i in range(3 * step) if i % step]
    assert [i for i, case in enumerate(cases) if case.marks == ["standard"]] == left[::2]
    assert [i for i, case in enumerate(cases) if case.marks == ["standard", "nightly"]] == left[
        1::2
    ]
    assert [case.marks for case in others] == [["standard"], ["standard", "nightly"], []]


@pytest.mark.parametrize(
    ("argument", "marks", "selected"),
    [
        ("tests/ops/test_ops.py", QUICK, QUICK),
        ("tests/ops/test_ops.py::test_x[a]", QUICK, STANDARD),
        ("tests/ops/test_ops.py::test_x[a]", "nightly", "nightly"),
    ],
)
def test_a_test_that_is_named_runs(argument: str, marks: str, selected: str) -> None:
    session_result = session(argument, marks=marks)
    choose(session_result, [])
    assert session_result.option.markexpr == selected
