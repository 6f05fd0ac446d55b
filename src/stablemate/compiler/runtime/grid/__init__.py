"""Runs several processes of a grid in native code.

Program instances that wait for one another run concurrently on threads of the pool, and collective
operations that were recorded once are replayed without Python.
"""
