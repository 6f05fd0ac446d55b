"""Fixtures that every test may use, and how hypothesis draws.

Draws repeat from run to run; ``pytest --hypothesis-profile=explore`` draws anew.
"""

import gc
import signal
import threading
from collections.abc import Iterator

import hypothesis
import pytest

from tests import tiers
from tests.machines import restrict_to
from tests.oracle.client import Oracle

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.register_profile("explore", deadline=None)
hypothesis.settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds ``--machine`` and ``--one-in``."""
    parser.addoption(
        "--machine", help="run as on this machine: avx2 or sse2; see tests/machines.py"
    )
    parser.addoption(
        "--one-in",
        type=int,
        default=1,
        help="of the cases that the quick tier leaves out, run every K-th of each test",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Takes another machine for this one, and lets Ctrl-C reach the programs that tests start.

    A shell starts a background job with Ctrl-C ignored, and children inherit that.
    """
    if machine := config.getoption("--machine"):
        restrict_to(machine)
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before ``-m`` deselects
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks what is not of the quick tier; see ``tests/tiers.py``."""
    tiers.choose(config, items)


@pytest.fixture(autouse=True)
def collections() -> Iterator[None]:
    """Garbage is collected as before a test, though the command line in it collects rarely."""
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """The upstream implementations; see ``tests/oracle/client.py``."""
    with Oracle() as oracle:
        yield oracle
