"""Operations of MLIR's own dialects that partial lowerings leave in programs.

They are read, verified, printed and converted as MLIR's tools do it; executors reject them by name.
Each file defines the operations of one dialect; `dialect.py` lists them.
"""
