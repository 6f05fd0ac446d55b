"""Runs compiled programs.

A program image comes in with its functions; calls with arrays go to native code, and operations
that it lacks come back as requests. Signal polling, measurements of the machine and statistics of
arrays live here too.
"""
