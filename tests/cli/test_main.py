"""What holds for every verb: help, exit codes, errors, colors, pipes."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from stablemate.cli import VERBS, main

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
COMMAND = [sys.executable, "-c", "from stablemate.cli import main; main()"]

HEAVY = """
import sys
from stablemate.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print(*sorted({"numpy", "rich", "ml_dtypes"} & set(sys.modules)), file=sys.stderr)
"""


def completed(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(  # type: ignore[no-any-return, call-overload]
        command, env=ENVIRONMENT, capture_output=True, text=True, check=False, **options
    )


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], *([verb, "--help"] for verb in VERBS)], ids=" ".join
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    command = [sys.executable, "-c", HEAVY, *arguments]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr.strip() == ""


def test_a_text_needs_no_reader_of_archives_or_dumps(tmp_path: Path) -> None:
    program = tmp_path / "program.mlir"
    program.write_text("func.func @main() { return }")
    unneeded = '{"zipfile", "stablemate.dumps.dump"}'
    script = HEAVY.replace('{"numpy", "rich", "ml_dtypes"}', unneeded)
    command = [sys.executable, "-c", script, "check", str(program)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["1", "file:", "1", "valid"]  # and no module


@pytest.mark.parametrize("verb", VERBS)
def test_the_table_says_what_a_verb_says(verb: str, stablemate: Callable[..., Result]) -> None:
    done = stablemate(verb, "--help")
    assert done.exit_code == 0
    assert VERBS[verb] in " ".join(done.stdout.split())
    assert "\\b" not in done.stdout  # a mark of click's that it has not understood


def test_every_verb_of_the_table_is_a_file() -> None:
    assert main.list_commands(None) == list(VERBS)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["run", "{add}", "--random-seed=0"], 0),
        (["run", "{add}", "--random-seed=0", "--expected=1"], 1),
        (["run", "{add}"], 2),
        (["run", "{add}", "--no-such-option"], 2),
        (["run", "{missing}"], 2),
        (["run", "{broken}"], 3),
        (["run", "{invalid}", "--random-seed=0"], 3),
        (["run", "{endless}", "--max-iterations=9"], 4),
        (["check", "{add}"], 0),
        (["check", "{missing}"], 2),
        (["check", "{broken}"], 3),
        (["check", "{invalid}", "{add}"], 3),
        (["info", "{add}"], 0),
        (["info", "{broken}"], 3),
        (["fmt", "{add}"], 0),
        (["fmt", "{add}", "--check"], 1),
        (["fmt", "{broken}"], 3),
        (["--help"], 0),
        (["--no-such-option"], 2),
        (["no-such-verb"], 2),
        ([], 2),
    ],
    ids=str,
)
def test_exit_codes(
    arguments: list[str],
    code: int,
    add: Path,
    program: Callable[..., Path],
    stablemate: Callable[..., Result],
) -> None:
    files = {
        "{add}": add,
        "{missing}": add.with_name("missing.mlir"),
        "{broken}": program("func.func @main(", "broken.mlir"),
        "{invalid}": program(INVALID, "invalid.mlir"),
        "{endless}": program(ENDLESS, "endless.mlir"),
    }
    done = stablemate(*(files.get(argument, argument) for argument in arguments))
    assert done.exit_code == code
    assert "Traceback" not in done.stderr


INVALID = """
func.func @main(%a: tensor<2xf32>) -> tensor<4xf32> {
  %0 = stablehlo.concatenate %a, %a, dim = 3 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

ENDLESS = """
func.func @main() -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
  cond {
    %true = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %true : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return %0 : tensor<i32>
}
"""


def test_an_interruption_is_130(
    monkeypatch: pytest.MonkeyPatch, add: Path, stablemate: Callable[..., Result]
) -> None:
    def interrupted(file: str, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("stablemate.cli.input.dump_files.load_program", interrupted)
    assert stablemate("check", add).exit_code == 130


def test_an_internal_error_says_so(
    monkeypatch: pytest.MonkeyPatch, add: Path, stablemate: Callable[..., Result]
) -> None:
    def slip(file: str, **options: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("stablemate.cli.input.dump_files.load_program", slip)
    done = stablemate("check", add)
    assert done.exit_code == 4
    assert done.stderr == (
        "error: internal error: KeyError: 'x'\n"
        "note: this is a bug in stablemate; --debug shows the traceback\n"
    )
    assert "Traceback" in stablemate("check", add, "--debug").stderr


@pytest.mark.parametrize("arguments", [["--debug", "run"], ["run", "--debug"]], ids=str)
def test_debug_shows_the_traceback(
    arguments: list[str], tmp_path: Path, stablemate: Callable[..., Result]
) -> None:
    done = stablemate(*arguments, tmp_path / "missing.mlir")
    assert done.exit_code == 2
    assert "Traceback" in done.stderr


def test_unknown_verbs_and_options_get_a_suggestion(stablemate: Callable[..., Result]) -> None:
    assert "no verb 'rnu'; did you mean 'run'?" in stablemate("rnu").stderr
    assert "no verb 'zzz'; there are run, check," in stablemate("zzz").stderr
    assert "Did you mean '--input'?" in stablemate("run", "x.mlir", "--inptu=1").stderr


@pytest.mark.parametrize("spelling", ["--color", "--colour"])
def test_color_when_asked_for(
    spelling: str, program: Callable[[str], Path], stablemate: Callable[..., Result]
) -> None:
    invalid = program(INVALID)
    assert "\x1b[" in stablemate("check", invalid, f"{spelling}=always").stdout
    assert "\x1b[" in stablemate(f"{spelling}=always", "run", invalid).stderr
    assert "\x1b[" not in stablemate("check", invalid, f"{spelling}=never").stdout
    assert "\x1b[" not in stablemate("check", invalid).stdout


def test_a_closed_pipe_ends_it_silently(add: Path) -> None:
    command = [*COMMAND, "fmt", str(add)]
    with subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_a_closed_stdout_is_no_error(add: Path) -> None:
    command = " ".join(shlex.quote(item) for item in [*COMMAND, "info", str(add)])
    done = subprocess.run(
        f"{command} >&-", shell=True, env=ENVIRONMENT, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_as_a_process(add: Path) -> None:
    done = completed("run", add, "--input=[1 2 3][4 5 6]", "--input=1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2x3xf32=[2 3 4][5 6 7]\n", "")
    assert completed("run", add).returncode == 2
    assert completed("run", "-", "--random-seed=0", input="func.func").returncode == 3
    assert completed("check", add).stderr == "1 file: 1 valid\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    done = completed("completion", shell)
    assert done.returncode == 0
    assert "_STABLEMATE_COMPLETE" in done.stdout


def test_completion_of_verbs_and_options() -> None:
    def offered(words: str, position: int) -> list[str]:
        variables = {
            "_STABLEMATE_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(position),
        }
        code = "from stablemate.cli import main; main(prog_name='stablemate')"
        command = [sys.executable, "-c", code]
        environment = {**ENVIRONMENT, **variables}
        return subprocess.check_output(command, env=environment, text=True).split()

    verbs = [f"plain,{verb}" for verb in VERBS if verb.startswith("c")]
    assert offered("stablemate c", 1) == verbs
    assert offered("stablemate run --max", 2) == ["plain,--max-iterations"]


def test_version(stablemate: Callable[..., Result]) -> None:
    import stablemate as sm

    assert stablemate("--version").stdout == f"stablemate {sm.__version__}\n"


@pytest.mark.parametrize("chosen", [None, "20"])
def test_threads_of_numpy_sleep_unless_the_user_decides(
    chosen: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "OPENBLAS_THREAD_TIMEOUT"
    monkeypatch.setenv(name, chosen or "")
    if chosen is None:
        monkeypatch.delenv(name)
    CliRunner().invoke(main, ["check", "--help"])
    assert os.environ[name] == (chosen or "4")
