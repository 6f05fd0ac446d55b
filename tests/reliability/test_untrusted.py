"""What a file from a stranger cannot do: the promises of ``docs/threat_model.md``."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from click.testing import CliRunner

import stablemate as sm
from stablemate.cli import main
from stablemate.interpreter import block
from stablemate.numerics import size_functions

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = sorted((ROOT / "src").rglob("*.py"))
EVALUATORS: Final = frozenset({"eval", "exec", "compile", "__import__"})
UNPICKLERS: Final = frozenset({"pickle", "marshal", "shelve", "dill", "cloudpickle", "yaml"})
SUSPECT: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(EVALUATORS | UNPICKLERS))}|system|popen|shell|np\.load|read_array)\b"
)
PIPES: Final = frozenset({"bridges/xla.py"})  # what a process of ours says to its own child
BLOCKS: Final = frozenset(  # whose source is of numbers, or of names of fields of our classes
    {"deferred_dataclasses.py", "interpreter/block.py", "numerics/size_functions.py"}
)
SHELLS: Final = frozenset({"debugging/commands.py"})  # the command that `reduce` is given
# Of these, and of numbered letters, the source that evaluates sizes is made.
SIZE_WORDS: Final = frozenset(
    ["def", "evaluate", "return", "if", "is", "and", "not", "True", "False"]
)
WORDS: Final = frozenset(  # of these, and of letters with numbers, the source of a block is made
    [
        "def",
        "block",
        "try",
        "except",
        "as",
        "raise",
        "from",
        "return",
        "returned",
        "pass",
        "yield",
        "None",
        "F",
        "failures",
        "error",
        "explain",
        "__cause__",
    ]
)
ESCAPE: Final = "\\1B]0;owned\\07\\1B[2J"  # as MLIR spells it in strings
HOSTILE: Final = f"""func.func @"{ESCAPE}"(%a: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = stablehlo.add %a, %a {{note = "{ESCAPE}"}} : tensor<2xf32> loc("{ESCAPE}")
  return %0 : tensor<2xf32>
}}
"""
BAD: Final = HOSTILE.replace("%a, %a", "%a, %b")
WRONG: Final = HOSTILE.replace("-> tensor<2xf32>", "-> tensor<3xf32>")


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (operation for operation in ast.walk(tree) if isinstance(operation, ast.Call))


def bound(tree: ast.AST) -> set[str]:
    """Names of arguments, functions and imports: not those of Python itself."""
    by_key = {operation.arg for operation in ast.walk(tree) if isinstance(operation, ast.arg)}
    for operation in ast.walk(tree):
        if isinstance(operation, ast.FunctionDef):
            by_key.add(operation.name)
        elif isinstance(operation, ast.ImportFrom):
            by_key |= {one.asname or one.name for one in operation.names}
    return by_key


# ---- no code from a file


def test_the_library_evaluates_and_unpickles_nothing() -> None:
    collected: list[str] = []
    for path in SOURCES:
        name = path.relative_to(ROOT / "src" / "stablemate").as_posix()
        if not SUSPECT.search(text := path.read_text()):
            continue
        tree = ast.parse(text)
        ours = bound(tree)
        for operation in ast.walk(tree):
            names = [a.name for a in operation.names] if isinstance(operation, ast.Import) else []
            names += [operation.module or ""] if isinstance(operation, ast.ImportFrom) else []
            if UNPICKLERS & {n.partition(".")[0] for n in names} and name not in PIPES:
                collected.append(f"{name} imports {names}")
        for call in calls(tree):
            options = {k.arg: k.value for k in call.keywords}
            evaluates = isinstance(call.func, ast.Name) and call.func.id in EVALUATORS - ours
            if evaluates and name not in BLOCKS:
                collected.append(f"{name}:{call.lineno} evaluates")
            if isinstance(call.func, ast.Attribute) and call.func.attr in {"system", "popen"}:
                collected.append(f"{name}:{call.lineno} calls {call.func.attr}")
            if "shell" in options and name not in SHELLS:
                collected.append(f"{name}:{call.lineno} runs a shell")
            if ast.unparse(call.func) in {"np.load", "np.lib.format.read_array"}:
                pickles = options.get("allow_pickle")
                if not (isinstance(pickles, ast.Constant) and pickles.value is False):
                    collected.append(f"{name}:{call.lineno} may unpickle")
    assert collected == []


def test_no_text_of_a_program_is_in_the_source_of_its_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sources: list[str] = []

    def recorded(source: str, *rest: Any) -> Any:
        sources.append(source)
        return compile(source, *rest)

    monkeypatch.setattr(block, "compile", recorded, raising=False)
    text = HOSTILE.replace("%a", "%__import__").replace("%0", "%eval")
    sm.load(text).run(np.ones(2, np.float32), backend="interpreter")
    assert sources
    for source in sources:
        names = set(re.findall(r"[A-Za-z_]\w*", source)) - WORDS
        assert [name for name in names if not re.fullmatch(r"[vcfmtk][0-9]+", name)] == []
        assert not set(source) & set("\"'\\#@")


def test_no_text_of_a_program_is_in_the_source_that_evaluates_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sources: list[str] = []

    def recorded(source: str, names: dict[str, Any]) -> None:
        sources.append(source)
        exec(source, names)

    monkeypatch.setattr(size_functions, "exec", recorded, raising=False)
    text = HOSTILE.replace("%a", "%__import__").replace("%0", "%eval").replace("<2x", "<?x")
    sm.load(text).run(np.ones(5, np.float32), backend="cpu")
    assert sources
    for source in sources:
        names = set(re.findall(r"\b[A-Za-z_]\w*", source)) - SIZE_WORDS
        assert [name for name in names if not re.fullmatch(r"n[0-9]+", name)] == []
        assert not set(source) & set("\"'\\#@")


class Planted:
    """An object whose pickle makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("suffix", ["npy", "npz"])
def test_arrays_of_objects_are_refused(tmp_path: Path, suffix: str) -> None:
    planted, path = tmp_path / "planted", tmp_path / f"x.{suffix}"
    save: Any = np.save if suffix == "npy" else np.savez
    save(path, np.array([Planted(planted)], object), allow_pickle=True)
    result = run_identity(tmp_path, f"--input=@{path}")
    assert result.exit_code == 2
    assert "allow_pickle=False" in result.output
    assert not planted.exists()


def test_custom_calls_are_those_that_are_registered() -> None:
    for target in ("os.system", "system", "exec", "../libc.so.6:system"):
        module = sm.load(
            "func.func @main() -> tensor<f32> {\n"
            f'  %0 = "stablehlo.custom_call"() {{call_target_name = "{target}", '
            'backend_config = "true"} : () -> tensor<f32>\n  return %0 : tensor<f32>\n}\n'
        )
        for backend in ("cpu", "interpreter"):
            with pytest.raises(sm.StablemateError, match="no custom call target of this name"):
                module.run(backend=backend)


# ---- paths


def test_nothing_that_a_program_names_is_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("classified\n")
    text = (
        f'module attributes {{mhlo.a = "@{secret}", mhlo.path = "file://{secret}"}} {{\n'
        f'func.func @main() -> tensor<2xf32> {{\n  %0 = stablehlo.constant dense_resource<"{secret}">'
        f' : tensor<2xf32> loc("{secret}":1:1)\n  return %0 : tensor<2xf32>\n}}\n}}\n'
        f'{{-#\n  dialect_resources: {{ builtin: {{ "{secret}": "0x040000000000803F00000040" }} }},\n'
        f'  external_resources: {{ mlir_reproducer: {{ pipeline: "@{secret}" }} }}\n#-}}\n'
    )
    program = tmp_path / "program.mlir"
    program.write_text(text)
    script = (
        "import sys, stablemate as sm\n"
        "seen = []\n"
        "sys.addaudithook(lambda event, given: seen.append((event, str(given))))\n"
        "m = sm.load(sys.argv[1]); m.diagnostics(); m.run(backend='interpreter')\n"
        "m.to_text(debug_info=True); m.to_bytecode(); sm.view(m).html; m.contents()\n"
        "bad = [each for each in seen if sys.argv[2] in each[1]\n"
        "       or each[0] in ('os.system', 'subprocess.Popen', 'socket.connect', 'exec_file')]\n"
        "assert any(sys.argv[1] in each[1] for each in seen), seen\n"
        "assert not [each for each in bad if each[0] != 'compile'], bad\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(program), str(secret)],
        capture_output=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr.decode()


def run_identity(directory: Path, *arguments: str) -> Any:
    """Runs a program of one argument."""
    program = directory / "identity.mlir"
    program.write_text(
        "func.func @main(%a: tensor<1xf32>) -> tensor<1xf32> {\n  return %a : tensor<1xf32>\n}\n"
    )
    return CliRunner().invoke(main, ["run", str(program), *arguments])


def test_an_at_sign_names_an_array_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arguments").write_text("--version\n")
    result = CliRunner().invoke(main, ["check", "@arguments"])  # no file of options
    assert result.exit_code == 2
    assert "stablemate" not in result.output
    Path("words.npy").write_text("classified\n")
    result = run_identity(tmp_path, "--input=@words.npy")
    assert result.exit_code == 2
    assert "classified" not in result.output


def test_members_of_archives_are_not_unpacked(tmp_path: Path) -> None:
    stream = BytesIO()
    np.save(stream, np.ones(1, np.float32))
    path = tmp_path / "in" / "x.npz"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../outside.npy", stream.getvalue())
    result = run_identity(tmp_path, f"--input=@{path}:../../outside")
    assert (result.exit_code, result.output) == (0, "1xf32=1\n")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["identity.mlir", "in", "x.npz"]


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.npy", b"")
    data = bytearray(path.read_bytes())
    start = data.rindex(b"PK\x01\x02") + 24  # the size that the directory states
    data[start : start + 4] = (0xFFFFFFFE).to_bytes(4, "little")
    path.write_bytes(data)
    result = run_identity(tmp_path, f"--input=@{path}")
    assert result.exit_code == 2
    assert "is larger than" in result.output


# ---- what is shown


@pytest.mark.parametrize("program", [HOSTILE, BAD, WRONG])
@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["fmt"],
        ["info"],
        ["cost"],
        ["convert", "--to=text"],
        ["view"],
        ["profile", "--random-seed=0"],
    ],
    ids=" ".join,
)
def test_names_do_not_steer_the_terminal(
    tmp_path: Path, program: str, arguments: list[str]
) -> None:
    path = tmp_path / "evil\x1b[2J\x07.mlir"
    path.write_text(program)
    outputs = {"fmt": ["--output=-"], "convert": ["-"], "view": []}
    collected = [arguments[0], str(path), *outputs.get(arguments[0], []), *arguments[1:]]
    result = CliRunner().invoke(main, collected, env={"STABLEMATE_CACHE_DIR": str(tmp_path)})
    assert result.exit_code in (0, 3), result.output
    shown = result.output.replace("\r\x1b[K", "")  # our own line of progress
    assert [item for item in shown if not item.isprintable() and item not in "\n\t\r"] == []


# ---- what is installed


def test_versions_of_dependencies_are_bounded() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for dependency in project["dependencies"]:
        assert re.fullmatch(r"[\w-]+>=[\d.]+,<\d+", dependency), dependency


@pytest.mark.skipif(importlib.util.find_spec("hatchling") is None, reason="builds a wheel")
def test_the_wheel_is_the_same_whoever_builds_it(tmp_path: Path) -> None:
    hashes = {wheel_hash(tmp_path / str(i), when) for i, when in enumerate((1e9, 1.7e9))}
    assert len(hashes) == 1


def wheel_hash(place: Path, when: float) -> str:
    """The hash of a wheel that is built in another place of files with another time."""
    place.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, place)
    shutil.copytree(ROOT / "src", place / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for path in place.rglob("*"):
        os.utime(path, (when, when))
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", build, str(place)],
        cwd=place, check=True, capture_output=True, timeout=600,
    )  # fmt: skip
    (wheel,) = place.glob("*.whl")
    return hashlib.sha256(wheel.read_bytes()).hexdigest()
