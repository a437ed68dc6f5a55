"""Real data and reference outputs come from outside the project, where the environment says so."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("few", settings.get_profile("house"), max_examples=5)  # ./dev test, without --all
settings.load_profile("house")


def _folder(variable: str) -> Path:
    value = os.environ.get(variable)
    if not value or not Path(value).is_dir():
        pytest.skip(f"{variable} does not name a folder; set it to run this test")
    return Path(value)


@pytest.fixture
def data_folder() -> Path:
    """The folder of real data sets."""
    return _folder("TRIGPOINT_DATA")


@pytest.fixture
def reference_folder() -> Path:
    """The folder of the authors' own outputs."""
    return _folder("TRIGPOINT_REFERENCE")


def pytest_collection_modifyitems(config, items):
    """Where several processes share the work: the longest files first, so that none is left for the end."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: not item.path.is_relative_to(Path(__file__).parent / "studio"))
