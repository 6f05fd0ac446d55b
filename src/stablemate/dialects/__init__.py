"""Floor 3: every operation of every dialect, one section of its specification as a class."""

from stablemate.ir.discardable import register_rule_module

register_rule_module("sdy", "stablemate.dialects.sdy.discardable")
