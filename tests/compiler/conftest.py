"""The disk cache of these tests is their own."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def cache_directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps the user's cache out of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STABLEMATE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield
