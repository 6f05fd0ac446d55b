"""The table of JAX's own tests has a row for each file, and the sums."""

from __future__ import annotations

from pathlib import Path

from tools.jax_tests import HEAD, Record, row, write_row


def test_rows_stay_and_are_added(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("<!-- table:tests -->\n<!-- /table:tests -->\n")
    here = [
        {"tests": "2000", "begin": "a", "end": "a", "outcome": "passed", "text": ""},
        {"begin": "b", "end": "b", "outcome": "failed", "text": "wrong"},
        {"begin": "c", "end": "c", "outcome": "skipped", "text": ""},
        {"begin": "d"},
    ]
    beside = Record([{"begin": "b", "end": "b", "outcome": "passed", "text": ""}])
    write_row(page, "tests", row("b_test.py", Record(here), beside))
    write_row(page, "tests", row("a_test.py", Record([*here[:1]]), Record([])))
    write_row(page, "tests", row("a_test.py", Record([*here[:3]]), beside))
    assert page.read_text().splitlines()[1:-1] == [
        *HEAD,
        "| `a_test.py` | 3, of 2,000 | 1 | 2 | 1 | 0 | `b` |",
        "| `b_test.py` | 4, of 2,000 | 1 | 2 | 1 | 1 | `b` |",
        "| 2 files | 7 | 2 | 4 | 2 | 1 |  |",
    ]
