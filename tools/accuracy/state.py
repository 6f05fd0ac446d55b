"""What was found, one entry a line: so a sweep goes on where it was left."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tools.spec_labels import ROOT

STATE: Final = ROOT / "tools" / "accuracy" / "histograms.json"


def done(state: Path) -> dict[str, Any]:
    """What was noted."""
    return json.loads(state.read_text()) if state.exists() else {}


def note(state: Path, key: str, entry: Mapping[str, Any]) -> None:
    """Notes what was done."""
    done_result = done(state)
    done_result[key] = entry
    lines = [f"{json.dumps(name)}: {json.dumps(done_result[name])}" for name in sorted(done_result)]
    state.write_text("{\n" + ",\n".join(lines) + "\n}\n")
