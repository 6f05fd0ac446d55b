"""The elementary functions of ``f64``, of which those that all carriers share are made."""

from __future__ import annotations

from typing import Final

from stablemate.compiler.loops.expressions import Expression
from stablemate.compiler.lowering.functions.angles import tan
from stablemate.compiler.lowering.functions.logarithm import logarithm
from stablemate.compiler.lowering.functions.powers import accurate
from stablemate.numerics.functions.elementary import Elementary

ELEMENTARY: Final[Elementary[Expression]] = Elementary(log=logarithm, power=accurate, tan=tan)
