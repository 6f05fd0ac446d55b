"""The runtime of every library besides the program's kernels, as LLVM IR.

``library_text`` puts together the functions that callers see, the workers, the check of the
processor, the digest of the weights and the data. Nothing here runs in this process.
"""
