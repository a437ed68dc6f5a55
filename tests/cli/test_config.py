from pathlib import Path

import pytest


@pytest.fixture
def select(run, blobs):
    def call(content, *words):
        Path("run.toml").write_text(content)
        return run("select", "pool.csv", "--config", "run.toml", *words)

    return call


def test_a_file_sets_what_the_command_line_leaves_open(run, select):
    content = """
        [select]
        budget = 4
        method = "gcls"
        option = { strategy = "two_candidates", alpha = 0.5 }
        columns = ["height"]
        json = true
        neighbors = 7
        [propagate]
        labels = "labels.csv"
    """
    done = select(content).json
    assert [done["n_landmarks"], done["method"], done["graph"]["n_neighbors"]] == [4, "gcls", 7]
    assert done["options"] == {"strategy": "two_candidates", "alpha": 0.5}
    won = select(content, "--budget", 2, "--option", "strategy=exact").json
    assert [won["n_landmarks"], won["options"]] == [2, {"strategy": "exact"}]
    assert run("propagate", "pool.csv", "--config", "run.toml").code == 0


def test_names_may_be_spelled_with_underscores(select):
    assert select("[select]\nbudget = 3\nid_column = 'id'\n").code == 0


def test_a_file_without_a_table_for_the_command_sets_nothing(select):
    assert select("[bound]\nalpha = 3\n", "--budget", 2).code == 0


def test_no_file_is_read_unasked(run, blobs):
    Path("trigpoint.toml").write_text("[select]\nbudget = 3\n")
    done = run("select", "pool.csv")
    assert done.code == 2
    assert "--budget" in done.err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[select]\nbugdet = 3", "run.toml: 'bugdet' is not an option of select, whose options are: "),
        (
            "[selekt]",
            "tables of commands (bound, check, compare, demo, export, graph, predict, propagate, reproduce, "
            "select, studio); got 'selekt'.",
        ),
        ("budget = 3", "got 'budget'."),
        ("[select]\nconfig = 'x'", "'config' is not an option of select"),
        ("[select]\njson = 1", "run.toml: json of select must be true or false; got 1."),
        ("[select]\nbudget = true", "run.toml: budget of select must be text or a number; got True."),
        ("[select]\nbudget = [3]", "run.toml: budget of select must be text or a number; got [3]."),
        ("[select]\nbudget = 'many'", "--budget"),
        ("[select", "run.toml must be TOML; "),
    ],
)
def test_bad_files_are_refused_in_one_line(select, content, message):
    done = select(content, "--json")
    assert done.code == 2
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_file_that_is_not_there(run, blobs):
    done = run("select", "pool.csv", "--config", "no.toml")
    assert (done.code, done.err) == (
        2,
        "trigpoint: no.toml must be a TOML file that exists; there is none.\n",
    )
