"""The rules that translate HLO opcodes, one file for each family; ``table`` collects them."""
