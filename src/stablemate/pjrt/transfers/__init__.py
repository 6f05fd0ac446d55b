"""Asynchronous transfers: buffers are handed out before their elements are written.

``transfer`` is what readers wait for, ``incomplete_buffers`` makes such buffers, and ``managers``
implements the functions of the interface that write them.
"""
