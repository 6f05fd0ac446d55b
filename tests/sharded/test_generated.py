"""Generated programs of shard_map and shardings give in all forms what XLA gives."""

from __future__ import annotations

import pytest

from tests.sharded.generated import Generated, differences, generated


@pytest.mark.full
def test_generated_programs_give_the_results_of_xla() -> None:
    programs = [
        program for program in generated(7, 0, 6).values() if isinstance(program, Generated)
    ]
    assert len(programs) > 3
    for program in programs:
        assert {"gspmd", "round_trip", "gspmd_permuted"} <= program.forms.keys()
        found = list(differences(program))
        assert [what for _, what in found if not what.startswith("unsupported")] == []
