"""The parts of the verifier: dominance, the order of errors, and upstream's leniency."""
