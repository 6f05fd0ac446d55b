"""Fixtures that every test may use."""

from collections.abc import Iterator

import pytest

from tests.oracle.client import Oracle


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """The upstream implementations; see ``tests/oracle/client.py``."""
    with Oracle() as oracle:
        yield oracle
