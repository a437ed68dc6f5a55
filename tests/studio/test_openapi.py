"""The schema, turned on the studio itself: thousands of requests made from it, valid and not.

A real server on loopback with a real store and a real pool answers them. No answer may be an error of the
server, and each must be of the form that the schema promises.
"""

import asyncio
import json
from threading import Event, Thread

import jsonschema_rs
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    response_schema_conformance,
    status_code_conformance,
)

from trigpoint.io import glimpse
from trigpoint.studio._events import Settings
from trigpoint.studio._messages import Job
from trigpoint.studio._open import open_studio
from trigpoint.studio._openapi import COMPONENTS, OPENAPI, PATHS
from trigpoint.studio._requests import Actions, BadRequestError, read_body
from trigpoint.studio._security import Access
from trigpoint.studio._serve import _run, _Server, bind
from trigpoint.studio._studio import Studio
from trigpoint.studio._web import make_app

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    positive_data_acceptance,
    negative_data_rejection,
]
fuzzed = schemathesis.openapi.from_dict(OPENAPI)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """The address of a studio that runs in a thread, on a pool of texts."""
    folder = tmp_path_factory.mktemp("fuzz")
    rows = "".join(f"t{i},{'red' if i % 2 else 'blue'} thing {i}\n" for i in range(30))
    (folder / "pool.csv").write_text("id,body\n" + rows)
    samples = glimpse(folder / "pool.csv", text_column="body")
    store, how = open_studio(folder / "s.db", samples, Settings(budget=20, overlap=2, n_neighbors=4), ())
    studio = Studio(samples, store, how, Job(folder / "pool.csv", {"text_column": "body"}, None))
    listener, ready = bind("127.0.0.1", 0), Event()
    server = _Server(make_app(studio, Access("token", "cookie")), ready.set)
    thread = Thread(target=lambda: asyncio.run(_run(studio, listener, (), server)))
    thread.start()
    assert ready.wait(600)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    server.stop()
    thread.join()


@fuzzed.parametrize()
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
def test_every_answer_keeps_to_the_schema(case, base):
    headers = {"Cookie": "cookie=token", "Origin": base}
    response = case.call(base_url=base, headers=headers)
    odd = case.path in ("/api/import", "/api/sign_in")  # few bytes are a table, and few words a password
    unfit = [positive_data_acceptance] if odd else []
    case.validate_response(response, checks=CHECKS, excluded_checks=unfit)


def test_the_document_is_one(base):
    names = [operation["operationId"] for path in PATHS.values() for operation in path.values()]
    assert len(set(names)) == len(names)
    for schema in COMPONENTS.values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})


def near(whole, others):
    """Records that are right but for at most two fields, which are missing or something else."""
    change = st.dictionaries(st.sampled_from(sorted(others)), st.integers(0, 99), max_size=2)

    def changed(wrong):
        record = dict(whole)
        for field, k in wrong.items():
            if k < 10 and field in record:
                del record[field]
            else:
                record[field] = others[field][k % len(others[field])]
        return record

    return change.map(changed)


WHOLE = {
    "label": {"sample": 3, "value": "x"},
    "unsure": {"sample": 3},
    "skip": {"sample": 3},
    "keep": {"sample": 3, "value": "x", "quality": 0.5},
    "undo": {"target": "c"},
    "class": {"name": "x"},
    "rename": {"old": "x", "new": "y"},
    "budget": {"budget": 9},
}
OTHERS = {
    "client": ["", "c", "c" * 101, "\0", 5, None],
    "kind": ["ask", None, 3],
    "sample": [0, 1.0, 0.5, -1, True, None, "0", 10**9, 10**9 + 1, 10**400],
    "value": ["", "x", "x" * 201, "a\0", [], [1, 2.5], [1, None], [True], {}, None, 1, [0] * 1001, [1e301]],
    "final": [True, False, None, 0],
    "was": ["x", "x" * 201, [1, 2.5], [True], {}, None, 1],
    "quality": [0, 1, 1.5, -0.5, None, "1", True],
    "source": ["queue", "check", "else", None, 1],
    "seconds": [0, -1, 1.5, None, "1", 1e10],
    "name": ["a", "", None, 1],
    "old": ["a", None, 1],
    "new": ["a", "", None, 1],
    "target": ["a", "", None, 1],
    "budget": [1, 0, 2.0, None, False],
    "other": [1],
}
actions = st.sampled_from(sorted(WHOLE)).flatmap(
    lambda kind: near({"client": "c", "kind": kind, **WHOLE[kind]}, OTHERS)
)
bodies = st.lists(actions, max_size=2).flatmap(
    lambda some: near(
        {"annotator": "ann", "actions": some, "held": [1], "want": 8},
        {
            "annotator": ["a", " ", "", "ü" * 60, "a" * 61, "\0", " x ", None, 4],
            "actions": [[], None, {}, "x", [None], [[]]],
            "held": [[], [1, 2], [1.0], [-1], None, ["1"], [0] * 1001],
            "want": [0, 50, 51, -1, 3.0, 3.5, True, None, "1"],
            "more": [1],
        },
    )
)


def problem(body):
    try:
        read_body(json.dumps(body).encode(), Actions)
    except BadRequestError as error:
        return str(error)
    return None


@settings(max_examples=10 * settings().max_examples)
@given(bodies | st.sampled_from([None, 1, "a", [], {}]))
def test_our_checks_are_those_of_json_schema(body):
    schema = {"$ref": "#/components/schemas/Actions", "components": OPENAPI["components"]}
    why = problem(body)
    assert (why is None) == jsonschema_rs.is_valid(schema, body), why
    assert why is None or why.startswith("body")
