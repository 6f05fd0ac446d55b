"""Temporary: finds operations by looking (the explicit list replaces it)."""
from __future__ import annotations
import importlib, pkgutil
import stablemate.dialects as d
from stablemate.ir.core import Operation
OPERATIONS: dict[str, type[Operation]] = {}
def scan(pkg):
    for info in pkgutil.iter_modules(pkg.__path__):
        if info.name=="registry": continue
        m=importlib.import_module(f"{pkg.__name__}.{info.name}")
        if info.ispkg:
            scan(m); continue
        for v in vars(m).values():
            if isinstance(v,type) and issubclass(v,Operation) and "definition" in vars(v):
                OPERATIONS[v.definition.name]=v
            if isinstance(v,(tuple,list,dict)):
                for w in (v.values() if isinstance(v,dict) else v):
                    if isinstance(w,type) and issubclass(w,Operation) and "definition" in vars(w):
                        OPERATIONS[w.definition.name]=w
scan(d)
