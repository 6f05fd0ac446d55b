"""The table of the versions of a library: rows that were run replace those of the page."""

from pathlib import Path

from tools.library_versions import Row, write_rows

PAGE = """Before.

<!-- table:versions -->
| PyTorch | tests |
| --- | --- |
| 2.9.0 | 1 / 2 |
| 2.14.1 | 2 / 2 |
<!-- /table:versions -->
"""


def test_rows_are_replaced_and_in_order(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    write_rows(
        page, [Row("2.10.0", {"tests": (2, 2)}, []), Row("2.9.1", {"tests": (2, 2)}, [])], "PyTorch"
    )
    rows = ["| 2.9.1 | 2 / 2 |", "| 2.10.0 | 2 / 2 |", "| 2.14.1 | 2 / 2 |"]
    before = PAGE.splitlines()
    assert page.read_text().splitlines() == [*before[:5], *rows, before[-1]]
