"""Floor 5: reading and writing programs; one package per format."""
