"""The HTTP API as an OpenAPI 3.1 document, made from the types that requests are checked with."""

from typing import Any

from msgspec.json import schema_components

from trigpoint import __version__
from trigpoint.studio import _answers as answers
from trigpoint.studio import _requests as requests
from trigpoint.studio import _team
from trigpoint.studio._events import MOST

Schema = dict[str, Any]

EXPORTS = {
    "labels.csv": "text/csv; charset=utf-8",
    "labels.parquet": "application/vnd.apache.parquet",
    "answers.csv": "text/csv; charset=utf-8",
    "predictions.csv": "text/csv; charset=utf-8",
    "predictions.parquet": "application/vnd.apache.parquet",
    "label_studio.json": "application/json",
    "label_studio.xml": "application/xml",
    "hugging_face.tar": "application/x-tar",
    "metadata.jsonl": "application/jsonl",
    "coco_keypoints.json": "application/json",
    "classes.tar": "application/x-tar",
    "log.jsonl": "application/jsonl",
}
TYPES = (
    requests.Actions,
    answers.Error,
    answers.Setup,
    answers.PageState,
    answers.Sample,
    answers.ActionsAnswer,
    answers.SampleList,
    answers.Found,
    answers.IssueList,
    answers.PastActions,
    answers.Landmarks,
    answers.Guide,
    answers.ImportAnswer,
    requests.Invite,
    requests.EndLink,
    requests.NewPassword,
    requests.SignIn,
    requests.SignOut,
    _team.TeamAnswer,
    _team.Activity,
    _team.LinkInfo,
    _team.LinkList,
    _team.Done,
)
PLACE = "#/components/schemas/{name}"
COMPONENTS = schema_components(TYPES, ref_template=PLACE)[1]
BYTES: Schema = {"application/octet-stream": {}}
PICTURES: Schema = {f"image/{kind}": {} for kind in ("png", "jpeg", "gif", "bmp", "webp")}


def ref(kind: type) -> Schema:
    return {"$ref": PLACE.format(name=kind.__name__)}


def query(kind: type) -> list[Schema]:
    """The parameters of a query, from its type. Nothing is written for null: a field may be left out."""
    (described,) = schema_components([kind])[1].values()
    found = []
    for name, schema in described["properties"].items():
        (first, *_) = schema.get("anyOf", [schema])
        one = {"name": name, "in": "query", "required": name in described["required"], "schema": first}
        found.append(one | {"style": "form", "explode": False} if first.get("type") == "array" else one)
    return found


def in_path(name: str, schema: Schema) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def operation(
    name: str,
    answer: type | Schema,
    parameters: list[Schema] | None = None,
    *,
    refusals: str = "",
    **more: Any,
) -> Schema:
    """An operation whose answer is a type or other content, with refusals beside the usual ones."""
    content = {"application/json": {"schema": ref(answer)}} if isinstance(answer, type) else answer
    fail = {"application/json": {"schema": ref(answers.Error)}}
    codes = sorted({"400", "401", "403", "410", *refusals.split()})
    responses = {"200": {"description": "the answer", "content": content}}
    responses |= {code: {"description": "one sentence that says why not", "content": fail} for code in codes}
    return {"operationId": name, "parameters": parameters or [], "responses": responses, **more}


def body(content: Schema) -> Schema:
    return {"required": True, "content": content}


def posted(name: str, answer: type, given: type, refusals: str = "") -> Schema:
    """An operation that takes a JSON document and changes something."""
    document = body({"application/json": {"schema": ref(given)}})
    return operation(name, answer, refusals=f"408 413 415 503 507 {refusals}", requestBody=document)


INDEX = in_path("index", {"type": "integer", "minimum": 0, "maximum": MOST})
EXPORT = in_path("name", {"type": "string", "enum": list(EXPORTS)})
MANY: Schema = {"application/json": {"schema": {"type": "array", "items": ref(answers.Sample)}}}
ANYTHING: Schema = {"application/json": {"schema": {"type": "object"}}}
FILES: Schema = {media.partition(";")[0]: {} for media in EXPORTS.values()}

GETS = {
    "/api/setup": operation("setup", answers.Setup),
    "/api/state": operation("state", answers.PageState, query(requests.StateQuery)),
    "/api/samples": operation("samples", MANY, query(requests.SamplesQuery), refusals="404"),
    "/api/samples/{index}": operation(
        "sample", answers.Sample, [INDEX, *query(requests.PersonQuery)], refusals="404"
    ),
    "/api/pictures/{index}": operation(
        "picture", PICTURES, [INDEX, *query(requests.PictureQuery)], refusals="404 415"
    ),
    "/api/history": operation("history", answers.PastActions, query(requests.HistoryQuery)),
    "/api/reserve": operation("reserve", answers.SampleList, query(requests.ReserveQuery)),
    "/api/least_sure": operation("least_sure", answers.SampleList, query(requests.LeastSureQuery)),
    "/api/issues": operation("issues", answers.IssueList, query(requests.IssuesQuery)),
    "/api/disagreements": operation("disagreements", answers.SampleList),
    "/api/flagged": operation("flagged", answers.SampleList),
    "/api/search": operation("search", answers.Found, query(requests.SearchQuery)),
    "/api/guide": operation("guide", answers.Guide),
    "/api/gallery": operation("gallery", BYTES, query(requests.GalleryQuery)),
    "/api/map/coordinates": operation("map_coordinates", BYTES, refusals="404"),
    "/api/map/predictions": operation("map_predictions", BYTES, refusals="404"),
    "/api/map/landmarks": operation("map_landmarks", answers.Landmarks),
    "/api/export/{name}": operation("export", FILES, [EXPORT], refusals="404 503 507"),
    "/api/openapi.json": operation("openapi", ANYTHING),
    "/api/team": operation("team", _team.TeamAnswer),
    "/api/activity": operation("activity", _team.Activity, query(requests.ActivityQuery)),
    "/api/links": operation("links", _team.LinkList),
}
POSTS = {
    "/api/actions": operation(
        "actions",
        answers.ActionsAnswer,
        refusals="408 409 413 415 503 507",
        requestBody=body({"application/json": {"schema": ref(requests.Actions)}}),
    ),
    "/api/import": operation(
        "import",
        answers.ImportAnswer,
        query(requests.ImportQuery),
        refusals="408 413 415 503 507",
        requestBody=body(BYTES),
    ),
    "/api/links": posted("invite", _team.LinkInfo, requests.Invite),
    "/api/links/end": posted("end_link", _team.Done, requests.EndLink),
    "/api/password": posted("password", _team.Done, requests.NewPassword),
    "/api/sign_in": posted("sign_in", _team.Done, requests.SignIn, "429"),
    "/api/sign_out": posted("sign_out", _team.Done, requests.SignOut),
}
PATHS: dict[str, dict[str, Schema]] = {path: {"get": described} for path, described in GETS.items()}
for post_path, post_operation in POSTS.items():
    PATHS.setdefault(post_path, {})["post"] = post_operation
OPENAPI: Schema = {
    "openapi": "3.1.0",
    "info": {"title": "trigpoint studio", "version": __version__},
    "paths": PATHS,
    "components": {"schemas": COMPONENTS},
}
