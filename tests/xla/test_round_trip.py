"""HLO that went to StableHLO and back is valid, and computes the same."""

from __future__ import annotations

import numpy as np
import pytest

from stablemate.formats.hlo.text.reader import read_text
from stablemate.xla.translate.from_stablehlo.module import to_hlo
from stablemate.xla.verifier import verify
from tests.xla.corpus import CorpusModule, modules
from tests.xla.programs import PROGRAMS
from tests.xla.translation import arguments, results, translated


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_computes_the_same(name: str) -> None:
    first = translated(PROGRAMS[name])
    back = to_hlo(first)
    assert verify(back) == []
    values = arguments(read_text(PROGRAMS[name]))
    expected, outcome = results(first, values), results(translated(back), values)
    for a, b in zip(outcome, expected, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("module", modules(), ids=lambda entry: entry.name)
def test_module_of_jax_stays_valid(module: CorpusModule) -> None:
    back = to_hlo(translated(module.text))
    assert verify(back) == []
    translated(back)
