"""HLO as itself: shapes with layouts, instructions, computations, modules; exact and frozen."""
