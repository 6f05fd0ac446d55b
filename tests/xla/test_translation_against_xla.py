"""Translated programs give what XLA gives."""

from __future__ import annotations

import pytest

from stablemate.formats.hlo.text.reader import read_text
from tests.oracle.client import Oracle
from tests.xla.programs import PROGRAMS
from tests.xla.translation import arguments, assert_alike, results, translated


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_gives_what_xla_gives(name: str, oracle: Oracle) -> None:
    text = PROGRAMS[name]
    module = read_text(text)
    values = arguments(module)
    expected = oracle.hlo_run(text, *values)
    program = translated(module)
    assert_alike(results(program, values), expected)
    assert_alike(results(program, values, "cpu"), expected)
