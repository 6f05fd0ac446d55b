"""What campaigns have done, added up in a file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from tests.properties.generation.findings import Report

COUNTERS: Final = ("ran", "variants", "compared", "left_out", "refused", "covered")
SEPARATOR: Final = " | "


def record(path: Path, report: Report, seed: int, first: int) -> None:
    """Adds what was done to a file, which need not exist."""
    ledger: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"runs": []}
    ledger["runs"].append(
        {
            "seed": seed,
            "first": first,
            "programs": report.programs,
            "differences": len(report.findings),
        }
    )
    for name in COUNTERS:
        counted = Counter(ledger.get(name, {}))
        counted.update({joined(key): n for key, n in getattr(report, name).items()})
        ledger[name] = dict(sorted(counted.items()))
    path.write_text(json.dumps(ledger, indent=1))


def joined(key: Any) -> str:
    """A key as a text."""
    return key if isinstance(key, str) else SEPARATOR.join(map(str, key))


def covered(path: Path) -> Counter[tuple[str, str, int]]:
    """How often each operation was there with an element type and a rank."""
    counted: Counter[tuple[str, str, int]] = Counter()
    for key, n in json.loads(path.read_text())["covered"].items():
        name, element, rank = key.split(SEPARATOR)
        counted[name, element, int(rank)] = n
    return counted
