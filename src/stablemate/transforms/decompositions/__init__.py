"""Operations as simpler ones: what no kernel is made for."""
