"""Requests, read strictly and checked by the published schemas, so that the two cannot differ.

The checks know the part of JSON Schema that is used there; a keyword says something of its own type of
value alone. What is refused is told in one sentence: the field, the rule and the value.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from trigpoint.studio._schema import COMPONENTS, PATHS, Schema


class BadRequestError(ValueError):
    """What is asked for does not keep to the rules; the message says which."""


def read_json(body: bytes) -> Any:
    """A JSON document, strictly: UTF-8, no NaN, no field twice; a sentence for all others."""
    try:
        return json.loads(body.decode(), object_pairs_hook=_once, parse_constant=_no_constant)
    except RecursionError:
        raise BadRequestError("the body must not be nested this deeply.") from None
    except ValueError as error:
        said = str(error).splitlines()[0].rstrip(".")
        raise BadRequestError(f"the body must be JSON in UTF-8; {said[:200]}.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is given twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def arguments(path: str, given: Mapping[str, str]) -> dict[str, Any]:
    """The query of a GET or POST of this path, as its parameters say; None for what is not given."""
    (described,) = PATHS[path].values()
    found: dict[str, Any] = {}
    for one in described["parameters"]:
        name = one["name"]
        if one["in"] != "query":
            continue
        if name not in given and one["required"]:
            raise BadRequestError(f"{name} must be given.")
        found[name] = (
            checked(_typed(given[name], one["schema"]), one["schema"], name) if name in given else None
        )
    return found


def _typed(text: str, schema: Schema) -> Any:
    """The text of a query as JSON would hold it; as it is where it is no such thing."""
    if schema["type"] == "array":
        return [_typed(part, schema["items"]) for part in text.split(",")] if text else []
    if schema["type"] == "integer" and re.fullmatch(r"-?\d{1,18}", text, re.ASCII):
        return int(text)
    return text


def checked(value: Any, schema: Schema, name: str) -> Any:
    """The value, with whole numbers as int; the error names the field, the rule and the value."""
    if "$ref" in schema:
        return checked(value, COMPONENTS[schema["$ref"].rpartition("/")[2]], name)
    types = _listed(schema.get("type", []))
    if isinstance(value, float) and value.is_integer() and "integer" in types:
        value = int(value)
    if types and not any(_is(value, kind) for kind in types):
        raise _error(name, f"be {' or '.join(types)}", value)
    if "enum" in schema and value not in schema["enum"]:
        raise _error(name, f"be one of {', '.join(map(str, schema['enum']))}", value)
    if "not" in schema and _holds(value, schema["not"], name):
        raise _error(name, "be given", value)
    if isinstance(value, str):
        _check_text(value, schema, name)
        value = value.strip() if "x-trimmed" in schema else value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        _check_number(value, schema, name)
    elif isinstance(value, list):
        value = _checked_list(value, schema, name)
    elif isinstance(value, dict):
        value = _checked_fields(value, schema, name)
    for part in schema.get("allOf", ()):
        if _holds(value, part["if"], name):
            checked(value, part["then"], name)
    return value


def _listed(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


def _is(value: Any, kind: str) -> bool:
    if kind in ("number", "integer"):
        numbers = int if kind == "integer" else int | float
        return isinstance(value, numbers) and not isinstance(value, bool)
    names = {"string": str, "boolean": bool, "null": type(None), "array": list, "object": dict}
    return isinstance(value, names[kind])


def _holds(value: Any, schema: Schema, name: str) -> bool:
    try:
        checked(value, schema, name)
    except BadRequestError:
        return False
    return True


def _check_text(value: str, schema: Schema, name: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _error(name, "be text that UTF-8 can hold", ascii(value)) from None
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if len(value) < least or (most is not None and len(value) > most):
        raise _error(name, f"have {least} to {most} characters", value)
    if "pattern" in schema and not re.search(schema["pattern"], value):
        raise _error(name, "not be blank, and hold no NUL", value)


def _check_number(value: float, schema: Schema, name: str) -> None:
    if not abs(value) <= 1e300:  # nan, infinity, and integers that no float holds
        raise _error(name, "be a finite number", value)
    least, most = schema.get("minimum", -1e300), schema.get("maximum", 1e300)
    if not least <= value <= most:
        raise _error(name, f"lie in [{least}, {most}]", value)


def _checked_list(value: list[Any], schema: Schema, name: str) -> list[Any]:
    most = schema.get("maxItems")
    if most is not None and len(value) > most:
        raise BadRequestError(f"{name} must have at most {most} entries; got {len(value)}.")
    return [checked(item, schema.get("items", {}), f"{name}[{k}]") for k, item in enumerate(value)]


def _checked_fields(value: dict[str, Any], schema: Schema, name: str) -> dict[str, Any]:
    fields = schema.get("properties", {})
    for field in schema.get("required", ()):
        if field not in value:
            raise BadRequestError(f"{name}.{field} must be given.")
    for field in value:
        if field not in fields and schema.get("additionalProperties") is False:
            raise BadRequestError(f"{name} must hold {', '.join(fields)} only; got {ascii(field)[:100]}.")
    return {field: checked(item, fields.get(field, {}), f"{name}.{field}") for field, item in value.items()}


def _error(name: str, rule: str, value: Any) -> BadRequestError:
    shown = repr(value) if not isinstance(value, int) or abs(value) < 10**20 else "a larger number"
    return BadRequestError(f"{name} must {rule}; got {shown[:100]}.")
