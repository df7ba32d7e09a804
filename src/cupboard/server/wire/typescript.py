"""The page's types, written from the structs of the messages and of scenes.

`python -m cupboard.server.wire.typescript web/src/wire.gen.ts` writes them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from cupboard.core import aiming, changes, filling, move, rule_pages, scene, words
from cupboard.core import lessons as core_lessons
from cupboard.server.wire import (
    administration,
    analysis,
    base,
    boards,
    classes,
    client_messages,
    exploring,
    games,
    house,
    lessons,
    network,
    people,
    problems,
    rulebooks,
    server_messages,
    strength,
    tables,
)

_HEAD = """// Made from the server's messages by `python -m cupboard.server.wire.typescript`. Do not edit.
// Fields marked ? are left out when they have their default value, which stands behind them.
"""
_MODULES = (
    words,
    scene,
    changes,
    filling,
    aiming,
    move,
    games,
    tables,
    people,
    strength,
    problems,
    client_messages,
    server_messages,
    lessons,
    boards,
    rule_pages,
    rulebooks,
    analysis,
    network,
    house,
    exploring,
    administration,
    classes,
)
_BASES = (msgspec.Struct, scene.Drawn, base.Plain)
_ALIASES = {
    "Shape": scene.Shape,
    "Kind": scene.Kind,
    "MarkKind": scene.MarkKind,
    "LabelKind": scene.LabelKind,
    "Role": scene.Role,
    "Taking": scene.Taking,
    "Outline": scene.Outline,
    "OptionValue": games.OptionValue,
    "SeatKind": tables.SeatKind,
    "TableStatus": tables.TableStatus,
    "AnalysisStatus": analysis.AnalysisStatus,
    "MoveMark": analysis.MoveMark,
    "Offer": client_messages.Offer,
    "Phrase": client_messages.Phrase,
    "ClientMessage": client_messages.ClientMessage,
    "EventKind": server_messages.EventKind,
    "LeftOut": strength.LeftOut,
    "MomentKind": core_lessons.MomentKind,
    "Mover": core_lessons.Mover,
    "LessonVerdict": lessons.LessonVerdict,
    "PairingMethod": classes.PairingMethod,
    "BoardScore": classes.BoardScore,
    "SpanKind": rule_pages.SpanKind,
    "GroupKind": rule_pages.GroupKind,
    "ServerMessage": server_messages.ServerMessage,
}
"""The unions and rows that have a name in TypeScript too."""


def typescript() -> str:
    """All structs as interfaces and all named unions, module by module, each in the order in which it defines them."""
    names = {_key(inspect.type_info(alias)): name for name, alias in _ALIASES.items()}
    parts: dict[str, str] = {}
    for module in _MODULES:
        for name, thing in vars(module).items():
            if name in parts:
                continue  # imported from a module before it
            if isinstance(thing, type) and issubclass(thing, msgspec.Struct) and thing not in _BASES:
                parts[name] = _interface(thing, names)
            elif name in _ALIASES:
                parts[name] = f"export type {name} = {_union(inspect.type_info(thing), names)};\n"
    return "\n".join([_HEAD, *parts.values()])


def _key(info: inspect.Type) -> str:
    return repr(info)


def _interface(struct: type[msgspec.Struct], names: dict[str, str]) -> str:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    if info.array_like:
        return _row(info, names)
    lines = [f"/** {_first_line(struct)} */", f"export interface {struct.__name__} {{"]
    if info.tag is not None:
        lines.append(f'  {info.tag_field}: "{info.tag}";')
    for field in info.fields:
        default = f" // {_default(field)}" if _has_default(field) else ""
        lines.append(f"  {field.encode_name}{'' if field.required else '?'}: {_type(field.type, names)};{default}")
    return "\n".join([*lines, "}", ""])


def _row(info: inspect.StructType, names: dict[str, str]) -> str:
    """A struct that crosses the wire as an array."""
    fields = (f"{field.name}{'' if field.required else '?'}: {_type(field.type, names)}" for field in info.fields)
    return f"/** {_first_line(info.cls)} */\nexport type {info.cls.__name__} = [{', '.join(fields)}];\n"


def _first_line(struct: type) -> str:
    return (struct.__doc__ or "").strip().splitlines()[0]


def _has_default(field: inspect.Field) -> bool:
    """Whether a field that is left out stands for a value; a field of a change that is left out stands for none."""
    return field.default is not msgspec.NODEFAULT or field.default_factory is not msgspec.NODEFAULT


def _default(field: inspect.Field) -> str:
    value: Any = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    return msgspec.json.encode(value).decode()


def _type(info: inspect.Type, names: dict[str, str]) -> str:
    named = names.get(_key(info))
    return named if named is not None else _union(info, names)


def _union(info: inspect.Type, names: dict[str, str]) -> str:
    match info:
        case inspect.Metadata():
            return _type(info.type, names)
        case inspect.StructType():
            return info.cls.__name__
        case inspect.UnionType():
            return " | ".join(_type(part, names) for part in info.types)
        case inspect.LiteralType():
            return " | ".join(f'"{value}"' for value in info.values)
        case inspect.VarTupleType():
            inner = _type(info.item_type, names)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case inspect.TupleType():
            return f"[{', '.join(_type(part, names) for part in info.item_types)}]"
        case inspect.DictType():
            return f"Record<{_type(info.key_type, names)}, {_type(info.value_type, names)}>"
        case inspect.StrType():
            return "string"
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
    raise TypeError(f"{info} has no TypeScript")


def main() -> None:
    """Write the file named on the command line, or print."""
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(typescript(), encoding="utf-8")
    else:
        print(typescript(), end="")


if __name__ == "__main__":
    main()
