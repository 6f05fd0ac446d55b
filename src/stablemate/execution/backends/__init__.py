"""Runs the processes of a grid: alone, in lock-step in one thread, or as MPI ranks.

Processes come in as generators of requests; a backend answers the requests of its processes and
returns their results. Only `mpi` imports an MPI library.
"""
