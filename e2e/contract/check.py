"""Holds answers against an OpenAPI document, with Python's jsonschema.

Arguments: the document. Standard input: one answer a line, as JSON with operation, status, type and body.
Prints how many were checked, and each answer that is not as described; fails if there is one.
"""

import json
import sys

from jsonschema import Draft202012Validator, RefResolver


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    resolver = RefResolver.from_schema(document)
    checked = 0
    problems = []
    for line in sys.stdin:
        answer = json.loads(line)
        problem = wrong_with(answer, document, resolver)
        checked += 1
        if problem:
            problems.append(f"{answer['operation']} {answer['status']}: {problem}")
    print(json.dumps({"checked": checked, "problems": problems[:20]}))
    return 1 if problems else 0


def wrong_with(answer: dict, document: dict, resolver: RefResolver) -> str | None:
    method, path = answer["operation"].split(" ", 1)
    responses = document["paths"][path][method.lower()]["responses"]
    response = responses.get(str(answer["status"]))
    if response is None:
        return "this status is not described"
    if "$ref" in response:
        response = resolver.resolve(response["$ref"])[1]
    content = response.get("content")
    if content is None:
        return None if answer["body"] is None else "a body where none is described"
    if not answer["type"].startswith("application/json"):
        return f"content type {answer['type']}"
    validator = Draft202012Validator(content["application/json"]["schema"], resolver=resolver)
    error = next(validator.iter_errors(answer["body"]), None)
    return error and f"{error.json_path}: {error.message[:200]}"


sys.exit(main())
