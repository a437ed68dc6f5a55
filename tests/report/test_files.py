import os

import numpy as np
import pytest

from trigpoint.report import Report, check_report, page, write_report

SMALL = Report("A pool", "pool.npy", 10, np.array([3]))


def test_the_file_is_the_page(tmp_path):
    path = write_report(SMALL, str(tmp_path / "report.html"))
    assert path == tmp_path / "report.html"
    assert path.read_text(encoding="utf-8") == page(SMALL)
    assert list(tmp_path.iterdir()) == [path], "nothing half-written is left"


def test_a_failure_leaves_the_old_page(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("the old one")

    def fail(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_report(SMALL, path)
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_page_that_cannot_be_made_leaves_the_old_one(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("the old one")
    bad = Report("A pool", "pool.npy", 10, np.array([3]), [{"id": "3", "image": np.zeros((2, 2))}])
    with pytest.raises(ValueError, match="pixels must be"):
        write_report(bad, path)
    assert path.read_text() == "the old one"


def test_what_cannot_be_written_is_said_first(tmp_path):
    check_report(tmp_path / "report.HTML")
    with pytest.raises(ValueError, match=r"report must end in .html; got 'report.png'"):
        check_report((tmp_path / "report.png").relative_to(tmp_path))
    with pytest.raises(ValueError, match="report must be a file in a folder that exists"):
        check_report(tmp_path / "none" / "report.html")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(ValueError, match="report must be a file in a folder that exists"):
        check_report(tmp_path / "folder.html")
