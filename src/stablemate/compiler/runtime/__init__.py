"""Runs compiled programs.

A program image comes in with its functions; calls with arrays go to native code, and what it cannot
do itself comes back as requests. Signals, profiling and statistics of arrays live here too.
"""
