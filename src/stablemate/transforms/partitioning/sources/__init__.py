"""Values that devices compute for themselves: constants, counters, broadcasts, random bits."""
