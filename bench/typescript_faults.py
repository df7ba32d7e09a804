"""Mutations of TypeScript and of the scripts of Svelte components, found by their tokens."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from bench.python_faults import Fault

__all__ = ["faults_in_typescript"]

_HIDDEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
      | (?<=[(,=:!&|?{;\n\[]) \s* /(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*
      | ^import\b.*?; | ^export\ (?:type|interface)\b.*?^\}?.*?$ | ^(?:type|interface)\b.*?[;}]$
      | as\ const\b | <[\w\s,.\[\]<>|"&()?:]*>(?=\()""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
"""Matches comments, strings, regular expressions, imports and types, in which nothing is changed."""
_TEMPLATE = re.compile(r"`(?:\\.|[^`\\])*`", re.DOTALL)
_SWAPS = {
    "===": "!==", "!==": "===", "&&": "||", "||": "&&", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-", "-": "+",
    "*": "/", "/": "*", "%": "*", "??": "&&", "true": "false", "false": "true", "Math.min": "Math.max",
    "Math.max": "Math.min", "Math.floor": "Math.ceil", "Math.ceil": "Math.floor", ".some(": ".every(",
    ".every(": ".some(", "++": "--", "--": "++", "+=": "-=", "-=": "+=",
}  # fmt: skip
_TOKENS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("operator", re.compile(r"(?<= )(?:===|!==|&&|\|\||<=?|>=?|\?\?|[-+*/%]=?)(?= )")),
    ("count", re.compile(r"(?<=[\w\]#])(?:\+\+|--)(?=\W)|(?<=\W)(?:\+\+|--)(?=[\w#])")),
    ("yes for no", re.compile(r"\b(?:true|false)\b(?!\s*[|;]?\s*[=|])")),
    ("function", re.compile(r"Math\.(?:min|max|floor|ceil)\b|\.(?:some|every)\(")),
)
_NUMBER = re.compile(r"(?<![\w.#$])\d[\d_]*(?![\w.])")
_NOT = re.compile(r"(?<![\w)\]])!(?=[\w(#])(?!=)")
_STATEMENT = re.compile(
    r"^[ \t]+(?P<code>(?:await |void )?[\w#$][\w.#?$]*\([^;{}]*\);|[\w#$][\w.#$\[\]]* [-+?]{0,2}= [^;{}]*;)$",
    re.MULTILINE,
)
_DECLARED = re.compile(r"(?:const|let|return|readonly|private|export|type)\b|.*\$(?:state|derived|props)")
_RETURN = re.compile(r"\breturn (?P<value>[^;\n{}]+);")


def faults_in_typescript(source: str, svelte: bool = False) -> list[Fault]:
    """Every fault that can be put into a TypeScript module, or into the script of a Svelte component."""
    code = _only_scripts(source) if svelte else source
    code = _HIDDEN.sub(_blank, _TEMPLATE.sub(_blank_template, code))
    starts = [0, *accumulate(len(line) + 1 for line in code.split("\n"))]
    found = [
        Fault(kind, bisect_right(starts, start), start, end, text)
        for kind, start, end, text in _typescript(code, source)
    ]
    return sorted(found, key=lambda fault: (fault.start, fault.end, fault.kind))


def _typescript(code: str, source: str) -> Iterator[tuple[str, int, int, str]]:
    for kind, pattern in _TOKENS:
        for found in pattern.finditer(code):
            if found[0] in _SWAPS:
                yield kind, *found.span(), _SWAPS[found[0]]
    for found in _NUMBER.finditer(code):
        yield "off by one", *found.span(), str(int(found[0].replace("_", "")) + 1)
    for found in _NOT.finditer(code):
        yield "sign dropped", *found.span(), ""
    for found in _STATEMENT.finditer(code):
        if not re.match(
            r"(?:const|let|return|readonly|private|export|type)\b|.*\$(?:state|derived|props)", found["code"]
        ):
            yield "statement removed", *found.span("code"), ";"
    for found in _RETURN.finditer(code):
        if source[slice(*found.span("value"))] not in ("undefined", "null", '""'):
            yield "nothing returned", *found.span(), "return undefined;"


def _blank(found: re.Match[str]) -> str:
    """The matched text with every character but line ends blanked, so that all indices stay right."""
    return re.sub(r"[^\n]", "\x00", found[0])


def _blank_template(found: re.Match[str]) -> str:
    """A template string with its text blanked; the code within its braces is kept."""
    return "".join(
        part if n % 2 else _blank(re.match(r".*", part, re.DOTALL) or found)
        for n, part in enumerate(re.split(r"(\$\{[^{}`]*\})", found[0]))
    )


def _only_scripts(source: str) -> str:
    """The source of a component with everything but its scripts blanked."""
    out, end = [], 0
    for found in re.finditer(r"(?<=>)(?P<code>.*?)(?=</script>)", source, re.DOTALL):
        opening = source.rfind("<script", end, found.start("code") + 1)
        if opening < 0:
            continue
        begin = source.index(">", opening) + 1
        out.append(re.sub(r"[^\n]", " ", source[end:begin]) + source[begin : found.end("code")])
        end = found.end("code")
    return "".join(out) + re.sub(r"[^\n]", " ", source[end:])
