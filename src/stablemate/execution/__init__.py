"""Floor 4: what every executor shares; computes nothing itself."""
