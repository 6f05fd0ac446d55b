"""Tokens a second of a model of language, by the type of its weights, beside other runtimes."""
