"""The catalogue: every method by its name, gathered from the families' fragments and from installed packages."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import inspect
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from penstock import plugins
from penstock.components.cards import AS_MEMBERS, Card
from penstock.components.domains import Domain
from penstock.components.renamed import name_meant
from penstock.errors import UsageError, did_you_mean

ANY = "any"
"""Among the problems of an entry: it is for all of them, those of other packages too."""

Estimator = Literal["classifier", "regressor"]
MIXINS: dict[Estimator, str] = {"classifier": "ClassifierMixin", "regressor": "RegressorMixin"}

# A pipeline file has one seed and one thread limit, which set the first two; a scorer cannot be saved with its model;
# the preparation marks what was missing itself; the table knows the names of its columns, levels and classes.
_NOT_IN_FILES = frozenset(
    {"random_state", "n_jobs", "scoring", "add_indicator", "column_names", "class_names", "level_names"}
)

_DISTRIBUTIONS = {"sklearn": "scikit-learn", "imblearn": "imbalanced-learn"}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A method of the catalogue: its name, the class that does it, and where its parameters may be searched.

    Parameters
    ----------
    name : str
        What a pipeline file calls it.
    kind : str
        A step of the preparation ("imputer", "scaler"...) or what a kind of question calls its models; a "predictor" is
        a classifier or a regressor, whichever the problem asks for.
    problems : tuple of str
        The problems that it is for; `(ANY,)` is for all of them, those of other packages too.
    library : str or mapping of str to str
        "package.module:Class", which may differ by problem.
    summary : str
        What it is, in a sentence.
    defaults : mapping of str to value, default={}
        Values of the library's parameters that are fixed.
    rename : mapping of str to str, default={}
        Our name of a parameter, and the library's.
    means : mapping of str to mapping, default={}
        Of a parameter of ours, its values, and the library's parameters that each stands for.
    space : mapping of str to Domain, default={}
        Where each parameter is searched, and the value where a search starts; may differ by problem.
    fills_levels : bool, default=False
        Whether an imputer fills levels as well as numbers.
    invents_rows : bool, default=False
        Whether a balancer makes rows that nobody has seen.
    of_methods : bool, default=False
        Whether it is made of other methods, which its parameters name.
    lists : tuple of str, default=()
        Parameters of which one value is a list, so that a list is not many values to search.
    own_units : bool, default=False
        Whether its parameters speak of the columns as the table has them, so that nothing may scale these.
    complexity : int, default=5
        Ranks models by how much they can bend, from 1 (a line) to 6 (a network).
    simpler : mapping of str to {"more", "less"}, default={}
        Of its parameters, the most important first, whether more or less of them makes it simpler.
    objective : str, default=""
        What a penalised method minimises, since books scale the same penalty in several ways.
    syllabus : tuple of str, default=()
        The syllabus rows that it covers.
    extra : {"torch"} or None, default=None
        The extra that has to be installed for it.
    card : Card or None, default=None
        What kind of model it is.

    Examples
    --------
    >>> from penstock.components.catalog import Entry
    >>> from penstock.components.domains import Float
    >>> entry = Entry(
    ...     name="lasso",
    ...     kind="regressor",
    ...     problems=("regression",),
    ...     library="sklearn.linear_model:Lasso",
    ...     summary="Least squares under an L1 penalty.",
    ...     rename={"penalty": "alpha"},
    ...     space={"penalty": Float(low=1e-4, high=10.0, default=0.1, log=True)},
    ... )
    >>> entry.fits("regression"), entry.library_for("regression")
    (True, 'sklearn.linear_model:Lasso')
    >>> entry.space_for("regression")["penalty"].default
    0.1
    """

    name: str
    kind: str
    problems: tuple[str, ...]
    library: str | Mapping[str, str]
    summary: str
    defaults: Mapping[str, Any] = field(default_factory=dict)
    rename: Mapping[str, str] = field(default_factory=dict)
    means: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    space: Mapping[str, Domain | Mapping[str, Domain]] = field(default_factory=dict)
    fills_levels: bool = False
    invents_rows: bool = False
    of_methods: bool = False
    lists: tuple[str, ...] = ()
    own_units: bool = False
    complexity: int = 5
    simpler: Mapping[str, Literal["more", "less"]] = field(default_factory=dict)
    objective: str = ""
    syllabus: tuple[str, ...] = ()
    extra: Literal["torch"] | None = None
    card: Card | None = None

    def fits(self, problem: str) -> bool:
        return problem in self.problems or ANY in self.problems

    @property
    def libraries(self) -> list[str]:
        """The classes that it is, whatever the problem."""
        return [self.library] if isinstance(self.library, str) else [*dict.fromkeys(self.library.values())]

    def library_for(self, problem: str) -> str:
        if isinstance(self.library, str):
            return self.library
        return self.library[problem if problem in self.library else ANY]

    def space_for(self, problem: str) -> dict[str, Domain]:
        return {name: d[problem] if isinstance(d, Mapping) else d for name, d in self.space.items()}

    def problem_as(self, estimator: Estimator) -> str:
        """The first problem for which it is a classifier, or a regressor."""
        import sklearn.base  # `penstock catalog` does without the library

        require_extra(self)
        mixin = getattr(sklearn.base, MIXINS[estimator])
        for problem in self.problems:
            if issubclass(class_of(self, problem), mixin):
                return problem
        raise UsageError(
            "PEN009", f"'{self.name}' is no {estimator}", remedy=did_you_mean(self.name, members_as(estimator))
        )


@cache
def entries() -> dict[str, Entry]:
    """Every method, by name. Nothing here names a family, so that adding one changes no other module."""
    found: dict[str, Entry] = {}
    for entry in _entries():
        if entry.name in found:
            raise UsageError(
                "PEN018",
                f"two packages offer a method named '{entry.name}'",
                where=f"entry points of group '{plugins.GROUP}'",
                remedy="rename the method of the package that was added last, or uninstall it",
            )
        found[entry.name] = entry
    return dict(sorted(found.items()))


def fragments() -> Iterator[ModuleType]:
    """The modules that name methods, and the types that a model made of them may hold."""
    yield from _own()
    for point in plugins.points():
        yield importlib.import_module(point.module)


def _own() -> Iterator[ModuleType]:
    """Looks for the files, since asking Python for the modules would import every family, plots included."""
    for fragment in sorted(Path(__file__).parent.glob("*/catalog.py")):
        yield importlib.import_module(f"penstock.components.{fragment.parent.name}.catalog")


def _entries() -> Iterator[Entry]:
    for module in _own():
        yield from module.ENTRIES
    for point in plugins.points():
        yield from point.load()


def find(name: str, kind: str | Sequence[str] | None = None, problem: str | None = None, *, where: str = "") -> Entry:
    """The method of this name, if it is of (one of) the kind and fits the problem.

    Parameters
    ----------
    name : str
        The method's name.
    kind : str, sequence of str or None, default=None
        The kind, or kinds, that may stand here; None allows any.
    problem : str or None, default=None
        The problem that it has to be for; None allows any.
    where : str, default=""
        The place that an error names.

    Returns
    -------
    Entry
        The method's entry.

    Raises
    ------
    UsageError
        If there is no such method, or it cannot stand here.

    Examples
    --------
    >>> from penstock.components.catalog import find
    >>> find("ridge").library
    'penstock.components.linear_regression.ridge:RidgeRegressor'
    >>> find("ridge", kind="regressor", problem="regression").name
    'ridge'
    """
    kinds = {kind} if isinstance(kind, str) else set(kind or ())
    fitting = [
        entry.name
        for entry in entries().values()
        if _of_kind(entry, kinds) and (problem is None or entry.fits(problem))
    ]
    if name in fitting:
        return entries()[name]
    if name not in entries():
        raise UsageError(
            "PEN005", f"there is no method named '{name}'", where=where, remedy=did_you_mean(name, fitting)
        )
    entry = entries()[name]
    what = f"is for {' and '.join(entry.problems)}, not for {problem}"
    if problem is None or entry.fits(problem):
        what = f"is {'an' if entry.kind[0] in 'aeiou' else 'a'} {entry.kind}, which cannot stand here"
    raise UsageError(
        "PEN009", f"'{name}' {what}", where=where, remedy=f"choose one of: {', '.join(fitting) or '(none)'}"
    )


def _of_kind(entry: Entry, kinds: set[str]) -> bool:
    either = {"classifier", "regressor"} if entry.kind == "predictor" else set()
    return not kinds or bool(kinds & {entry.kind, *either})


def listing(problem: str | None = None) -> list[dict[str, Any]]:
    """Every method, or those for a problem, as a table for people and scripts."""
    return [_told(entry) for entry in entries().values() if problem is None or entry.fits(problem)]


def _told(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "kind": entry.kind,
        "problems": list(entry.problems),
        "library": ", ".join(entry.libraries),
        "extra": entry.extra,
        "searched": list(entry.space),
        "syllabus": list(entry.syllabus),
        "objective": entry.objective,
        "card": card_of(entry.name),
        "summary": entry.summary,
    }


def described(name: str, problem: str | None = None) -> dict[str, Any]:
    """One method, with everything that a pipeline file may set of it: the default, and what a search tries.

    Parameters
    ----------
    name : str
        The method's name.
    problem : str or None, default=None
        The problem; None takes the first that the method is for.

    Returns
    -------
    dict
        What `penstock catalog NAME --json` prints.

    Examples
    --------
    >>> from penstock.components.catalog import described
    >>> method = described("dbscan")
    >>> method["parameters"][1]["name"], method["parameters"][1]["default"]
    ('min_samples', 5)
    """
    entry = find(name, problem=problem, where="catalog")
    fitting = problem or entry.problems[0]
    require_extra(entry, "catalog")
    tried = {name: domain.describe() for name, domain in entry.space_for(fitting).items()}
    values = settings(name, {}, fitting)
    parameters = [
        {"name": one, "default": value, "searched": tried.get(one), "words": _words(entry, fitting, one)}
        for one, value in values.items()
    ]
    return {**_told(entry), "problem": fitting, "parameters": parameters}


def _words(entry: Entry, problem: str, name: str) -> list[str]:
    """The words that a parameter may be, where its class says them."""
    if name in entry.means:
        return sorted(entry.means[name])
    known = getattr(class_of(entry, problem), "_parameter_constraints", {})
    takes = known.get(entry.rename.get(name, name), [])
    options = [one.options for one in takes if hasattr(one, "options")] if isinstance(takes, list) else []
    return sorted(str(word) for one in options for word in one)


def card_of(name: str) -> dict[str, Any]:
    """What kind of model a method is; nothing of a step or of another package's method that does not say.

    A name that is not in the catalogue is that of an ensemble which the search has put together.
    """
    entry = entries().get(name)
    card = entry.card if entry else AS_MEMBERS
    if card is None:
        return {}
    capacity = card.capacity or tuple(entry.simpler if entry else ())
    supervised = entry is None or entry.kind in ("classifier", "regressor", "predictor", "baseline")
    return replace(card, capacity=capacity).facts(supervised=supervised)


def check_parameters(entry: Entry, params: Mapping[str, Any], where: str = "", *, problem: str | None = None) -> None:
    """Refuse parameters that the method does not have, and values that it does not take.

    A list holds many values, unless the parameter is one of the method's `lists`.

    Without a problem, it is enough that a parameter fits one of those that the method is for.
    """
    problems = entry.problems if problem is None else (problem,)
    allowed = _parameter_names(entry, problems)
    for name, given in params.items():
        place = f"{where}: {name}" if where else name
        if name not in allowed:
            raise UsageError(
                "PEN006",
                f"'{entry.name}' has no parameter '{name}'",
                where=place,
                remedy=name_meant(name, allowed),
            )
        values = given if isinstance(given, list) and name not in entry.lists else [given]
        if not values:
            raise UsageError("PEN017", f"'{name}' lists no value", where=place, remedy="list at least one value")
        for value in values:
            faults = [_fault(entry, case, name, value) for case in problems]
            if all(faults):
                remedy = "give a value that it takes, or leave the parameter out for its default"
                raise UsageError("PEN017", f"'{entry.name}': {faults[0]}", where=place, remedy=remedy)


def _parameter_names(entry: Entry, problems: Sequence[str]) -> list[str]:
    """What a pipeline file may set: our names first, then those of the library."""
    hidden = _NOT_IN_FILES | set(entry.rename.values())
    names = [*entry.space, *entry.rename, *entry.means]
    for problem in problems:
        names += [name for name in _constructor(entry, problem) if name not in hidden]
    return list(dict.fromkeys(names))


def _fault(entry: Entry, problem: str, name: str, value: object) -> str | None:
    """What is wrong with a value in the words of scikit-learn, whose estimators know what they take."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"'{name}' has to be a finite number"
    if name in entry.means:
        words = ", ".join(entry.means[name])
        return None if value in entry.means[name] else f"'{name}' is one of {words}, not {value!r}"
    name = entry.rename.get(name, name)
    try:
        class_of(entry, problem)(**{name: value})._validate_params()
    except (TypeError, ValueError) as error:
        return str(error)
    return None


def require_extra(entry: Entry, where: str = "") -> None:
    """Refuse a method whose extra is not installed."""
    if not _installed_extra(entry):
        raise UsageError(
            "PEN012",
            f"'{entry.name}' needs {entry.extra}, which is not installed",
            where=where,
            remedy=f"pip install 'penstock[{entry.extra}]'",
        )


def _installed_extra(entry: Entry) -> bool:
    return entry.extra is None or importlib.util.find_spec(entry.extra) is not None


def build(name: str, parameters: Mapping[str, Any], *, seed: int, problem: str | None = None) -> Any:
    """The method's estimator, not fitted: fixed and starting values, then the given parameters, then the seed.

    Parameters
    ----------
    name : str
        The method's name.
    parameters : mapping of str to value
        Parameters by the names that a pipeline file uses.
    seed : int
        The estimator's `random_state`, if it has one.
    problem : str or None, default=None
        The problem; a method that is for one alone needs none.

    Returns
    -------
    estimator
        An estimator with scikit-learn's interface.

    Examples
    --------
    >>> from penstock.components.catalog import build
    >>> model = build("k-nearest-neighbours", {"n_neighbors": 1}, seed=0, problem="classification")
    >>> model.fit([[0.0], [5.0]], ["low", "high"]).predict([[4.0]]).tolist()
    ['high']
    """
    entry = find(name, problem=problem)
    require_extra(entry)
    problem = problem or entry.problems[0]
    arguments = _arguments(entry, _given(entry, parameters, problem))
    if "random_state" in _constructor(entry, problem):
        arguments["random_state"] = seed
    return class_of(entry, problem)(**arguments)


def settings(name: str, parameters: Mapping[str, Any], problem: str) -> dict[str, Any]:
    """The value of everything that a pipeline file may set of a method: what was given, and each default.

    The seed is not among them: a run has one, and records it once.
    """
    entry = find(name, problem=problem)
    given = _given(entry, parameters, problem)
    defaults = {
        name: parameter.default for name, parameter in inspect.signature(class_of(entry, problem)).parameters.items()
    }
    values = {**defaults, **_arguments(entry, given), **{word: given[word] for word in entry.means}}
    return {name: values[entry.rename.get(name, name)] for name in _parameter_names(entry, (problem,))}


def _given(entry: Entry, parameters: Mapping[str, Any], problem: str) -> dict[str, Any]:
    return {**entry.defaults, **_starts(entry, problem), **parameters}


def _arguments(entry: Entry, given: Mapping[str, Any]) -> dict[str, Any]:
    """What the library's class is given."""
    arguments = {entry.rename.get(name, name): value for name, value in given.items() if name not in entry.means}
    for name, meanings in entry.means.items():
        arguments |= meanings[given[name]]
    return arguments


def class_of(entry: Entry, problem: str) -> Any:
    module, _, name = entry.library_for(problem).partition(":")
    return getattr(importlib.import_module(module), name)


def takes_weights(name: str, problem: str) -> bool:
    """Whether the method's fit lets some rows count more than others."""
    return "sample_weight" in inspect.signature(class_of(entries()[name], problem).fit).parameters


def takes_kernel_columns(name: str, problem: str) -> bool:
    """Whether the method can be given a kernel as columns: what each row's values with things are."""
    return bool(getattr(class_of(entries()[name], problem), "takes_kernel_columns", False))


def takes_gaps(name: str, problem: str) -> bool:
    """Whether the method can be fitted to rows with missing numbers."""
    from sklearn.utils import get_tags  # `penstock catalog` does without the library

    return bool(get_tags(build(name, {}, seed=0, problem=problem)).input_tags.allow_nan)


def weighable(problem: str, kinds: Sequence[str]) -> list[str]:
    """The models of these kinds for a problem that take weights, of those that are installed."""
    models = [entry for entry in entries().values() if _of_kind(entry, set(kinds)) and entry.fits(problem)]
    return [entry.name for entry in models if _installed_extra(entry) and takes_weights(entry.name, problem)]


def members(problem: str) -> list[str]:
    """The installed models for a problem that others can be made of."""
    return [entry.name for entry in _members(set(MIXINS)) if entry.fits(problem)]


def members_as(estimator: Estimator) -> list[str]:
    """The installed classifiers, or regressors, that others can be made of."""
    return [entry.name for entry in _members({estimator})]


def _members(kinds: set[str]) -> Iterator[Entry]:
    for entry in entries().values():
        if _of_kind(entry, kinds) and not entry.of_methods and _installed_extra(entry):
            yield entry


def _constructor(entry: Entry, problem: str) -> list[str]:
    return list(inspect.signature(class_of(entry, problem)).parameters)


def fingerprint(entry: Entry, problem: str) -> dict[str, Any]:
    """What decides the result of a fit beside data and parameters, as JSON. Words and search ranges do not."""
    require_extra(entry)
    facts: dict[str, Any] = {
        "name": entry.name,
        "library": entry.library_for(problem),
        "defaults": dict(entry.defaults),
        "rename": dict(entry.rename),
        "means": repr(entry.means),
        "starts": _starts(entry, problem),
    }
    module = entry.library_for(problem).partition(":")[0]
    package = module.partition(".")[0]
    if package == "penstock":
        facts["module"] = module
    elif package in plugins.releases():
        facts |= {"module": module, "release": plugins.releases()[package]}
    else:
        facts["distribution"], facts["version"] = _distribution(module)
    if entry.extra is not None:
        facts["extra"] = f"{entry.extra}=={importlib.metadata.version(entry.extra)}"
    return facts


def _starts(entry: Entry, problem: str) -> dict[str, Any]:
    return {name: domain.default for name, domain in entry.space_for(problem).items()}


@cache  # searches ask for every candidate, and an answer takes ten milliseconds
def _distribution(module: str) -> tuple[str, str]:
    package = module.partition(".")[0]
    # Asking all distributions takes half a second; nearly every method is of these.
    name = _DISTRIBUTIONS.get(package) or importlib.metadata.packages_distributions()[package][0]
    return name, importlib.metadata.version(name)
