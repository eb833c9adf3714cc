"""One Prefect task per stage, one file per stage."""

import os

__path__ = [os.path.realpath(folder) for folder in __path__]  # behind the link: tracebacks name files that git knows
