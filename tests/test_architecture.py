"""The house stands: imports point down, third parties stay where they belong."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

import stablemate
from stablemate.lazy_imports import OnDemand

SOURCE: Final = Path(stablemate.__file__).parent
PACKAGE: Final = "stablemate"
TREE: Final = Path(__file__).parents[1]
OTHERS: Final = ("tests", "tools", "benchmarks")  # folders beside the package

# The floors, lowest first; packages on one floor are siblings that do not see each other.
FLOORS: Final = (
    ("fork_safety", "deferred_dataclasses"),
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
    ("pjrt", "onnx"),
    ("debugging", "dumps"),
    ("lsp", "serving"),
    ("cli", "testing", "lexers", "notebook"),
)
LEVELS: Final = {name: level for level, names in enumerate(FLOORS) for name in names}
MODULE_NAME: Final = re.compile(r"stablemate(\.[a-z_0-9]+)+")
# Siblings inside a package: what reads one format knows nothing of another.
SEPARATE: Final = (("formats/mlir", "formats/hlo"),)
# Who may import a library that is heavy or that belongs to one idea.
HOMES: Final = {
    "llvmlite": ("compiler", "pjrt/native"),
    "llvmlite.ir": (),  # LLVM IR is written as text: docs/adr/0035-llvm-ir-as-text.md
    "mpi4py": "execution/backends/mpi.py",
    "jax": ("bridges", "pjrt"),
    "torch": ("bridges", "frontends/torch"),
    "onnx": ("onnx/backend.py", "frontends/onnx/onnx_package.py"),
    "click": "cli",
    "pygments": "lexers",
    "pytest": "testing",
    "pygls": "lsp",
    "IPython": "notebook",
    "lsprotocol": "lsp",
    "starlette": "serving",
    "uvicorn": "serving",
    "prometheus_client": "serving",
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


@dataclass(frozen=True, slots=True)
class Facts:
    """What the tests ask about a module, whose text is parsed once."""

    imports: tuple[str, ...]  # every module, anywhere in it
    imported_names: tuple[tuple[str, str], ...]  # of ``from module import name``: module, name
    bound: frozenset[str]  # names outside of functions
    docstring: str | None
    lengths: tuple[tuple[str, int], ...]  # of each function: its name, its lines
    module_names: tuple[str, ...]  # strings that are the name of a module of ours
    for_type_checkers: tuple[tuple[str, str], ...]  # of imports under an ``if``: module, name


@cache
def facts(path: Path) -> Facts:
    """Reads a module."""
    tree = ast.parse(path.read_text())
    nodes = list(ast.walk(tree))
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    assert all(node.level == 0 and node.module for node in froms), f"{path}: relative import"
    strings = (node.value for node in nodes if isinstance(node, ast.Constant))
    return Facts(
        tuple(imported_in(nodes)),
        tuple((node.module or "", alias.name) for node in froms for alias in node.names),
        frozenset(names_of(tree)),
        ast.get_docstring(tree),
        tuple(lengths_in(nodes)),
        tuple(text for text in strings if isinstance(text, str) and MODULE_NAME.fullmatch(text)),
        tuple(names_for_type_checkers(tree)),
    )


def imports(path: Path) -> tuple[str, ...]:
    """Every module that a file imports, anywhere in it."""
    return facts(path).imports


def imported_in(nodes: list[ast.AST]) -> Iterator[str]:
    """Finds the modules that a file imports."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (imported_by(node.module or "", alias.name) for alias in node.names)


def names_of(tree: ast.Module) -> Iterator[str]:
    """The names that a module binds outside of functions."""
    rest: list[ast.AST] = [*tree.body]
    while rest:
        match rest.pop():
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.ClassDef(name=name):
                yield name
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                yield from (alias.asname or alias.name.split(".")[0] for alias in aliases)
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case node:
                rest += ast.iter_child_nodes(node)


def lengths_in(nodes: list[ast.AST]) -> Iterator[tuple[str, int]]:
    """The lines of each function; its docstring, which lists the parameters, does not count."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[1 if ast.get_docstring(node) and node.body[1:] else 0]
            signature = node.body[0].lineno - node.lineno
            yield node.name, signature + (node.end_lineno or 0) - first.lineno + 1


def names_for_type_checkers(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that a package imports under ``TYPE_CHECKING``, with their modules."""
    for node in tree.body:
        for item in node.body if isinstance(node, ast.If) else ():
            if isinstance(item, ast.ImportFrom):
                yield from ((item.module or "", alias.name) for alias in item.names)


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


def test_imports_point_down() -> None:
    for path in modules():
        own = floor_of(dotted(path))
        for imported in imports(path) if own else ():  # the package's front re-exports
            other = floor_of(imported)
            if own and other and other != own:
                assert LEVELS[other] < LEVELS[own], f"{dotted(path)} imports {imported}"


def test_imported_names_exist() -> None:
    """A name that a module imports from another is bound there, in tests and tools, too."""
    files = {dotted(path): path for path in modules()}
    others = (path for folder in OTHERS for path in (TREE / folder).rglob("*.py"))
    for path in [*modules(), *others]:
        for module, name in facts(path).imported_names:
            if module in files and f"{module}.{name}" not in files:
                assert name in facts(files[module]).bound, f"{path} imports {module}.{name}"


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


def test_libraries_stay_at_home() -> None:
    for path in modules():
        where = path.relative_to(SOURCE).as_posix()
        names = (f"{module}.{name}" for module, name in facts(path).imported_names)
        for imported in (*imports(path), *names):
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
LINES_OF_A_SCREEN: Final = 40


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


def test_the_packages_of_the_compiler_are_layers() -> None:
    graph = package_graph("compiler")
    levels: dict[str, int] = {}

    def level_of(package: str, above: tuple[str, ...] = ()) -> int:
        assert package not in above, f"cycle: {' -> '.join([*above, package])}"
        if package not in levels:
            below = [level_of(name, (*above, package)) for name in sorted(graph[package])]
            levels[package] = 1 + max(below, default=0)
        return levels[package]

    assert max(map(level_of, graph)) == levels["the top"] <= MOST_LEVELS, levels


def test_functions_are_short() -> None:
    for path in modules():
        for name, lines in facts(path).lengths:
            assert lines <= MOST_LINES, f"{dotted(path)}.{name}: {lines} lines"


def test_the_pipeline_reads_like_a_table_of_contents() -> None:
    """The stages of the compiler are one function, whose statements fit on a screen."""
    tree = ast.parse((SOURCE / "compiler/pipeline.py").read_text())
    (stages,) = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "stages"
    )
    first = stages.body[1]  # after the docstring
    assert (stages.end_lineno or 0) - first.lineno + 1 <= LINES_OF_A_SCREEN


def test_every_public_name_has_a_docstring() -> None:
    for path in modules():
        assert facts(path).docstring, f"{path} has no docstring"


def test_the_public_surface_is_the_listed_one() -> None:
    assert sorted(stablemate.__all__) == sorted(stablemate.HOMES)
    for name in stablemate.__all__:
        assert getattr(stablemate, name).__doc__, f"{name} has no docstring"


def test_names_on_demand_are_no_modules() -> None:
    """A name that is also a module would be the module, once that is imported."""
    for path in modules():
        if path.name == "__init__.py" and path.parent != SOURCE:
            names = {name for _, name in facts(path).for_type_checkers}
            assert not names & {item.stem for item in path.parent.iterdir()}, path


def test_names_on_demand_are_what_type_checkers_see() -> None:
    for path in modules():
        if "\n__getattr__ = names_on_demand(" in path.read_text():
            package = import_module(dotted(path))
            for home, name in facts(path).for_type_checkers:
                assert getattr(package, name) is getattr(import_module(home), name), name


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
    text = (TREE / page).read_text()
    rows = re.findall(r"^\| (\d+) \| ((?:`\w+`(?:, )?)+) \|", text, re.MULTILINE)
    shown = {name: int(floor) for floor, names in rows for name in re.findall(r"\w+", names)}
    lowest = LEVELS["diagnostics"]
    assert shown == {name: n - lowest for name, n in LEVELS.items() if n >= lowest}


def test_modules_named_by_strings_are_below() -> None:
    """What a module imports by its name, it could import by a statement."""
    for path in modules():
        own = floor_of(dotted(path))
        for name in facts(path).module_names:
            other = floor_of(name)
            if own and other in LEVELS and other != own:
                assert LEVELS[other] < LEVELS[own], f"{path} names {name}"


# What a program that is loaded and run has no use for.
UNNAMED: Final = (
    "jax", "stablemate.bridges", "stablemate.debugging", "stablemate.execution.backends.rank",
    "stablemate.compiler.library_calls.loading", "stablemate.execution.custom_calls.registry",
    "stablemate.explorer.document", "stablemate.explorer.module_graph",
    "stablemate.formats.hlo.text", "stablemate.transforms.partitioning",
    "ml_dtypes",  # whose import takes half a second
)  # fmt: skip


def test_a_run_pays_for_what_it_names() -> None:
    code = (
        "import sys, stablemate as sm\n"
        "m = sm.load('func.func @main(%a: tensor<f32>) -> tensor<f32> {"
        " %0 = stablehlo.tanh %a : tensor<f32>\\n return %0 : tensor<f32> }')\n"
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
