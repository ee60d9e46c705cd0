"""A small JSON Schema check, written apart from Handrail's own: the keywords that its tools use."""

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool)
    or isinstance(v, float) and v.is_integer(),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "null": lambda v: v is None,
}
KNOWN = {
    "$schema", "type", "enum", "properties", "required", "additionalProperties", "items", "minItems", "maxItems",
    "minLength", "maxLength", "minimum", "maximum", "description", "title", "default", "examples",
}


def problems(value, schema, place="$"):
    """Everything that is wrong with `value`, as sentences; an unknown keyword is wrong too."""
    for keyword in schema.keys() - KNOWN:
        yield f"{place}: the check does not know the keyword {keyword}"
    kind = schema.get("type")
    if kind is not None and not TYPES[kind](value):
        yield f"{place}: {value!r} is no {kind}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is none of {schema['enum']}"
    if isinstance(value, dict):
        yield from _object_problems(value, schema, place)
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{place}: {len(value)} items"
        for i, item in enumerate(value):
            yield from problems(item, schema.get("items", {}), f"{place}[{i}]")
    elif isinstance(value, str):
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
            yield f"{place}: {len(value)} characters"
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            yield f"{place}: {value} is out of range"


def _object_problems(value, schema, place):
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield f"{place}: {name} is missing"
    for name, inner in value.items():
        if name in properties:
            yield from problems(inner, properties[name], f"{place}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{place}: {name} is not declared"
