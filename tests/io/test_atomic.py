import os
import stat
import subprocess
import sys

import pytest

from trigpoint.io import atomic_path, write_bytes, write_text


def test_the_file_is_there_when_the_block_ends(tmp_path):
    target = tmp_path / "a.txt"
    with atomic_path(target) as part:
        assert part.parent == tmp_path
        assert part.suffix == ".txt"
        part.write_text("new")
        assert not target.exists()
    assert target.read_text() == "new"
    assert os.listdir(tmp_path) == ["a.txt"]  # noqa: PTH208


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_an_error_midway_leaves_the_old_file(tmp_path, failure):
    target = tmp_path / "a.txt"
    target.write_text("old")

    def work():
        with atomic_path(target) as part:
            part.write_text("half")
            raise failure

    with pytest.raises(failure):
        work()
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_permissions_are_those_of_the_old_file_or_of_any_new_one(tmp_path):
    old, new, usual = tmp_path / "old", tmp_path / "new", tmp_path / "usual"
    old.write_text("")
    old.chmod(0o640)
    usual.write_text("")
    write_text(old, "x")
    write_text(new, "x")
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode


def test_who_reads_the_old_file_reads_it_to_the_end(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with target.open() as reader:
        write_text(target, "new")
        assert reader.read() == "old"


def test_links_are_followed(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_devices_are_written_to_and_never_replaced(tmp_path):
    write_bytes("/dev/null", b"gone")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)  # noqa: PTH116
    code = "from trigpoint.io import write_text; write_text('/dev/stdout', 'héllo\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == "héllo\n".encode()


def test_bad_targets_are_refused_before_anything_is_written(tmp_path):
    with pytest.raises(FileNotFoundError, match="must lie in a folder that exists"):
        write_text(tmp_path / "no" / "a.txt", "x")
    with pytest.raises(IsADirectoryError, match="it is a folder"):
        write_text(tmp_path, "x")


def test_line_ends_and_text_are_kept(tmp_path):
    write_text(tmp_path / "a", "é\r\n\n")
    assert (tmp_path / "a").read_bytes() == "é\r\n\n".encode()


def test_errors_name_the_target_and_not_the_hidden_file(tmp_path):
    with pytest.raises(OSError, match=r"a\.txt"), atomic_path(tmp_path / "a.txt"):
        pass  # nothing written
