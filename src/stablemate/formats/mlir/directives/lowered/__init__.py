"""Directives of the operations of MLIR's own dialects that partial lowerings leave."""
