"""Floor 3: every operation of every dialect, one section of its specification as a class."""

from stablemate.ir.discardable import rules_in

rules_in("sdy", "stablemate.dialects.sdy.discardable")
