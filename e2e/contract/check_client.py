"""Holds answers against the types that the Python client has for them.

Arguments: the OpenAPI document. Standard input: one answer a line, as JSON with operation, status, type and body.
Prints how many were checked, and each answer that is not as described; fails if there is one.
"""

from __future__ import annotations

import json
from pathlib import Path
from re import sub
import sys
from typing import Any, get_type_hints

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "python/src"), str(ROOT / "python/test")]

from described import wrong_with  # noqa: E402
from hypocaust import HypocaustClient  # noqa: E402
from hypocaust.types import ErrorBody  # noqa: E402


def main() -> int:
    document = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    checked, problems = 0, []
    for line in sys.stdin:
        answer = json.loads(line)
        checked += 1
        problem = _problem(answer, document)
        if problem:
            problems.append(f"{answer['operation']} {answer['status']}: {problem}")
    print(json.dumps({"checked": checked, "problems": problems[:20]}))
    return 1 if problems else 0


def _problem(answer: dict[str, Any], document: Any) -> str | None:
    method, path = answer["operation"].split(" ", 1)
    if answer["status"] == 304 or method == "HEAD":
        return None if answer["body"] is None else "a body"
    if answer["status"] != 200:
        return wrong_with(answer["body"], ErrorBody)
    name = document["paths"][path][method.lower()]["operationId"]
    call = getattr(HypocaustClient, sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name))
    return wrong_with(answer["body"], get_type_hints(call)["return"])


sys.exit(main())
