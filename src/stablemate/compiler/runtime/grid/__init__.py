"""Runs several processes of a grid in native code.

Program instances come in that wait for one another; they run concurrently on threads of the pool,
and collective operations seen before are replayed without Python.
"""
