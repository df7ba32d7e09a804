"""Mutations of Python code: every place in a file where one token or one statement could be wrong.

Each fault replaces one stretch of text, so that the rest of the file, its lines included, stays as it was written.
bench/typescript_faults.py finds those of the page.

Left out, because no behaviour depends on it or tests should not repeat it: docstrings and words, log lines, type
annotations, decorators (cache sizes), assertions, `__slots__`, `__all__`, and keywords of classes (`gc=False`).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from itertools import accumulate

__all__ = ["Fault", "faults_in_python"]


@dataclass(frozen=True)
class Fault:
    """One mutation: a span of a file's text and its replacement."""

    kind: str
    line: int
    start: int
    end: int
    text: str

    def apply(self, source: str) -> str:
        """The source with this fault put in."""
        return source[: self.start] + self.text + source[self.end :]


_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_OPERATOR: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(), ast.Sub: ast.Add(), ast.Mult: ast.FloorDiv(), ast.FloorDiv: ast.Mult(), ast.Div: ast.Mult(),
    ast.Mod: ast.FloorDiv(), ast.BitAnd: ast.BitOr(), ast.BitOr: ast.BitAnd(), ast.BitXor: ast.BitOr(),
    ast.LShift: ast.RShift(), ast.RShift: ast.LShift(),
}  # fmt: skip
_SILENT = re.compile(r"^(_LOG\.|warnings\.warn|logging\.)")


def faults_in_python(source: str) -> list[Fault]:
    """Every fault that can be put into a Python module, in the order of its text."""
    found = _Python(source)
    found.visit(ast.parse(source))
    return sorted(found.faults, key=lambda fault: (fault.start, fault.end, fault.kind))


class _Python(ast.NodeVisitor):
    """Visits the syntax tree of a module and collects the faults that can be put into it."""

    def __init__(self, source: str) -> None:
        self._source = source
        lines = source.encode().split(b"\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)]
        self._bytes = source.encode()
        self.faults: list[Fault] = []

    def _at(self, line: int, column: int) -> int:
        """The index into the text of a position in the syntax tree, which counts bytes."""
        return len(self._bytes[: self._starts[line - 1] + column].decode())

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def _add(self, kind: str, node: ast.expr | ast.stmt, text: str) -> None:
        start, end = self._span(node)
        self.faults.append(Fault(kind, node.lineno, start, end, text))

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self._source[start:end]

    # What is left out.

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Look at the value only, not at the annotation."""
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Look at the defaults and the body, not at decorators and annotations."""
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        for statement in node.body:
            self.visit(statement)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Look at the body, not at bases and keywords."""
        for statement in node.body:
            self.visit(statement)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Remove assignments to attributes and items. `__slots__` and `__all__` are left alone."""
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id.startswith("__"):
            return
        if isinstance(target, ast.Attribute | ast.Subscript):
            self._add("statement removed", node, "pass")
        self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Leave assertions alone: they are for the reader and the type checker."""

    # What can be wrong.

    def visit_Expr(self, node: ast.Expr) -> None:
        """Remove a call whose value is not used."""
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(call, ast.Constant) or _SILENT.match(self._text(node.value)):
            return
        if isinstance(call, ast.Call):
            self._add("statement removed", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Remove an assignment like `n += 1`."""
        self._add("statement removed", node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Remove a statement that raises an error."""
        if node.exc is not None:
            self._add("statement removed", node, "pass")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        """Replace `continue` by `break`."""
        self._add("continue for break", node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        """Replace `break` by nothing."""
        self._add("break removed", node, "pass")

    def visit_Return(self, node: ast.Return) -> None:
        """Return None instead of the value."""
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self._add("nothing returned", node, "return None")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Replace a comparison by its opposite or by one that differs at equality."""
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            start, end = self._span(left)[1], self._span(right)[0]
            between = self._source[start:end]
            if between.strip() and between.count("\n") == 0 and not set("()#") & set(between):
                self.faults.append(Fault("comparison", left.lineno, start, end, f" {_COMPARE[type(operator)]} "))
            left = right
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Replace `and` by `or`, and `or` by `and`."""
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._add("and/or", node, f"({ast.unparse(ast.BoolOp(other, node.values))})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Drop `not` or a minus sign."""
        if isinstance(node.op, ast.Not | ast.USub):
            self._add("sign dropped", node, f"({ast.unparse(node.operand)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Replace an arithmetic operator by another; operations on text and types are left alone."""
        words = any(isinstance(side, ast.JoinedStr | ast.Constant) and not _is_number(side) for side in _sides(node))
        if type(node.op) in _OPERATOR and not words:
            wrong = ast.BinOp(node.left, _OPERATOR[type(node.op)], node.right)
            self._add("operator", node, f"({ast.unparse(wrong)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Add 1 to a number, or negate a truth value."""
        if isinstance(node.value, bool):
            self._add("yes for no", node, str(not node.value))
        elif isinstance(node.value, int):
            self._add("off by one", node, str(node.value + 1))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave formatted text alone."""

    def visit_If(self, node: ast.If | ast.IfExp | ast.While) -> None:
        """Negate a condition, unless another fault does that already."""
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        if not isinstance(node.test, ast.Compare | ast.Constant | ast.UnaryOp):
            self._add("condition turned", node.test, f"(not ({self._text(node.test)}))")
        self.generic_visit(node)

    visit_IfExp = visit_If  # noqa: N815
    visit_While = visit_If  # noqa: N815

    def visit_Call(self, node: ast.Call) -> None:
        """Swap the first two arguments of a call."""
        if isinstance(node.func, ast.Name) and node.func.id in ("cast", "isinstance", "TypeVar", "getattr", "zip"):
            return
        first, *rest = [*node.args, None]
        second = rest[0] if rest else None
        plain = first is not None and second is not None
        if plain and not isinstance(first, ast.Starred | ast.GeneratorExp) and not isinstance(second, ast.Starred):
            assert first is not None and second is not None
            if ast.dump(first) != ast.dump(second):
                start, end = self._span(first)[0], self._span(second)[1]
                between = self._source[self._span(first)[1] : self._span(second)[0]]
                if "(" not in between and ")" not in between:
                    text = self._text(second) + between + self._text(first)
                    self.faults.append(Fault("arguments swapped", node.lineno, start, end, text))
        self.generic_visit(node)


def _sides(node: ast.BinOp) -> tuple[ast.expr, ast.expr]:
    return node.left, node.right


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
