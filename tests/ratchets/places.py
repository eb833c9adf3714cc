"""Where the house still has what is to go from it, found in the syntax trees: one list of places for each ratchet."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINKED = ("flows", "tasks", "problems", "components", "expectations")
UPPER = ("flows", "tasks", "penstock", "expectations")

MAPPINGS = frozenset({"dict", "Mapping", "MutableMapping"})

# Names that stood for what the field calls otherwise: nothing is called exactly so, or begins like one of PREFIXES.
DIALECT = frozenset({
    "learning", "learning_rows", "asked_rows", "taught", "learnt_from", "judge", "judges", "judged", "judging",
    "Judging", "judge_truth", "judge_by_known", "judged_by", "judged_to_taught", "winners_judged", "says",
    "tells", "told", "Told", "Teller", "TELLER", "TELLERS", "teller_of", "told_of", "tell_model",
    "tell_clusters_apart", "failures_told", "answer", "answers", "compare_answers", "chance", "chances",
    "hopeless", "end_hopeless", "raced", "racing", "heed", "heeded", "Parts", "Part", "scorer_by_parts",
    "groundwork", "Groundwork", "rival", "let_in", "_enter", "contest", "Contest", "contender", "contenders",
    "Away", "away", "look_around", "take_leave", "settled", "SETTLED", "nursery", "Nursery", "unborn", "bury",
    "held_out", "study_held_out", "strangeness", "strangeness_of_sets", "reach", "reach_of_intervals",
    "told_names", "as_written", "said", "mess", "Mess", "street", "street_plot", "tube", "tube_plot", "bells",
    "class_bells", "lay_down", "take_course", "Treatments", "searched_treatments", "Suspects", "Suspect",
    "swallowed", "Marks",
})  # fmt: skip
PREFIXES = ("MOST_", "FEWEST_", "LEAST_")


@dataclass(frozen=True)
class Place:
    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


class House:
    """The modules under a root, each once, in the folder where it really lies."""

    def __init__(self, root: Path = ROOT) -> None:
        self.modules: dict[str, ast.Module] = {}
        for folder in (*LINKED, "penstock"):
            for file in sorted((root / folder).rglob("*.py")):
                name = file.relative_to(root)
                if file.resolve() == root.resolve() / name:
                    self.modules[str(name)] = ast.parse(file.read_bytes())

    def nodes(self, *folders: str) -> Iterator[tuple[str, ast.AST]]:
        for file, tree in self.modules.items():
            if file.split("/")[0] in folders:
                for node in ast.walk(tree):
                    yield file, node


def untyped_dicts(house: House) -> Iterator[Place]:
    """`dict[str, Any]` and its like in what functions take and return and in fields of classes."""
    for file, node in house.nodes(*UPPER, "problems"):
        annotations: list[ast.expr | None] = []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            annotations = [node.returns]
        elif isinstance(node, ast.arg):
            annotations = [node.annotation]
        elif isinstance(node, ast.ClassDef):
            annotations = [field.annotation for field in node.body if isinstance(field, ast.AnnAssign)]
        for annotation in filter(None, annotations):
            for inner in ast.walk(annotation):
                if _untyped(inner):
                    yield _place(file, inner, ast.unparse(annotation))


def untyped_facts(house: House) -> Iterator[Place]:
    """References that do not say what facts they hold. (What a bare `Ref` holds cannot be read without a cast.)"""
    for file, node in house.nodes(*UPPER, "problems"):
        if isinstance(node, ast.Subscript) and _name(node.value) == "Ref" and _name(node.slice) in ("Any", "object"):
            yield _place(file, node, ast.unparse(node))


def keyed_arrays(house: House) -> Iterator[Place]:
    """Arrays of the store, those of folds above all, that are read by a text."""
    for file, tree in house.modules.items():
        if file.split("/")[0] not in (*UPPER, "problems"):
            continue
        held = {"arrays", "folds"}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                held |= set(_held(node.targets[0], node.value))
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript) and _is_text(node.slice):
                read = node.value
            elif isinstance(node, ast.Call) and _called(node) == "get" and node.args and _is_text(node.args[0]):
                assert isinstance(node.func, ast.Attribute)
                read = node.func.value
            else:
                continue
            if _reads_arrays(read) or _name(read) in held:
                yield _place(file, node, ast.unparse(node))


def loose_modules(house: House) -> Iterator[Place]:
    """Modules that lie in penstock/ itself."""
    for file in house.modules:
        folder, *rest = file.split("/")
        if folder == "penstock" and len(rest) == 1 and rest != ["__init__.py"]:
            yield Place(file, 1, "in no folder")


def dialect(house: House) -> Iterator[Place]:
    """Modules, functions, classes, arguments, fields and constants that are named in words of our own."""
    for file in house.modules:
        for part in {Path(file).stem, *Path(file).parts[:-1]} & DIALECT:
            yield Place(file, 1, part)
    for file, node in house.nodes(*UPPER, "problems", "components"):
        for name, where in _defined(node):
            if name in DIALECT or name.lstrip("_").startswith(PREFIXES):
                yield _place(file, where, name)


def syllabus_tuples(house: House) -> Iterator[Place]:
    """Modules that carry a tuple SYLLABUS."""
    for file, tree in house.modules.items():
        for node in tree.body:
            if any(name == "SYLLABUS" for name, _ in _assigned(node)):
                yield _place(file, node, "SYLLABUS")


def pending(house: House) -> Iterator[Place]:
    """Places that know the text by which `plan` marks what is not there yet."""
    for file, node in house.nodes(*UPPER, "problems"):
        if isinstance(node, ast.Constant) and node.value == "pending":
            yield _place(file, node, '"pending"')


def prefect_imports(house: House) -> Iterator[Place]:
    """Imports of Prefect by stages and by problems."""
    for file, node in house.nodes("tasks", "problems"):
        modules: list[str] = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules = [node.module or ""]
        if any(module.split(".")[0] in ("prefect", "prefect_dask") for module in modules):
            yield _place(file, node, ast.unparse(node))


RATCHETS: dict[str, Callable[[House], Iterator[Place]]] = {
    ratchet.__name__: ratchet
    for ratchet in (
        untyped_dicts,
        untyped_facts,
        keyed_arrays,
        loose_modules,
        syllabus_tuples,
        pending,
        prefect_imports,
    )
}


def _place(file: str, node: ast.AST, what: str) -> Place:
    return Place(file, getattr(node, "lineno", 1), what)


def _untyped(annotation: ast.AST) -> bool:
    if isinstance(annotation, ast.Subscript) and _name(annotation.value) in MAPPINGS:
        held = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        return _name(held[-1]) in ("Any", "object")
    return False


def _held(target: ast.expr, value: ast.expr) -> Iterator[str]:
    """The names to which arrays of the store are given."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, given in zip(target.elts, value.elts, strict=False):
            yield from _held(one, given)
    elif _reads_arrays(value) and (name := _name(target)):
        yield name


def _reads_arrays(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "arrays"


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _defined(node: ast.AST) -> list[tuple[str, ast.AST]]:
    """What a statement names for others: not the variables inside functions."""
    if isinstance(node, ast.Module):
        return [named for statement in node.body for named in _assigned(statement)]
    if isinstance(node, ast.ClassDef):
        return [(node.name, node), *(named for field in node.body for named in _assigned(field))]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return [(node.name, node)]
    if isinstance(node, ast.arg):
        return [(node.arg, node)]
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return [(node.attr, node)]
    return []


def _assigned(statement: ast.stmt) -> list[tuple[str, ast.AST]]:
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    return [(target.id, target) for target in targets if isinstance(target, ast.Name)]
