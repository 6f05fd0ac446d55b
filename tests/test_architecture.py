"""The house stands: imports point down, third parties stay where they belong."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

import stablemate
from stablemate.lazy_imports import OnDemand

SOURCE: Final = Path(stablemate.__file__).parent
PACKAGE: Final = "stablemate"

# The floors, lowest first; packages on one floor are siblings that do not see each other.
FLOORS: Final = (
    ("fork_safety",),
    ("lazy_imports", "deferred_signals", "processors", "immortal"),
    ("atomic_files", "worker_threads"),
    ("diagnostics",),
    ("numerics",),
    ("ir",),
    ("dialects",),
    ("execution", "xla"),
    ("interpreter", "formats"),
    ("transforms", "frontends"),
    ("compiler",),
    ("analysis", "deployment"),
    ("explorer",),
    ("api",),
    ("bridges",),
    ("pjrt",),
    ("debugging",),
    ("lsp",),
    ("cli", "testing", "lexers", "notebook"),
)
LEVELS: Final = {name: level for level, names in enumerate(FLOORS) for name in names}
MODULE_NAME: Final = re.compile(r"stablemate(\.[a-z_0-9]+)+")
# Siblings inside a package: what reads one format knows nothing of another.
SEPARATE: Final = (("formats/mlir", "formats/hlo"),)
# Who may import a library that is heavy or that belongs to one idea.
HOMES: Final = {
    "llvmlite": ("compiler", "pjrt/native"),
    "mpi4py": "execution/backends/mpi.py",
    "jax": ("bridges", "pjrt"),
    "torch": ("bridges", "frontends/torch"),
    "click": "cli",
    "pygments": "lexers",
    "pytest": "testing",
    "pygls": "lsp",
    "IPython": "notebook",
    "lsprotocol": "lsp",
    "rich": "cli",
    "google.protobuf": "formats",
    "flatbuffers": "formats",
}


def modules() -> list[Path]:
    """All source files."""
    return sorted(SOURCE.rglob("*.py"))


def dotted(path: Path) -> str:
    """The module name of a file."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Every module that a file imports, anywhere in it."""
    return tuple(imported_in(path))


def imported_in(path: Path) -> Iterator[str]:
    """Finds the modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (imported_by(node.module or "", alias.name) for alias in node.names)


def imported_by(module: str, name: str) -> str:
    """What ``from module import name`` imports: a module inside, or the module itself."""
    inside = SOURCE.parent / f"{module}.{name}".replace(".", "/")
    is_module = inside.with_suffix(".py").exists() or (inside / "__init__.py").exists()
    return f"{module}.{name}" if is_module else module


def floor_of(module: str) -> str | None:
    """The floor that a module of ours stands on; None for the package itself."""
    parts = module.split(".")
    inside = parts[0] == PACKAGE and len(parts) > 1 and parts[1] != "__main__"
    return parts[1] if inside else None


def test_every_module_stands_on_a_floor() -> None:
    floors = {floor_of(dotted(path)) for path in modules()} - {None}
    assert floors <= LEVELS.keys()


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_imports_point_down(path: Path) -> None:
    own = floor_of(dotted(path))
    if own is None:
        return  # the package's front re-exports
    for imported in imports(path):
        other = floor_of(imported)
        if other is not None and other != own:
            assert LEVELS[other] < LEVELS[own], f"{dotted(path)} imports {imported}"


def test_imports_have_no_cycle() -> None:
    names = {dotted(path) for path in modules()}
    graph = {
        dotted(path): {module for module in imports(path) if module in names} for path in modules()
    }
    done: set[str] = set()
    for start in graph:
        path: list[str] = []
        stack = [(start, iter(sorted(graph[start])))]
        active = {start}
        while stack:
            name, rest = stack[-1]
            following = next((item for item in rest if item not in done), None)
            if following is None:
                stack.pop()
                active.discard(name)
                done.add(name)
            else:
                path = [item for item, _ in stack]
                assert following not in active, f"cycle: {' -> '.join([*path, following])}"
                active.add(following)
                stack.append((following, iter(sorted(graph[following]))))


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_libraries_stay_at_home(path: Path) -> None:
    where = path.relative_to(SOURCE).as_posix()
    for imported in imports(path):
        for library, home in HOMES.items():
            if imported == library or imported.startswith(f"{library}."):
                assert where.startswith(home), f"{where} imports {imported}"


def test_siblings_inside_a_floor_do_not_see_each_other() -> None:
    for group in SEPARATE:
        for path in modules():
            where = path.relative_to(SOURCE).as_posix()
            own = [item for item in group if where.startswith(f"{item}/")]
            for imported in imports(path):
                target = imported.replace(".", "/").removeprefix(f"{PACKAGE}/")
                hit = [item for item in group if target.startswith(item) and item not in own]
                assert not (own and hit), f"{where} imports {imported}"


# Packages whose modules are one operation, or one pass that a flag names, each.
LISTS: Final = ("dialects/stablehlo", "transforms")
MOST_MODULES: Final = 20
MOST_LEVELS: Final = 6
MOST_LINES: Final = 60


def packages() -> dict[str, list[str]]:
    """The modules of each package, without its ``__init__``."""
    result: dict[str, list[str]] = {}
    for path in modules():
        if path.name != "__init__.py":
            package = path.parent.relative_to(SOURCE).as_posix()
            result.setdefault(package, []).append(path.stem)
    return result


def test_packages_are_small() -> None:
    large = {package: len(names) for package, names in packages().items()}
    large = {package: n for package, n in large.items() if n > MOST_MODULES}
    assert large.keys() <= set(LISTS), large


def without_suffix(name: str) -> set[str]:
    """The words that a name ending in *-ing* may be made of."""
    stem = name.removesuffix("ing")
    return {stem, f"{stem}e", stem[:-1], f"{stem}s", f"{stem}es"} if stem != name else set()


def test_no_two_modules_of_a_package_differ_by_ing() -> None:
    for package, names in packages().items():
        for name in names:
            twins = without_suffix(name) & set(names)
            assert not twins, f"{package}: {name} and {twins}"


def package_graph(inside: str) -> dict[str, set[str]]:
    """Which packages of a package import which; its own modules count as one, at the top."""
    prefix = f"{PACKAGE}.{inside}."
    own = {package for package in packages() if package.startswith(f"{inside}/")}

    def package_of(module: str) -> str | None:
        if not module.startswith(prefix):
            return None
        name = module.removeprefix(prefix).split(".")[0]
        return (
            name
            if f"{inside}/{name}" in own
            or any(package.startswith(f"{inside}/{name}/") for package in own)
            else "the top"
        )

    graph: dict[str, set[str]] = {}
    for path in modules():
        importer = package_of(dotted(path))
        if importer is not None:
            targets = {package_of(name) for name in imports(path)} - {None, importer}
            graph.setdefault(importer, set()).update(name for name in targets if name)
    return graph


def test_the_compiler_has_six_levels() -> None:
    graph = package_graph("compiler")
    levels: dict[str, int] = {}

    def level_of(package: str, above: tuple[str, ...] = ()) -> int:
        assert package not in above, f"cycle: {' -> '.join([*above, package])}"
        if package not in levels:
            below = [level_of(name, (*above, package)) for name in sorted(graph[package])]
            levels[package] = 1 + max(below, default=0)
        return levels[package]

    assert {level_of(package) for package in graph} == set(range(1, MOST_LEVELS + 1)), levels
    assert levels["the top"] == MOST_LEVELS


def test_functions_are_short() -> None:
    """The docstring, which lists the parameters of a public function, does not count."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[1 if ast.get_docstring(node) and node.body[1:] else 0]
                signature = node.body[0].lineno - node.lineno
                lines = signature + (node.end_lineno or 0) - first.lineno + 1
                assert lines <= MOST_LINES, f"{dotted(path)}.{node.name}: {lines} lines"


def test_the_pipeline_reads_like_a_table_of_contents() -> None:
    """The stages of the compiler are one function, whose statements take at most 40 lines."""
    tree = ast.parse((SOURCE / "compiler/pipeline.py").read_text())
    (stages,) = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "stages"
    )
    first = stages.body[1]  # after the docstring
    assert (stages.end_lineno or 0) - first.lineno + 1 <= 40


def test_every_public_name_has_a_docstring() -> None:
    for path in modules():
        tree = ast.parse(path.read_text())
        assert ast.get_docstring(tree), f"{path} has no docstring"


def test_the_public_surface_is_the_listed_one() -> None:
    assert sorted(stablemate.__all__) == sorted(stablemate.HOMES)
    for name in stablemate.__all__:
        assert getattr(stablemate, name).__doc__, f"{name} has no docstring"


def test_names_on_demand_are_no_modules() -> None:
    """A name that is also a module would be the module, once that is imported."""
    for path in modules():
        if path.name == "__init__.py" and path.parent != SOURCE:
            names = {name for _, name in names_for_type_checkers(path)}
            assert not names & {item.stem for item in path.parent.iterdir()}, path


def test_names_on_demand_are_what_type_checkers_see() -> None:
    for path in modules():
        if "\n__getattr__ = names_on_demand(" in path.read_text():
            package = import_module(dotted(path))
            for home, name in names_for_type_checkers(path):
                assert getattr(package, name) is getattr(import_module(home), name), name


def names_for_type_checkers(path: Path) -> Iterator[tuple[str, str]]:
    """The names that a package imports under ``TYPE_CHECKING``, with their modules."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.If):
            for item in node.body:
                assert isinstance(item, ast.ImportFrom)
                assert item.module
                yield from ((item.module, alias.name) for alias in item.names)


def test_parts_of_tables_point_down() -> None:
    """What a table imports on demand, its own module could import."""
    for path in modules():
        if "= OnDemand(" not in path.read_text():
            continue
        own = floor_of(dotted(path))
        assert own is not None
        for table in vars(import_module(dotted(path))).values():
            for part in table.parts.values() if isinstance(table, OnDemand) else ():
                other = floor_of(part)
                assert other == own or LEVELS[other or own] < LEVELS[own], f"{path} names {part}"


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/tour.md"])
def test_pages_show_the_floors(page: str) -> None:
    """The lowest package on a page is on its floor 0; modules below have no row."""
    text = (Path(__file__).parents[1] / page).read_text()
    rows = re.findall(r"^\| (\d+) \| ((?:`\w+`(?:, )?)+) \|", text, re.MULTILINE)
    shown = {name: int(floor) for floor, names in rows for name in re.findall(r"\w+", names)}
    lowest = LEVELS["diagnostics"]
    assert shown == {name: n - lowest for name, n in LEVELS.items() if n >= lowest}


def test_modules_named_by_strings_are_below() -> None:
    """What a module imports by its name, it could import by a statement."""
    for path in modules():
        own = floor_of(dotted(path))
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and MODULE_NAME.fullmatch(str(node.value)):
                other = floor_of(node.value)
                if own and other in LEVELS and other != own:
                    assert LEVELS[other] < LEVELS[own], f"{path} names {node.value}"


# What a program that is loaded and run has no use for.
UNNAMED: Final = (
    "jax", "stablemate.bridges", "stablemate.debugging", "stablemate.execution.backends.rank",
    "stablemate.compiler.library_calls.loading", "stablemate.execution.custom_calls.registry",
    "stablemate.explorer.document", "stablemate.explorer.module_graph",
    "stablemate.formats.hlo.text", "stablemate.transforms.partitioning",
)  # fmt: skip


def test_a_run_pays_for_what_it_names() -> None:
    code = (
        "import sys, stablemate as sm\n"
        "m = sm.load('func.func @main(%a: tensor<f32>) -> tensor<f32> {"
        " return %a : tensor<f32> }')\n"
        "m.run(1.0)\n"
        f"print(sorted(each for each in sys.modules if each.startswith({UNNAMED})))"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stdout.strip() == "[]"


# What a program that is read and verified has no use for.
UNUSED: Final = (
    "stablemate.compiler", "stablemate.execution.executable", "stablemate.interpreter",
    "stablemate.xla",
)  # fmt: skip


def test_a_check_pays_for_what_it_names() -> None:
    code = (
        "import sys, stablemate as sm\n"
        "m = sm.load('func.func @main(%a: tensor<f32>) -> tensor<f32> {"
        " %0 = stablehlo.add %a, %a : tensor<f32>\\n return %0 : tensor<f32> }')\n"
        "m.verify()\n"
        f"print(sorted(each for each in sys.modules if each.startswith({UNUSED})))"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert completed.stdout.strip() == "[]"
