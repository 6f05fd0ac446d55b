"""Floor 12, diagnosis: where a program goes wrong, and how little of it is enough for that."""
