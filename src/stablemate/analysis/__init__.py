"""Floor 8, analysis: what can be said about a program; the command line only renders it."""
