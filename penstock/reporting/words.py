"""What the numbers mean, in sentences for people who did not make them."""

from __future__ import annotations

from typing import NamedTuple

from penstock.document.candidates import Against, Score, Selection
from penstock.document.data import Cleaning, Data, Label
from penstock.document.formats import (
    Shown,
    as_shown,
    confidence,
    count,
    decimals,
    is_number,
    number,
    sentence,
    span,
    value_of,
)
from penstock.document.verdict import Verdict as GateVerdict

MAX_NAMED = 4


class Verdict(NamedTuple):
    tag: str
    headline: str
    evidence: str


def verdict_words(verdict: GateVerdict, metric: str) -> Verdict:
    new = f"version {verdict.version}"
    old = f"version {verdict.champion}" if verdict.champion else "the version in service"
    tag, headline = {
        "promoted": ("Promoted", f"{new} replaces {old}"),
        "held": ("Held back", f"{old} stays: {new} does not replace it")
        if verdict.champion or verdict.difference
        else ("Held back", f"{new} does not go into service"),
        "inconclusive": ("Undecided", f"{old} stays for now: there is not enough evidence about {new}"),
        "asked": ("Waits for a person", f"{new} may go into service: a person decides"),
        "first": ("First version", f"{new} goes into service as the first one"),
    }.get(verdict.verdict, ("No verdict", f"{new} was not compared"))
    return Verdict(tag, headline[0].upper() + headline[1:], _evidence(verdict, metric, old))


def _evidence(verdict: GateVerdict, metric: str, old: str) -> str:
    shown = as_shown(verdict.difference)
    if shown.value is None:
        return ""
    places = decimals(*shown.ends)
    middle = f"{metric} is {_better(shown.value, places)}"
    rows = f"On {count(verdict.rows)} rows that {old} never trained on, " if verdict.rows else ""
    if shown.low is None or shown.high is None:
        return f"{rows}{middle}."
    near, far = sorted((shown.low, shown.high), key=abs)
    if near * far > 0:
        ends = f"{number(abs(near), places)} to {_better(far, places)}"
    else:
        ends = f"from {_better(shown.low, places)} to {_better(shown.high, places)}"
    return f"{rows}{middle} ({confidence(shown)} {ends})."


def _better(difference: float, places: int | None) -> str:
    size = number(abs(difference), places)
    return "equal" if size == "0" else f"{size} {'better' if difference > 0 else 'worse'}"


def meaning(metric: str, score: Score, *, positive: Label | None, what: str) -> str:
    """One sentence for a metric that Penstock knows, else nothing."""
    shown = as_shown(score, score.sign)
    if shown.value is None:
        return ""
    wanted = "positive" if positive is None else f"“{positive}”"
    of_100 = _of_100(shown, "rows")
    of_100_times = _of_100(shown, "times")
    amount = value_of(shown)
    sentences = {
        "roc_auc": f"Of a random {wanted} row and a random other row, the model gives the {wanted} one the higher "
        f"score about {of_100_times}; guessing gets 50.",
        "roc_auc_ovr": "Of a random row of a class and a random row of the others, the model gives the first the "
        f"higher score for that class about {of_100_times}, averaged over classes; guessing gets 50.",
        "average_precision": f"Averaged over how many {wanted} rows one wants to find, the flags are right "
        f"for about {of_100}.",
        "accuracy": f"About {of_100} get the right class.",
        "balanced_accuracy": f"In a class, whatever its size, about {of_100} are recognised on average.",
        "f1": f"Balance of how many {wanted} rows are found and how many flags are right: 1 is perfect, 0 useless.",
        "f1_macro": "Balance of rows found and flags right, averaged over classes: 1 is perfect, 0 useless.",
        "precision": f"Of rows answered as {wanted}, about {of_100} are.",
        "recall": f"Of {wanted} rows, about {of_100} are found.",
        "specificity": f"Of the other rows, about {of_100} are left alone.",
        "f_beta": f"Balance of how many {wanted} rows are found and how many flags are right: 1 is perfect, 0 useless.",
        "matthews_corrcoef": "Correlation of predictions and truth: 1 is perfect, 0 is guessing.",
        "cohen_kappa": "How much more often prediction and truth agree than by chance: 1 is always, 0 is guessing.",
        "neg_cost": f"A prediction costs {amount} on average; right predictions cost nothing.",
        "neg_log_loss": "How far the predicted probabilities are from what happened: 0 is perfect; being sure and "
        "wrong costs most.",
        "neg_brier_score": "Mean squared distance of the predicted probabilities from what happened: 0 is perfect.",
        "neg_hinge_loss": "How far rows are from being right by a margin, counted in log-odds: 0 is perfect.",
        "r2": _explained(shown.value, what),
        "neg_root_mean_squared_error": f"Predictions of {what} are typically off by about {amount}, large misses "
        "counting more.",
        "neg_mean_absolute_error": f"On average, predictions of {what} are off by {amount}.",
        "neg_median_absolute_error": f"Half of the predictions of {what} are off by less than {amount}.",
        "neg_max_error": f"The worst prediction of {what} is off by {amount}.",
        "silhouette": f"{_apart(shown.value)}: 1 is clear-cut, 0 means touching groups, below 0 misplaced rows.",
        "stability": f"{_steady(shown.value)} when the rows are drawn anew: 1 is always the same.",
        "calinski_harabasz": "Spread between clusters against spread inside them: greater is clearer.",
        "davies_bouldin": "How alike each cluster is to its nearest one: smaller is clearer.",
        "reconstruction": f"Of what makes hidden cells differ from the mean, {_share(shown.value)} can be told from "
        "the rest of the row: 1 is all, 0 is no more than the mean.",
        "explained_variance": f"{_share(shown.value)} of how rows vary comes back from the new columns.",
        "trustworthiness": "Whether rows that are neighbours on the new columns were neighbours before: 1 is always, "
        "about 0.5 is chance.",
        "log_likelihood": "The mean log density of a row: the higher, the less such rows surprise the model. Only "
        "differences between models of the same preparation mean something.",
        "bic": "Fit of the clusters against their number, by likelihood; only differences between candidates count.",
    }
    return sentences.get(metric.partition(":")[0], "")


def _explained(r2: float, what: str) -> str:
    if r2 <= 0:
        return f"No better than always predicting the mean of {what}."
    return f"Predictions account for about {_share(r2)} of the variation of {what} from row to row."


def _share(share: float) -> str:
    """In whole percent, but never rounded up to all of it."""
    percent = 100 * max(share, 0)
    return f"{percent:.0f}%" if percent < 99 or percent >= 100 else f"{min(percent, 99.9):.1f}%"


def _apart(silhouette: float) -> str:
    """The usual rule of thumb."""
    if silhouette > 0.7:
        return "The groups are clearly apart"
    if silhouette > 0.5:
        return "The groups are reasonably apart"
    return "The groups overlap" if silhouette > 0.25 else "The groups are hardly apart"


def _steady(stability: float) -> str:
    often = "Nearly the same" if stability > 0.9 else "Much the same" if stability > 0.75 else "A different"
    return f"{often} grouping comes back"


def _of_100(shown: Shown, what: str) -> str:
    """`86 of 100 rows (83 to 89)`; with a decimal where whole numbers would hide the interval or round to 100."""
    value = 100 * (shown.value or 0.0)
    if shown.low is None or shown.high is None:
        return f"{value:.{1 if value > 99 else 0}f} of 100 {what}"
    low, high = 100 * shown.low, 100 * shown.high
    places = 1 if value > 99 or high - low < 2 else 0
    return f"{value:.{places}f} of 100 {what} ({low:.{places}f} to {high:.{places}f})"


class Gauge(NamedTuple):
    """In percent of the scale, which has these ends."""

    low: float
    value: float
    width: float
    start: str
    end: str


def gauge(metric: str, shown: Shown) -> Gauge | None:
    """Where the interval lies on the metric's own scale, in percent of its length; none for open-ended metrics."""
    scales = {"roc_auc": 0.5, "roc_auc_ovr": 0.5, "accuracy": 0, "balanced_accuracy": 0, "average_precision": 0,
              "f1": 0, "f1_macro": 0, "precision": 0, "recall": 0, "specificity": 0, "r2": 0, "silhouette": 0,
              "stability": 0, "reconstruction": 0, "explained_variance": 0, "trustworthiness": 0}  # fmt: skip
    if metric not in scales or shown.low is None or shown.value is None or shown.high is None:
        return None
    start = scales[metric] if shown.low >= scales[metric] else 0
    low, value, high = (min(max((end - start) / (1 - start), 0), 1) * 100 for end in shown.ends)
    return Gauge(low, value, high - low, f"{start:g}", "1")


def split_words(data: Data) -> list[str]:
    """What to know about the test rows before trusting them."""
    sentences = [
        f"Of class “{name}”, {count(rows)} more row{'s' if rows != 1 else ''} than its share went into the test, so "
        "that it can be evaluated at all; which ones may change as the data grow."
        for name, rows in data.topped_up.items()
    ]
    if equal := data.equal_content:
        sentences.append(
            f"{count(equal)} test row{'s' if equal != 1 else ''} equal{'s' if equal == 1 else ''} a training row in "
            "all features: scores may be a little flattering."
        )
    sentences += [
        f"Of the {count(new.of)} values of “{name}” among the test rows, {count(new.members)} occur in no "
        f"training row ({count(new.rows)} test rows): nothing can have been learnt of them."
        for name, new in data.only_in_test.items()
        if new.members
    ]
    return sentences


def cleaning_words(cleaning: Cleaning) -> list[str]:
    """Which shape the data had and have, and what was left out of this run alone."""
    before, after = (
        f"{count(shape.rows)} rows by {count(shape.columns)} columns" for shape in (cleaning.before, cleaning.after)
    )
    said = f"Cleaning dropped nothing: {before}." if before == after else f"Cleaning: {before} became {after}."
    return [said, *(f"{count(rows)} rows set aside: {why}." for why, rows in cleaning.set_aside.items())]


def learnt_words(label: str, unseen: Shown, seen: Shown, sign: int) -> str:
    """Whether what was learnt holds beyond the rows it was trained on."""
    if seen.value is None or unseen.low is None or unseen.high is None:
        return ""
    said = (
        f"{label} is {value_of(seen)} on the rows that the model was trained on, {value_of(unseen)} on rows that it "
        "never saw"
    )
    best, worst = (unseen.high, unseen.low) if sign > 0 else (unseen.low, unseen.high)
    if sign * (seen.value - best) > 0:
        return f"{said}: it fits the former better than chance explains (overfitting). Only the latter value counts."
    if sign * (seen.value - worst) < 0:
        return f"{said}, which happen to be easier: expect less on new rows."
    return f"{said}: no sign of overfitting, for the former lies within the interval of the latter."


def rule_words(selection: Selection) -> list[str]:
    """Who won by which rule, and who cannot be told apart from the winner."""
    sentences = []
    if selection.rule == "one-standard-error":
        sentences.append(
            "The winner is the simplest candidate within one standard error "
            f"({number(selection.standard_error)}) of the best, which is {selection.best}."
        )
    alike = selection.alike or []
    if alike:
        more = f" and {len(alike) - MAX_NAMED} more" if len(alike) > MAX_NAMED else ""
        sentences.append(
            f"Not to be told apart from the winner by these rows: {', '.join(alike[:MAX_NAMED])}{more} (paired tests, "
            "Holm's correction for their number, 5%)."
        )
    return sentences


def against_words(against: Against | None) -> str:
    """`0.0124 (-0.0031 to 0.0279), p 0.31; McNemar 31 to 22, p 0.27`: how far behind the winner."""
    if not against:
        return ""
    ends = f"{number(against.low)} to {number(against.high)}"
    said = f"{number(against.difference)} ({ends}), p {_chance(against.adjusted)}"
    if decisions := against.decisions:
        rows = f"{count(decisions.only_winner)} to {count(decisions.only_other)}"
        said += f"; McNemar {rows}, p {_chance(decisions.adjusted)}"
    return said


def _chance(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.2g}"


def selection_words(selection: Selection, sign: int) -> list[str]:
    """What decided, what picking the best of many did to its score, and how worn the test rows are."""
    sentences = [sentence(selection.reason)] if selection.reason else []
    tried, fits = selection.candidates, selection.fits
    if tried:
        effort = f" in {count(fits)} fits" if fits else ""
        sentences.append(f"{count(tried)} candidate{'s were' if tried != 1 else ' was'} tried{effort}.")
    corrected = as_shown(selection.corrected, sign)
    if is_number(selection.naive) and corrected.value is not None:
        ends = f" ({confidence(corrected)} {span(corrected)})" if corrected.low is not None else ""
        sentences.append(
            f"The winner scored {number(sign * selection.naive)} on the training rows. The best of many is partly "
            f"lucky; corrected for that, its score there is {value_of(corrected)}{ends}."
        )
        if selection.halved:
            sentences.append(
                f"{count(selection.halved)} candidates fell out of successive halving on a share of the rows; the "
                "correction knows only those of the last round, so it may be a little too small."
            )
    nested = as_shown(selection.nested, sign)
    if selection.nested and nested.value is not None:
        folds = count(len(selection.nested.folds))
        ends = f" ({confidence(nested)} {span(nested)})" if nested.low is not None else ""
        sentences.append(
            f"Nested: the whole search, made once more inside each of {folds} outer folds and evaluated on rows "
            f"that it had not seen, is worth {value_of(nested)}{ends}."
        )
    sentences += rule_words(selection)
    judged = selection.winners_evaluated
    sentences.append(
        "These test rows have evaluated no winner before."
        if judged <= 1
        else f"These test rows have now evaluated {count(judged)} winners; the more they evaluate, the less "
        "independent "
        "their evaluation is."
    )
    return sentences
