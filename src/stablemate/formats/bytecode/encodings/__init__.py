"""How each dialect encodes its attributes and types: one table of rows per dialect."""
