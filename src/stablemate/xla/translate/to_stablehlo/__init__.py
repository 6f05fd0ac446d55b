"""HLO to StableHLO: one rule for each opcode, one file for each family."""
