"""The lexical level of HLO text: the scanner, numbers and strings."""
