"""What the first screen says beside the score: what was predicted, against what, what to do, what to beware of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from penstock.reporting.formats import count, is_number, percent, sentence, value_of
from penstock.reporting.words import split_words

BASELINES = ("baseline", "dummy")
MOST_STEPS = 3
FEW_ROWS = 100
ROUGH = 0.1  # an interval wider than this, on a scale that ends at 1
TOO_GOOD = 0.995
LOPSIDED = 0.8
SHAKY = 0.6  # Hennig's rule of thumb for the Jaccard index of a cluster
GRAVE = 60  # the weight of a finding from which on the analysis marks it as a warning
LEAKS = ("error", "warning")
MOSTLY_EMPTY = "mostly empty columns"  # as the checks name the rule
TUNED = "decision: {threshold: tune}"
NOT_DRAWN = "not drawn for the sample that this run is made of"  # as cleaning tells it

SYLLABUS = ("proc_reference_baselines",)

UNIT_SCALE = ("roc_auc", "roc_auc_ovr", "accuracy", "balanced_accuracy", "average_precision", "f1", "f1_macro", "r2",
              "precision", "recall", "specificity")  # fmt: skip


class Advice(NamedTuple):
    text: str
    section: str = ""
    command: str = ""


class Comparison(NamedTuple):
    """The winner and the baseline on the same rows, errors as positive numbers."""

    headline: str
    sentence: str
    clearly: bool
    pair: list[Mapping[str, Any]]


def is_baseline(candidate: Mapping[str, Any]) -> bool:
    return str(candidate.get("name")).startswith(BASELINES)


def set_against(candidates: Sequence[dict[str, Any]], baseline: Mapping[str, Any] | None, sign: int) -> None:
    """Note at each candidate how much better than the baseline it is, and whether it is not."""
    floor = baseline["shown"]["value"] if baseline else None
    for candidate in candidates:
        value = candidate["shown"]["value"]
        gain = sign * (value - floor) if is_number(value) and is_number(floor) else None
        candidate["over_baseline"] = None if candidate is baseline else gain
        candidate["not_better"] = candidate is not baseline and gain is not None and gain <= 0


def lede(document: Mapping[str, Any]) -> str:
    """The question, and what was predicted and from what, in a few sentences."""
    asked = sentence((document.get("question") or {}).get("asked"))
    return f"{asked} {_answer(document)}".strip()


def _answer(document: Mapping[str, Any]) -> str:
    data = document.get("data") or {}
    target = data.get("target") or {}
    apart = ("target", "key", "id", "group", "time", "weight", "ignore")
    columns = [column for column in data.get("schema") or [] if column.get("role") not in apart]
    used = sum(column.get("name") != target.get("name") for column in columns)
    source = str(data.get("source") or "").rpartition("/")[2]
    origin = f" from {count(used)} column{'s' if used != 1 else ''}" if used > 0 else ""
    origin += f" of {source}" if source else ""
    rows = ""
    if data.get("learning_rows") and data.get("test_rows"):
        seen, unseen = count(data["learning_rows"]), count(data["test_rows"])
        rows = f" Learnt on {seen} rows, judged on {unseen} others that it never saw."
    if document.get("problem") == "clustering":
        found = sum(cluster.get("cluster") != -1 for cluster in document.get("clusters") or [])
        if found == 1:
            return f"One group: no structure was found,{origin or ' in the data'}.{rows}"
        groups = f"{found} groups" if found else "Groups"
        return f"{groups} of similar rows,{origin or ' from the data'}.{rows}"
    if reduced := document.get("reduction"):
        return (
            f"{count(reduced['to'])} new column{'s' if reduced['to'] != 1 else ''},{origin or ' from the data'}.{rows}"
        )
    if density := document.get("density"):
        flagged = f"{count(density['flagged'])} of {count(density['rows'])} test rows"
        return f"The density of a row,{origin or ' from the data'}: {flagged} are rare.{rows}"
    if not target.get("name"):
        return rows.strip()
    classes = [str(name) for name in target.get("classes") or []]
    if len(classes) == 2:
        what = f"whether “{target['name']}” is “{classes[1]}”"
    elif classes:
        what = f"which of {len(classes)} classes “{target['name']}” is"
    else:
        what = f"the value of “{target['name']}”"
    return f"Predicts {what}{',' + origin if origin else ''}.{rows}"


def comparison(candidates: Sequence[Mapping[str, Any]], winner: Any, sign: int) -> Comparison | None:
    """Whether the winner is worth more than ignoring the columns, by cross-validation on the learning rows."""
    scored = [candidate for candidate in candidates if candidate["shown"]["value"] is not None]
    first = next((candidate for candidate in scored if candidate.get("label") == winner), None)
    last = next((candidate for candidate in scored if is_baseline(candidate)), None)
    if first is None or last is None or first is last:
        return None
    best, floor = first["shown"], last["shown"]
    near, far = ("low", "high") if sign > 0 else ("high", "low")
    ends = best[near], floor[far]
    known = all(is_number(end) for end in ends)
    gap = sign * (best["value"] - floor["value"])
    clearly = sign * (ends[0] - ends[1]) > 0 if known else gap > 0
    if clearly:
        headline = "Clearly better than the baseline" if known else "Better than the baseline"
    else:
        headline = "Not clearly better than the baseline" if gap > 0 else "No better than the baseline"
    less = f", {percent(gap / floor['value'])} less error" if sign < 0 < gap and floor["value"] else ""
    said = (
        f"The model gets {value_of(best)}, the baseline, which ignores every column, {value_of(floor)}{less}. Both are "
        "cross-validated on the learning rows."
    )
    return Comparison(headline, said, clearly, [first, last])


def next_steps(
    document: Mapping[str, Any], errors: Sequence[Any], compared: Comparison | None, figures: Mapping[str, str]
) -> list[Advice]:
    verdict = document.get("verdict") or {}
    kind, name = verdict.get("verdict"), document.get("name") or "model"
    old = f"version {verdict['champion']}" if verdict.get("champion") else "the version in service"
    steps = []
    if errors:
        steps.append(Advice("Look at the failed checks of the data before anything else.", "checks"))
    if compared and not compared.clearly:
        steps.append(Advice("Look for columns that tell more, or for more rows: the model adds little yet.", "data"))
    if kind in ("promoted", "first"):
        command = f"penstock score {name}@champion new_rows.csv scores.csv"
        steps.append(Advice("Score new rows with it:", command=command))
    elif kind == "held" and any(check.get("state") == "failed" for check in verdict.get("checks") or []):
        steps.append(Advice("See what the gate held it back for.", "gate"))
    elif kind == "held":
        steps.append(Advice(f"Go on with {old}: nothing needs to change."))
    elif kind == "asked":
        steps.append(
            Advice("Decide whether it goes into service:", command=f"penstock promote {name}@challenger --why ...")
        )
    elif kind == "inconclusive":
        rows = f" beside these {count(verdict['rows'])}" if verdict.get("rows") else ""
        enough = min((need["rows"] for need in verdict.get("needs") or []), default=None)
        goal = f" ({count(enough)} may be enough)" if enough else ""
        steps.append(Advice(f"Gather rows that {old} never learnt from{rows}{goal}, and run again.", "gate"))
    if "threshold_curve" in figures and not (document.get("decision") or {}).get("threshold"):
        steps.append(
            Advice(
                "If the two errors do not weigh the same, have a threshold learnt from learning rows:", command=TUNED
            )
        )
    if (document.get("structure") or {}).get("structured") is False:
        steps.append(Advice("Bring in columns that may set rows apart, or treat all rows alike.", "structure"))
    elif document.get("problem") == "clustering":
        steps.append(Advice("Give each group a name from what sets it apart.", "clusters"))
    if document.get("reduction"):
        steps.append(Advice("See what the new columns are made of, and give them names.", "reduction"))
    if document.get("density"):
        steps.append(Advice("Look at the rarest rows: mistakes, or the ones worth knowing?", "density"))
    steps.append(Advice("When new rows come, run it again: the gate decides whether a better model takes over."))
    return steps[:MOST_STEPS]


def cautions(
    document: Mapping[str, Any],
    main: Mapping[str, Any] | None,
    warnings: Sequence[Mapping[str, Any]],
    unfinished: int,
) -> list[Advice]:
    """The gravest first; the page shows the first few."""
    data = document.get("data") or {}
    found = [
        *_about_sample(document),
        *_about_kernel(document),
        *_about_leaks(document),
        *_about_groups(document),
        *_about_score(document, main),
        *_about_test(document),
    ]
    classes = ((data.get("target") or {}).get("facts") or {}).get("classes")
    if isinstance(classes, Mapping) and classes and all(is_number(rows) for rows in classes.values()):
        largest, share = max(classes, key=lambda name: classes[name]), max(classes.values()) / sum(classes.values())
        if share > LOPSIDED:
            found.append(
                Advice(f"{percent(share)} of the rows are “{largest}”: accuracy alone would look good.", "scores")
            )
    if warnings:
        first = sentence(warnings[0].get("message") or warnings[0].get("rule"))
        more = f" And {len(warnings) - 1} more to look at." if len(warnings) > 1 else ""
        found.append(Advice(f"{first}{more}", "checks"))
    grave = [
        one
        for one in (document.get("analysis") or {}).get("findings") or []
        if one.get("weight", 0) >= GRAVE and not _told_by(one, warnings)
    ]
    found += [
        Advice(f"{sentence(one.get('text'))} {sentence(one.get('advice'))}".strip(), "analysis") for one in grave[:2]
    ]
    if unfinished:
        found.append(Advice(f"{unfinished} candidate{'s' if unfinished != 1 else ''} did not finish.", "candidates"))
    if (document.get("run") or {}).get("reproducible") is False:
        found.append(Advice("A limit struck: on another machine the result may differ.", "reproduce"))
    return found


def _told_by(finding: Mapping[str, Any], warnings: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the first warning, of all rows, already tells of the gaps that the analysis found in learning rows."""
    return (
        bool(warnings)
        and finding.get("kind") == "missing"
        and warnings[0].get("rule") == MOSTLY_EMPTY
        and finding.get("columns") == [warnings[0].get("column")]
    )


def _about_sample(document: Mapping[str, Any]) -> list[Advice]:
    cleaning = document.get("cleaning") or {}
    left = (cleaning.get("set_aside") or {}).get(NOT_DRAWN)
    if not left:
        return []
    drawn = cleaning["before"]["rows"]
    return [Advice(f"A quick try on {count(drawn)} of {count(drawn + left)} rows; run it on all of them.", "data")]


def _about_kernel(document: Mapping[str, Any]) -> list[Advice]:
    if ((document.get("winner") or {}).get("parameters") or {}).get("kernel") != "precomputed":
        return []
    said = (
        "The columns hold the kernel as it was given: what is said of a single one is about likeness to one thing, and "
        "a thing that is learnt from cannot be left out of them."
    )
    return [Advice(said, "data")]


def _about_leaks(document: Mapping[str, Any]) -> list[Advice]:
    """What the certificate found, but for what is only good to know."""
    checks = (document.get("certificate") or {}).get("checks") or []
    grave = [one for severity in LEAKS for one in checks if one.get("severity") == severity]
    if not grave:
        return []
    more = f" And {len(grave) - 1} more that may leak." if len(grave) > 1 else ""
    return [Advice(f"{sentence(grave[0].get('message'))}{more}", "leakage")]


def _about_groups(document: Mapping[str, Any]) -> list[Advice]:
    """Groups that are not there, hang on the units, or would not come back."""
    found = []
    if (document.get("structure") or {}).get("structured") is False:
        found.append(Advice(sentence(document["structure"]["sentence"]), "structure"))
    if (document.get("scalings") or {}).get("depends"):
        found.append(Advice(sentence(document["scalings"]["words"]), "structure"))
    if ((document.get("winner") or {}).get("parameters") or {}).get("dissimilarity") == "precomputed":
        found.append(
            Advice(
                "Clusters are made from the distances as they were given; the test of structure, the silhouette and "
                "the pictures take a row's distances to all things for its coordinates.",
                "structure",
            )
        )
    shaky = [
        str(cluster["cluster"])
        for cluster in document.get("clusters") or []
        if is_number((cluster.get("stability") or {}).get("value")) and cluster["stability"]["value"] < SHAKY
    ]
    if shaky:
        which = f"Cluster {shaky[0]} is" if len(shaky) == 1 else f"Clusters {', '.join(shaky)} are"
        found.append(Advice(f"{which} often not found again when the rows are drawn anew.", "clusters"))
    return found


def _about_score(document: Mapping[str, Any], main: Mapping[str, Any] | None) -> list[Advice]:
    if main is None or main["name"] not in UNIT_SCALE:
        return []
    shown, found = main["shown"], []
    if is_number(shown["value"]) and shown["value"] > TOO_GOOD:
        found.append(Advice("Nearly perfect: look for a column that is only known once the outcome is.", "data"))
    if is_number(shown["low"]) and is_number(shown["high"]) and shown["high"] - shown["low"] > ROUGH:
        found.append(Advice("The score is known only roughly: its interval is wide.", "scores"))
    return found


def _about_test(document: Mapping[str, Any]) -> list[Advice]:
    data, found = document.get("data") or {}, []
    rows: Any = data.get("test_rows")
    judged: Any = (document.get("selection") or {}).get("winners_judged")
    if is_number(rows) and 0 < rows < FEW_ROWS:
        found.append(Advice(f"Only {count(rows)} test rows judged it.", "data"))
    if is_number(judged) and judged > 1:
        found.append(Advice(f"The same test rows have now judged {count(judged)} winners.", "scores"))
    return found + [Advice(words, "data") for words in split_words(data)]
