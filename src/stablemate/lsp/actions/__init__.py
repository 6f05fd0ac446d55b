"""Code actions: fixes of what is wrong, and refactorings of what is right."""
