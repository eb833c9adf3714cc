"""Run the examples and compare their numbers with the frozen ones; with --write, freeze them anew.

A change that must change numbers freezes them anew and says why in its commit. A change that renames a key or a word
edits tests/frozen/meaning.py instead. On a processor or a Python whose arithmetic is another, freeze at the commit
before yours, do not commit that, and compare.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile

from tests.frozen import arithmetic

arithmetic.level()  # before numpy is imported

from penstock.settings import Settings  # noqa: E402
from tests.frozen import runs  # noqa: E402
from tests.frozen.numbers import differences  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog=runs.AGAIN, description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of these, default all: {', '.join(runs.RUNS)}")
    parser.add_argument("--write", action="store_true", help="keep the new numbers")
    parser.add_argument("--workers", type=int, default=1, help="numbers are the same with any")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in runs.RUNS]:
        parser.error(f"no such example: {', '.join(unknown)}")
    differing = 0
    with tempfile.TemporaryDirectory(prefix="penstock-frozen-") as home:
        os.environ["PENSTOCK_HOME"] = home
        Settings.from_environment().apply()
        for name in asked.names or runs.RUNS:
            numbers = runs.numbers_of(name, runs.run(name, asked.workers))
            frozen = runs.read(name)[2] if (runs.FROZEN / f"{name}.tsv").exists() else {}
            found = differences(frozen, numbers)
            differing += bool(found)
            sys.stdout.write("".join(f"{name}: {line}\n" for line in found or [f"the same {len(numbers)} numbers"]))
            if asked.write:
                runs.write(name, numbers)
    return 0 if asked.write else int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
