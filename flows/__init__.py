"""The DAGs: one flow a module, reading like a table of contents."""

import os

__path__ = [os.path.realpath(folder) for folder in __path__]  # behind the link: tracebacks name files that git knows
