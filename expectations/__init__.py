"""What data must look like: learnt and written suites, run by Great Expectations."""

import os

__path__ = [os.path.realpath(folder) for folder in __path__]  # behind the link: tracebacks name files that git knows
