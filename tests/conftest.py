"""Fixtures that every test may use, and how hypothesis draws.

Draws repeat from run to run; ``pytest --hypothesis-profile=explore`` draws anew.
"""

from collections.abc import Iterator

import hypothesis
import pytest

from tests.oracle.client import Oracle

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.register_profile("explore", deadline=None)
hypothesis.settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """The upstream implementations; see ``tests/oracle/client.py``."""
    with Oracle() as oracle:
        yield oracle
