"""The nouns of the IR; knows no particular op."""
