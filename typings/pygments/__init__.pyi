"""What the lexers use of Pygments."""
