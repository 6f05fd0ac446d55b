"""A plugin of pytest that samples the tests of a file and records what comes of each.

`tools.jax_tests` loads it in the processes that it starts. Its settings are variables of the
environment: `JAX_TESTS_RECORD` names the file to which it appends, `JAX_TESTS_SAMPLE` the number of
tests, `JAX_TESTS_SEED` decides their order, `JAX_TESTS_SECONDS` is the time after which no further
test begins, and `JAX_TESTS_ONLY` a file of names to which the tests are limited.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

RECORD: Final = Path(os.environ["JAX_TESTS_RECORD"])
DEADLINE: Final = time.monotonic() + float(os.environ["JAX_TESTS_SECONDS"])
# The phases of a test, the later of which decide unless an earlier one failed.
OUTCOMES: Final = ("failed", "skipped", "passed")


def lines_of(record: Path) -> Iterator[Mapping[str, object]]:
    """The lines that were recorded, as far as they are whole."""
    if record.exists():
        for line in record.read_text().splitlines():
            yield json.loads(line)


def append(entry: Mapping[str, object]) -> None:
    """Appends a line to the record."""
    with RECORD.open("a") as file:
        file.write(json.dumps(entry) + "\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps the sample, less the tests that an earlier process began, in an order of its own."""
    total = len(items)
    items.sort(key=lambda item: item.nodeid)
    if only := os.environ.get("JAX_TESTS_ONLY"):
        names = set(json.loads(Path(only).read_text()))
        items[:] = [item for item in items if item.nodeid in names]
    else:
        random.Random(int(os.environ["JAX_TESTS_SEED"])).shuffle(items)
        del items[int(os.environ["JAX_TESTS_SAMPLE"]) :]
    append({"tests": total, "sample": len(items)})
    begun = {line["begin"] for line in lines_of(RECORD) if "begin" in line}
    items[:] = [item for item in items if item.nodeid not in begun]


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Records why a file cannot be imported, or why all of it is skipped."""
    if not report.passed:
        append({"collection": report.outcome, "text": str(report.longrepr)[-2000:]})


class Recorder:
    """Records the outcome of each test.

    Attributes:
        phases: The outcomes of the phases of the running test.
        text: What the failure says.
    """

    def __init__(self) -> None:
        self.phases: list[str] = []
        self.text = ""

    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """Records that a test begins, unless the time is over."""
        if time.monotonic() > DEADLINE:
            assert item.session is not None
            item.session.shouldstop = "the time is over"
            return
        self.phases, self.text = [], ""
        append({"begin": item.nodeid})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collects the outcome of a phase, and records that of the test after the last."""
        self.phases.append(report.outcome)
        if report.failed:
            self.text = str(report.longrepr)[-3000:]
        if report.when == "teardown":
            outcome = next(kind for kind in OUTCOMES if kind in self.phases)
            append({"end": report.nodeid, "outcome": outcome, "text": self.text})


def pytest_configure(config: pytest.Config) -> None:
    """Registers the recorder, and lets tests read the defaults of absl's flags."""
    config.pluginmanager.register(Recorder(), "recorder")
    flags: Any = import_module("absl.flags")
    flags.FLAGS.mark_as_parsed()
