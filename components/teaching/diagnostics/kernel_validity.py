"""Whether a matrix is a kernel: symmetric, without a negative eigenvalue."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.kernels.kernel import Kernel
from penstock.components.teaching.inputs.matrix import Matrix, finite, square
from penstock.errors import UsageError, examples


def kernel_validity(
    frame: pd.DataFrame,
    *,
    kernels: list[str] | None = None,
    gamma: float = 1.0,
    degree: int = 3,
    coef0: float = 1.0,
    tolerance: float = 1e-8,
) -> Found:
    """Of a square table, or of named kernels of the rows: these, doubled, and of several their sum and product.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame([[1.0, 2.0], [2.0, 1.0]])
    >>> find("kernel-validity")(table).facts["valid"]
    {'given': False, '2 x given': False}
    """
    said: list[str] = []
    found: dict[str, Matrix] = {}
    if kernels:
        numeric = frame.select_dtypes("number")
        points = finite(numeric if numeric.shape[1] else frame)
        if words := [str(name) for name in frame.columns if name not in numeric.columns]:
            said = [f"Left out, for they hold no numbers: {examples(words)}."]
        found |= {
            name: _worked_out(Kernel(name.replace("polynomial", "poly"), gamma, degree, coef0), points)
            for name in kernels
        }
    else:
        found["given"] = square(frame)[1]
    found |= {f"2 x {name}": 2 * matrix for name, matrix in tuple(found.items())}
    if kernels and len(set(kernels)) > 1:
        single = [found[name] for name in dict.fromkeys(kernels)]
        found |= {"sum": np.sum(single, axis=0), "product": np.prod(single, axis=0)}
    validity = [_judge(name, matrix, tolerance) for name, matrix in found.items()]
    valid = {one["kernel"]: one["valid"] for one in validity}
    findings = [*map(_words, validity), *said]
    table = pd.DataFrame(validity).set_index("kernel")
    return Found(findings, table, {"valid": valid, "tolerance": tolerance})


def _worked_out(kernel: Kernel, points: Matrix) -> Matrix:
    try:
        return kernel(points)
    except ValueError as error:
        remedy = DIAGNOSTIC.parameters["kernels"]
        raise UsageError("PEN222", str(error), where="--set kernels", remedy=remedy) from None


def _judge(name: str, matrix: Matrix, tolerance: float) -> dict[str, Any]:
    """The tolerance is for a largest eigenvalue of 1: rounding grows with it."""
    scale = max(1.0, float(np.abs(matrix).max()))
    symmetric = bool(np.abs(matrix - matrix.T).max() <= tolerance * scale)
    eigenvalues = np.linalg.eigvalsh((matrix + matrix.T) / 2)
    least, most = float(eigenvalues[0]), float(eigenvalues[-1])
    psd = least >= -tolerance * max(1.0, most)
    return {
        "kernel": name, "symmetric": symmetric, "least_eigenvalue": least, "largest_eigenvalue": most,
        "valid": symmetric and psd,
    }  # fmt: skip


def _words(validity: dict[str, Any]) -> str:
    name = validity["kernel"]
    if validity["valid"]:
        least, most = validity["least_eigenvalue"], validity["largest_eigenvalue"]
        rounding = f", which beside the largest, {most:.3g}, is zero but for rounding" if least < 0 else ""
        return f"{name}: a kernel; its least eigenvalue is {least:.3g}{rounding}."
    if not validity["symmetric"]:
        return f"{name}: no kernel, for it is not symmetric."
    why = f"{name}: no kernel, for its least eigenvalue is {validity['least_eigenvalue']:.3g}"
    return f"{why}; tanh gives kernels for some parameters only." if "sigmoid" in name else f"{why}."


DIAGNOSTIC = Diagnostic(
    name="kernel-validity",
    summary="Whether a square table is a kernel (symmetric, no negative eigenvalue), or named kernels of the rows are",
    function=kernel_validity,
    parameters={
        "kernels": "kernels to work out from the rows, e.g. [rbf, polynomial]: linear, rbf, laplacian, polynomial, "
        "sigmoid, exponential, geometric, cosine, sums and products as 'rbf + 2 * linear', normalised(...); their "
        "multiples, sum and product are evaluated too. Without any the table is the matrix",
        "gamma": "scale of rbf, laplacian, polynomial and sigmoid, by default 1",
        "degree": "degree of polynomial, by default 3",
        "coef0": "what polynomial and sigmoid add to the product of two rows, by default 1",
        "tolerance": "how far below zero an eigenvalue may be by rounding, by default 1e-8 of the largest",
    },
    syllabus=("proc_kernel_validity",),
)
