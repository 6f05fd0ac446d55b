"""Code lenses: run, profile and view the functions of a text."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from lsprotocol import types

from stablemate.lsp.documents import Document

RUN, PROFILE, VIEW = "stablemate.run", "stablemate.profile", "stablemate.view"
TITLES = {RUN: "run", PROFILE: "profile", VIEW: "view"}
VERBS = {
    RUN: ("run", "--random-seed=0"),
    PROFILE: ("profile", "--random-seed=0"),
    VIEW: ("view", "--format=html", "-o"),
}
SECONDS = 120.0  # that a run from the editor may take before it is stopped


def code_lenses(document: Document) -> list[types.CodeLens]:
    """The lenses of a text: above every function, of HLO above the first computation."""
    snapshot = document.snapshot
    functions = list(snapshot.names.visible("function"))
    if snapshot.language == "hlo":
        functions = functions[:1]
    lenses: list[types.CodeLens] = []
    for symbol in functions:
        line = snapshot.text.rfind("\n", 0, symbol.definitions[0][0]) + 1
        head = snapshot.text[line : symbol.definitions[0][0]]
        if snapshot.language == "mlir" and ("func" not in head or "private" in head):
            continue
        place = snapshot.positions.range(*symbol.definitions[0])
        entry = symbol.name if snapshot.language == "mlir" else ""
        for command, title in TITLES.items():
            call = types.Command(title, command, arguments=[document.uri, entry])
            lenses.append(types.CodeLens(place, call))
    return lenses


async def output_of(command: str, text: str, entry: str) -> tuple[str, Path | None]:
    """Runs a verb on a text in a process of its own.

    Returns:
        What it prints, and the page that it writes if there is one.
    """
    arguments = list(VERBS[command])
    page: Path | None = None
    if command == VIEW:
        handle, name = tempfile.mkstemp(suffix=".html", prefix="stablemate-")
        os.close(handle)
        page = Path(name)
        arguments.append(name)
    elif entry:
        arguments.append(f"--entry={entry.lstrip('@')}")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "stablemate", *arguments, "-",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        content = text.encode("utf-8", "replace")
        output, _ = await asyncio.wait_for(process.communicate(content), SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return f"stopped after {SECONDS:g} seconds", None
    printed = output.decode("utf-8", "replace").strip()
    return printed, page if process.returncode == 0 else None
