"""Generated programs of StableHLO, made HLO by XLA: what is translated back computes the same."""

from __future__ import annotations

import re

import pytest

from stablemate.formats.hlo.text.reader import read_text
from stablemate.xla.verifier import verify
from tests.oracle.client import Oracle, OracleError
from tests.properties.generation.choices import Seeded
from tests.properties.generation.formats import OTHERWISE_IN_HLO
from tests.properties.generation.modules import module_of, observed
from tests.properties.generation.programs import FAMILIES, generate
from tests.xla.translation import assert_alike, results, translated

PROGRAMS = 20  # of each family
# That have HLO at all, and keep their meaning in it; of others a third.
FEWEST = {"quantized": 1, "reductions": 4}
# Besides what HLO makes something else of: negative zeros lose their signs in text.
CHANGED = re.compile(rf"{OTHERWISE_IN_HLO.pattern}|-0\.0")


@pytest.mark.parametrize("family", FAMILIES)
def test_programs_come_back_from_hlo(family: str, oracle: Oracle) -> None:
    compared = 0
    for number in range(PROGRAMS):
        program = generate(Seeded(f"hlo:{number}"), family)
        module = module_of([observed(program, "f")])
        text = module.to_text()
        if CHANGED.search(text):
            continue
        try:
            source = oracle.stablehlo_to_hlo(text)
        except OracleError:
            continue  # XLA has no HLO for it
        tree = read_text(source)
        assert verify(tree) == [], source
        values = list(program.arguments)
        expected = module.run(*values, backend="interpreter")
        wanted = list(expected) if isinstance(expected, tuple) else [expected]
        # CHLO's functions and batch norms are expanded by XLA in other ways.
        assert_alike(results(translated(tree), values), wanted, rtol=5e-3, atol=1e-3)
        compared += 1
    assert compared >= FEWEST.get(family, PROGRAMS // 3)
