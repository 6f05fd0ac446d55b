"""The page of the compiler's stages: what goes in is a compiled program, what comes out one file.

``links`` finds which lines of the stages belong together; ``page`` writes the page.
"""
