"""Where NaNs, infinities, denormals and overflows originate."""
