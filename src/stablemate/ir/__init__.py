"""Floor 2: the nouns of the IR; knows no particular op."""
