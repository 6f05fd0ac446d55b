"""Special functions of mathematical physics and statistics, computed in 64 bits."""
