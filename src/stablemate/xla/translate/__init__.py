"""Between HLO and StableHLO, one way and the other."""
