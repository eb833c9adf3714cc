"""The same bits on every machine: numeric libraries pick code by processor, and other code rounds differently.

This must run before numpy is imported. What cannot be levelled is named, so that numbers of other arithmetic are not
compared to the bit.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path


def level() -> None:
    """Let BLAS and numpy compute as on a processor with AVX2, here and in the processes that are started."""
    if "avx2" in _features():
        os.environ["OPENBLAS_CORETYPE"] = "Haswell"
    if "avx512f" in _features():
        os.environ["NPY_DISABLE_CPU_FEATURES"] = "X86_V4 AVX512_ICL AVX512_SPR"


def name() -> str:
    """Two machines of one name give the same bits."""
    import numpy as np
    from threadpoolctl import threadpool_info

    blas = {str(pool["architecture"]) for pool in threadpool_info() if pool["internal_api"] == "openblas"}
    found = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    return f"{platform.machine()}, BLAS for {' and '.join(sorted(blas))}, numpy for {found[-1]}, {python}"


def _features() -> set[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return set()
    return set(next((line for line in lines if line.startswith("flags")), "").split())
