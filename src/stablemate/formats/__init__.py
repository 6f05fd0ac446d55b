"""Reading and writing programs; one package per format."""
