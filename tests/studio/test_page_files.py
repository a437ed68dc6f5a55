"""Labels out of the page and into it: a download is the whole truth, an import is shown before it is done."""

import csv

import pytest
from playwright.sync_api import expect

from studio.pools import DIGITS, digit_of, write_csv


@pytest.mark.slow
def test_download(studio, digits, join, tmp_path):
    running = studio(digits, "--budget", "60", "--classes", DIGITS)
    ada = join(running)
    told = ada.label(6, digit_of)
    ada.is_saved()
    panel = ada.open_tab("Files")
    with ada.page.expect_download() as download:
        panel.get_by_role("link", name="Labels, CSV").click()
    assert download.value.suggested_filename == "labels.csv"
    download.value.save_as(tmp_path / "labels.csv")
    with (tmp_path / "labels.csv").open(newline="", encoding="utf-8") as source:
        assert {row["id"]: row["label"] for row in csv.DictReader(source)} == told


@pytest.mark.slow
def test_import(studio, digits, join, tmp_path):
    running = studio(digits, "--budget", "60", "--classes", DIGITS)
    ada = join(running)
    expect(ada.sample).to_be_visible()
    names = sorted(path.name for path in digits.iterdir())[:7]
    rows = [(name, digit_of(name)) for name in names]
    file = write_csv(tmp_path / "known.csv", ("id", "label"), [*rows, ("nobody.png", "3")])
    panel = ada.open_tab("Files")
    panel.locator("input[type=file]").set_input_files(file)
    expect(panel).to_contain_text("nothing is imported yet")
    expect(panel).to_contain_text("nobody.png")
    assert running.labels() == {}
    ada.shoot("import")
    panel.get_by_role("button", name="Import").click()
    expect(panel).to_contain_text("Imported")
    assert running.labels() == dict(rows)


@pytest.mark.slow
def test_answers_of_several_people_come_in_under_their_names(studio, digits, join, tmp_path):
    running = studio(digits, "--budget", "60", "--classes", DIGITS)
    ada = join(running)
    expect(ada.sample).to_be_visible()
    names = sorted(path.name for path in digits.iterdir())[:20]
    rows = [(name, digit_of(name), who) for name in names for who in ("Bob", "Cy")]
    panel = ada.open_tab("Files")
    file = write_csv(tmp_path / "answers.csv", ("id", "label", "annotator"), rows)
    panel.locator("input[type=file]").set_input_files(file)
    panel.get_by_role("button", name="Import").click()
    expect(panel).to_contain_text("Imported")
    progress = ada.open_tab("Progress")
    expect(progress).to_contain_text("quality 9")
    expect(progress).to_contain_text("100 % of 20 pairs")
    ada.shoot("people")
    assert running.state()["annotators"] == {"Bob": 20, "Cy": 20}
    assert {(row["id"], row["annotator"]) for row in running.table("answers.csv")} == {
        (name, who) for name, _, who in rows
    }
