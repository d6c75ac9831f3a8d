"""Whether a value is what a type of the client describes, with nothing missing and nothing more."""

from __future__ import annotations

from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict


def wrong_with(value: Any, kind: Any, path: str = "$") -> str | None:
    """What is wrong and where, or nothing."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        problems = [wrong_with(value, each, path) for each in args]
        return None if None in problems else "; ".join(filter(None, problems))
    if origin is Literal:
        return None if value in args else f"{path}: {value!r} is none of {args}"
    if origin is list:
        if not isinstance(value, list):
            return f"{path} is no list"
        return _first(wrong_with(each, args[0], f"{path}[{i}]") for i, each in enumerate(value))
    if origin is dict:
        if not isinstance(value, dict):
            return f"{path} is no object"
        return _first(wrong_with(each, args[1], f"{path}.{name}") for name, each in value.items())
    if is_typeddict(kind):
        return _wrong_with_object(value, kind, path)
    wanted: Any = {float: (int, float), int: int, str: str, bool: bool, NoneType: NoneType, None: NoneType}[kind]
    fits = isinstance(value, wanted) and (kind is bool or not isinstance(value, bool))
    return None if fits else f"{path}: {value!r} is no {getattr(kind, '__name__', kind)}"


def _wrong_with_object(value: Any, kind: Any, path: str) -> str | None:
    if not isinstance(value, dict):
        return f"{path} is no {kind.__name__}"
    hints = get_type_hints(kind)
    if missing := kind.__required_keys__ - value.keys():
        return f"{path} has no {sorted(missing)}"
    if more := value.keys() - hints.keys():
        return f"{path} has {sorted(more)}, which is not described"
    return _first(wrong_with(each, hints[name], f"{path}.{name}") for name, each in value.items())


def _first(problems: Any) -> str | None:
    return next(filter(None, problems), None)
