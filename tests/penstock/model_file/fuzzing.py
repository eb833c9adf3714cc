"""Altered model files, one after the other: each is read, and asked for a prediction where it can be read.

Run as a program, so that a crash ends this process and not the tests; it prints what became of the files. A file that
takes long is a fault of the reader, and so is anything but an error for people.
"""

from __future__ import annotations

import copy
import io
import json
import random
import resource
import sys
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from penstock.components.trust import trusted_types
from penstock.errors import PenstockError
from penstock.model import failures_explained
from penstock.store import dump_estimator, read_estimator
from tests.penstock.model_file.repacking import members_of, nodes_of, packed, schema_of, stored_array

MEMORY = 4 << 30
NUMBERS = (-1, 0, 1, 2, 7, 255, 10**6, 2**31 - 1, -(2**31), 10**12, 2**63 - 1, -(2**63))
JSON = ("null", "-1", "0", "1000000", "1e308", "NaN", "[]", "{}", '"x"', "true", "[" * 2000)
ROWS = np.array([[0.5, -0.5, 1.0]])
LEVELS = np.array([["a", "x"]], dtype=object)
TEXTS = ["an old house", "nothing"]


def fitted() -> list[tuple[Any, Any]]:
    """Small models of the kinds that have compiled code, each with rows to predict."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = (X[:, 0] > 0).astype(int)
    words = ["an old house", "a new house", "old trees", "new trees grow"] * 3
    levels = np.array([["a", "x"], ["b", "y"], ["c", "x"]], dtype=object)
    return [
        (DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y), ROWS),
        (RandomForestClassifier(2, max_depth=2, random_state=0).fit(X, y), ROWS),
        (HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=5).fit(X, y), ROWS),
        (KNeighborsClassifier(3, algorithm="kd_tree", leaf_size=5).fit(X, y), ROWS),
        (KNeighborsClassifier(3, algorithm="ball_tree", p=3, leaf_size=5).fit(X, y), ROWS),
        (SVC().fit(X, y), ROWS),
        (make_pipeline(OneHotEncoder(drop="first"), LogisticRegression()).fit(levels, [0, 1, 0]), LEVELS),
        (make_pipeline(TfidfVectorizer(), KNeighborsClassifier(2)).fit(words, [0, 1, 1] * 4), TEXTS),
    ]


def flipped(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 4))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def cut(content: bytes, rng: random.Random) -> bytes:
    end = rng.randrange(len(content))
    return content[:end] + rng.choice((b"", content[end + rng.randrange(1, 99) :], content))


def swapped(content: bytes, rng: random.Random) -> bytes:
    """Two arrays in each other's place, or one gone."""
    members = members_of(content)
    arrays = [name for name in members if name != "schema.json"]
    first, second = rng.choice(arrays), rng.choice(arrays)
    members[first], members[second] = members[second], members[first]
    if rng.random() < 0.1:
        del members[first]
    return packed(members)


def numbered(content: bytes, rng: random.Random) -> bytes:
    """A number of an array, its shape or its type is another; the checksums fit."""
    members = members_of(content)
    name = rng.choice([name for name in members if name.endswith(".npy")])
    array = copy.deepcopy(read_array(members[name]))
    match rng.randrange(4):
        case 0 if array.size:
            place = rng.randrange(array.size)
            target = array.reshape(-1)
            if array.dtype.names:
                target = target[rng.choice(array.dtype.names)]
            with np.errstate(all="ignore"):
                target[place] = np.array(rng.choice(NUMBERS)).astype(target.dtype)
        case 1:
            array = array[: rng.randrange(len(array) + 1)] if array.ndim else array.reshape(1)
        case 2:
            array = array.reshape(rng.choice([(-1,), (1, -1), (-1, 1)])) if array.size else array
        case _:
            kind = rng.choice(["<f8", "<f4", "<i8", "<i4", "|u1", "<U3"])
            array = array if array.dtype.names else array.astype(kind)
    return packed({**members, name: stored_array(array)})


def read_array(stored: bytes) -> Any:
    return np.load(io.BytesIO(stored))


def headed(content: bytes, rng: random.Random) -> bytes:
    members = members_of(content)
    name = rng.choice([name for name in members if name != "schema.json"])
    members[name] = flipped(members[name][:128], rng) + members[name][128:]
    return packed(members)


def rewritten(content: bytes, rng: random.Random) -> bytes:
    """A node of the schema has another type, name, value, number, or the place of another node."""
    members = members_of(content)
    schema = schema_of(members)
    nodes = list(nodes_of(schema))
    node, other = rng.choice(nodes), rng.choice(nodes)
    match rng.randrange(7):
        case 0:
            node["__id__"] = other.get("__id__")
        case 1:
            node["__class__"], node["__module__"] = other["__class__"], other["__module__"]
        case 2:
            node["__loader__"] = other["__loader__"]
        case 3:
            node.pop(rng.choice(list(node)))
        case 4:
            fresh = copy.deepcopy(other)
            node.clear()
            node.update(fresh)
        case 5:
            values = [one for one in nodes if one["__loader__"] == "JsonNode"]
            rng.choice(values).update(content=rng.choice([*JSON, *map(str, NUMBERS)]), __id__=10**9)
        case _:
            files = [one for one in nodes if "file" in one]
            rng.choice(files)["file"] = rng.choice(files)["file"]
    return packed({**members, "schema.json": json.dumps(schema).encode()})


CHANGES = [flipped, cut, swapped, numbered, numbered, headed, rewritten, rewritten, rewritten]


def main(numbers: range, seed: int, path: Path) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    trusted = [*trusted_types(), "scipy.sparse._csr.csr_matrix"]
    originals = [(dump_estimator(model), rows) for model, rows in fitted()]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    ends: Counter[str] = Counter()
    slowest = 0.0
    for number in numbers:
        rng = random.Random(f"{seed} {number}")
        content, rows = originals[number % len(originals)]
        change = rng.choice(CHANGES)
        path.with_suffix(".number").write_text(f"{number} {change.__name__}")
        path.write_bytes(change(content, rng))
        started = time.process_time()
        try:
            model = read_estimator(path, trusted)
            try:
                with failures_explained():
                    model.predict(rows)
                ends["predicted"] += 1
            except PenstockError as error:
                ends["loaded, " + error.code] += 1
        except PenstockError as error:
            ends[error.code] += 1
        slowest = max(slowest, time.process_time() - started)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    sys.stdout.write("\n" + json.dumps({"ends": ends, "slowest": slowest, "grown": grown}))


if __name__ == "__main__":
    main(range(int(sys.argv[1]), int(sys.argv[2])), int(sys.argv[3]), Path(sys.argv[4]))
