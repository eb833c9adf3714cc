"""What the first screen says beside the score: what was predicted, against what, what to do, what to beware of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from penstock.document.analysis import Finding
from penstock.document.data import DataCheck
from penstock.document.formats import count, percent, sentence, value_of
from penstock.document.run import RunDocument
from penstock.problems.words import Advice, words_of
from penstock.reporting.rows import CandidateRow, ScoreRow
from penstock.reporting.words import split_words

MAX_STEPS = 3
FEW_ROWS = 100
ROUGH = 0.1  # an interval wider than this, on a scale that ends at 1
TOO_GOOD = 0.995
GRAVE = 60  # the weight of a finding from which on the analysis marks it as a warning
LEAKS = ("error", "warning")
MOSTLY_EMPTY = "mostly empty columns"  # as the checks name the rule
NOT_DRAWN = "not drawn for the sample that this run is made of"  # as cleaning tells it

UNIT_SCALE = ("roc_auc", "roc_auc_ovr", "accuracy", "balanced_accuracy", "average_precision", "f1", "f1_macro", "r2",
              "precision", "recall", "specificity")  # fmt: skip


class Comparison(NamedTuple):
    """The winner and the baseline on the same rows, errors as positive numbers."""

    headline: str
    sentence: str
    clearly: bool
    pair: list[CandidateRow]


def lede(document: RunDocument) -> str:
    """The question, and what was predicted and from what, in a few sentences."""
    return f"{sentence(document.question.asked)} {_answer(document)}".strip()


def _answer(document: RunDocument) -> str:
    data, target = document.data, document.data.target
    apart = ("target", "key", "id", "group", "time", "weight", "ignore")
    columns = [column for column in data.schema_ if column.role not in apart]
    used = sum(column.name != target.name for column in columns)
    source = data.source.rpartition("/")[2]
    origin = f" from {count(used)} column{'s' if used != 1 else ''}" if used > 0 else ""
    origin += f" of {source}" if source else ""
    rows = ""
    if data.train_rows and data.test_rows:
        seen, unseen = count(data.train_rows), count(data.test_rows)
        rows = f" Trained on {seen} rows, evaluated on {unseen} others that it never saw."
    found = words_of(document.problem).finding(document, f",{origin}" if origin else "")
    return f"{found}{rows}".strip()


def comparison(candidates: Sequence[CandidateRow], winner: str, sign: int) -> Comparison | None:
    """Whether the winner is worth more than ignoring the columns, by cross-validation on the training rows."""
    scored = [one for one in candidates if one.shown.value is not None]
    first = next((one for one in scored if one.tried.label == winner), None)
    last = next((one for one in scored if one.baseline), None)
    if first is None or last is None or first is last:
        return None
    best, floor = first.shown, last.shown
    assert best.value is not None
    assert floor.value is not None
    near, far = (best.low, floor.high) if sign > 0 else (best.high, floor.low)
    known = near is not None and far is not None
    gap = sign * (best.value - floor.value)
    clearly = sign * (near - far) > 0 if near is not None and far is not None else gap > 0
    if clearly:
        headline = "Clearly better than the baseline" if known else "Better than the baseline"
    else:
        headline = "Not clearly better than the baseline" if gap > 0 else "No better than the baseline"
    less = f", {percent(gap / floor.value)} less error" if sign < 0 < gap and floor.value else ""
    said = (
        f"The model gets {value_of(best)}, the baseline, which ignores every column, {value_of(floor)}{less}. Both are "
        "cross-validated on the training rows."
    )
    return Comparison(headline, said, clearly, [first, last])


def next_steps(
    document: RunDocument, errors: Sequence[DataCheck], compared: Comparison | None, figures: Mapping[str, str]
) -> list[Advice]:
    verdict, name = document.verdict, document.name
    kind = verdict.verdict
    old = f"version {verdict.champion}" if verdict.champion else "the version in service"
    steps = []
    if errors:
        steps.append(Advice("Look at the failed checks of the data before anything else.", "checks"))
    if compared and not compared.clearly:
        steps.append(Advice("Look for columns that tell more, or for more rows: the model adds little yet.", "data"))
    if kind in ("promoted", "first"):
        command = f"penstock score {name}@champion new_rows.csv scores.csv"
        steps.append(Advice("Score new rows with it:", command=command))
    elif kind == "held" and any(check.state == "failed" for check in verdict.checks):
        steps.append(Advice("See what the gate held it back for.", "gate"))
    elif kind == "held":
        steps.append(Advice(f"Go on with {old}: nothing needs to change."))
    elif kind == "asked":
        steps.append(
            Advice("Decide whether it goes into service:", command=f"penstock promote {name}@challenger --why ...")
        )
    elif kind == "inconclusive":
        rows = f" beside these {count(verdict.rows)}" if verdict.rows else ""
        enough = min((need.rows for need in verdict.needs), default=None)
        goal = f" ({count(enough)} may be enough)" if enough else ""
        steps.append(Advice(f"Gather rows that {old} never trained on{rows}{goal}, and run again.", "gate"))
    steps += words_of(document.problem).steps(document, figures)
    steps.append(Advice("When new rows come, run it again: the gate decides whether a better model takes over."))
    return steps[:MAX_STEPS]


def cautions(
    document: RunDocument, main: ScoreRow | None, warnings: Sequence[DataCheck], unfinished: int
) -> list[Advice]:
    """The gravest first; the page shows the first few."""
    found = [
        *_about_sample(document),
        *_about_kernel(document),
        *_about_leaks(document),
        *words_of(document.problem).cautions(document),
        *_about_score(main),
        *_about_test(document),
    ]
    if warnings:
        first = sentence(warnings[0].message or warnings[0].rule)
        more = f" And {len(warnings) - 1} more to look at." if len(warnings) > 1 else ""
        found.append(Advice(f"{first}{more}", "checks"))
    grave = [one for one in document.analysis.findings if one.weight >= GRAVE and not _told_by(one, warnings)]
    found += [Advice(f"{sentence(one.text)} {sentence(one.advice)}".strip(), "analysis") for one in grave[:2]]
    if unfinished:
        found.append(Advice(f"{unfinished} candidate{'s' if unfinished != 1 else ''} did not finish.", "candidates"))
    if not document.run.reproducible:
        found.append(Advice("A limit struck: on another machine the result may differ.", "reproduce"))
    return found


def _told_by(finding: Finding, warnings: Sequence[DataCheck]) -> bool:
    """Whether the first warning, of all rows, already tells of the gaps that the analysis found in training rows."""
    return (
        bool(warnings)
        and finding.kind == "missing"
        and warnings[0].rule == MOSTLY_EMPTY
        and finding.columns == [warnings[0].column]
    )


def _about_sample(document: RunDocument) -> list[Advice]:
    left, drawn = document.cleaning.set_aside.get(NOT_DRAWN), document.cleaning.before.rows
    if not left:
        return []
    return [Advice(f"A quick try on {count(drawn)} of {count(drawn + left)} rows; run it on all of them.", "data")]


def _about_kernel(document: RunDocument) -> list[Advice]:
    if document.winner.parameters.get("kernel") != "precomputed":
        return []
    said = (
        "The columns hold the kernel as it was given: what is said of a single one is about likeness to one thing, and "
        "a thing that is trained on cannot be left out of them."
    )
    return [Advice(said, "data")]


def _about_leaks(document: RunDocument) -> list[Advice]:
    """What the certificate found, but for what is only good to know."""
    checks = document.certificate.checks if document.certificate else []
    grave = [one for severity in LEAKS for one in checks if one.severity == severity]
    if not grave:
        return []
    more = f" And {len(grave) - 1} more that may leak." if len(grave) > 1 else ""
    return [Advice(f"{sentence(grave[0].message)}{more}", "leakage")]


def _about_score(main: ScoreRow | None) -> list[Advice]:
    if main is None or main.name not in UNIT_SCALE:
        return []
    shown, found = main.shown, []
    if shown.value is not None and shown.value > TOO_GOOD:
        found.append(Advice("Nearly perfect: look for a column that is only known once the outcome is.", "data"))
    if shown.low is not None and shown.high is not None and shown.high - shown.low > ROUGH:
        found.append(Advice("The score is known only roughly: its interval is wide.", "scores"))
    return found


def _about_test(document: RunDocument) -> list[Advice]:
    rows, judged, found = document.data.test_rows, document.selection.winners_evaluated, []
    if 0 < rows < FEW_ROWS:
        found.append(Advice(f"Only {count(rows)} test rows evaluated it.", "data"))
    if judged > 1:
        found.append(Advice(f"The same test rows have now evaluated {count(judged)} winners.", "scores"))
    return found + [Advice(words, "data") for words in split_words(document.data)]
