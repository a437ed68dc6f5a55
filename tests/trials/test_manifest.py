"""The digest of the code: it changes with what a module uses, and with nothing else."""

from trigpoint.trials._manifest import ROOT, code_digest, sources


def names(module):
    return {str(file.relative_to(ROOT)) for file in sources(module)}


def test_the_package_is_all_its_files():
    assert names("trigpoint") == {str(file.relative_to(ROOT)) for file in ROOT.rglob("*.py")}


def test_a_module_counts_with_all_that_it_reaches():
    found = names("trigpoint.experiments._classification")
    here = {"experiments/_classification.py", "experiments/_paper_methods.py", "dictionary/_classifier.py"}
    by_name = {"selection/_gcls.py", "_kernels/selection_gcls.py"}  # a method, and its kernel
    assert here | by_name <= found
    assert not {"experiments/_claims.py", "distributed/__init__.py", "_kernels/block_cg.py"} & found
    assert not any(name.startswith(("studio/", "cli/", "learner/")) for name in found)


def test_the_digest_is_that_of_the_files(monkeypatch, tmp_path):
    room = tmp_path / "trigpoint"
    for file in ("graph/__init__.py", "graph/_by_name.py", "studio.py", "_errors.py"):
        (room / file).parent.mkdir(parents=True, exist_ok=True)
        (room / file).write_text("")
    (room / "one.py").write_text("def late():\n    from trigpoint.graph import found\n")
    monkeypatch.setattr("trigpoint.trials._manifest.ROOT", room)
    fresh = code_digest.__wrapped__
    before = fresh("trigpoint.one")
    (room / "studio.py").write_text("1")
    (room / "_errors.py").write_text("1")
    assert fresh("trigpoint.one") == before
    (room / "graph" / "_by_name.py").write_text("1")
    assert fresh("trigpoint.one") != before


def test_all_suites_have_sources():
    for suite in ("regression", "classification", "runtime", "bound", "torus"):
        assert len(names(f"trigpoint.experiments._{suite}")) > 100
