"""A server of programs over HTTP, in the Open Inference protocol (KServe, version 2).

``bodies`` takes requests in and ``messages`` reads them; ``served_model`` runs a program,
``scheduler`` queues its requests and joins them into batches; ``application`` answers, and
``server`` listens.

Source: Open Inference Protocol, version 2, REST; the binary tensor data extension.
"""
