"""Where NaNs, infinities, denormals and overflows are born."""
