"""The kinds of question: a folder for each of ours; other packages add theirs by the entry-point group."""

import os

__path__ = [os.path.realpath(folder) for folder in __path__]  # behind the link: tracebacks name files that git knows

from penstock.problems.declaration import Problem
from penstock.problems.registry import all_problems, find, names, proposals

__all__ = ["Problem", "all_problems", "find", "names", "proposals"]
