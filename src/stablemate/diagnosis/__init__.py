"""Floor 12, diagnosis: where a program goes wrong, and the smallest program that shows it."""
