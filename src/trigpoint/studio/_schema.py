"""The HTTP API as data: an OpenAPI 3.1 document. Requests are checked by it (see _requests)."""

from typing import Any

from trigpoint import __version__
from trigpoint.studio._rules import LONGEST_PERSON, MOST

Schema = dict[str, Any]

NAME = "^[^\\x00]*$"  # a NUL would not survive a table
EXPORTS = {
    "labels.csv": "text/csv; charset=utf-8",
    "labels.parquet": "application/vnd.apache.parquet",
    "predictions.csv": "text/csv; charset=utf-8",
    "predictions.parquet": "application/vnd.apache.parquet",
    "label_studio.json": "application/json",
    "log.jsonl": "application/jsonl",
}
SOURCES = ("queue", "history", "map", "doubtful", "disagreement", "search", "import")
NEEDS = {
    "label": ["sample", "value"],
    "unsure": ["sample"],
    "skip": ["sample"],
    "undo": ["target"],
    "class": ["name"],
    "rename": ["old", "new"],
    "budget": ["budget"],
}


def record(required: Schema, optional: Schema | None = None, **more: Any) -> Schema:
    """An object with these fields and no others."""
    fields = {**required, **(optional or {})}
    named = {"required": list(required)} if required else {}
    return {"type": "object", "properties": fields, **named, "additionalProperties": False, **more}


def text(least: int = 0, most: int | None = None) -> Schema:
    longest = {} if most is None else {"maxLength": most}
    return {"type": "string", "minLength": least, **longest, "pattern": NAME}


def whole(least: int = 0, most: int = MOST) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


def several(items: Schema, most: int | None = None) -> Schema:
    return {"type": "array", "items": items, **({} if most is None else {"maxItems": most})}


def pair(items: Schema) -> Schema:
    return {"type": "array", "items": items, "minItems": 2, "maxItems": 2}


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return {**schema, "type": [*types, "null"]}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


NULL: Schema = {"type": "null"}
NUMBER: Schema = {"type": "number"}
FINITE: Schema = {"type": "number", "minimum": -1e300, "maximum": 1e300}
TRUTH: Schema = {"type": "boolean"}
STRING: Schema = {"type": "string"}
INDEX = whole()
ANNOTATOR = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST_PERSON,
    "pattern": "^[^\\x00]*[^\\s\\x00][^\\x00]*$",
    "x-trimmed": True,  # spaces around it do not count
}
CLIENT = text(1, 100)
VALUE: Schema = {
    "type": ["string", "array"],
    "maxLength": 200,
    "pattern": NAME,
    "items": FINITE,
    "maxItems": 1000,
}
GUESS = record({"value": VALUE, "probability": maybe(NUMBER), "doubt": NUMBER})
CELL: Schema = {"type": ["string", "number", "null"]}

ACTION = record(
    {"client": CLIENT, "kind": {"type": "string", "enum": list(NEEDS)}},
    {
        "sample": maybe(INDEX),
        "id": maybe(STRING),
        "value": maybe(VALUE),
        "suggested": maybe(VALUE),
        "seconds": maybe({**NUMBER, "minimum": 0, "maximum": 1e9}),
        "final": maybe(TRUTH),
        "source": {"type": ["string", "null"], "enum": [*SOURCES, None]},
        "name": maybe(text(0, 200)),
        "old": maybe(text(0, 200)),
        "new": maybe(text(0, 200)),
        "budget": maybe(whole(1)),
        "target": maybe(CLIENT),
    },
    allOf=[
        {
            "if": {"properties": {"kind": {"enum": [kind]}}},
            "then": {"required": needs, "properties": {name: {"not": NULL} for name in needs}},
        }
        for kind, needs in NEEDS.items()
    ],
)
APART = ("client", "kind", "sample", "id")  # what an event has beside its body
TOLD = {name: schema for name, schema in ACTION["properties"].items() if name not in APART}
BODY = record({}, {**TOLD, "audit": TRUTH})  # of an event in a log
ACTIONS = record(
    {"annotator": ANNOTATOR, "actions": several(ACTION, 500)},
    {"held": several(INDEX, 1000), "want": whole(0, 50), "edition": maybe(STRING)},
)
ITEM = {
    "sample": INDEX,
    "id": STRING,
    "audit": TRUTH,
    "kind": {"type": "string", "enum": ["image", "text", "row"]},
    "image": maybe(STRING),
    "size": maybe(several(INDEX, 2)),
    "text": maybe(STRING),
    "row": maybe(several(pair(CELL))),
    "suggestion": maybe(GUESS),
    "mine": maybe(VALUE),
    "labels": maybe({"type": "object", "additionalProperties": VALUE}),
}
SAMPLE = {**ITEM, "predicted": maybe(GUESS), "label": maybe(VALUE), "asked": TRUTH}
COUNTS: Schema = {"type": "object", "additionalProperties": INDEX}
ADVICE = record(
    {
        **dict.fromkeys(("error", "low", "high", "expected_error"), maybe(NUMBER)),
        **dict.fromkeys(("n_labels", "n_audits", "next_labels"), INDEX),
        "sentence": STRING,
    }
)
STATE = record(
    {
        "edition": STRING,
        "stage": maybe(record({"name": STRING, "share": maybe(NUMBER)})),
        "ready": TRUTH,
        "failed": maybe(STRING),
        "classes": several(STRING),
        "counts": COUNTS,
        "budget": INDEX,
        "spent": INDEX,
        "labeled": INDEX,
        "unsure": INDEX,
        "waiting": INDEX,
        "advice": maybe(ADVICE),
        "bound": several(pair(NUMBER)),
        "annotators": COUNTS,
        "agreement": maybe(
            record({"share": NUMBER, "alpha": maybe(NUMBER), "pairs": NUMBER, "samples": INDEX})
        ),
        "disagreements": INDEX,
        "missing": INDEX,
        "versions": record(dict.fromkeys(("book", "beliefs", "map"), INDEX)),
        "learning": TRUTH,
    }
)
SETUP = record(
    {
        "pool": record({"name": STRING, "kind": STRING, "n_samples": INDEX, "edition": STRING}),
        "store": STRING,
        "task": {"type": "string", "enum": ["classification", "regression"]},
        "targets": several(STRING),
        "points": several(STRING),
        "overlap": INDEX,
        "seed": {"type": "integer"},
        "version": STRING,
    }
)
EVENT = record(
    {
        "seq": INDEX,
        "time": NUMBER,
        "client": maybe(STRING),
        "kind": STRING,
        "annotator": STRING,
        "sample": INDEX,
        "id": STRING,
        "value": maybe(VALUE),
        "current": TRUTH,
    }
)
SAVED = record({"client": maybe(STRING), "seq": INDEX})
REFUSED = record({"client": maybe(STRING), "why": STRING})
SAMPLES = record({"samples": several(INDEX)})
COMPONENTS = {
    "Error": record({"error": STRING}),
    "Setup": SETUP,
    "State": STATE,
    "Item": record(ITEM),
    "Sample": record(SAMPLE),
    "Event": EVENT,
    "Actions": ACTIONS,
    "Answer": record(
        {
            "saved": several(SAVED),
            "refused": several(REFUSED),
            "items": several(ref("Item")),
            "done": TRUTH,
            "waiting": maybe(STRING),
            "state": ref("State"),
        }
    ),
    "Samples": SAMPLES,
    "Found": record({"samples": several(INDEX), "total": INDEX}),
    "History": record({"events": several(ref("Event"))}),
    "Landmarks": record(
        {"labeled": several(INDEX), "codes": several({"type": "integer"}), "pending": several(INDEX)}
    ),
    "Imported": record(
        {"labels": INDEX, "same": INDEX, "unknown": several(STRING), "n_unknown": INDEX, "events": INDEX}
    ),
}

BYTES: Schema = {"application/octet-stream": {}}
PICTURES: Schema = {f"image/{kind}": {} for kind in ("png", "jpeg", "gif", "bmp", "webp")}


def parameter(name: str, schema: Schema, *, required: bool = False, place: str = "query") -> Schema:
    found = {"name": name, "in": place, "required": required or place == "path", "schema": schema}
    return found | {"style": "form", "explode": False} if schema["type"] == "array" else found


def limit(most: int) -> Schema:
    return parameter("limit", whole(1, most))


def operation(
    name: str,
    answer: str | Schema,
    parameters: list[Schema] | None = None,
    *,
    refusals: str = "",
    **more: Any,
) -> Schema:
    """An operation whose answer is a named schema or other content, with refusals beside the usual ones."""
    content = {"application/json": {"schema": ref(answer)}} if isinstance(answer, str) else answer
    fail = {"application/json": {"schema": ref("Error")}}
    codes = sorted({"400", "401", "403", *refusals.split()})
    responses = {"200": {"description": "the answer", "content": content}}
    responses |= {code: {"description": "one sentence that says why not", "content": fail} for code in codes}
    return {"operationId": name, "parameters": parameters or [], "responses": responses, **more}


ASKED_BY = parameter("annotator", ANNOTATOR)
WHICH = parameter("index", whole(), place="path")
PATHS: dict[str, dict[str, Schema]] = {
    "/api/setup": {"get": operation("setup", "Setup")},
    "/api/state": {"get": operation("state", "State", [ASKED_BY, parameter("held", several(INDEX, 1000))])},
    "/api/actions": {
        "post": operation(
            "actions",
            "Answer",
            refusals="408 409 413 415 503 507",
            requestBody={"required": True, "content": {"application/json": {"schema": ref("Actions")}}},
        )
    },
    "/api/samples": {
        "get": operation(
            "samples",
            {"application/json": {"schema": several(ref("Sample"))}},
            [parameter("ids", several(INDEX, 200), required=True), ASKED_BY],
            refusals="404",
        )
    },
    "/api/samples/{index}": {"get": operation("sample", "Sample", [WHICH, ASKED_BY], refusals="404")},
    "/api/pictures/{index}": {
        "get": operation(
            "picture",
            PICTURES,
            [WHICH, parameter("small", {"type": "integer", "enum": [0, 1]})],
            refusals="404 415",
        )
    },
    "/api/history": {
        "get": operation("history", "History", [ASKED_BY, parameter("before", whole(0, 2**53)), limit(500)])
    },
    "/api/doubtful": {"get": operation("doubtful", "Samples", [limit(1000)])},
    "/api/disagreements": {"get": operation("disagreements", "Samples")},
    "/api/search": {
        "get": operation("search", "Found", [parameter("q", text(0, 1000), required=True), limit(1000)])
    },
    "/api/map/coordinates": {"get": operation("map_coordinates", BYTES, refusals="404")},
    "/api/map/beliefs": {"get": operation("map_beliefs", BYTES, refusals="404")},
    "/api/map/landmarks": {"get": operation("map_landmarks", "Landmarks")},
    "/api/export/{name}": {
        "get": operation(
            "export",
            {media.partition(";")[0]: {} for media in EXPORTS.values()},
            [parameter("name", {"type": "string", "enum": list(EXPORTS)}, place="path")],
            refusals="404 507",
        )
    },
    "/api/import": {
        "post": operation(
            "import",
            "Imported",
            [
                parameter("name", text(1, 255), required=True),
                parameter("annotator", ANNOTATOR, required=True),
                parameter("dry", {"type": "integer", "enum": [0, 1]}),
            ],
            refusals="408 413 415 503 507",
            requestBody={"required": True, "content": {"application/octet-stream": {}}},
        )
    },
    "/api/openapi.json": {
        "get": operation("openapi", {"application/json": {"schema": {"type": "object"}}}),
    },
}
OPENAPI: Schema = {
    "openapi": "3.1.0",
    "info": {"title": "trigpoint studio", "version": __version__},
    "paths": PATHS,
    "components": {"schemas": COMPONENTS},
}
