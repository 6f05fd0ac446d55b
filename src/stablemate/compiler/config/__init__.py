"""The settings and the machine properties that a compilation depends on.

Compile options, the parameters of the target machine, numeric environment variables, and the disk
cache of compiled programs. Nothing here imports another package of the compiler, so each module may
be changed on its own; a new option becomes part of the key of the disk cache by itself.
"""
