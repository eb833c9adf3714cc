"""Changed copies of pictures: changes that keep the label, and as many pixels as a picture has."""

from __future__ import annotations

from penstock.components.preprocessing.augmentation import require_harmless, require_shape
from penstock.spec.pipeline import Spec


def check_augmentation(spec: Spec, path: str) -> None:
    asked, where = spec.preparation.augment, f"{path}: preparation.augment"
    if asked is None:
        return
    require_harmless(asked.transforms, asked.keeps, f"{where}.transforms")
    if asked.pixels:
        require_shape(asked.pixels, asked.shape, f"{where}.shape")
