"""The cell magics, in a shell of IPython and in a notebook."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from nbformat import v4

import stablemate as sm
from stablemate.notebook.execution import duration
from stablemate.notebook.magics import CellError
from tests.documentation.snippets import ROOT, blocks_of

DOUBLE = """\
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.add %x, %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
"""
WRONG = DOUBLE.replace("%x : tensor", "%x : tensor<2xf32>, tensor")
HLO = """\
HloModule m, entry_computation_layout={(f32[2]{0})->f32[2]{0}}

ENTRY e {
  x = f32[2]{0} parameter(0)
  ROOT y = f32[2]{0} add(x, x)
}
"""


@pytest.fixture
def shell() -> Iterator[Any]:
    InteractiveShell.clear_instance()
    shell: Any = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "stablemate")
    yield shell
    InteractiveShell.clear_instance()


def cell(shell: Any, line: str, text: str = DOUBLE, name: str = "stablehlo") -> Any:
    return shell.run_cell_magic(name, line, text)


def test_a_program_is_checked_and_bound(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert cell(shell, "double") is None
    assert capsys.readouterr().out == "valid\n  main(%arg0: tensor<3xf32>) -> (tensor<3xf32>)\n"
    assert shell.ev("double").run([1.0, 2.0, 3.0]).tolist() == [2, 4, 6]


def test_a_program_runs_with_values_of_the_notebook(shell: Any) -> None:
    shell.user_ns["a"] = np.array([1, 2, 3], np.float32)
    assert cell(shell, "--input a+1").tolist() == [4, 6, 8]
    assert cell(shell, "--input '[1, 2, 3]' --backend interpreter").tolist() == [2, 4, 6]
    assert "double" not in shell.user_ns


def test_arguments_are_drawn_as_on_the_command_line(shell: Any, tmp_path: Path) -> None:
    path, result = tmp_path / "double.mlir", tmp_path / "result.npy"
    path.write_text(DOUBLE)
    command = ["run", str(path), "--random-seed=7", f"--output=@{result}"]
    subprocess.run([sys.executable, "-m", "stablemate", *command], check=True)
    np.testing.assert_array_equal(cell(shell, "--run --random-seed 7"), np.load(result))


def test_hlo_is_read_as_hlo(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert cell(shell, "h --input '[1, 2]'", HLO, "hlo").tolist() == [2, 4]
    assert isinstance(shell.ev("h"), sm.HloModule)
    assert cell(shell, "", HLO, "hlo") is None
    assert capsys.readouterr().out == "valid\n  e(x: tensor<2xf32>) -> (tensor<2xf32>)\n"
    with pytest.raises(CellError):
        cell(shell, "", DOUBLE, "hlo")


def test_times_are_printed(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert cell(shell, "--time --input '[1, 2, 3]'").tolist() == [2, 4, 6]
    pattern = (
        r"a call takes [\d.]+ [mun]?s \(median of \d+\); "
        r"the first, with compilation, took [\d.]+ [mun]?s\n"
    )
    assert re.fullmatch(pattern, capsys.readouterr().out)
    times = [duration(seconds) for seconds in (2.0, 0.0125, 4e-6, 3e-9)]
    assert times == ["2 s", "12.5 ms", "4 us", "3 ns"]


def test_an_error_is_a_diagnostic_with_the_line_of_the_cell(
    shell: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shell.user_ns["broken"] = 1
    result = shell.run_cell("%%stablehlo broken\n" + WRONG)
    assert isinstance(result.error_in_exec, CellError)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    # The second line of the program is the third of the cell.
    assert re.match(r"In\[\d+\]:3:\d+: error: ", shown)
    assert "tensor<2xf32>" in shown
    assert "Traceback" not in shown
    assert "magics.py" not in shown
    assert shell.ev("broken") == 1  # is not bound to a program that is wrong


def test_a_failing_run_is_a_diagnostic(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for line in ("--input '[1, 2]'", "--run", "--run --entry nowhere"):
        result = shell.run_cell(f"%%stablehlo {line}\n{DOUBLE}")
        assert isinstance(result.error_in_exec, CellError), line
        assert "Traceback" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--nothing", "unrecognized arguments: --nothing; %%stablehlo? explains it"),
        ("a b", "unrecognized arguments: b"),
        ("1a", "'1a' is no name of a variable"),
        ("--input 'x", "no closing quotation"),
        ("--input nobody", "--input nobody: NameError: name 'nobody' is not defined"),
        ("--backend tpu", "invalid choice: 'tpu'"),
    ],
)
def test_wrong_usage_is_one_line(shell: Any, line: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        cell(shell, line)


def test_an_empty_cell_and_sizes_that_are_open(shell: Any) -> None:
    with pytest.raises(UsageError, match="the cell has no program"):
        cell(shell, "", " \n")
    with pytest.raises(CellError, match="cannot be drawn at random"):
        cell(shell, "--run --random-seed 0", DOUBLE.replace("3x", "?x"))


def test_magics_explain_themselves(shell: Any) -> None:
    manager = shell.magics_manager.magics["cell"]
    for name, title in (("stablehlo", "StableHLO"), ("hlo", "HLO")):
        text = manager[name].__doc__
        assert text.startswith(f"Check the {title} program")
        assert f"%%{name} [NAME]" in text


def test_diagnostics_are_html_in_a_notebook() -> None:
    with pytest.raises(sm.StablemateError) as caught:
        sm.load(WRONG.replace("main", "main<b>"))
    html = caught.value._repr_html_()
    assert html.startswith("<pre")
    assert "<b>" not in html
    assert "\x1b" not in html
    assert html.count("<span") == html.count("</span>") > 0
    assert (
        re.sub(r"<[^>]+>", "", html)
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&#x27;", "'")
        .replace("&quot;", '"')
        .replace("&amp;", "&")
        == caught.value.render()
    )
    (first, *_) = caught.value.diagnostics
    assert "color: #e03131" in first._repr_html_()


def test_importing_stablemate_does_not_import_ipython() -> None:
    code = "import sys, stablemate; stablemate.load; print('IPython' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.standard
@pytest.mark.filterwarnings("default")  # those of the kernel's libraries are theirs
def test_the_cells_of_the_documentation_run(tmp_path: Path) -> None:
    """The cells of the page run in a kernel, and print what the page shows below them."""
    blocks = list(blocks_of((ROOT / "docs" / "how-to" / "notebooks.md").read_text()))
    cells = [block for block in blocks if block.language == "python"]
    assert len(cells) >= 5
    notebook: Any = v4.new_notebook(cells=[v4.new_code_cell(block.text) for block in cells])
    client = NotebookClient(
        notebook, timeout=120, allow_errors=True, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute(env=os.environ | {"PYTHONPATH": str(Path(sm.__file__).parent.parent)})
    for block, done in zip(cells, notebook["cells"], strict=True):
        after = blocks[blocks.index(block) + 1 :][:1]
        shown = after[0].text if after and after[0].language == "text" else ""
        assert like(shown, "".join(map(text_of, done["outputs"]))), (shown, done["outputs"])


def text_of(output: Any) -> str:
    """What an output shows, as text without colors."""
    match output["output_type"]:
        case "stream":
            text = output["text"]
        case "error":
            text = "\n".join(output["traceback"]) + "\n"
        case _:
            text = output["data"]["text/plain"] + "\n"
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def like(shown: str, text: str) -> bool:
    """Whether an output is what a page shows, where ``...`` stands for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.strip().split("..."))
    return re.fullmatch(pattern, text.strip(), re.DOTALL) is not None
