"""What the frozen numbers are called today. A change of names edits one line here, and no frozen number.

Paths are written as `candidates[ridge #1].score`; an entry of a list is named by what identifies it.
"""

from __future__ import annotations

# A key's new name -> the name that it was frozen under, wherever it stands:
#     "training_rows": "learning_rows",
KEYS: dict[str, str] = {
    "nonconformity": "strangeness",
    "half_width": "reach",
    "train_rows": "learning_rows",
    "winners_evaluated": "winners_judged",
    "random_level": "chance",
    "validated": "held_out",
    "trained_on": "learnt_from",
    "trained on": "learnt from",
}

# A new place -> the place that it was frozen at, as regular expression and replacement:
#     (r"^split\.test_rows$", "data.test_rows"),
PLACES: tuple[tuple[str, str], ...] = (
    (r"(.*\.parameters)\.predict_by$", r"\1.answer"),
    (r"^curves\.learning_curve\b", "curves.learning"),
    (r"^curves\.validation_curve\b", "curves.validation"),
    (r"^data\.reading\.files$", "data.reading.parts"),
    (r"between the training rows and", "between the learning rows and"),
    (r"^(diagnoses\[.*\]\.facts)\.evaluated\b", r"\1.judged"),
)

# A value's new word -> the word that was frozen, wherever it stands:
#     "pruned": "ended",
VALUES: dict[str, str] = {
    "pruned": "ended",
    "outside the margin": "outside the street",
    "in the margin": "in the street",
}

# What is not compared, by its frozen name.
IGNORED: tuple[str, ...] = (
    r"version",  # of the document's format
    # When, where, by which code and by which stages.
    r"run\.(?!reproducible).*",
    r"(artifacts|course|stages)\b.*",
    r"(.*\.)?component\.code\..*",
    r"(.*\.)?(digest|model_digest|seconds)",
    r"data\.(source|reading\.(source|prefix))",
    # Words for people.
    r"(.*\.)?(advice|asked|card|findings|headline|label|message|orientation|reason|remedy|sentences|summary)\b.*",
    r"(.*\.)?(text|texts|title|heads)\b.*",
    r"diagnoses\[.*\]\.columns|.*\.task\.question",
    # How often rows have judged a winner hangs on the runs that the home has seen.
    r"selection\.winners_judged",
)

# Lists whose entries are kept one by one, however long they are.
ONE_BY_ONE: tuple[str, ...] = ("candidates", "clusters", "verdict.checks")

# Bulky places, each kept as one digest of all that it holds.
COARSE: tuple[str, ...] = (
    r"analysis\.sections\[[^\]]*\]\.\w+",
    r"mlflow\.(importance|slice|shap|learning_curve|validation_curve)",
)

# What identifies an entry of a list, the first that no two entries share.
IDENTITIES: tuple[tuple[str, ...], ...] = (
    ("label",),
    ("name",),
    ("column",),
    ("class",),
    ("cluster",),
    ("column", "slice"),
    ("code",),
    ("code", "column"),
)
