"""The structure of programs: what they compute, independent of names and locations."""
